"""Past games and statistics: a table over the whole width, a page at a time."""

from companion.display.scenes.scene_frame import draw_frame
from companion.display.toolkit import (
    BACKGROUND,
    INK,
    LINE,
    RAISED,
    TEXT_EM,
    TITLE_EM,
    WARN,
    Canvas,
    Colour,
    Rect,
    Typeface,
    lay_out_screen,
    split_bottom,
    split_columns,
    split_left,
    split_right,
    split_top,
)
from companion.display.widgets import draw_scroll_bar, visible_rows
from companion.lobby_views import HistoryRow, HistoryTable
from companion.screen_state import ScreenState

ROW_HEIGHT = 7.8
"""Height of a row without a second line at least, in units."""
MAX_ROW_HEIGHT = 11.0
"""The same at most, where few rows leave room."""
CROWN_SIZE = 5.6
"""Size of the crown beside those who won most, in units."""
CROWN_GAP = 1.4
"""Room between a name and its crown, in units."""
DETAIL_HEIGHTS = (0.0, 7.0, 13.0)
"""Height of the lines under a row in units, by their number."""
HEADINGS_HEIGHT = 7.4
"""Height of the row of headings, in units."""
PADDING = 1.6
"""Room at the sides of a row, in units."""
COLUMN_GAP = 4.6
"""Room between two columns of numbers, in units."""
BAR_HEIGHT = 4.0
"""Height of the bar that shows how many games have been read, in units."""
SCROLL_BAR_ROOM = 3.0
"""Room at the right of the rows, in units: the scroll bar stands there."""


def draw_history(canvas: Canvas, state: ScreenState) -> None:
    """Draw a page of past games or statistics.

    Only regions that changed since the last frame are painted again. Call it within `Canvas.frame`.

    Args:
        state: what is shown; its view is a `HistoryTable`.
    """
    table: HistoryTable = state.view
    layout = lay_out_screen(canvas)
    draw_frame(canvas, layout, state, ground=LINE)
    canvas.draw_region("main", layout.body, table, lambda: _draw_table(canvas, layout.body, table))


def _measure_columns(canvas: Canvas, width: int, table: HistoryTable) -> tuple[list[int], float]:
    """Return the widths in pixels of the labels and of each column of numbers, and the size of the numbers in units."""
    crown = canvas.px(CROWN_GAP) + canvas.px(CROWN_SIZE)
    labels = max(
        canvas.text_width(row.label, TEXT_EM, Typeface.DISPLAY) + (crown if row.is_leader else 0) for row in table.rows
    )
    for em in (TITLE_EM, TEXT_EM):
        widths = []
        for i, heading in enumerate(table.headings):
            cells = [canvas.text_width(row.cells[i], em, Typeface.TABULAR) for row in table.rows if i < len(row.cells)]
            widths.append(max([canvas.text_width(heading, TEXT_EM, Typeface.DISPLAY), *cells]))
        rest = width - sum(widths) - canvas.px(COLUMN_GAP) * len(widths)
        if rest >= labels:
            break
    while canvas.is_far and rest < labels and len(widths) > 1:  # the last columns matter least
        rest += widths.pop() + canvas.px(COLUMN_GAP)
    return [rest, *widths], em


def _draw_table(canvas: Canvas, rect: Rect, table: HistoryTable) -> None:
    if not table.rows:
        _draw_no_rows(canvas, rect, table)
        return
    inner = split_right(rect, canvas.px(SCROLL_BAR_ROOM))[1]
    width = inner.w - 2 * canvas.px(PADDING)
    columns, em = _measure_columns(canvas, width, table)
    head, body = split_top(inner, canvas.px(HEADINGS_HEIGHT) if table.headings else 0)
    if table.headings:
        _draw_row(canvas, head, columns, HistoryRow(table.label_heading, table.headings))
        canvas.fill_rect(INK, Rect(head.left, head.bottom - canvas.px(0.4), head.w, canvas.px(0.2)))
    widest = max(canvas.text_width(row.detail, TEXT_EM, Typeface.DISPLAY) for row in table.rows)
    max_lines = 0 if not widest else 1 if widest <= width else 2
    height, gap = canvas.px(ROW_HEIGHT + DETAIL_HEIGHTS[max_lines]), canvas.px(0.4)
    if not max_lines:
        height = max(height, min(canvas.px(MAX_ROW_HEIGHT), body.h // len(table.rows)))
    rows = visible_rows(body, height, gap, table.selected, len(table.rows))
    for i, row in rows:
        is_selected = i == table.selected
        if is_selected:
            canvas.draw_panel(row, INK)
        _draw_row(canvas, row, columns, table.rows[i], em, max_lines, BACKGROUND if is_selected else INK)
    draw_scroll_bar(canvas, rect, split_top(body, len(rows) * height - gap)[0], rows, len(table.rows))


def _draw_no_rows(canvas: Canvas, rect: Rect, table: HistoryTable) -> None:
    """Draw a bar while games are being read, else a crown over the note."""
    if table.progress is not None:
        bar = Rect(0, 0, rect.w * 7 // 10, canvas.px(BAR_HEIGHT))
        bar.center = rect.center
        canvas.draw_panel(bar, RAISED, radius=BAR_HEIGHT / 2)
        canvas.draw_panel(split_left(bar, max(bar.h, round(bar.w * table.progress)))[0], INK, radius=BAR_HEIGHT / 2)
        return
    note, above = split_bottom(rect, rect.h // 3)
    canvas.draw_icon("crown", above.center, above.h * 7 // 10, WARN)
    canvas.draw_text(note, table.note, TITLE_EM, INK, face=Typeface.DISPLAY, max_lines=2, align=0.5, vertical_align=0.2)


def _draw_row(
    canvas: Canvas,
    rect: Rect,
    columns: list[int],
    row: HistoryRow,
    em: float = TEXT_EM,
    max_lines: int = 0,
    ink: Colour = INK,
) -> None:
    """Draw a row, its numbers `em` units large and with a crown if it leads; its detail takes `max_lines` at most."""
    line = rect.inflate(-2 * canvas.px(PADDING), 0)
    line, below = split_top(line, canvas.px(ROW_HEIGHT) if max_lines else line.h)
    label, *places = split_columns(line, columns, canvas.px(COLUMN_GAP))
    drawn = canvas.draw_text(label, row.label, TEXT_EM, ink, face=Typeface.DISPLAY)
    size, gap = canvas.px(CROWN_SIZE), canvas.px(CROWN_GAP)
    if row.is_leader and label.right - drawn.right >= size + gap:
        tone = WARN if ink is INK else ink
        canvas.draw_icon("crown", (drawn.right + gap + size // 2, line.centery), size, tone)
    for cell, place in zip(row.cells, places, strict=False):
        canvas.draw_text(place, cell, em, ink, face=Typeface.TABULAR, align=1.0)
    if row.detail and max_lines:
        canvas.draw_text(
            below, row.detail, TEXT_EM, ink, face=Typeface.DISPLAY, max_lines=max_lines, vertical_align=0.1
        )
