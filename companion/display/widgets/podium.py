"""The podium: third, second and first rise one after the other, each as high as the score says."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from math import sin

from companion.display.toolkit import (
    BACKGROUND,
    BIG_EM,
    BUTTON_COLOURS,
    HUGE_EM,
    INK,
    MUTED,
    PANEL,
    TEXT_EM,
    TITLE_EM,
    WARN,
    Canvas,
    Colour,
    Rect,
    Typeface,
    ease,
    split_bottom,
    split_grid,
    split_left,
    split_right,
    split_top,
)
from companion.display.widgets.ranking import is_lowest_best, join_names, list_winners, rank_players
from companion.i18n import _, format_number
from companion.screen_state import Player, ScreenState

STEP_COUNT = 3
"""Places that have a step; those who share the last of them have one too."""
RANK_SHARE = 0.05
"""Height by which a step is lower for each place, whatever the distance of the scores, as a share of the highest."""
MIN_SHARE = 0.35
"""Height of a step of no points or of the farthest score, as a share of the highest: room for its score."""
MIN_STEP_HEIGHT = TITLE_EM + 2
"""Height of a step at least, and of its place before it rises, in units."""
OTHERS_HEIGHTS = (11.0, 16.0)
"""Height of the row of those who stand below the podium, in units: on one line, and with the name on a line above."""
BADGE_SIZES = (7.0, 11.0)
"""Size of a badge over its step, in units: on a low podium, and on one with more room."""
MIN_TALL_PODIUM = 40.0
"""Height in units from which a podium has room for the higher of these rows."""
DISTANCE_HEIGHT = 7.0
"""Height of the line with the distance to the first, in units."""
DISTANCE_GAP = 4.0
"""Room between a score and the distance beside it, in units."""
OTHERS_NAME_GAP = 6.0
"""Room beside the name of somebody below the podium, and by which a larger score is wider, in units."""
START_SECONDS = 0.4
"""Time before the first step rises."""
RISE_SECONDS = 0.7
"""Time in which a step rises."""
PAUSE_SECONDS = 0.6
"""Time between two steps."""
SUSPENSE_SECONDS = 0.7
"""Time by which the pause before the first place is longer."""
CONFETTI_SECONDS = 3.4
"""Time for which confetti falls."""
CONFETTI_COUNT = 140
"""Pieces of confetti."""
CONFETTI_SIZES = (1.6, 2.4)
"""Sides of the pieces of confetti, in units."""
GLIDE_SECONDS = 0.6
"""Time in which the podium makes room for what stands beside it at the end."""


class DistanceStyle(Enum):
    """Where the distance to the first stands on a step."""

    BELOW = auto()
    BESIDE = auto()
    NONE = auto()


@dataclass(frozen=True, slots=True)
class PodiumStep:
    """A player or a team on the podium, or below it.

    Attributes:
        players: the player, or all of a team.
        rank: from 1; equal ones share it.
        score: the score.
        distance: points to the first; of a single first to the second; 0 if not the score decides.
        share: height of the step, as a share of the highest.
        begins_at: seconds after which it rises.
        has_won: it is among the winners.
    """

    players: tuple[Player, ...]
    rank: int
    score: int
    distance: int
    share: float
    begins_at: float
    has_won: bool


@dataclass(frozen=True, slots=True)
class Podium:
    """The podium of a finished game.

    Attributes:
        steps: those who have a step, from the left.
        others: those below it, best first.
        won_at: seconds after which the first have risen.
        seconds: seconds that all of it takes.
        has_single_winner: one player or one team alone has won.
    """

    steps: tuple[PodiumStep, ...]
    others: tuple[PodiumStep, ...]
    won_at: float
    seconds: float
    has_single_winner: bool

    def measure_rises(self, passed: float) -> tuple[float, ...]:
        """Return how far each step has risen, 0 to 1, `passed` seconds after the podium was begun."""
        return tuple(ease((passed - step.begins_at) / RISE_SECONDS) for step in self.steps)

    def measure_confetti(self, passed: float) -> float:
        """Return how far the confetti has fallen, 0 to 1; 0 if nobody has won."""
        has_winner = any(step.has_won for step in self.steps)
        return min(1.0, max(0.0, (passed - self.won_at) / CONFETTI_SECONDS)) if has_winner else 0.0


def plan_podium(state: ScreenState) -> Podium:
    """Plan who stands where, how high, and when each step rises.

    Args:
        state: a game that has ended, with at least one player.
    """
    winners, ranked = list_winners(state), rank_players(state)
    is_by_score = not (state.outcome and state.outcome.places)
    ranks, scores = [each.rank for each in ranked], [each.score for each in ranked]
    limit = ranks[min(STEP_COUNT, len(ranks)) - 1]
    begins: dict[int, float] = {}
    time = START_SECONDS
    for rank in sorted({rank for rank in ranks if rank <= limit}, reverse=True):
        time += SUSPENSE_SECONDS if rank == 1 and begins else 0.0
        begins[rank] = time
        time += RISE_SECONDS + PAUSE_SECONDS
    won_at = begins[1] + RISE_SECONDS
    listed = [
        PodiumStep(
            players,
            rank,
            score,
            abs(score - (scores[0] if rank > 1 or ranks.count(1) > 1 else scores[min(1, len(scores) - 1)]))
            if is_by_score
            else 0,
            _measure_share(scores, score, rank, is_low=is_lowest_best(state))
            if is_by_score
            else 1.0 - 2 * RANK_SHARE * (rank - 1),
            begins.get(rank, 0.0),
            players[0].seat in winners,
        )
        for rank, players, score in ranked
    ]
    steps, others = ([each for each in listed if (each.rank <= limit) is has_step] for has_step in (True, False))
    seconds = won_at + (CONFETTI_SECONDS if winners else PAUSE_SECONDS) + GLIDE_SECONDS
    has_single_winner = bool(winners) and ranks.count(1) == 1
    return Podium(_order_steps(steps), tuple(others), won_at, seconds, has_single_winner)


def _measure_share(scores: Sequence[int], score: int, rank: int, *, is_low: bool) -> float:
    """Return the height of a step: how far the score is from the first, beside the first's or the farthest distance."""
    sign = -1 if is_low else 1
    distance = sign * (scores[0] - score)
    farthest = max(sign * (scores[0] - each) for each in scores)
    scale = max(abs(scores[0]), farthest)
    if distance <= 0 or scale == 0:  # equal, or another rule than the score has decided
        return 1.0 - RANK_SHARE * (rank - 1)
    return MIN_SHARE + (1.0 - MIN_SHARE) * (1.0 - distance / scale) - RANK_SHARE * (rank - 1)


