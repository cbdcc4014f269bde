"""The row of soft keys: what each button does now, in ten slots at fixed places.

A slot never moves: a strip of buttons below the screen lines up with the slots in every phase, language and game. In
portrait there are three rows: seats 1 to 3, seats 4 to 6, and OK, NO, plus, minus (the console). On a screen without
buttons the seats' keys are touch areas along top and bottom, within reach of each player.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from companion.display.toolkit import (
    BACKGROUND,
    BUTTON_COLOURS,
    INK,
    KEY_LABEL_EM,
    LINE,
    MUTED,
    PANEL,
    PIECE_RGB,
    RAISED,
    SEAT_SHAPES,
    TEXT_EM,
    TITLE_EM,
    Canvas,
    Colour,
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
from companion.events import CONSOLE_BUTTONS, SEAT_BUTTONS, Button
from companion.screen_state import ScreenState, SoftKey

KEYBOARD_HINTS = {b: str(b.seat_number) for b in SEAT_BUTTONS}
"""Keys of the keyboard that are drawn beside the icons; a line in the lobby names the others."""
KEY_GAP = 0.8
"""Room between two slots, in units."""
CONSOLE_GAP = 2.4
"""Room between the seats' slots and the console's, in units."""
MAX_LABEL_LINES = 2
"""Lines of a label at most."""
MAX_FIGURE_LENGTH = 2
"""Characters of a number at most that is drawn large as the label of a key; a single letter is too."""
ICON_SIZE = 5.6
"""Size of a key's icon, in units."""
THIN_KEY_RATIO = 0.34
"""Height of a key that does nothing now, as a share of its slot's."""
CALM_KEY_RATIO = 0.9
"""Height of a key that does something, as a share of its slot's; an awaited one fills its slot."""
KEY_PADDING = 0.5
"""Room at the sides of a label, in units."""
HOLD_BAR_HEIGHT = 1.6
"""Height of the bar that shows for how long a button is held, in units."""
SEAT_AREA_MARGIN = 1.0
"""Room around the seats' touch areas, in units."""
SEAT_AREA_INSET = 1.0
"""Room within a seat's touch area, in units."""
PORTRAIT_ROWS = (SEAT_BUTTONS[:3], SEAT_BUTTONS[3:], CONSOLE_BUTTONS)
"""The buttons of each row, in portrait."""


@dataclass(frozen=True, slots=True)
class KeyCap:
    """A soft key as it is drawn.

    Attributes:
        button: the button that the key stands for.
        label: what it does now; empty: nothing.
        is_awaited: it is one of the keys that somebody is asked to press, or any of the players may.
        is_pressed: it was pressed just now.
        swatch: name of the piece or colour that the key is about; empty: none.
        is_choice: one of several things that one player chooses from: for now it is no player's own key.
        hint: another name of the button: its key on the keyboard, or the number of a choice.
        hold_share: share of the time for which the button must be held that has passed, 0 to 1; 0: nothing is shown.
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
        state: what is shown; a button without a soft key gets an inactive one, and keys whose label is for holding
            the button are left out.
        keyboard: name the keyboard's keys on active soft keys. Keys that choose a number always have their number.
    """
    keys = {key.button: key for key in state.soft_keys if not key.is_hold}
    # Where no key is awaited in particular, any player may press: all look for a card at once, for example.
    is_open_to_all = state.in_game and state.menu is None and not any(key.awaited for key in state.soft_keys)
    return [
        _make_key_cap(keys.get(b, SoftKey(b, "")), state, keyboard, is_open_to_all=is_open_to_all)
        for b in (*SEAT_BUTTONS, *CONSOLE_BUTTONS)
    ]


def _make_key_cap(key: SoftKey, state: ScreenState, keyboard: bool, *, is_open_to_all: bool) -> KeyCap:
    is_choice = key.is_number and state.in_game
    hint = KEYBOARD_HINTS.get(key.button, "") if key.label and (keyboard or is_choice) else ""
    return KeyCap(
        key.button,
        key.label,
        bool(key.label) and (key.awaited or (is_open_to_all and key.button in SEAT_BUTTONS and not key.is_number)),
        key.button in state.pressed_buttons,
        key.swatch_colour,
        is_choice,
        hint,
        state.hold.share if state.hold is not None and state.hold.button is key.button else 0.0,
    )


