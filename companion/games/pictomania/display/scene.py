"""Pictomania's scene: one dominant thing for every phase of a round."""

from collections.abc import Hashable, Iterator, Sequence
from functools import partial
from math import ceil

from companion.api import Seat
from companion.display.api import (
    BACKGROUND,
    BIG_EM,
    GAP,
    INK,
    MUTED,
    PANEL,
    RGB,
    TEXT_EM,
    TITLE_EM,
    WARN,
    Canvas,
    GameScene,
    Movement,
    Player,
    Rect,
    RegionCell,
    RunningClock,
    ScreenLayout,
    ScreenState,
    Typeface,
    find_clock,
    format_signed,
    split_bottom,
    split_grid,
    split_left,
    split_right,
    split_top,
)
from companion.display.toolkit import PIECE_RGB
from companion.events import Button
from companion.games.pictomania.display.cards import (
    PileCard,
    draw_deck,
    draw_empty_place,
    draw_pile_card,
    draw_word_card,
)
from companion.games.pictomania.display.drawing import draw_drawing_phase, draw_stop_sign
from companion.games.pictomania.display.score_table import draw_score_table
from companion.games.pictomania.display.stage import BADGES_HEIGHT, LOW_HEIGHT, draw_clock_beside, is_stage_narrow
from companion.games.pictomania.display.tokens import draw_scoring_tokens
from companion.games.pictomania.state import Phase, PictomaniaState, _
from companion.i18n import capitalize_first_letter
from companion.screen_state import CameraView

ACCENT_RGB: RGB = (150, 96, 190)
"""Pictomania's own colour: raspberry, which is no seat's and no deck's."""
MAX_DECK_WIDTH = 48.0
"""Width of a deck at most, in units."""
DECK_DROP = 0.16
"""How far a deck that is not chosen lies below the chosen one, as a share of its height."""
DECK_SECONDS = 0.25
"""Time in which a deck rises or sinks."""
CARD_ASPECT = 0.7
"""Width of a word card as a share of its height."""
DEAL_SECONDS = 0.3
"""Time in which a word card is dealt."""
DEAL_DELAY_SECONDS = 0.08
"""Time from one dealt word card to the next."""
COUNT_SECONDS = 0.3
"""Time in which a number of the countdown grows to its size."""
CARD_SECONDS = 0.3
"""Time in which a guess card comes in."""
MAX_PILE_CARD_WIDTH = 40.0
"""Width of a guess card at most, in units."""
OWNER_WIDTH = 34.0
"""Width of what the owner of the pile keeps, in units."""
PICTURE_SHARE = 0.7
"""Width of the camera's picture beside the game, as a share of the stage's; in portrait its height."""


