"""The scores over the rounds as lines, each in its seats' colours with their shapes at the end."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import pygame

from companion.display.toolkit import BUTTON_COLOURS, LINE, MUTED, PANEL, RAISED, RGB, TEXT_EM, Canvas, Rect
from companion.display.widgets.ranking import RankedTeam
from companion.i18n import format_number
from companion.screen_state import Player

END_ICON_SIZE = 4.4
"""Size of the shapes at the lines' ends, in units."""
LINE_WIDTH = 0.75
"""Width of the lines, in units."""
LEADER_LENGTH = 5.0
"""Room between the end of a line and the middle of its shape where shapes had to move apart, in units."""
LEADER_WIDTH = 0.25
"""Width of the leader that joins them, in units: thin, for it is no score."""
SCALE_STEPS = (1, 2, 5)
"""Steps of the scale, times a power of ten."""
MIN_SCALE_PITCH = 7.0
"""Least distance of two lines of the scale, in units."""
NUMBERS_HEIGHT = 6.0
"""Height of the round numbers under the chart, in units."""
SUPERSAMPLING = 2
"""Lines are drawn this many times larger, then scaled down for smooth edges; more is smoother and slower."""


def accumulate_scores(rounds: Sequence[Sequence[int]], scores: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Return each seat's score before the first round and after each round.

    Args:
        rounds: points of each round, by seat: as many numbers as `scores` has.
        scores: scores at the end, by seat; the earlier ones are counted back from them.

    Returns:
        One tuple for each seat, with one score more than there are rounds.

    Raises:
        IndexError: a round has fewer numbers than `scores`.

    >>> accumulate_scores(((2, 0), (-1, 4)), (11, 14))
    ((10, 12, 11), (10, 10, 14))
    """
    curves = []
    for seat, score in enumerate(scores):
        curve = [score]
        for points in reversed(rounds):
            curve.append(curve[-1] - points[seat])
        curves.append(tuple(reversed(curve)))
    return tuple(curves)


def scale_values(low: int, high: int, max_steps: int) -> range:
    """Return round numbers, equally far apart, from `low` to `high` at most: the values of a chart's scale.

    Args:
        low: least score.
        high: greatest score.
        max_steps: number of steps at most from `low` to `high`; less than 1 counts as 1.

    Returns:
        Multiples of 1, 2 or 5 times a power of ten, ascending; none if `high` is less than `low`.

    >>> list(scale_values(-3, 14, 4)), list(scale_values(0, 2, 9))
    ([0, 5, 10], [0, 1, 2])
    """
    step, power = 1, 0
    while high - low > step * max(1, max_steps):
        power += 1
        step = SCALE_STEPS[power % len(SCALE_STEPS)] * 10 ** (power // len(SCALE_STEPS))
    return range(-(-low // step) * step, high + 1, step)


def spread_apart(wanted: Sequence[int], min_distance: int, top: int, bottom: int) -> list[int]:
    """Move heights apart that are too near to each other, as little as possible (least squares).

    Args:
        wanted: the heights in pixels, in any order; may be empty.
        min_distance: least distance of two heights in pixels; smaller if there is no room.
        top: least height in pixels.
        bottom: largest height in pixels, at least `top` (not checked).

    Returns:
        The moved heights in pixels, in the order of `wanted`, from `top` to `bottom`.

    >>> spread_apart([50, 50, 10], 10, 0, 100)
    [45, 55, 10]
    >>> spread_apart([98, 99], 10, 0, 100)
    [90, 100]
    """
    min_distance = min(min_distance, (bottom - top) // max(1, len(wanted) - 1))
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    # Heights less their distance from the first must not fall: pool adjacent violators (Ayer et al. 1955).
    pools: list[tuple[int, int]] = []
    for n, i in enumerate(order):
        total, count = wanted[i] - n * min_distance, 1
        while pools and pools[-1][0] / pools[-1][1] > total / count:
            pool = pools.pop()
            total, count = total + pool[0], count + pool[1]
        pools.append((total, count))
    means = [total / count for total, count in pools for _ in range(count)]
    last = bottom - min_distance * (len(wanted) - 1)
    heights = [0] * len(wanted)
    for n, (i, mean) in enumerate(zip(order, means, strict=True)):
        heights[i] = round(min(last, max(top, mean)) + n * min_distance)
    return heights


@dataclass(frozen=True, slots=True)
class _Plot:
    """Converts rounds and scores to pixels.

    Attributes:
        area: the area of the lines, in pixels.
        low: the least score.
        high: the greatest score, larger than `low`.
        count: number of rounds.
    """

    area: Rect
    low: int
    high: int
    count: int

    def x(self, rounds_played: int) -> int:
        """Return the x coordinate after `rounds_played` rounds."""
        return self.area.left + self.area.w * rounds_played // self.count

    def y(self, score: float) -> int:
        """Return the y coordinate of a score."""
        return round(self.area.bottom - self.area.h * (score - self.low) / (self.high - self.low))


@dataclass(frozen=True, slots=True)
class _Curve:
    """The scores of a player or a team, before the first round and after each, and the middle of their first shape."""

    values: Sequence[int]
    players: Sequence[Player]
    shape_at: tuple[int, int]


def draw_score_chart(
    canvas: Canvas,
    rect: Rect,
    rounds: Sequence[Sequence[int]],
    scores: Sequence[int],
    ranked: Sequence[RankedTeam],
) -> None:
    """Draw the score of each player or team after each round as a line, with the shapes of the seats at its end.

    Args:
        rounds: points of each round, by seat; at least one round.
        scores: scores at the end, by seat.
        ranked: the players or teams, at least one, best first: the line of the first lies on top.

    Raises:
        IndexError: a round has fewer numbers than `scores`, or a player has no score.
        ValueError: there are no rounds, or nobody is ranked.
    """
    inner = canvas.draw_panel(rect, PANEL, padding=(3, 3))
    by_seat = accumulate_scores(rounds, scores)
    teams = sorted((each.players for each in ranked), key=lambda players: players[0].seat)
    curves = [by_seat[players[0].seat] for players in teams]
    values = [value for curve in curves for value in curve]
    foot = canvas.px(NUMBERS_HEIGHT)
    height = inner.h - foot - canvas.px(2)
    low, high = min(values), max(max(values), min(values) + 1)
    ticks = scale_values(low, high, height // canvas.px(MIN_SCALE_PITCH)) or (high,)
    labels = [format_number(tick) for tick in ticks]
    label_width = max(map(canvas.text_width, labels))
    icon = canvas.px(END_ICON_SIZE)
    left = inner.left + label_width + canvas.px(1.6)
    first_icon = inner.right - icon // 2 - icon * (max(map(len, teams)) - 1)
    area = Rect(left, inner.top + canvas.px(2), first_icon - canvas.px(LEADER_LENGTH) - left, height)
    plot = _Plot(area, low, high, len(rounds))
    for tick, label in zip(ticks, labels, strict=True):
        line = Rect(area.left, plot.y(tick), area.w, canvas.px(0.3))
        canvas.fill_rect(LINE if tick == 0 else RAISED, line)
        canvas.draw_text(Rect(inner.left, line.top - foot // 2, label_width, foot), label, TEXT_EM, MUTED, align=1.0)
    canvas.fill_rect(LINE, Rect(area.right, area.top, canvas.px(0.3), area.h))  # the last round: what follows is none
    _draw_round_numbers(canvas, plot, foot)
    places = place_shapes([plot.y(curve[-1]) for curve in curves], icon, area, first_icon)
    order = [teams.index(each.players) for each in reversed(ranked)]
    _draw_lines(canvas, rect, plot, [_Curve(curves[i], teams[i], places[i]) for i in order])
    for players, (x, y) in zip(teams, places, strict=True):
        for i, player in enumerate(players):
            canvas.draw_badge(player.button, (x + i * icon, y), icon)


def place_shapes(ends: Sequence[int], size: int, area: Rect, far_x: int) -> list[tuple[int, int]]:
    """Place each line's first shape at its end, or at `far_x` where shapes of other lines are too near. In pixels."""
    near_x = area.right + size * 5 // 8  # beside the dot on the line's end
    places = []
    for end, y in zip(ends, spread_apart(ends, size, area.top, area.bottom), strict=True):
        is_alone = sum(abs(other - end) < size // 2 for other in ends) == 1
        places.append((near_x if is_alone and abs(y - end) <= size // 3 else far_x, y))
    return places


def _draw_round_numbers(canvas: Canvas, plot: _Plot, height: int) -> None:
    """Draw as many round numbers as have room, always the last one."""
    width = canvas.text_width(str(plot.count)) + canvas.px(2)
    every = -(-width * plot.count // max(1, plot.area.w))
    for number in range(plot.count, 0, -every):
        place = Rect(plot.x(number) - width // 2, plot.area.bottom + canvas.px(0.6), width, height)
        canvas.draw_text(place, str(number), TEXT_EM, MUTED, align=0.5)


def _draw_lines(canvas: Canvas, rect: Rect, plot: _Plot, curves: Sequence[_Curve]) -> None:
    """Draw the lines, a team's in strands of its colours, each joined with its shape by a thin leader."""
    large = pygame.Surface((rect.w * SUPERSAMPLING, rect.h * SUPERSAMPLING), pygame.SRCALPHA, 32)
    width, leader_width = (
        max(SUPERSAMPLING, round(canvas.unit_px * units * SUPERSAMPLING)) for units in (LINE_WIDTH, LEADER_WIDTH)
    )
    for curve in curves:
        on_screen = [(plot.x(i), plot.y(value)) for i, value in enumerate(curve.values)]
        leader = [on_screen[-1], curve.shape_at]
        points, leader = (
            [((x - rect.left) * SUPERSAMPLING, (y - rect.top) * SUPERSAMPLING) for x, y in line]
            for line in (on_screen, leader)
        )
        for i, player in enumerate(curve.players):
            colour = canvas.rgb(BUTTON_COLOURS[player.button])
            shift = round((i - (len(curve.players) - 1) / 2) * width)
            strand = [(x, y + shift) for x, y in points]
            _draw_stroke(large, strand, colour, width)
            _draw_stroke(large, leader, colour, leader_width)
            for point in strand:
                pygame.draw.circle(large, colour, point, width)
    # Scaled down, the colour of an edge is already multiplied by its alpha.
    small = pygame.transform.smoothscale(large, rect.size)
    canvas.surface.blit(small, rect, special_flags=pygame.BLEND_PREMULTIPLIED)


def _draw_stroke(surface: pygame.Surface, points: Sequence[tuple[int, int]], colour: RGB, width: int) -> None:
    """Draw a line of the same width at any slope; pygame's own lines are cut off vertically."""
    for (x1, y1), (x2, y2) in pairwise(points):
        along = pygame.Vector2(x2 - x1, y2 - y1)
        if not along:
            continue
        across = along.rotate(90)
        across.scale_to_length(width / 2)
        corners = [(x1 + across.x, y1 + across.y), (x2 + across.x, y2 + across.y)]
        corners += [(x2 - across.x, y2 - across.y), (x1 - across.x, y1 - across.y)]
        pygame.draw.polygon(surface, colour, corners)
