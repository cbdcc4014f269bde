"""The result: the podium with the winners, the chart of their scores, and how each score came about."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from companion.display.best_moments import describe_best_moments
from companion.display.scenes.acts import Act, ActMoment, find_act, hide_keys
from companion.display.scenes.base import GameScene
from companion.display.scenes.dice_luck import draw_dice_luck
from companion.display.scenes.game_screen import draw_act
from companion.display.scenes.scene_frame import draw_frame
from companion.display.scenes.score_sheet import draw_rounds_table, draw_score_sheet
from companion.display.toolkit import (
    BUTTON_COLOURS,
    INK,
    TEXT_EM,
    Canvas,
    Rect,
    Tone,
    Typeface,
    ease,
    lay_out_screen,
    split_bottom,
    split_left,
    split_top,
)
from companion.display.widgets import (
    draw_dialog_if_open,
    draw_result_code,
    draw_score_chart,
    draw_soft_keys,
    list_winners,
    rank_players,
)
from companion.display.widgets.podium import (
    GLIDE_SECONDS,
    STEP_COUNT,
    Podium,
    describe_margin,
    describe_next_step,
    draw_confetti,
    draw_podium,
    plan_podium,
)
from companion.display.widgets.status_line import fits_status_line
from companion.screen_state import ScreenState

WINNER_NAME_HEIGHT = 5.0
"""Height by which the header grows for the winner's large name, in units."""
PODIUM_PERCENT = 50
"""Width of the podium beside the chart, in percent of the body; its height above it in portrait."""
PORTRAIT_PODIUM_PERCENT = 60
"""Height of the podium above the chart in portrait if some stand below it, in percent of the body."""
NARROW_PODIUM_PERCENT = 45
"""Width of the podium beside a table, in percent of the body."""
BEST_MOMENT_LINE_HEIGHT = 7.2
"""Height of a line under the chart, in units."""
MAX_BEST_MOMENT_LINES = 2
"""Lines of a best moment at most."""
MIN_CHART_PERCENT = 58
"""Height of the chart at least, in percent of its place: sentences that leave less are dropped, the last first."""
MAX_HIGHLIGHTS = 2
"""Sentences on the game beside earlier ones at most, before its own best moments."""


def draw_result_screen(canvas: Canvas, state: ScreenState, scene: GameScene[Any]) -> None:
    """Draw a finished game: podium, and beside it the chart, the game's own result, or a page of the score sheet.

    After the game's last move its acts are shown before.

    Only regions that changed since the last frame are painted again. Call it within `Canvas.frame`.

    Args:
        state: what is shown; it has at least one player.
        scene: the game's own scene; if it has a result of its own, that is drawn in place of the chart.

    Raises:
        IndexError: there are no players, or a seat has no player.
    """
    moment = find_act(canvas, scene, state)
    if moment is not None and moment.act is not Act.PODIUM:
        draw_act(canvas, scene, state, moment)
        return
    layout = lay_out_screen(canvas)
    if state.result_code is not None:
        canvas.flood_ground(layout.flood, None)
        draw_soft_keys(canvas, layout, state)
        draw_result_code(canvas, layout.view, state.result_code)
        return
    winners = list_winners(state)
    is_podium = state.score_sheet is None and state.menu is None and state.question is None
    is_table = scene.has_own_result(state) or state.score_sheet is not None
    if is_podium and len(winners) == 1 and not (canvas.is_portrait and is_table):
        # The winner's name is larger than any other text.
        more = canvas.px(WINNER_NAME_HEIGHT)
        header, body = Rect(layout.header), Rect(layout.body)
        header.h, body.top, body.h = header.h + more, body.top + more, body.h - more
        layout = replace(layout, header=header, body=body)
    body, podium = layout.body, plan_podium(state)
    reason = state.outcome.reason if state.outcome else ""
    in_status = fits_status_line(canvas, layout, state, reason)
    active = winners[0] if len(winners) == 1 else None
    prompt = " · ".join(filter(None, (state.prompt, describe_margin(podium)))) if is_podium else state.prompt
    shown_state = replace(state, prompt=prompt, last_move=reason if in_status else state.last_move)
    if moment is not None and moment.passed < podium.won_at:
        # Nothing says who has won before the first stands there.
        prompt = describe_next_step(podium, moment.passed)
        active, shown_state = None, replace(hide_keys(state), prompt=prompt, addressed=None, last_move=None)
    button = state.players[active].button if active is not None else None
    ground = scene.ACCENT if button is None else BUTTON_COLOURS[button]
    draw_frame(canvas, layout, shown_state, active, ground=ground, button=button)
    if not is_podium:
        if draw_dialog_if_open(canvas, body, state):
            return
        sheet = state.score_sheet
        assert sheet is not None
        shown = (sheet, state.round_points, state.scores, state.players)
        if sheet.dice is not None:
            dice = sheet.dice
            canvas.draw_region("main", body, shown, lambda: draw_dice_luck(canvas, body, state, dice))
            return
        draw = draw_rounds_table if sheet.seat is None else draw_score_sheet
        canvas.draw_region("main", body, shown, lambda: draw(canvas, body, state, sheet))
        return
    place, beside = _split_body(canvas, body, state, podium, is_table=is_table)
    has_course = beside is not None
    texts = ["" if in_status else reason, *state.highlights[:MAX_HIGHLIGHTS]]
    if beside is None and any(texts):
        height = _texts_height(canvas, list(filter(None, texts[:2])), body.w)
        beside, place = split_bottom(body, height, canvas.px(2))
    if moment is not None:
        _draw_rising_podium(canvas, body, place, podium, moment)
        return
    content = (podium, state.players)
    canvas.draw_region("players", place, content, lambda: draw_podium(canvas, place, podium))
    if beside is not None:
        _draw_ending(canvas, beside, state, scene, "" if in_status else reason, has_course=has_course)


