"""The row of soft keys: what each button does now. A button always stands at its place in the row.

In portrait there are three rows: seats 1 to 3, seats 4 to 6, and OK, NO, plus, minus (the console). On a screen without
buttons the seats' keys are touch areas along top and bottom, within reach of each player.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from pygame import Rect

from companion.display.toolkit import (
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
    Canvas,
    Colour,
    FontWeight,
    RegionCell,
    ScreenLayout,
    split_bottom,
    split_grid,
    split_left,
    split_rows,
    split_top,
    text_colour_for,
)
from companion.events import CONSOLE_BUTTONS, SEAT_BUTTONS, Button
from companion.screen_state import ScreenState, SoftKey

KEYBOARD_HINTS = {**{b: str(b.seat_number) for b in SEAT_BUTTONS}, Button.OK: "Enter", Button.NO: "Bksp"}
"""Keyboard keys that stand for the buttons; plus and minus have their sign as icon."""
TEXT_KEYBOARD_HINTS = {**KEYBOARD_HINTS, Button.NO: "Del", Button.MINUS: "Bksp"}
"""The same while a text is being entered: then Backspace erases a character, and the minus key types a hyphen."""
KEY_GAP = 0.9
"""Room between two keys, in units."""
MAX_LABEL_LINES = 2
"""Lines of a label at most; styles with more are set closer."""
LABEL_EM = 4.6
"""Largest size of labels, in units."""
HOLD_BAR_HEIGHT = 1.6
"""Height of the bar that shows for how long a button is held, in units."""
SEAT_AREA_MARGIN = 1.0
"""Room around the seats' touch areas, in units."""
LABEL_MARGIN = 0.5
"""Room over and under labels beside their icon, in units: two lines would touch the edges."""
SEAT_AREA_INSET = 1.0
"""Room within a seat's touch area, in units."""
PORTRAIT_ROWS = (SEAT_BUTTONS[:3], SEAT_BUTTONS[3:], CONSOLE_BUTTONS)
"""The buttons of each row, in portrait."""


@dataclass(frozen=True, slots=True)
class KeyCap:
    """A soft key as it is drawn.

    Attributes:
        button: The button that the key stands for.
        label: What it does now; empty: nothing.
        is_awaited: It is one of the keys that somebody is asked to press.
        is_pressed: It was pressed just now.
        swatch: Name of the piece or colour that the key is about; empty: none.
        is_choice: One of several things that one player chooses from: for now it is no player's own key.
        hint: Another name of the button: its key on the keyboard, or the number of a choice.
        hold_share: Share of the time for which the button must be held that has passed, 0 to 1; 0: nothing is shown.
    """

    button: Button
    label: str
    is_awaited: bool
    is_pressed: bool
    swatch: str = ""
    is_choice: bool = False
    hint: str = ""
    hold_share: float = 0.0


def list_key_caps(state: ScreenState, *, keyboard: bool) -> list[KeyCap]:
    """List all ten soft keys as they are drawn: the six seats', then OK, NO, plus and minus.

    Args:
        state: What is shown; a button without a soft key gets an inactive one, and keys whose label is for holding
            the button are left out.
        keyboard: Name the keyboard's keys on active soft keys. Keys that choose a number always have their number.
    """
    keys = {key.button: key for key in state.soft_keys if not key.is_hold}
    return [_make_key_cap(keys.get(b, SoftKey(b, "")), state, keyboard) for b in (*SEAT_BUTTONS, *CONSOLE_BUTTONS)]


def _make_key_cap(key: SoftKey, state: ScreenState, keyboard: bool) -> KeyCap:
    is_choice = key.is_number and state.in_game
    hints = TEXT_KEYBOARD_HINTS if state.asks_for_text else KEYBOARD_HINTS
    hint = hints.get(key.button, "") if key.label and (keyboard or is_choice) else ""
    return KeyCap(
        key.button,
        key.label,
        key.awaited and bool(key.label),
        key.button in state.pressed_buttons,
        key.swatch_colour,
        is_choice,
        hint,
        state.hold.share if state.hold is not None and state.hold.button is key.button else 0.0,
    )


