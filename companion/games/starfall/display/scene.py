"""StarFall's scene: the ring of spaces with the pile in its middle, a payment, a page of the count, the final table."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from companion.api import Seat
from companion.display.api import (
    BACKGROUND,
    BAD,
    BIG_EM,
    GOOD,
    INK,
    MUTED,
    PANEL,
    RAISED,
    TEXT_EM,
    TITLE_EM,
    WARN,
    Canvas,
    Colour,
    GameScene,
    Movement,
    Rect,
    ScreenLayout,
    ScreenState,
    SoundEffect,
    Typeface,
    draw_clock,
    find_clock,
    split_bottom,
    split_grid,
    split_left,
    split_top,
)
from companion.display.toolkit import PIECE_RGB, text_colour_for
from companion.display.widgets import clock_content
from companion.games.starfall.display.board import draw_board
from companion.games.starfall.display.scoring import draw_choice, draw_page, draw_score_table
from companion.games.starfall.display.tiles import (
    UNKNOWN_ART,
    draw_line_icon,
    draw_price,
    draw_tile_art,
    draw_tile_print,
)
from companion.games.starfall.payment_rules import PaymentView, make_payment_view
from companion.games.starfall.state import Phase, StarFallState, _
from companion.games.starfall.tile_identification import get_tile_question

TOTAL_SECONDS = 0.5
"""Time in which a player's sum counts to a new value."""


NARROW_WIDTH = 92.0
"""Width in units below which the choices stand in one column."""
MORE_TILES_WIDTH = 16.0
"""Width of the text on tiles that are not drawn, in units."""


class StarFallScene(GameScene[StarFallState]):
    """The scene of StarFall: the board, a payment, or the count of symbols in the centre."""

    HAS_OWN_RESULT = True
    ACCENT = (110, 120, 196)

    def draw_result(self, canvas: Canvas, rect: Rect, state: ScreenState) -> None:
        """Draw how each score came about, line by line (F30 to F36)."""
        draw_score_table(canvas, rect, state.view.player_scores, state.players)

    def draw_game(self, canvas: Canvas, layout: ScreenLayout, state: ScreenState, view: StarFallState) -> None:
        """Draw the phase of the game."""
        rect = layout.body if self.has_own_scores(state) else layout.stage
        seat = view.counting_seat
        sum_so_far = 0 if seat is None else view.player_scores[seat].total
        total = round(canvas.timeline.follow(f"total {seat}", sum_so_far, TOTAL_SECONDS))
        content = (replace(view, changes=()), state.players, total)
        canvas.draw_region("main", rect, content, lambda: _draw_stage(canvas, rect, state, view, total))

    def has_own_scores(self, state: ScreenState) -> bool:
        """Return whether symbols are counted, or all are: the page and the table show the scores."""
        return state.view.phase not in {Phase.TURN, Phase.NAMING, Phase.PAY, Phase.CHOOSE}

    def has_track(self, state: ScreenState) -> bool:
        """Return whether there is a clock, which stands in the place of the round track."""
        # There are no rounds: the clock has the track's place, where a dialog leaves it visible.
        return find_clock(state) is not None

    def draw_track(self, canvas: Canvas, layout: ScreenLayout, state: ScreenState) -> None:
        """Draw the clock of the turn as the region "track".

        Raises:
            AssertionError: the state has no clock: `has_track` is False.
        """
        clock = find_clock(state)
        assert clock is not None, "the track is there for the clock"
        content = clock_content(clock)
        canvas.draw_region("track", layout.track, content, lambda: draw_clock(canvas, layout.track, clock, _("Turn")))

    def find_active_seat(self, view: StarFallState) -> Seat | None:
        """Return the seat of the player whose turn it is, or whose tiles are being counted; None: there is none."""
        return view.active_seat if view.phase in (Phase.TURN, Phase.NAMING, Phase.PAY) else view.counting_seat

    def find_movements(self, before: StarFallState, after: StarFallState) -> Iterator[Movement]:
        """Yield the tile that was added, moved or taken: from the pile, along the ring, or to its new owner.

        Yields:
            A movement between two of the places "pile", "space 9" and "player 0".
        """
        left = set(before.occupied_spaces) - set(after.occupied_spaces)
        reached = set(after.occupied_spaces) - set(before.occupied_spaces)
        if len(left) > 1 or len(reached) > 1:
            return
        owners = zip(before.owned_tiles, after.owned_tiles, strict=False)
        gained = [seat for seat, (old, new) in enumerate(owners) if len(new) > len(old)]
        start = next((f"space {space}" for space in left), "pile")
        if reached:
            yield Movement(UNKNOWN_ART, INK, start, f"space {reached.pop()}")
        elif left and gained:
            yield Movement(UNKNOWN_ART, INK, start, f"player {gained[0]}")

    def choose_sound(self, before: StarFallState, after: StarFallState) -> SoundEffect | None:
        """Return the sound of a tile that was added to the board, or left it without going to a player; else None."""
        if len(after.board) > len(before.board):
            return SoundEffect.PIECE_ADDED
        counts_before, counts_after = (tuple(map(len, view.owned_tiles)) for view in (before, after))
        is_lost = len(after.board) < len(before.board) and counts_after == counts_before
        return SoundEffect.PIECE_LOST if is_lost else None


