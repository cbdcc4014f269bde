"""The screen of a game in play: header, keys, track and players around what its scene draws, and the acts of a move."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from companion.api import Seat
from companion.display.scenes.acts import Act, ActMoment, find_act, hide_keys
from companion.display.toolkit import BUTTON_COLOURS, Canvas, Rect, lay_out_screen
from companion.display.widgets import (
    draw_camera_view,
    draw_dialog_if_open,
    draw_enlarged_camera,
    draw_guide,
    draw_header,
    draw_notice,
    draw_players,
    draw_result_code,
    draw_soft_keys,
    draw_status_line,
)
from companion.display.widgets.header import split_prompt
from companion.display.widgets.standings import (
    describe_best,
    describe_next,
    describe_standings,
    draw_standings,
    list_standings,
)
from companion.display.widgets.status_line import has_status_line
from companion.i18n import _
from companion.screen_state import ScreenKind, ScreenState

if TYPE_CHECKING:
    from companion.display.scenes.base import GameScene


def draw_game_screen(canvas: Canvas, scene: "GameScene[Any]", state: ScreenState) -> None:
    """Draw a state of the game in play, or the act that follows from its last move; see `GameScene.draw`."""
    moment = find_act(canvas, scene, state)
    if moment is None:
        _draw_state(canvas, scene, state)
    else:
        draw_act(canvas, scene, state, moment)


def draw_act(canvas: Canvas, scene: "GameScene[Any]", state: ScreenState, moment: ActMoment) -> None:
    """Draw an act before the podium, with the keys of `state`, which are in force; after a game there are none.

    Args:
        scene: the game's scene.
        state: the game after the move that was just played.
        moment: the act that is shown now.

    Raises:
        Exception: an error of the scene's methods is passed on, as by `draw`.
    """
    played = state.played
    assert played is not None, "an act follows from a move"
    if state.kind is ScreenKind.RESULT:
        state = hide_keys(state)
    before = replace(
        state,
        view=played.before,
        scores=played.before.totals,
        prompt=played.prompt,
        addressed=played.addressed,
        outcome=None,
        last_move=None,
        clocks=(),
        enlarge_button=None,
    )
    match moment.act:
        case Act.QUESTION:
            # Without keys, the question alone looks as if the screen had stopped.
            wait = _("The result follows") if state.kind is ScreenKind.RESULT else None
            _draw_state(canvas, scene, replace(before, last_move=wait))
        case Act.ANSWER:
            prompt, addressed = scene.describe_answer(state)
            # The answer is given: the line on the move may say it too.
            shown = replace(before, scores=state.scores, prompt=prompt, addressed=addressed, last_move=state.last_move)
            _draw_state(canvas, scene, shown, (state.view, moment.part))
        case _:
            _draw_standings(canvas, scene, state, before, moment.part)


def _draw_standings(
    canvas: Canvas, scene: "GameScene[Any]", state: ScreenState, before: ScreenState, part: float
) -> None:
    """Draw how the round has changed the standings, in place of stage and strip."""
    rows, has_track = list_standings(state), scene.has_track(before)
    prompt, seat = describe_standings(rows, part)
    if not has_status_line(canvas):
        prompt = " · ".join(filter(None, (prompt, describe_best(state))))
    # An answer has counted already what the move has changed: no score goes back.
    seen = state.scores if scene.is_reveal(before.view, state.view) else before.scores
    layout = lay_out_screen(canvas, has_track=has_track)
    canvas.flood_ground(Rect(layout.flood), scene.ACCENT)
    draw_soft_keys(canvas, layout, state)
    draw_header(canvas, layout, replace(state, prompt=prompt, addressed=seat))
    if has_track:
        scene.draw_track(canvas, layout, before)
    # The keys are those of the next move already.
    draw_status_line(canvas, layout, replace(state, last_move=describe_next(canvas, layout, state)))
    draw_standings(canvas, layout.body, rows, part, seen)


def _draw_state(
    canvas: Canvas,
    scene: "GameScene[Any]",
    state: ScreenState,
    answer: tuple[Any, float] | None = None,
) -> None:
    """Draw a state.

    With an answer (the view after a reveal, and the share of its time that has passed) draw that: the state is the
    one before the reveal.
    """
    if state.result_code is not None:
        layout = lay_out_screen(canvas)
        canvas.flood_ground(layout.flood, None)
        draw_soft_keys(canvas, layout, state)
        draw_result_code(canvas, layout.view, state.result_code)
        return
    view = state.view
    shows_picture = scene.shows_camera(state)
    has_track = scene.has_track(state) and not shows_picture
    layout = lay_out_screen(canvas, len(state.players), has_track=has_track)
    active = scene.find_active_seat(view)
    named = state.addressed if state.addressed is not None else active
    button = state.players[named].button if named is not None else None
    flood = Rect(layout.flood)
    has_strip = bool(state.players) and _has_strip(canvas, scene, state)
    if shows_picture:
        flood.h = layout.view.bottom - flood.top
    elif not has_strip:
        flood.h = layout.body.bottom - flood.top
    canvas.flood_ground(flood, scene.ACCENT if button is None else BUTTON_COLOURS[button], button)
    draw_soft_keys(canvas, layout, state)
    if state.enlarged is not None:
        draw_enlarged_camera(canvas, layout.view, state.camera_view, state.enlarged, state.enlarge_button)
        return
    if shows_picture:
        # The header says what is wrong, as large as it says else what to do.
        words = state.notice or split_prompt(state)[1]
        draw_header(canvas, layout, replace(state, prompt=words), active)
        picture = Rect(layout.view)
        picture.h, picture.top = layout.view.bottom - layout.body.top, layout.body.top
        draw_camera_view(canvas, picture, state.camera_view, None, close_button=state.enlarge_button)
        return
    draw_header(canvas, layout, state, active, has_strip=has_strip)
    if has_track:
        scene.draw_track(canvas, layout, state)
    draw_status_line(canvas, layout, state)
    strip, notice = layout.players, state.notice
    if has_strip and canvas.is_far and notice is not None:
        content = notice, state.notice_warns
        canvas.draw_region(
            "players", strip, content, lambda: draw_notice(canvas, strip, notice, warns=state.notice_warns)
        )
    elif has_strip:
        # A state that is shown as text has no view.
        seats = tuple(player.seat for player in state.players)
        order = seats if view is None else (Seat(0), *view.list_others(Seat(0)))
        draw_players(canvas, layout, state, order, named, scene.list_changes(answer[0] if answer else view))
    if draw_dialog_if_open(canvas, layout.stage if has_strip else layout.body, state):
        return
    if state.guide is not None and state.guide.sentence:
        draw_guide(canvas, layout.stage if has_strip else layout.body, state.guide)
    elif answer is None:
        scene.draw_game(canvas, layout, state, view)
    else:
        scene.draw_answer(canvas, layout, state, *answer)


def _has_strip(canvas: Canvas, scene: "GameScene[Any]", state: ScreenState) -> bool:
    """Return whether the scores stand in a strip: beside a menu too, unless its lines need the room."""
    if state.menu is not None:
        return not (state.menu.numbered or canvas.is_portrait)
    return not scene.has_own_scores(state)