@dataclass(frozen=True, slots=True)
class _KeyColours:
    """Colours of a key: its ground and its edge (None: none), its label and its icon."""

    fill: Colour
    edge: Colour | None
    ink: Colour
    icon: Colour


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


def locate_seat_areas(canvas: Canvas) -> dict[Button, Rect]:
    """Return the seats' touch areas, clockwise: along the top, and back along the bottom.

    Args:
        canvas: gives size and units. Its preference `touch_seats` must be set: otherwise the areas have no height.

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
        canvas: where they are drawn. Its preference `touch_seats` must be set: otherwise there is no room for them.
        state: what is shown; gives the players' names.
        caps: the six seats' keys, in the order of the seats.

    Raises:
        ValueError: there are not six keys.
        pygame.error: the preference `touch_seats` is not set, or the screen is too small.
    """
    names = {player.button: player.name for player in state.players}
    areas = locate_seat_areas(canvas)
    room = min(_split_seat_area(canvas, area)[1].w for area in areas.values())
    if any(canvas.text_width(name, face=Typeface.DISPLAY) > room for name in names.values()):
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
    colours = _choose_colours(cap)
    canvas.draw_panel(area, colours.fill, edge=colours.edge)
    ink, icon_colour, soft = colours.ink, colours.icon, colours.icon
    icon, label = _split_seat_area(canvas, area)
    size = min(icon.size)
    canvas.draw_badge(cap.button, (icon.left + icon.w // 2, icon.top + size // 2), size, icon_colour)
    align = 0.5 if canvas.is_portrait else 0.0
    if canvas.text_width(cap.label, KEY_LABEL_EM, Typeface.DISPLAY) > label.w:
        name = ""  # the label matters more, and needs both lines
    if name:
        upper, label = split_top(label, label.h // 2 if cap.label else label.h)
        canvas.draw_text(upper, name, TEXT_EM, ink if cap.label else soft, face=Typeface.DISPLAY, align=align)
    if cap.label:
        lines = 1 if name else MAX_LABEL_LINES
        canvas.draw_text(label, cap.label, KEY_LABEL_EM, ink, face=Typeface.DISPLAY, max_lines=lines, align=align)


def _choose_colours(cap: KeyCap) -> _KeyColours:
    """Choose the colours of a key by what the button does now."""
    colour = BUTTON_COLOURS[cap.button]
    if cap.is_pressed:
        return _KeyColours(INK, colour, BACKGROUND, BACKGROUND)
    if cap.is_awaited and (cap.is_choice or cap.button in (Button.PLUS, Button.MINUS)):
        # In full colour a choice would call that seat's owner; plus and minus are grey by themselves.
        return _KeyColours(INK, None, BACKGROUND, BACKGROUND)
    if cap.is_awaited:
        return _KeyColours(colour, None, BACKGROUND, BACKGROUND)
    if cap.label:
        return _KeyColours(RAISED, None, INK, MUTED if cap.is_choice else colour)
    return _KeyColours(PANEL, None, MUTED, LINE)


def _draw_key(canvas: Canvas, slot: Rect, cap: KeyCap) -> None:
    canvas.add_touch_area(slot, cap.button)
    ratio = 1.0 if cap.is_awaited or cap.is_pressed else CALM_KEY_RATIO if cap.label else THIN_KEY_RATIO
    rect = split_bottom(slot, round(slot.h * ratio))[0]
    colours = _choose_colours(cap)
    canvas.draw_panel(rect, colours.fill, edge=colours.edge)
    padding = canvas.px(KEY_PADDING)
    size = min(canvas.px(ICON_SIZE), rect.h * 3 // 5)
    icon, icon_colour = SEAT_SHAPES.get(cap.button, str(cap.button)), colours.icon
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


def _draw_hold(canvas: Canvas, rect: Rect, cap: KeyCap) -> None:
    """Draw a bar along the top of a key that is held: it is full when the button has been held long enough."""
    if cap.hold_share:
        bar = split_top(rect, canvas.px(HOLD_BAR_HEIGHT))[0]
        canvas.draw_panel(bar, BACKGROUND, edge=INK)
        canvas.draw_panel(split_left(bar, round(bar.w * cap.hold_share))[0], INK)