def _draw_stage(canvas: Canvas, rect: Rect, state: ScreenState, view: StarFallState, total: int) -> None:
    match view.phase:
        case Phase.TURN:
            draw_board(canvas, rect, state, view)
        case Phase.NAMING:
            draw_naming(canvas, rect, view)
        case Phase.PAY if view.payment is not None:
            draw_payment(canvas, rect, make_payment_view(view, view.payment))
        case Phase.CHOOSE:
            draw_choice(canvas, rect, view, state.players)
        case Phase.PAGE if view.counting_seat is not None:
            draw_page(canvas, rect, view, view.player_scores[view.counting_seat], total)
        case _:
            draw_score_table(canvas, rect, view.player_scores, state.players)


def draw_payment(canvas: Canvas, rect: Rect, payment: PaymentView) -> None:
    """Draw the price at the left; at the right dust and tiles that are paid, and below whether they suffice (F13).

    Args:
        payment: price and payment, in stardust.
    """
    price, right = split_left(rect, min(canvas.px(44), rect.w * 3 // 10), canvas.px(4))
    canvas.draw_panel(price, INK, radius=2.2)
    label, digits = split_top(price.inflate(-canvas.px(2), -canvas.px(1)), canvas.px(8))
    canvas.draw_text(label, _("Price"), TEXT_EM, BACKGROUND, face=Typeface.DISPLAY, align=0.5)
    canvas.draw_figure(digits, str(payment.price), BACKGROUND)
    foot, paid = split_bottom(right, canvas.px(8.4), canvas.px(1))
    _draw_given(canvas, paid, payment)
    colour, text = judge_payment(payment)
    foot = canvas.draw_panel(foot, PANEL, padding=(2, 0))
    foot = canvas.draw_icon_left(foot, "ok" if colour is GOOD else "bang", canvas.px(6), colour, gap=1)
    canvas.draw_text(foot, text, TEXT_EM, colour, face=Typeface.DISPLAY)


def judge_payment(payment: PaymentView) -> tuple[Colour, str]:
    """Return in colour and words whether the payment is enough.

    Args:
        payment: price and payment, in stardust.

    Returns:
        A tone (bad, warning, neutral, good), and a sentence in the current language.

    >>> judge_payment(PaymentView(7, 2, (3,), False, False, False))[1]
    '2 are missing'
    """
    missing = payment.price - payment.dust - sum(payment.tile_values)
    if not payment.is_enough:
        return BAD, _.plural("{n} is missing", "{n} are missing", missing)
    if payment.has_unneeded_tile:
        return BAD, _("A tile is not needed: take it back")
    if payment.is_excessive:
        return WARN, _("More than is needed")
    if missing > 0:
        return INK, _("The tile's stars pay the rest")
    return GOOD, _("This pays for the tile")


def _draw_given(canvas: Canvas, rect: Rect, payment: PaymentView) -> None:
    """Draw the dust and the tiles that are paid."""
    upper, lower = split_grid(rect, 1, 2, canvas.px(2))
    lower.h = rect.bottom - lower.top
    for row in (upper, lower):
        canvas.draw_panel(row, RAISED)
    size = min(canvas.px(10), upper.h - canvas.px(4))
    canvas.draw_icon_left(upper, "sparkle", size, INK, margin=3)
    place = Rect(upper.left + canvas.px(5) + size, upper.top, canvas.px(16), upper.h)
    digits = canvas.draw_text(place, str(payment.dust), BIG_EM, INK, face=Typeface.DISPLAY)
    left = digits.right + canvas.px(2)
    label = Rect(left, upper.top, upper.right - left, upper.h)
    canvas.draw_text(label, _("dust"), TITLE_EM, INK, face=Typeface.DISPLAY)
    if payment.tile_values:
        _draw_tiles(canvas, lower, payment.tile_values)
    else:
        hint = _("With a tile? Press the number of its stars")
        canvas.draw_text(lower.inflate(-canvas.px(6), 0), hint, TEXT_EM, INK, face=Typeface.DISPLAY, max_lines=2)


def _draw_tiles(canvas: Canvas, rect: Rect, values: Sequence[int]) -> None:
    """Draw tiles with their stars side by side, and how many there is no room for."""
    size, paper = min(canvas.px(13), rect.h - canvas.px(3)), PIECE_RGB["white"]
    ink = text_colour_for(paper)
    room, step = rect.w - canvas.px(2), size + canvas.px(3.6)
    drawn = values
    if len(drawn) * step > room:
        drawn = drawn[: max(1, (room - canvas.px(MORE_TILES_WIDTH)) // step)]
    left = rect.left + canvas.px(2)
    for value in drawn:
        tile = Rect(left, 0, size + canvas.px(2), size)
        tile.centery = rect.centery
        canvas.draw_panel(tile, paper, edge=INK, radius=1.6)
        star = canvas.px(5)
        canvas.draw_icon_left(tile, "star", star, ink, margin=1.2)
        number = split_left(tile, star + canvas.px(1.6))[1]
        number.w = tile.w - star - canvas.px(2.6)
        text = str(value) if value else "?"
        canvas.draw_text(number, text, TITLE_EM, ink, face=Typeface.DISPLAY, align=0.5)
        left = tile.right + canvas.px(1.6)
    more = len(values) - len(drawn)
    if more:
        rest = Rect(left, rect.top, rect.right - canvas.px(1) - left, rect.h)
        canvas.draw_text(rest, _("and {n} more", n=more), TEXT_EM, MUTED, face=Typeface.DISPLAY, max_lines=2)


def draw_naming(canvas: Canvas, rect: Rect, view: StarFallState) -> None:
    """Draw what is asked: the tiles to choose from with the letters of their keys, or a symbol on the new tile.

    Args:
        view: what is shown of the game; gives the choices.
    """
    question = get_tile_question(view)
    if question.line_index is not None:
        _draw_new_tile(canvas, rect, view.next_free_space, question.line_index)
        return
    count = len(question.choices)
    columns = 1 if count <= 3 or rect.w < canvas.px(NARROW_WIDTH) else 2
    rows = -(-count // columns)
    cells = split_grid(rect, columns, rows, canvas.px(1.4), canvas.px(17))
    for i, choice in enumerate(question.choices):
        column, row = divmod(i, rows)
        cell = cells[row * columns + column]
        canvas.draw_panel(cell, PANEL)
        size = min(canvas.px(9), cell.h - canvas.px(2))
        disc = canvas.draw_disc((cell.left + canvas.px(1.6) + size // 2, cell.centery), size, INK)
        canvas.draw_text(disc, choice.label, TEXT_EM, BACKGROUND, face=Typeface.DISPLAY, align=0.5)
        rest = Rect(disc.right + canvas.px(2), cell.top, cell.right - disc.right - canvas.px(3), cell.h)
        draw_tile_print(canvas, rest, view.get_symbol_counts(choice.tile_numbers[0]))


def _draw_new_tile(canvas: Canvas, rect: Rect, space: int, line: int) -> None:
    """Draw the tile that is added with the number of its space, and the symbol whose number on it is asked."""
    head, below = split_top(rect, canvas.px(TITLE_EM), canvas.px(2))
    canvas.draw_text(head, _("The new tile, on {space}", space=space), TITLE_EM, INK, face=Typeface.DISPLAY, align=0.5)
    size, gap = min(below.h - canvas.px(4), below.w // 3), canvas.px(8)
    square = Rect(0, 0, size, size)
    square.center = (below.centerx - size - gap // 2, below.centery)
    draw_tile_art(canvas, square, ())
    draw_price(canvas, square, space, is_bright=True)
    square = square.move(size + gap, 0)
    draw_line_icon(canvas, line, square.center, size * 8 // 10)
    count = Rect(square.right, square.top, size, size)
    canvas.draw_figure(count, "?", INK)
