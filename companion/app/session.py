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
from companion.events import Button, ButtonPressed, CameraStateChanged, DeviceLost, DeviceRestored, Event, LampState
from companion.games import registry
from companion.games.api.game import Seat
from companion.games.api.offers import GameDefinition, Offer
from companion.games.registry import UnknownGame, find_game
from companion.i18n import Translator
from companion.journal.database import Journal
from companion.journal.entry import EntryKind, GameSetup
from companion.journal.errors import InvalidSavedGame, JournalUnwritable, describe_for_screen
from companion.journal.replay import SavedGame
from companion.journal.usb_export import export_today, find_usb_sticks
from companion.lobby import (
    FirstPlayerDraw,
    HouseRules,
    IdleTimer,
    KnownPlayers,
    Lobby,
    Preferences,
    ResultsCache,
    ResumePrompt,
    SetupWizard,
    load_known_players,
)
from companion.lobby.dates import MONTH_NAMES
from companion.lobby.transitions import ToGame, ToLastResult, ToResult, ToSetupWizard, ToUnfinishedGame
from companion.referee import Referee
from companion.screen_state import CameraView, ScreenKind, ScreenState
from companion.vision.view_check.problem import ProblemKind

_ = Translator("companion")

LOOKED_AT = 40
"""Sittings, the latest, among which unfinished ones are looked for."""


