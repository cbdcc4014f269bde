"""Past games and statistics: a table over the whole width, a page at a time."""

from pygame import Rect

from companion.display.scenes.base import draw_frame
from companion.display.toolkit import (
    BACKGROUND,
    INK,
    MUTED,
    PANEL,
    TEXT_EM,
    Canvas,
    Typeface,
    lay_out_screen,
    split_columns,
    split_top,
)
from companion.display.widgets import draw_scroll_bar, visible_rows
from companion.screen_state import HistoryRow, HistoryTable, ScreenState

ROW_HEIGHT = 7.2
"""Height of a row without a second line, in units."""
TWO_PART_ROW_HEIGHT = 6.8
"""Height of the first line of a row with a second one, in units."""
SECOND_LINE_HEIGHTS = (0.0, 4.1, 9.4)
"""Height of the second line in units, by the number of lines that its text takes."""
HEADINGS_HEIGHT = 6.0
"""Height of the row of headings, in units."""
PADDING = 3.0
"""Room at the sides of the table and of its rows, in units."""
COLUMN_GAP = 3.0
"""Room between two columns of numbers, in units."""


def draw_history(canvas: Canvas, state: ScreenState) -> None:
    """Draw a page of past games or statistics.

    What is unchanged since the last frame is not painted again. Call it within `Canvas.frame`.

    Args:
        canvas: Where it is drawn.
        state: What is shown; its view is a `HistoryTable`.

    Raises:
        pygame.error: The screen is too small, so that a part would have a negative size.
    """
    table: HistoryTable = state.view
    layout = lay_out_screen(canvas)
    draw_frame(canvas, layout, state)
    canvas.draw_region("main", layout.body, table, lambda: _draw_table(canvas, layout.body, table))


def _measure_columns(canvas: Canvas, width: int, table: HistoryTable) -> tuple[float, list[int]]:
    """Choose the columns: numbers as large as leaves the labels their room.

    Returns:
        The em of the numbers in units; the widths of the labels and of each column of numbers in pixels.
    """
    for size in (TEXT_EM, TEXT_EM, TEXT_EM, TEXT_EM):
        widths = []
        for i, heading in enumerate(table.headings):
            digits = [
                canvas.text_width(row.cells[i], size, Typeface.DISPLAY) for row in table.rows if i < len(row.cells)
            ]
            widths.append(max([*digits, canvas.text_width(heading)]))
        label_width = width - sum(widths) - canvas.px(COLUMN_GAP) * len(widths)
        needed = [canvas.text_width(row.label, min(size, TEXT_EM), Typeface.DISPLAY) for row in table.rows]
        if label_width >= max(needed, default=0):
            break
    return size, [label_width, *widths]


def _draw_table(canvas: Canvas, rect: Rect, table: HistoryTable) -> None:
    canvas.draw_panel(rect, PANEL, radius=2.4)
    if not table.rows:
        return
    inner = rect.inflate(-2 * canvas.px(PADDING), -2 * canvas.px(1.4))
    columns = _measure_columns(canvas, inner.w - 2 * canvas.px(PADDING), table)
    head, body = split_top(inner, canvas.px(HEADINGS_HEIGHT) if table.headings else 0)
    if table.headings:
        _draw_row(canvas, head, columns, HistoryRow(table.label_heading, table.headings), is_heading=True)
    widest = max(canvas.text_width(row.detail) for row in table.rows)
    max_lines = 0 if not widest else 1 if widest <= body.w - 2 * canvas.px(PADDING) else 2
    height = canvas.px(TWO_PART_ROW_HEIGHT + SECOND_LINE_HEIGHTS[max_lines] if max_lines else ROW_HEIGHT)
    gap = canvas.px(0.8)
    rows = visible_rows(body, height, gap, table.selected, len(table.rows))
    for i, row in rows:
        if i == table.selected:
            canvas.draw_panel(row, INK)
        _draw_row(canvas, row, columns, table.rows[i], max_lines=max_lines, is_selected=i == table.selected)
    draw_scroll_bar(canvas, rect, split_top(body, len(rows) * height - gap)[0], rows, len(table.rows))


def _draw_row(
    canvas: Canvas,
    rect: Rect,
    columns: tuple[float, list[int]],
    row: HistoryRow,
    *,
    max_lines: int = 0,
    is_selected: bool = False,
    is_heading: bool = False,
) -> None:
    """Draw a row; its detail takes at most `max_lines` lines."""
    size, widths = (TEXT_EM, columns[1]) if is_heading else columns
    ink = BACKGROUND if is_selected else MUTED if is_heading else INK
    face = Typeface.TEXT if is_heading else Typeface.DISPLAY
    line = rect.inflate(-2 * canvas.px(PADDING), 0)
    if max_lines:
        # Descenders take from the room above the detail, which stays visible.
        line.top += canvas.px(0.7)
        line.h -= canvas.px(SECOND_LINE_HEIGHTS[max_lines] + 0.7)
    label, *places = split_columns(line, widths, canvas.px(COLUMN_GAP))
    canvas.draw_text(label, row.label, min(size, TEXT_EM), ink, face=face)
    for cell, place in zip(row.cells, places, strict=False):
        # Digits have no descenders: without room for them they stand in the middle of their row.
        canvas.draw_text(place.inflate(0, canvas.px(3)), cell, size, ink, face=face, align=1.0)
    if row.detail:
        place = Rect(line.left, line.bottom, line.w, rect.bottom - line.bottom)
        tone = BACKGROUND if is_selected else MUTED
        canvas.draw_text(place, row.detail, TEXT_EM, tone, max_lines=max_lines, vertical_align=0.3)