class PictomaniaScene(GameScene[PictomaniaState]):
    """The scene of Pictomania: decks, tokens, guess cards or the round's scores; the camera's picture if wanted."""

    POINTS_ICON = ("star", PIECE_RGB["gold"])
    ACCENT = ACCENT_RGB

    def draw_game(self, canvas: Canvas, layout: ScreenLayout, state: ScreenState, view: PictomaniaState) -> None:
        """Draw the phase of the game with the camera's picture if it is wanted."""
        rect, clock = layout.body if self.has_own_scores(state) else layout.stage, find_clock(state)
        if state.shows_live_picture:
            if canvas.is_portrait:
                picture, rect = split_top(rect, round(rect.h * PICTURE_SHARE), canvas.px(GAP))
            else:
                picture, rect = split_left(rect, round(canvas.size[0] * PICTURE_SHARE), canvas.px(GAP))
            _draw_live_picture(canvas, picture, state.camera_view, state.enlarge_button)
        match view.phase:
            case Phase.START:
                _draw_countdown(canvas, rect, clock)
            case Phase.DIFFICULTY:
                _draw_decks(canvas, rect, view)
            case Phase.READING:
                _draw_word_cards(canvas, draw_clock_beside(canvas, rect, clock), view)
            case Phase.DRAWING:
                draw_drawing_phase(canvas, rect, view, state.players, clock)
            case Phase.STOP:
                draw_stop_sign(canvas, rect, view, state.players)
            case Phase.SCORING:
                _draw_scoring(canvas, rect, view, state.players)
            case Phase.ROUND:
                draw_score_table(canvas, rect, view, state)

    def has_own_scores(self, state: ScreenState) -> bool:
        """Return whether there is no players' strip: with a round's scores, and beside the camera's picture."""
        return state.question is None and (state.view.phase is Phase.ROUND or state.shows_live_picture)

    def find_active_seat(self, view: PictomaniaState) -> Seat | None:
        """Return the seat of the owner of the open pile, or of a scored round's black sheep; None: there is neither."""
        return view.black_sheep if view.phase is Phase.ROUND else view.pile_owner

    def list_changes(self, view: PictomaniaState) -> Sequence[int]:
        """Return the points that the last move gave or took.

        Returns:
            Points by seat; empty on the page of a round, which shows them itself.
        """
        # The round's page shows what the round gave and took.
        return () if view.phase is Phase.ROUND else view.changes

    def count_rounds(self, view: PictomaniaState) -> int:
        """Return the number of rounds of a game, at least 1."""
        return view.settings.rounds

    def find_movements(self, before: PictomaniaState, after: PictomaniaState) -> Iterator[Movement]:
        """Yield the bonus token that a player takes (P24), and the stars that a right guess card earns (P32).

        Yields:
            Movements from the token to its taker, and from what the owner keeps to the guess card.
        """
        for seat, (old, new) in enumerate(zip(before.bonus_stars, after.bonus_stars, strict=False)):
            if new and not old:
                yield Movement(*self.POINTS_ICON, "token", f"player {seat}")
        owner = after.pile_owner
        if owner is None or owner != before.pile_owner:
            return
        was_right = {card.guesser for card in before.piles[owner] if card.is_right}
        for card, stars in zip(after.piles[owner], after.list_stars_earned(owner), strict=True):
            if card.guesser not in was_right:
                yield from [Movement(*self.POINTS_ICON, "kept", f"card {card.guesser}")] * stars

    def is_simultaneous(self, view: PictomaniaState) -> bool:
        """Return whether all are drawing now, against the clock."""
        return view.phase is Phase.DRAWING


def _draw_live_picture(canvas: Canvas, rect: Rect, camera_view: CameraView, hide_button: Button | None) -> None:
    """Draw the camera's picture without any reading: what somebody holds under the camera.

    A touch on it presses `hide_button`; None: it cannot be touched.
    """

    def paint() -> None:
        canvas.draw_panel(rect, PANEL)
        if hide_button is not None:
            canvas.add_touch_area(rect, hide_button)
        if camera_view.picture is not None:
            canvas.draw_image(camera_view.picture, rect.inflate(-canvas.px(1), -canvas.px(1)))
        else:
            place = rect.inflate(-canvas.px(3), 0)
            canvas.draw_text(place, _("No picture yet"), TITLE_EM, MUTED, face=Typeface.DISPLAY, align=0.5)

    canvas.draw_region("live", rect, (camera_view, hide_button), paint)


# Difficulty, reading, countdown ----------------------------------------------------------------------------------


def _draw_decks(canvas: Canvas, rect: Rect, view: PictomaniaState) -> None:
    """Draw the decks, easy to hard, the chosen one raised (P10)."""
    colours = view.available_colours
    names = [capitalize_first_letter(_(colour)) for colour in colours]
    slots = _lay_out_decks(canvas, rect, names)
    box = (slots[0].w - canvas.px(5), canvas.px(TITLE_EM))
    size = canvas.find_common_size(names, TITLE_EM, box, Typeface.DISPLAY)
    drop = DECK_DROP if len(colours) > 1 else 0.0
    cells = []
    for i, (colour, name, slot) in enumerate(zip(colours, names, slots, strict=True)):
        is_chosen = colour == view.colour
        raised = canvas.timeline.follow(f"deck {i}", float(is_chosen), DECK_SECONDS)
        top = round(slot.h * drop * (1 - raised))
        place = Rect(slot.left, slot.top + top, slot.w, round(slot.h * (1 - drop)))
        level = (i + 1, len(colours))
        paint = partial(draw_deck, canvas, place, colour, name, level, is_chosen=is_chosen, size=size)
        cells.append(RegionCell(slot, (colour, name, level, is_chosen, size, top), paint))
    canvas.draw_cells("main", rect, cells)