def _order_steps(steps: Sequence[PodiumStep]) -> tuple[PodiumStep, ...]:
    """Order steps from the left: the first in the middle, the second at its left, the third at its right."""
    firsts = [step for step in steps if step.rank == 1]
    rest = [step for step in steps if step.rank > 1]
    at_left = rest[len(firsts) > 1 :: 2]
    at_right = [step for step in rest if step not in at_left]
    return (*reversed(at_left), *firsts, *at_right)


def describe_next_step(podium: Podium, passed: float) -> str:
    """Describe the place whose step rises now or next, in the current language."""
    begun = [step.rank for step in podium.steps if passed >= step.begins_at - PAUSE_SECONDS / 2]
    rank = min(begun or [step.rank for step in podium.steps if step.begins_at == START_SECONDS])
    return _("First place …") if rank == 1 else _("Second place") if rank == 2 else _("Third place")


def describe_margin(podium: Podium) -> str:
    """Describe by how many points a single winner is before the second; empty: there is none."""
    winner = next((step for step in podium.steps if step.has_won), None)
    if not podium.has_single_winner or winner is None or not winner.distance:
        return ""
    return _("{n} ahead", n=winner.distance)


def draw_podium(canvas: Canvas, rect: Rect, podium: Podium, rises: Sequence[float] | None = None) -> list[Rect]:
    """Draw the steps, and the others in a row below them.

    Args:
        canvas: where it is drawn, while a region is painted.
        rect: its place in pixels.
        podium: as `plan_podium` returns it.
        rises: how far each step has risen, 0 to 1; None: all stand there.

    Returns:
        The places of panels, badges and names in pixels, and the row of the others.
    """
    room, taken = Rect(rect), []
    if podium.others:
        is_high = rect.h >= canvas.px(MIN_TALL_PODIUM) and not _fits_line(canvas, rect, podium.others)
        row, room = split_bottom(rect, canvas.px(OTHERS_HEIGHTS[is_high]), canvas.px(1))
        _draw_others(canvas, row, podium.others)
        taken.append(row)
    columns = split_grid(room, len(podium.steps), 1, canvas.px(1))
    names = [join_names(step.players) for step in podium.steps]
    # The names of a team may need a second line.
    width, widths = columns[0].w, [canvas.text_width(name, face=Typeface.DISPLAY) for name in names]
    least = [canvas.min_text_width(name, 2, Typeface.DISPLAY) for name in names]
    max_lines = 1 if max(widths) <= width or max(least) > width else 2
    box = (width, canvas.px(TITLE_EM) * max_lines)
    # Names are large only where that leaves room for a large score.
    most_em = TITLE_EM if room.h >= canvas.px(BADGE_SIZES[1] + TITLE_EM + BIG_EM + 3) else TEXT_EM
    em = canvas.find_common_size(names, most_em, box, Typeface.DISPLAY, max_lines)
    name_height = max_lines * canvas.line_px(em + 1)
    heights = [_measure_step(canvas, room, step, name_height) for step in podium.steps]
    style = _choose_distance_style(canvas, [Rect(0, 0, width, height) for height in heights], podium.steps)
    for i, (step, column) in enumerate(zip(podium.steps, columns, strict=True)):
        risen, lowest = 1.0 if rises is None else rises[i], canvas.px(MIN_STEP_HEIGHT)
        block, above = split_bottom(column, lowest + round((heights[i] - lowest) * risen))
        if risen == 0.0:
            canvas.draw_panel(block, PANEL)
            canvas.draw_text(block, format_number(step.rank), TITLE_EM, MUTED, face=Typeface.DISPLAY, align=0.5)
            taken.append(block)
            continue
        name, above = split_bottom(above, name_height)
        drawn = canvas.draw_text(name, names[i], em, INK, face=Typeface.DISPLAY, max_lines=max_lines, align=0.5)
        name.left, name.w = drawn.left, drawn.w
        taken += [block, name, _draw_badges(canvas, above, step.players, _find_badge_size(canvas, room))]
        canvas.draw_split_panel(block, [BUTTON_COLOURS[player.button] for player in step.players])
        if risen == 1.0:
            _draw_score(canvas, block, step, style)
    return taken


