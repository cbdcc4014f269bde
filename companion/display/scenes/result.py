"""The result: the ranking with the winners, the chart of their scores, and how each score came about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, runtime_checkable

from pygame import Rect

from companion.display.highlights import describe_highlights
from companion.display.scenes.base import GameScene
from companion.display.toolkit.canvas import Canvas
from companion.display.toolkit.layout import lay_out_screen, split_rows
from companion.display.toolkit.text import FontWeight
from companion.display.toolkit.theme import (
    BACKGROUND,
    BAD,
    BODY_EM,
    BUTTON_COLOURS,
    GOOD,
    HEADING_EM,
    INK,
    MIN_EM,
    MIN_FAR_EM,
    MUTED,
    PANEL,
    RAISED,
    SEAT_SHAPES,
    SMALL_EM,
    Tone,
)
from companion.display.widgets.dialog import draw_dialog_if_open, draw_scroll_bar
from companion.display.widgets.header import draw_header, draw_status_line
from companion.display.widgets.players import columns_for, format_signed
from companion.display.widgets.score_chart import draw_score_chart
from companion.display.widgets.soft_keys import draw_soft_keys
from companion.games.api.game import Outcome, Seat
from companion.i18n import Translator, format_number
from companion.screen_state import Player, ScoreLine, ScoreSheet, ScreenState

_ = Translator("companion")

MAX_DETAIL_LINES = 2
LINE_PITCH_EM = 1.22
WIDE_RANKING_PERCENT, RANKING_PERCENT = 52, 44
"""Of the width, in hundredths: the ranking beside a few lines, and beside a table."""
HOLD_HINT_PADDING = 8.0
"""Of the status line: what stands round the words on holding a button."""
HIGHLIGHT_LINE_HEIGHT = 5.0
"""Height of a line under the chart."""
MAX_HIGHLIGHT_LINES = 3
MAX_PLAYERS_ABOVE_REASON = 4
"""Players that leave the ranking room for the reason under it."""
MIN_CHART_PERCENT = 58
"""Of the height, in hundredths: the chart at least."""
MIN_ROUND_COLUMN_WIDTH = 6.2
"""Width of a round's column at least."""
RANKING_CELL_HEIGHT = 15.2
"""Height of a place of the ranking where they stand in columns."""
SHEET_ROW_HEIGHTS = (6.0, 9.6)
"""Height of a line of the score sheet, by its lines of words."""
SHEET_ROW_PADDING, SHEET_COLUMN_GAP = 2.4, 1.6
"""Within such a line."""


@runtime_checkable
class ResultDrawer(Protocol):
    """A game's scene that shows how each score came about."""

    def draw_result(self, canvas: Canvas, rect: Rect, shown: ScreenState) -> None:
        """Draws it within `rect`, which is cleared."""
        ...


def rank_players(state: ScreenState) -> list[tuple[int, Player, int]]:
    """Rank, player and score, best first; equal scores share a rank."""
    scored = [(p, state.scores[p.seat] if p.seat < len(state.scores) else 0) for p in state.players]
    ordered = sorted(scored, key=lambda entry: -entry[1])
    return [(1 + sum(other > score for _, other in ordered), player, score) for player, score in ordered]


