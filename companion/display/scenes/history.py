"""What was played here before: a table over the whole width, a page at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pygame import Rect

from companion.display.toolkit.canvas import Canvas
from companion.display.toolkit.layout import grid
from companion.display.toolkit.text import Weight
from companion.display.toolkit.theme import BACKGROUND, BODY, FLOOR, HEAD, INK, MUTED, PANEL, SMALL
from companion.display.widgets.dialog import rail
from companion.display.widgets.header import header, status
from companion.display.widgets.soft_keys import keys
from companion.screen_state import Shown, TablePage, TableRow

ROW = 7.2
CLOSE, UNDER = 6.8, (0.0, 4.1, 9.4)
"""Height of a row with something under it, and of that, by its lines."""
HEADS = 6.0
PAD, BETWEEN = 3.0, 3.0
WIDEST = 40.0
"""Of a column of numbers, in hundredths of the width."""


class HistoryScene:
    """The table in the middle; nobody plays, so there are neither players nor a camera."""

    def draw(self, canvas: Canvas, shown: Shown) -> None:
        """Draws `shown`, whose view is a `TablePage`."""
        page = shown.view
        assert isinstance(page, TablePage), "the lobby shows its history so"
        places = grid(canvas, track=False)
        header(canvas, places, shown)
        rect = places.body
        canvas.part("main", rect, page, lambda: _table(canvas, rect, page))
        status(canvas, places, shown)
        keys(canvas, places, shown)


@dataclass(frozen=True, slots=True)
class _Columns:
    """Where words and numbers stand, in pixels from a row's left edge: the right edges of the numbers."""

    words: int
    """Their width."""
    rights: tuple[int, ...]
    widths: tuple[int, ...]
    size: float
    """Of the numbers."""


def _columns(canvas: Canvas, wide: int, page: TablePage) -> _Columns:
    """Numbers as large as leaves the words their room."""
    for size in (HEAD, BODY, SMALL, FLOOR):
        widths = []
        for i, head in enumerate(page.heads):
            cells = [row.cells[i] for row in page.rows if i < len(row.cells)]
            digits = [canvas.type.width(cell, Weight.BOLD, canvas.floor(size)) for cell in cells]
            widths.append(max([*digits, canvas.type.width(head, Weight.MEDIUM, canvas.floor(FLOOR))]))
        words = wide - sum(widths) - canvas.px(BETWEEN) * len(widths)
        need = [canvas.type.width(row.words, Weight.BOLD, canvas.floor(min(size, BODY))) for row in page.rows]
        if words >= max(need, default=0):
            break
    rights, right = [], wide
    for width in reversed(widths):
        rights.append(right)
        right -= width + canvas.px(BETWEEN)
    return _Columns(words, tuple(reversed(rights)), tuple(widths), size)


def _table(canvas: Canvas, rect: Rect, page: TablePage) -> None:
    canvas.panel(rect, PANEL, radius=2.4)
    if not page.rows:
        return
    inner = rect.inflate(-2 * canvas.px(PAD), -2 * canvas.px(1.4))
    columns = _columns(canvas, inner.w - 2 * canvas.px(PAD), page)
    head = Rect(inner.left, inner.top, inner.w, canvas.px(HEADS) if page.heads else 0)
    if page.heads:
        _row(canvas, head, columns, TableRow(page.name, page.heads), heads=True)
    body = Rect(inner.left, head.bottom, inner.w, inner.bottom - head.bottom)
    under = _under(canvas, columns, body.w - 2 * canvas.px(PAD), page.rows)
    high = canvas.px(CLOSE + UNDER[under] if under else ROW)
    fit = max(1, body.h // high)
    first = max(0, min(page.selected - fit // 2, len(page.rows) - fit))
    for i in range(first, min(first + fit, len(page.rows))):
        row = Rect(body.left, body.top + (i - first) * high, body.w, high - canvas.px(0.8))
        if i == page.selected:
            canvas.panel(row, INK)
        _row(canvas, row, columns, page.rows[i], lines=under, chosen=i == page.selected)
    if len(page.rows) > fit:
        side = Rect(rect.right - canvas.px(1.8), body.top, canvas.px(0.7), fit * high - canvas.px(0.8))
        rail(canvas, side, first, fit, len(page.rows))


def _under(canvas: Canvas, columns: _Columns, wide: int, rows: Sequence[TableRow]) -> int:
    """Lines that the second lines of the rows take, the same for all."""
    floor = canvas.floor(FLOOR)
    most = max(canvas.type.width(row.under, Weight.MEDIUM, floor) for row in rows)
    return 0 if not most else 1 if most <= wide else 2


def _row(
    canvas: Canvas,
    row: Rect,
    columns: _Columns,
    said: TableRow,
    *,
    lines: int = 0,
    chosen: bool = False,
    heads: bool = False,
) -> None:
    """`lines`: of what stands under the words."""
    pad = canvas.px(PAD)
    ink, soft = (BACKGROUND, BACKGROUND) if chosen else (MUTED, MUTED) if heads else (INK, MUTED)
    high, top = row.h, row.top
    if lines:
        # Letters that hang below their line take from the room above it, which is to be seen.
        high, top = row.h - canvas.px(UNDER[lines] + 0.7), row.top + canvas.px(0.7)
    place = Rect(row.left + pad, top, columns.words, high)
    size, weight = (FLOOR, Weight.MEDIUM) if heads else (min(columns.size, BODY), Weight.BOLD)
    canvas.text(place, said.words, size, ink, weight=weight)
    for cell, right, width in zip(said.cells, columns.rights, columns.widths, strict=False):
        # Digits do not hang below their line: they need no room there, and so stand in its middle.
        place = Rect(row.left + pad + right - width, top, width, high).inflate(0, canvas.px(3))
        canvas.text(place, cell, FLOOR if heads else columns.size, ink, weight=weight, align=1.0)
    if said.under:
        place = Rect(row.left + pad, top + high, row.w - 2 * pad, row.bottom - top - high)
        canvas.text(place, said.under, SMALL, soft, lines=lines, upright=0.3)
