"""The soft-key row: what each button does now. A button always stands at its place in the row.

Upright the row is broken: seats 1 to 3, seats 4 to 6, and the console. On a screen without buttons the seats' keys are
places along top and bottom, within everybody's reach.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from pygame import Rect

from companion.display.toolkit.canvas import Canvas, RegionCell
from companion.display.toolkit.layout import ScreenLayout, split_rows
from companion.display.toolkit.text import FontWeight
from companion.display.toolkit.theme import (
    BACKGROUND,
    BODY_EM,
    BUTTON_COLOURS,
    INK,
    LINE,
    MIN_EM,
    MUTED,
    PANEL,
    PIECE_RGB,
    RAISED,
    SEAT_SHAPES,
    Colour,
    text_colour_for,
)
from companion.events import CONSOLE_BUTTONS, SEAT_BUTTONS, Button
from companion.screen_state import ScreenState, SoftKey

KEYBOARD_HINTS = {**{b: str(b.seat_number) for b in SEAT_BUTTONS}, Button.OK: "Enter", Button.NO: "Bksp"}
"""Keys of the keyboard that stand for the buttons; plus and minus are named by their sign."""
KEY_GAP = 0.9
MAX_LABEL_LINES = 2
LABEL_EM = 4.6
SEAT_AREA_MARGIN = 1.0
LABEL_MARGIN = 0.5
"""Over and under words that stand beside their sign: two lines would touch the edges."""
SEAT_AREA_INSET = 1.0
PORTRAIT_ROWS = (SEAT_BUTTONS[:3], SEAT_BUTTONS[3:], CONSOLE_BUTTONS)


@dataclass(frozen=True, slots=True)
class KeyCap:
    """A button as it stands in the row."""

    button: Button
    label: str
    is_awaited: bool
    is_pressed: bool
    swatch: str = ""
    is_choice: bool = False
    """One of several things that one player chooses from; the button is nobody's own now."""
    hint: str = ""
    """What else it is called: its key on the keyboard, the number of a choice."""

    @property
    def is_active(self) -> bool:
        """Whether it does anything now."""
        return bool(self.label)


def draw_box_piece(canvas: Canvas, centre: tuple[int, int], size: int, name: str) -> None:
    """Draws a piece of the box in its colour, with an edge that is seen on any ground."""
    canvas.draw_disc(centre, size, INK)
    canvas.draw_disc(centre, size - 2 * canvas.px(0.35), BACKGROUND)
    canvas.draw_disc(centre, size - 2 * canvas.px(0.7), PIECE_RGB[name])


def list_key_caps(state: ScreenState, *, keyboard: bool) -> list[KeyCap]:
    """The ten buttons with what they do now, and what a keyboard calls them if there is one."""
    found = {k.button: k for k in state.soft_keys if not k.is_hold}
    return [_make_key_cap(found.get(b, SoftKey(b, "")), state, keyboard) for b in (*SEAT_BUTTONS, *CONSOLE_BUTTONS)]


def _make_key_cap(key: SoftKey, shown: ScreenState, keyboard: bool) -> KeyCap:
    choice = key.is_number and shown.in_game
    hint = KEYBOARD_HINTS.get(key.button, "") if key.label and (keyboard or choice) else ""
    heard = key.button in shown.pressed_buttons
    return KeyCap(key.button, key.label, key.awaited and bool(key.label), heard, key.swatch_colour, choice, hint)


@dataclass(frozen=True, slots=True)
class KeyStyle:
    """How the caps of a row are set, in units: lines of words, room at the sides, the sign, the keyboard's name."""

    max_lines: int
    padding: float
    icon_size: float
    shows_hint: bool = False
    is_label_beside: bool = False
    """The words stand beside the sign, not under it."""


LANDSCAPE_STYLES = (
    KeyStyle(2, 1.0, 5.0, shows_hint=True),
    KeyStyle(2, 1.0, 5.0),
    KeyStyle(2, 0.5, 5.0),
    KeyStyle(3, 0.5, 2.6),
)
"""Tried in turn until all words fit: the names of keyboard keys give way first, then the signs' size."""
PORTRAIT_STYLES = (KeyStyle(2, 0.7, 4.2, is_label_beside=True), KeyStyle(2, 0.4, 3.2, is_label_beside=True))
"""Upright. Keyboards stand at screens that lie: their keys are not named."""


def draw_soft_keys(canvas: Canvas, layout: ScreenLayout, state: ScreenState) -> None:
    """Draws the row, and lets each button be touched there."""
    rect, row = layout.soft_keys, list_key_caps(state, keyboard=canvas.preferences.keyboard_hints)
    if canvas.preferences.touch_seats:
        draw_seat_areas(canvas, state, row[: len(SEAT_BUTTONS)])
        row = row[len(SEAT_BUTTONS) :]
    if canvas.preferences.mirrored:
        row = sorted(row, key=lambda cap: cap.button not in CONSOLE_BUTTONS)
    laid = zip(row, lay_out_keys(canvas, rect, row), strict=True)
    cells = [
        RegionCell(slot, (cap, style), partial(_draw_key, canvas, slot, cap, style)) for cap, (slot, style) in laid
    ]
    canvas.draw_cells("keys", rect, cells)


