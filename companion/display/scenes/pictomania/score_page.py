"""The page of a round of Pictomania: a table that adds up, with the black sheep."""

from collections.abc import Sequence

from pygame import Rect

from companion.display.toolkit import (
    BACKGROUND,
    BAD,
    GOOD,
    HEADING_EM,
    INK,
    MUTED,
    PANEL,
    RAISED,
    SMALL_EM,
    Canvas,
    Colour,
    FontWeight,
    format_signed,
    split_grid,
    split_left,
    split_rows,
    split_top,
)
from companion.games.pictomania.state import PictomaniaScoreLine, PictomaniaState
from companion.i18n import N_, Translator, format_number
from companion.screen_state import Player

_ = Translator("pictomania")

HEADINGS_HEIGHT = 5.6
"""Height of the headings, in units."""
MAX_ROW_HEIGHT = 16.0
"""Height of a player's row at most, in units."""
NUMBER_OVERLAP = 3.0
"""How far a number's box reaches beyond its row, in units: digits have no descenders."""
PART_EM = 7.4
"""Size of the parts of the sum, in units."""
SUM_EM = 8.6
"""Size of the sum, in units."""
BADGE_WIDTH = 10.0
"""Width of the badges, in units."""
SHEEP_WIDTH = 11.0
"""Width of the black sheep's sign, in units."""
COLUMN_TITLES = (N_("guessed"), N_("kept"), N_("bonus"), N_("round"))
"""P33 to P36: tokens of others, own tokens that stayed, the bonus part, and the sum."""


def draw_score_page(canvas: Canvas, rect: Rect, view: PictomaniaState, players: Sequence[Player]) -> None:
    """Draw a row for each player: tokens guessed, tokens kept, the bonus, and the round's sum (P33 to P36).

    Args:
        canvas: Where it is drawn, while a region is painted.
        rect: Its place in pixels.
        view: What is shown of the game.
        players: The players, by seat.

    Raises:
        IndexError: A seat in the view has no player.
    """
    head, body = split_top(rect, canvas.px(HEADINGS_HEIGHT))
    rows = split_rows(body, len(view.score_lines), canvas.px(0.7), canvas.px(MAX_ROW_HEIGHT))
    for title, cell in zip(COLUMN_TITLES, _split_cells(canvas, head)[2:], strict=True):
        canvas.draw_text(cell, _(title), SMALL_EM, MUTED, align=0.5)
    for line, row in zip(view.score_lines, rows, strict=True):
        _draw_line(canvas, row, line, players[line.seat], is_black_sheep=line.seat == view.black_sheep)


def _split_cells(canvas: Canvas, row: Rect) -> list[Rect]:
    """Return the places of badge, sheep and the four numbers; the names stand at the left of the screen."""
    badge, rest = split_left(row, canvas.px(BADGE_WIDTH))
    sheep, rest = split_left(rest, canvas.px(SHEEP_WIDTH))
    rest.w -= canvas.px(1)
    return [badge, sheep, *split_grid(rest, len(COLUMN_TITLES), 1, 0)]


def _draw_line(canvas: Canvas, row: Rect, line: PictomaniaScoreLine, player: Player, *, is_black_sheep: bool) -> None:
    canvas.draw_panel(row, RAISED if is_black_sheep else PANEL)
    badge, sheep, *numbers = _split_cells(canvas, row)
    canvas.draw_badge(player.button, badge.center, max(1, min(canvas.px(7), row.h - canvas.px(1.6))))
    if is_black_sheep:
        size = min(canvas.px(9.4), row.h - canvas.px(0.4))
        canvas.draw_disc(sheep.center, size, INK)
        canvas.draw_icon("sheep", sheep.center, size * 4 // 5, BACKGROUND)
    parts: tuple[tuple[int, Colour], ...] = (
        (line.plus, GOOD),
        (-line.minus, BAD),
        (line.bonus, GOOD if line.bonus > 0 else BAD),
    )
    numbers = [cell.inflate(0, 2 * canvas.px(NUMBER_OVERLAP)) for cell in numbers]
    for (number, colour), cell in zip(parts, numbers, strict=False):
        canvas.draw_text(cell, format_signed(number), PART_EM, colour if number else MUTED, align=0.5)
    equals, total = split_left(numbers[-1], canvas.px(4))
    canvas.draw_text(equals, "=", HEADING_EM, MUTED)
    canvas.draw_text(total, format_number(line.total), SUM_EM, INK, weight=FontWeight.BOLD, align=0.5)
