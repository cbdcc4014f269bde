"""StarFall's count: who is still to be counted, one player's page, and the final table."""

from __future__ import annotations

from collections.abc import Sequence

from pygame import Rect

from companion.display.scenes.starfall.payment import draw_line_icon
from companion.display.toolkit.canvas import Canvas
from companion.display.toolkit.layout import split_rows
from companion.display.toolkit.text import FontWeight
from companion.display.toolkit.theme import (
    BACKGROUND,
    BAD,
    BODY_EM,
    GOOD,
    HEADING_EM,
    INK,
    LINE,
    MIN_EM,
    MIN_FAR_EM,
    MUTED,
    PANEL,
    RAISED,
    SEAT_SHAPES,
    SMALL_EM,
    TITLE_EM,
)
from companion.display.toolkit.theme import BUTTON_COLOURS as SEATS
from companion.display.widgets.players import format_signed
from companion.games.starfall.scoring import score_black_holes, score_comets, score_moons, score_nebulae, score_planets
from companion.games.starfall.view import FIRST_NEBULA_INDEX, SYMBOLS, PlayerScore, StarFallView
from companion.i18n import N_, Translator
from companion.screen_state import Player

_ = Translator("starfall")

FOOT_HEIGHT = 10.0
CURRENT_NUMBER_EM = 9.0
"""Size of the number that is being counted."""
LINE_LABELS = (
    *(N_("Stars"), N_("Planets"), N_("Moons"), N_("Black holes"), N_("Comets")),
    *(N_("Red"), N_("Blue"), N_("Green"), N_("Yellow"), N_("Purple")),
)
TABLE_COLUMNS = ("stars", "planets", "moons", "black holes", "comets", "nebulae", "dust")
"""The final table's columns."""


