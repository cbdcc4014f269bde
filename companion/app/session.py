"""The whole program: one loop, one direction.

Signals from the table go to the stage that is on (resume, lobby, or a sitting's referee); the stage says what is to be
shown and which lamps are lit. Nothing reaches back.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Protocol

from companion.config.settings import CafeSettings
from companion.events import Button, ButtonPressed, CameraSays, DeviceBack, DeviceLost, Lamp, Signal
from companion.games import registry
from companion.games.api.game import Seat
from companion.games.api.offers import Kit, Offer
from companion.games.registry import UnknownGame, find
from companion.i18n import Words
from companion.journal.database import Journal
from companion.journal.entry import Kind, Setup
from companion.journal.errors import BadSitting, JournalUnwritable, at_the_table
from companion.journal.replay import Sitting
from companion.journal.usb_export import save_day, sticks
from companion.lobby import Box, FirstPlayer, House, Lobby, Lull, Past, Regulars, Resume, SetUp, regulars
from companion.lobby.dates import MONTHS
from companion.lobby.transitions import ToGame, ToLast, ToResult, ToSetUp, ToUnfinished
from companion.referee import Referee
from companion.screen_state import Eyes, Place, Shown
from companion.vision.view_check.problem import Trouble

_ = Words("companion")

LOOKED_AT = 40
"""Sittings, the latest, among which unfinished ones are looked for."""


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
    `seed` of the virtual table and players; None at a real one. `kits`: the games that may be chosen in its place.
    """

    kit: Kit
    names: tuple[str, ...]
    settings: Any
    seed: int | None = None
    kits: tuple[Kit, ...] = ()


