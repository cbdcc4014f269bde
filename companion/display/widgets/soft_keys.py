"""The row of soft keys: what each button does now, in ten slots at fixed places.

A slot never moves: a strip of buttons below the screen lines up with the slots in every phase, language and game. In
portrait there are three rows: seats 1 to 3, seats 4 to 6, and OK, NO, plus, minus (the console). On a screen without
buttons the seats' keys are along top and bottom instead (`touch_seats`).
"""

from functools import partial

from companion.display.toolkit import (
    BACKGROUND,
    INK,
    KEY_LABEL_EM,
    PIECE_RGB,
    SEAT_SHAPES,
    TEXT_EM,
    TITLE_EM,
    Canvas,
    Rect,
    RegionCell,
    ScreenLayout,
    Typeface,
    split_bottom,
    split_columns,
    split_grid,
    split_left,
    split_rows,
    split_top,
    text_colour_for,
)
from companion.display.widgets.key_caps import KEY_GAP, MAX_LABEL_LINES, KeyCap, choose_key_colours, list_key_caps
from companion.display.widgets.touch_seats import draw_seat_areas
from companion.events import CONSOLE_BUTTONS, SEAT_BUTTONS, Button
from companion.screen_state import ScreenState

CONSOLE_GAP = 2.4
"""Room between the seats' slots and the console's, in units."""
MAX_FIGURE_LENGTH = 2
"""Characters of a number at most that is drawn large as the label of a key; a single letter is too."""
ICON_SIZE = 5.6
"""Size of a key's icon, in units."""
THIN_KEY_RATIO = 0.34
"""Height of a key that does nothing now, as a share of its slot's."""
CALM_KEY_RATIO = 0.9
"""Height of a key that does something, as a share of its slot's; an awaited one fills its slot."""
HELP_MARK_SIZE = 4.0
"""Size of the sign on the key that opens the help when it is held, in units."""
KEY_PADDING = 0.5
"""Room at the sides of a label, in units."""
HOLD_BAR_HEIGHT = 1.6
"""Height of the bar that shows for how long a button is held, in units."""
PORTRAIT_ROWS = (SEAT_BUTTONS[:3], SEAT_BUTTONS[3:], CONSOLE_BUTTONS)
"""The buttons of each row, in portrait."""


def draw_soft_keys(canvas: Canvas, layout: ScreenLayout, state: ScreenState) -> None:
    """Draw the row of soft keys; each key is a touch area.

    Awaited keys fill their slots in full colour, keys that do something are a little lower, the others are thin. With
    the preference `touch_seats` the seats' keys are drawn along top and bottom; with `mirrored` OK, NO, plus and minus
    stand at the left.

    Args:
        canvas: where they are drawn; its preferences choose their places.
        layout: places of the screen; they are drawn at `layout.soft_keys`.

    Raises:
        KeyError: a key's swatch is not a key of `theme.PIECE_RGB`.
    """
    caps = list_key_caps(state, keyboard=canvas.preferences.keyboard_hints)
    slots = locate_key_slots(canvas, layout.soft_keys)
    if canvas.preferences.touch_seats:
        draw_seat_areas(canvas, state, caps[: len(SEAT_BUTTONS)])
    cells = [
        RegionCell(slots[cap.button], cap, partial(_draw_key, canvas, slots[cap.button], cap))
        for cap in caps
        if cap.button in slots
    ]
    canvas.draw_cells("keys", layout.soft_keys, cells)


