"""A game's name and title picture: beside the seats in the lobby, and beside an interrupted game's scores."""

from collections.abc import Sequence

from companion.display.toolkit import INK, TEXT_EM, TITLE_EM, Canvas, Rect, Typeface, split_bottom, split_top
from companion.display.widgets.cover import draw_cover, fit_cover, has_cover

TITLE_COLUMN_WIDTH = 42.0
"""Width of the column with a game's name and picture, in units."""
TITLE_LINE_HEIGHT = 9.6
"""Height of a line in a title's size, in units."""
TEXT_LINE_HEIGHT = 7.2
"""Height of a line in a text's size, in units."""


def draw_title_column(canvas: Canvas, rect: Rect, game: str, title: str, lines: Sequence[str] = ()) -> None:
    """Draw a game's name over its picture, and under it lines of which the first has the size of a title.

    Args:
        game: the game's id.
        title: its name, on one line or two.
        lines: the lines below.
    """
    rest = rect
    for i in range(len(lines) - 1, -1, -1):
        em, height = (TEXT_EM, TEXT_LINE_HEIGHT) if i else (TITLE_EM, TITLE_LINE_HEIGHT)
        line, rest = split_bottom(rest, canvas.px(height), 0 if i else canvas.px(1))
        canvas.draw_text(line, lines[i], em, INK, face=Typeface.DISPLAY, align=0.5)
    has_picture = has_cover(game)
    lines_of_title = 2 if canvas.text_width(title, TITLE_EM, Typeface.DISPLAY) > rect.w else 1
    # Without a picture the name has its room.
    name_height = canvas.px(TITLE_LINE_HEIGHT) * lines_of_title if has_picture else rest.h
    name, rest = split_top(rest, name_height, canvas.px(1))
    canvas.draw_text(name, title, TITLE_EM, INK, face=Typeface.DISPLAY, max_lines=2, align=0.5)
    if has_picture and not canvas.is_portrait:
        draw_cover(canvas, fit_cover(rest), game)
