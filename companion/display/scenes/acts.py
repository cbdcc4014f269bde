"""Acts: what a move has just decided is shown step by step, from the question to the podium.

The game itself is further already, and so are the keys: any press is handled at once, and ends the acts; a press that
means nothing else skips a step. Only after the last move the keys wait for the winner: no key says "Play again" before,
and OK skips a step then, any other press all that comes before the winner. Acts follow from `ScreenState.played` alone,
so that a correction or an undo has none.
"""

from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.display.sound.sound_effects import SoundEffect
from companion.display.toolkit import Canvas
from companion.display.widgets.podium import plan_podium
from companion.display.widgets.standings import has_new_places, list_standings
from companion.screen_state import ScreenKind, ScreenState

if TYPE_CHECKING:
    from companion.display.scenes.base import GameScene

QUESTION_SECONDS = 0.6
"""A breath between the press that answers a question and the answer on the stage."""
ANSWER_SECONDS = 2.3
"""Time for which the stage shows who was right, while points go to their players."""
STANDINGS_SECONDS = 3.0
"""Time for which the standings are shown; the first two thirds of it they move."""
UNMOVED_SECONDS = 2.0
"""The same if no row has another place."""
SKIP_MARGIN_SECONDS = 0.01
"""Time by which a skip goes beyond the end of a step, so that rounding does not show that step once more."""
WINNER_SECONDS = 1.0
"""Time for which the winner is seen at least, before OK plays again: who skips steps presses quickly."""
MOVEMENT_NAME = "acts"
"""Name of the acts on the timeline."""


class Act(StrEnum):
    """The acts in their order; each may be left out."""

    QUESTION = "question"
    ANSWER = "answer"
    STANDINGS = "standings"
    PODIUM = "podium"


class ActMoment(NamedTuple):
    """An act that is shown now.

    Attributes:
        act: which one.
        passed: seconds since it began.
        seconds: how long it takes.
    """

    act: Act
    passed: float
    seconds: float

    @property
    def part(self) -> float:
        """Share of its time that has passed, 0 to 1."""
        return self.passed / self.seconds


def plan_acts(scene: "GameScene[Any]", state: ScreenState) -> Sequence[tuple[Act, float]]:
    """Plan the acts that follow from the move that was just played, each with its seconds.

    Args:
        scene: the game's scene.
        state: a game in play, or one that has ended.

    Raises:
        Exception: an error of the scene's methods is passed on.
    """
    played = state.played
    if played is None:
        return ()
    acts: list[tuple[Act, float]] = []
    is_over = state.kind is ScreenKind.RESULT
    if scene.is_reveal(played.before, state.view):
        acts += [(Act.QUESTION, QUESTION_SECONDS), (Act.ANSWER, ANSWER_SECONDS)]
    if is_over:  # the podium is the last standings: others before it would say who has won
        acts.append((Act.PODIUM, plan_podium(state).seconds))
    elif not (scene.HAS_OWN_STANDINGS or played.round_start_scores == state.scores or _is_table_known(scene, state)):
        rows = list_standings(state)
        if len(rows) > 1 and has_new_places(rows):
            acts.append((Act.STANDINGS, STANDINGS_SECONDS))
        elif len(rows) > 1 and scene.choose_sound(played.before, state.view) is not SoundEffect.POINTS_LOST:
            acts.append((Act.STANDINGS, UNMOVED_SECONDS))  # lost points are to be seen at once
    return acts


def _is_table_known(scene: "GameScene[Any]", state: ScreenState) -> bool:
    """Return whether a table has shown the present scores before the last move: standings would hide what to do."""
    played = state.played
    assert played is not None, "asked after a move"
    before = replace(state, view=played.before, scores=played.before.totals)
    return before.scores == state.scores and scene.has_own_scores(before)