def draw_choice(canvas: Canvas, rect: Rect, view: StarFallView, players: Sequence[Player]) -> None:
    """Why it ended, and who is counted already."""
    canvas.draw_panel(rect, PANEL, radius=2.4)
    inner = rect.inflate(-canvas.px(5), -canvas.px(4))
    why = Rect(inner.left, inner.top, inner.w, canvas.px(15))
    canvas.draw_text(why, f"{view.end_reason}.", HEADING_EM, INK, weight=FontWeight.BOLD, max_lines=2)
    below = Rect(inner.left, why.bottom + canvas.px(2), inner.w, inner.bottom - why.bottom - canvas.px(2))
    for player, row in zip(players, split_rows(below, len(players), canvas.px(1), canvas.px(12)), strict=True):
        found = view.player_scores[player.seat]
        canvas.draw_panel(row, RAISED)
        size = min(canvas.px(6.5), row.h - canvas.px(1))
        left = row.left + canvas.px(2)
        colour = SEATS[player.button]
        canvas.draw_icon(
            SEAT_SHAPES[player.button], (left + size // 2, row.centery), size, LINE if found.is_away else colour
        )
        left += size + canvas.px(2.5)
        number = view.tile_counts[player.seat]
        words = _("away") if found.is_away else _.plural("{n} tile", "{n} tiles", number)
        canvas.draw_text(Rect(left, row.top, row.right - canvas.px(30) - left, row.h), words, BODY_EM, MUTED)
        right = Rect(row.right - canvas.px(28), row.top, canvas.px(26), row.h)
        if found.is_counted:
            canvas.draw_text(right, _("counted"), BODY_EM, GOOD, align=1.0)
        elif not found.is_away:
            canvas.draw_text(right, _("press"), BODY_EM, INK, weight=FontWeight.BOLD, align=1.0)


def score_line(counts: Sequence[int], line: int) -> int | None:
    """What a line of the page is worth by itself; None for the stars, which only compare.

    >>> [line_points((4, 2, 3, 1, 2, 1, 0, 0, 0, 0), line) for line in range(6)]
    [None, 10, 6, -5, 8, 2]
    """
    held = counts[line]
    match line:
        case 0:
            return None
        case 1:
            return score_planets(held)
        case 2:
            return score_moons(held, counts[1])
        case 3:
            return score_black_holes(held)
        case 4:
            return score_comets(held)
        case _:
            return score_nebulae((held,))


def draw_page(canvas: Canvas, rect: Rect, view: StarFallView, row: PlayerScore) -> None:
    """Ten lines in two columns, the present one marked, each with its points; below them what they add up to."""
    gap = canvas.px(1)
    foot = Rect(rect.left, rect.bottom - canvas.px(FOOT_HEIGHT), rect.w, canvas.px(FOOT_HEIGHT))
    # The long words stand at the left.
    wide = (rect.w - 2 * gap) * 55 // 100
    body = Rect(rect.left, rect.top, wide, foot.top - gap - rect.top)
    lines = split_rows(body, FIRST_NEBULA_INDEX, canvas.px(0.8), canvas.px(14))
    for line in range(len(SYMBOLS)):
        column, place = divmod(line, FIRST_NEBULA_INDEX)
        done = row.is_counted or line < view.line_index
        place_of = Rect(lines[place])
        if column:
            place_of.left, place_of.w = rect.left + wide + 2 * gap, rect.w - wide - 2 * gap
        _draw_line(canvas, place_of, line, row, now=line == view.line_index, done=done)
    _draw_sum(canvas, foot, row)


def _draw_line(canvas: Canvas, rect: Rect, line: int, row: PlayerScore, *, now: bool, done: bool) -> None:
    canvas.draw_panel(rect, INK if now else RAISED if done else PANEL)
    ink, soft = (BACKGROUND, BACKGROUND) if now else (INK if done else MUTED, MUTED)
    size = min(canvas.px(6), rect.h - canvas.px(1.6))
    centre = (rect.left + canvas.px(1.4) + size // 2, rect.centery)
    if line >= FIRST_NEBULA_INDEX and now:
        canvas.draw_disc(centre, rect.h - canvas.px(0.8), BACKGROUND)
    draw_line_icon(canvas, line, centre, size, ink)
    right = rect.right - canvas.px(1.4)
    points = score_line(row.symbol_counts, line)
    width = canvas.px(8.2)
    if points is not None and (now or done) and row.symbol_counts[line]:
        words = format_signed(points)
        canvas.draw_text(Rect(right - width, rect.top, width, rect.h), words, SMALL_EM, soft, align=1.0)
    right -= width + canvas.px(0.6)
    number = Rect(right - canvas.px(10.4), rect.top, canvas.px(10.4), rect.h)
    canvas.draw_text(
        number,
        str(row.symbol_counts[line]),
        CURRENT_NUMBER_EM if now else HEADING_EM,
        ink,
        weight=FontWeight.BOLD,
        align=1.0,
    )
    left = rect.left + size + canvas.px(3)
    label = Rect(left, rect.top, number.left - canvas.px(0.4) - left, rect.h)
    weight = FontWeight.BOLD if now else FontWeight.MEDIUM
    column = LINE_LABELS[:FIRST_NEBULA_INDEX] if line < FIRST_NEBULA_INDEX else LINE_LABELS[FIRST_NEBULA_INDEX:]
    size_of_all = canvas.find_common_size([_(word) for word in column], BODY_EM, label.size, FontWeight.BOLD)
    canvas.draw_text(label, _(LINE_LABELS[line]), size_of_all, ink, weight=weight)


def _draw_sum(canvas: Canvas, rect: Rect, row: PlayerScore) -> None:
    """What is not a line: the bonus for colours, the dust; and the sum so far."""
    canvas.draw_panel(rect, PANEL)
    inner = rect.inflate(-canvas.px(3), 0)
    total = Rect(inner.right - canvas.px(20), inner.top, canvas.px(20), inner.h)
    drawn = canvas.draw_text(
        total, str(row.total), MIN_FAR_EM, INK, weight=FontWeight.BOLD, min_size=BODY_EM, align=1.0
    )
    colours = sum(1 for n in row.symbol_counts[FIRST_NEBULA_INDEX:] if n)
    bonus = score_nebulae(row.symbol_counts[FIRST_NEBULA_INDEX:]) - 2 * sum(row.symbol_counts[FIRST_NEBULA_INDEX:])
    things = (
        (_.plural("{n} colour", "{n} colours", colours), bonus),
        (_("{dust} dust", dust=row.dust), row.points[5]),
    )
    words = ", ".join(f"{thing} {format_signed(worth)}" if worth else thing for thing, worth in things)
    left = Rect(inner.left, inner.top, drawn.left - canvas.px(3) - inner.left, inner.h)
    canvas.draw_text(left, words, BODY_EM, MUTED)


def draw_score_table(canvas: Canvas, rect: Rect, found: Sequence[PlayerScore], players: Sequence[Player]) -> None:
    """How each score came about: a row per player, points large, counts under them."""
    canvas.draw_panel(rect, PANEL, radius=2.4)
    inner = rect.inflate(-canvas.px(2.4), -canvas.px(2))
    head = Rect(inner.left, inner.top, inner.w, canvas.px(7))
    badge = canvas.px(7.5)
    total = canvas.px(15)
    mended = any(row.adjustment for row in found)
    columns = len(TABLE_COLUMNS) + mended
    step = (inner.w - badge - total) // columns
    lefts = [inner.left + badge + i * step for i in range(columns)]
    for i in range(columns):
        centre = (lefts[i] + step // 2, head.centery)
        if i < FIRST_NEBULA_INDEX:
            draw_line_icon(canvas, i, centre, canvas.px(5.4))
        elif i < len(TABLE_COLUMNS):
            canvas.draw_icon("nebula" if i == FIRST_NEBULA_INDEX else "sparkle", centre, canvas.px(5.4), INK)
        else:
            cell = Rect(lefts[i], head.top, step, head.h)
            canvas.draw_text(cell, _("fix"), SMALL_EM, MUTED, align=0.5)
    canvas.draw_text(Rect(inner.right - total, head.top, total, head.h), _("Total"), SMALL_EM, MUTED, align=1.0)
    body = Rect(inner.left, head.bottom + canvas.px(0.6), inner.w, inner.bottom - head.bottom - canvas.px(0.6))
    for row, place in zip(found, split_rows(body, len(found), canvas.px(0.8), canvas.px(14)), strict=True):
        player = players[row.seat]
        canvas.draw_panel(place, RAISED)
        size = min(canvas.px(5.6), place.h - canvas.px(1))
        canvas.draw_icon(
            SEAT_SHAPES[player.button],
            (place.left + canvas.px(0.8) + size // 2, place.centery),
            size,
            LINE if row.is_away else SEATS[player.button],
        )
        digits = Rect(inner.right - total, place.top, total - canvas.px(1.4), place.h)
        if row.is_away:
            canvas.draw_text(digits, _("away"), SMALL_EM, MUTED, align=1.0)
            continue
        canvas.draw_text(
            digits, str(row.total), MIN_FAR_EM, INK, weight=FontWeight.BOLD, min_size=TITLE_EM - 3, align=1.0
        )
        values = (row.majority_bonus, *row.points, *([row.adjustment] if mended else []))
        counts = (*row.symbol_counts[:FIRST_NEBULA_INDEX], sum(row.symbol_counts[FIRST_NEBULA_INDEX:]), row.dust)
        for i, value in enumerate(values):
            cell = Rect(lefts[i], place.top, step, place.h)
            _draw_cell(canvas, cell, value, str(counts[i]) if i < len(counts) else "")


def _draw_cell(canvas: Canvas, rect: Rect, value: int, count: str) -> None:
    colour = BAD if value < 0 else INK if value else MUTED
    upper = Rect(rect.left, rect.top, rect.w, rect.h * 56 // 100)
    words = f"−{-value}" if value < 0 else str(value)
    canvas.draw_text(upper, words, BODY_EM, colour, weight=FontWeight.BOLD, align=0.5, vertical_align=0.8)
    lower = Rect(rect.left, upper.bottom, rect.w, rect.bottom - upper.bottom)
    canvas.draw_text(lower, count, MIN_EM, MUTED, align=0.5, vertical_align=0.4)
