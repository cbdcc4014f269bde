"""Pictomania's scene: its centre for every phase of a round."""

from __future__ import annotations

from collections.abc import Sequence

from pygame import Rect

from companion.display.scenes.base import GameScene
from companion.display.scenes.pictomania.parts import (
    badge,
    big_clock,
    countdown,
    level,
    live,
    pile_card,
    strip,
    token,
    tokens_in,
    word_card,
)
from companion.display.scenes.pictomania.score_page import table
from companion.display.toolkit.canvas import Canvas
from companion.display.toolkit.layout import grid, rows
from companion.display.toolkit.text import Weight
from companion.display.toolkit.theme import (
    BODY,
    FLOOR,
    GOOD,
    HEAD,
    INK,
    LINE,
    MUTED,
    PANEL,
    PIECES,
    RAISED,
    TITLE,
    WARN,
    on,
)
from companion.display.widgets.clocks import clock_shows
from companion.display.widgets.dialog import dialog
from companion.display.widgets.header import header, status, track
from companion.display.widgets.players import players
from companion.display.widgets.soft_keys import keys
from companion.games.api.game import Seat
from companion.games.pictomania.view import Phase, PictomaniaView
from companion.i18n import Words
from companion.screen_state import Player, RunningClock, Shown

_ = Words("pictomania")

STRIP, STRIP_WITH_CLOCK = 11.0, 20.0
CLOCK = 44.0
"""Width of a running clock in the strip."""
GAP = 1.6
WIDEST_CARD = 30.0
WIDEST_TOKEN = 32.0
STOP = 27.0
OF_PICTURE = 58
"""Hundredths of the width for the camera's picture."""
NARROW = 60.0
"""Width below which things stand one under the other."""
STRIP_ALONE, CLOCK_ALONE, TALLEST_LINE = 8.6, 15.0, 12.0
"""Heights, where things stand one under the other."""


class PictomaniaScene(GameScene[PictomaniaView]):
    """Players at the left; the rest is the middle of the table: tokens, a pile, or the round's page."""

    POINTS = ("star", PIECES["gold"])

    def draw(self, canvas: Canvas, shown: Shown) -> None:
        """Draws `shown`, whose view is a `PictomaniaView`."""
        view = shown.view
        assert isinstance(view, PictomaniaView), "Pictomania's scene draws its own game"
        places = grid(canvas)
        active = view.owner if view.owner is not None else view.black_sheep
        header(canvas, places, shown, active, view.rounds)
        track(canvas, places, view.marker, view.rounds)
        # The round's page says itself what the round gave and took.
        players(canvas, places, shown, active, () if view.phase is Phase.ROUND else view.changes)
        rect = places.centre
        clock = shown.clocks[0] if shown.clocks else None
        if not dialog(canvas, rect, shown, "main"):
            if shown.live:
                picture, rect = _beside(canvas, rect)
                live(canvas, picture, shown.eyes, shown.enlarges)
            shows = (view, shown.players, clock_shows(clock) if clock else None)
            canvas.part("main", rect, shows, lambda: _main(canvas, rect, view, shown.players, clock))
        status(canvas, places, shown)
        keys(canvas, places, shown)

    def round(self, view: PictomaniaView) -> int:
        return view.marker

    def at_once(self, view: PictomaniaView) -> bool:
        return view.phase is Phase.DRAWING


def _main(
    canvas: Canvas, rect: Rect, view: PictomaniaView, people: Sequence[Player], clock: RunningClock | None
) -> None:
    if view.phase is Phase.START:
        countdown(canvas, rect, clock)
        return
    match view.phase:
        case Phase.DIFFICULTY:
            _difficulty(canvas, rect, view, people)
        case Phase.READING:
            _reading(canvas, *_with_clock(canvas, rect, clock), view)
        case Phase.DRAWING:
            above, below = _with_clock(canvas, rect, clock)
            _bonus(canvas, above, view, people)
            # Where there is no room for the words, the keys say who may still take a token.
            words = "" if _narrow(canvas, rect) else _("Still drawing")
            _signs(canvas, strip(canvas, below, words), [people[q] for q in view.drawing])
        case Phase.STOP:
            _stop(canvas, rect, view, people)
        case Phase.SCORING:
            _scoring(canvas, rect, view, people)
        case Phase.ROUND:
            table(canvas, rect, view, people)