@dataclass(frozen=True, slots=True)
class KeyStyle:
    """How the keys of a row are laid out.

    Attributes:
        max_lines: Lines of a label at most.
        padding: Room at the sides, in units.
        icon_size: In units.
        shows_hint: The keyboard's name for the button is drawn.
        is_label_beside: The label stands beside the icon, not under it.
    """

    max_lines: int
    padding: float
    icon_size: float
    shows_hint: bool = False
    is_label_beside: bool = False


LANDSCAPE_STYLES = (
    KeyStyle(2, 1.0, 5.0, shows_hint=True),
    KeyStyle(2, 1.0, 5.0),
    KeyStyle(2, 0.5, 5.0),
    KeyStyle(3, 0.5, 2.6),
)
"""Tried in turn until all labels fit: keyboard hints are dropped first, then the icons shrink."""
PORTRAIT_STYLES = (KeyStyle(2, 0.7, 4.2, is_label_beside=True), KeyStyle(2, 0.4, 3.2, is_label_beside=True))
"""Styles for portrait, where there is no keyboard, and for the one row beside touched seats."""


def draw_soft_keys(canvas: Canvas, layout: ScreenLayout, state: ScreenState) -> None:
    """Draw the row of soft keys; each key is a touch area.

    With the preference `touch_seats` the seats' keys are drawn along top and bottom; with `mirrored` OK, NO, plus and
    minus stand at the left.

    Args:
        canvas: Where they are drawn; its preferences choose their places.
        layout: Places of the screen; they are drawn at `layout.soft_keys`.
        state: What is shown.

    Raises:
        KeyError: A key's swatch is not a key of `theme.PIECE_RGB`.
        pygame.error: The screen is too small, so that a part would have a negative size.
    """
    caps = list_key_caps(state, keyboard=canvas.preferences.keyboard_hints)
    if canvas.preferences.touch_seats:
        draw_seat_areas(canvas, state, caps[: len(SEAT_BUTTONS)])
        caps = caps[len(SEAT_BUTTONS) :]
    if canvas.preferences.mirrored:
        caps = sorted(caps, key=lambda cap: cap.button not in CONSOLE_BUTTONS)
    cells = [
        RegionCell(rect, (cap, style), partial(_draw_key, canvas, rect, cap, style))
        for cap, rect, style in lay_out_keys(canvas, layout.soft_keys, caps)
    ]
    canvas.draw_cells("keys", layout.soft_keys, cells)


def locate_seat_areas(canvas: Canvas) -> dict[Button, Rect]:
    """Return the seats' touch areas, clockwise: along the top, and back along the bottom.

    Args:
        canvas: Gives size and units. Its preference `touch_seats` must be set: otherwise the areas have no height.

    Returns:
        The area of each seat's button, in pixels.
    """
    whole, inner = Rect((0, 0), canvas.size), canvas.scene_area
    gap, margin = canvas.px(KEY_GAP), canvas.px(SEAT_AREA_MARGIN)
    whole = whole.inflate(-2 * margin, -2 * margin)
    upper = split_top(whole, inner.top - whole.top)[0]
    lower = split_bottom(whole, whole.bottom - inner.bottom)[0]
    clockwise = (*split_grid(upper, 3, 1, gap), *reversed(split_grid(lower, 3, 1, gap)))
    return dict(zip(SEAT_BUTTONS, clockwise, strict=True))


def draw_seat_areas(canvas: Canvas, state: ScreenState, caps: Sequence[KeyCap]) -> None:
    """Draw the seats' touch areas, each as a region: the player to whom it belongs, and what a touch does now.

    Args:
        canvas: Where they are drawn. Its preference `touch_seats` must be set: otherwise there is no room for them.
        state: What is shown; gives the players' names.
        caps: The six seats' keys, in the order of the seats.

    Raises:
        ValueError: There are not six keys.
        pygame.error: The preference `touch_seats` is not set, or the screen is too small.
    """
    names = {player.button: player.name for player in state.players}
    areas = locate_seat_areas(canvas)
    room = min(_split_seat_area(canvas, area)[1].w for area in areas.values())
    if any(canvas.text_width(name, weight=FontWeight.BOLD) > room for name in names.values()):
        names = {}  # shape and colour say whose it is
    for cap, area in zip(caps, areas.values(), strict=True):
        name = names.get(cap.button, "")
        canvas.draw_region(str(cap.button), area, (cap, name), partial(_draw_seat_area, canvas, area, cap, name))


