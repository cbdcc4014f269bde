"""The whole program: one loop, one direction.

Signals from the table go to the stage that is on (resume, lobby, or a sitting's referee); the stage says what is to be
shown and which lamps are lit. Nothing reaches back.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from companion.games.game import Seat
from companion.games.kits import UnknownGame, find
from companion.games.offer import Kit, Offer
from companion.journal.entry import Setup
from companion.journal.errors import BadSitting
from companion.journal.sitting import Sitting
from companion.journal.store import Journal
from companion.lobby import Lobby, Resume
from companion.referee import Referee
from companion.shown import Eyes, Shown
from hardware.signals import Button, ButtonPressed, CameraSays, DeviceBack, DeviceLost, Lamp, Signal


class Stage(Protocol):
    """What is on: takes signals, says what is open now and what is to be shown."""

    def take(self, signal: Signal) -> None: ...

    def tick(self) -> None: ...

    def offers(self) -> Sequence[Offer]: ...

    def lamps(self) -> Mapping[Button, Lamp]: ...

    def shown(self, eyes: Eyes) -> Shown: ...


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be played this evening.

    `names` in clockwise order, empty: whoever presses. `settings`: house rules, an instance of `kit.settings`.
    `seed` of the virtual table and players; None at a real one.
    """

    kit: Kit
    names: tuple[str, ...]
    settings: Any
    seed: int | None = None


class Evening:
    """Stage after stage, until the program is ended.

    Args:
        plan: what is to be played.
        journal: where every move is kept.
        rng: who goes first is drawn from it (a game has no randomness inside).
        monotonic: the host's monotonic clock, in seconds.
    """

    def __init__(
        self, plan: Plan, journal: Journal, rng: random.Random, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._plan = plan
        self._journal = journal
        self._rng = rng
        self._monotonic = monotonic
        self._standing: dict[str, Signal] = {}
        self.interrupted: Sitting | None = None
        self.notice: str | None = None
        self._last: Sitting | None = None
        self.stage: Stage = self._resume_or_lobby()

    @property
    def sitting(self) -> Sitting | None:
        """The sitting in play, if one is."""
        return self.stage.sitting if isinstance(self.stage, Referee) else None

    def step(self, signals: Sequence[Signal]) -> None:
        """One turn of the loop: heed the signals, let the clocks run, go on to the next stage where one is due."""
        for signal in signals:
            self._remember(signal)
            self.stage.take(signal)
        self.stage.tick()
        following = self._following()
        if following is not None:
            self._enter(following)

    def shown(self, eyes: Eyes) -> Shown:
        """What the display is told; `notice` stands there until a button is pressed."""
        shown = self.stage.shown(eyes)
        return replace(shown, notice=self.notice) if self.notice and shown.notice is None else shown

    def _remember(self, signal: Signal) -> None:
        """What goes on being true is told to the next stage as well."""
        match signal:
            case ButtonPressed():
                self.notice = None
            case CameraSays():
                self._standing["camera says"] = signal
            case DeviceLost(name=name):
                self._standing[name] = signal
            case DeviceBack(name=name):
                self._standing.pop(name, None)
            case _:
                pass

    def _enter(self, stage: Stage) -> None:
        self.stage = stage
        for signal in self._standing.values():
            stage.take(signal)
        stage.tick()

    def _following(self) -> Stage | None:
        match self.stage:
            case Resume(answer=True):
                assert self.interrupted is not None
                self.interrupted.resume()
                return Referee(self.interrupted, self._monotonic)
            case Resume(answer=False):
                assert self.interrupted is not None
                self.interrupted.put_away()
                return self._lobby()
            case Lobby(started=True) as lobby:
                return self._referee(self._plan.kit, lobby.seated, lobby.seating, lobby.settings)
            case Lobby(back=True):
                assert self._last is not None
                return Referee(self._last, self._monotonic)
            case Referee(leave="again") as referee:
                kit, setup = referee.sitting.kit, referee.sitting.setup
                return self._referee(kit, setup.players, setup.buttons, kit.settings(**setup.settings))
            case Referee(leave="lobby") as referee:
                self._last = referee.sitting if referee.sitting.game.outcome() else None
                return self._lobby()
            case _:
                return None

    def _referee(self, kit: Kit, names: Sequence[str], buttons: Sequence[Button], settings: Any) -> Referee:
        setup = Setup(
            game=kit.name,
            players=tuple(names),
            buttons=tuple(buttons),
            first=Seat(self._rng.randrange(len(names))),
            settings=settings.model_dump(mode="json"),  # all of them: defaults may change, this sitting does not
            seed=self._plan.seed,
        )
        return Referee(Sitting.begin(self._journal, setup, kit), self._monotonic)

    def _lobby(self) -> Lobby:
        plan = self._plan
        return Lobby(plan.kit, plan.names, plan.settings, self._monotonic, last=self._last is not None)

    def _resume_or_lobby(self) -> Stage:
        """What was interrupted is offered; a game that is over can be gone back to from the lobby (and undone)."""
        number = self._journal.resumable()
        if number is not None:
            try:
                setup = Setup.from_json(self._journal.record(number).setup)
                sitting = Sitting(self._journal, number, find(setup.game))
            except (BadSitting, UnknownGame) as why:
                self.notice = f"The last game cannot go on: {why}"
                return self._lobby()
            self.notice = sitting.trouble
            if sitting.game.outcome() is None:
                self.interrupted = sitting
                return Resume(sitting.kit, summary(sitting), self._monotonic)
            self._last = sitting
        return self._lobby()


def summary(sitting: Sitting) -> tuple[str, ...]:
    """What is said of an interrupted sitting: who played, how it stood, what came last."""
    names, scores = sitting.setup.players, sitting.game.scores()
    standing = ", ".join(f"{name} {scores[Seat(i)]}" for i, name in enumerate(names))
    return (standing, sitting.last_words or "Nothing was played yet")