def locate_seat_areas(canvas: Canvas) -> dict[Button, Rect]:
    """The seats' places of a screen without buttons, clockwise: along the top and back along the bottom."""
    whole, inner = Rect((0, 0), canvas.size), canvas.scene_area
    gap, edge = canvas.px(KEY_GAP), canvas.px(SEAT_AREA_MARGIN)
    half = len(SEAT_BUTTONS) // 2
    wide = (whole.w - 2 * edge - gap * (half - 1)) // half
    found = {}
    for i, button in enumerate(SEAT_BUTTONS):
        column = i if i < half else len(SEAT_BUTTONS) - 1 - i
        top, high = (edge, inner.top - edge) if i < half else (inner.bottom, whole.bottom - edge - inner.bottom)
        found[button] = Rect(edge + column * (wide + gap), top, wide, high)
    return found


def draw_seat_areas(canvas: Canvas, shown: ScreenState, row: Sequence[KeyCap]) -> None:
    """Draws the seats' places along the edges of a screen without buttons: whose each is, and what it does now."""
    names = {player.button: player.name for player in shown.players}
    places = locate_seat_areas(canvas)
    room = min(_label_area(canvas, place).w for place in places.values())
    if any(
        canvas.fonts.measure_width(name, FontWeight.BOLD, canvas.px_at_least(MIN_EM)) > room for name in names.values()
    ):
        names = {}  # shape and colour say it
    for cap, place in zip(row, places.values(), strict=True):
        name = names.get(cap.button, "")
        canvas.draw_region(str(cap.button), place, (cap, name), partial(_draw_seat_area, canvas, place, cap, name))


def _label_area(canvas: Canvas, place: Rect) -> Rect:
    """Where words stand in a seat's place: beside the sign; upright below it."""
    inner = place.inflate(-2 * canvas.px(SEAT_AREA_INSET), -2 * canvas.px(SEAT_AREA_INSET))
    if canvas.is_portrait:
        top = inner.top + inner.h // 3 + canvas.px(0.4)
        return Rect(inner.left, top, inner.w, inner.bottom - top)
    left = inner.left + inner.h + canvas.px(1)
    return Rect(left, inner.top, inner.right - left, inner.h)


