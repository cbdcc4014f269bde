"""The result: the ranking with the winners, the chart of their scores, and how each score came about."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pygame import Rect

from companion.display.highlights import describe_highlights
from companion.display.scenes.base import GameScene, draw_frame
from companion.display.toolkit import (
    BACKGROUND,
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
    Colour,
    Tone,
    Typeface,
    format_signed,
    lay_out_screen,
    split_bottom,
    split_columns,
    split_grid,
    split_left,
    split_rows,
    split_top,
)
from companion.display.widgets import (
    draw_dialog_if_open,
    draw_score_chart,
    draw_scroll_bar,
    visible_rows,
)
from companion.games.api.game import Seat
from companion.i18n import Translator, format_number
from companion.screen_state import Player, ScoreLine, ScoreSheet, ScreenState

_ = Translator("companion")

MAX_DETAIL_LINES = 2
"""Lines of a detail, or of a line of the score sheet, at most."""
DETAIL_PITCH_EM = 1.22
"""Distance of two baselines of the details, in em."""
WIDE_RANKING_PERCENT = 52
"""Width of the ranking beside a few lines, in percent of the body."""
RANKING_PERCENT = 44
"""Width of the ranking beside a chart or a table, in percent of the body."""
HOLD_HINT_PADDING = 8.0
"""Room around the hint on holding a button in the status line, in units."""
HIGHLIGHT_LINE_HEIGHT = 5.0
"""Height of a line under the chart, in units."""
MAX_HIGHLIGHT_LINES = 3
"""Lines of a highlight at most."""
MAX_PLAYERS_ABOVE_REASON = 4
"""Most players whose ranking leaves room for the reason of the end under it."""
MIN_CHART_PERCENT = 58
"""Height of the chart at least, in percent of its place: highlights that leave less are dropped."""
OTHER_POINTS_TITLE = "±"
"""Heading of the points that are in no round."""
MIN_ROUND_COLUMN_WIDTH = 6.2
"""Width of a round's column at least, in units: earlier rounds that leave less are dropped."""
RANKING_CELL_HEIGHT = 15.2
"""Height of a place of the ranking in portrait, in units."""
SHEET_ROW_HEIGHTS = (6.0, 9.6)
"""Height of a row of the score sheet in units, by its lines of text."""
SHEET_ROW_PADDING = 2.4
"""Room at both sides of a row of the score sheet together, in units."""
SHEET_COLUMN_GAP = 1.6
"""Room between two columns of the score sheet, in units."""


def rank_players(state: ScreenState) -> list[tuple[int, Player, int]]:
    """Rank the players by their scores, best first; equal scores share a rank and keep the order of the seats.

    Args:
        state: Gives players and scores; a seat without a score counts as 0 points.

    Returns:
        Rank (from 1; after two first comes the third), player and score of each player.
    """
    scored = [(p, state.scores[p.seat] if p.seat < len(state.scores) else 0) for p in state.players]
    ordered = sorted(scored, key=lambda entry: -entry[1])
    return [(1 + sum(other > score for _, other in ordered), player, score) for player, score in ordered]


