"""The soft-key row: what each button does now. A button always stands at its place in the row.

Upright the row is broken: seats 1 to 3, seats 4 to 6, and the console. On a screen without buttons the seats' keys are
places along top and bottom, within everybody's reach.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from pygame import Rect

from companion.display.toolkit.canvas import Canvas, Cell
from companion.display.toolkit.layout import Grid, rows
from companion.display.toolkit.text import Weight
from companion.display.toolkit.theme import (
    BACKGROUND,
    BODY,
    COLOURS,
    FLOOR,
    INK,
    LINE,
    MUTED,
    PANEL,
    PIECES,
    RAISED,
    SHAPES,
    Colour,
    on,
)
from companion.events import CONSOLE_BUTTONS, SEAT_BUTTONS, Button
from companion.screen_state import Key, Shown

HINTS = {**{b: str(b.number) for b in SEAT_BUTTONS}, Button.OK: "Enter", Button.NO: "Bksp"}
"""Keys of the keyboard that stand for the buttons; plus and minus are named by their sign."""
GAP = 0.9
LINES = 2
WORDS = 4.6
EDGE_MARGIN = 1.0
MARGIN = 0.5
"""Over and under words that stand beside their sign: two lines would touch the edges."""
INSET = 1.0
TALL_ROWS = (SEAT_BUTTONS[:3], SEAT_BUTTONS[3:], CONSOLE_BUTTONS)


@dataclass(frozen=True, slots=True)
class Cap:
    """A button as it stands in the row."""

    button: Button
    words: str
    awaited: bool
    heard: bool
    swatch: str = ""
    choice: bool = False
    """One of several things that one player chooses from; the button is nobody's own now."""
    hint: str = ""
    """What else it is called: its key on the keyboard, the number of a choice."""

    @property
    def lit(self) -> bool:
        """Whether it does anything now."""
        return bool(self.words)


def piece(canvas: Canvas, centre: tuple[int, int], size: int, name: str) -> None:
    """Draws a piece of the box in its colour, with an edge that is seen on any ground."""
    canvas.disc(centre, size, INK)
    canvas.disc(centre, size - 2 * canvas.px(0.35), BACKGROUND)
    canvas.disc(centre, size - 2 * canvas.px(0.7), PIECES[name])


def caps(shown: Shown, *, keyboard: bool) -> list[Cap]:
    """The ten buttons with what they do now, and what a keyboard calls them if there is one."""
    found = {k.button: k for k in shown.keys if not k.held}
    return [_cap_of(found.get(b, Key(b, "")), shown, keyboard) for b in (*SEAT_BUTTONS, *CONSOLE_BUTTONS)]


def _cap_of(key: Key, shown: Shown, keyboard: bool) -> Cap:
    choice = key.number and shown.in_game
    hint = HINTS.get(key.button, "") if key.words and (keyboard or choice) else ""
    heard = key.button in shown.heard
    return Cap(key.button, key.words, key.awaited and bool(key.words), heard, key.swatch, choice, hint)


@dataclass(frozen=True, slots=True)
class Style:
    """How the caps of a row are set, in units: lines of words, room at the sides, the sign, the keyboard's name."""

    lines: int
    pad: float
    sign: float
    hint: bool = False
    beside: bool = False
    """The words stand beside the sign, not under it."""


STYLES = (Style(2, 1.0, 5.0, hint=True), Style(2, 1.0, 5.0), Style(2, 0.5, 5.0), Style(3, 0.5, 2.6))
"""Tried in turn until all words fit: the names of keyboard keys give way first, then the signs' size."""
TALL_STYLES = (Style(2, 0.7, 4.2, beside=True), Style(2, 0.4, 3.2, beside=True))
"""Upright. Keyboards stand at screens that lie: their keys are not named."""


def keys(canvas: Canvas, places: Grid, shown: Shown) -> None:
    """Draws the row, and lets each button be touched there."""
    rect, row = places.keys, caps(shown, keyboard=canvas.look.keyboard)
    if canvas.look.touch_seats:
        seats(canvas, shown, row[: len(SEAT_BUTTONS)])
        row = row[len(SEAT_BUTTONS) :]
    if canvas.look.mirrored:
        row = sorted(row, key=lambda cap: cap.button not in CONSOLE_BUTTONS)
    laid = zip(row, slots(canvas, rect, row), strict=True)
    cells = [Cell(slot, (cap, style), partial(_cap, canvas, slot, cap, style)) for cap, (slot, style) in laid]
    canvas.cells("keys", rect, cells)


