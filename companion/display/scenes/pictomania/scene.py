"""Pictomania's scene: its centre for every phase of a round."""

from __future__ import annotations

from collections.abc import Sequence

from pygame import Rect

from companion.display.scenes.base import GameScene
from companion.display.scenes.pictomania.parts import (
    draw_badge,
    draw_big_clock,
    draw_countdown,
    draw_level,
    draw_live_picture,
    draw_pile_card,
    draw_strip,
    draw_token,
    draw_tokens,
    draw_word_card,
)
from companion.display.scenes.pictomania.score_page import draw_score_page
from companion.display.toolkit.canvas import Canvas
from companion.display.toolkit.layout import lay_out_screen, split_rows
from companion.display.toolkit.text import FontWeight
from companion.display.toolkit.theme import (
    BODY_EM,
    GOOD,
    HEADING_EM,
    INK,
    LINE,
    MIN_EM,
    MUTED,
    PANEL,
    PIECE_RGB,
    RAISED,
    TITLE_EM,
    WARN,
    text_colour_for,
)
from companion.display.widgets.clocks import clock_content
from companion.display.widgets.dialog import draw_dialog_if_open
from companion.display.widgets.header import draw_header, draw_round_track, draw_status_line
from companion.display.widgets.players import draw_players
from companion.display.widgets.soft_keys import draw_soft_keys
from companion.games.api.game import Seat
from companion.games.pictomania.view import Phase, PictomaniaView
from companion.i18n import Translator
from companion.screen_state import Player, RunningClock, ScreenState

_ = Translator("pictomania")

STRIP_HEIGHT, STRIP_WITH_CLOCK_HEIGHT = 11.0, 20.0
CLOCK_WIDTH = 44.0
"""Width of a running clock in the strip."""
GAP = 1.6
MAX_CARD_WIDTH = 30.0
MAX_TOKEN_WIDTH = 32.0
STOP_EM = 27.0
PICTURE_PERCENT = 58
"""Hundredths of the width for the camera's picture."""
NARROW_WIDTH = 60.0
"""Width below which things stand one under the other."""
NARROW_STRIP_HEIGHT, NARROW_CLOCK_HEIGHT, MAX_LINE_HEIGHT = 8.6, 15.0, 12.0
"""Heights, where things stand one under the other."""


class PictomaniaScene(GameScene[PictomaniaView]):
    """Players at the left; the rest is the middle of the table: tokens, a pile, or the round's page."""

    POINTS_ICON = ("star", PIECE_RGB["gold"])

    def draw(self, canvas: Canvas, state: ScreenState) -> None:
        """Draws `shown`, whose view is a `PictomaniaView`."""
        view = state.view
        assert isinstance(view, PictomaniaView), "Pictomania's scene draws its own game"
        places = lay_out_screen(canvas)
        active = view.pile_owner if view.pile_owner is not None else view.black_sheep
        draw_header(canvas, places, state, active, view.round_count)
        draw_round_track(canvas, places, view.round_number, view.round_count)
        # The round's page says itself what the round gave and took.
        draw_players(canvas, places, state, active, () if view.phase is Phase.ROUND else view.changes)
        rect = places.centre
        clock = state.clocks[0] if state.clocks else None
        if not draw_dialog_if_open(canvas, rect, state, "main"):
            if state.shows_live_picture:
                picture, rect = _split_for_picture(canvas, rect)
                draw_live_picture(canvas, picture, state.camera_view, state.enlarge_button)
            shows = (view, state.players, clock_content(clock) if clock else None)
            canvas.draw_region("main", rect, shows, lambda: _draw_main(canvas, rect, view, state.players, clock))
        draw_status_line(canvas, places, state)
        draw_soft_keys(canvas, places, state)

    def current_round(self, view: PictomaniaView) -> int:
        return view.round_number

    def is_simultaneous(self, view: PictomaniaView) -> bool:
        return view.phase is Phase.DRAWING


