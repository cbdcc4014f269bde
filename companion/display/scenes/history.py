"""What was played here before: a table over the whole width, a page at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pygame import Rect

from companion.display.toolkit.canvas import Canvas
from companion.display.toolkit.layout import lay_out_screen
from companion.display.toolkit.text import FontWeight
from companion.display.toolkit.theme import BACKGROUND, BODY_EM, HEADING_EM, INK, MIN_EM, MUTED, PANEL, SMALL_EM
from companion.display.widgets.dialog import draw_scroll_bar
from companion.display.widgets.header import draw_header, draw_status_line
from companion.display.widgets.soft_keys import draw_soft_keys
from companion.screen_state import HistoryRow, HistoryTable, ScreenState

ROW_HEIGHT = 7.2
TWO_PART_ROW_HEIGHT, SECOND_LINE_HEIGHTS = 6.8, (0.0, 4.1, 9.4)
"""Height of a row with something under it, and of that, by its lines."""
HEADINGS_HEIGHT = 6.0
PADDING, COLUMN_GAP = 3.0, 3.0
WIDEST = 40.0
"""Of a column of numbers, in hundredths of the width."""


class HistoryScene:
    """The table in the middle; nobody plays, so there are neither players nor a camera."""

    def draw(self, canvas: Canvas, state: ScreenState) -> None:
        """Draws `shown`, whose view is a `TablePage`."""
        page = state.view
        assert isinstance(page, HistoryTable), "the lobby shows its history so"
        places = lay_out_screen(canvas, has_track=False)
        draw_header(canvas, places, state)
        rect = places.body
        canvas.draw_region("main", rect, page, lambda: _draw_table(canvas, rect, page))
        draw_status_line(canvas, places, state)
        draw_soft_keys(canvas, places, state)


@dataclass(frozen=True, slots=True)
class _Columns:
    """Where words and numbers stand, in pixels from a row's left edge: the right edges of the numbers."""

    words: int
    """Their width."""
    rights: tuple[int, ...]
    widths: tuple[int, ...]
    size: float
    """Of the numbers."""


def _columns(canvas: Canvas, wide: int, page: HistoryTable) -> _Columns:
    """Numbers as large as leaves the words their room."""
    for size in (HEADING_EM, BODY_EM, SMALL_EM, MIN_EM):
        widths = []
        for i, head in enumerate(page.headings):
            cells = [row.cells[i] for row in page.rows if i < len(row.cells)]
            digits = [canvas.fonts.measure_width(cell, FontWeight.BOLD, canvas.px_at_least(size)) for cell in cells]
            widths.append(
                max([*digits, canvas.fonts.measure_width(head, FontWeight.MEDIUM, canvas.px_at_least(MIN_EM))])
            )
        words = wide - sum(widths) - canvas.px(COLUMN_GAP) * len(widths)
        need = [
            canvas.fonts.measure_width(row.label, FontWeight.BOLD, canvas.px_at_least(min(size, BODY_EM)))
            for row in page.rows
        ]
        if words >= max(need, default=0):
            break
    rights, right = [], wide
    for width in reversed(widths):
        rights.append(right)
        right -= width + canvas.px(COLUMN_GAP)
    return _Columns(words, tuple(reversed(rights)), tuple(widths), size)


def _draw_table(canvas: Canvas, rect: Rect, page: HistoryTable) -> None:
    canvas.draw_panel(rect, PANEL, radius=2.4)
    if not page.rows:
        return
    inner = rect.inflate(-2 * canvas.px(PADDING), -2 * canvas.px(1.4))
    columns = _columns(canvas, inner.w - 2 * canvas.px(PADDING), page)
    head = Rect(inner.left, inner.top, inner.w, canvas.px(HEADINGS_HEIGHT) if page.headings else 0)
    if page.headings:
        _draw_row(canvas, head, columns, HistoryRow(page.label_heading, page.headings), heads=True)
    body = Rect(inner.left, head.bottom, inner.w, inner.bottom - head.bottom)
    under = _count_second_lines(canvas, columns, body.w - 2 * canvas.px(PADDING), page.rows)
    high = canvas.px(TWO_PART_ROW_HEIGHT + SECOND_LINE_HEIGHTS[under] if under else ROW_HEIGHT)
    fit = max(1, body.h // high)
    first = max(0, min(page.selected - fit // 2, len(page.rows) - fit))
    for i in range(first, min(first + fit, len(page.rows))):
        row = Rect(body.left, body.top + (i - first) * high, body.w, high - canvas.px(0.8))
        if i == page.selected:
            canvas.draw_panel(row, INK)
        _draw_row(canvas, row, columns, page.rows[i], lines=under, chosen=i == page.selected)
    if len(page.rows) > fit:
        side = Rect(rect.right - canvas.px(1.8), body.top, canvas.px(0.7), fit * high - canvas.px(0.8))
        draw_scroll_bar(canvas, side, first, fit, len(page.rows))


def _count_second_lines(canvas: Canvas, columns: _Columns, wide: int, rows: Sequence[HistoryRow]) -> int:
    """Lines that the second lines of the rows take, the same for all."""
    floor = canvas.px_at_least(MIN_EM)
    most = max(canvas.fonts.measure_width(row.detail, FontWeight.MEDIUM, floor) for row in rows)
    return 0 if not most else 1 if most <= wide else 2


def _draw_row(
    canvas: Canvas,
    row: Rect,
    columns: _Columns,
    said: HistoryRow,
    *,
    lines: int = 0,
    chosen: bool = False,
    heads: bool = False,
) -> None:
    """`lines`: of what stands under the words."""
    pad = canvas.px(PADDING)
    ink, soft = (BACKGROUND, BACKGROUND) if chosen else (MUTED, MUTED) if heads else (INK, MUTED)
    high, top = row.h, row.top
    if lines:
        # Letters that hang below their line take from the room above it, which is to be seen.
        high, top = row.h - canvas.px(SECOND_LINE_HEIGHTS[lines] + 0.7), row.top + canvas.px(0.7)
    place = Rect(row.left + pad, top, columns.words, high)
    size, weight = (MIN_EM, FontWeight.MEDIUM) if heads else (min(columns.size, BODY_EM), FontWeight.BOLD)
    canvas.draw_text(place, said.label, size, ink, weight=weight)
    for cell, right, width in zip(said.cells, columns.rights, columns.widths, strict=False):
        # Digits do not hang below their line: they need no room there, and so stand in its middle.
        place = Rect(row.left + pad + right - width, top, width, high).inflate(0, canvas.px(3))
        canvas.draw_text(place, cell, MIN_EM if heads else columns.size, ink, weight=weight, align=1.0)
    if said.detail:
        place = Rect(row.left + pad, top + high, row.w - 2 * pad, row.bottom - top - high)
        canvas.draw_text(place, said.detail, SMALL_EM, soft, max_lines=lines, vertical_align=0.3)
