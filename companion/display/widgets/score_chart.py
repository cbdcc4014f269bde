"""The scores over the rounds as lines, each in its seat's colour with its seat's shape at the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import pygame
from pygame import Rect

from companion.display.toolkit.canvas import Canvas
from companion.display.toolkit.text import FontWeight
from companion.display.toolkit.theme import BUTTON_COLOURS, LINE, MIN_EM, MUTED, PANEL, RAISED, SEAT_SHAPES
from companion.games.api.game import Seat
from companion.i18n import format_number
from companion.screen_state import Player

END_ICON_SIZE = 4.4
"""Size of the shapes at the lines' ends."""
LINE_WIDTH = 0.75
SCALE_STEPS = (1, 2, 5)
"""Times a power of ten: the steps of the scale."""
MIN_SCALE_PITCH = 7.0
"""Least distance of two lines of the scale."""
SUPERSAMPLING = 2
"""Lines are drawn this many times as large, and then made small: their edges become smooth."""


def accumulate_scores(rounds: Sequence[Sequence[int]], scores: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Score before the first round and after each, by seat. They end with `scores`: what came before is counted back.

    >>> courses(((2, 0), (-1, 4)), (11, 14))
    ((10, 12, 11), (10, 10, 14))
    """
    found = []
    for seat, score in enumerate(scores):
        course = [score]
        for points in reversed(rounds):
            course.append(course[-1] - points[seat])
        found.append(tuple(reversed(course)))
    return tuple(found)


def scale_values(low: int, high: int, max_steps: int) -> range:
    """Round numbers, equally far apart, from `low` to `high`: `most` steps at most.

    >>> list(scale(-3, 14, 4)), list(scale(0, 2, 9))
    ([0, 5, 10], [0, 1, 2])
    """
    step, power = 1, 0
    while (high - low) // step > max(1, max_steps):
        step, power = SCALE_STEPS[(power + 1) % len(SCALE_STEPS)] * 10 ** ((power + 1) // len(SCALE_STEPS)), power + 1
    return range(-(-low // step) * step, high + 1, step)


def spread_apart(wanted: Sequence[int], min_distance: int, top: int, bottom: int) -> list[int]:
    """Heights as near to `wanted` as they can be, at least `least` apart, from `top` to `bottom`.

    >>> apart([50, 50, 10], 10, 0, 100)
    [45, 55, 10]
    >>> apart([98, 99], 10, 0, 100)
    [90, 100]
    """
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    min_distance = min(min_distance, (bottom - top) // max(1, len(wanted) - 1))
    groups: list[tuple[float, list[int]]] = []
    for i in order:
        middle, members = float(wanted[i]), [i]
        while True:
            half = min_distance * (len(members) - 1) / 2
            middle = min(bottom - half, max(top + half, middle))
            if not groups:
                break
            other, before = groups[-1]
            if other + min_distance * (len(before) - 1) / 2 + min_distance <= middle - half:
                break
            groups.pop()
            members = before + members
            middle = sum(wanted[m] - (at - (len(members) - 1) / 2) * min_distance for at, m in enumerate(members))
            middle /= len(members)
        groups.append((middle, members))
    found = [0] * len(wanted)
    for middle, members in groups:
        for at, i in enumerate(members):
            found[i] = round(middle + (at - (len(members) - 1) / 2) * min_distance)
    return found


@dataclass(frozen=True, slots=True)
class _Plot:
    """Where values and rounds stand."""

    area: Rect
    low: int
    high: int
    """The least and the greatest value."""
    count: int
    """Rounds, without the start."""

    def x(self, at: int) -> int:
        return self.area.left + self.area.w * at // self.count

    def y(self, value: float) -> int:
        return round(self.area.bottom - self.area.h * (value - self.low) / (self.high - self.low))


def draw_score_chart(
    canvas: Canvas,
    rect: Rect,
    rounds: Sequence[Sequence[int]],
    scores: Sequence[int],
    players: Sequence[Player],
    order: Sequence[Seat],
) -> None:
    """Draws the chart into `rect`, on a panel.

    Args:
        rounds: points of each round, by seat; at least one.
        scores: as they are in the end, by seat.
        order: the seats, best first: the first one's line lies on top.
    """
    canvas.draw_panel(rect, PANEL)
    found = accumulate_scores(rounds, scores)
    values = [value for course in found for value in course]
    inner = rect.inflate(-canvas.px(3), -canvas.px(3))
    foot = canvas.px(4.6)
    high = inner.h - foot - canvas.px(2)
    least, greatest = min(values), max(max(values), min(values) + 1)
    marks = scale_values(least, greatest, high // canvas.px(MIN_SCALE_PITCH))
    floor = canvas.px_at_least(MIN_EM)
    words = [format_number(mark) for mark in marks]
    label = max(canvas.fonts.measure_width(word, FontWeight.MEDIUM, floor) for word in words)
    sign = canvas.px(END_ICON_SIZE)
    left = inner.left + label + canvas.px(1.6)
    area = Rect(left, inner.top + canvas.px(2), inner.right - sign - canvas.px(1.4) - left, high)
    plot = _Plot(area, least, greatest, len(rounds))
    for mark, word in zip(marks, words, strict=True):
        line = Rect(area.left, plot.y(mark), area.w, canvas.px(0.3))
        canvas.fill_rect(LINE if mark == 0 else RAISED, line)
        canvas.draw_text(Rect(inner.left, line.top - foot // 2, label, foot), word, MIN_EM, MUTED, align=1.0)
    _draw_round_numbers(canvas, plot, foot)
    _draw_lines(canvas, rect, plot, {seat: found[seat] for seat in reversed(order)}, players)
    ends = spread_apart([plot.y(course[-1]) for course in found], sign, area.top, area.bottom)
    for player, end in zip(players, ends, strict=True):
        canvas.draw_icon(
            SEAT_SHAPES[player.button], (inner.right - sign // 2, end), sign, BUTTON_COLOURS[player.button]
        )


def _draw_round_numbers(canvas: Canvas, plot: _Plot, high: int) -> None:
    """The rounds' numbers, as many of them as stand apart; the last one is always there."""
    wide = canvas.fonts.measure_width(str(plot.count), FontWeight.MEDIUM, canvas.px_at_least(MIN_EM)) + canvas.px(2)
    every = -(-wide * plot.count // max(1, plot.area.w))
    for number in range(plot.count, 0, -every):
        place = Rect(plot.x(number) - wide // 2, plot.area.bottom + canvas.px(0.6), wide, high)
        canvas.draw_text(place, str(number), MIN_EM, MUTED, align=0.5)


def _draw_lines(
    canvas: Canvas, rect: Rect, plot: _Plot, found: Mapping[Seat, Sequence[int]], players: Sequence[Player]
) -> None:
    # Lines end where the shapes begin, which may be moved apart: a short slanting piece joins the two.
    sign = canvas.px(END_ICON_SIZE)
    ends = spread_apart([plot.y(found[player.seat][-1]) for player in players], sign, plot.area.top, plot.area.bottom)
    fine = pygame.Surface((rect.w * SUPERSAMPLING, rect.h * SUPERSAMPLING), pygame.SRCALPHA, 32)
    thick = max(SUPERSAMPLING, round(canvas.unit_px * LINE_WIDTH * SUPERSAMPLING))
    for seat, course in found.items():
        colour = canvas.rgb(BUTTON_COLOURS[players[seat].button])
        at = [(plot.x(i), plot.y(value)) for i, value in enumerate(course)]
        at.append((plot.area.right + canvas.px(1.4), ends[seat]))
        points = [((x - rect.left) * SUPERSAMPLING, (y - rect.top) * SUPERSAMPLING) for x, y in at]
        _draw_stroke(fine, points, colour, thick)
        for point in points[:-1]:
            pygame.draw.circle(fine, colour, point, thick)
    # Made small, an edge's colour is mixed with nothing: it is multiplied by its alpha already.
    small = pygame.transform.smoothscale(fine, rect.size)
    canvas.surface.blit(small, rect, special_flags=pygame.BLEND_PREMULTIPLIED)


def _draw_stroke(
    onto: pygame.Surface, points: Sequence[tuple[int, int]], colour: tuple[int, int, int], thick: int
) -> None:
    """A line of even thickness, whatever its slope: pygame's own are cut off upright."""
    for (x1, y1), (x2, y2) in pairwise(points):
        along = pygame.Vector2(x2 - x1, y2 - y1)
        if not along:
            continue
        across = along.rotate(90)
        across.scale_to_length(thick / 2)
        corners = [(x1 + across.x, y1 + across.y), (x2 + across.x, y2 + across.y)]
        corners += [(x2 - across.x, y2 - across.y), (x1 - across.x, y1 - across.y)]
        pygame.draw.polygon(onto, colour, corners)