def skip_step(canvas: Canvas, scene: "GameScene[Any]", state: ScreenState, *, to_winner: bool = False) -> bool:
    """Go on to the next step of the acts, on the podium to the next place; return False if there is none.

    A winner who has just risen stays.

    Args:
        canvas: gives the timeline; nothing is drawn.
        scene: the game's scene.
        state: what the last picture shows: a game in play, or one that has ended.
        to_winner: go on to the first place at once, unless it has risen.

    Raises:
        Exception: an error of the scene's methods is passed on.
    """
    moment, timeline = find_act(canvas, scene, state), canvas.timeline
    if moment is None:
        return False
    ends, total = [], 0.0
    for act, seconds in plan_acts(scene, state):
        if act is Act.PODIUM:
            podium = plan_podium(state)
            begins = sorted({step.begins_at for step in podium.steps})
            ends += [total + each for each in (*([] if to_winner else begins[1:]), podium.won_at)]
            ends = ends[-1:] if to_winner else ends
        total += seconds
        ends.append(total)
    passed = timeline.measure(MOVEMENT_NAME, find_number(state), total)
    end = min(end for end in ends if end > passed)
    if end == total:
        return moment.act is Act.PODIUM and is_winner_unseen(canvas, scene, state)
    timeline.finish()
    timeline.seek(MOVEMENT_NAME, end + SKIP_MARGIN_SECONDS, total)
    return True


def is_winner_unseen(
    canvas: Canvas, scene: "GameScene[Any]", state: ScreenState, seconds: float = WINNER_SECONDS
) -> bool:
    """Return whether the acts after a game have not shown the winner for `seconds`.

    Args:
        canvas: gives the timeline; nothing is drawn.
        scene: the game's scene.
        state: a game that has ended.
        seconds: 0: the winner has not risen.
    """
    moment = find_act(canvas, scene, state)
    if moment is None:
        return False
    return moment.act is not Act.PODIUM or moment.passed < plan_podium(state).won_at + seconds


def find_number(state: ScreenState) -> int | None:
    """Return the number of the move from which the acts follow; None: there are none."""
    return None if state.played is None else state.played.number


def hide_keys(state: ScreenState) -> ScreenState:
    """Return a state without keys: nobody is asked to play again before the winner is known."""
    return replace(state, soft_keys=())


def choose_heard_state(canvas: Canvas, scene: "GameScene[Any]", state: ScreenState) -> ScreenState | None:
    """Choose the state whose sounds fit what is shown: nobody hears the answer or the winner before they are seen.

    Args:
        canvas: gives the timeline; nothing is drawn.
        scene: the game's scene.
        state: a game in play, or one that has ended.

    Returns:
        The state; before the winner is shown as if the game went on. None: the question is still shown.
    """
    moment, played = find_act(canvas, scene, state), state.played
    if moment is None or played is None:
        return state
    if moment.act is Act.QUESTION:
        return None
    if state.kind is not ScreenKind.RESULT or (moment.act is Act.PODIUM and moment.passed >= plan_podium(state).won_at):
        return state
    # The keys of the result would say that the game is over.
    unseen = replace(state, kind=ScreenKind.PLAY, soft_keys=(), outcome=None)
    return replace(unseen, prompt=played.prompt, addressed=played.addressed)


def find_act(canvas: Canvas, scene: "GameScene[Any]", state: ScreenState) -> ActMoment | None:
    """Find the act that is to be shown now. Call it once for each picture of a game.

    Args:
        canvas: gives the timeline; nothing is drawn.
        scene: the game's scene.
        state: a game in play, or one that has ended.

    Returns:
        The act; None: there is none, all are over, or a dialog or a large picture covers the stage.
    """
    acts = plan_acts(scene, state)
    total = sum(seconds for _act, seconds in acts)
    passed = canvas.timeline.measure(MOVEMENT_NAME, find_number(state), total)
    covers = (state.question, state.menu, state.enlarged, state.score_sheet, state.result_code, state.entered_numbers)
    if passed >= total or any(covers):
        return None
    for act, seconds in acts:
        if passed < seconds:
            return ActMoment(act, passed, seconds)
        passed -= seconds
    return None