def _draw_main(
    canvas: Canvas, rect: Rect, view: PictomaniaView, people: Sequence[Player], clock: RunningClock | None
) -> None:
    if view.phase is Phase.START:
        draw_countdown(canvas, rect, clock)
        return
    match view.phase:
        case Phase.DIFFICULTY:
            _draw_difficulty(canvas, rect, view, people)
        case Phase.READING:
            _draw_word_cards(canvas, *_split_strip_with_clock(canvas, rect, clock), view)
        case Phase.DRAWING:
            above, below = _split_strip_with_clock(canvas, rect, clock)
            _draw_bonus(canvas, above, view, people)
            # Where there is no room for the words, the keys say who may still take a token.
            words = "" if _is_narrow(canvas, rect) else _("Still drawing")
            _draw_badges(canvas, draw_strip(canvas, below, words), [people[q] for q in view.seats_drawing])
        case Phase.STOP:
            _draw_stop(canvas, rect, view, people)
        case Phase.SCORING:
            _draw_scoring(canvas, rect, view, people)
        case Phase.ROUND:
            draw_score_page(canvas, rect, view, people)


def _split_for_picture(canvas: Canvas, rect: Rect) -> tuple[Rect, Rect]:
    """Where the camera's picture stands, and what is left for the game beside it."""
    gap = canvas.px(GAP)
    wide = rect.w * PICTURE_PERCENT // 100
    return Rect(rect.left, rect.top, wide, rect.h), Rect(rect.left + wide + gap, rect.top, rect.w - wide - gap, rect.h)


def _is_narrow(canvas: Canvas, rect: Rect) -> bool:
    """Whether things stand one under the other: the camera's picture has most of the room."""
    return rect.w < canvas.px(NARROW_WIDTH)


def _split_strip(canvas: Canvas, rect: Rect, height: float = STRIP_HEIGHT) -> tuple[Rect, Rect]:
    """What is above a strip at the foot, and the strip."""
    below = Rect(rect.left, rect.bottom - canvas.px(height), rect.w, canvas.px(height))
    return Rect(rect.left, rect.top, rect.w, below.top - canvas.px(GAP) - rect.top), below


