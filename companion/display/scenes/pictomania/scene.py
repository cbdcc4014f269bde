"""Pictomania's scene: its centre for every phase of a round."""

from collections.abc import Sequence

from pygame import Rect

from companion.display.scenes.base import GameScene
from companion.display.scenes.pictomania.parts import (
    draw_big_clock,
    draw_countdown,
    draw_level,
    draw_live_picture,
    draw_pile_card,
    draw_score_page,
    draw_strip,
    draw_token,
    draw_tokens,
    draw_word_card,
)
from companion.display.toolkit import (
    BACKGROUND,
    GOOD,
    INK,
    LINE,
    MUTED,
    PANEL,
    PIECE_RGB,
    RAISED,
    TEXT_EM,
    TITLE_EM,
    WARN,
    Canvas,
    ScreenLayout,
    Typeface,
    split_bottom,
    split_left,
    split_right,
    split_rows,
    split_top,
    text_colour_for,
)
from companion.display.widgets import clock_content, draw_dialog_if_open, find_clock
from companion.games.api.game import Seat
from companion.games.pictomania.state import Phase, PictomaniaState
from companion.i18n import Translator
from companion.screen_state import Player, RunningClock, ScreenState

_ = Translator("pictomania")

STRIP_HEIGHT = 11.0
"""Height of the strip at the foot, in units."""
STRIP_WITH_CLOCK_HEIGHT = 20.0
"""Height of the strip beside a running clock, in units."""
CLOCK_WIDTH = 44.0
"""Width of a running clock beside the strip, in units."""
GAP = 1.6
"""Room between two things, in units."""
MAX_CARD_WIDTH = 30.0
"""Width of a card or a deck at most, in units."""
MAX_WORD_CARD_WIDTH = 26.0
"""Width of a word card at most, in units."""
MAX_TOKEN_WIDTH = 32.0
"""Width of a bonus token's panel at most, in units."""
STOP_EM = 27.0
"""Size of the word STOP at most, in units."""
PICTURE_PERCENT = 58
"""Width of the camera's picture, in percent of the centre."""
NARROW_WIDTH = 60.0
"""Width in units below which things stand one under the other, beside the camera's picture."""
NARROW_STRIP_HEIGHT = 8.6
"""Height of the strip in a narrow place, in units."""
NARROW_CLOCK_HEIGHT = 15.0
"""Height of a running clock in a narrow place, in units."""
MAX_LINE_HEIGHT = 12.0
"""Height of a token's or card's row in a narrow place at most, in units."""


