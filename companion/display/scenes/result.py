"""The result: the ranking with the winners, and the score line by line."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from pygame import Rect

from companion.display.canvas import Canvas
from companion.display.dialog import dialog
from companion.display.grid import grid, rows
from companion.display.header import header, status
from companion.display.keys import keys
from companion.display.text import Weight
from companion.display.theme import (
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
)
from companion.games.game import Outcome, Seat
from companion.shown import Player, Shown

LINES = 2
PITCH = 1.22
HALF, RANKING = 52, 44
"""Of the width, in hundredths: the ranking beside a few lines, and beside a table."""
REASON = 13.0
"""Height of the reason."""
CELL = 6.2
"""Width of a round's column at least."""


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
    """The ranking where the players stood, wider; beside it how each score came about, and why the game ended.

    Args:
        own: the game's own scene. If it has a `result(canvas, rect, shown)`, that draws how the scores came about;
            else the points of each round are shown, or the last lines of a game without rounds.
    """

    def __init__(self, own: object = None) -> None:
        self._own = own if isinstance(own, OwnResult) else None

    def draw(self, canvas: Canvas, shown: Shown) -> None:
        places = grid(canvas)
        winners = _winners(shown)
        header(canvas, places, shown, winners[0] if len(winners) == 1 else None)
        whole = places.body
        gap = canvas.px(2)
        wide = RANKING if self._own or len(shown.rounds) > 1 else HALF
        left = Rect(whole.left, whole.top, whole.w * wide // 100, whole.h)
        right = Rect(left.right + gap, left.top, whole.right - left.right - gap, left.h)
        top = whole.bottom - canvas.px(REASON)
        lines = Rect(right.left, right.top, right.w, top - gap - right.top)
        canvas.part("players", left, (shown.players, shown.scores, winners), lambda: _ranks(canvas, left, shown))
        reason = Rect(right.left, top, right.w, whole.bottom - top)
        canvas.part("reason", reason, shown.view, lambda: _reason(canvas, reason, shown))
        if not dialog(canvas, lines, shown, "main"):
            shows = (shown.details, shown.rounds, shown.view, shown.players)
            canvas.part("main", lines, shows, lambda: self._how(canvas, lines, shown))
        status(canvas, places, shown)
        keys(canvas, places, shown)

    def _how(self, canvas: Canvas, rect: Rect, shown: Shown) -> None:
        if self._own:
            self._own.result(canvas, rect, shown)
        elif len(shown.rounds) > 1:
            _rounds(canvas, rect, shown)
        else:
            _details(canvas, rect, shown.details)


def _outcome(shown: Shown) -> Outcome | None:
    # Every game's view may carry its outcome; this scene knows no more of a game than that.
    outcome = getattr(shown.view, "outcome", None)
    return outcome if isinstance(outcome, Outcome) else None


def _winners(shown: Shown) -> tuple[Seat, ...]:
    outcome = _outcome(shown)
    return outcome.winners if outcome else ()


def _reason(canvas: Canvas, rect: Rect, shown: Shown) -> None:
    canvas.panel(rect, PANEL)
    outcome = _outcome(shown)
    canvas.text(rect.inflate(-canvas.px(4), -canvas.px(3)), outcome.reason if outcome else "", BODY, lines=4)


def _ranks(canvas: Canvas, rect: Rect, shown: Shown) -> None:
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
            canvas.text(cell, str(value).replace("-", "−"), BODY, ink, weight=weight, align=0.5)


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
