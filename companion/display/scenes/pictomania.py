"""Pictomania's scene: its centre for every phase of a round."""

from __future__ import annotations

from collections.abc import Sequence

from pygame import Rect

from companion.display.canvas import Canvas
from companion.display.clocks import clock_shows
from companion.display.dialog import dialog
from companion.display.grid import grid
from companion.display.header import header, status, track
from companion.display.keys import keys
from companion.display.players import players
from companion.display.scenes.pictomania_page import table
from companion.display.scenes.pictomania_parts import (
    badge,
    big_clock,
    countdown,
    level,
    pile_card,
    strip,
    token,
    tokens_in,
    word_card,
)
from companion.display.text import Weight
from companion.display.theme import BACKGROUND, BODY, GOOD, HEAD, INK, LINE, MUTED, PANEL, PIECES, RAISED, TITLE, WARN
from companion.games.game import Seat
from companion.games.pictomania.view import Phase, PictomaniaView
from companion.shown import Player, RunningClock, Shown

CLOCK = 38.0
"""Width of a running clock."""
STRIP = 11.0
GAP = 1.6
WIDEST_CARD = 24.0
WIDEST_TOKEN = 21.0
STOP = 30.0


class PictomaniaScene:
    """Players at the left; the rest is the middle of the table: tokens, a pile, or the round's page."""

    def draw(self, canvas: Canvas, shown: Shown) -> None:
        """Draws `shown`, whose view is a `PictomaniaView`."""
        view = shown.view
        assert isinstance(view, PictomaniaView), "Pictomania's scene draws its own game"
        places = grid(canvas)
        active = view.owner if view.owner is not None else view.black_sheep
        header(canvas, places, shown, active, view.rounds)
        track(canvas, places, view.marker, view.rounds)
        players(canvas, places, shown, active, view.changes)
        rect = places.centre
        clock = shown.clocks[0] if shown.clocks else None
        if not dialog(canvas, rect, shown, "main"):
            shows = (view, shown.players, clock_shows(clock) if clock else None)
            canvas.part("main", rect, shows, lambda: _main(canvas, rect, view, shown.players, clock))
        status(canvas, places, shown)
        keys(canvas, places, shown)


