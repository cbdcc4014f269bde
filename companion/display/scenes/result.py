"""The result: the ranking with the winners, the chart of their scores, and how each score came about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, runtime_checkable

from pygame import Rect

from companion.display.highlights import moments
from companion.display.scenes.base import GameScene
from companion.display.toolkit.canvas import Canvas
from companion.display.toolkit.layout import grid, rows
from companion.display.toolkit.text import Weight
from companion.display.toolkit.theme import (
    BACKGROUND,
    BAD,
    BODY,
    COLOURS,
    FAR,
    FLOOR,
    GOOD,
    HEAD,
    INK,
    MUTED,
    PANEL,
    RAISED,
    SHAPES,
    SMALL,
    Tone,
)
from companion.display.widgets.dialog import dialog, rail
from companion.display.widgets.header import header, status
from companion.display.widgets.players import abreast, signed
from companion.display.widgets.score_chart import chart
from companion.display.widgets.soft_keys import keys
from companion.games.api.game import Outcome, Seat
from companion.i18n import Words, numeral
from companion.screen_state import Player, ScoreLine, ScoreSheet, Shown

_ = Words("companion")

LINES = 2
PITCH = 1.22
HALF, RANKING = 52, 44
"""Of the width, in hundredths: the ranking beside a few lines, and beside a table."""
HELD = 8.0
"""Of the status line: what stands round the words on holding a button."""
TOLD = 5.0
"""Height of a line under the chart."""
MOST_LINES = 3
FEW = 4
"""Players that leave the ranking room for the reason under it."""
CHART = 58
"""Of the height, in hundredths: the chart at least."""
CELL = 6.2
"""Width of a round's column at least."""
PLACE = 15.2
"""Height of a place of the ranking where they stand in columns."""
SHEET_ROW = (6.0, 9.6)
"""Height of a line of the score sheet, by its lines of words."""
SIDES, BETWEEN = 2.4, 1.6
"""Within such a line."""


@runtime_checkable
class OwnResult(Protocol):
    """A game's scene that shows how each score came about."""

    def result(self, canvas: Canvas, rect: Rect, shown: Shown) -> None:
        """Draws it within `rect`, which is cleared."""
        ...