class ResultScene:
    """The ranking where the players stood, wider; beside it (upright: under it) the chart of the scores, the best
    moments and why the game ended, or a page of the score sheet.

    Args:
        own: the game's own scene. If it has a `result(canvas, rect, shown)`, that draws how the scores came about in
            place of the chart.
    """

    def __init__(self, own: GameScene[Any]) -> None:
        self._own = own if isinstance(own, ResultDrawer) else None
        self._telling = own.HIGHLIGHT_TEXTS

    def draw(self, canvas: Canvas, state: ScreenState) -> None:
        places = lay_out_screen(canvas, has_track=False)
        winners = _get_winners(state)
        draw_header(canvas, places, state, winners[0] if len(winners) == 1 else None)
        whole = places.body
        gap = canvas.px(2)
        if whole.w > whole.h:
            wide = RANKING_PERCENT if self._own or state.round_points or state.score_sheet else WIDE_RANKING_PERCENT
            left = Rect(whole.left, whole.top, whole.w * wide // 100, whole.h)
            right = Rect(left.right + gap, left.top, whole.right - left.right - gap, left.h)
        else:
            lines = -(-len(state.players) // columns_for(len(state.players)))
            left = Rect(whole.left, whole.top, whole.w, canvas.px(lines * RANKING_CELL_HEIGHT))
            right = Rect(whole.left, left.bottom + gap, whole.w, whole.bottom - left.bottom - gap)
        outcome = _get_outcome(state)
        reason = outcome.reason if outcome else ""
        beside = _fits_status(canvas, places.status, state, reason)
        if reason and not beside and self._own and left.h == right.h and len(state.players) <= MAX_PLAYERS_ABOVE_REASON:
            # A game's own table needs its height more than a short ranking does.
            high = _count_lines(canvas, reason, left.w - 2 * canvas.px(3)) * canvas.px(
                HIGHLIGHT_LINE_HEIGHT
            ) + 2 * canvas.px(2)
            reason_at = Rect(left.left, left.bottom - high, left.w, high)
            left.h -= reason_at.h + gap
            canvas.draw_region("reason", reason_at, reason, lambda: _draw_texts(canvas, reason_at, [(reason, INK)]))
            reason = ""
        canvas.draw_region(
            "players", left, (state.players, state.scores, winners), lambda: _draw_ranking(canvas, left, state)
        )
        if draw_dialog_if_open(canvas, right, state, "main"):
            pass
        elif state.score_sheet is not None:
            sheet = state.score_sheet
            shows = (sheet, state.round_points, state.scores, state.players)
            canvas.draw_region("main", right, shows, lambda: self._sheet(canvas, right, state, sheet))
        else:
            self._ending(canvas, right, state, "" if beside else reason)
        draw_status_line(canvas, places, replace(state, last_move=reason) if beside else state)
        draw_soft_keys(canvas, places, state)

    def _ending(self, canvas: Canvas, rect: Rect, shown: ScreenState, reason: str) -> None:
        """The chart, or what the game has in its place; under it what there is to tell.

        Args:
            reason: why the game ended, if that is to be said here.
        """
        told = [] if self._own else self._moments(shown)
        pad, line = canvas.px(2), canvas.px(HIGHLIGHT_LINE_HEIGHT)
        wide = rect.w - 2 * canvas.px(3)
        if reason:
            told.insert(0, reason)
        # Whole lines: the chart gets what is left, and the last things to tell give way if that is too little.
        below = [_count_lines(canvas, words, wide) for words in told]
        while len(below) > bool(reason) and rect.h - sum(below) * line - 2 * pad < rect.h * MIN_CHART_PERCENT // 100:
            told, below = told[:-1], below[:-1]
        high = sum(below) * line + 2 * pad if below else 0
        upper = Rect(rect.left, rect.top, rect.w, rect.h - high - (canvas.px(2) if below else 0))
        lower = Rect(rect.left, rect.bottom - high, rect.w, high)
        shows = (shown.details, shown.round_points, shown.view, shown.players, shown.scores)
        canvas.draw_region("main", upper, shows, lambda: self._how(canvas, upper, shown))

        if below:
            said = [(words, INK if words == reason else MUTED) for words in told]
            canvas.draw_region("reason", lower, tuple(told), lambda: _draw_texts(canvas, lower, said))

    def _moments(self, shown: ScreenState) -> list[str]:
        return [
            *describe_highlights(shown.round_points, shown.scores, shown.players, _get_winners(shown), self._telling)
        ]

    def _how(self, canvas: Canvas, rect: Rect, shown: ScreenState) -> None:
        if self._own:
            self._own.draw_result(canvas, rect, shown)
        elif len(shown.round_points) > 1:
            order = [player.seat for _rank, player, _score in rank_players(shown)]
            draw_score_chart(canvas, rect, shown.round_points, shown.scores, shown.players, order)
        else:
            _draw_details(canvas, rect, shown.details)

    def _sheet(self, canvas: Canvas, rect: Rect, shown: ScreenState, sheet: ScoreSheet) -> None:
        if sheet.seat is None:
            _draw_rounds_table(canvas, rect, shown)
        else:
            _draw_score_sheet(canvas, rect, shown.players[sheet.seat], sheet)


def _get_outcome(shown: ScreenState) -> Outcome | None:
    # Every game's view may carry its outcome; this scene knows no more of a game than that.
    outcome = getattr(shown.view, "outcome", None)
    return outcome if isinstance(outcome, Outcome) else None


def _count_lines(canvas: Canvas, words: str, wide: int) -> int:
    """Lines that `words` take at the smallest size."""
    floor = canvas.px_at_least(MIN_EM)
    return len(
        canvas.fonts.fit_text(words, FontWeight.MEDIUM, floor, floor, (wide, canvas.size[1]), MAX_HIGHLIGHT_LINES).lines
    )


def _draw_texts(canvas: Canvas, rect: Rect, told: Sequence[tuple[str, Tone]]) -> None:
    """Things to tell, one under the other, each in its colour."""
    canvas.draw_panel(rect, PANEL)
    wide, top = rect.w - 2 * canvas.px(3), rect.top + canvas.px(2)
    for words, ink in told:
        count = _count_lines(canvas, words, wide)
        place = Rect(rect.left + canvas.px(3), top, wide, count * canvas.px(HIGHLIGHT_LINE_HEIGHT))
        canvas.draw_text(place, words, SMALL_EM, ink, max_lines=count)
        top = place.bottom


def _fits_status(canvas: Canvas, rect: Rect, shown: ScreenState, words: str) -> bool:
    """Whether `words` are short enough for the status line, beside what holding a button does."""
    held = max(
        (
            canvas.fonts.measure_width(key.label, FontWeight.MEDIUM, canvas.px(SMALL_EM))
            for key in shown.soft_keys
            if key.is_hold
        ),
        default=0,
    )
    floor, lines = canvas.px_at_least(MIN_EM), 2 if canvas.is_portrait else 1
    room = rect.w - held // lines - canvas.px(HOLD_HINT_PADDING)
    return canvas.fonts.find_min_width(words, FontWeight.MEDIUM, floor, lines) <= room


def _get_winners(shown: ScreenState) -> tuple[Seat, ...]:
    outcome = _get_outcome(shown)
    return outcome.winners if outcome else ()


def _draw_ranking(canvas: Canvas, rect: Rect, shown: ScreenState) -> None:
    if rect.w > 2 * rect.h:
        _draw_ranking_cells(canvas, rect, shown)
    else:
        _draw_ranking_rows(canvas, rect, shown)


def _draw_ranking_rows(canvas: Canvas, rect: Rect, shown: ScreenState) -> None:
    winners = _get_winners(shown)
    ranked = rank_players(shown)
    places = split_rows(rect, len(ranked), canvas.px(0.7), canvas.px(15))
    height = places[0].h
    badge = min(canvas.px(7.5), height - canvas.px(2.4))
    largest = max(MIN_FAR_EM, min(16.0, height / canvas.unit_px))
    digits = max(canvas.fonts.measure_width(str(score), FontWeight.BOLD, canvas.px(largest)) for _, _, score in ranked)
    left = canvas.px(2) + canvas.px(8) + badge + canvas.px(2)
    room = rect.w - left - digits - canvas.px(4)
    size = canvas.find_common_size(
        [player.name for _, player, _ in ranked], HEADING_EM, (room, height), FontWeight.BOLD
    )
    for (rank, player, score), row in zip(ranked, places, strict=True):
        won = player.seat in winners
        colour = BUTTON_COLOURS[player.button]
        canvas.draw_panel(row, colour if won else PANEL)
        ink, soft, mark = (BACKGROUND, BACKGROUND, BACKGROUND) if won else (INK, MUTED, colour)
        number = Rect(row.left + canvas.px(2), row.top, canvas.px(8), row.h)
        canvas.draw_text(number, f"{rank}.", HEADING_EM, soft, weight=FontWeight.BOLD)
        canvas.draw_icon(SEAT_SHAPES[player.button], (number.right + badge // 2, row.centery), badge, mark)
        right = Rect(row.right - canvas.px(2) - digits, row.top, digits, row.h)
        canvas.draw_text(right, str(score), largest, ink, weight=FontWeight.BOLD, min_size=MIN_FAR_EM, align=1.0)
        name = Rect(row.left + left, row.top, room, row.h)
        canvas.draw_text(name, player.name, size, ink, weight=FontWeight.BOLD if won else FontWeight.MEDIUM)


def _draw_ranking_cells(canvas: Canvas, rect: Rect, shown: ScreenState) -> None:
    """The ranking in columns, line by line: rank and name over badge and score."""
    winners, ranked = _get_winners(shown), rank_players(shown)
    across, gap = columns_for(len(ranked)), canvas.px(0.9)
    wide = (rect.w - gap * (across - 1)) // across
    lines = split_rows(rect, -(-len(ranked) // across), gap, rect.h)
    room = (wide - canvas.px(3), canvas.px(5.2))
    size = canvas.find_common_size(
        [f"{rank}. {player.name}" for rank, player, _ in ranked], BODY_EM, room, FontWeight.BOLD
    )
    digits = (room[0] - canvas.px(8), lines[0].h - room[1] - canvas.px(1))
    most = max(MIN_FAR_EM, min(16.0, digits[1] / canvas.unit_px))
    largest = max(
        MIN_FAR_EM, canvas.find_common_size([str(score) for *_, score in ranked], most, digits, FontWeight.BOLD)
    )
    for i, (rank, player, score) in enumerate(ranked):
        cell = Rect(rect.left + i % across * (wide + gap), lines[i // across].top, wide, lines[0].h)
        won = player.seat in winners
        colour = BUTTON_COLOURS[player.button]
        canvas.draw_panel(cell, colour if won else PANEL)
        ink, mark = (BACKGROUND, BACKGROUND) if won else (INK, colour)
        head = Rect(cell.left + canvas.px(1.5), cell.top + canvas.px(1), *room)
        canvas.draw_text(
            head, f"{rank}. {player.name}", size, ink, weight=FontWeight.BOLD if won else FontWeight.MEDIUM
        )
        under = Rect(head.left, head.bottom, room[0], cell.bottom - canvas.px(0.6) - head.bottom)
        badge = min(canvas.px(6.6), under.h)
        canvas.draw_icon(SEAT_SHAPES[player.button], (under.left + badge // 2, under.centery), badge, mark)
        canvas.draw_text(under, str(score), largest, ink, weight=FontWeight.BOLD, min_size=MIN_FAR_EM, align=1.0)


def _draw_score_sheet(canvas: Canvas, rect: Rect, player: Player, sheet: ScoreSheet) -> None:
    """A player's score line by line: in which round, what, how much, and what that made."""
    canvas.draw_panel(rect, PANEL, edge=BUTTON_COLOURS[player.button])
    inner = rect.inflate(-canvas.px(5), -canvas.px(3))
    head = Rect(inner.left, inner.top, inner.w, canvas.px(6))
    badge = canvas.px(5)
    canvas.draw_icon(
        SEAT_SHAPES[player.button], (head.left + badge // 2, head.centery), badge, BUTTON_COLOURS[player.button]
    )
    name = Rect(head.left + badge + canvas.px(1.6), head.top, head.w - badge - canvas.px(1.6), head.h)
    canvas.draw_text(name, player.name, BODY_EM, weight=FontWeight.BOLD)
    body = Rect(inner.left, head.bottom + canvas.px(0.6), inner.w, inner.bottom - head.bottom - canvas.px(0.6))
    if not sheet.lines:
        canvas.draw_text(body, _("Nothing was won or lost"), BODY_EM, MUTED, max_lines=2)
        return
    columns = _measure_sheet_columns(canvas, body.w, sheet.lines)
    floor = canvas.px_at_least(MIN_EM)
    said = [line.label or _("At the start") for line in sheet.lines]
    most = max(canvas.fonts.measure_width(words, FontWeight.MEDIUM, floor) for words in said)
    count = 1 if most <= columns.words else MAX_DETAIL_LINES
    high = canvas.px(SHEET_ROW_HEIGHTS[count - 1])
    fit = max(1, body.h // high)
    first = max(0, min(sheet.selected - fit // 2, len(sheet.lines) - fit))
    for i in range(first, min(first + fit, len(sheet.lines))):
        row = Rect(body.left, body.top + (i - first) * high, body.w, high - canvas.px(0.6))
        if i == sheet.selected and len(sheet.lines) > 1:
            canvas.draw_panel(row, RAISED)
        line = sheet.lines[i]
        new = columns.number > 0 and (i == first or line.round != sheet.lines[i - 1].round)
        _draw_score_line(canvas, row, columns, line, (str(line.round) if new else "", said[i], count))
    if len(sheet.lines) > fit:
        draw_scroll_bar(
            canvas, Rect(rect.right - canvas.px(1.8), body.top, canvas.px(0.7), body.h), first, fit, len(sheet.lines)
        )


@dataclass(frozen=True, slots=True)
class _SheetColumns:
    """Widths within a line of the score sheet, in pixels."""

    number: int
    words: int
    points: int
    total: int


def _measure_sheet_columns(canvas: Canvas, wide: int, lines: Sequence[ScoreLine]) -> _SheetColumns:
    size = canvas.px(BODY_EM)
    total = max(canvas.fonts.measure_width(format_number(line.total), FontWeight.BOLD, size) for line in lines)
    points = max(canvas.fonts.measure_width(format_signed(line.points), FontWeight.BOLD, size) for line in lines)
    last = max(line.round for line in lines)
    number = canvas.fonts.measure_width(str(last), FontWeight.MEDIUM, canvas.px_at_least(MIN_EM)) if last > 1 else 0
    return _SheetColumns(
        number, wide - total - points - number - canvas.px(SHEET_ROW_PADDING + 3 * SHEET_COLUMN_GAP), points, total
    )


def _draw_score_line(
    canvas: Canvas, row: Rect, columns: _SheetColumns, line: ScoreLine, said: tuple[str, str, int]
) -> None:
    """`said`: the round's number, empty where it is that of the line above; the words; in how many lines at most."""
    number, words, count = said
    gap = canvas.px(SHEET_COLUMN_GAP)
    place = Rect(row.left + canvas.px(SHEET_ROW_PADDING / 2), row.top, columns.number, row.h)
    canvas.draw_text(place, number, MIN_EM, MUTED, align=1.0)
    place = Rect(place.right + gap, row.top, columns.words, row.h)
    canvas.draw_text(place, words, SMALL_EM, INK, max_lines=count)
    place = Rect(place.right + gap, row.top, columns.points, row.h)
    tone = GOOD if line.points > 0 else BAD if line.points else MUTED
    canvas.draw_text(place, format_signed(line.points), BODY_EM, tone, weight=FontWeight.BOLD, align=1.0)
    place = Rect(place.right + gap, row.top, columns.total, row.h)
    canvas.draw_text(place, format_number(line.total), BODY_EM, MUTED, weight=FontWeight.BOLD, align=1.0)


def _draw_rounds_table(canvas: Canvas, rect: Rect, shown: ScreenState) -> None:
    """Points round by round, a row for each player in the order of the ranking; the last rounds if not all fit."""
    canvas.draw_panel(rect, PANEL)
    inner = rect.inflate(-canvas.px(3), -canvas.px(2))
    badge = canvas.px(6)
    fit = max(1, (inner.w - badge) // canvas.px(MIN_ROUND_COLUMN_WIDTH))
    first = max(0, len(shown.round_points) - fit)
    rounds = shown.round_points[first:]
    step = (inner.w - badge) // len(rounds)
    head = Rect(inner.left + badge, inner.top, step, canvas.px(5))
    for i in range(len(rounds)):
        canvas.draw_text(head.move(i * step, 0), str(first + i + 1), MIN_EM, MUTED, align=0.5)
    body = Rect(inner.left, head.bottom, inner.w, inner.bottom - head.bottom)
    ranked = rank_players(shown)
    best = [max(points) for points in rounds]
    for (_, player, _), row in zip(ranked, split_rows(body, len(ranked), canvas.px(0.5), canvas.px(10)), strict=True):
        canvas.fill_rect(RAISED, Rect(row.left, row.bottom, row.w, max(1, canvas.px(0.2))))
        canvas.draw_icon(
            SEAT_SHAPES[player.button],
            (row.left + badge * 2 // 5, row.centery),
            canvas.px(4.4),
            BUTTON_COLOURS[player.button],
        )
        for i, points in enumerate(rounds):
            value = points[player.seat]
            cell = Rect(row.left + badge + i * step, row.top, step, row.h)
            ink, weight = (GOOD, FontWeight.BOLD) if value == best[i] and value > 0 else (INK, FontWeight.MEDIUM)
            if value < 0:
                ink = BAD
            canvas.draw_text(cell, format_number(value), BODY_EM, ink, weight=weight, align=0.5)


def _draw_details(canvas: Canvas, rect: Rect, lines: tuple[str, ...]) -> None:
    """The last lines that fit: how it ended is what people talk about."""
    canvas.draw_panel(rect, PANEL)
    inner = rect.inflate(-canvas.px(4), -canvas.px(2))
    bottom = inner.bottom
    floor, pitch = canvas.px_at_least(MIN_EM), canvas.px(LINE_PITCH_EM * MIN_EM)
    for line in reversed(lines):
        count = len(
            canvas.fonts.fit_text(
                line, FontWeight.MEDIUM, floor, floor, (inner.w, pitch * MAX_DETAIL_LINES), MAX_DETAIL_LINES
            ).lines
        )
        row = Rect(inner.left, bottom - count * pitch, inner.w, count * pitch)
        if row.top < inner.top:
            break
        canvas.draw_text(row, line, MIN_EM, INK if line is lines[-1] else MUTED, max_lines=count)
        bottom = row.top
