"""StarFall's count: who is still to be counted, one player's page, and the final table."""

from __future__ import annotations

from collections.abc import Sequence

from pygame import Rect

from companion.display.scenes.starfall.payment import sign_of
from companion.display.toolkit.canvas import Canvas
from companion.display.toolkit.layout import rows
from companion.display.toolkit.text import Weight
from companion.display.toolkit.theme import (
    BACKGROUND,
    BAD,
    BODY,
    FAR,
    FLOOR,
    GOOD,
    HEAD,
    INK,
    LINE,
    MUTED,
    PANEL,
    RAISED,
    SHAPES,
    SMALL,
    TITLE,
)
from companion.display.toolkit.theme import COLOURS as SEATS
from companion.display.widgets.players import signed
from companion.games.starfall.scoring import black_holes, comets, moons, nebulae, planets
from companion.games.starfall.view import FIRST_NEBULA, LINES, Row, StarFallView
from companion.i18n import N_, Words
from companion.screen_state import Player

_ = Words("starfall")

FOOT = 10.0
NOW = 9.0
"""Size of the number that is being counted."""
LABELS = (
    *(N_("Stars"), N_("Planets"), N_("Moons"), N_("Black holes"), N_("Comets")),
    *(N_("Red"), N_("Blue"), N_("Green"), N_("Yellow"), N_("Purple")),
)
PARTS = ("stars", "planets", "moons", "black holes", "comets", "nebulae", "dust")
"""The final table's columns."""


