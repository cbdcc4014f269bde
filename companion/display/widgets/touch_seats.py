"""Touch areas of the seats along top and bottom of a screen without buttons, within reach of each player."""

from collections.abc import Sequence
from functools import partial

from companion.display.toolkit import (
    KEY_LABEL_EM,
    TEXT_EM,
    Canvas,
    Rect,
    Typeface,
    split_bottom,
    split_grid,
    split_left,
    split_top,
)
from companion.display.toolkit.layout import KEY_GAP
from companion.display.widgets.key_caps import MAX_LABEL_LINES, KeyCap, choose_key_colours, draw_key_ring
from companion.events import SEAT_BUTTONS, Button
from companion.screen_state import ScreenState

SEAT_AREA_MARGIN = 1.0
"""Room around the seats' touch areas, in units."""
SEAT_AREA_INSET = 1.0
"""Room within a seat's touch area, in units."""


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
    colours = choose_key_colours(cap)
    canvas.draw_panel(area, colours.fill, edge=colours.edge)
    if cap.is_ringed:
        draw_key_ring(canvas, area)
    ink, icon_colour, soft = colours.ink, colours.icon, colours.icon
    icon, label = _split_seat_area(canvas, area)
    size = min(icon.size)
    canvas.draw_badge(cap.button, (icon.left + icon.w // 2, icon.top + size // 2), size, icon_colour)
    align = 0.5 if canvas.is_portrait else 0.0
    if canvas.text_width(cap.label, KEY_LABEL_EM, Typeface.DISPLAY) > label.w or (canvas.is_far and cap.label):
        name = ""  # the label matters more, and needs both lines
    if name:
        upper, label = split_top(label, label.h // 2 if cap.label else label.h)
        canvas.draw_text(upper, name, TEXT_EM, ink if cap.label else soft, face=Typeface.DISPLAY, align=align)
    if cap.label:
        lines = 1 if name else MAX_LABEL_LINES
        canvas.draw_text(label, cap.label, KEY_LABEL_EM, ink, face=Typeface.DISPLAY, max_lines=lines, align=align)