class PictomaniaScene(GameScene[PictomaniaState]):
    """The scene of Pictomania: tokens, a pile of cards or the round's scores; the camera's picture if it is wanted."""

    POINTS_ICON = ("star", PIECE_RGB["gold"])

    def draw_game(self, canvas: Canvas, layout: ScreenLayout, state: ScreenState, view: PictomaniaState) -> None:
        """Draw the phase of the game with the camera's picture if it is wanted, or the dialog that is open.

        Args:
            canvas: Where it is drawn.
            layout: Places of the screen, in pixels.
            state: What is shown around the game: players, scores, clocks, dialogs.
            view: What is shown of the game: the same as `state.view`.

        Raises:
            IndexError: A seat in the view has no player in the state.
            pygame.error: The screen is too small, so that a part would have a negative size.
        """
        rect, clock = layout.stage, find_clock(state)
        if draw_dialog_if_open(canvas, rect, state):
            return
        if state.shows_live_picture:
            picture, rect = split_left(rect, rect.w * PICTURE_PERCENT // 100, canvas.px(GAP))
            draw_live_picture(canvas, picture, state.camera_view, state.enlarge_button)
        content = (view, state.players, clock_content(clock))
        canvas.draw_region("main", rect, content, lambda: _draw_main(canvas, rect, view, state.players, clock))

    def find_active_seat(self, view: PictomaniaState) -> Seat | None:
        """Return the seat of the owner of the open pile, or of the black sheep; None: neither is known.

        Args:
            view: What is shown of the game.
        """
        return view.pile_owner if view.pile_owner is not None else view.black_sheep

    def list_changes(self, view: PictomaniaState) -> Sequence[int]:
        """Return the points that the last move gave or took.

        Args:
            view: What is shown of the game.

        Returns:
            Points by seat; empty on the page of a round, which shows them itself.
        """
        # The round's page shows what the round gave and took.
        return () if view.phase is Phase.ROUND else view.changes

    def count_rounds(self, view: PictomaniaState) -> int:
        """Return the number of rounds of a game, at least 1.

        Args:
            view: What is shown of the game.
        """
        return view.settings.rounds

    def is_simultaneous(self, view: PictomaniaState) -> bool:
        """Return whether all are drawing now, against the clock.

        Args:
            view: What is shown of the game.
        """
        return view.phase is Phase.DRAWING


def _draw_main(
    canvas: Canvas, rect: Rect, view: PictomaniaState, players: Sequence[Player], clock: RunningClock | None
) -> None:
    match view.phase:
        case Phase.START:
            draw_countdown(canvas, rect, clock)
        case Phase.DIFFICULTY:
            _draw_difficulty(canvas, rect, view, players)
        case Phase.READING:
            _draw_word_cards(canvas, *_split_strip_with_clock(canvas, rect, clock), view)
        case Phase.DRAWING:
            strip, above = _split_strip_with_clock(canvas, rect, clock)
            _draw_bonus(canvas, above, view, players)
            # Where there is no room for the label, the soft keys say who can still take a token.
            label = "" if _is_narrow(canvas, rect) else _("Still drawing")
            _draw_badges(canvas, draw_strip(canvas, strip, label), [players[q] for q in view.seats_drawing])
        case Phase.STOP:
            _draw_stop(canvas, rect, view, players)
        case Phase.SCORING:
            _draw_scoring(canvas, rect, view, players)
        case Phase.ROUND:
            draw_score_page(canvas, rect, view, players)


def _is_narrow(canvas: Canvas, rect: Rect) -> bool:
    """Return whether things stand one under the other: the camera's picture has most of the room."""
    return rect.w < canvas.px(NARROW_WIDTH)


def _split_strip(canvas: Canvas, rect: Rect, height: float = STRIP_HEIGHT) -> tuple[Rect, Rect]:
    """Return a strip at the foot, and what is above it."""
    return split_bottom(rect, canvas.px(height), canvas.px(GAP))


def _split_strip_with_clock(canvas: Canvas, rect: Rect, clock: RunningClock | None) -> tuple[Rect, Rect]:
    """Return a strip at the foot, and what is above it; draw the clock beside or under the strip if one runs."""
    if clock is None:
        return _split_strip(canvas, rect)
    if _is_narrow(canvas, rect):
        foot, above = _split_strip(canvas, rect, NARROW_CLOCK_HEIGHT)
        draw_big_clock(canvas, foot, clock)
        return _split_strip(canvas, above, NARROW_STRIP_HEIGHT)
    strip, above = _split_strip(canvas, rect, STRIP_WITH_CLOCK_HEIGHT)
    place, strip = split_right(strip, min(canvas.px(CLOCK_WIDTH), strip.w // 2), canvas.px(GAP))
    draw_big_clock(canvas, place, clock)
    return strip, above


def _split_columns(canvas: Canvas, rect: Rect, count: int, max_width: float) -> list[Rect]:
    """Return equal slots side by side in the middle of `rect`, none wider than `max_width` units."""
    gap = canvas.px(GAP)
    width = min(canvas.px(max_width), (rect.w - gap * (count - 1)) // count)
    left = rect.centerx - (count * width + gap * (count - 1)) // 2
    return [Rect(left + i * (width + gap), rect.top, width, rect.h) for i in range(count)]


def _lay_out_decks(canvas: Canvas, rect: Rect, names: Sequence[str]) -> list[Rect]:
    """Return a slot for each deck, in two rows if its name would not fit below it otherwise."""
    slots = _split_columns(canvas, rect, len(names), MAX_CARD_WIDTH)
    if max(canvas.text_width(name, face=Typeface.DISPLAY) for name in names) <= slots[0].w - canvas.px(2):
        return slots
    height, half = (rect.h - canvas.px(GAP)) // 2, -(-len(names) // 2)
    halves = (split_top(rect, height)[0], split_bottom(rect, height)[0])
    return [slot for row in halves for slot in _split_columns(canvas, row, half, MAX_CARD_WIDTH)][: len(names)]


def _draw_badges(canvas: Canvas, rect: Rect, players: Sequence[Player]) -> None:
    step = min(canvas.px(9.4), rect.w // max(1, len(players)))
    size = max(1, min(step - canvas.px(1), rect.h - canvas.px(0.6)))
    for i, player in enumerate(players):
        canvas.draw_badge(player.button, (rect.left + i * step + step // 2, rect.centery), size)


def _draw_difficulty(canvas: Canvas, rect: Rect, view: PictomaniaState, players: Sequence[Player]) -> None:
    """Draw the decks, easy to hard, the chosen one raised; below them the bonus tokens and who is away (P10)."""
    below, above = _split_strip(canvas, rect)
    if any(view.away):
        width = min(canvas.px(16 + 8 * sum(view.away)), below.w // 2)
        away, below = split_right(below, width, canvas.px(GAP))
        _draw_badges(canvas, draw_strip(canvas, away, _("Away")), [p for p in players if view.away[p.seat]])
    names = [_(colour) for colour in view.available_colours]
    slots = _lay_out_decks(canvas, above, names)
    box = (slots[0].w - canvas.px(2), canvas.px(9))
    size = canvas.find_common_size(names, TEXT_EM, box, Typeface.DISPLAY)
    for i, (colour, name, slot) in enumerate(zip(view.available_colours, names, slots, strict=True)):
        is_chosen = colour == view.colour
        card = slot if is_chosen else slot.inflate(0, -slot.h // 4 if slot.h == above.h else -canvas.px(1.6))
        inner = canvas.draw_panel(
            card, RAISED if is_chosen else PANEL, edge=INK if is_chosen else None, radius=2.0, padding=(3, 3)
        )
        foot = min(canvas.px(14), inner.h * 70 // 100)
        band = split_bottom(inner, foot)[1]
        canvas.draw_panel(band, PIECE_RGB[colour], radius=1.2)
        if is_chosen:
            canvas.draw_icon("ok", band.center, min(band.size) * 3 // 5, text_colour_for(PIECE_RGB[colour]))
        label = Rect(card.left + canvas.px(1), band.bottom + foot // 10, card.w - canvas.px(2), foot * 8 // 14)
        canvas.draw_text(label, name, size, INK if is_chosen else MUTED, face=Typeface.DISPLAY, align=0.5)
        dots = Rect(label.left, card.bottom - foot * 5 // 14, label.w, foot * 4 // 14)
        draw_level(canvas, dots, i + 1, len(view.available_colours), MUTED, align=0.5)
    draw_tokens(canvas, draw_strip(canvas, below, _("Bonus tokens")), view.bonus_tokens)


def _draw_word_cards(canvas: Canvas, strip: Rect, above: Rect, view: PictomaniaState) -> None:
    """Draw the word cards on the racks, whose words the companion does not know (P13)."""
    count = view.settings.word_cards_per_round
    for slot in _split_columns(canvas, above, count, MAX_WORD_CARD_WIDTH):
        draw_word_card(canvas, slot, view.colour)
    label = _.plural("One word card: {colour}", "{n} word cards: {colour}", count, colour=_(view.colour))
    rest = draw_strip(canvas, strip, label, TEXT_EM)
    if len(view.available_colours) > 1:
        draw_level(canvas, rest, view.available_colours.index(view.colour) + 1, len(view.available_colours), INK)


def _list_takers(view: PictomaniaState) -> list[tuple[int, Seat | None]]:
    """Return the stars of each bonus token, most first, and who took it."""
    waiting = [Seat(q) for q, stars in enumerate(view.bonus_stars) if stars]
    tokens: list[tuple[int, Seat | None]] = []
    for stars in view.bonus_tokens:
        taker = next((q for q in waiting if view.bonus_stars[q] == stars), None)
        if taker is not None:
            waiting.remove(taker)
        tokens.append((stars, taker))
    return tokens


def _draw_bonus(canvas: Canvas, rect: Rect, view: PictomaniaState, players: Sequence[Player]) -> None:
    """Draw the bonus tokens, and who took which (P24)."""
    tokens = _list_takers(view)
    best = next((i for i, (_stars, taker) in enumerate(tokens) if taker is None), None)
    if _is_narrow(canvas, rect):
        _draw_bonus_rows(canvas, rect, tokens, players, best)
        return
    slots = _split_columns(canvas, rect, len(tokens), MAX_TOKEN_WIDTH)
    for i, ((stars, taker), slot) in enumerate(zip(tokens, slots, strict=True)):
        _draw_bonus_panel(canvas, slot, is_best=i == best, radius=2.0)
        size = min(slot.w - canvas.px(3), slot.h * 55 // 100)
        centre = (slot.centerx, slot.top + slot.h * 36 // 100)
        foot = (slot.centerx, slot.top + slot.h * 82 // 100)
        draw_token(canvas, centre, size, stars, is_taken=taker is not None)
        if taker is not None:
            canvas.draw_badge(players[taker].button, foot, max(1, min(size * 2 // 3, slot.h * 26 // 100)))
        elif i == best:
            line = Rect(slot.left + canvas.px(1), foot[1] - canvas.px(4), slot.w - canvas.px(2), canvas.px(8))
            canvas.draw_text(line, _("Next"), TEXT_EM, INK, face=Typeface.DISPLAY, align=0.5)


def _draw_bonus_panel(canvas: Canvas, rect: Rect, *, is_best: bool, radius: float = 1.6) -> None:
    """Draw the ground of a bonus token; that of the best one left is highlighted."""
    canvas.draw_panel(rect, RAISED if is_best else PANEL, edge=INK if is_best else None, radius=radius)


def _draw_bonus_rows(
    canvas: Canvas,
    rect: Rect,
    tokens: Sequence[tuple[int, Seat | None]],
    players: Sequence[Player],
    best: int | None,
) -> None:
    """Draw the bonus tokens one under the other, each with who took it; `best`: the one that is taken next."""
    rows = split_rows(rect, len(tokens), canvas.px(0.7), canvas.px(MAX_LINE_HEIGHT))
    for i, ((stars, taker), row) in enumerate(zip(tokens, rows, strict=True)):
        _draw_bonus_panel(canvas, row, is_best=i == best)
        size = row.h - canvas.px(1)
        centre = (row.left + row.w * 28 // 100, row.centery)
        draw_token(canvas, centre, size, stars, is_taken=taker is not None and best is not None)
        if taker is None and i == best:
            label = Rect(row.centerx, row.top, row.right - row.centerx - canvas.px(1), row.h)
            canvas.draw_text(label, _("Next"), TEXT_EM, INK, face=Typeface.DISPLAY, align=0.5)
        else:
            _draw_taker(canvas, (row.left + row.w * 70 // 100, row.centery), size, taker, players)


def _draw_taker(
    canvas: Canvas, centre: tuple[int, int], size: int, taker: Seat | None, players: Sequence[Player]
) -> None:
    """Draw who took a token of `size` pixels; a dash for nobody."""
    if taker is None:
        canvas.draw_icon("minus", centre, size // 2, LINE)
    else:
        canvas.draw_badge(players[taker].button, centre, max(1, size * 9 // 10))


def _draw_stop(canvas: Canvas, rect: Rect, view: PictomaniaState, players: Sequence[Player]) -> None:
    """Draw a large STOP over the bonus tokens and their takers (P25)."""
    is_narrow = _is_narrow(canvas, rect)
    sign, below = split_top(rect, rect.h * (38 if is_narrow else 62) // 100, canvas.px(GAP))
    gold = PIECE_RGB["gold"]
    canvas.draw_panel(sign, gold, edge=INK, radius=3.0)
    place, em = sign.inflate(-canvas.px(4), 0), min(STOP_EM, sign.h / canvas.unit_px * 0.85)
    canvas.draw_text(place, _("STOP"), em, text_colour_for(gold), face=Typeface.DISPLAY, align=0.5)
    tokens = _list_takers(view)
    if is_narrow:
        _draw_bonus_rows(canvas, below, tokens, players, None)
        return
    for (stars, taker), slot in zip(tokens, _split_columns(canvas, below, len(tokens), MAX_CARD_WIDTH), strict=True):
        canvas.draw_panel(slot, PANEL)
        size = min(slot.h - canvas.px(3), slot.w * 42 // 100)
        draw_token(canvas, (slot.left + slot.w * 27 // 100, slot.centery), size, stars)
        _draw_taker(canvas, (slot.left + slot.w * 74 // 100, slot.centery), size, taker, players)


def _draw_scoring(canvas: Canvas, rect: Rect, view: PictomaniaState, players: Sequence[Player]) -> None:
    """Draw the owner's pile with the tokens earned; below, the tokens left and the piles to come (P32)."""
    is_narrow = _is_narrow(canvas, rect)
    if is_narrow:
        piles, rest = _split_strip(canvas, rect, NARROW_STRIP_HEIGHT)
        tokens, above = _split_strip(canvas, rest, NARROW_STRIP_HEIGHT)
    else:
        strip, above = _split_strip(canvas, rect)
        gap = canvas.px(GAP)
        tokens, piles = split_left(strip, (strip.w - gap) * 47 // 100, gap)
    owner = view.participants[view.pile_index]
    if view.drew_wrong_clue[owner]:
        _draw_wrong_clue(canvas, above, is_narrow=is_narrow)
    else:
        count = len(view.round_seats) - 1
        if is_narrow:
            slots = split_rows(above, count, canvas.px(0.7), canvas.px(MAX_LINE_HEIGHT))
        else:
            slots = _split_columns(canvas, above, count, MAX_CARD_WIDTH)
        pile = view.piles[owner]
        for slot, card, stars in zip(slots, pile, view.list_stars_earned(owner), strict=False):
            draw_pile_card(canvas, slot, players[card.guesser], stars)
        for slot in slots[len(pile) :]:
            canvas.draw_panel(slot, BACKGROUND, edge=RAISED)
    draw_tokens(canvas, draw_strip(canvas, tokens, _("Left")), view.list_tokens_kept(owner))
    _draw_piles(canvas, piles, view, players)


def _draw_wrong_clue(canvas: Canvas, rect: Rect, *, is_narrow: bool) -> None:
    """Draw that the owner drew another clue; without the sign in a narrow place."""
    canvas.draw_panel(rect, PANEL, edge=WARN, radius=2.4)
    left, padding = rect.left + canvas.px(3), canvas.px(2)
    if not is_narrow:
        size = canvas.px(16)
        canvas.draw_icon("no", (rect.left + canvas.px(4) + size // 2, rect.centery), size, WARN)
        left = rect.left + size + canvas.px(8)
    text = Rect(left, rect.top + padding, rect.right - canvas.px(3) - left, rect.h - canvas.px(4))
    message = _("Another clue was drawn: no card counts, no token is given")
    canvas.draw_text(text, message, TITLE_EM, INK, max_lines=6)


def _draw_piles(canvas: Canvas, rect: Rect, view: PictomaniaState, players: Sequence[Player]) -> None:
    """Draw the piles in order: scored ones have a tick, the open one is highlighted."""
    room = draw_strip(canvas, rect, _("Piles"))
    seats = view.round_seats
    step = min(canvas.px(8.6), room.w // len(seats))
    current = seats.index(view.pile_owner) if view.pile_owner in seats else len(seats)
    size = max(1, min(step - canvas.px(1.4), room.h))
    for i, seat in enumerate(seats):
        centre = (room.left + i * step + step // 2, room.centery)
        if i == current:
            canvas.draw_panel(Rect(centre[0] - step // 2, rect.top, step, rect.h), LINE, radius=1.0)
        if i < current:
            canvas.draw_icon("ok", centre, max(1, size * 4 // 5), GOOD)
        else:
            canvas.draw_badge(players[seat].button, centre, size)
