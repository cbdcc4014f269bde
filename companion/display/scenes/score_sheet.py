"""How the scores of a finished game came about, beside the ranking: round by round, or line by line for a player.

The lines: `companion.journal.statistics`; the keys: `companion.referee.dialogs.score_sheet`.
"""

from collections.abc import Sequence

from companion.display.toolkit import (
    BAD,
    BUTTON_COLOURS,
    GOOD,
    INK,
    LINE,
    MUTED,
    PANEL,
    RAISED,
    TEXT_EM,
    TITLE_EM,
    Canvas,
    Rect,
    Typeface,
    format_signed,
    split_bottom,
    split_columns,
    split_grid,
    split_left,
    split_right,
    split_rows,
    split_top,
)
from companion.display.widgets import (
    RankedTeam,
    RankingColumns,
    draw_ranking_row,
    draw_score_chart,
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
HEADINGS_HEIGHT = 7.0
"""Height of the headings over the rounds, in units."""
ROUND_COLUMN_GAP = 1.6
"""Room between the points of two rounds, in units."""
SCROLL_BAR_HEIGHT = 2.0
"""Height of the bar below the rounds if not all are in view, with its gap, in units."""
MIN_COLUMNS_BESIDE_NAMES = 3
"""Rounds for which names beside them leave room at least."""
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


def draw_rounds_table(canvas: Canvas, rect: Rect, state: ScreenState, sheet: ScoreSheet) -> None:
    """Draw the ranking with the totals, and beside it the points of each round; the marked round is always in view.

    A last column holds what the rounds do not: points at the start, corrections of totals.

    Args:
        state: what is shown: players, scores, and the points of each round.
        sheet: the page; its selected line is the marked round.
    """
    inner = canvas.draw_panel(rect, PANEL, padding=(2, 2))
    head, body = split_top(inner, canvas.px(HEADINGS_HEIGHT))
    ranked = rank_players(state)
    rows = _split_ranking(canvas, body, len(ranked))
    rounds = [(str(number), points) for number, points in enumerate(state.round_points, 1)]
    other = tuple(score - sum(points[q] for _title, points in rounds) for q, score in enumerate(state.scores))
    others = [(_("Other"), other)] if any(other) else []
    gap = canvas.px(RANKING_GAP)
    width, other_width = (_measure_columns(canvas, columns) for columns in (rounds, others))
    for count in (len(rounds), min(len(rounds), MIN_COLUMNS_BESIDE_NAMES)):
        room = inner.w - gap - count * width - other_width
        ranking = measure_ranking(canvas, ranked, room, rows[0].h)
        if ranking.name:
            break

    def split_row(row: Rect) -> tuple[list[Rect], Rect]:
        beside = split_left(row, ranking.width, gap)[1]
        last, beside = split_right(beside, other_width)
        return split_grid(beside, len(shown), 1, 0) if shown else [], last

    fit = max(1, (inner.w - ranking.width - gap - other_width) // max(1, width))
    first = max(0, min(sheet.selected - fit // 2, len(rounds) - fit))
    shown = rounds[first : first + fit]
    if len(shown) < len(rounds):
        bar, body = split_bottom(body, canvas.px(SCROLL_BAR_HEIGHT))
        rows = _split_ranking(canvas, body, len(ranked))
        _draw_rounds_bar(canvas, split_left(bar, ranking.width, gap)[1], first, len(shown), len(rounds))
    cells, other_cell = split_row(head)
    if len(rounds) > 1:
        marked = cells[sheet.selected - first]
        canvas.draw_panel(Rect(marked.left, head.top, marked.w, rows[-1].bottom - head.top), RAISED)
    for (title, _points), cell in zip([*shown, *others], [*cells, other_cell], strict=False):
        canvas.draw_text(cell, title, TEXT_EM, MUTED, face=Typeface.DISPLAY, align=0.5)
    _draw_ranking(canvas, rows, state, ranked, ranking)
    for entry, row in zip(ranked, rows, strict=True):
        seat = entry.players[0].seat
        place = split_left(row, ranking.width, gap)[1]
        canvas.fill_rect(RAISED, Rect(place.left, place.bottom, place.w, canvas.px(0.2)))
        cells, other_cell = split_row(row)
        for (_title, points), cell in zip(shown, cells, strict=True):
            value = points[seat]
            tone = GOOD if value == max(points) and value > 0 else BAD if value < 0 else INK
            canvas.draw_text(cell, format_number(value), TEXT_EM, tone, face=Typeface.TABULAR, align=0.5)
        if others:
            tone = BAD if other[seat] < 0 else INK
            canvas.draw_text(other_cell, format_number(other[seat]), TEXT_EM, tone, face=Typeface.TABULAR, align=0.5)


def _measure_columns(canvas: Canvas, columns: Sequence[tuple[str, Sequence[int]]]) -> int:
    """Return the width in pixels of the widest column of points with its title, and a gap; 0: there are none."""
    texts = {text for title, points in columns for text in (title, *map(format_number, points))}
    widest = max((canvas.text_width(text, face=Typeface.TABULAR) for text in texts), default=0)
    return widest + canvas.px(ROUND_COLUMN_GAP) if texts else 0


def _draw_rounds_bar(canvas: Canvas, rect: Rect, first: int, shown: int, count: int) -> None:
    """Draw which rounds of a table are in view."""
    bar = Rect(rect.left, 0, rect.w, canvas.px(0.7))
    bar.bottom = rect.bottom
    canvas.draw_panel(bar, LINE, radius=0.3)
    width = bar.w * shown // count
    left = bar.left + (bar.w - width) * first // (count - shown)
    canvas.draw_panel(Rect(left, bar.top, width, bar.h), MUTED, radius=0.3)


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
        words, chart = split_top(body, canvas.line_px(TITLE_EM + 1), canvas.px(1))
        canvas.draw_text(words, _("No points in this game"), TITLE_EM, face=Typeface.DISPLAY)
        if len(state.round_points) > 1:
            draw_score_chart(canvas, chart, state.round_points, state.scores, rank_players(state))
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
    ranked: Sequence[RankedTeam],
    columns: RankingColumns,
    marked: int | None = None,
) -> None:
    """Draw the ranking at the left of its rows; the page is about the player on the seat `marked`."""
    winners = list_winners(state)
    for entry, row in zip(ranked, rows, strict=True):
        place, seats = split_left(row, columns.width)[0], [player.seat for player in entry.players]
        draw_ranking_row(canvas, place, entry, columns, is_winner=seats[0] in winners, is_marked=marked in seats)


def _measure_sheet_columns(canvas: Canvas, width: int, lines: Sequence[ScoreLine]) -> tuple[int, int, int, int]:
    """Return the widths of round (0: no round numbers), label, points and total within a row, in pixels."""
    total = max(canvas.text_width(format_number(line.total), face=Typeface.TABULAR) for line in lines)
    points = max(canvas.text_width(format_signed(line.points), face=Typeface.TABULAR) for line in lines)
    last = max(line.round for line in lines)
    number = canvas.text_width(str(last), face=Typeface.TABULAR) if last > 1 else 0
    room = width - total - points - number - canvas.px(SHEET_ROW_PADDING + 3 * SHEET_COLUMN_GAP)
    return number, room, points, total
