"""How the scores of a finished game came about, beside the ranking: round by round, or line by line for a player."""

from collections.abc import Sequence

from companion.display.toolkit import (
    BAD,
    BUTTON_COLOURS,
    GOOD,
    INK,
    MUTED,
    PANEL,
    RAISED,
    TEXT_EM,
    TITLE_EM,
    Canvas,
    Rect,
    Typeface,
    format_signed,
    split_columns,
    split_grid,
    split_left,
    split_rows,
    split_top,
)
from companion.display.widgets import (
    RankedPlayer,
    RankingColumns,
    draw_ranking_row,
    draw_scroll_bar,
    list_winners,
    measure_ranking,
    rank_players,
    visible_rows,
)
from companion.i18n import _, format_number
from companion.screen_state import ScoreLine, ScoreSheet, ScreenState

MAX_SHEET_LINES = 2
"""Lines of text of a line of the score sheet at most."""
OTHER_POINTS_TITLE = "±"
"""Heading of the points that are in no round."""
HEADINGS_HEIGHT = 7.0
"""Height of the headings over the rounds, in units."""
MIN_ROUND_COLUMN_WIDTH = 8.2
"""Width of a round's column at least, in units, for "−10": earlier rounds that leave less are dropped."""
MIN_COLUMNS_BESIDE_NAMES = 5
"""Columns of points, with that of the other points, for which names beside them leave room at least."""
MAX_RANKING_ROW_HEIGHT = 14.0
"""Height of a row of the ranking at most, in units."""
RANKING_ROW_GAP = 0.6
"""Room between two rows of the ranking, in units."""
RANKING_GAP = 1.4
"""Room between the ranking and what stands beside it, in units."""
SHEET_ROW_HEIGHTS = (7.6, 14.0)
"""Height of a row of the score sheet in units, by its lines of text."""
SHEET_ROW_PADDING = 2.4
"""Room at both sides of a row of the score sheet together, in units."""
SHEET_COLUMN_GAP = 1.6
"""Room between two columns of the score sheet, in units."""
MAX_RANKING_SHARE = 0.45
"""Width of the ranking with names beside a score sheet at most, as a share of the whole."""