def locate_key_slots(canvas: Canvas, rect: Rect) -> dict[Button, Rect]:
    """Return the slots of the keys: places that depend on the screen alone, and on nothing that is shown.

    Args:
        canvas: gives units and preferences; nothing is drawn.
        rect: the area of all keys, in pixels.

    Returns:
        The slot of each button, in pixels, all equal in a row; with touched seats only those of the console.
    """
    seats: tuple[Button, ...] = () if canvas.preferences.touch_seats else SEAT_BUTTONS
    gap, console_gap = canvas.px(KEY_GAP), canvas.px(CONSOLE_GAP)
    if canvas.is_portrait:
        rows = [row for row in PORTRAIT_ROWS if row == CONSOLE_BUTTONS or seats]
        slots: dict[Button, Rect] = {}
        for row, place in zip(rows, split_rows(rect, len(rows), gap, rect.h), strict=True):
            slots |= zip(row, split_grid(place, len(row), 1, gap), strict=True)
        return slots
    groups = [group for group in (seats, CONSOLE_BUTTONS) if group]
    if canvas.preferences.mirrored:
        groups.reverse()
    count = sum(map(len, groups))
    width = (rect.w - gap * (count - 1) - (console_gap - gap) * (len(groups) - 1)) // count
    slots, left = {}, rect.left
    for group in groups:
        columns = split_columns(Rect(left, rect.top, rect.w, rect.h), [width] * len(group), gap)
        slots |= zip(group, columns, strict=True)
        left = columns[-1].right + console_gap
    return slots


def _draw_key(canvas: Canvas, slot: Rect, cap: KeyCap) -> None:
    canvas.add_touch_area(slot, cap.button)
    ratio = 1.0 if cap.is_awaited or cap.is_pressed else CALM_KEY_RATIO if cap.label else THIN_KEY_RATIO
    rect = split_bottom(slot, round(slot.h * ratio))[0]
    colours = choose_key_colours(cap)
    canvas.draw_panel(rect, colours.fill, edge=colours.edge)
    padding = canvas.px(KEY_PADDING)
    size = min(canvas.px(ICON_SIZE), rect.h * 3 // 5)
    icon, icon_colour = SEAT_SHAPES.get(cap.button, str(cap.button)), colours.icon
    if cap.opens_help:
        # In the slot's corner, not the key's: it stays where it is while the key's height changes.
        canvas.draw_icon("help", _locate_help_mark(canvas, slot), canvas.px(HELP_MARK_SIZE), colours.ink)
    if not cap.label:
        canvas.draw_icon(icon, rect.center, size * 3 // 4, icon_colour)
        _draw_hold(canvas, rect, cap)
        return
    head, below = split_top(rect.inflate(-2 * padding, -2 * padding), size)
    if cap.swatch and not cap.is_pressed:
        # The key stands for a colour: its head is drawn in that colour, for the seat's own would say another one.
        swatch = PIECE_RGB[cap.swatch]
        icon_colour = text_colour_for(swatch)
        canvas.draw_panel(head.inflate(padding, padding), swatch)
    # Of a choice between colours the number is enough: a seat's shape would call that seat.
    has_icon = not (cap.swatch and cap.is_choice)
    places = split_grid(head, 2, 1, 0) if cap.hint and has_icon else [head]
    if has_icon:
        canvas.draw_icon(icon, places[0].center, size, icon_colour)
    if cap.hint:
        ink = icon_colour if cap.swatch else colours.ink
        canvas.draw_text(places[-1], cap.hint, TEXT_EM, ink, face=Typeface.DISPLAY, align=0.5)
    is_figure = len(cap.label) <= MAX_FIGURE_LENGTH and not (len(cap.label) > 1 and cap.label.isalpha())
    em = TITLE_EM if is_figure else KEY_LABEL_EM
    canvas.draw_text(below, cap.label, em, colours.ink, face=Typeface.DISPLAY, max_lines=MAX_LABEL_LINES, align=0.5)
    _draw_hold(canvas, rect, cap)


def _locate_help_mark(canvas: Canvas, slot: Rect) -> tuple[int, int]:
    """Return the place of the sign that a key opens the help when it is held: above the thinnest key, at the right."""
    size = canvas.px(HELP_MARK_SIZE)
    return slot.right - size * 2 // 3, slot.top + round(slot.h * (1 - CALM_KEY_RATIO)) + size


def _draw_hold(canvas: Canvas, rect: Rect, cap: KeyCap) -> None:
    """Draw a bar along the top of a key that is held: it is full when the button has been held long enough."""
    if cap.hold_share:
        bar = split_top(rect, canvas.px(HOLD_BAR_HEIGHT))[0]
        canvas.draw_panel(bar, BACKGROUND, edge=INK)
        canvas.draw_panel(split_left(bar, round(bar.w * cap.hold_share))[0], INK)
