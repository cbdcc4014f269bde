"""The result: the ranking with the winners, the chart of their scores, and how each score came about."""

from collections.abc import Sequence
from dataclasses import replace
from math import sin
from typing import Any

from companion.display.best_moments import describe_best_moments
from companion.display.scenes.base import GameScene, draw_frame
from companion.display.scenes.dice_luck import draw_dice_luck
from companion.display.scenes.score_sheet import draw_rounds_table, draw_score_sheet
from companion.display.toolkit import (
    BACKGROUND,
    BIG_EM,
    BUTTON_COLOURS,
    HUGE_EM,
    INK,
    PANEL,
    TEXT_EM,
    TITLE_EM,
    Canvas,
    Colour,
    Rect,
    Tone,
    Typeface,
    lay_out_screen,
    split_bottom,
    split_grid,
    split_left,
    split_top,
)
from companion.display.widgets import (
    RankedPlayer,
    draw_dialog_if_open,
    draw_result_code,
    draw_score_chart,
    draw_soft_keys,
    list_winners,
    rank_players,
)
from companion.i18n import format_number
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
"""Height of the chart at least, in percent of its place: best moments that leave less are dropped."""
PODIUM_ORDER = (1, 0, 2)
"""Places of the ranking on the podium, from the left: the first stands in the middle."""
STEP_SHARES = (1.0, 0.7, 0.5)
"""Height of a step by its rank, as a share of the highest."""
OTHERS_HEIGHTS = (11.0, 16.0)
"""Height of the row of those who stand below the podium, in units: on one line, and with the name on a line above."""
BADGE_SIZE = 11.0
"""Size of a badge over its step, in units."""
MIN_TALL_PODIUM = 40.0
"""Height in units from which a podium has room for the higher of these rows."""
RISE_SECONDS = 1.0
"""Time in which the steps rise."""
CONFETTI_SECONDS = 4.0
"""Time for which confetti falls."""
CONFETTI_COUNT = 48
"""Pieces of confetti."""
CONFETTI_SIZE = 1.6
"""Side of a piece of confetti, in units."""


def draw_result_screen(canvas: Canvas, state: ScreenState, scene: GameScene[Any]) -> None:
    """Draw a finished game: ranking, and beside it the chart, the game's own result, or a page of the score sheet.

    Only regions that changed since the last frame are painted again. Call it within `Canvas.frame`.

    Args:
        state: what is shown; it has at least one player.
        scene: the game's own scene; if it has a result of its own, that is drawn in place of the chart.

    Raises:
        IndexError: there are no players, or a seat has no player.
    """
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
    body = layout.body
    reason = state.outcome.reason if state.outcome else ""
    in_status = _fits_status(canvas, layout.status, state, reason)
    active = winners[0] if len(winners) == 1 else None
    button = state.players[active].button if active is not None else None
    ground = scene.ACCENT if button is None else BUTTON_COLOURS[button]
    shown_state = replace(state, last_move=reason) if in_status else state
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
    place, beside = _split_body(canvas, body, state, is_table=is_table)
    if beside is None and not in_status:
        beside, place = split_bottom(body, _texts_height(canvas, [reason], body.w), canvas.px(2))
    rise = canvas.timeline.progress("podium", winners, RISE_SECONDS)
    confetti = canvas.timeline.progress("confetti", winners or None, CONFETTI_SECONDS, delay=RISE_SECONDS / 2)
    content = (state.players, state.scores, winners, rise, confetti)
    canvas.draw_region("players", place, content, lambda: _draw_podium(canvas, place, state, rise, confetti))
    if beside is not None:
        _draw_ending(canvas, beside, state, scene, "" if in_status else reason)