def _split_strip_with_clock(canvas: Canvas, rect: Rect, clock: RunningClock | None) -> tuple[Rect, Rect]:
    """The same, with a house timer at the strip's right end if one runs."""
    if clock is None:
        return _split_strip(canvas, rect)
    if _is_narrow(canvas, rect):
        rest, foot = _split_strip(canvas, rect, NARROW_CLOCK_HEIGHT)
        draw_big_clock(canvas, foot, clock)
        return _split_strip(canvas, rest, NARROW_STRIP_HEIGHT)
    above, below = _split_strip(canvas, rect, STRIP_WITH_CLOCK_HEIGHT)
    wide = min(canvas.px(CLOCK_WIDTH), below.w // 2)
    draw_big_clock(canvas, Rect(below.right - wide, below.top, wide, below.h), clock)
    return above, Rect(below.left, below.top, below.w - wide - canvas.px(GAP), below.h)


def _split_columns(canvas: Canvas, rect: Rect, count: int, widest: float) -> list[Rect]:
    """Equal slots, none wider than `widest` units, in the middle of `rect`."""
    gap = canvas.px(GAP)
    wide = min(canvas.px(widest), (rect.w - gap * (count - 1)) // count)
    left = rect.centerx - (count * wide + gap * (count - 1)) // 2
    return [Rect(left + i * (wide + gap), rect.top, wide, rect.h) for i in range(count)]


def _lay_out_decks(canvas: Canvas, rect: Rect, names: Sequence[str]) -> list[Rect]:
    """A slot for each deck, in two rows where its name would not fit below it otherwise."""
    slots = _split_columns(canvas, rect, len(names), 30)
    widest = max(canvas.fonts.measure_width(name, FontWeight.BOLD, canvas.px_at_least(MIN_EM)) for name in names)
    if widest <= slots[0].w - canvas.px(2):
        return slots
    gap = canvas.px(GAP)
    tall, half = (rect.h - gap) // 2, -(-len(names) // 2)
    upper = _split_columns(canvas, Rect(rect.left, rect.top, rect.w, tall), half, 30)
    lower = _split_columns(canvas, Rect(rect.left, rect.bottom - tall, rect.w, tall), half, 30)
    return [*upper, *lower][: len(names)]


def _draw_badges(canvas: Canvas, rect: Rect, people: Sequence[Player]) -> None:
    step = min(canvas.px(9.4), rect.w // max(1, len(people)))
    size = min(step - canvas.px(1), rect.h - canvas.px(0.6))
    for i, player in enumerate(people):
        draw_badge(canvas, (rect.left + i * step + step // 2, rect.centery), size, player)


def _draw_difficulty(canvas: Canvas, rect: Rect, view: PictomaniaView, people: Sequence[Player]) -> None:
    """P10: the decks, easy to hard, the chosen one raised; below them this round's bonus tokens, and who is away."""
    above, below = _split_strip(canvas, rect)
    if view.away:
        wide = min(canvas.px(16 + 8 * len(view.away)), below.w // 2)
        gone = Rect(below.right - wide, below.top, wide, below.h)
        below = Rect(below.left, below.top, below.w - wide - canvas.px(GAP), below.h)
        _draw_badges(canvas, draw_strip(canvas, gone, _("Away")), [people[q] for q in view.away])
    slots = _lay_out_decks(canvas, above, [_(colour) for colour in view.available_colours])
    large = canvas.find_common_size(
        [_(colour) for colour in view.available_colours],
        HEADING_EM,
        (slots[0].w - canvas.px(2), canvas.px(9)),
        FontWeight.BOLD,
    )
    for i, (colour, slot) in enumerate(zip(view.available_colours, slots, strict=True)):
        chosen = colour == view.colour
        card = slot if chosen else slot.inflate(0, -slot.h // 4 if slot.h == above.h else -canvas.px(1.6))
        canvas.draw_panel(card, RAISED if chosen else PANEL, edge=INK if chosen else None, radius=2.0)
        inner = card.inflate(-canvas.px(3), -canvas.px(3))
        foot = min(canvas.px(14), inner.h * 70 // 100)
        band = Rect(inner.left, inner.top, inner.w, inner.h - foot)
        canvas.draw_panel(band, PIECE_RGB[colour], radius=1.2)
        if chosen:
            canvas.draw_icon("ok", band.center, min(band.w, band.h) * 3 // 5, text_colour_for(PIECE_RGB[colour]))
        name = Rect(card.left + canvas.px(1), band.bottom + foot // 10, card.w - canvas.px(2), foot * 8 // 14)
        canvas.draw_text(name, _(colour), large, INK if chosen else MUTED, weight=FontWeight.BOLD, align=0.5)
        dots = Rect(name.left, card.bottom - foot * 5 // 14, name.w, foot * 4 // 14)
        draw_level(canvas, dots, i + 1, len(view.available_colours), MUTED, align=0.5)
    draw_tokens(canvas, draw_strip(canvas, below, _("Bonus tokens")), view.bonus_tokens)


def _draw_word_cards(canvas: Canvas, above: Rect, below: Rect, view: PictomaniaView) -> None:
    """P13: the word cards on the racks, which the box cannot read."""
    for slot in _split_columns(canvas, above, view.word_card_count, 26):
        draw_word_card(canvas, slot, view.colour)
    words = _.plural("One word card: {colour}", "{n} word cards: {colour}", view.word_card_count, colour=_(view.colour))
    rest = draw_strip(canvas, below, words, BODY_EM)
    if len(view.available_colours) > 1:
        draw_level(canvas, rest, view.available_colours.index(view.colour) + 1, len(view.available_colours), INK)


def _list_takers(view: PictomaniaView) -> list[tuple[int, Seat | None]]:
    """The bonus tokens, highest first, and who took each."""
    waiting = [Seat(q) for q, stars in enumerate(view.bonus_stars) if stars]
    found: list[tuple[int, Seat | None]] = []
    for stars in view.bonus_tokens:
        taker = next((q for q in waiting if view.bonus_stars[q] == stars), None)
        if taker is not None:
            waiting.remove(taker)
        found.append((stars, taker))
    return found


def _draw_bonus(canvas: Canvas, rect: Rect, view: PictomaniaView, people: Sequence[Player]) -> None:
    """P24: the bonus tokens in the middle, and who took which."""
    takers = _list_takers(view)
    best = next((i for i, (_, taker) in enumerate(takers) if taker is None), None)
    if _is_narrow(canvas, rect):
        _draw_bonus_rows(canvas, rect, takers, people, best)
        return
    for i, ((stars, taker), slot) in enumerate(
        zip(takers, _split_columns(canvas, rect, len(takers), MAX_TOKEN_WIDTH), strict=True)
    ):
        canvas.draw_panel(slot, RAISED if i == best else PANEL, edge=INK if i == best else None, radius=2.0)
        size = min(slot.w - canvas.px(3), slot.h * 55 // 100)
        top = slot.top + slot.h * 36 // 100
        foot = (slot.centerx, slot.top + slot.h * 82 // 100)
        draw_token(canvas, (slot.centerx, top), size, stars, is_taken=taker is not None)
        if taker is not None:
            draw_badge(canvas, foot, min(size * 2 // 3, slot.h * 26 // 100), people[taker])
        elif i == best:
            line = Rect(slot.left + canvas.px(1), foot[1] - canvas.px(4), slot.w - canvas.px(2), canvas.px(8))
            canvas.draw_text(line, _("Next"), HEADING_EM, INK, weight=FontWeight.BOLD, align=0.5)


def _draw_bonus_rows(
    canvas: Canvas, rect: Rect, takers: Sequence[tuple[int, Seat | None]], people: Sequence[Player], best: int | None
) -> None:
    """The bonus tokens one under the other, each with who took it; the one that is taken next is marked."""
    for i, ((stars, taker), row) in enumerate(
        zip(takers, split_rows(rect, len(takers), canvas.px(0.7), canvas.px(MAX_LINE_HEIGHT)), strict=True)
    ):
        canvas.draw_panel(row, RAISED if i == best else PANEL, edge=INK if i == best else None)
        size = row.h - canvas.px(1)
        draw_token(
            canvas,
            (row.left + row.w * 28 // 100, row.centery),
            size,
            stars,
            is_taken=taker is not None and best is not None,
        )
        at = (row.left + row.w * 70 // 100, row.centery)
        if taker is not None:
            draw_badge(canvas, at, size * 9 // 10, people[taker])
        elif i == best:
            word = Rect(row.centerx, row.top, row.right - row.centerx - canvas.px(1), row.h)
            canvas.draw_text(word, _("Next"), BODY_EM, INK, weight=FontWeight.BOLD, align=0.5)
        else:
            canvas.draw_icon("minus", at, size // 2, LINE)


def _draw_stop(canvas: Canvas, rect: Rect, view: PictomaniaView, people: Sequence[Player]) -> None:
    """P25: loud."""
    height = rect.h * (38 if _is_narrow(canvas, rect) else 62) // 100
    loud = Rect(rect.left, rect.top, rect.w, height)
    canvas.draw_panel(loud, PIECE_RGB["gold"], edge=INK, radius=3.0)
    size = min(STOP_EM, loud.h / canvas.unit_px * 0.85)
    canvas.draw_text(
        loud.inflate(-canvas.px(4), 0),
        _("STOP"),
        size,
        text_colour_for(PIECE_RGB["gold"]),
        weight=FontWeight.BOLD,
        align=0.5,
    )
    top = loud.bottom + canvas.px(GAP)
    takers = _list_takers(view)
    if _is_narrow(canvas, rect):
        _draw_bonus_rows(canvas, Rect(rect.left, top, rect.w, rect.bottom - top), takers, people, None)
        return
    for (stars, taker), slot in zip(
        takers, _split_columns(canvas, Rect(rect.left, top, rect.w, rect.bottom - top), len(takers), 30), strict=True
    ):
        canvas.draw_panel(slot, PANEL)
        size = min(slot.h - canvas.px(3), slot.w * 42 // 100)
        left, right = (slot.left + slot.w * 27 // 100, slot.centery), (slot.left + slot.w * 74 // 100, slot.centery)
        draw_token(canvas, left, size, stars)
        if taker is None:
            canvas.draw_icon("minus", right, size // 2, LINE)
        else:
            draw_badge(canvas, right, size * 9 // 10, people[taker])


def _draw_scoring(canvas: Canvas, rect: Rect, view: PictomaniaView, people: Sequence[Player]) -> None:
    """P32: the owner's pile as a row of cards with what each earned; below, the tokens left and the piles to come."""
    narrow = _is_narrow(canvas, rect)
    above, below = _split_strip(canvas, rect)
    if narrow:
        rest, below = _split_strip(canvas, rect, NARROW_STRIP_HEIGHT)
        above, left = _split_strip(canvas, rest, NARROW_STRIP_HEIGHT)
    if view.pile_owner in view.drew_wrong_clue:
        canvas.draw_panel(above, PANEL, edge=WARN, radius=2.4)
        size = 0 if narrow else canvas.px(16)
        if size:
            canvas.draw_icon("no", (above.left + canvas.px(4) + size // 2, above.centery), size, WARN)
        from_left = above.left + size + canvas.px(8 if size else 3)
        words = Rect(
            from_left, above.top + canvas.px(2), above.right - canvas.px(3) - from_left, above.h - canvas.px(4)
        )
        canvas.draw_text(
            words, _("Another clue was drawn: no card counts, no token is given"), TITLE_EM, INK, max_lines=6
        )
    else:
        count = len(view.round_seats) - 1
        slots = _split_columns(canvas, above, count, MAX_CARD_WIDTH)
        if narrow:
            slots = split_rows(above, count, canvas.px(0.7), canvas.px(MAX_LINE_HEIGHT))
        for i, slot in enumerate(slots):
            card = view.pile[i] if i < len(view.pile) else None
            draw_pile_card(canvas, slot, card, people[card.guesser] if card else None)
    gap = canvas.px(GAP)
    if narrow:
        draw_tokens(canvas, draw_strip(canvas, left, _("Left")), view.owner_tokens_left)
        _draw_piles(canvas, below, view, people)
        return
    half = (below.w - gap) * 47 // 100
    draw_tokens(
        canvas, draw_strip(canvas, Rect(below.left, below.top, half, below.h), _("Left")), view.owner_tokens_left
    )
    _draw_piles(canvas, Rect(below.left + half + gap, below.top, below.w - half - gap, below.h), view, people)


def _draw_piles(canvas: Canvas, rect: Rect, view: PictomaniaView, people: Sequence[Player]) -> None:
    """The piles in order: scored ones have a tick, the open one is raised."""
    room = draw_strip(canvas, rect, _("Piles"))
    step = min(canvas.px(8.6), room.w // len(view.round_seats))
    now = view.round_seats.index(view.pile_owner) if view.pile_owner in view.round_seats else len(view.round_seats)
    size = min(step - canvas.px(1.4), room.h)
    for i, q in enumerate(view.round_seats):
        at = (room.left + i * step + step // 2, room.centery)
        if i == now:
            canvas.draw_panel(Rect(at[0] - step // 2, rect.top, step, rect.h), LINE, radius=1.0)
        if i < now:
            canvas.draw_icon("ok", at, max(1, size * 4 // 5), GOOD)
        else:
            draw_badge(canvas, at, size, people[q])
