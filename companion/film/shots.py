"""The shots of a film's moments: states of the screen, each with its time, without a command to anybody."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import Any

from companion.api import Move, Seat, Visibility
from companion.display.scenes import load_game_scene
from companion.display.scenes.acts import plan_acts
from companion.display.widgets.podium import plan_podium
from companion.events import CameraState
from companion.film.moments import (
    LAST_MOVE_SECONDS,
    LAST_REVEAL_SECONDS,
    REVEAL_SECONDS,
    STANDINGS_SECONDS,
    Moment,
    MomentKind,
    StepFacts,
    choose_moments,
)
from companion.i18n import format_day
from companion.journal.replay import Replay
from companion.journal.statistics import compute_rounds
from companion.names import strip_address
from companion.referee.screen_parts import build_game_state, build_players
from companion.screen_state import CameraView, PlayedMove, ScreenKind, ScreenState

BEFORE_SECONDS = 0.4
"""Time of the table before a move."""
AFTER_SECONDS = 1.5
"""Time of the table after a move."""
CHEER_SECONDS = 1.6
"""Time of the podium once the first stand there, before the whole result."""
PODIUM_PACE = 1.15
"""How much faster than at the table the podium rises."""
STILL_CAMERA = CameraView(CameraState.STEADY)
"""A camera that needs nobody's help: the scenes ask for none."""


@dataclass(frozen=True, slots=True)
class Shot:
    """A state of the screen and how long it is shown.

    Attributes:
        state: what is shown.
        seconds: how long; 0: it only is what was there before the next shot.
        pace: how much faster than at the table everything moves.
        is_new: nothing of the shot before goes on in it.
    """

    state: ScreenState
    seconds: float
    pace: float = 1.0
    is_new: bool = False