def choose(canvas: Canvas, rect: Rect, view: StarFallView, players: Sequence[Player]) -> None:
    """Why it ended, and who is counted already."""
    canvas.panel(rect, PANEL, radius=2.4)
    inner = rect.inflate(-canvas.px(5), -canvas.px(4))
    why = Rect(inner.left, inner.top, inner.w, canvas.px(15))
    canvas.text(why, f"{view.ended}.", HEAD, INK, weight=Weight.BOLD, lines=2)
    below = Rect(inner.left, why.bottom + canvas.px(2), inner.w, inner.bottom - why.bottom - canvas.px(2))
    for player, row in zip(players, rows(below, len(players), canvas.px(1), canvas.px(12)), strict=True):
        found = view.rows[player.seat]
        canvas.panel(row, RAISED)
        size = min(canvas.px(6.5), row.h - canvas.px(1))
        left = row.left + canvas.px(2)
        colour = SEATS[player.button]
        canvas.sign(SHAPES[player.button], (left + size // 2, row.centery), size, LINE if found.away else colour)
        left += size + canvas.px(2.5)
        number = view.tiles[player.seat]
        words = _("away") if found.away else _.plural("{n} tile", "{n} tiles", number)
        canvas.text(Rect(left, row.top, row.right - canvas.px(30) - left, row.h), words, BODY, MUTED)
        right = Rect(row.right - canvas.px(28), row.top, canvas.px(26), row.h)
        if found.counted:
            canvas.text(right, _("counted"), BODY, GOOD, align=1.0)
        elif not found.away:
            canvas.text(right, _("press"), BODY, INK, weight=Weight.BOLD, align=1.0)


def line_points(counts: Sequence[int], line: int) -> int | None:
    """What a line of the page is worth by itself; None for the stars, which only compare.

    >>> [line_points((4, 2, 3, 1, 2, 1, 0, 0, 0, 0), line) for line in range(6)]
    [None, 10, 6, -5, 8, 2]
    """
    held = counts[line]
    match line:
        case 0:
            return None
        case 1:
            return planets(held)
        case 2:
            return moons(held, counts[1])
        case 3:
            return black_holes(held)
        case 4:
            return comets(held)
        case _:
            return nebulae((held,))


def page(canvas: Canvas, rect: Rect, view: StarFallView, row: Row) -> None:
    """Ten lines in two columns, the present one marked, each with its points; below them what they add up to."""
    gap = canvas.px(1)
    foot = Rect(rect.left, rect.bottom - canvas.px(FOOT), rect.w, canvas.px(FOOT))
    # The long words stand at the left.
    wide = (rect.w - 2 * gap) * 55 // 100
    body = Rect(rect.left, rect.top, wide, foot.top - gap - rect.top)
    lines = rows(body, FIRST_NEBULA, canvas.px(0.8), canvas.px(14))
    for line in range(len(LINES)):
        column, place = divmod(line, FIRST_NEBULA)
        done = row.counted or line < view.line
        place_of = Rect(lines[place])
        if column:
            place_of.left, place_of.w = rect.left + wide + 2 * gap, rect.w - wide - 2 * gap
        _line(canvas, place_of, line, row, now=line == view.line, done=done)
    _sum(canvas, foot, row)


def _line(canvas: Canvas, rect: Rect, line: int, row: Row, *, now: bool, done: bool) -> None:
    canvas.panel(rect, INK if now else RAISED if done else PANEL)
    ink, soft = (BACKGROUND, BACKGROUND) if now else (INK if done else MUTED, MUTED)
    size = min(canvas.px(6), rect.h - canvas.px(1.6))
    centre = (rect.left + canvas.px(1.4) + size // 2, rect.centery)
    if line >= FIRST_NEBULA and now:
        canvas.disc(centre, rect.h - canvas.px(0.8), BACKGROUND)
    sign_of(canvas, line, centre, size, ink)
    right = rect.right - canvas.px(1.4)
    points = line_points(row.counts, line)
    width = canvas.px(8.2)
    if points is not None and (now or done) and row.counts[line]:
        words = signed(points)
        canvas.text(Rect(right - width, rect.top, width, rect.h), words, SMALL, soft, align=1.0)
    right -= width + canvas.px(0.6)
    number = Rect(right - canvas.px(10.4), rect.top, canvas.px(10.4), rect.h)
    canvas.text(number, str(row.counts[line]), NOW if now else HEAD, ink, weight=Weight.BOLD, align=1.0)
    left = rect.left + size + canvas.px(3)
    label = Rect(left, rect.top, number.left - canvas.px(0.4) - left, rect.h)
    weight = Weight.BOLD if now else Weight.MEDIUM
    column = LABELS[:FIRST_NEBULA] if line < FIRST_NEBULA else LABELS[FIRST_NEBULA:]
    size_of_all = canvas.common([_(word) for word in column], BODY, label.size, Weight.BOLD)
    canvas.text(label, _(LABELS[line]), size_of_all, ink, weight=weight)


def _sum(canvas: Canvas, rect: Rect, row: Row) -> None:
    """What is not a line: the bonus for colours, the dust; and the sum so far."""
    canvas.panel(rect, PANEL)
    inner = rect.inflate(-canvas.px(3), 0)
    total = Rect(inner.right - canvas.px(20), inner.top, canvas.px(20), inner.h)
    drawn = canvas.text(total, str(row.total), FAR, INK, weight=Weight.BOLD, least=BODY, align=1.0)
    colours = sum(1 for n in row.counts[FIRST_NEBULA:] if n)
    bonus = nebulae(row.counts[FIRST_NEBULA:]) - 2 * sum(row.counts[FIRST_NEBULA:])
    things = (
        (_.plural("{n} colour", "{n} colours", colours), bonus),
        (_("{dust} dust", dust=row.dust), row.points[5]),
    )
    words = ", ".join(f"{thing} {signed(worth)}" if worth else thing for thing, worth in things)
    left = Rect(inner.left, inner.top, drawn.left - canvas.px(3) - inner.left, inner.h)
    canvas.text(left, words, BODY, MUTED)


def table(canvas: Canvas, rect: Rect, found: Sequence[Row], players: Sequence[Player]) -> None:
    """How each score came about: a row per player, points large, counts under them."""
    canvas.panel(rect, PANEL, radius=2.4)
    inner = rect.inflate(-canvas.px(2.4), -canvas.px(2))
    head = Rect(inner.left, inner.top, inner.w, canvas.px(7))
    badge = canvas.px(7.5)
    total = canvas.px(15)
    mended = any(row.put_right for row in found)
    columns = len(PARTS) + mended
    step = (inner.w - badge - total) // columns
    lefts = [inner.left + badge + i * step for i in range(columns)]
    for i in range(columns):
        centre = (lefts[i] + step // 2, head.centery)
        if i < FIRST_NEBULA:
            sign_of(canvas, i, centre, canvas.px(5.4))
        elif i < len(PARTS):
            canvas.sign("nebula" if i == FIRST_NEBULA else "sparkle", centre, canvas.px(5.4), INK)
        else:
            cell = Rect(lefts[i], head.top, step, head.h)
            canvas.text(cell, _("fix"), SMALL, MUTED, align=0.5)
    canvas.text(Rect(inner.right - total, head.top, total, head.h), _("Total"), SMALL, MUTED, align=1.0)
    body = Rect(inner.left, head.bottom + canvas.px(0.6), inner.w, inner.bottom - head.bottom - canvas.px(0.6))
    for row, place in zip(found, rows(body, len(found), canvas.px(0.8), canvas.px(14)), strict=True):
        player = players[row.seat]
        canvas.panel(place, RAISED)
        size = min(canvas.px(5.6), place.h - canvas.px(1))
        canvas.sign(
            SHAPES[player.button],
            (place.left + canvas.px(0.8) + size // 2, place.centery),
            size,
            LINE if row.away else SEATS[player.button],
        )
        digits = Rect(inner.right - total, place.top, total - canvas.px(1.4), place.h)
        if row.away:
            canvas.text(digits, _("away"), SMALL, MUTED, align=1.0)
            continue
        canvas.text(digits, str(row.total), FAR, INK, weight=Weight.BOLD, least=TITLE - 3, align=1.0)
        values = (row.majority, *row.points, *([row.put_right] if mended else []))
        counts = (*row.counts[:FIRST_NEBULA], sum(row.counts[FIRST_NEBULA:]), row.dust)
        for i, value in enumerate(values):
            cell = Rect(lefts[i], place.top, step, place.h)
            _cell(canvas, cell, value, str(counts[i]) if i < len(counts) else "")


def _cell(canvas: Canvas, rect: Rect, value: int, count: str) -> None:
    colour = BAD if value < 0 else INK if value else MUTED
    upper = Rect(rect.left, rect.top, rect.w, rect.h * 56 // 100)
    words = f"−{-value}" if value < 0 else str(value)
    canvas.text(upper, words, BODY, colour, weight=Weight.BOLD, align=0.5, upright=0.8)
    lower = Rect(rect.left, upper.bottom, rect.w, rect.bottom - upper.bottom)
    canvas.text(lower, count, FLOOR, MUTED, align=0.5, upright=0.4)