def _draw_seat_area(canvas: Canvas, place: Rect, cap: KeyCap, name: str) -> None:
    canvas.add_touch_area(place, cap.button)
    ink, mark, soft = _draw_key_panel(canvas, place, cap)
    inner, words = (
        place.inflate(-2 * canvas.px(SEAT_AREA_INSET), -2 * canvas.px(SEAT_AREA_INSET)),
        _label_area(canvas, place),
    )
    size = inner.h // 3 if canvas.is_portrait else inner.h
    middle = (inner.centerx, inner.top + size // 2) if canvas.is_portrait else (inner.left + size // 2, inner.centery)
    canvas.draw_icon(SEAT_SHAPES[cap.button], middle, size, mark)
    align = 0.5 if canvas.is_portrait else 0.0
    if canvas.fonts.measure_width(cap.label, FontWeight.MEDIUM, canvas.px_at_least(MIN_EM)) > words.w:
        name = ""  # what it does matters more, and needs both lines
    if name:
        whose = Rect(words.left, words.top, words.w, words.h // 2 if cap.is_active else words.h)
        canvas.draw_text(whose, name, BODY_EM, ink if cap.is_active else soft, weight=FontWeight.BOLD, align=align)
        words = Rect(words.left, whose.bottom, words.w, words.bottom - whose.bottom)
    if cap.is_active:
        canvas.draw_text(words, cap.label, LABEL_EM, ink, max_lines=1 if name else MAX_LABEL_LINES, align=align)


def lay_out_keys(canvas: Canvas, rect: Rect, row: list[KeyCap]) -> list[tuple[Rect, KeyStyle]]:
    """The row cut into slots: equal ones, unless words need more than their share; and how they are set."""
    if not canvas.is_portrait:
        return _lay_out_row(canvas, rect, row, PORTRAIT_STYLES if canvas.preferences.touch_seats else LANDSCAPE_STYLES)
    lines = [[cap for cap in row if cap.button in buttons] for buttons in PORTRAIT_ROWS]
    found: dict[Button, tuple[Rect, KeyStyle]] = {}
    lines = [line for line in lines if line]
    for each, line in zip(split_rows(rect, len(lines), canvas.px(KEY_GAP), rect.h), lines, strict=True):
        found.update(zip((cap.button for cap in line), _lay_out_row(canvas, each, line, PORTRAIT_STYLES), strict=True))
    return [found[cap.button] for cap in row]


def _lay_out_row(
    canvas: Canvas, rect: Rect, row: list[KeyCap], styles: Sequence[KeyStyle]
) -> list[tuple[Rect, KeyStyle]]:
    gap = canvas.px(KEY_GAP)
    # The console stands apart by one more gap.
    console = [cap.button in CONSOLE_BUTTONS for cap in row]
    apart = [gap if i and console[i] is not console[i - 1] else 0 for i in range(len(row))]
    room = rect.w - gap * (len(row) - 1) - sum(apart)
    for style in styles:
        needs = [_needed_width(canvas, cap, style) for cap in row]
        if sum(needs) <= room:
            break
    found, left = [], rect.left
    for share, more in zip(_share_width(needs, room), apart, strict=True):
        left += more
        found.append((Rect(left, rect.top, share, rect.h), style))
        left += share + gap
    return found


def _share_width(needs: list[int], room: int) -> list[int]:
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


def _needed_width(canvas: Canvas, cap: KeyCap, style: KeyStyle) -> int:
    floor = canvas.px_at_least(MIN_EM)
    words = canvas.fonts.find_min_width(cap.label, FontWeight.MEDIUM, floor, style.max_lines)
    signs, pad = 2 if cap.swatch else 1, canvas.px(style.padding)
    if style.is_label_beside:
        return signs * (canvas.px(style.icon_size) + pad) + words + 2 * pad
    head = canvas.px(style.icon_size) * signs
    if cap.hint and style.shows_hint:
        head += canvas.fonts.measure_width(cap.hint, FontWeight.MEDIUM, floor) + canvas.px(1.2)
    return max(head, words) + 2 * pad


def _draw_key_panel(canvas: Canvas, slot: Rect, cap: KeyCap) -> tuple[Colour, Colour, Colour]:
    """The ground of a cap, by what the button does now; with which tones words, sign and small letters stand on it."""
    colour = BUTTON_COLOURS[cap.button]
    fill, ink, mark, soft = RAISED, INK, colour, MUTED
    if cap.is_pressed:
        fill, ink, mark, soft = INK, BACKGROUND, BACKGROUND, BACKGROUND
    elif cap.is_awaited and cap.is_choice:
        # In full colour it would call that seat's owner.
        canvas.draw_panel(slot, RAISED, edge=INK)
        return INK, colour, MUTED
    elif cap.is_awaited:
        fill, ink, mark, soft = colour, BACKGROUND, BACKGROUND, BACKGROUND
    elif not cap.is_active:
        fill, mark = BACKGROUND, LINE
    canvas.draw_panel(slot, fill, edge=colour if cap.is_pressed else None if cap.is_active else PANEL)
    return ink, mark, soft


def _draw_coloured_key_panel(canvas: Canvas, slot: Rect, band: Rect, cap: KeyCap) -> tuple[Colour, Colour, Colour]:
    """The ground of a cap that stands for a colour: that colour, for the seat's own would say another one."""
    colour = PIECE_RGB[cap.swatch]
    canvas.draw_panel(slot, RAISED if cap.is_awaited else PANEL, edge=colour)
    canvas.draw_panel(band, colour)
    return INK, text_colour_for(colour), text_colour_for(colour)


def _draw_key(canvas: Canvas, slot: Rect, cap: KeyCap, style: KeyStyle) -> None:
    canvas.add_touch_area(slot, cap.button)
    sign = SEAT_SHAPES.get(cap.button, str(cap.button))
    size, pad = canvas.px(style.icon_size), canvas.px(style.padding)
    ink, mark, soft = _draw_key_panel(canvas, slot, cap)
    if not cap.is_active:
        canvas.draw_icon(sign, (slot.centerx, slot.centery), size, mark)
        return
    close = style.max_lines > MAX_LABEL_LINES
    left, middle = (
        slot.left + pad,
        slot.centery if style.is_label_beside else slot.top + (1 if close else pad) + size // 2,
    )
    if cap.swatch and not cap.is_pressed:
        band = Rect(slot.left, slot.top, slot.w, middle + size // 2 - slot.top)
        if style.is_label_beside:
            band = Rect(slot.left, slot.top, 2 * (size + pad), slot.h)
        ink, mark, soft = _draw_coloured_key_panel(canvas, slot, band, cap)
    canvas.draw_icon(sign, (left + size // 2, middle), size, mark)
    left += size
    if cap.swatch:
        left += canvas.px(0.6)
        if cap.is_pressed:
            draw_box_piece(canvas, (left + size // 2, middle), size, cap.swatch)
        left += size
    if style.is_label_beside:
        under = Rect(left + pad, slot.top, slot.right - 2 * pad - left, slot.h).inflate(0, -2 * canvas.px(LABEL_MARGIN))
    else:
        if style.shows_hint and cap.hint:
            hint = Rect(left, slot.top + pad, slot.right - pad - left, size)
            canvas.draw_text(hint, cap.hint, MIN_EM, soft, align=1.0)
        top = middle + size // 2 + (0 if close else canvas.px(0.4))
        under = Rect(slot.left + pad, top, slot.w - 2 * pad, slot.bottom - (1 if close else canvas.px(0.4)) - top)
    canvas.draw_text(under, cap.label, LABEL_EM, ink, max_lines=style.max_lines)