class ShotList:
    """Builds the shots of a game's film; the texts are in the current language.

    Args:
        replay: the replayed game, finished or not.
        begun: when it began, in local time; None: the date is unknown.

    Raises:
        Exception: a game of another package, or its scene, may raise any error.
    """

    def __init__(self, replay: Replay, begun: datetime | None) -> None:
        self._replay, self._begun = replay, begun
        self._scene = load_game_scene(replay.definition.name)

    @cached_property
    def moments(self) -> Sequence[Moment]:
        """The moments of the film."""
        is_over = self._replay.game.compute_outcome() is not None and bool(self._replay.steps)
        podium_seconds = None
        if is_over:
            podium = plan_podium(self._build_after(len(self._replay.steps) - 1))
            podium_seconds = (podium.won_at + CHEER_SECONDS) / PODIUM_PACE
        return choose_moments([self._list_facts(i) for i in range(len(self._replay.steps))], podium_seconds)

    def build_shots(self) -> Iterator[Shot]:
        """Build all shots in their order."""
        for moment in self.moments:
            match moment.kind:
                case MomentKind.TITLE | MomentKind.END if moment.step < 0:  # a game without moves ends as it begins
                    yield Shot(self._build_title(), moment.seconds)
                case MomentKind.END:
                    yield Shot(self._build_after(moment.step), moment.seconds, is_new=True)
                case MomentKind.PODIUM:
                    yield from self._build_podium(moment)
                case _:
                    yield from self._build_move(moment)

    def _list_facts(self, i: int) -> StepFacts:
        step = self._replay.steps[i]
        is_move = isinstance(step.played, Move)
        return StepFacts(
            is_move,
            is_move and self._scene.is_reveal(step.before, step.after),
            step.after.changes,
            tuple(dict.fromkeys(step.after.list_team(seat)[0] for seat in step.after.leaders)),
        )

    def _build_move(self, moment: Moment) -> Iterator[Shot]:
        """Build the shots of a move: the table before it, what it brought, and who leads now."""
        before, after, played = self._build_before(moment.step), self._build_after(moment.step), self._play(moment.step)
        played = replace(played, round_start_scores=())
        is_reveal = self._scene.is_reveal(played.before, after.view)
        if is_reveal:
            yield Shot(replace(before, prompt=played.prompt), 0.0, is_new=True)
            shown = replace(after, played=played)
            yield Shot(shown, REVEAL_SECONDS, self._measure_acts(shown) / REVEAL_SECONDS)
        else:
            yield Shot(before, BEFORE_SECONDS, is_new=True)
            if self._scene.shows_gain(after.view):
                yield Shot(replace(after, played=played), AFTER_SECONDS)
            elif moment.kind is not MomentKind.LAST_LEAD:
                yield self._build_standings(moment.step, after, played, before, AFTER_SECONDS)
        if moment.kind is MomentKind.LAST_LEAD:
            earlier = self._find_state_before_lead(moment.step)
            yield self._build_standings(moment.step, after, played, earlier, STANDINGS_SECONDS)

    def _build_standings(
        self, i: int, after: ScreenState, played: PlayedMove, earlier: ScreenState, seconds: float
    ) -> Shot:
        """Build the shot of the standings after a step: how they have changed since an earlier state."""
        # The answer of a reveal is over: only the standings are left.
        seen = after.view if self._scene.is_reveal(played.before, after.view) else played.before
        told = replace(
            played,
            number=played.number + 1,
            before=seen,
            round_start_scores=earlier.scores,
            round_start_places=earlier.view.places,
        )
        shown = replace(after, played=told)
        return Shot(shown, seconds, max(1.0, self._measure_acts(shown) / seconds))

    def _find_state_before_lead(self, i: int) -> ScreenState:
        """Return the state when somebody else led last: the lead may have changed by small steps before this one."""
        step, leaders = self._replay.steps[i], self._list_facts(i).leaders
        if step.before.leaders != step.after.leaders:
            return self._build_before(i)
        others = (k for k in reversed(range(i)) if len(self._list_facts(k).leaders) == 1)
        other = next(k for k in others if self._list_facts(k).leaders != leaders)
        return self._build_after(other)

    def _build_podium(self, moment: Moment) -> Iterator[Shot]:
        """Build the shots of the last move and of the podium that follows."""
        after, played = self._build_after(moment.step), self._play(moment.step)
        podium = plan_podium(after)
        shown = replace(after, played=replace(played, round_start_scores=()))
        before, facts = self._build_before(moment.step), self._list_facts(moment.step)
        seconds = (podium.won_at + CHEER_SECONDS) / PODIUM_PACE
        if facts.is_reveal:
            yield Shot(replace(before, prompt=played.prompt), 0.0, is_new=True)
            yield Shot(shown, LAST_REVEAL_SECONDS)
            yield Shot(shown, seconds, PODIUM_PACE)
            return
        text = self._describe(moment.step)
        yield Shot(replace(before, **text), LAST_MOVE_SECONDS if facts.is_move else 0.0, is_new=True)
        yield Shot(shown, seconds, PODIUM_PACE)

    def _measure_acts(self, state: ScreenState) -> float:
        return sum(seconds for _act, seconds in plan_acts(self._scene, state))

    def _play(self, i: int) -> PlayedMove:
        """Return the step as the display wants it; what was asked for before it is left out unless it is a question."""
        step, definition = self._replay.steps[i], self._replay.definition
        names = step.seating_before.players
        prompt, seat = definition.format_virtual_prompt(step.before, names), definition.get_addressed_seat(step.before)
        if not prompt.endswith("?"):
            prompt = ""
        return PlayedMove(2 * i, step.before, self._describe(i)["prompt"], prompt, seat)

    def _describe(self, i: int) -> dict[str, Any]:
        """Return prompt and addressed seat that tell a move: the name that it begins with stands apart.

        A correction has none: beside the name of whose turn it is, it would read as if that player had done it.
        """
        step, definition = self._replay.steps[i], self._replay.definition
        if not isinstance(step.played, Move):
            return {"prompt": "", "addressed": None}
        names = step.seating_after.players
        text = definition.describe_step(step.before, step.played, step.after, names)
        for seat in sorted(map(Seat, range(len(names))), key=lambda seat: -len(names[seat])):
            rest = strip_address(text, names[seat]).removeprefix(f"{names[seat]} ")
            if rest != text:
                return {"prompt": rest, "addressed": seat}
        mover = step.played.seat
        return {"prompt": text, "addressed": definition.get_addressed_seat(step.before) if mover is None else mover}

    def _build_before(self, i: int) -> ScreenState:
        """Build the screen before a step: whose move it is, and nothing that would have to be done."""
        step = self._replay.steps[i]
        state = self._build_state(step.before, step.seating_before.players, step.seating_before.buttons)
        return replace(state, prompt="", addressed=self._describe(i)["addressed"])

    def _build_after(self, i: int) -> ScreenState:
        """Build the screen after a step: of a game that is over its result, else what the step was."""
        step = self._replay.steps[i]
        state = self._build_state(step.after, step.seating_after.players, step.seating_after.buttons)
        if state.outcome is None:
            return replace(state, **self._describe(i))
        shown = replace(self._replay, steps=self._replay.steps[: i + 1])
        return replace(state, round_points=compute_rounds(shown))

    def _build_state(self, game: Any, names: Sequence[str], buttons: Sequence[Any]) -> ScreenState:
        definition = self._replay.definition
        # At a simulated table scenes ask for nothing that a hand would have to do.
        state = build_game_state(definition, game, names, buttons, (), Visibility(is_table_virtual=True))
        title = definition.format_title(self._replay.setup.settings)
        return replace(state, title=title, uses_camera=False, camera_view=STILL_CAMERA)

    def _build_title(self) -> ScreenState:
        definition = self._replay.definition
        return ScreenState(
            kind=ScreenKind.TITLE,
            game_name=definition.name,
            title=definition.format_title(self._replay.setup.settings),
            players=build_players(definition, self._replay.players, self._replay.seating.buttons),
            details=(format_day(self._begun),) if self._begun else (),
        )
