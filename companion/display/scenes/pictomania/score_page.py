"""The round's page: a table that adds up, with the black sheep."""

from __future__ import annotations

from collections.abc import Sequence

from pygame import Rect

from companion.display.scenes.pictomania.parts import badge
from companion.display.toolkit.canvas import Canvas
from companion.display.toolkit.layout import rows
from companion.display.toolkit.text import Weight
from companion.display.toolkit.theme import BACKGROUND, BAD, GOOD, HEAD, INK, MUTED, PANEL, RAISED, SMALL, Colour
from companion.games.pictomania.view import Line, PictomaniaView
from companion.i18n import N_, Words
from companion.screen_state import Player

_ = Words("pictomania")

HEADING = 5.6
TALLEST = 16.0
HANGS = 3.0
"""A number may reach beyond its line's height: nothing hangs below it."""
PART, SUM = 7.4, 8.6
SIGN, SHEEP = 10.0, 11.0
COLUMNS = (N_("guessed"), N_("kept"), N_("bonus"), N_("round"))
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
        canvas.text(Rect(cell.left, heading.top, cell.w, heading.h), _(word), SMALL, MUTED, align=0.5)
    for line, row in zip(view.lines, each, strict=True):
        _line(canvas, row, line, players[line.seat], sheep=line.seat == view.black_sheep)


def _cells(canvas: Canvas, row: Rect) -> list[Rect]:
    """Sign, sheep, and the four numbers. (The names stand at the left of the screen, in the same order.)"""
    sign = Rect(row.left, row.top, canvas.px(SIGN), row.h)
    sheep = Rect(sign.right, row.top, canvas.px(SHEEP), row.h)
    width = (row.right - canvas.px(1) - sheep.right) // 4
    return [sign, sheep, *(Rect(sheep.right + i * width, row.top, width, row.h) for i in range(4))]


def _line(canvas: Canvas, row: Rect, line: Line, player: Player, *, sheep: bool) -> None:
    canvas.panel(row, RAISED if sheep else PANEL)
    sign, wool, *numbers = _cells(canvas, row)
    badge(canvas, sign.center, min(canvas.px(7), row.h - canvas.px(1.6)), player)
    if sheep:
        size = min(canvas.px(9.4), row.h - canvas.px(0.4))
        canvas.disc(wool.center, size, INK)
        canvas.sign("sheep", wool.center, size * 4 // 5, BACKGROUND)
    parts: tuple[tuple[str, Colour], ...] = (
        (signed(line.plus), GOOD if line.plus else MUTED),
        (signed(-line.minus), BAD if line.minus else MUTED),
        (signed(line.bonus), GOOD if line.bonus > 0 else BAD if line.bonus else MUTED),
    )
    for (text, colour), cell in zip(parts, numbers, strict=False):
        canvas.text(cell.inflate(0, 2 * canvas.px(HANGS)), text, PART, colour, align=0.5)
    total = numbers[-1].inflate(0, 2 * canvas.px(HANGS))
    canvas.text(Rect(total.left, total.top, canvas.px(4), total.h), "=", HEAD, MUTED)
    beside = Rect(total.left + canvas.px(4), total.top, total.w - canvas.px(4), total.h)
    canvas.text(beside, signed(line.total, ""), SUM, INK, weight=Weight.BOLD, align=0.5)