def draw_result_screen(canvas: Canvas, state: ScreenState, scene: GameScene[Any]) -> None:
    """Draw a finished game: ranking, and beside it the chart, the game's own result, or a page of the score sheet.

    What is unchanged since the last frame is not painted again. Call it within `Canvas.frame`.

    Args:
        canvas: Where it is drawn.
        state: What is shown; it has at least one player.
        scene: The game's own scene; if it has a result of its own, that is drawn in place of the chart.

    Raises:
        IndexError: There are no players, or a seat has no player.
        pygame.error: The screen is too small, so that a part would have a negative size.
    """
    layout = lay_out_screen(canvas)
    body, gap = layout.body, canvas.px(2)
    has_own_result = scene.HAS_OWN_RESULT
    is_beside = body.w > body.h
    if is_beside:
        is_table = has_own_result or state.round_points or state.score_sheet
        left, right = split_left(body, body.w * (RANKING_PERCENT if is_table else WIDE_RANKING_PERCENT) // 100, gap)
    else:
        rows = -(-len(state.players) // 3)
        left, right = split_top(body, canvas.px(rows * RANKING_CELL_HEIGHT), gap)
    reason = state.outcome.reason if state.outcome else ""
    in_status = _fits_status(canvas, layout.status, state, reason)
    winners = _get_winners(state)
    active = winners[0] if len(winners) == 1 else None
    draw_frame(canvas, layout, replace(state, last_move=reason) if in_status else state, active)
    is_short = len(state.players) <= MAX_PLAYERS_ABOVE_REASON
    if reason and not in_status and has_own_result and is_beside and is_short:
        # A game's own table needs its height more than a short ranking does.
        reason_rect, left = split_bottom(left, _texts_height(canvas, [reason], left.w), gap)
        texts = [(reason, INK)]
        canvas.draw_region("reason", reason_rect, reason, lambda: _draw_texts(canvas, reason_rect, texts))
        reason = ""
    content = (state.players, state.scores, winners)
    canvas.draw_region("players", left, content, lambda: _draw_ranking(canvas, left, state))
    sheet = state.score_sheet
    if draw_dialog_if_open(canvas, right, state):
        return
    if sheet is not None:
        shown = (sheet, state.round_points, state.scores, state.players)
        draw = _draw_rounds_table if sheet.seat is None else _draw_score_sheet
        canvas.draw_region("main", right, shown, lambda: draw(canvas, right, state, sheet))
    else:
        _draw_ending(canvas, right, state, scene, "" if in_status else reason)


def _draw_ending(canvas: Canvas, rect: Rect, state: ScreenState, scene: GameScene[Any], reason: str) -> None:
    """Draw the chart, or the game's own result; under it the reason of the end if given, and the highlights."""
    texts = [reason] if reason else []
    if not scene.HAS_OWN_RESULT:
        texts += describe_highlights(
            state.round_points, state.scores, state.players, _get_winners(state), scene.HIGHLIGHT_TEXTS
        )
    # The chart gets the room that is left; the last highlights are dropped if that is too little.
    while len(texts) > bool(reason):
        if rect.h - _texts_height(canvas, texts, rect.w) >= rect.h * MIN_CHART_PERCENT // 100:
            break
        texts.pop()
    upper = rect
    if texts:
        lower, upper = split_bottom(rect, _texts_height(canvas, texts, rect.w), canvas.px(2))
        toned = [(text, INK if text == reason else MUTED) for text in texts]
        canvas.draw_region("reason", lower, tuple(texts), lambda: _draw_texts(canvas, lower, toned))
    content = (state.details, state.round_points, state.view, state.players, state.scores)
    canvas.draw_region("main", upper, content, lambda: _draw_scores(canvas, upper, state, scene))


def _draw_scores(canvas: Canvas, rect: Rect, state: ScreenState, scene: GameScene[Any]) -> None:
    """Draw how the scores came about: the game's own result, the chart, or the details."""
    if scene.HAS_OWN_RESULT:
        scene.draw_result(canvas, rect, state)
    elif len(state.round_points) > 1:
        order = [player.seat for _rank, player, _score in rank_players(state)]
        draw_score_chart(canvas, rect, state.round_points, state.scores, state.players, order)
    else:
        _draw_details(canvas, rect, state.details)


def _get_winners(state: ScreenState) -> tuple[Seat, ...]:
    return state.outcome.winners if state.outcome else ()


def _texts_height(canvas: Canvas, texts: Sequence[str], width: int) -> int:
    """Return the height in pixels of a panel of texts."""
    count = sum(canvas.count_lines(text, width - 2 * canvas.px(3), MAX_HIGHLIGHT_LINES) for text in texts)
    return count * canvas.px(HIGHLIGHT_LINE_HEIGHT) + 2 * canvas.px(2)


def _draw_texts(canvas: Canvas, rect: Rect, texts: Sequence[tuple[str, Tone]]) -> None:
    """Draw texts one under the other, each in its colour."""
    canvas.draw_panel(rect, PANEL)
    place = rect.inflate(-2 * canvas.px(3), -2 * canvas.px(2))
    for text, tone in texts:
        count = canvas.count_lines(text, place.w, MAX_HIGHLIGHT_LINES)
        line, place = split_top(place, count * canvas.px(HIGHLIGHT_LINE_HEIGHT))
        canvas.draw_text(line, text, TEXT_EM, tone, max_lines=count)


def _fits_status(canvas: Canvas, rect: Rect, state: ScreenState, text: str) -> bool:
    """Return whether a text is short enough for the status line, beside the hint on holding a button."""
    size, max_lines = canvas.px(TEXT_EM), 2 if canvas.is_portrait else 1
    hints = [canvas.fonts.measure_width(key.label, Typeface.TEXT, size) for key in state.soft_keys if key.is_hold]
    room = rect.w - max(hints, default=0) // max_lines - canvas.px(HOLD_HINT_PADDING)
    return canvas.min_text_width(text, max_lines) <= room


def _draw_ranking(canvas: Canvas, rect: Rect, state: ScreenState) -> None:
    draw = _draw_ranking_cells if rect.w > 2 * rect.h else _draw_ranking_rows
    draw(canvas, rect, rank_players(state), _get_winners(state))


def _draw_place(canvas: Canvas, rect: Rect, player: Player, *, won: bool) -> tuple[Colour, Colour, Typeface]:
    """Draw the ground of a place of the ranking; return the colours of text and badge on it, and the text's weight."""
    colour = BUTTON_COLOURS[player.button]
    canvas.draw_panel(rect, colour if won else PANEL)
    return (BACKGROUND, BACKGROUND, Typeface.DISPLAY) if won else (INK, colour, Typeface.TEXT)


def _draw_ranking_rows(
    canvas: Canvas, rect: Rect, ranked: Sequence[tuple[int, Player, int]], winners: Sequence[Seat]
) -> None:
    """Draw the ranking one under the other: rank, badge, name, score."""
    bold = Typeface.DISPLAY
    rows = split_rows(rect, len(ranked), canvas.px(0.7), canvas.px(15))
    height = rows[0].h
    badge = min(canvas.px(7.5), height - canvas.px(2.4))
    largest = max(TITLE_EM, min(16.0, height / canvas.unit_px))
    digits = max(canvas.fonts.measure_width(str(score), bold, canvas.px(largest)) for _, _, score in ranked)
    margin = canvas.px(2)
    left = margin + canvas.px(8) + badge + margin
    room = rect.w - left - digits - canvas.px(4)
    size = canvas.find_common_size([player.name for _, player, _ in ranked], TEXT_EM, (room, height), bold)
    for (rank, player, score), row in zip(ranked, rows, strict=True):
        won = player.seat in winners
        ink, badge_colour, face = _draw_place(canvas, row, player, won=won)
        number = Rect(row.left + margin, row.top, canvas.px(8), row.h)
        canvas.draw_text(number, f"{rank}.", TEXT_EM, ink if won else MUTED, face=bold)
        canvas.draw_badge(player.button, (number.right + badge // 2, row.centery), badge, badge_colour)
        place = Rect(row.right - margin - digits, row.top, digits, row.h)
        canvas.draw_text(place, str(score), largest, ink, face=bold, align=1.0)
        canvas.draw_text(Rect(row.left + left, row.top, room, row.h), player.name, size, ink, face=face)


def _draw_ranking_cells(
    canvas: Canvas, rect: Rect, ranked: Sequence[tuple[int, Player, int]], winners: Sequence[Seat]
) -> None:
    """Draw the ranking in cells, row by row: rank and name over badge and score."""
    bold = Typeface.DISPLAY
    cells = split_grid(rect, 3, 2, canvas.px(1))
    room = (cells[0].w - canvas.px(3), canvas.px(5.2))
    names = [f"{rank}. {player.name}" for rank, player, _ in ranked]
    size = canvas.find_common_size(names, TEXT_EM, room, bold)
    digits = (room[0] - canvas.px(8), cells[0].h - room[1] - canvas.px(1))
    largest = max(TITLE_EM, min(16.0, digits[1] / canvas.unit_px))
    scores = (str(score) for *_, score in ranked)
    score_size = max(TITLE_EM, canvas.find_common_size(scores, largest, digits, bold))
    for (_rank, player, score), name, cell in zip(ranked, names, cells, strict=False):
        ink, badge_colour, face = _draw_place(canvas, cell, player, won=player.seat in winners)
        head = Rect(cell.left + canvas.px(1.5), cell.top + canvas.px(1), *room)
        canvas.draw_text(head, name, size, ink, face=face)
        under = Rect(head.left, head.bottom, room[0], cell.bottom - canvas.px(0.6) - head.bottom)
        badge = min(canvas.px(6.6), under.h)
        canvas.draw_badge(player.button, (under.left + badge // 2, under.centery), badge, badge_colour)
        canvas.draw_text(under, str(score), score_size, ink, face=bold, align=1.0)


def _draw_score_sheet(canvas: Canvas, rect: Rect, state: ScreenState, sheet: ScoreSheet) -> None:
    """Draw a player's score line by line: in which round, for what, how many points, and the score after it."""
    player = state.players[sheet.seat or 0]
    inner = canvas.draw_panel(rect, PANEL, edge=BUTTON_COLOURS[player.button], padding=(5, 3))
    head, body = split_top(inner, canvas.px(6), canvas.px(0.6))
    name = canvas.draw_badge_left(head, player.button, canvas.px(5), gap=1.6)
    canvas.draw_text(name, player.name, TEXT_EM, face=Typeface.DISPLAY)
    if not sheet.lines:
        canvas.draw_text(body, _("Nothing was won or lost"), TEXT_EM, MUTED, max_lines=2)
        return
    widths = _measure_sheet_columns(canvas, body.w, sheet.lines)
    labels = [line.label or _("At the start") for line in sheet.lines]
    max_lines = 1 if max(map(canvas.text_width, labels)) <= widths[1] else MAX_DETAIL_LINES
    height = canvas.px(SHEET_ROW_HEIGHTS[max_lines - 1])
    rows = visible_rows(body, height, canvas.px(0.6), sheet.selected, len(sheet.lines))
    for i, row in rows:
        if i == sheet.selected and len(sheet.lines) > 1:
            canvas.draw_panel(row, RAISED)
        line = sheet.lines[i]
        inner = row.move(canvas.px(SHEET_ROW_PADDING / 2), 0)
        number, label, points, total = split_columns(inner, widths, canvas.px(SHEET_COLUMN_GAP))
        if widths[0] and (i == rows[0][0] or line.round != sheet.lines[i - 1].round):
            canvas.draw_text(number, str(line.round), TEXT_EM, MUTED, align=1.0)
        canvas.draw_text(label, labels[i], TEXT_EM, INK, max_lines=max_lines)
        tone = GOOD if line.points > 0 else BAD if line.points else MUTED
        canvas.draw_text(points, format_signed(line.points), TEXT_EM, tone, face=Typeface.DISPLAY, align=1.0)
        canvas.draw_text(total, format_number(line.total), TEXT_EM, MUTED, face=Typeface.DISPLAY, align=1.0)
    draw_scroll_bar(canvas, rect, body, rows, len(sheet.lines))


def _measure_sheet_columns(canvas: Canvas, width: int, lines: Sequence[ScoreLine]) -> tuple[int, int, int, int]:
    """Return the widths of round (0: no round numbers), label, points and total within a row, in pixels."""
    bold, size = Typeface.DISPLAY, canvas.px(TEXT_EM)
    total = max(canvas.fonts.measure_width(format_number(line.total), bold, size) for line in lines)
    points = max(canvas.fonts.measure_width(format_signed(line.points), bold, size) for line in lines)
    last = max(line.round for line in lines)
    number = canvas.text_width(str(last)) if last > 1 else 0
    room = width - total - points - number - canvas.px(SHEET_ROW_PADDING + 3 * SHEET_COLUMN_GAP)
    return number, room, points, total


def _draw_rounds_table(canvas: Canvas, rect: Rect, state: ScreenState, _sheet: ScoreSheet) -> None:
    """Draw the points of each round, a row per player in the order of the ranking; the last rounds if not all fit.

    A last column holds what makes up the score besides: points at the start, corrections of totals, earlier rounds.
    """
    inner = canvas.draw_panel(rect, PANEL, padding=(3, 2))
    badge = canvas.px(6)
    fit = max(1, (inner.w - badge) // canvas.px(MIN_ROUND_COLUMN_WIDTH) - 1)
    columns = [(str(number), points) for number, points in enumerate(state.round_points, 1)][-fit:]
    other = tuple(score - sum(points[q] for _title, points in columns) for q, score in enumerate(state.scores))
    if any(other):
        columns.append((OTHER_POINTS_TITLE, other))
    head, body = split_top(inner, canvas.px(5))
    for (title, _points), cell in zip(columns, split_grid(split_left(head, badge)[1], len(columns), 1, 0), strict=True):
        canvas.draw_text(cell, title, TEXT_EM, MUTED, align=0.5)
    ranked = rank_players(state)
    for (_rank, player, _score), row in zip(
        ranked, split_rows(body, len(ranked), canvas.px(0.5), canvas.px(10)), strict=True
    ):
        canvas.fill_rect(RAISED, Rect(row.left, row.bottom, row.w, canvas.px(0.2)))
        canvas.draw_badge(player.button, (row.left + badge * 2 // 5, row.centery), canvas.px(4.4))
        cells = split_grid(split_left(row, badge)[1], len(columns), 1, 0)
        for (title, points), cell in zip(columns, cells, strict=True):
            value = points[player.seat]
            is_best = value == max(points) and value > 0 and title != OTHER_POINTS_TITLE
            tone, face = (GOOD, Typeface.DISPLAY) if is_best else (BAD if value < 0 else INK, Typeface.TEXT)
            canvas.draw_text(cell, format_number(value), TEXT_EM, tone, face=face, align=0.5)


def _draw_details(canvas: Canvas, rect: Rect, lines: Sequence[str]) -> None:
    """Draw the last lines that fit: people talk about how the game ended."""
    rest = canvas.draw_panel(rect, PANEL, padding=(4, 2))
    for line in reversed(lines):
        count = canvas.count_lines(line, rest.w, MAX_DETAIL_LINES)
        height = count * canvas.px(DETAIL_PITCH_EM * TEXT_EM)
        if height > rest.h:
            break
        row, rest = split_bottom(rest, height)
        canvas.draw_text(row, line, TEXT_EM, INK if line is lines[-1] else MUTED, max_lines=count)
