"""The round's page: a table that adds up, with the black sheep."""

from __future__ import annotations

from collections.abc import Sequence

from pygame import Rect

from companion.display.scenes.pictomania.parts import draw_badge
from companion.display.toolkit.canvas import Canvas
from companion.display.toolkit.layout import split_rows
from companion.display.toolkit.text import FontWeight
from companion.display.toolkit.theme import (
    BACKGROUND,
    BAD,
    GOOD,
    HEADING_EM,
    INK,
    MUTED,
    PANEL,
    RAISED,
    SMALL_EM,
    Colour,
)
from companion.games.pictomania.view import PictomaniaView, ScoreLine
from companion.i18n import N_, Translator
from companion.screen_state import Player

_ = Translator("pictomania")

HEADINGS_HEIGHT = 5.6
MAX_ROW_HEIGHT = 16.0
NUMBER_OVERLAP = 3.0
"""A number may reach beyond its line's height: nothing hangs below it."""
PART_EM, SUM_EM = 7.4, 8.6
BADGE_WIDTH, SHEEP_WIDTH = 10.0, 11.0
COLUMN_TITLES = (N_("guessed"), N_("kept"), N_("bonus"), N_("round"))
"""P33 to P36: tokens of others, own tokens that stayed, the bonus part, and the sum."""


def signed(number: int, positive: str = "+") -> str:
    """A part of a sum, with its sign; nothing is a zero without one.

    >>> signed(2), signed(-3), signed(0)
    ('+2', '−3', '0')
    """
    return f"{positive}{number}" if number > 0 else f"−{-number}" if number else "0"


def draw_score_page(canvas: Canvas, rect: Rect, view: PictomaniaView, players: Sequence[Player]) -> None:
    """Draws a line for each who took part: what was guessed, kept, the bonus, and the round's sum."""
    heading = Rect(rect.left, rect.top, rect.w, canvas.px(HEADINGS_HEIGHT))
    body = Rect(rect.left, heading.bottom, rect.w, rect.bottom - heading.bottom)
    each = split_rows(body, len(view.score_lines), canvas.px(0.7), canvas.px(MAX_ROW_HEIGHT))
    cells = _split_cells(canvas, each[0])
    for word, cell in zip(COLUMN_TITLES, cells[2:], strict=True):
        canvas.draw_text(Rect(cell.left, heading.top, cell.w, heading.h), _(word), SMALL_EM, MUTED, align=0.5)
    for line, row in zip(view.score_lines, each, strict=True):
        _draw_line(canvas, row, line, players[line.seat], sheep=line.seat == view.black_sheep)


def _split_cells(canvas: Canvas, row: Rect) -> list[Rect]:
    """Sign, sheep, and the four numbers. (The names stand at the left of the screen, in the same order.)"""
    sign = Rect(row.left, row.top, canvas.px(BADGE_WIDTH), row.h)
    sheep = Rect(sign.right, row.top, canvas.px(SHEEP_WIDTH), row.h)
    width = (row.right - canvas.px(1) - sheep.right) // 4
    return [sign, sheep, *(Rect(sheep.right + i * width, row.top, width, row.h) for i in range(4))]


def _draw_line(canvas: Canvas, row: Rect, line: ScoreLine, player: Player, *, sheep: bool) -> None:
    canvas.draw_panel(row, RAISED if sheep else PANEL)
    sign, wool, *numbers = _split_cells(canvas, row)
    draw_badge(canvas, sign.center, min(canvas.px(7), row.h - canvas.px(1.6)), player)
    if sheep:
        size = min(canvas.px(9.4), row.h - canvas.px(0.4))
        canvas.draw_disc(wool.center, size, INK)
        canvas.draw_icon("sheep", wool.center, size * 4 // 5, BACKGROUND)
    parts: tuple[tuple[str, Colour], ...] = (
        (signed(line.plus), GOOD if line.plus else MUTED),
        (signed(-line.minus), BAD if line.minus else MUTED),
        (signed(line.bonus), GOOD if line.bonus > 0 else BAD if line.bonus else MUTED),
    )
    for (text, colour), cell in zip(parts, numbers, strict=False):
        canvas.draw_text(cell.inflate(0, 2 * canvas.px(NUMBER_OVERLAP)), text, PART_EM, colour, align=0.5)
    total = numbers[-1].inflate(0, 2 * canvas.px(NUMBER_OVERLAP))
    canvas.draw_text(Rect(total.left, total.top, canvas.px(4), total.h), "=", HEADING_EM, MUTED)
    beside = Rect(total.left + canvas.px(4), total.top, total.w - canvas.px(4), total.h)
    canvas.draw_text(beside, signed(line.total, ""), SUM_EM, INK, weight=FontWeight.BOLD, align=0.5)