def _main(
    canvas: Canvas, rect: Rect, view: PictomaniaView, people: Sequence[Player], clock: RunningClock | None
) -> None:
    if view.phase is Phase.START:
        countdown(canvas, rect, clock)
        return
    if clock is not None:
        wide = min(canvas.px(CLOCK), rect.w * 2 // 5)
        big_clock(canvas, Rect(rect.right - wide, rect.top, wide, rect.h), clock)
        rect = Rect(rect.left, rect.top, rect.w - wide - canvas.px(GAP), rect.h)
    match view.phase:
        case Phase.DIFFICULTY:
            _difficulty(canvas, rect, view)
        case Phase.READING:
            _reading(canvas, rect, view)
        case Phase.DRAWING:
            above, below = _with_strip(canvas, rect)
            _bonus(canvas, above, view, people)
            _signs(canvas, strip(canvas, below, "Still drawing"), [people[q] for q in view.drawing])
        case Phase.STOP:
            _stop(canvas, rect, view, people)
        case Phase.SCORING:
            _scoring(canvas, rect, view, people)
        case Phase.ROUND:
            table(canvas, rect, view, people)


def _with_strip(canvas: Canvas, rect: Rect) -> tuple[Rect, Rect]:
    """What is above a strip at the foot, and the strip."""
    below = Rect(rect.left, rect.bottom - canvas.px(STRIP), rect.w, canvas.px(STRIP))
    return Rect(rect.left, rect.top, rect.w, below.top - canvas.px(GAP) - rect.top), below


def _side_by_side(canvas: Canvas, rect: Rect, count: int, widest: float) -> list[Rect]:
    """Equal slots, none wider than `widest` units, in the middle of `rect`."""
    gap = canvas.px(GAP)
    wide = min(canvas.px(widest), (rect.w - gap * (count - 1)) // count)
    left = rect.centerx - (count * wide + gap * (count - 1)) // 2
    return [Rect(left + i * (wide + gap), rect.top, wide, rect.h) for i in range(count)]


def _signs(canvas: Canvas, rect: Rect, people: Sequence[Player]) -> None:
    step = min(canvas.px(9.4), rect.w // max(1, len(people)))
    size = min(step - canvas.px(1), rect.h - canvas.px(0.6))
    for i, player in enumerate(people):
        badge(canvas, (rect.left + i * step + step // 2, rect.centery), size, player)


def _difficulty(canvas: Canvas, rect: Rect, view: PictomaniaView) -> None:
    """P10: the decks, easy to hard, the chosen one raised; below them this round's bonus tokens."""
    above, below = _with_strip(canvas, rect)
    slots = _side_by_side(canvas, above, len(view.colours), 30)
    large = canvas.common(view.colours, HEAD, (slots[0].w - canvas.px(2), canvas.px(9)), Weight.BOLD)
    for i, (colour, slot) in enumerate(zip(view.colours, slots, strict=True)):
        chosen = colour == view.colour
        card = slot if chosen else slot.inflate(0, -slot.h // 4)
        canvas.panel(card, RAISED if chosen else PANEL, edge=INK if chosen else None, radius=2.0)
        inner = card.inflate(-canvas.px(3), -canvas.px(3))
        foot = canvas.px(14)
        band = Rect(inner.left, inner.top, inner.w, inner.h - foot)
        canvas.panel(band, PIECES[colour], radius=1.2)
        if chosen:
            canvas.sign("ok", band.center, min(band.w, band.h) * 3 // 5, BACKGROUND)
        name = Rect(card.left + canvas.px(1), band.bottom + canvas.px(1), card.w - canvas.px(2), canvas.px(8))
        canvas.text(name, colour, large, INK if chosen else MUTED, weight=Weight.BOLD, align=0.5)
        level(canvas, (card.centerx, card.bottom - canvas.px(3.2)), i + 1, len(view.colours), MUTED)
    tokens_in(canvas, strip(canvas, below, "Bonus tokens"), view.bonus_tokens)


def _reading(canvas: Canvas, rect: Rect, view: PictomaniaView) -> None:
    """P13: the word cards on the racks, which the box cannot read."""
    above, below = _with_strip(canvas, rect)
    for slot in _side_by_side(canvas, above, view.word_cards, 26):
        word_card(canvas, slot, view.colour)
    count = "One word card for all" if view.word_cards == 1 else f"{view.word_cards} word cards"
    rest = strip(canvas, below, f"{count}: {view.colour}", BODY)
    if len(view.colours) > 1:
        number = view.colours.index(view.colour) + 1
        level(canvas, (rest.left + canvas.px(8), rest.centery), number, len(view.colours), INK)


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
    slots = _side_by_side(canvas, rect, len(takers), WIDEST_TOKEN)
    names = [people[taker].name for _, taker in takers if taker is not None]
    foot = canvas.px(7)
    room = slots[0].w - canvas.px(1.6)
    large = canvas.common(names, BODY, (room, foot))
    for i, ((stars, taker), slot) in enumerate(zip(takers, slots, strict=True)):
        canvas.panel(slot, RAISED if i == best else PANEL, edge=PIECES["gold"] if i == best else None, radius=2.0)
        size = min(slot.w - canvas.px(3), slot.h - foot - canvas.px(3))
        centre = (slot.centerx, slot.top + (slot.h - foot) // 2)
        line = Rect(slot.centerx - room // 2, slot.bottom - foot - canvas.px(1), room, foot)
        if taker is None:
            token(canvas, centre, size, stars)
            if i == best:
                canvas.text(line, "Next", BODY, INK, weight=Weight.BOLD, align=0.5)
            continue
        token(canvas, centre, size, stars, gone=True)
        badge(canvas, centre, size * 3 // 5, people[taker])
        canvas.text(line, people[taker].name, large, INK, align=0.5)


def _stop(canvas: Canvas, rect: Rect, view: PictomaniaView, people: Sequence[Player]) -> None:
    """P25: loud."""
    height = rect.h * 62 // 100
    loud = Rect(rect.left, rect.top, rect.w, height)
    canvas.panel(loud, WARN, radius=3.0)
    canvas.text(loud.inflate(-canvas.px(4), 0), "STOP", STOP, BACKGROUND, weight=Weight.BOLD, align=0.5)
    top = loud.bottom + canvas.px(GAP)
    takers = _takers(view)
    for (stars, taker), slot in zip(
        takers, _side_by_side(canvas, Rect(rect.left, top, rect.w, rect.bottom - top), len(takers), 30), strict=True
    ):
        canvas.panel(slot, PANEL)
        size = min(slot.h - canvas.px(3), slot.w // 2 - canvas.px(2))
        left, right = (slot.left + slot.w * 3 // 10, slot.centery), (slot.left + slot.w * 7 // 10, slot.centery)
        token(canvas, left, size, stars)
        if taker is None:
            canvas.sign("minus", right, size // 2, LINE)
        else:
            badge(canvas, right, size, people[taker])


def _scoring(canvas: Canvas, rect: Rect, view: PictomaniaView, people: Sequence[Player]) -> None:
    """P32: the owner's pile as a row of cards with what each earned; below, the tokens left and the piles to come."""
    above, below = _with_strip(canvas, rect)
    if view.owner in view.misdrawn:
        canvas.panel(above, PANEL, edge=WARN, radius=2.4)
        size = canvas.px(16)
        canvas.sign("no", (above.left + canvas.px(4) + size // 2, above.centery), size, WARN)
        left = above.left + canvas.px(8) + size
        words = Rect(left, above.top + canvas.px(3), above.right - canvas.px(3) - left, above.h - canvas.px(6))
        canvas.text(words, "Another clue was drawn: no card counts, no token is given", TITLE, INK, lines=4)
    else:
        slots = _side_by_side(canvas, above, len(view.seats) - 1, WIDEST_CARD)
        for i, slot in enumerate(slots):
            card = view.pile[i] if i < len(view.pile) else None
            pile_card(canvas, slot, card, people[card.guesser] if card else None)
    gap = canvas.px(GAP)
    half = (below.w - gap) * 47 // 100
    tokens_in(canvas, strip(canvas, Rect(below.left, below.top, half, below.h), "Left"), view.tokens)
    _piles(canvas, Rect(below.left + half + gap, below.top, below.w - half - gap, below.h), view, people)


def _piles(canvas: Canvas, rect: Rect, view: PictomaniaView, people: Sequence[Player]) -> None:
    """The piles in order: scored ones have a tick, the open one is raised."""
    room = strip(canvas, rect, "Piles")
    step = min(canvas.px(8.6), room.w // len(view.seats))
    now = view.seats.index(view.owner) if view.owner in view.seats else len(view.seats)
    size = min(step - canvas.px(1.4), room.h)
    for i, q in enumerate(view.seats):
        at = (room.left + i * step + step // 2, room.centery)
        if i == now:
            canvas.panel(Rect(at[0] - step // 2, rect.top, step, rect.h), LINE, radius=1.0)
        if i < now:
            canvas.sign("ok", at, size * 4 // 5, GOOD)
        else:
            badge(canvas, at, size, people[q])
