"""The result: the ranking with the winners, and the score line by line."""

from __future__ import annotations

from pygame import Rect

from companion.display.camera import camera
from companion.display.canvas import Canvas
from companion.display.dialog import dialog
from companion.display.grid import grid, rows
from companion.display.header import header, status
from companion.display.keys import keys
from companion.display.text import Weight
from companion.display.theme import (
    BACKGROUND,
    BODY,
    COLOURS,
    FAR,
    FLOOR,
    HEAD,
    INK,
    MUTED,
    PANEL,
    SHAPES,
)
from companion.games.game import Outcome, Seat
from companion.shown import Player, Shown

LINES = 2
PITCH = 1.22


def ranking(shown: Shown) -> list[tuple[int, Player, int]]:
    """Rank, player and score, best first; equal scores share a rank."""
    scored = [(p, shown.scores[p.seat] if p.seat < len(shown.scores) else 0) for p in shown.players]
    ordered = sorted(scored, key=lambda entry: -entry[1])
    return [(1 + sum(other > score for _, other in ordered), player, score) for player, score in ordered]


class ResultScene:
    """The ranking where the players stood, wider; beside it the last lines of the score."""

    def draw(self, canvas: Canvas, shown: Shown) -> None:
        places = grid(canvas)
        winners = _winners(shown)
        header(canvas, places, shown, winners[0] if len(winners) == 1 else None)
        left = Rect(places.body.left, places.body.top, places.body.w * 52 // 100, places.body.h)
        right = Rect(left.right + canvas.px(2), left.top, places.body.right - left.right - canvas.px(2), left.h)
        lines = Rect(right.left, right.top, right.w, places.camera.top - canvas.px(2) - right.top)
        canvas.part(
            "players", left, (shown.players, shown.scores, _winners(shown)), lambda: _ranks(canvas, left, shown)
        )
        edge = places.camera.left - canvas.px(2) if shown.camera else right.right
        reason = Rect(right.left, places.camera.top, edge - right.left, places.camera.h)
        canvas.part("reason", reason, shown.view, lambda: _reason(canvas, reason, shown))
        if not dialog(canvas, lines, shown, "main"):
            canvas.part("main", lines, shown.details, lambda: _details(canvas, lines, shown.details))
        if shown.camera:
            camera(canvas, places, shown.eyes)
        status(canvas, places, shown)
        keys(canvas, places, shown)


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
    for (rank, player, score), row in zip(ranked, rows(rect, len(ranked), canvas.px(0.7), canvas.px(15)), strict=True):
        won = player.seat in winners
        colour = COLOURS[player.button]
        canvas.panel(row, colour if won else PANEL)
        ink, soft, mark = (BACKGROUND, BACKGROUND, BACKGROUND) if won else (INK, MUTED, colour)
        left = row.left + canvas.px(2)
        canvas.text(Rect(left, row.top, canvas.px(8), row.h), f"{rank}.", HEAD, soft, weight=Weight.BOLD)
        left += canvas.px(8)
        badge = min(canvas.px(7.5), row.h - canvas.px(2.4))
        canvas.sign(SHAPES[player.button], (left + badge // 2, row.centery), badge, mark)
        left += badge + canvas.px(2)
        right = Rect(left, row.top, row.right - canvas.px(2) - left, row.h)
        drawn = canvas.text(
            right, str(score), max(FAR, min(16.0, row.h / canvas.unit)), ink, weight=Weight.BOLD, least=FAR, align=1.0
        )
        name = Rect(left, row.top, drawn.left - canvas.px(2) - left, row.h)
        canvas.text(name, player.name, HEAD, ink, weight=Weight.BOLD if won else Weight.MEDIUM)


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