def _split_seat_area(canvas: Canvas, area: Rect) -> tuple[Rect, Rect]:
    """Return the places of icon and label in a seat's touch area: side by side, or in portrait one below the other."""
    inner = area.inflate(-2 * canvas.px(SEAT_AREA_INSET), -2 * canvas.px(SEAT_AREA_INSET))
    if canvas.is_portrait:
        return split_top(inner, inner.h // 3, canvas.px(0.4))
    return split_left(inner, inner.h, canvas.px(1))


def _draw_seat_area(canvas: Canvas, area: Rect, cap: KeyCap, name: str) -> None:
    canvas.add_touch_area(area, cap.button)
    ink, icon_colour, soft = _draw_key_panel(canvas, area, cap)
    icon, label = _split_seat_area(canvas, area)
    size = min(icon.size)
    canvas.draw_badge(cap.button, (icon.left + icon.w // 2, icon.top + size // 2), size, icon_colour)
    align = 0.5 if canvas.is_portrait else 0.0
    if canvas.text_width(cap.label) > label.w:
        name = ""  # the label matters more, and needs both lines
    if name:
        upper, label = split_top(label, label.h // 2 if cap.label else label.h)
        canvas.draw_text(upper, name, BODY_EM, ink if cap.label else soft, weight=FontWeight.BOLD, align=align)
    if cap.label:
        canvas.draw_text(label, cap.label, LABEL_EM, ink, max_lines=1 if name else MAX_LABEL_LINES, align=align)


def lay_out_keys(canvas: Canvas, rect: Rect, caps: list[KeyCap]) -> list[tuple[KeyCap, Rect, KeyStyle]]:
    """Cut the row into keys: equal ones, unless labels need more than their share. In portrait there are three rows.

    Args:
        canvas: Measures the labels; nothing is drawn.
        rect: The area of all keys, in pixels.
        caps: The keys in their order, at least one.

    Returns:
        Each key with its place in pixels and its style; in landscape in the order of `caps`, in portrait row by row.

    Raises:
        ZeroDivisionError: There are no keys (in landscape).
    """
    if not canvas.is_portrait:
        return _lay_out_row(canvas, rect, caps, PORTRAIT_STYLES if canvas.preferences.touch_seats else LANDSCAPE_STYLES)
    rows = [[cap for cap in caps if cap.button in buttons] for buttons in PORTRAIT_ROWS]
    rows = [row for row in rows if row]
    places = zip(split_rows(rect, len(rows), canvas.px(KEY_GAP), rect.h), rows, strict=True)
    return [key for place, row in places for key in _lay_out_row(canvas, place, row, PORTRAIT_STYLES)]


def _lay_out_row(
    canvas: Canvas, rect: Rect, row: list[KeyCap], styles: Sequence[KeyStyle]
) -> list[tuple[KeyCap, Rect, KeyStyle]]:
    gap = canvas.px(KEY_GAP)
    # A second gap separates the console from the seats.
    is_console = [cap.button in CONSOLE_BUTTONS for cap in row]
    extra_gaps = [gap if i and is_console[i] is not is_console[i - 1] else 0 for i in range(len(row))]
    room = rect.w - gap * (len(row) - 1) - sum(extra_gaps)
    for style in styles:
        needed = [_needed_width(canvas, cap, style) for cap in row]
        if sum(needed) <= room:
            break
    keys, left = [], rect.left
    for cap, width, extra_gap in zip(row, _share_width(needed, room), extra_gaps, strict=True):
        left += extra_gap
        keys.append((cap, Rect(left, rect.top, width, rect.h), style))
        left += width + gap
    return keys


def _share_width(needed: list[int], room: int) -> list[int]:
    """Return widths that sum to at most `room`: each at least as wide as needed, and as equal as possible."""
    equal = room // len(needed)
    while True:
        wider = [n for n in needed if n > equal]
        others = len(needed) - len(wider)
        share = (room - sum(wider)) // others if others else 0
        if share >= equal:
            return [max(n, equal) for n in needed]
        if share <= 0:
            # More is needed than there is: all shrink in proportion, and their labels shrink or are cut.
            return [n * room // sum(needed) for n in needed]
        equal = share


def _needed_width(canvas: Canvas, cap: KeyCap, style: KeyStyle) -> int:
    """Return the least width in pixels at which the key's label is readable in this style."""
    label = canvas.min_text_width(cap.label, style.max_lines)
    icons, padding = 2 if cap.swatch else 1, canvas.px(style.padding)
    if style.is_label_beside:
        return icons * (canvas.px(style.icon_size) + padding) + label + 2 * padding
    head = canvas.px(style.icon_size) * icons
    if cap.hint and style.shows_hint:
        head += canvas.text_width(cap.hint) + canvas.px(1.2)
    return max(head, label) + 2 * padding


def _draw_key_panel(canvas: Canvas, rect: Rect, cap: KeyCap) -> tuple[Colour, Colour, Colour]:
    """Draw the ground of a key by what the button does now; return the colours of label, icon and hint on it."""
    colour = BUTTON_COLOURS[cap.button]
    fill, ink, icon_colour, soft = RAISED, INK, colour, MUTED
    if cap.is_pressed:
        fill, ink, icon_colour, soft = INK, BACKGROUND, BACKGROUND, BACKGROUND
    elif cap.is_awaited and cap.is_choice:
        # In full colour the key would call that seat's owner.
        canvas.draw_panel(rect, RAISED, edge=INK)
        return INK, colour, MUTED
    elif cap.is_awaited:
        fill, ink, icon_colour, soft = colour, BACKGROUND, BACKGROUND, BACKGROUND
    elif not cap.label:
        fill, icon_colour = BACKGROUND, LINE
    canvas.draw_panel(rect, fill, edge=colour if cap.is_pressed else None if cap.label else PANEL)
    return ink, icon_colour, soft


def _draw_key(canvas: Canvas, rect: Rect, cap: KeyCap, style: KeyStyle) -> None:
    canvas.add_touch_area(rect, cap.button)
    icon = SEAT_SHAPES.get(cap.button, str(cap.button))
    size, padding = canvas.px(style.icon_size), canvas.px(style.padding)
    ink, icon_colour, soft = _draw_key_panel(canvas, rect, cap)
    if not cap.label:
        canvas.draw_icon(icon, rect.center, size, icon_colour)
        _draw_hold(canvas, rect, cap)
        return
    is_close = style.max_lines > MAX_LABEL_LINES
    left = rect.left + padding
    middle = rect.centery if style.is_label_beside else rect.top + (1 if is_close else padding) + size // 2
    if cap.swatch and not cap.is_pressed:
        # The key stands for a colour: it is drawn in that colour, for the seat's own would say another one.
        swatch = PIECE_RGB[cap.swatch]
        ink, icon_colour, soft = INK, text_colour_for(swatch), text_colour_for(swatch)
        canvas.draw_panel(rect, RAISED if cap.is_awaited else PANEL, edge=swatch)
        band = split_top(rect, middle + size // 2 - rect.top)[0]
        if style.is_label_beside:
            band = split_left(rect, 2 * (size + padding))[0]
        canvas.draw_panel(band, swatch)
    canvas.draw_icon(icon, (left + size // 2, middle), size, icon_colour)
    left += size
    if cap.swatch:
        left += canvas.px(0.6)
        if cap.is_pressed:
            canvas.draw_piece(cap.swatch, (left + size // 2, middle), size)
        left += size
    if style.is_label_beside:
        label = Rect(left + padding, rect.top, rect.right - 2 * padding - left, rect.h)
        label.inflate_ip(0, -2 * canvas.px(LABEL_MARGIN))
    else:
        if style.shows_hint and cap.hint:
            hint = Rect(left, rect.top + padding, rect.right - padding - left, size)
            canvas.draw_text(hint, cap.hint, MIN_EM, soft, align=1.0)
        above, below = (0, 1) if is_close else (canvas.px(0.4), canvas.px(0.4))
        top = middle + size // 2 + above
        label = Rect(rect.left + padding, top, rect.w - 2 * padding, rect.bottom - below - top)
    canvas.draw_text(label, cap.label, LABEL_EM, ink, max_lines=style.max_lines)
    _draw_hold(canvas, rect, cap)


def _draw_hold(canvas: Canvas, rect: Rect, cap: KeyCap) -> None:
    """Draw a bar along the top of a key that is held: it is full when the button has been held long enough."""
    if cap.hold_share:
        bar = split_top(rect, canvas.px(HOLD_BAR_HEIGHT))[0]
        canvas.draw_panel(bar, BACKGROUND, edge=INK)
        canvas.draw_panel(split_left(bar, round(bar.w * cap.hold_share))[0], INK)