def _draw_rising_podium(canvas: Canvas, body: Rect, end: Rect, podium: Podium, moment: ActMoment) -> None:
    """Draw the podium over all of `body`; it makes room at last for what stands beside it at `end`."""
    glided = ease(1.0 - (moment.seconds - moment.passed) / GLIDE_SECONDS)
    corners = ((body.topleft, end.topleft), (body.size, end.size))
    place = Rect(*([round(a + (b - a) * glided) for a, b in zip(*pair, strict=True)] for pair in corners))
    rises, fallen = podium.measure_rises(moment.passed), podium.measure_confetti(moment.passed)

    def paint() -> None:
        taken = draw_podium(canvas, place, podium, rises)
        draw_confetti(canvas, body, podium, fallen, taken)

    canvas.draw_region("players", body, (podium, tuple(place), rises, fallen), paint)


def _split_body(
    canvas: Canvas, body: Rect, state: ScreenState, podium: Podium, *, is_table: bool
) -> tuple[Rect, Rect | None]:
    """Return the place of the podium, and of what stands beside it.

    After one round there is no course to be drawn. Many who share a place need all of the width, and so do the names of
    teams in large text.
    """
    has_teams = any(len(step.players) > 1 for step in podium.steps)
    is_wide = len(podium.steps) > STEP_COUNT or (canvas.is_far and has_teams)
    if is_wide or (not is_table and len(state.round_points) <= 1):
        return body, None
    percent, gap = NARROW_PODIUM_PERCENT if is_table else PODIUM_PERCENT, canvas.px(2)
    if canvas.is_portrait:
        if len(state.players) > STEP_COUNT and not is_table:
            percent = PORTRAIT_PODIUM_PERCENT
        return split_top(body, body.h * percent // 100, gap)
    return split_left(body, body.w * percent // 100, gap)


def _draw_ending(
    canvas: Canvas, rect: Rect, state: ScreenState, scene: GameScene[Any], reason: str, *, has_course: bool
) -> None:
    """Draw the chart, or the game's own result; under it the reason of the end if given, then what is remarkable.

    That is what it was beside earlier games, and its best moments. Without `has_course` there is only room for texts.
    """
    # Upright, a game's own table and a chart below many names need all of their height; so does a table in large text.
    has_own, is_many = scene.has_own_result(state), len(state.players) > STEP_COUNT
    is_crowded = (canvas.is_portrait and (has_own or is_many)) or (canvas.is_far and has_own)
    texts = [text for text in (reason, *state.highlights[:MAX_HIGHLIGHTS]) if text and not is_crowded]
    is_by_highest = state.outcome is None or not (state.outcome.lowest_wins or state.outcome.places)
    if not has_own and not is_crowded and is_by_highest:
        texts += describe_best_moments(state, scene.BEST_MOMENT_TEXTS)
    # The chart gets the room that is left; the last sentences are dropped if that is too little.
    has_chart = has_course and (has_own or len(state.round_points) > 1)
    room = rect.h * (100 - MIN_CHART_PERCENT) // 100 if has_chart else rect.h
    while len(texts) > bool(reason) and _texts_height(canvas, texts, rect.w) > room:
        texts.pop()
    upper = rect
    if texts:
        lower, upper = split_bottom(rect, _texts_height(canvas, texts, rect.w), canvas.px(2))
        toned: list[tuple[str, Tone]] = [(text, INK) for text in texts]
        canvas.draw_region("reason", lower, tuple(texts), lambda: _draw_texts(canvas, lower, toned))
    if has_chart:
        content = (state.round_points, state.view, state.players, state.scores)
        canvas.draw_region("main", upper, content, lambda: _draw_scores(canvas, upper, state, scene))


def _draw_scores(canvas: Canvas, rect: Rect, state: ScreenState, scene: GameScene[Any]) -> None:
    """Draw how the scores came about: the game's own result, or the chart."""
    if scene.has_own_result(state):
        scene.draw_result(canvas, rect, state)
        return
    draw_score_chart(canvas, rect, state.round_points, state.scores, rank_players(state))


def _texts_height(canvas: Canvas, texts: Sequence[str], width: int) -> int:
    """Return the height in pixels of a panel of texts."""
    return sum(_count_lines(canvas, text, width) for text in texts) * canvas.px(BEST_MOMENT_LINE_HEIGHT)


def _draw_texts(canvas: Canvas, rect: Rect, texts: Sequence[tuple[str, Tone]]) -> None:
    """Draw texts one under the other, each in its colour."""
    for text, tone in texts:
        count = _count_lines(canvas, text, rect.w)
        line, rect = split_top(rect, count * canvas.px(BEST_MOMENT_LINE_HEIGHT))
        canvas.draw_text(line, text, TEXT_EM, tone, face=Typeface.DISPLAY, max_lines=count)


def _count_lines(canvas: Canvas, text: str, width: int) -> int:
    return 1 if canvas.text_width(text, face=Typeface.DISPLAY) <= width else MAX_BEST_MOMENT_LINES
