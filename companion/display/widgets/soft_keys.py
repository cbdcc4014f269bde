"""The row of soft keys: what each button does now, in ten slots at fixed places.

A slot never moves: a strip of buttons below the screen lines up with the slots in every phase, language and game. In
portrait there are three rows: seats 1 to 3, seats 4 to 6, and OK, NO, plus, minus (the console). In the far layout the
console has a row of its own, as on the panel of docs/build, and two in portrait. On a screen without buttons the seats'
keys are along top and bottom instead (`touch_seats`).
"""

from functools import partial

from companion.display.toolkit import (
    BACKGROUND,
    BIG_EM,
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
from companion.display.toolkit.layout import FAR_CONSOLE_KEY_HEIGHT, KEY_GAP
from companion.display.widgets.key_caps import MAX_LABEL_LINES, KeyCap, choose_key_colours, draw_key_ring, list_key_caps
from companion.display.widgets.touch_seats import draw_seat_areas
from companion.events import CONSOLE_BUTTONS, SEAT_BUTTONS, Button
from companion.screen_state import ScreenState

CONSOLE_GAP = 2.4
"""Room between the seats' slots and the console's, in units."""
MAX_FIGURE_LENGTH = 2
"""Characters of a number at most that is drawn large as the label of a key; a single letter is too."""
ICON_SIZE = 5.6
"""Size of a key's icon, in units."""
MIN_ICON_SIZE = 3.6
"""Size of a key's icon at least in the far layout, where it stands beside the label."""
THIN_KEY_RATIO = 0.34
"""Height of a key that does nothing now, as a share of its slot's."""
CALM_KEY_RATIO = 0.9
"""Height of a key that does something, as a share of its slot's; an awaited one fills its slot."""
FAR_CALM_KEY_RATIO = 0.97
"""The same in the far layout, whose labels need more of the height."""
HELP_MARK_SIZE = 4.4
"""Size of the sign on the key that opens the help when it is held, in units."""
HELP_ICON_SHIFT = 1.6
"""Distance by which the icon of that key makes room for the sign, in units."""
HELP_TOUCH_SIZE = 7.0
"""Size of the area around that sign in which a touch opens the help at once, in units."""
KEY_PADDING = 0.5
"""Room at the sides of a label, in units."""
FAR_KEY_PADDING = 0.2
"""The same in the far layout."""
RING_INSET = 1.6
"""Room above and below the words of a key with a ring, in units."""
HOLD_BAR_HEIGHT = 1.6
"""Height of the bar that shows for how long a button is held, in units."""


def draw_soft_keys(canvas: Canvas, layout: ScreenLayout, state: ScreenState) -> None:
    """Draw the row of soft keys; each key is a touch area.

    Awaited keys fill their slots in full colour, keys that do something are a little lower, the others are thin. With
    the preference `touch_seats` the seats' keys are drawn along top and bottom; with `mirrored` OK, NO, plus and minus
    stand at the left. Without `has_keys` nothing is drawn.

    Args:
        canvas: where they are drawn; its preferences choose their places.
        layout: places of the screen; they are drawn at `layout.soft_keys`.

    Raises:
        KeyError: a key's swatch is not a key of `theme.PIECE_RGB`.
    """
    if not canvas.preferences.has_keys:
        return
    caps = list_key_caps(state, keyboard=canvas.preferences.keyboard_hints)
    area, places = canvas.compute_once(
        ("keys", tuple(layout.soft_keys)), lambda: _locate_cells(canvas, layout.soft_keys)
    )
    if canvas.preferences.touch_seats:
        draw_seat_areas(canvas, state, caps[: len(SEAT_BUTTONS)])
    cells = [
        RegionCell(places[cap.button][1], cap, partial(_draw_key, canvas, places[cap.button][0], cap))
        for cap in caps
        if cap.button in places
    ]
    canvas.draw_cells("keys", area, cells)


def _locate_cells(canvas: Canvas, rect: Rect) -> tuple[Rect, dict[Button, tuple[Rect, Rect]]]:
    """Return the area of all keys with their rings, and for each button its slot and its cell, with the ring."""
    margin = _measure_ring_margin(canvas)
    slots = locate_key_slots(canvas, rect)
    return rect.inflate(margin, 0), {button: (slot, slot.inflate(margin, 0)) for button, slot in slots.items()}


def _measure_ring_margin(canvas: Canvas) -> int:
    """Return by how many pixels a ring is wider than its key; two neighbours' rings do not touch."""
    return 2 * ((canvas.px(KEY_GAP) - 1) // 2)


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
    if canvas.is_portrait or canvas.is_far:
        return _locate_rows(canvas, rect, seats)
    groups = [group for group in (seats, CONSOLE_BUTTONS) if group]
    if canvas.preferences.mirrored:
        groups.reverse()
    count = sum(map(len, groups))
    width = (rect.w - gap * (count - 1) - (console_gap - gap) * (len(groups) - 1)) // count
    slots: dict[Button, Rect] = {}
    left = rect.left
    for group in groups:
        columns = split_columns(Rect(left, rect.top, rect.w, rect.h), [width] * len(group), gap)
        slots |= zip(group, columns, strict=True)
        left = columns[-1].right + console_gap
    return slots


def _locate_rows(canvas: Canvas, rect: Rect, seats: tuple[Button, ...]) -> dict[Button, Rect]:
    """Return the slots in rows: the seats', if there are any, over the console's."""
    seat_rows = [seats[:3], seats[3:]] if canvas.is_portrait else [seats]
    is_split = canvas.is_portrait and canvas.is_far
    console_rows = [CONSOLE_BUTTONS[:2], CONSOLE_BUTTONS[2:]] if is_split else [CONSOLE_BUTTONS]
    if not seats:
        seat_rows = []
    gap = canvas.px(KEY_GAP)
    slots: dict[Button, Rect] = {}
    if canvas.is_far:
        height = canvas.px(FAR_CONSOLE_KEY_HEIGHT)
        low, rect = split_bottom(rect, len(console_rows) * (height + gap) - gap, gap)
        places = split_rows(rect, len(seat_rows), gap, rect.h) + split_rows(low, len(console_rows), gap, height)
    else:
        places = split_rows(rect, len(seat_rows) + 1, gap, rect.h)
    for row, place in zip([*seat_rows, *console_rows], places, strict=True):
        slots |= zip(row, split_grid(place, len(row), 1, gap), strict=True)
    return slots


def _draw_key(canvas: Canvas, slot: Rect, cap: KeyCap) -> None:
    canvas.add_touch_area(slot, cap.button)
    calm_ratio = FAR_CALM_KEY_RATIO if canvas.is_far else CALM_KEY_RATIO
    ratio = 1.0 if cap.is_awaited or cap.is_pressed else calm_ratio if cap.label else THIN_KEY_RATIO
    rect = split_bottom(slot, round(slot.h * ratio))[0]
    colours = choose_key_colours(cap)
    canvas.draw_panel(rect, colours.fill, edge=colours.edge)
    # Below the words: a long one needs the room of the ring.
    within = draw_key_ring(canvas, rect.inflate(_measure_ring_margin(canvas), 0)) if cap.is_ringed else rect
    padding = canvas.px(FAR_KEY_PADDING if canvas.is_far else KEY_PADDING)
    size = min(canvas.px(ICON_SIZE), rect.h * 3 // 5)
    icon, icon_colour = SEAT_SHAPES.get(cap.button, str(cap.button)), colours.icon
    if cap.opens_help:
        # In the slot's corner, not the key's: it stays where it is while the key's height changes.
        mark = _locate_help_mark(canvas, slot)
        # On a disc of its own: beside the sign of minus alone both would be read as one.
        tone = colours.icon if cap.label else colours.ink
        disc = canvas.draw_disc(mark, canvas.px(HELP_MARK_SIZE), tone)
        canvas.draw_icon("help", mark, disc.h * 3 // 4, colours.fill)
        area = Rect(0, 0, canvas.px(HELP_TOUCH_SIZE), canvas.px(HELP_TOUCH_SIZE))
        area.center = mark
        canvas.add_help_area(area)
    if not cap.label:
        canvas.draw_icon(icon, rect.center, size * 3 // 4, icon_colour)
        _draw_hold(canvas, rect, cap)
        return
    inner = rect.inflate(-2 * padding, -2 * (canvas.px(RING_INSET) if cap.is_ringed else padding))
    if canvas.is_far and cap.opens_help:
        inner.w = slot.right - canvas.px(HELP_MARK_SIZE) - inner.left  # one line: the sign stands beside it
    if canvas.is_far:
        lines = MAX_LABEL_LINES if rect.h > canvas.px(FAR_CONSOLE_KEY_HEIGHT) else 1
        room = inner.w - canvas.min_text_width(cap.label, lines, Typeface.DISPLAY)
        size = max(min(size, room), canvas.px(MIN_ICON_SIZE))
    head, below = split_left(inner, size) if canvas.is_far else split_top(inner, size)
    if cap.swatch and not cap.is_pressed:
        # The key stands for a colour: its head is drawn in that colour, for the seat's own would say another one.
        swatch = PIECE_RGB[cap.swatch]
        icon_colour = text_colour_for(swatch)
        canvas.draw_panel(head.inflate(padding, padding), swatch)
    # Of a choice between colours the number is enough: a seat's shape would call that seat.
    has_icon = not (cap.swatch and cap.is_choice)
    columns, rows = (1, 2) if canvas.is_far else (2, 1)
    places = split_grid(head, columns, rows, 0) if cap.hint and has_icon else [head]
    if has_icon:
        shift = canvas.px(HELP_ICON_SHIFT) if cap.opens_help and not canvas.is_far else 0
        canvas.draw_icon(icon, places[0].move(-shift, 0).center, size, icon_colour)
    if cap.hint:
        ink = icon_colour if cap.swatch else colours.ink
        canvas.draw_text(places[-1], cap.hint, TEXT_EM, ink, face=Typeface.DISPLAY, align=0.5)
    is_figure = len(cap.label) <= MAX_FIGURE_LENGTH and not (len(cap.label) > 1 and cap.label.isalpha())
    em = KEY_LABEL_EM if not is_figure else BIG_EM if canvas.is_far else TITLE_EM
    # Letters have room at their sides already: a long word may take half of the padding.
    words = below if canvas.is_far else below.inflate(padding, 0)
    narrow = Rect(within.left, words.top, within.w, words.h)
    if within.w < words.w and canvas.fits_text(narrow, cap.label, em, face=Typeface.DISPLAY, max_lines=MAX_LABEL_LINES):
        words = narrow
    canvas.draw_text(words, cap.label, em, colours.ink, face=Typeface.DISPLAY, max_lines=MAX_LABEL_LINES, align=0.5)
    _draw_hold(canvas, rect, cap)


def _locate_help_mark(canvas: Canvas, slot: Rect) -> tuple[int, int]:
    """Return the place of the sign that a key opens the help when it is held: above the thinnest key, at the right."""
    size = canvas.px(HELP_MARK_SIZE)
    return slot.right - size * 2 // 3, slot.top + round(slot.h * (1 - CALM_KEY_RATIO)) + size * 3 // 4


def _draw_hold(canvas: Canvas, rect: Rect, cap: KeyCap) -> None:
    """Draw a bar along the top of a key that is held: it is full when the button has been held long enough."""
    if cap.hold_share:
        bar = split_top(rect, canvas.px(HOLD_BAR_HEIGHT))[0]
        canvas.draw_panel(bar, BACKGROUND, edge=INK)
        canvas.draw_panel(split_left(bar, round(bar.w * cap.hold_share))[0], INK)