class Evening:
    """Stage after stage, until the program is ended.

    Args:
        plan: what is to be played.
        journal: where every move is kept.
        rng: who goes first is drawn from it (a game has no randomness inside).
        monotonic: the host's monotonic clock, in seconds.
        house: the house rules of all games; None: the plan's, and the others' defaults.
        box: what may be chosen for the box itself; None: nothing.
        cafe: whether guests come and go.
        guided: a box that was never set up is, page by page, before the lobby.
        camera: there is one to be set up.
        going_on: a sitting that was on when the program was ended out of order a moment ago: it goes on unasked.
        switch_off: has the box switched off, see `companion.system.appliance`; None: there is no box.
    """

    def __init__(
        self,
        plan: Plan,
        journal: Journal,
        rng: random.Random,
        monotonic: Callable[[], float] = time.monotonic,
        house: House | None = None,
        going_on: int | None = None,
        box: Box | None = None,
        cafe: CafeSettings | None = None,
        guided: bool = False,
        camera: bool = True,
        switch_off: Callable[[], bool] | None = None,
    ) -> None:
        self._plan = plan
        self._switch_off = switch_off
        self._box = box
        self._cafe = cafe or CafeSettings()
        self._camera = camera
        self._lull = Lull(self._cafe, monotonic())
        self._kit = plan.kit
        self._house = house or House({plan.kit.name: plan.settings})
        self._seated: tuple[tuple[Button, str], ...] = ()
        self._visited: tuple[Kit, tuple[tuple[Button, str], ...]] | None = None
        """While an old result is looked at: the game and who sits in the lobby."""
        self._journal = journal
        self._rng = rng
        self._monotonic = monotonic
        self._standing: dict[str, Signal] = {}
        self.interrupted: Sitting | None = None
        self.notice: str | None = None
        self._seen_wrong: Trouble | None = None
        self._heeded: Trouble | None = None
        self._past = Past(journal, journal.path.parent)
        self._last: Sitting | None = None
        self.stage: Stage = self._resume_or_lobby(going_on)
        if box is not None and guided and not box.set_up and isinstance(self.stage, Lobby):
            self.stage = self._set_up()

    @property
    def sitting(self) -> Sitting | None:
        """The sitting in play, if one is."""
        return self.stage.sitting if isinstance(self.stage, Referee) else None

    def step(self, signals: Sequence[Signal]) -> None:
        """One turn of the loop: heed the signals, let the clocks run, go on to the next stage where one is due."""
        for signal in signals:
            self._remember(signal)
            self._lull.heed(signal)
            self.stage.take(signal)
        self.stage.tick()
        following = self._following() or self._next_guests()
        if following is not None:
            self._enter(following)

    def shown(self, eyes: Eyes) -> Shown:
        """What the display is told; `notice` stands there until a button is pressed."""
        shown = self.stage.shown(eyes)
        notice = shown.notice or self.notice or self._of_view(eyes, shown)
        dimmed = isinstance(self.stage, Lobby) and self._lull.dims(self._monotonic())
        if (notice, dimmed) != (shown.notice, shown.dimmed):
            shown = replace(shown, notice=notice, dimmed=dimmed)
        return shown

    def _of_view(self, eyes: Eyes, shown: Shown) -> str | None:
        """What is wrong with the camera's view, once for each problem; in a game until a button is pressed.

        As long as it lasts, the camera's corner goes on telling it in a word.
        """
        problem = eyes.problem if shown.camera else None
        self._seen_wrong = problem.trouble if problem else None
        if self._seen_wrong is not self._heeded:
            self._heeded = None
        if problem is None or (self._heeded and shown.place is Place.PLAY):
            return None
        return problem.words

    def _remember(self, signal: Signal) -> None:
        """What goes on being true is told to the next stage as well."""
        match signal:
            case ButtonPressed():
                self.notice = None
                self._heeded = self._seen_wrong
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
            case Resume(answer=bool(go_on)):
                return self._go_on(go_on)
            case Lobby(exit=ToGame()) as lobby:
                self._kit = lobby.kit
                return self._draw(lobby.kit, lobby.seated, lobby.seating, lobby.settings)
            case Lobby(exit=ToLast()):
                assert self._last is not None
                return Referee(self._last, self._monotonic, self._rng)
            case Lobby(exit=ToSetUp()):
                return self._set_up()
            case SetUp(left=True):
                return self._lobby()
            case Lobby(exit=ToResult(number)) as lobby:
                return self._look_back(number, lobby)
            case Lobby(exit=ToUnfinished(number)):
                return self._take_up(number) or self._lobby()
            case FirstPlayer(begun=True) as draw:
                return self._begin(draw)
            case FirstPlayer(left=True) as draw:
                self._seated = tuple(zip(draw.seating, draw.names, strict=True))
                return self._lobby()
            case Referee(leave="again") as referee:
                self._visited = None
                kit, setup = referee.sitting.kit, referee.sitting.setup
                return self._draw(kit, setup.players, setup.buttons, kit.settings(**setup.settings))
            case Referee(leave="lobby") if self._visited is not None:
                self._kit, self._seated = self._visited
                self._visited = None
                return self._lobby()
            case Referee(leave="lobby") as referee:
                kit, setup = referee.sitting.kit, referee.sitting.setup
                self._last = referee.sitting if referee.sitting.game.outcome() else None
                self._kit, self._seated = kit, tuple(zip(setup.buttons, setup.players, strict=True))
                return self._lobby()
            case _:
                return None

    def _go_on(self, go_on: bool) -> Stage:
        """The interrupted sitting goes on, or is put away; while the disk refuses, people are asked again."""
        sitting = self.interrupted
        assert sitting is not None
        try:
            if go_on:
                sitting.resume()
                return Referee(sitting, self._monotonic, self._rng)
            sitting.put_away()
        except JournalUnwritable as why:
            self.notice = why.short
            return Resume(sitting.kit, summary(sitting), self._monotonic)
        return self._lobby()

    def mend(self, *, ask: bool = False) -> None:
        """Build the stage anew from what is in the journal, after something in it has failed.

        `ask`: not the game itself, which failed again, but the question whether to go on with it.
        """
        sitting = self.sitting or (self.interrupted if isinstance(self.stage, Resume) else None)
        if sitting is None:
            self._enter(self._lobby())
            return
        again = Sitting(self._journal, sitting.id, sitting.kit)
        if ask:
            self.interrupted = again
            self._enter(Resume(again.kit, summary(again), self._monotonic))
        else:
            self._enter(Referee(again, self._monotonic, self._rng))
        self.notice = _("Something failed and was noted. The game stands as written down: look whether it is right")

    def _draw(self, kit: Kit, names: Sequence[str], buttons: Sequence[Button], settings: Any) -> FirstPlayer:
        first = Seat(self._rng.randrange(len(names)))
        return FirstPlayer(kit, names, buttons, settings, first, self._monotonic)

    def _begin(self, draw: FirstPlayer) -> Stage:
        setup = Setup(
            game=draw.kit.name,
            players=draw.names,
            buttons=draw.seating,
            first=draw.first,
            settings=draw.settings.model_dump(mode="json"),  # all of them: defaults may change, this sitting does not
            seed=self._plan.seed,
        )
        try:
            return Referee(Sitting.begin(self._journal, setup, draw.kit), self._monotonic, self._rng)
        except (JournalUnwritable, BadSitting) as why:
            self._kit, self._seated = draw.kit, tuple(zip(draw.seating, draw.names, strict=True))
            self.notice = at_the_table(why)
            return self._lobby()

    def _lobby(self) -> Lobby:
        guests = self._cafe.on
        return Lobby(
            self._kit,
            self._house,
            self._monotonic,
            names=self._plan.names,
            kits=self._plan.kits,
            regulars=Regulars() if guests else regulars(self._journal),
            seated=self._seated,
            last=self._last is not None,
            put_away=() if guests else unfinished(self._journal),
            past=None if guests else self._past,
            box=self._box,
            locked=guests,
            export=lambda: save_day(self._journal, time.time(), sticks()),
            switch_off=self._switch_off,
        )

    def _set_up(self) -> SetUp:
        assert self._box is not None, "only a box can be set up"
        return SetUp(self._kit, self._box, self._monotonic, camera=self._camera)

    def _next_guests(self) -> Stage | None:
        """The lobby as new guests are to find it, when the last ones have gone; None as long as they are here."""
        if not self._lull.left(self._monotonic()) or (isinstance(self.stage, Lobby) and self.stage.untouched):
            return None
        if isinstance(self.stage, Referee) and self.stage.sitting.game.outcome() is None:
            try:
                self.stage.sitting.put_away()
            except JournalUnwritable as why:
                self.notice = why.short
        self._seated, self._last, self._kit, self._visited = (), None, self._plan.kit, None
        self._house.as_usual()
        if self._box is not None:
            self._box.as_usual()
        return self._lobby()

    def _look_back(self, number: int, lobby: Lobby) -> Stage:
        """The result of a sitting long over; who sits in the lobby now, sits there afterwards."""
        self._kit, self._seated = lobby.kit, tuple(zip(lobby.seating, lobby.seated, strict=True))
        try:
            sitting = self._kept(number)
        except (BadSitting, UnknownGame) as why:
            self.notice = str(why)
            return self._lobby()
        self._visited = (self._kit, self._seated)
        return Referee(sitting, self._monotonic, self._rng)

    def _kept(self, number: int) -> Sitting:
        """A sitting as it stands in the journal.

        Raises:
            BadSitting: it cannot be read.
            UnknownGame: its game is none of those here.
        """
        setup = Setup.from_json(self._journal.record(number).setup)
        return Sitting(self._journal, number, find(setup.game))

    def _take_up(self, number: int) -> Referee | None:
        """An unfinished sitting, put away earlier, goes on."""
        try:
            sitting = self._kept(number)
            sitting.resume()
        except (BadSitting, UnknownGame, JournalUnwritable) as why:
            self.notice = _("That game cannot go on: {why}", why=at_the_table(why))
            return None
        self.notice = sitting.trouble
        return Referee(sitting, self._monotonic, self._rng)

    def _resume_or_lobby(self, going_on: int | None) -> Stage:
        """What was interrupted is offered; a game that is over can be gone back to from the lobby (and undone)."""
        number = self._journal.resumable()
        if number is not None:
            try:
                sitting = self._kept(number)
            except (BadSitting, UnknownGame) as why:
                self.notice = _("The last game cannot go on: {why}", why=why)
                return self._lobby()
            self.notice = sitting.trouble
            if sitting.game.outcome() is None:
                self.interrupted = sitting
                if number == going_on:
                    return self._go_on(True)
                return Resume(sitting.kit, summary(sitting), self._monotonic)
            self._last = sitting
        return self._lobby()