class Stage(Protocol):
    """What is on: takes signals, says what is open now and what is to be shown."""

    def receive(self, signal: Event) -> None: ...

    def tick(self) -> None: ...

    def list_offers(self) -> Sequence[Offer]: ...

    def map_lamps(self) -> Mapping[Button, LampState]: ...

    def build_screen_state(self, eyes: CameraView) -> ScreenState: ...


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be played this evening.

    `names` in clockwise order, empty: whoever presses. `settings`: house rules, an instance of `kit.settings`.
    `seed` of the virtual table and players; None at a real one. `kits`: the games that may be chosen in its place.
    """

    kit: GameDefinition
    names: tuple[str, ...]
    settings: Any
    seed: int | None = None
    kits: tuple[GameDefinition, ...] = ()


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
        house: HouseRules | None = None,
        going_on: int | None = None,
        box: Preferences | None = None,
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
        self._lull = IdleTimer(self._cafe, monotonic())
        self._kit = plan.kit
        self._house = house or HouseRules({plan.kit.name: plan.settings})
        self._seated: tuple[tuple[Button, str], ...] = ()
        self._visited: tuple[GameDefinition, tuple[tuple[Button, str], ...]] | None = None
        """While an old result is looked at: the game and who sits in the lobby."""
        self._journal = journal
        self._rng = rng
        self._monotonic = monotonic
        self._standing: dict[str, Event] = {}
        self.interrupted: SavedGame | None = None
        self.notice: str | None = None
        self._seen_wrong: ProblemKind | None = None
        self._heeded: ProblemKind | None = None
        self._past = ResultsCache(journal, journal.path.parent)
        self._last: SavedGame | None = None
        self.stage: Stage = self._resume_or_lobby(going_on)
        if box is not None and guided and not box.is_set_up and isinstance(self.stage, Lobby):
            self.stage = self._set_up()

    @property
    def sitting(self) -> SavedGame | None:
        """The sitting in play, if one is."""
        return self.stage.saved_game if isinstance(self.stage, Referee) else None

    def step(self, signals: Sequence[Event]) -> None:
        """One turn of the loop: heed the signals, let the clocks run, go on to the next stage where one is due."""
        for signal in signals:
            self._remember(signal)
            self._lull.note_event(signal)
            self.stage.receive(signal)
        self.stage.tick()
        following = self._following() or self._next_guests()
        if following is not None:
            self._enter(following)

    def shown(self, eyes: CameraView) -> ScreenState:
        """What the display is told; `notice` stands there until a button is pressed."""
        shown = self.stage.build_screen_state(eyes)
        notice = shown.notice or self.notice or self._of_view(eyes, shown)
        dimmed = isinstance(self.stage, Lobby) and self._lull.is_dimmed(self._monotonic())
        if (notice, dimmed) != (shown.notice, shown.dimmed):
            shown = replace(shown, notice=notice, dimmed=dimmed)
        return shown

    def _of_view(self, eyes: CameraView, shown: ScreenState) -> str | None:
        """What is wrong with the camera's view, once for each problem; in a game until a button is pressed.

        As long as it lasts, the camera's corner goes on telling it in a word.
        """
        problem = eyes.problem if shown.uses_camera else None
        self._seen_wrong = problem.kind if problem else None
        if self._seen_wrong is not self._heeded:
            self._heeded = None
        if problem is None or (self._heeded and shown.kind is ScreenKind.PLAY):
            return None
        return problem.message

    def _remember(self, signal: Event) -> None:
        """What goes on being true is told to the next stage as well."""
        match signal:
            case ButtonPressed():
                self.notice = None
                self._heeded = self._seen_wrong
            case CameraStateChanged():
                self._standing["camera says"] = signal
            case DeviceLost(name=name):
                self._standing[name] = signal
            case DeviceRestored(name=name):
                self._standing.pop(name, None)
            case _:
                pass

    def _enter(self, stage: Stage) -> None:
        self.stage = stage
        for signal in self._standing.values():
            stage.receive(signal)
        stage.tick()

    def _following(self) -> Stage | None:
        match self.stage:
            case ResumePrompt(answer=bool(go_on)):
                return self._go_on(go_on)
            case Lobby(exit=ToGame()) as lobby:
                self._kit = lobby.definition
                return self._draw(lobby.definition, lobby.seated, lobby.seating, lobby.settings)
            case Lobby(exit=ToLastResult()):
                assert self._last is not None
                return Referee(self._last, self._monotonic, self._rng)
            case Lobby(exit=ToSetupWizard()):
                return self._set_up()
            case SetupWizard(is_left=True):
                return self._lobby()
            case Lobby(exit=ToResult(number)) as lobby:
                return self._look_back(number, lobby)
            case Lobby(exit=ToUnfinishedGame(number)):
                return self._take_up(number) or self._lobby()
            case FirstPlayerDraw(is_begun=True) as draw:
                return self._begin(draw)
            case FirstPlayerDraw(is_cancelled=True) as draw:
                self._seated = tuple(zip(draw.seating, draw.names, strict=True))
                return self._lobby()
            case Referee(exit="again") as referee:
                self._visited = None
                kit, setup = referee.saved_game.definition, referee.saved_game.setup
                return self._draw(kit, setup.players, setup.buttons, kit.settings_model(**setup.settings))
            case Referee(exit="lobby") if self._visited is not None:
                self._kit, self._seated = self._visited
                self._visited = None
                return self._lobby()
            case Referee(exit="lobby") as referee:
                kit, setup = referee.saved_game.definition, referee.saved_game.setup
                self._last = referee.saved_game if referee.saved_game.game.compute_outcome() else None
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
                sitting.note_resumed()
                return Referee(sitting, self._monotonic, self._rng)
            sitting.set_aside()
        except JournalUnwritable as why:
            self.notice = why.screen_text
            return ResumePrompt(sitting.definition, summary(sitting), self._monotonic)
        return self._lobby()

    def mend(self, *, ask: bool = False) -> None:
        """Build the stage anew from what is in the journal, after something in it has failed.

        `ask`: not the game itself, which failed again, but the question whether to go on with it.
        """
        sitting = self.sitting or (self.interrupted if isinstance(self.stage, ResumePrompt) else None)
        if sitting is None:
            self._enter(self._lobby())
            return
        again = SavedGame(self._journal, sitting.id, sitting.definition)
        if ask:
            self.interrupted = again
            self._enter(ResumePrompt(again.definition, summary(again), self._monotonic))
        else:
            self._enter(Referee(again, self._monotonic, self._rng))
        self.notice = _("Something failed and was noted. The game stands as written down: look whether it is right")

    def _draw(
        self, kit: GameDefinition, names: Sequence[str], buttons: Sequence[Button], settings: Any
    ) -> FirstPlayerDraw:
        first = Seat(self._rng.randrange(len(names)))
        return FirstPlayerDraw(kit, names, buttons, settings, first, self._monotonic)

    def _begin(self, draw: FirstPlayerDraw) -> Stage:
        setup = GameSetup(
            game=draw.definition.name,
            players=draw.names,
            buttons=draw.seating,
            first=draw.first,
            settings=draw.settings.model_dump(mode="json"),  # all of them: defaults may change, this sitting does not
            seed=self._plan.seed,
        )
        try:
            return Referee(SavedGame.begin(self._journal, setup, draw.definition), self._monotonic, self._rng)
        except (JournalUnwritable, InvalidSavedGame) as why:
            self._kit, self._seated = draw.definition, tuple(zip(draw.seating, draw.names, strict=True))
            self.notice = describe_for_screen(why)
            return self._lobby()

    def _lobby(self) -> Lobby:
        guests = self._cafe.on
        return Lobby(
            self._kit,
            self._house,
            self._monotonic,
            names=self._plan.names,
            definitions=self._plan.kits,
            known_players=KnownPlayers() if guests else load_known_players(self._journal),
            seated=self._seated,
            has_last_result=self._last is not None,
            unfinished=() if guests else unfinished(self._journal),
            results=None if guests else self._past,
            preferences=self._box,
            is_locked=guests,
            export=lambda: export_today(self._journal, time.time(), find_usb_sticks()),
            switch_off=self._switch_off,
        )

    def _set_up(self) -> SetupWizard:
        assert self._box is not None, "only a box can be set up"
        return SetupWizard(self._kit, self._box, self._monotonic, camera=self._camera)

    def _next_guests(self) -> Stage | None:
        """The lobby as new guests are to find it, when the last ones have gone; None as long as they are here."""
        if not self._lull.is_abandoned(self._monotonic()) or (
            isinstance(self.stage, Lobby) and self.stage.is_untouched
        ):
            return None
        if isinstance(self.stage, Referee) and self.stage.saved_game.game.compute_outcome() is None:
            try:
                self.stage.saved_game.set_aside()
            except JournalUnwritable as why:
                self.notice = why.screen_text
        self._seated, self._last, self._kit, self._visited = (), None, self._plan.kit, None
        self._house.forget_session()
        if self._box is not None:
            self._box.forget_choices()
        return self._lobby()

    def _look_back(self, number: int, lobby: Lobby) -> Stage:
        """The result of a sitting long over; who sits in the lobby now, sits there afterwards."""
        self._kit, self._seated = lobby.definition, tuple(zip(lobby.seating, lobby.seated, strict=True))
        try:
            sitting = self._kept(number)
        except (InvalidSavedGame, UnknownGame) as why:
            self.notice = str(why)
            return self._lobby()
        self._visited = (self._kit, self._seated)
        return Referee(sitting, self._monotonic, self._rng)

    def _kept(self, number: int) -> SavedGame:
        """A sitting as it stands in the journal.

        Raises:
            BadSitting: it cannot be read.
            UnknownGame: its game is none of those here.
        """
        setup = GameSetup.from_json(self._journal.get_game(number).setup_json)
        return SavedGame(self._journal, number, find_game(setup.game))

    def _take_up(self, number: int) -> Referee | None:
        """An unfinished sitting, put away earlier, goes on."""
        try:
            sitting = self._kept(number)
            sitting.note_resumed()
        except (InvalidSavedGame, UnknownGame, JournalUnwritable) as why:
            self.notice = _("That game cannot go on: {why}", why=describe_for_screen(why))
            return None
        self.notice = sitting.problem
        return Referee(sitting, self._monotonic, self._rng)

    def _resume_or_lobby(self, going_on: int | None) -> Stage:
        """What was interrupted is offered; a game that is over can be gone back to from the lobby (and undone)."""
        number = self._journal.find_resumable_game()
        if number is not None:
            try:
                sitting = self._kept(number)
            except (InvalidSavedGame, UnknownGame) as why:
                self.notice = _("The last game cannot go on: {why}", why=why)
                return self._lobby()
            self.notice = sitting.problem
            if sitting.game.compute_outcome() is None:
                self.interrupted = sitting
                if number == going_on:
                    return self._go_on(True)
                return ResumePrompt(sitting.definition, summary(sitting), self._monotonic)
            self._last = sitting
        return self._lobby()


def summary(sitting: SavedGame) -> tuple[str, ...]:
    """What is said of an interrupted sitting: who played, how it stood, what came last."""
    names, scores = sitting.setup.players, sitting.game.compute_scores()
    standing = ", ".join(f"{name} {scores[Seat(i)]}" for i, name in enumerate(names))
    return (standing, sitting.last_move_text or _("Nothing was played yet"))


def unfinished(journal: Journal, most: int = 5) -> tuple[tuple[int, str], ...]:
    """Number and words of the latest sittings that were put away before their end.

    Whether one was put away stands in its last entry; nothing is replayed for this.
    """
    found = []
    for record in reversed(journal.list_games()[-LOOKED_AT:]):
        try:
            setup = GameSetup.from_json(record.setup_json)
            last = journal.read_last_entry(record.id)
        except InvalidSavedGame:
            continue
        if last is not None and last.what.kind is EntryKind.SET_ASIDE and setup.game in registry.list_game_names():
            begun = datetime.fromtimestamp(record.started.wall, tz=UTC).astimezone()
            words = _(
                "{game} of {day} {month}, {time}: {names}",
                game=find_game(setup.game).title,
                day=begun.day,
                month=_(MONTH_NAMES[begun.month - 1]),
                time=f"{begun:%H:%M}",
                names=", ".join(setup.players),
            )
            found.append((record.id, words))
        if len(found) == most:
            break
    return tuple(found)