def ranking(shown: Shown) -> list[tuple[int, Player, int]]:
    """Rank, player and score, best first; equal scores share a rank."""
    scored = [(p, shown.scores[p.seat] if p.seat < len(shown.scores) else 0) for p in shown.players]
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
        self._own = own if isinstance(own, OwnResult) else None
        self._telling = own.MOMENTS

    def draw(self, canvas: Canvas, shown: Shown) -> None:
        places = grid(canvas, track=False)
        winners = _winners(shown)
        header(canvas, places, shown, winners[0] if len(winners) == 1 else None)
        whole = places.body
        gap = canvas.px(2)
        if whole.w > whole.h:
            wide = RANKING if self._own or shown.rounds or shown.sheet else HALF
            left = Rect(whole.left, whole.top, whole.w * wide // 100, whole.h)
            right = Rect(left.right + gap, left.top, whole.right - left.right - gap, left.h)
        else:
            lines = -(-len(shown.players) // abreast(len(shown.players)))
            left = Rect(whole.left, whole.top, whole.w, canvas.px(lines * PLACE))
            right = Rect(whole.left, left.bottom + gap, whole.w, whole.bottom - left.bottom - gap)
        outcome = _outcome(shown)
        reason = outcome.reason if outcome else ""
        beside = _fits_status(canvas, places.status, shown, reason)
        if reason and not beside and self._own and left.h == right.h and len(shown.players) <= FEW:
            # A game's own table needs its height more than a short ranking does.
            high = _count(canvas, reason, left.w - 2 * canvas.px(3)) * canvas.px(TOLD) + 2 * canvas.px(2)
            reason_at = Rect(left.left, left.bottom - high, left.w, high)
            left.h -= reason_at.h + gap
            canvas.part("reason", reason_at, reason, lambda: _tell(canvas, reason_at, [(reason, INK)]))
            reason = ""
        canvas.part("players", left, (shown.players, shown.scores, winners), lambda: _ranks(canvas, left, shown))
        if dialog(canvas, right, shown, "main"):
            pass
        elif shown.sheet is not None:
            sheet = shown.sheet
            shows = (sheet, shown.rounds, shown.scores, shown.players)
            canvas.part("main", right, shows, lambda: self._sheet(canvas, right, shown, sheet))
        else:
            self._ending(canvas, right, shown, "" if beside else reason)
        status(canvas, places, replace(shown, last=reason) if beside else shown)
        keys(canvas, places, shown)

    def _ending(self, canvas: Canvas, rect: Rect, shown: Shown, reason: str) -> None:
        """The chart, or what the game has in its place; under it what there is to tell.

        Args:
            reason: why the game ended, if that is to be said here.
        """
        told = [] if self._own else self._moments(shown)
        pad, line = canvas.px(2), canvas.px(TOLD)
        wide = rect.w - 2 * canvas.px(3)
        if reason:
            told.insert(0, reason)
        # Whole lines: the chart gets what is left, and the last things to tell give way if that is too little.
        below = [_count(canvas, words, wide) for words in told]
        while len(below) > bool(reason) and rect.h - sum(below) * line - 2 * pad < rect.h * CHART // 100:
            told, below = told[:-1], below[:-1]
        high = sum(below) * line + 2 * pad if below else 0
        upper = Rect(rect.left, rect.top, rect.w, rect.h - high - (canvas.px(2) if below else 0))
        lower = Rect(rect.left, rect.bottom - high, rect.w, high)
        shows = (shown.details, shown.rounds, shown.view, shown.players, shown.scores)
        canvas.part("main", upper, shows, lambda: self._how(canvas, upper, shown))

        if below:
            said = [(words, INK if words == reason else MUTED) for words in told]
            canvas.part("reason", lower, tuple(told), lambda: _tell(canvas, lower, said))

    def _moments(self, shown: Shown) -> list[str]:
        return [*moments(shown.rounds, shown.scores, shown.players, _winners(shown), self._telling)]

    def _how(self, canvas: Canvas, rect: Rect, shown: Shown) -> None:
        if self._own:
            self._own.result(canvas, rect, shown)
        elif len(shown.rounds) > 1:
            order = [player.seat for _rank, player, _score in ranking(shown)]
            chart(canvas, rect, shown.rounds, shown.scores, shown.players, order)
        else:
            _details(canvas, rect, shown.details)

    def _sheet(self, canvas: Canvas, rect: Rect, shown: Shown, sheet: ScoreSheet) -> None:
        if sheet.seat is None:
            _rounds(canvas, rect, shown)
        else:
            _account(canvas, rect, shown.players[sheet.seat], sheet)


def _outcome(shown: Shown) -> Outcome | None:
    # Every game's view may carry its outcome; this scene knows no more of a game than that.
    outcome = getattr(shown.view, "outcome", None)
    return outcome if isinstance(outcome, Outcome) else None


def _count(canvas: Canvas, words: str, wide: int) -> int:
    """Lines that `words` take at the smallest size."""
    floor = canvas.floor(FLOOR)
    return len(canvas.type.fit(words, Weight.MEDIUM, floor, floor, (wide, canvas.size[1]), MOST_LINES).lines)


def _tell(canvas: Canvas, rect: Rect, told: Sequence[tuple[str, Tone]]) -> None:
    """Things to tell, one under the other, each in its colour."""
    canvas.panel(rect, PANEL)
    wide, top = rect.w - 2 * canvas.px(3), rect.top + canvas.px(2)
    for words, ink in told:
        count = _count(canvas, words, wide)
        place = Rect(rect.left + canvas.px(3), top, wide, count * canvas.px(TOLD))
        canvas.text(place, words, SMALL, ink, lines=count)
        top = place.bottom


def _fits_status(canvas: Canvas, rect: Rect, shown: Shown, words: str) -> bool:
    """Whether `words` are short enough for the status line, beside what holding a button does."""
    held = max(
        (canvas.type.width(key.words, Weight.MEDIUM, canvas.px(SMALL)) for key in shown.keys if key.held), default=0
    )
    floor, lines = canvas.floor(FLOOR), 2 if canvas.portrait else 1
    room = rect.w - held // lines - canvas.px(HELD)
    return canvas.type.narrowest(words, Weight.MEDIUM, floor, lines) <= room


def _winners(shown: Shown) -> tuple[Seat, ...]:
    outcome = _outcome(shown)
    return outcome.winners if outcome else ()


def _ranks(canvas: Canvas, rect: Rect, shown: Shown) -> None:
    if rect.w > 2 * rect.h:
        _places(canvas, rect, shown)
    else:
        _list(canvas, rect, shown)


def _list(canvas: Canvas, rect: Rect, shown: Shown) -> None:
    winners = _winners(shown)
    ranked = ranking(shown)
    places = rows(rect, len(ranked), canvas.px(0.7), canvas.px(15))
    height = places[0].h
    badge = min(canvas.px(7.5), height - canvas.px(2.4))
    largest = max(FAR, min(16.0, height / canvas.unit))
    digits = max(canvas.type.width(str(score), Weight.BOLD, canvas.px(largest)) for _, _, score in ranked)
    left = canvas.px(2) + canvas.px(8) + badge + canvas.px(2)
    room = rect.w - left - digits - canvas.px(4)
    size = canvas.common([player.name for _, player, _ in ranked], HEAD, (room, height), Weight.BOLD)
    for (rank, player, score), row in zip(ranked, places, strict=True):
        won = player.seat in winners
        colour = COLOURS[player.button]
        canvas.panel(row, colour if won else PANEL)
        ink, soft, mark = (BACKGROUND, BACKGROUND, BACKGROUND) if won else (INK, MUTED, colour)
        number = Rect(row.left + canvas.px(2), row.top, canvas.px(8), row.h)
        canvas.text(number, f"{rank}.", HEAD, soft, weight=Weight.BOLD)
        canvas.sign(SHAPES[player.button], (number.right + badge // 2, row.centery), badge, mark)
        right = Rect(row.right - canvas.px(2) - digits, row.top, digits, row.h)
        canvas.text(right, str(score), largest, ink, weight=Weight.BOLD, least=FAR, align=1.0)
        name = Rect(row.left + left, row.top, room, row.h)
        canvas.text(name, player.name, size, ink, weight=Weight.BOLD if won else Weight.MEDIUM)


def _places(canvas: Canvas, rect: Rect, shown: Shown) -> None:
    """The ranking in columns, line by line: rank and name over badge and score."""
    winners, ranked = _winners(shown), ranking(shown)
    across, gap = abreast(len(ranked)), canvas.px(0.9)
    wide = (rect.w - gap * (across - 1)) // across
    lines = rows(rect, -(-len(ranked) // across), gap, rect.h)
    room = (wide - canvas.px(3), canvas.px(5.2))
    size = canvas.common([f"{rank}. {player.name}" for rank, player, _ in ranked], BODY, room, Weight.BOLD)
    digits = (room[0] - canvas.px(8), lines[0].h - room[1] - canvas.px(1))
    most = max(FAR, min(16.0, digits[1] / canvas.unit))
    largest = max(FAR, canvas.common([str(score) for *_, score in ranked], most, digits, Weight.BOLD))
    for i, (rank, player, score) in enumerate(ranked):
        cell = Rect(rect.left + i % across * (wide + gap), lines[i // across].top, wide, lines[0].h)
        won = player.seat in winners
        colour = COLOURS[player.button]
        canvas.panel(cell, colour if won else PANEL)
        ink, mark = (BACKGROUND, BACKGROUND) if won else (INK, colour)
        head = Rect(cell.left + canvas.px(1.5), cell.top + canvas.px(1), *room)
        canvas.text(head, f"{rank}. {player.name}", size, ink, weight=Weight.BOLD if won else Weight.MEDIUM)
        under = Rect(head.left, head.bottom, room[0], cell.bottom - canvas.px(0.6) - head.bottom)
        badge = min(canvas.px(6.6), under.h)
        canvas.sign(SHAPES[player.button], (under.left + badge // 2, under.centery), badge, mark)
        canvas.text(under, str(score), largest, ink, weight=Weight.BOLD, least=FAR, align=1.0)


def _account(canvas: Canvas, rect: Rect, player: Player, sheet: ScoreSheet) -> None:
    """A player's score line by line: in which round, what, how much, and what that made."""
    canvas.panel(rect, PANEL, edge=COLOURS[player.button])
    inner = rect.inflate(-canvas.px(5), -canvas.px(3))
    head = Rect(inner.left, inner.top, inner.w, canvas.px(6))
    badge = canvas.px(5)
    canvas.sign(SHAPES[player.button], (head.left + badge // 2, head.centery), badge, COLOURS[player.button])
    name = Rect(head.left + badge + canvas.px(1.6), head.top, head.w - badge - canvas.px(1.6), head.h)
    canvas.text(name, player.name, BODY, weight=Weight.BOLD)
    body = Rect(inner.left, head.bottom + canvas.px(0.6), inner.w, inner.bottom - head.bottom - canvas.px(0.6))
    if not sheet.lines:
        canvas.text(body, _("Nothing was won or lost"), BODY, MUTED, lines=2)
        return
    columns = _columns(canvas, body.w, sheet.lines)
    floor = canvas.floor(FLOOR)
    said = [line.words or _("At the start") for line in sheet.lines]
    most = max(canvas.type.width(words, Weight.MEDIUM, floor) for words in said)
    count = 1 if most <= columns.words else LINES
    high = canvas.px(SHEET_ROW[count - 1])
    fit = max(1, body.h // high)
    first = max(0, min(sheet.selected - fit // 2, len(sheet.lines) - fit))
    for i in range(first, min(first + fit, len(sheet.lines))):
        row = Rect(body.left, body.top + (i - first) * high, body.w, high - canvas.px(0.6))
        if i == sheet.selected and len(sheet.lines) > 1:
            canvas.panel(row, RAISED)
        line = sheet.lines[i]
        new = columns.number > 0 and (i == first or line.round != sheet.lines[i - 1].round)
        _account_line(canvas, row, columns, line, (str(line.round) if new else "", said[i], count))
    if len(sheet.lines) > fit:
        rail(canvas, Rect(rect.right - canvas.px(1.8), body.top, canvas.px(0.7), body.h), first, fit, len(sheet.lines))


@dataclass(frozen=True, slots=True)
class _Columns:
    """Widths within a line of the score sheet, in pixels."""

    number: int
    words: int
    points: int
    total: int


def _columns(canvas: Canvas, wide: int, lines: Sequence[ScoreLine]) -> _Columns:
    size = canvas.px(BODY)
    total = max(canvas.type.width(numeral(line.total), Weight.BOLD, size) for line in lines)
    points = max(canvas.type.width(signed(line.points), Weight.BOLD, size) for line in lines)
    last = max(line.round for line in lines)
    number = canvas.type.width(str(last), Weight.MEDIUM, canvas.floor(FLOOR)) if last > 1 else 0
    return _Columns(number, wide - total - points - number - canvas.px(SIDES + 3 * BETWEEN), points, total)


def _account_line(canvas: Canvas, row: Rect, columns: _Columns, line: ScoreLine, said: tuple[str, str, int]) -> None:
    """`said`: the round's number, empty where it is that of the line above; the words; in how many lines at most."""
    number, words, count = said
    gap = canvas.px(BETWEEN)
    place = Rect(row.left + canvas.px(SIDES / 2), row.top, columns.number, row.h)
    canvas.text(place, number, FLOOR, MUTED, align=1.0)
    place = Rect(place.right + gap, row.top, columns.words, row.h)
    canvas.text(place, words, SMALL, INK, lines=count)
    place = Rect(place.right + gap, row.top, columns.points, row.h)
    tone = GOOD if line.points > 0 else BAD if line.points else MUTED
    canvas.text(place, signed(line.points), BODY, tone, weight=Weight.BOLD, align=1.0)
    place = Rect(place.right + gap, row.top, columns.total, row.h)
    canvas.text(place, numeral(line.total), BODY, MUTED, weight=Weight.BOLD, align=1.0)


def _rounds(canvas: Canvas, rect: Rect, shown: Shown) -> None:
    """Points round by round, a row for each player in the order of the ranking; the last rounds if not all fit."""
    canvas.panel(rect, PANEL)
    inner = rect.inflate(-canvas.px(3), -canvas.px(2))
    badge = canvas.px(6)
    fit = max(1, (inner.w - badge) // canvas.px(CELL))
    first = max(0, len(shown.rounds) - fit)
    rounds = shown.rounds[first:]
    step = (inner.w - badge) // len(rounds)
    head = Rect(inner.left + badge, inner.top, step, canvas.px(5))
    for i in range(len(rounds)):
        canvas.text(head.move(i * step, 0), str(first + i + 1), FLOOR, MUTED, align=0.5)
    body = Rect(inner.left, head.bottom, inner.w, inner.bottom - head.bottom)
    ranked = ranking(shown)
    best = [max(points) for points in rounds]
    for (_, player, _), row in zip(ranked, rows(body, len(ranked), canvas.px(0.5), canvas.px(10)), strict=True):
        canvas.fill(RAISED, Rect(row.left, row.bottom, row.w, max(1, canvas.px(0.2))))
        canvas.sign(
            SHAPES[player.button], (row.left + badge * 2 // 5, row.centery), canvas.px(4.4), COLOURS[player.button]
        )
        for i, points in enumerate(rounds):
            value = points[player.seat]
            cell = Rect(row.left + badge + i * step, row.top, step, row.h)
            ink, weight = (GOOD, Weight.BOLD) if value == best[i] and value > 0 else (INK, Weight.MEDIUM)
            if value < 0:
                ink = BAD
            canvas.text(cell, numeral(value), BODY, ink, weight=weight, align=0.5)


def _details(canvas: Canvas, rect: Rect, lines: tuple[str, ...]) -> None:
    """The last lines that fit: how it ended is what people talk about."""
    canvas.panel(rect, PANEL)
    inner = rect.inflate(-canvas.px(4), -canvas.px(2))
    bottom = inner.bottom
    floor, pitch = canvas.floor(FLOOR), canvas.px(PITCH * FLOOR)
    for line in reversed(lines):
        count = len(canvas.type.fit(line, Weight.MEDIUM, floor, floor, (inner.w, pitch * LINES), LINES).lines)
        row = Rect(inner.left, bottom - count * pitch, inner.w, count * pitch)
        if row.top < inner.top:
            break
        canvas.text(row, line, FLOOR, INK if line is lines[-1] else MUTED, lines=count)
        bottom = row.top