def _split_columns(canvas: Canvas, rect: Rect, count: int, max_width: float, gap_units: float = GAP) -> list[Rect]:
    """Return equal slots side by side in the middle of `rect`, none wider than `max_width` units."""
    gap = canvas.px(gap_units)
    width = min(canvas.px(max_width), (rect.w - gap * (count - 1)) // count)
    left = rect.centerx - (count * width + gap * (count - 1)) // 2
    return [Rect(left + i * (width + gap), rect.top, width, rect.h) for i in range(count)]


def _lay_out_decks(canvas: Canvas, rect: Rect, names: Sequence[str]) -> list[Rect]:
    """Return a slot for each deck, in two rows if its name would not fit otherwise."""
    slots = _split_columns(canvas, rect, len(names), MAX_DECK_WIDTH)
    if max(canvas.text_width(name, face=Typeface.DISPLAY) for name in names) <= slots[0].w - canvas.px(5):
        return slots
    height, half = (rect.h - canvas.px(GAP)) // 2, -(-len(names) // 2)
    halves = (split_top(rect, height)[0], split_bottom(rect, height)[0])
    return [slot for row in halves for slot in _split_columns(canvas, row, half, MAX_DECK_WIDTH)][: len(names)]


def _draw_word_cards(canvas: Canvas, rect: Rect, view: PictomaniaState) -> None:
    """Draw the word cards on the racks, whose words the companion does not know (P13)."""
    count = view.settings.word_cards_per_round
    width = min(round(rect.h * CARD_ASPECT), rect.w)
    step = min(width + canvas.px(1), (rect.w - width) // max(1, count - 1))
    left = rect.centerx - (width + step * (count - 1)) // 2
    dealt = [
        canvas.timeline.progress(f"card {i}", view.round_number, DEAL_SECONDS, delay=DEAL_DELAY_SECONDS * i)
        for i in range(count)
    ]

    def paint() -> None:
        for i, part in enumerate(dealt):
            place = Rect(left + i * step, rect.top + round((1 - part) * rect.h), width, rect.h)
            draw_word_card(canvas, place, view.colour)

    content = (view.colour, count, tuple(round(part, 2) for part in dealt))
    canvas.draw_region("main", rect, content, paint)


def _draw_countdown(canvas: Canvas, rect: Rect, clock: RunningClock | None) -> None:
    """Draw the start signal: 3, 2, 1 (P14); 3 without a clock, and never less than 1."""
    number = max(1, ceil(clock.seconds_left)) if clock is not None else 3
    grown = canvas.timeline.progress("count", number, COUNT_SECONDS)
    side = round(rect.h * (0.6 + 0.4 * grown))
    box = Rect(0, 0, rect.w, side)
    box.center = rect.center
    box = box.inflate(0, -canvas.px(1))
    canvas.draw_region("main", rect, (number, side), lambda: canvas.draw_figure(box, str(number)))


# Scoring ---------------------------------------------------------------------------------------------------------


def _draw_scoring(canvas: Canvas, rect: Rect, view: PictomaniaState, players: Sequence[Player]) -> None:
    """Draw the guess cards on the open pile, and what its owner keeps (P32)."""
    owner = view.participants[view.pile_index]
    is_narrow = is_stage_narrow(canvas, rect)
    if is_narrow or canvas.is_portrait:
        is_low = rect.h < canvas.px(LOW_HEIGHT)
        kept, pile = split_bottom(rect, 0 if is_low else canvas.px(BADGES_HEIGHT), 0 if is_low else canvas.px(GAP))
    else:
        kept, pile = split_right(rect, canvas.px(OWNER_WIDTH), canvas.px(2 * GAP))
    if view.drew_wrong_clue[owner]:
        canvas.draw_region("pile", pile, is_narrow, lambda: _paint_wrong_clue(canvas, pile, is_narrow=is_narrow))
    else:
        _draw_pile(canvas, pile, view, owner, players, is_narrow=is_narrow)
    if kept.h:
        tokens, colour = view.list_tokens_kept(owner), players[owner].piece_colour or ""
        content: Hashable = (tokens, colour, view.pile_index, view.participants)
        canvas.draw_region(
            "main", kept, content, lambda: _paint_kept(canvas, kept, view, tokens, colour, is_narrow=is_narrow)
        )


def _draw_pile(
    canvas: Canvas, rect: Rect, view: PictomaniaState, owner: Seat, players: Sequence[Player], *, is_narrow: bool
) -> None:
    """Draw the cards of a pile in their order, and places for those to come."""
    count = len(view.round_seats) - 1
    if is_narrow:
        slots = split_grid(rect, 1, count, canvas.px(0.6), canvas.px(16))
    else:
        slots = _split_columns(canvas, rect, count, MAX_PILE_CARD_WIDTH, 0.8)
    pile, stars = view.piles[owner], view.list_stars_earned(owner)
    cells = []
    for i, slot in enumerate(slots):
        if i >= len(pile):
            is_next = i == len(pile)
            cells.append(RegionCell(slot, is_next, partial(draw_empty_place, canvas, slot, is_next=is_next)))
            continue
        card = PileCard(players[pile[i].guesser], stars[i], players[owner].piece_colour or "")
        key = (view.round_number, owner, card.guesser.seat)
        shown = canvas.timeline.progress(f"card {i}", key, CARD_SECONDS)
        cells.append(RegionCell(slot, (card, round(shown, 2)), partial(draw_pile_card, canvas, slot, card, shown)))
    canvas.draw_cells("pile", rect, cells)


def _paint_wrong_clue(canvas: Canvas, rect: Rect, *, is_narrow: bool) -> None:
    """Paint that the owner drew another clue, so that all cards go back (P31)."""
    message = _("All cards back")
    if is_narrow:
        canvas.draw_text(rect, message, BIG_EM, INK, face=Typeface.DISPLAY, max_lines=3, align=0.5)
        return
    size = min(rect.h * 6 // 10, rect.w // 4)
    canvas.draw_disc((rect.left + size // 2, rect.centery), size, BACKGROUND)
    canvas.draw_icon("no", (rect.left + size // 2, rect.centery), size * 7 // 10, WARN)
    canvas.draw_figure(split_left(rect, size, canvas.px(4))[1], message, align=0.0)


def _paint_kept(
    canvas: Canvas,
    rect: Rect,
    view: PictomaniaState,
    tokens: Sequence[int],
    colour: str,
    *,
    is_narrow: bool,
) -> None:
    """Paint the tokens that the owner has not given away, the points that they cost, and which pile it is."""
    canvas.set_anchor("kept", rect.center)
    points, label = format_signed(-sum(tokens)), _("Tokens left")
    if is_narrow or canvas.is_portrait:
        columns = split_grid(rect, 2, 1, canvas.px(GAP))
        left, number = split_left(columns[0] if not is_narrow else rect, rect.w * (36 if not is_narrow else 70) // 100)
        draw_scoring_tokens(canvas, left, tokens, colour)
        canvas.draw_text(number, points, TITLE_EM, INK, face=Typeface.DISPLAY, align=0.5)
        if not is_narrow:
            _paint_pile_number(canvas, columns[1], view)
        return
    piles, above = split_bottom(rect, canvas.px(7), canvas.px(1))
    lines = 1 if canvas.text_width(label, face=Typeface.DISPLAY) <= above.w else 2
    title, row = split_top(above, lines * canvas.line_px(TEXT_EM + 1), canvas.px(1))
    canvas.draw_text(title, label, TEXT_EM, INK, face=Typeface.DISPLAY, max_lines=lines)
    width = canvas.text_width(points, BIG_EM, Typeface.DISPLAY)
    number, left = split_right(row, width, canvas.px(2))
    canvas.draw_text(number, points, BIG_EM, INK, face=Typeface.DISPLAY, align=1.0)
    draw_scoring_tokens(canvas, left, tokens, colour)
    _paint_pile_number(canvas, piles, view)


def _paint_pile_number(canvas: Canvas, rect: Rect, view: PictomaniaState) -> None:
    """Paint which of the round's piles is open."""
    text = _("Pile {n} of {count}", n=view.pile_index + 1, count=len(view.participants))
    canvas.draw_text(rect, text, TEXT_EM, INK, face=Typeface.DISPLAY, align=1.0)