def summary(sitting: Sitting) -> tuple[str, ...]:
    """What is said of an interrupted sitting: who played, how it stood, what came last."""
    names, scores = sitting.setup.players, sitting.game.scores()
    standing = ", ".join(f"{name} {scores[Seat(i)]}" for i, name in enumerate(names))
    return (standing, sitting.last_words or _("Nothing was played yet"))


def unfinished(journal: Journal, most: int = 5) -> tuple[tuple[int, str], ...]:
    """Number and words of the latest sittings that were put away before their end.

    Whether one was put away stands in its last entry; nothing is replayed for this.
    """
    found = []
    for record in reversed(journal.records()[-LOOKED_AT:]):
        try:
            setup = Setup.from_json(record.setup)
            last = journal.last(record.id)
        except BadSitting:
            continue
        if last is not None and last.what.kind is Kind.AWAY and setup.game in registry.names():
            begun = datetime.fromtimestamp(record.begun.wall, tz=UTC).astimezone()
            words = _(
                "{game} of {day} {month}, {time}: {names}",
                game=find(setup.game).title,
                day=begun.day,
                month=_(MONTHS[begun.month - 1]),
                time=f"{begun:%H:%M}",
                names=", ".join(setup.players),
            )
            found.append((record.id, words))
        if len(found) == most:
            break
    return tuple(found)
