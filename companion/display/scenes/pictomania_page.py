"""The round's page: a table that adds up, with the black sheep."""

from __future__ import annotations

from collections.abc import Sequence

from pygame import Rect

from companion.display.canvas import Canvas
from companion.display.grid import rows
from companion.display.scenes.pictomania_parts import badge
from companion.display.text import Weight
from companion.display.theme import BACKGROUND, BAD, BODY, GOOD, HEAD, INK, MUTED, PANEL, RAISED, SMALL, Colour
from companion.games.pictomania.view import Line, PictomaniaView
from companion.shown import Player

HEADING = 5.6
TALLEST = 12.0
SIGN, SHEEP, SUM = 9.0, 10.0, 19.0
COLUMNS = ("guessed", "kept", "bonus", "round")
"""P33 to P36: tokens of others, own tokens that stayed, the bonus part, and the sum."""


def signed(number: int, positive: str = "+") -> str:
    """A part of a sum, with its sign; nothing is a zero without one.

    >>> signed(2), signed(-3), signed(0)
    ('+2', '−3', '0')
    """
    return f"{positive}{number}" if number > 0 else f"−{-number}" if number else "0"


def table(canvas: Canvas, rect: Rect, view: PictomaniaView, players: Sequence[Player]) -> None:
    """Draws a line for each who took part: what was guessed, kept, the bonus, and the round's sum."""
    heading = Rect(rect.left, rect.top, rect.w, canvas.px(HEADING))
    body = Rect(rect.left, heading.bottom, rect.w, rect.bottom - heading.bottom)
    each = rows(body, len(view.lines), canvas.px(0.7), canvas.px(TALLEST))
    cells = _cells(canvas, each[0])
    for word, cell in zip(COLUMNS, cells[2:], strict=True):
        canvas.text(Rect(cell.left, heading.top, cell.w, heading.h), word, SMALL, MUTED, align=0.5)
    names = [players[line.seat].name for line in view.lines]
    large = canvas.common(names, HEAD, cells[1].size)
    for line, row in zip(view.lines, each, strict=True):
        _line(canvas, row, line, players[line.seat], large, sheep=line.seat == view.black_sheep)


def _cells(canvas: Canvas, row: Rect) -> list[Rect]:
    """Sign, name (with room for the sheep), and the four numbers."""
    width = canvas.px(SUM)
    first = row.right - canvas.px(1) - 4 * width
    name = row.left + canvas.px(SIGN)
    sign = Rect(row.left, row.top, canvas.px(SIGN), row.h)
    numbers = [Rect(first + i * width, row.top, width, row.h) for i in range(4)]
    return [sign, Rect(name, row.top, first - canvas.px(SHEEP) - name, row.h), *numbers]


def _line(canvas: Canvas, row: Rect, line: Line, player: Player, large: float, *, sheep: bool) -> None:
    canvas.panel(row, RAISED if sheep else PANEL)
    sign, name, *numbers = _cells(canvas, row)
    size = min(canvas.px(6), row.h - canvas.px(1.6))
    badge(canvas, sign.center, size, player)
    canvas.text(name, player.name, large, INK)
    if sheep:
        wool = min(canvas.px(8), row.h - canvas.px(0.8))
        at = (name.right + canvas.px(SHEEP) // 2, row.centery)
        canvas.disc(at, wool, INK)
        canvas.sign("sheep", at, wool * 4 // 5, BACKGROUND)
    parts: tuple[tuple[str, Colour], ...] = (
        (signed(line.plus), GOOD if line.plus else MUTED),
        (signed(-line.minus), BAD if line.minus else MUTED),
        (signed(line.bonus), GOOD if line.bonus > 0 else BAD if line.bonus else MUTED),
    )
    for (text, colour), cell in zip(parts, numbers, strict=False):
        canvas.text(cell, text, HEAD, colour, align=0.5)
    total = numbers[-1]
    canvas.text(Rect(total.left - canvas.px(1), row.top, canvas.px(4), row.h), "=", BODY, MUTED)
    beside = Rect(total.left + canvas.px(3), row.top, total.w - canvas.px(3), row.h)
    canvas.text(beside, signed(line.total, ""), HEAD * 1.25, INK, weight=Weight.BOLD, align=0.5)