def draw_rounds_table(canvas: Canvas, rect: Rect, state: ScreenState, _sheet: ScoreSheet) -> None:
    """Draw the ranking with the totals, and beside it the points of each round; the last rounds if not all fit.

    A last column holds what makes up the total besides: points at the start, corrections of totals, earlier rounds.

    Args:
        state: what is shown: players, scores, and the points of each round.
        _sheet: the page, which has no lines.
    """
    inner = canvas.draw_panel(rect, PANEL, padding=(2, 2))
    head, body = split_top(inner, canvas.px(HEADINGS_HEIGHT))
    ranked = rank_players(state)
    rows = _split_ranking(canvas, body, len(ranked))
    gap, column_width = canvas.px(RANKING_GAP), canvas.px(MIN_ROUND_COLUMN_WIDTH)
    needed = min(len(state.round_points) + 1, MIN_COLUMNS_BESIDE_NAMES) * column_width
    ranking = measure_ranking(canvas, ranked, inner.w - gap - needed, rows[0].h)
    fit = max(1, (inner.w - ranking.width - gap) // column_width - 1)
    columns = [(str(number), points) for number, points in enumerate(state.round_points, 1)][-fit:]
    other = tuple(score - sum(points[q] for _title, points in columns) for q, score in enumerate(state.scores))
    if any(other):
        columns.append((OTHER_POINTS_TITLE, other))
    cells = split_grid(split_left(head, ranking.width, gap)[1], len(columns), 1, 0)
    for (title, _points), cell in zip(columns, cells, strict=True):
        canvas.draw_text(cell, title, TEXT_EM, MUTED, face=Typeface.DISPLAY, align=0.5)
    _draw_ranking(canvas, rows, state, ranked, ranking)
    for entry, row in zip(ranked, rows, strict=True):
        place = split_left(row, ranking.width, gap)[1]
        canvas.fill_rect(RAISED, Rect(place.left, place.bottom, place.w, canvas.px(0.2)))
        for (title, points), cell in zip(columns, split_grid(place, len(columns), 1, 0), strict=True):
            value = points[entry.player.seat]
            is_best = value == max(points) and value > 0 and title != OTHER_POINTS_TITLE
            tone = GOOD if is_best else BAD if value < 0 else INK
            canvas.draw_text(cell, format_number(value), TEXT_EM, tone, face=Typeface.TABULAR, align=0.5)


def draw_score_sheet(canvas: Canvas, rect: Rect, state: ScreenState, sheet: ScoreSheet) -> None:
    """Draw a player's score line by line: in which round, for what, how many points, and the score after it.

    The ranking with the totals stands beside it, except in portrait.

    Args:
        state: what is shown: players and scores.
        sheet: the page: whose score, and its lines.
    """
    seat = sheet.seat or 0
    player = state.players[seat]
    if not canvas.is_portrait:
        ranked = rank_players(state)
        rows = _split_ranking(canvas, rect, len(ranked))
        ranking = measure_ranking(canvas, ranked, round(rect.w * MAX_RANKING_SHARE), rows[0].h)
        rect = split_left(rect, ranking.width, canvas.px(RANKING_GAP))[1]
        _draw_ranking(canvas, rows, state, ranked, ranking, marked=seat)
    inner = canvas.draw_panel(rect, PANEL, edge=BUTTON_COLOURS[player.button], padding=(5, 3))
    head, body = split_top(inner, canvas.px(9), canvas.px(0.6))
    name = canvas.draw_badge_left(head, player.button, canvas.px(7), gap=1.6)
    if seat < len(state.scores):
        text = format_number(state.scores[seat])
        total = canvas.draw_text(name, text, TITLE_EM, face=Typeface.DISPLAY, align=1.0)
        name.w = total.left - canvas.px(2) - name.left
    canvas.draw_text(name, player.name, TITLE_EM, face=Typeface.DISPLAY)
    if not sheet.lines:
        canvas.draw_text(body, _("Nothing was won or lost"), TEXT_EM, MUTED, max_lines=2)
        return
    widths = _measure_sheet_columns(canvas, body.w, sheet.lines)
    labels = [line.label or _("At the start") for line in sheet.lines]
    widest = max(canvas.text_width(label, face=Typeface.DISPLAY) for label in labels)
    max_lines = 1 if widest <= widths[1] else MAX_SHEET_LINES
    height = canvas.px(SHEET_ROW_HEIGHTS[max_lines - 1])
    shown = visible_rows(body, height, canvas.px(0.6), sheet.selected, len(sheet.lines))
    for i, row in shown:
        if i == sheet.selected and len(sheet.lines) > 1:
            canvas.draw_panel(row, RAISED)
        line = sheet.lines[i]
        number, label, points, total = split_columns(
            row.move(canvas.px(SHEET_ROW_PADDING / 2), 0), widths, canvas.px(SHEET_COLUMN_GAP)
        )
        if widths[0] and (i == shown[0][0] or line.round != sheet.lines[i - 1].round):
            canvas.draw_text(number, str(line.round), TEXT_EM, MUTED, face=Typeface.TABULAR, align=1.0)
        canvas.draw_text(label, labels[i], TEXT_EM, INK, face=Typeface.DISPLAY, max_lines=max_lines)
        tone = GOOD if line.points > 0 else BAD if line.points else MUTED
        canvas.draw_text(points, format_signed(line.points), TEXT_EM, tone, face=Typeface.TABULAR, align=1.0)
        canvas.draw_text(total, format_number(line.total), TEXT_EM, MUTED, face=Typeface.TABULAR, align=1.0)
    draw_scroll_bar(canvas, rect, body, shown, len(sheet.lines))


def _split_ranking(canvas: Canvas, rect: Rect, count: int) -> list[Rect]:
    """Return the rows of a ranking, as wide as `rect`."""
    return split_rows(rect, count, canvas.px(RANKING_ROW_GAP), canvas.px(MAX_RANKING_ROW_HEIGHT))


def _draw_ranking(
    canvas: Canvas,
    rows: Sequence[Rect],
    state: ScreenState,
    ranked: Sequence[RankedPlayer],
    columns: RankingColumns,
    marked: int | None = None,
) -> None:
    """Draw the ranking at the left of its rows; the page is about the player on the seat `marked`."""
    winners = list_winners(state)
    for entry, row in zip(ranked, rows, strict=True):
        place, seat = split_left(row, columns.width)[0], entry.player.seat
        draw_ranking_row(canvas, place, entry, columns, is_winner=seat in winners, is_marked=seat == marked)


def _measure_sheet_columns(canvas: Canvas, width: int, lines: Sequence[ScoreLine]) -> tuple[int, int, int, int]:
    """Return the widths of round (0: no round numbers), label, points and total within a row, in pixels."""
    bold, size = Typeface.TABULAR, canvas.px(TEXT_EM)
    total = max(canvas.fonts.measure_width(format_number(line.total), bold, size) for line in lines)
    points = max(canvas.fonts.measure_width(format_signed(line.points), bold, size) for line in lines)
    last = max(line.round for line in lines)
    number = canvas.text_width(str(last), face=Typeface.TABULAR) if last > 1 else 0
    room = width - total - points - number - canvas.px(SHEET_ROW_PADDING + 3 * SHEET_COLUMN_GAP)
    return number, room, points, total