def _split_body(canvas: Canvas, body: Rect, state: ScreenState, *, is_table: bool) -> tuple[Rect, Rect | None]:
    """Return the place of the podium, and of what stands beside it: after one round there is no course to be drawn."""
    if not is_table and len(state.round_points) <= 1:
        return body, None
    percent, gap = NARROW_PODIUM_PERCENT if is_table else PODIUM_PERCENT, canvas.px(2)
    if canvas.is_portrait:
        if len(state.players) > len(PODIUM_ORDER) and not is_table:
            percent = PORTRAIT_PODIUM_PERCENT
        return split_top(body, body.h * percent // 100, gap)
    return split_left(body, body.w * percent // 100, gap)


def _draw_ending(canvas: Canvas, rect: Rect, state: ScreenState, scene: GameScene[Any], reason: str) -> None:
    """Draw the chart, or the game's own result; under it the reason of the end if given, and the best moments."""
    # Upright, a game's own table and a chart below many names need all of their height; so does a table in large text.
    has_own, is_many = scene.has_own_result(state), len(state.players) > len(PODIUM_ORDER)
    is_crowded = (canvas.is_portrait and (has_own or is_many)) or (canvas.is_far and has_own)
    texts = [reason] if reason and not is_crowded else []
    is_lowest = state.outcome is not None and state.outcome.lowest_wins
    if not has_own and not is_crowded and not is_lowest:
        texts += describe_best_moments(
            state.round_points, state.scores, state.players, list_winners(state), scene.BEST_MOMENT_TEXTS
        )
    # The chart gets the room that is left; the last best moments are dropped if that is too little.
    while len(texts) > bool(reason):
        if rect.h - _texts_height(canvas, texts, rect.w) >= rect.h * MIN_CHART_PERCENT // 100:
            break
        texts.pop()
    upper = rect
    if texts:
        lower, upper = split_bottom(rect, _texts_height(canvas, texts, rect.w), canvas.px(2))
        toned: list[tuple[str, Tone]] = [(text, INK) for text in texts]
        canvas.draw_region("reason", lower, tuple(texts), lambda: _draw_texts(canvas, lower, toned))
    if has_own or len(state.round_points) > 1:
        content = (state.round_points, state.view, state.players, state.scores)
        canvas.draw_region("main", upper, content, lambda: _draw_scores(canvas, upper, state, scene))


def _draw_scores(canvas: Canvas, rect: Rect, state: ScreenState, scene: GameScene[Any]) -> None:
    """Draw how the scores came about: the game's own result, or the chart."""
    if scene.has_own_result(state):
        scene.draw_result(canvas, rect, state)
        return
    order = [each.player.seat for each in rank_players(state)]
    draw_score_chart(canvas, rect, state.round_points, state.scores, state.players, order)


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


def _fits_status(canvas: Canvas, rect: Rect, state: ScreenState, text: str) -> bool:
    """Return whether a text is short enough for the status line, beside the hint on holding a button."""
    if canvas.is_far:
        return False
    max_lines = 2 if canvas.is_portrait else 1
    hints = [canvas.text_width(key.label, face=Typeface.DISPLAY) for key in state.soft_keys if key.is_hold]
    room = rect.w - max(hints, default=0) - canvas.px(22)
    return canvas.min_text_width(text, max_lines, Typeface.DISPLAY) <= room


def _draw_podium(canvas: Canvas, rect: Rect, state: ScreenState, rise: float, confetti: float) -> None:
    """Draw the first three on their steps, the others in a row below; equal scores share a height."""
    ranked, winners = rank_players(state), list_winners(state)
    others = ranked[len(PODIUM_ORDER) :]
    if others:
        height = OTHERS_HEIGHTS[rect.h >= canvas.px(MIN_TALL_PODIUM)]
        row, rect = split_bottom(rect, canvas.px(height), canvas.px(1))
        _draw_others(canvas, row, others)
    places = [place for place in PODIUM_ORDER if place < len(ranked)]
    columns = split_grid(rect, len(places), 1, canvas.px(1))
    box = (columns[0].w, canvas.px(TITLE_EM))
    # Names are large only where that leaves room for a large score.
    most_em = TITLE_EM if rect.h >= canvas.px(BADGE_SIZE + TITLE_EM + BIG_EM + 3) else TEXT_EM
    em = canvas.find_common_size([ranked[place].player.name for place in places], most_em, box, Typeface.DISPLAY)
    is_single = len(winners) == 1 and [each.rank for each in ranked].count(1) == 1
    for place, column in zip(places, columns, strict=True):
        won = ranked[place].player.seat in winners
        # The header has the name of a single winner; on a step that is shared the names stand side by side.
        name_em = 0.0 if won and is_single else em
        _draw_step(canvas, column, ranked[place], name_em, rise, won=won)
    if 0.0 < confetti < 1.0 and winners:
        _draw_confetti(canvas, rect, [BUTTON_COLOURS[state.players[seat].button] for seat in winners], confetti)


def _draw_step(canvas: Canvas, rect: Rect, ranked: RankedPlayer, em: float, rise: float, *, won: bool) -> None:
    """Draw a player on a step: badge and name over it, the name in `em` (0: no name), and the score on it."""
    rank, player, score = ranked
    colour = BUTTON_COLOURS[player.button]
    name_height = canvas.line_px(em + 1) if em else canvas.px(1)
    head = canvas.px(BADGE_SIZE) + name_height
    share = STEP_SHARES[min(rank, len(STEP_SHARES)) - 1]
    height = max(canvas.px(TITLE_EM + 2), round((rect.h - head) * share * rise))
    step, above = split_bottom(rect, height)
    name, above = split_bottom(above, name_height)
    size = min(canvas.px(BADGE_SIZE), above.h)
    canvas.draw_badge(player.button, (above.centerx, above.bottom - size // 2), size)
    if em:
        canvas.draw_text(name, player.name, em, INK, face=Typeface.DISPLAY, align=0.5)
    canvas.draw_panel(step, colour if won else PANEL)
    ink = BACKGROUND if won else INK
    score_em = next((each for each in (HUGE_EM, BIG_EM) if step.h >= canvas.px(each + 1)), TITLE_EM)
    canvas.draw_text(step, format_number(score), score_em, ink, face=Typeface.DISPLAY, align=0.5)


def _draw_others(canvas: Canvas, rect: Rect, ranked: Sequence[RankedPlayer]) -> None:
    """Draw those who stand below the podium, side by side: name, badge and score, on two lines if there is room."""
    is_tall = rect.h >= canvas.px(OTHERS_HEIGHTS[1])
    for (_rank, player, score), cell in zip(ranked, split_grid(rect, len(ranked), 1, canvas.px(1)), strict=True):
        canvas.draw_panel(cell, PANEL)
        name, below = split_top(cell.inflate(-2 * canvas.px(1), 0), canvas.line_px(7) if is_tall else 0)
        beside = canvas.draw_badge_left(below, player.button, canvas.px(6), gap=1)
        drawn = canvas.draw_text(beside, format_number(score), TITLE_EM, INK, face=Typeface.DISPLAY, align=1.0)
        if not is_tall:
            name = Rect(beside.left, beside.top, drawn.left - canvas.px(1) - beside.left, beside.h)
        canvas.draw_text(name, player.name, TEXT_EM, INK, face=Typeface.DISPLAY)


def _draw_confetti(canvas: Canvas, rect: Rect, colours: Sequence[Colour], part: float) -> None:
    """Draw pieces of confetti that fall once through `rect`, each with a place and a speed of its own."""
    size = canvas.px(CONFETTI_SIZE)
    for i in range(CONFETTI_COUNT):
        across, start, speed = i * 37 % 101 / 101, i * 53 % 97 / 97, 1.0 + i * 29 % 89 / 89
        y = part * speed * 1.6 - start * 0.6
        x = across + 0.02 * sin(12 * part + i)
        place = Rect(0, 0, size, max(1, round(size * (0.4 + 0.6 * abs(sin(20 * part + i))))))
        place.center = (rect.left + round(x * rect.w), rect.top + round(y * rect.h))
        canvas.fill_rect((*colours, INK)[i % (len(colours) + 1)], place)