def _beside(canvas: Canvas, rect: Rect) -> tuple[Rect, Rect]:
    """Where the camera's picture stands, and what is left for the game beside it."""
    gap = canvas.px(GAP)
    wide = rect.w * OF_PICTURE // 100
    return Rect(rect.left, rect.top, wide, rect.h), Rect(rect.left + wide + gap, rect.top, rect.w - wide - gap, rect.h)


def _narrow(canvas: Canvas, rect: Rect) -> bool:
    """Whether things stand one under the other: the camera's picture has most of the room."""
    return rect.w < canvas.px(NARROW)


def _with_strip(canvas: Canvas, rect: Rect, height: float = STRIP) -> tuple[Rect, Rect]:
    """What is above a strip at the foot, and the strip."""
    below = Rect(rect.left, rect.bottom - canvas.px(height), rect.w, canvas.px(height))
    return Rect(rect.left, rect.top, rect.w, below.top - canvas.px(GAP) - rect.top), below


def _with_clock(canvas: Canvas, rect: Rect, clock: RunningClock | None) -> tuple[Rect, Rect]:
    """The same, with a house timer at the strip's right end if one runs."""
    if clock is None:
        return _with_strip(canvas, rect)
    if _narrow(canvas, rect):
        rest, foot = _with_strip(canvas, rect, CLOCK_ALONE)
        big_clock(canvas, foot, clock)
        return _with_strip(canvas, rest, STRIP_ALONE)
    above, below = _with_strip(canvas, rect, STRIP_WITH_CLOCK)
    wide = min(canvas.px(CLOCK), below.w // 2)
    big_clock(canvas, Rect(below.right - wide, below.top, wide, below.h), clock)
    return above, Rect(below.left, below.top, below.w - wide - canvas.px(GAP), below.h)


def _side_by_side(canvas: Canvas, rect: Rect, count: int, widest: float) -> list[Rect]:
    """Equal slots, none wider than `widest` units, in the middle of `rect`."""
    gap = canvas.px(GAP)
    wide = min(canvas.px(widest), (rect.w - gap * (count - 1)) // count)
    left = rect.centerx - (count * wide + gap * (count - 1)) // 2
    return [Rect(left + i * (wide + gap), rect.top, wide, rect.h) for i in range(count)]


def _decks(canvas: Canvas, rect: Rect, names: Sequence[str]) -> list[Rect]:
    """A slot for each deck, in two rows where its name would not fit below it otherwise."""
    slots = _side_by_side(canvas, rect, len(names), 30)
    widest = max(canvas.type.width(name, Weight.BOLD, canvas.floor(FLOOR)) for name in names)
    if widest <= slots[0].w - canvas.px(2):
        return slots
    gap = canvas.px(GAP)
    tall, half = (rect.h - gap) // 2, -(-len(names) // 2)
    upper = _side_by_side(canvas, Rect(rect.left, rect.top, rect.w, tall), half, 30)
    lower = _side_by_side(canvas, Rect(rect.left, rect.bottom - tall, rect.w, tall), half, 30)
    return [*upper, *lower][: len(names)]


def _signs(canvas: Canvas, rect: Rect, people: Sequence[Player]) -> None:
    step = min(canvas.px(9.4), rect.w // max(1, len(people)))
    size = min(step - canvas.px(1), rect.h - canvas.px(0.6))
    for i, player in enumerate(people):
        badge(canvas, (rect.left + i * step + step // 2, rect.centery), size, player)


def _difficulty(canvas: Canvas, rect: Rect, view: PictomaniaView, people: Sequence[Player]) -> None:
    """P10: the decks, easy to hard, the chosen one raised; below them this round's bonus tokens, and who is away."""
    above, below = _with_strip(canvas, rect)
    if view.away:
        wide = min(canvas.px(16 + 8 * len(view.away)), below.w // 2)
        gone = Rect(below.right - wide, below.top, wide, below.h)
        below = Rect(below.left, below.top, below.w - wide - canvas.px(GAP), below.h)
        _signs(canvas, strip(canvas, gone, _("Away")), [people[q] for q in view.away])
    slots = _decks(canvas, above, [_(colour) for colour in view.colours])
    large = canvas.common(
        [_(colour) for colour in view.colours], HEAD, (slots[0].w - canvas.px(2), canvas.px(9)), Weight.BOLD
    )
    for i, (colour, slot) in enumerate(zip(view.colours, slots, strict=True)):
        chosen = colour == view.colour
        card = slot if chosen else slot.inflate(0, -slot.h // 4 if slot.h == above.h else -canvas.px(1.6))
        canvas.panel(card, RAISED if chosen else PANEL, edge=INK if chosen else None, radius=2.0)
        inner = card.inflate(-canvas.px(3), -canvas.px(3))
        foot = min(canvas.px(14), inner.h * 70 // 100)
        band = Rect(inner.left, inner.top, inner.w, inner.h - foot)
        canvas.panel(band, PIECES[colour], radius=1.2)
        if chosen:
            canvas.sign("ok", band.center, min(band.w, band.h) * 3 // 5, on(PIECES[colour]))
        name = Rect(card.left + canvas.px(1), band.bottom + foot // 10, card.w - canvas.px(2), foot * 8 // 14)
        canvas.text(name, _(colour), large, INK if chosen else MUTED, weight=Weight.BOLD, align=0.5)
        dots = Rect(name.left, card.bottom - foot * 5 // 14, name.w, foot * 4 // 14)
        level(canvas, dots, i + 1, len(view.colours), MUTED, align=0.5)
    tokens_in(canvas, strip(canvas, below, _("Bonus tokens")), view.bonus_tokens)


def _reading(canvas: Canvas, above: Rect, below: Rect, view: PictomaniaView) -> None:
    """P13: the word cards on the racks, which the box cannot read."""
    for slot in _side_by_side(canvas, above, view.word_cards, 26):
        word_card(canvas, slot, view.colour)
    words = _.plural("One word card: {colour}", "{n} word cards: {colour}", view.word_cards, colour=_(view.colour))
    rest = strip(canvas, below, words, BODY)
    if len(view.colours) > 1:
        level(canvas, rest, view.colours.index(view.colour) + 1, len(view.colours), INK)


def _takers(view: PictomaniaView) -> list[tuple[int, Seat | None]]:
    """The bonus tokens, highest first, and who took each."""
    waiting = [Seat(q) for q, stars in enumerate(view.bonus) if stars]
    found: list[tuple[int, Seat | None]] = []
    for stars in view.bonus_tokens:
        taker = next((q for q in waiting if view.bonus[q] == stars), None)
        if taker is not None:
            waiting.remove(taker)
        found.append((stars, taker))
    return found


def _bonus(canvas: Canvas, rect: Rect, view: PictomaniaView, people: Sequence[Player]) -> None:
    """P24: the bonus tokens in the middle, and who took which."""
    takers = _takers(view)
    best = next((i for i, (_, taker) in enumerate(takers) if taker is None), None)
    if _narrow(canvas, rect):
        _in_lines(canvas, rect, takers, people, best)
        return
    for i, ((stars, taker), slot) in enumerate(
        zip(takers, _side_by_side(canvas, rect, len(takers), WIDEST_TOKEN), strict=True)
    ):
        canvas.panel(slot, RAISED if i == best else PANEL, edge=INK if i == best else None, radius=2.0)
        size = min(slot.w - canvas.px(3), slot.h * 55 // 100)
        top = slot.top + slot.h * 36 // 100
        foot = (slot.centerx, slot.top + slot.h * 82 // 100)
        token(canvas, (slot.centerx, top), size, stars, gone=taker is not None)
        if taker is not None:
            badge(canvas, foot, min(size * 2 // 3, slot.h * 26 // 100), people[taker])
        elif i == best:
            line = Rect(slot.left + canvas.px(1), foot[1] - canvas.px(4), slot.w - canvas.px(2), canvas.px(8))
            canvas.text(line, _("Next"), HEAD, INK, weight=Weight.BOLD, align=0.5)


def _in_lines(
    canvas: Canvas, rect: Rect, takers: Sequence[tuple[int, Seat | None]], people: Sequence[Player], best: int | None
) -> None:
    """The bonus tokens one under the other, each with who took it; the one that is taken next is marked."""
    for i, ((stars, taker), row) in enumerate(
        zip(takers, rows(rect, len(takers), canvas.px(0.7), canvas.px(TALLEST_LINE)), strict=True)
    ):
        canvas.panel(row, RAISED if i == best else PANEL, edge=INK if i == best else None)
        size = row.h - canvas.px(1)
        token(
            canvas,
            (row.left + row.w * 28 // 100, row.centery),
            size,
            stars,
            gone=taker is not None and best is not None,
        )
        at = (row.left + row.w * 70 // 100, row.centery)
        if taker is not None:
            badge(canvas, at, size * 9 // 10, people[taker])
        elif i == best:
            word = Rect(row.centerx, row.top, row.right - row.centerx - canvas.px(1), row.h)
            canvas.text(word, _("Next"), BODY, INK, weight=Weight.BOLD, align=0.5)
        else:
            canvas.sign("minus", at, size // 2, LINE)


def _stop(canvas: Canvas, rect: Rect, view: PictomaniaView, people: Sequence[Player]) -> None:
    """P25: loud."""
    height = rect.h * (38 if _narrow(canvas, rect) else 62) // 100
    loud = Rect(rect.left, rect.top, rect.w, height)
    canvas.panel(loud, PIECES["gold"], edge=INK, radius=3.0)
    size = min(STOP, loud.h / canvas.unit * 0.85)
    canvas.text(loud.inflate(-canvas.px(4), 0), _("STOP"), size, on(PIECES["gold"]), weight=Weight.BOLD, align=0.5)
    top = loud.bottom + canvas.px(GAP)
    takers = _takers(view)
    if _narrow(canvas, rect):
        _in_lines(canvas, Rect(rect.left, top, rect.w, rect.bottom - top), takers, people, None)
        return
    for (stars, taker), slot in zip(
        takers, _side_by_side(canvas, Rect(rect.left, top, rect.w, rect.bottom - top), len(takers), 30), strict=True
    ):
        canvas.panel(slot, PANEL)
        size = min(slot.h - canvas.px(3), slot.w * 42 // 100)
        left, right = (slot.left + slot.w * 27 // 100, slot.centery), (slot.left + slot.w * 74 // 100, slot.centery)
        token(canvas, left, size, stars)
        if taker is None:
            canvas.sign("minus", right, size // 2, LINE)
        else:
            badge(canvas, right, size * 9 // 10, people[taker])


def _scoring(canvas: Canvas, rect: Rect, view: PictomaniaView, people: Sequence[Player]) -> None:
    """P32: the owner's pile as a row of cards with what each earned; below, the tokens left and the piles to come."""
    narrow = _narrow(canvas, rect)
    above, below = _with_strip(canvas, rect)
    if narrow:
        rest, below = _with_strip(canvas, rect, STRIP_ALONE)
        above, left = _with_strip(canvas, rest, STRIP_ALONE)
    if view.owner in view.misdrawn:
        canvas.panel(above, PANEL, edge=WARN, radius=2.4)
        size = 0 if narrow else canvas.px(16)
        if size:
            canvas.sign("no", (above.left + canvas.px(4) + size // 2, above.centery), size, WARN)
        from_left = above.left + size + canvas.px(8 if size else 3)
        words = Rect(
            from_left, above.top + canvas.px(2), above.right - canvas.px(3) - from_left, above.h - canvas.px(4)
        )
        canvas.text(words, _("Another clue was drawn: no card counts, no token is given"), TITLE, INK, lines=6)
    else:
        count = len(view.seats) - 1
        slots = _side_by_side(canvas, above, count, WIDEST_CARD)
        if narrow:
            slots = rows(above, count, canvas.px(0.7), canvas.px(TALLEST_LINE))
        for i, slot in enumerate(slots):
            card = view.pile[i] if i < len(view.pile) else None
            pile_card(canvas, slot, card, people[card.guesser] if card else None)
    gap = canvas.px(GAP)
    if narrow:
        tokens_in(canvas, strip(canvas, left, _("Left")), view.tokens)
        _piles(canvas, below, view, people)
        return
    half = (below.w - gap) * 47 // 100
    tokens_in(canvas, strip(canvas, Rect(below.left, below.top, half, below.h), _("Left")), view.tokens)
    _piles(canvas, Rect(below.left + half + gap, below.top, below.w - half - gap, below.h), view, people)


def _piles(canvas: Canvas, rect: Rect, view: PictomaniaView, people: Sequence[Player]) -> None:
    """The piles in order: scored ones have a tick, the open one is raised."""
    room = strip(canvas, rect, _("Piles"))
    step = min(canvas.px(8.6), room.w // len(view.seats))
    now = view.seats.index(view.owner) if view.owner in view.seats else len(view.seats)
    size = min(step - canvas.px(1.4), room.h)
    for i, q in enumerate(view.seats):
        at = (room.left + i * step + step // 2, room.centery)
        if i == now:
            canvas.panel(Rect(at[0] - step // 2, rect.top, step, rect.h), LINE, radius=1.0)
        if i < now:
            canvas.sign("ok", at, max(1, size * 4 // 5), GOOD)
        else:
            badge(canvas, at, size, people[q])