def edges(canvas: Canvas) -> dict[Button, Rect]:
    """The seats' places of a screen without buttons, clockwise: along the top and back along the bottom."""
    whole, inner = Rect((0, 0), canvas.size), canvas.inner
    gap, edge = canvas.px(GAP), canvas.px(EDGE_MARGIN)
    half = len(SEAT_BUTTONS) // 2
    wide = (whole.w - 2 * edge - gap * (half - 1)) // half
    found = {}
    for i, button in enumerate(SEAT_BUTTONS):
        column = i if i < half else len(SEAT_BUTTONS) - 1 - i
        top, high = (edge, inner.top - edge) if i < half else (inner.bottom, whole.bottom - edge - inner.bottom)
        found[button] = Rect(edge + column * (wide + gap), top, wide, high)
    return found


def seats(canvas: Canvas, shown: Shown, row: Sequence[Cap]) -> None:
    """Draws the seats' places along the edges of a screen without buttons: whose each is, and what it does now."""
    names = {player.button: player.name for player in shown.players}
    places = edges(canvas)
    room = min(_words_at(canvas, place).w for place in places.values())
    if any(canvas.type.width(name, Weight.BOLD, canvas.floor(FLOOR)) > room for name in names.values()):
        names = {}  # shape and colour say it
    for cap, place in zip(row, places.values(), strict=True):
        name = names.get(cap.button, "")
        canvas.part(str(cap.button), place, (cap, name), partial(_place, canvas, place, cap, name))


def _words_at(canvas: Canvas, place: Rect) -> Rect:
    """Where words stand in a seat's place: beside the sign; upright below it."""
    inner = place.inflate(-2 * canvas.px(INSET), -2 * canvas.px(INSET))
    if canvas.portrait:
        top = inner.top + inner.h // 3 + canvas.px(0.4)
        return Rect(inner.left, top, inner.w, inner.bottom - top)
    left = inner.left + inner.h + canvas.px(1)
    return Rect(left, inner.top, inner.right - left, inner.h)


