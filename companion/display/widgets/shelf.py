"""The shelf: games as title pictures, each with its key, its name and what else people want to know of it."""

from companion.display.toolkit import (
    BACKGROUND,
    INK,
    TEXT_EM,
    TITLE_EM,
    Canvas,
    Rect,
    Typeface,
    split_grid,
    split_left,
    split_right,
    split_top,
)
from companion.display.widgets.cover import COVER_ASPECT, draw_cover
from companion.events import SEAT_BUTTONS
from companion.screen_state import Menu

COLUMNS, ROWS = 3, 2
"""Columns and rows of a shelf; in portrait the other way round."""
CELL_GAP = 1.2
"""Room between two games, in units."""
CELL_PADDING = 1.1
"""Room around what stands in a cell, in units."""
NAME_HEIGHT = 6.8
"""Height of the line with key and name, in units."""
KEY_SIZE = 5.4
"""Size of the shape of the key, in units."""
NUMBER_WIDTH = 5.0
"""Width of the number behind it, in units."""
FAR_NUMBER_WIDTH = 6.2
"""The same in the far layout: a name may begin with a number."""
STAR_SIZE = 4.6
"""Size of the star of a favourite, in units."""
CAPTION_HEIGHT = 5.6
"""Height of the line under the picture, in units."""
DETAIL_HEIGHT = 5.6
"""Height of a line beside the picture, in units."""
MIN_PICTURE_ASPECT = 1.1
"""Least width of a picture in its heights: the details leave it that much."""


def draw_shelf(canvas: Canvas, rect: Rect, menu: Menu) -> None:
    """Draw the entries of a menu with covers, each in a cell that can be touched in place of its key.

    Args:
        menu: at most six entries, all with a cover and a number key.
    """
    columns, rows = (ROWS, COLUMNS) if canvas.is_portrait else (COLUMNS, ROWS)
    cells = split_grid(rect, columns, rows, canvas.px(CELL_GAP))
    for i, cell in zip(range(len(menu.items)), cells, strict=False):
        canvas.add_touch_area(cell, SEAT_BUTTONS[i])
        is_selected = i == menu.selected
        canvas.draw_panel(cell, INK if is_selected else BACKGROUND, radius=1.6)
        _draw_cell(canvas, cell, menu, i, is_selected=is_selected)


def _draw_cell(canvas: Canvas, cell: Rect, menu: Menu, i: int, *, is_selected: bool) -> None:
    ink = BACKGROUND if is_selected else INK
    padding = canvas.px(CELL_PADDING)
    name, body = split_top(cell.inflate(-2 * padding, -2 * padding), canvas.line_px(NAME_HEIGHT), padding // 2)
    key, name = split_left(name, canvas.px(KEY_SIZE + (FAR_NUMBER_WIDTH if canvas.is_far else NUMBER_WIDTH)))
    key = canvas.draw_badge_left(key, SEAT_BUTTONS[i], canvas.px(KEY_SIZE), ink if is_selected else None, gap=1)
    canvas.draw_text(key, str(i + 1), TITLE_EM, ink, face=Typeface.DISPLAY)
    if i in menu.starred:
        star, name = split_right(name, canvas.px(STAR_SIZE), padding // 2)
        canvas.draw_icon("star", star.center, star.w, ink)
    canvas.draw_text(name, menu.items[i], TITLE_EM, ink, face=Typeface.DISPLAY)
    details = menu.details[i]
    widest = max((canvas.text_width(text, TEXT_EM, Typeface.DISPLAY) for text in details), default=0)
    across, down = COVER_ASPECT
    # In the far layout the letters leave no room for a caption, nor for more than the first details.
    caption = "" if canvas.is_far else menu.covers[i].caption
    tall = body.h - (canvas.px(CAPTION_HEIGHT) if caption else 0)
    least = max(round(tall * MIN_PICTURE_ASPECT), canvas.text_width(caption, TEXT_EM, Typeface.DISPLAY) + 2)
    width = max(least, min(tall * across // down, body.w - padding - widest))
    left, side = split_left(body, width, padding)
    picture, below = split_top(left, tall)
    draw_cover(canvas, picture, menu.covers[i].game)
    if caption:
        canvas.draw_text(below, caption, TEXT_EM, ink, face=Typeface.DISPLAY, align=0.5)
    height = canvas.line_px(DETAIL_HEIGHT)
    for detail in details[: max(1, side.h // height)] if canvas.is_far else details:
        line, side = split_top(side, height)
        canvas.draw_text(line, detail, TEXT_EM, ink, face=Typeface.DISPLAY)