def _find_badge_size(canvas: Canvas, room: Rect) -> int:
    return canvas.px(BADGE_SIZES[room.h >= canvas.px(MIN_TALL_PODIUM)])


def _measure_step(canvas: Canvas, room: Rect, step: PodiumStep, name_height: int) -> int:
    """Return the height of a step that has risen, in pixels."""
    height = room.h - _find_badge_size(canvas, room) - name_height
    return max(canvas.px(MIN_STEP_HEIGHT), round(height * step.share))


def _draw_badges(canvas: Canvas, rect: Rect, players: Sequence[Player], size: int) -> Rect:
    """Draw the badges of a player or a team at the bottom of `rect`; return their place."""
    size = min(size, rect.h)
    step = round(size * 1.1)
    place = Rect(0, rect.bottom - size, step * (len(players) - 1) + size, size)
    place.centerx = rect.centerx
    for i, player in enumerate(players):
        canvas.draw_badge(player.button, (place.left + size // 2 + i * step, place.centery), size)
    return place


def _choose_distance_style(canvas: Canvas, blocks: Sequence[Rect], steps: Sequence[PodiumStep]) -> DistanceStyle:
    """Choose where the distances to the first stand: at the same place on all steps, or nowhere.

    Args:
        canvas: measures texts.
        blocks: sizes of the steps in pixels.
        steps: the steps.
    """
    shown = [(block, step) for block, step in zip(blocks, steps, strict=True) if step.rank > 1 and step.distance]
    needed = canvas.line_px(DISTANCE_HEIGHT + 2) + canvas.px(TITLE_EM + 1)
    if all(block.h >= needed and _measure_distance(canvas, step) <= block.w for block, step in shown):
        return DistanceStyle.BELOW
    if all(
        _measure_distance(canvas, step) + _measure_score(canvas, block, step) + canvas.px(2 * DISTANCE_GAP) <= block.w
        for block, step in shown
    ):
        return DistanceStyle.BESIDE
    return DistanceStyle.NONE


def _measure_distance(canvas: Canvas, step: PodiumStep) -> int:
    return canvas.text_width(_format_distance(step), face=Typeface.DISPLAY)


def _format_distance(step: PodiumStep) -> str:
    return _("{n} behind", n=step.distance)


def _find_score_em(canvas: Canvas, block: Rect) -> float:
    return next((each for each in (HUGE_EM, BIG_EM) if block.h >= canvas.px(each + 1)), TITLE_EM)


def _measure_score(canvas: Canvas, block: Rect, step: PodiumStep) -> int:
    return canvas.text_width(format_number(step.score), _find_score_em(canvas, block), Typeface.DISPLAY)


def _draw_score(canvas: Canvas, block: Rect, step: PodiumStep, style: DistanceStyle) -> None:
    """Draw the score on a step, and how far it is behind the first."""
    if step.rank > 1 and step.distance and style is not DistanceStyle.NONE:
        if style is DistanceStyle.BELOW:
            line, block = split_bottom(block, canvas.line_px(DISTANCE_HEIGHT + 1), canvas.px(1))
            line.h = canvas.line_px(DISTANCE_HEIGHT)  # the rest is room below the text
        else:
            distance, gap = _measure_distance(canvas, step), canvas.px(DISTANCE_GAP)
            width = _measure_score(canvas, block, step) + gap + distance
            block = Rect(block.centerx - width // 2, block.top, width, block.h)
            line, block = split_right(block, distance, gap)
        canvas.draw_text(line, _format_distance(step), TEXT_EM, BACKGROUND, face=Typeface.DISPLAY, align=0.5)
    em = _find_score_em(canvas, block)
    canvas.draw_text(block, format_number(step.score), em, BACKGROUND, face=Typeface.DISPLAY, align=0.5)


def _draw_others(canvas: Canvas, rect: Rect, others: Sequence[PodiumStep]) -> None:
    """Draw those who stand below the podium, side by side.

    Place, badge, name and score stand in a line where all fit, else the name over the others if there is room.
    """
    if _fits_line(canvas, rect, others):
        width = max(_measure_other(canvas, step, has_name=True) for step in others)
        row = Rect(0, rect.top, (width + canvas.px(1)) * len(others) - canvas.px(1), rect.h)
        row.centerx = rect.centerx
    else:
        row = rect
    is_high = rect.h >= canvas.px(OTHERS_HEIGHTS[1])
    cells = split_grid(row, len(others), 1, canvas.px(1))
    has_places = all(_measure_other(canvas, step) <= cells[0].w for step in others)  # else their order says it
    for step, cell in zip(others, cells, strict=True):
        canvas.draw_panel(cell, PANEL)
        name, below = split_top(cell.inflate(-2 * canvas.px(1), 0), canvas.line_px(7) if is_high else 0)
        if has_places:
            place = f"{step.rank}."
            rank, below = split_left(below, canvas.text_width(place, face=Typeface.DISPLAY), canvas.px(1))
            canvas.draw_text(rank, place, TEXT_EM, MUTED, face=Typeface.DISPLAY)
        for player in step.players:
            below = canvas.draw_badge_left(below, player.button, canvas.px(6), gap=1)
        drawn = canvas.draw_text(below, format_number(step.score), TITLE_EM, INK, face=Typeface.DISPLAY, align=1.0)
        if not is_high:
            name = Rect(below.left, below.top, drawn.left - canvas.px(1) - below.left, below.h)
        canvas.draw_text(name, join_names(step.players), TEXT_EM, INK, face=Typeface.DISPLAY)


def _fits_line(canvas: Canvas, rect: Rect, others: Sequence[PodiumStep]) -> bool:
    """Return whether each of those below the podium has room for all on one line."""
    width = split_grid(rect, len(others), 1, canvas.px(1))[0].w
    return all(_measure_other(canvas, step, has_name=True) <= width for step in others)


def _measure_other(canvas: Canvas, step: PodiumStep, *, has_name: bool = False) -> int:
    """Return the width in pixels of place, badges and score of somebody below the podium, with or without the name."""
    width = canvas.text_width(f"{step.rank}.{format_number(step.score)}", face=Typeface.DISPLAY)
    if has_name:
        width += canvas.text_width(join_names(step.players), face=Typeface.DISPLAY) + canvas.px(OTHERS_NAME_GAP)
    return width + len(step.players) * canvas.px(7) + 3 * canvas.px(1)


def draw_confetti(canvas: Canvas, rect: Rect, podium: Podium, part: float, taken: Sequence[Rect]) -> None:
    """Draw pieces of confetti that fall once through `rect`, each with a place and a speed of its own.

    Args:
        canvas: where it is drawn, while a region is painted.
        rect: its place in pixels.
        podium: gives the colours of the winners.
        part: how far they have fallen; at 0 and at 1 there are none.
        taken: places that they do not touch, in pixels.
    """
    if not 0.0 < part < 1.0:
        return
    colours: list[Colour] = [BUTTON_COLOURS[p.button] for step in podium.steps if step.has_won for p in step.players]
    colours.append(WARN)
    for i in range(CONFETTI_COUNT):
        across, start, speed = i * 37 % 101 / 101, i * 53 % 97 / 97, 1.0 + i * 29 % 89 / 89
        y = part * speed * 1.6 - start * 0.6
        x = across + 0.02 * sin(12 * part + i)
        size = canvas.px(CONFETTI_SIZES[i % len(CONFETTI_SIZES)])
        place = Rect(0, 0, size, max(1, round(size * (0.4 + 0.6 * abs(sin(20 * part + i))))))
        place.center = (rect.left + round(x * rect.w), rect.top + round(y * rect.h))
        # A piece that would be cut off, or break the letters of a name, is left out.
        if rect.inflate(-2, -2).contains(place) and place.inflate(size, size).collidelist(taken) < 0:
            canvas.fill_rect(colours[i % len(colours)], place)