def _place(canvas: Canvas, place: Rect, cap: Cap, name: str) -> None:
    canvas.touch(place, cap.button)
    ink, mark, soft = _plate(canvas, place, cap)
    inner, words = place.inflate(-2 * canvas.px(INSET), -2 * canvas.px(INSET)), _words_at(canvas, place)
    size = inner.h // 3 if canvas.portrait else inner.h
    middle = (inner.centerx, inner.top + size // 2) if canvas.portrait else (inner.left + size // 2, inner.centery)
    canvas.sign(SHAPES[cap.button], middle, size, mark)
    align = 0.5 if canvas.portrait else 0.0
    if canvas.type.width(cap.words, Weight.MEDIUM, canvas.floor(FLOOR)) > words.w:
        name = ""  # what it does matters more, and needs both lines
    if name:
        whose = Rect(words.left, words.top, words.w, words.h // 2 if cap.lit else words.h)
        canvas.text(whose, name, BODY, ink if cap.lit else soft, weight=Weight.BOLD, align=align)
        words = Rect(words.left, whose.bottom, words.w, words.bottom - whose.bottom)
    if cap.lit:
        canvas.text(words, cap.words, WORDS, ink, lines=1 if name else LINES, align=align)


def slots(canvas: Canvas, rect: Rect, row: list[Cap]) -> list[tuple[Rect, Style]]:
    """The row cut into slots: equal ones, unless words need more than their share; and how they are set."""
    if not canvas.portrait:
        return _cut(canvas, rect, row, TALL_STYLES if canvas.look.touch_seats else STYLES)
    lines = [[cap for cap in row if cap.button in buttons] for buttons in TALL_ROWS]
    found: dict[Button, tuple[Rect, Style]] = {}
    lines = [line for line in lines if line]
    for each, line in zip(rows(rect, len(lines), canvas.px(GAP), rect.h), lines, strict=True):
        found.update(zip((cap.button for cap in line), _cut(canvas, each, line, TALL_STYLES), strict=True))
    return [found[cap.button] for cap in row]


def _cut(canvas: Canvas, rect: Rect, row: list[Cap], styles: Sequence[Style]) -> list[tuple[Rect, Style]]:
    gap = canvas.px(GAP)
    # The console stands apart by one more gap.
    console = [cap.button in CONSOLE_BUTTONS for cap in row]
    apart = [gap if i and console[i] is not console[i - 1] else 0 for i in range(len(row))]
    room = rect.w - gap * (len(row) - 1) - sum(apart)
    for style in styles:
        needs = [_need(canvas, cap, style) for cap in row]
        if sum(needs) <= room:
            break
    found, left = [], rect.left
    for share, more in zip(_shares(needs, room), apart, strict=True):
        left += more
        found.append((Rect(left, rect.top, share, rect.h), style))
        left += share + gap
    return found


def _shares(needs: list[int], room: int) -> list[int]:
    """Widths that sum to `room` or just under it: at least what is needed, as equal as can be."""
    equal = room // len(needs)
    while True:
        greedy = [n for n in needs if n > equal]
        modest = len(needs) - len(greedy)
        left = (room - sum(greedy)) // modest if modest else 0
        if left >= equal:
            return [max(n, equal) for n in needs]
        if left <= 0:
            # More is needed than there is: everybody gives way in proportion, and the text shrinks or is cut.
            return [n * room // sum(needs) for n in needs]
        equal = left


def _need(canvas: Canvas, cap: Cap, style: Style) -> int:
    floor = canvas.floor(FLOOR)
    words = canvas.type.narrowest(cap.words, Weight.MEDIUM, floor, style.lines)
    signs, pad = 2 if cap.swatch else 1, canvas.px(style.pad)
    if style.beside:
        return signs * (canvas.px(style.sign) + pad) + words + 2 * pad
    head = canvas.px(style.sign) * signs
    if cap.hint and style.hint:
        head += canvas.type.width(cap.hint, Weight.MEDIUM, floor) + canvas.px(1.2)
    return max(head, words) + 2 * pad


def _plate(canvas: Canvas, slot: Rect, cap: Cap) -> tuple[Colour, Colour, Colour]:
    """The ground of a cap, by what the button does now; with which tones words, sign and small letters stand on it."""
    colour = COLOURS[cap.button]
    fill, ink, mark, soft = RAISED, INK, colour, MUTED
    if cap.heard:
        fill, ink, mark, soft = INK, BACKGROUND, BACKGROUND, BACKGROUND
    elif cap.awaited and cap.choice:
        # In full colour it would call that seat's owner.
        canvas.panel(slot, RAISED, edge=INK)
        return INK, colour, MUTED
    elif cap.awaited:
        fill, ink, mark, soft = colour, BACKGROUND, BACKGROUND, BACKGROUND
    elif not cap.lit:
        fill, mark = BACKGROUND, LINE
    canvas.panel(slot, fill, edge=colour if cap.heard else None if cap.lit else PANEL)
    return ink, mark, soft


def _dyed(canvas: Canvas, slot: Rect, band: Rect, cap: Cap) -> tuple[Colour, Colour, Colour]:
    """The ground of a cap that stands for a colour: that colour, for the seat's own would say another one."""
    colour = PIECES[cap.swatch]
    canvas.panel(slot, RAISED if cap.awaited else PANEL, edge=colour)
    canvas.panel(band, colour)
    return INK, on(colour), on(colour)


def _cap(canvas: Canvas, slot: Rect, cap: Cap, style: Style) -> None:
    canvas.touch(slot, cap.button)
    sign = SHAPES.get(cap.button, str(cap.button))
    size, pad = canvas.px(style.sign), canvas.px(style.pad)
    ink, mark, soft = _plate(canvas, slot, cap)
    if not cap.lit:
        canvas.sign(sign, (slot.centerx, slot.centery), size, mark)
        return
    close = style.lines > LINES
    left, middle = slot.left + pad, slot.centery if style.beside else slot.top + (1 if close else pad) + size // 2
    if cap.swatch and not cap.heard:
        band = Rect(slot.left, slot.top, slot.w, middle + size // 2 - slot.top)
        if style.beside:
            band = Rect(slot.left, slot.top, 2 * (size + pad), slot.h)
        ink, mark, soft = _dyed(canvas, slot, band, cap)
    canvas.sign(sign, (left + size // 2, middle), size, mark)
    left += size
    if cap.swatch:
        left += canvas.px(0.6)
        if cap.heard:
            piece(canvas, (left + size // 2, middle), size, cap.swatch)
        left += size
    if style.beside:
        under = Rect(left + pad, slot.top, slot.right - 2 * pad - left, slot.h).inflate(0, -2 * canvas.px(MARGIN))
    else:
        if style.hint and cap.hint:
            hint = Rect(left, slot.top + pad, slot.right - pad - left, size)
            canvas.text(hint, cap.hint, FLOOR, soft, align=1.0)
        top = middle + size // 2 + (0 if close else canvas.px(0.4))
        under = Rect(slot.left + pad, top, slot.w - 2 * pad, slot.bottom - (1 if close else canvas.px(0.4)) - top)
    canvas.text(under, cap.words, WORDS, ink, lines=style.lines)
