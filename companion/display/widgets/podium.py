"""The podium: third, second and first rise one after the other, each as high as the score says."""

from collections.abc import Sequence
from dataclasses import dataclass
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
    split_top,
)
from companion.display.widgets.ranking import is_lowest_best, join_names, list_winners, rank_teams
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
    winners, ranked = list_winners(state), rank_teams(state)
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


def draw_podium(canvas: Canvas, rect: Rect, podium: Podium, rises: Sequence[float] | None = None) -> None:
    """Draw the steps, and the others in a row below them.

    Args:
        canvas: where it is drawn, while a region is painted.
        rect: its place in pixels.
        podium: as `plan_podium` returns it.
        rises: how far each step has risen, 0 to 1; None: all stand there.
    """
    room = Rect(rect)
    if podium.others:
        height = OTHERS_HEIGHTS[rect.h >= canvas.px(MIN_TALL_PODIUM)]
        row, room = split_bottom(rect, canvas.px(height), canvas.px(1))
        _draw_others(canvas, row, podium.others)
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
    for step, column, risen in zip(podium.steps, columns, rises or [1.0] * len(columns), strict=True):
        if risen > 0.0:
            _draw_step(canvas, column, step, em, max_lines, risen)
        else:
            _draw_empty_place(canvas, column, step.rank)


def _draw_empty_place(canvas: Canvas, rect: Rect, rank: int) -> None:
    """Draw the ground of a step that has not risen, with its place."""
    ground, _above = split_bottom(rect, canvas.px(MIN_STEP_HEIGHT))
    canvas.draw_panel(ground, PANEL)
    canvas.draw_text(ground, format_number(rank), TITLE_EM, MUTED, face=Typeface.DISPLAY, align=0.5)


def _draw_step(canvas: Canvas, rect: Rect, step: PodiumStep, em: float, max_lines: int, risen: float) -> None:
    """Draw a step as far as it has risen: badge and name (in `em`) over it, and at last the score on it."""
    name_height, least = max_lines * canvas.line_px(em + 1), canvas.px(MIN_STEP_HEIGHT)
    badge = canvas.px(BADGE_SIZES[rect.h >= canvas.px(MIN_TALL_PODIUM)])
    height = max(least, round((rect.h - badge - name_height) * step.share))
    block, above = split_bottom(rect, least + round((height - least) * risen))
    name, above = split_bottom(above, name_height)
    size = min(badge, above.h)
    for i, player in enumerate(step.players):
        x = above.centerx + round((i - (len(step.players) - 1) / 2) * size * 1.1)
        canvas.draw_badge(player.button, (x, above.bottom - size // 2), size)
    canvas.draw_text(name, join_names(step.players), em, INK, face=Typeface.DISPLAY, max_lines=max_lines, align=0.5)
    canvas.draw_split_panel(block, [BUTTON_COLOURS[player.button] for player in step.players])
    if risen < 1.0:
        return
    text = _("{n} behind", n=step.distance)
    is_high = block.h >= canvas.line_px(DISTANCE_HEIGHT + 2) + canvas.px(TITLE_EM + 1)
    if step.rank > 1 and step.distance and is_high and canvas.text_width(text, face=Typeface.DISPLAY) <= block.w:
        line, block = split_bottom(block, canvas.line_px(DISTANCE_HEIGHT + 1), canvas.px(1))
        line.h = canvas.line_px(DISTANCE_HEIGHT)  # the rest is room below the text
        canvas.draw_text(line, text, TEXT_EM, BACKGROUND, face=Typeface.DISPLAY, align=0.5)
    score_em = next((each for each in (HUGE_EM, BIG_EM) if block.h >= canvas.px(each + 1)), TITLE_EM)
    canvas.draw_text(block, format_number(step.score), score_em, BACKGROUND, face=Typeface.DISPLAY, align=0.5)


def _draw_others(canvas: Canvas, rect: Rect, others: Sequence[PodiumStep]) -> None:
    """Draw those who stand below the podium, side by side: name, badge and score, on two lines if there is room."""
    is_tall = rect.h >= canvas.px(OTHERS_HEIGHTS[1])
    cells = split_grid(rect, len(others), 1, canvas.px(1))
    has_places = all(_measure_other(canvas, step) <= cells[0].w for step in others)  # else their order says it
    for step, cell in zip(others, cells, strict=True):
        canvas.draw_panel(cell, PANEL)
        name, below = split_top(cell.inflate(-2 * canvas.px(1), 0), canvas.line_px(7) if is_tall else 0)
        if has_places:
            place = f"{step.rank}."
            rank, below = split_left(below, canvas.text_width(place, face=Typeface.DISPLAY), canvas.px(1))
            canvas.draw_text(rank, place, TEXT_EM, MUTED, face=Typeface.DISPLAY)
        for player in step.players:
            below = canvas.draw_badge_left(below, player.button, canvas.px(6), gap=1)
        drawn = canvas.draw_text(below, format_number(step.score), TITLE_EM, INK, face=Typeface.DISPLAY, align=1.0)
        if not is_tall:
            name = Rect(below.left, below.top, drawn.left - canvas.px(1) - below.left, below.h)
        canvas.draw_text(name, join_names(step.players), TEXT_EM, INK, face=Typeface.DISPLAY)


def _measure_other(canvas: Canvas, step: PodiumStep) -> int:
    """Return the width in pixels of place, badges and score of somebody below the podium."""
    width = canvas.text_width(f"{step.rank}.{format_number(step.score)}", face=Typeface.DISPLAY)
    return width + len(step.players) * canvas.px(7) + 3 * canvas.px(1)


def draw_confetti(canvas: Canvas, rect: Rect, podium: Podium, part: float) -> None:
    """Draw pieces of confetti that fall once through `rect`, each with a place and a speed of its own.

    Args:
        canvas: where it is drawn, while a region is painted.
        rect: its place in pixels.
        podium: gives the colours of the winners.
        part: how far they have fallen; at 0 and at 1 there are none.
    """
    if not 0.0 < part < 1.0:
        return
    colours: list[Colour] = [BUTTON_COLOURS[p.button] for step in podium.steps if step.has_won for p in step.players]
    colours.append(WARN)  # not the colour of the names in front
    for i in range(CONFETTI_COUNT):
        across, start, speed = i * 37 % 101 / 101, i * 53 % 97 / 97, 1.0 + i * 29 % 89 / 89
        y = part * speed * 1.6 - start * 0.6
        x = across + 0.02 * sin(12 * part + i)
        size = canvas.px(CONFETTI_SIZES[i % len(CONFETTI_SIZES)])
        place = Rect(0, 0, size, max(1, round(size * (0.4 + 0.6 * abs(sin(20 * part + i))))))
        place.center = (rect.left + round(x * rect.w), rect.top + round(y * rect.h))
        canvas.fill_rect(colours[i % len(colours)], place)
