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

MAX_GAMES_SEARCHED = 40
"""Sittings, the latest, among which unfinished ones are looked for."""


class Stage(Protocol):
    """What is on: takes signals, says what is open now and what is to be shown."""

    def receive(self, signal: Event) -> None: ...

    def tick(self) -> None: ...

    def list_offers(self) -> Sequence[Offer]: ...

    def map_lamps(self) -> Mapping[Button, LampState]: ...

    def build_screen_state(self, eyes: CameraView) -> ScreenState: ...


@dataclass(frozen=True, slots=True)
class SessionConfig:
    """What is to be played this evening.

    `names` in clockwise order, empty: whoever presses. `settings`: house rules, an instance of `kit.settings`.
    `seed` of the virtual table and players; None at a real one. `kits`: the games that may be chosen in its place.
    """

    definition: GameDefinition
    player_names: tuple[str, ...]
    settings: Any
    seed: int | None = None
    definitions: tuple[GameDefinition, ...] = ()


class Session:
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
        config: SessionConfig,
        journal: Journal,
        rng: random.Random,
        monotonic: Callable[[], float] = time.monotonic,
        house_rules: HouseRules | None = None,
        continue_game_id: int | None = None,
        preferences: Preferences | None = None,
        cafe: CafeSettings | None = None,
        run_setup_wizard: bool = False,
        has_camera: bool = True,
        power_off: Callable[[], bool] | None = None,
    ) -> None:
        self._config = config
        self._power_off = power_off
        self._preferences = preferences
        self._cafe = cafe or CafeSettings()
        self._has_camera = has_camera
        self._idle_timer = IdleTimer(self._cafe, monotonic())
        self._definition = config.definition
        self._house_rules = house_rules or HouseRules({config.definition.name: config.settings})
        self._seated: tuple[tuple[Button, str], ...] = ()
        self._lobby_before_review: tuple[GameDefinition, tuple[tuple[Button, str], ...]] | None = None
        """While an old result is looked at: the game and who sits in the lobby."""
        self._journal = journal
        self._rng = rng
        self._monotonic = monotonic
        self._lasting_events: dict[str, Event] = {}
        self.interrupted_game: SavedGame | None = None
        self.notice: str | None = None
        self._view_problem: ProblemKind | None = None
        self._acknowledged_problem: ProblemKind | None = None
        self._results = ResultsCache(journal, journal.path.parent)
        self._last_game: SavedGame | None = None
        self.stage: Stage = self._resume_or_lobby(continue_game_id)
        if preferences is not None and run_setup_wizard and not preferences.is_set_up and isinstance(self.stage, Lobby):
            self.stage = self._make_setup_wizard()

    @property
    def saved_game(self) -> SavedGame | None:
        """The sitting in play, if one is."""
        return self.stage.saved_game if isinstance(self.stage, Referee) else None

    def step(self, events: Sequence[Event]) -> None:
        """One turn of the loop: heed the signals, let the clocks run, go on to the next stage where one is due."""
        for signal in events:
            self._note_event(signal)
            self._idle_timer.note_event(signal)
            self.stage.receive(signal)
        self.stage.tick()
        following = self._choose_next_stage() or self._reset_if_abandoned()
        if following is not None:
            self._enter_stage(following)

    def build_screen_state(self, eyes: CameraView) -> ScreenState:
        """What the display is told; `notice` stands there until a button is pressed."""
        shown = self.stage.build_screen_state(eyes)
        notice = shown.notice or self.notice or self._describe_view_problem(eyes, shown)
        dimmed = isinstance(self.stage, Lobby) and self._idle_timer.is_dimmed(self._monotonic())
        if (notice, dimmed) != (shown.notice, shown.dimmed):
            shown = replace(shown, notice=notice, dimmed=dimmed)
        return shown

    def _describe_view_problem(self, eyes: CameraView, shown: ScreenState) -> str | None:
        """What is wrong with the camera's view, once for each problem; in a game until a button is pressed.

        As long as it lasts, the camera's corner goes on telling it in a word.
        """
        problem = eyes.problem if shown.uses_camera else None
        self._view_problem = problem.kind if problem else None
        if self._view_problem is not self._acknowledged_problem:
            self._acknowledged_problem = None
        if problem is None or (self._acknowledged_problem and shown.kind is ScreenKind.PLAY):
            return None
        return problem.message

    def _note_event(self, signal: Event) -> None:
        """What goes on being true is told to the next stage as well."""
        match signal:
            case ButtonPressed():
                self.notice = None
                self._acknowledged_problem = self._view_problem
            case CameraStateChanged():
                self._lasting_events["camera says"] = signal
            case DeviceLost(name=name):
                self._lasting_events[name] = signal
            case DeviceRestored(name=name):
                self._lasting_events.pop(name, None)
            case _:
                pass

    def _enter_stage(self, stage: Stage) -> None:
        self.stage = stage
        for signal in self._lasting_events.values():
            stage.receive(signal)
        stage.tick()

    def _choose_next_stage(self) -> Stage | None:
        match self.stage:
            case ResumePrompt(answer=bool(go_on)):
                return self._answer_resume_prompt(go_on)
            case Lobby(exit=ToGame()) as lobby:
                self._definition = lobby.definition
                return self._draw_first_player(lobby.definition, lobby.seated, lobby.seating, lobby.settings)
            case Lobby(exit=ToLastResult()):
                assert self._last_game is not None
                return Referee(self._last_game, self._monotonic, self._rng)
            case Lobby(exit=ToSetupWizard()):
                return self._make_setup_wizard()
            case SetupWizard(is_left=True):
                return self._make_lobby()
            case Lobby(exit=ToResult(number)) as lobby:
                return self._review_result(number, lobby)
            case Lobby(exit=ToUnfinishedGame(number)):
                return self._resume_unfinished(number) or self._make_lobby()
            case FirstPlayerDraw(is_begun=True) as draw:
                return self._begin_game(draw)
            case FirstPlayerDraw(is_cancelled=True) as draw:
                self._seated = tuple(zip(draw.seating, draw.names, strict=True))
                return self._make_lobby()
            case Referee(exit="again") as referee:
                self._lobby_before_review = None
                kit, setup = referee.saved_game.definition, referee.saved_game.setup
                return self._draw_first_player(kit, setup.players, setup.buttons, kit.settings_model(**setup.settings))
            case Referee(exit="lobby") if self._lobby_before_review is not None:
                self._definition, self._seated = self._lobby_before_review
                self._lobby_before_review = None
                return self._make_lobby()
            case Referee(exit="lobby") as referee:
                kit, setup = referee.saved_game.definition, referee.saved_game.setup
                self._last_game = referee.saved_game if referee.saved_game.game.compute_outcome() else None
                self._definition, self._seated = kit, tuple(zip(setup.buttons, setup.players, strict=True))
                return self._make_lobby()
            case _:
                return None

    def _answer_resume_prompt(self, go_on: bool) -> Stage:
        """The interrupted sitting goes on, or is put away; while the disk refuses, people are asked again."""
        sitting = self.interrupted_game
        assert sitting is not None
        try:
            if go_on:
                sitting.note_resumed()
                return Referee(sitting, self._monotonic, self._rng)
            sitting.set_aside()
        except JournalUnwritable as why:
            self.notice = why.screen_text
            return ResumePrompt(sitting.definition, summarise_interrupted(sitting), self._monotonic)
        return self._make_lobby()

    def rebuild(self, *, ask_first: bool = False) -> None:
        """Build the stage anew from what is in the journal, after something in it has failed.

        `ask`: not the game itself, which failed again, but the question whether to go on with it.
        """
        sitting = self.saved_game or (self.interrupted_game if isinstance(self.stage, ResumePrompt) else None)
        if sitting is None:
            self._enter_stage(self._make_lobby())
            return
        again = SavedGame(self._journal, sitting.id, sitting.definition)
        if ask_first:
            self.interrupted_game = again
            self._enter_stage(ResumePrompt(again.definition, summarise_interrupted(again), self._monotonic))
        else:
            self._enter_stage(Referee(again, self._monotonic, self._rng))
        self.notice = _("Something failed and was noted. The game stands as written down: look whether it is right")

    def _draw_first_player(
        self, kit: GameDefinition, names: Sequence[str], buttons: Sequence[Button], settings: Any
    ) -> FirstPlayerDraw:
        first = Seat(self._rng.randrange(len(names)))
        return FirstPlayerDraw(kit, names, buttons, settings, first, self._monotonic)

    def _begin_game(self, draw: FirstPlayerDraw) -> Stage:
        setup = GameSetup(
            game=draw.definition.name,
            players=draw.names,
            buttons=draw.seating,
            first=draw.first,
            settings=draw.settings.model_dump(mode="json"),  # all of them: defaults may change, this sitting does not
            seed=self._config.seed,
        )
        try:
            return Referee(SavedGame.begin(self._journal, setup, draw.definition), self._monotonic, self._rng)
        except (JournalUnwritable, InvalidSavedGame) as why:
            self._definition, self._seated = draw.definition, tuple(zip(draw.seating, draw.names, strict=True))
            self.notice = describe_for_screen(why)
            return self._make_lobby()

    def _make_lobby(self) -> Lobby:
        guests = self._cafe.on
        return Lobby(
            self._definition,
            self._house_rules,
            self._monotonic,
            names=self._config.player_names,
            definitions=self._config.definitions,
            known_players=KnownPlayers() if guests else load_known_players(self._journal),
            seated=self._seated,
            has_last_result=self._last_game is not None,
            unfinished=() if guests else list_unfinished(self._journal),
            results=None if guests else self._results,
            preferences=self._preferences,
            is_locked=guests,
            export=lambda: export_today(self._journal, time.time(), find_usb_sticks()),
            switch_off=self._power_off,
        )

    def _make_setup_wizard(self) -> SetupWizard:
        assert self._preferences is not None, "only a box can be set up"
        return SetupWizard(self._definition, self._preferences, self._monotonic, camera=self._has_camera)

    def _reset_if_abandoned(self) -> Stage | None:
        """The lobby as new guests are to find it, when the last ones have gone; None as long as they are here."""
        if not self._idle_timer.is_abandoned(self._monotonic()) or (
            isinstance(self.stage, Lobby) and self.stage.is_untouched
        ):
            return None
        if isinstance(self.stage, Referee) and self.stage.saved_game.game.compute_outcome() is None:
            try:
                self.stage.saved_game.set_aside()
            except JournalUnwritable as why:
                self.notice = why.screen_text
        self._seated, self._last_game, self._definition, self._lobby_before_review = (
            (),
            None,
            self._config.definition,
            None,
        )
        self._house_rules.forget_session()
        if self._preferences is not None:
            self._preferences.forget_choices()
        return self._make_lobby()

    def _review_result(self, number: int, lobby: Lobby) -> Stage:
        """The result of a sitting long over; who sits in the lobby now, sits there afterwards."""
        self._definition, self._seated = lobby.definition, tuple(zip(lobby.seating, lobby.seated, strict=True))
        try:
            sitting = self._load_game(number)
        except (InvalidSavedGame, UnknownGame) as why:
            self.notice = str(why)
            return self._make_lobby()
        self._lobby_before_review = (self._definition, self._seated)
        return Referee(sitting, self._monotonic, self._rng)

    def _load_game(self, number: int) -> SavedGame:
        """A sitting as it stands in the journal.

        Raises:
            BadSitting: it cannot be read.
            UnknownGame: its game is none of those here.
        """
        setup = GameSetup.from_json(self._journal.get_game(number).setup_json)
        return SavedGame(self._journal, number, find_game(setup.game))

    def _resume_unfinished(self, number: int) -> Referee | None:
        """An unfinished sitting, put away earlier, goes on."""
        try:
            sitting = self._load_game(number)
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
                sitting = self._load_game(number)
            except (InvalidSavedGame, UnknownGame) as why:
                self.notice = _("The last game cannot go on: {why}", why=why)
                return self._make_lobby()
            self.notice = sitting.problem
            if sitting.game.compute_outcome() is None:
                self.interrupted_game = sitting
                if number == going_on:
                    return self._answer_resume_prompt(True)
                return ResumePrompt(sitting.definition, summarise_interrupted(sitting), self._monotonic)
            self._last_game = sitting
        return self._make_lobby()


def summarise_interrupted(sitting: SavedGame) -> tuple[str, ...]:
    """What is said of an interrupted sitting: who played, how it stood, what came last."""
    names, scores = sitting.setup.players, sitting.game.compute_scores()
    standing = ", ".join(f"{name} {scores[Seat(i)]}" for i, name in enumerate(names))
    return (standing, sitting.last_move_text or _("Nothing was played yet"))


def list_unfinished(journal: Journal, max_count: int = 5) -> tuple[tuple[int, str], ...]:
    """Number and words of the latest sittings that were put away before their end.

    Whether one was put away stands in its last entry; nothing is replayed for this.
    """
    found = []
    for record in reversed(journal.list_games()[-MAX_GAMES_SEARCHED:]):
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
        if len(found) == max_count:
            break
    return tuple(found)
