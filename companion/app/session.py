"""The flow of the program from stage to stage: resume prompt, lobby, first player draw, game.

Events from the table go to the current stage; the stage says what the screen shows and which lamps are lit. `main_loop`
calls `Session.step` once per turn of the loop.
"""

import math
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from companion.api import CURRENT_RULINGS, AnyGameDefinition, Command, CommandName, Seat
from companion.api.registry import UnknownGame, find_game, list_game_names
from companion.app.film_export import FilmExport
from companion.config.settings import CafeSettings, ResultCodeKind
from companion.config.taught_buttons import TaughtButtons
from companion.config.taught_dice import TaughtDice
from companion.events import Button, ButtonPressed, CameraStateChanged, DeviceLost, DeviceRestored, Event
from companion.i18n import MONTH_NAMES, N_, Translator
from companion.journal.database import Journal
from companion.journal.entry import EntryKind, GameSetup
from companion.journal.errors import InvalidSavedGame, JournalUnwritable, describe_for_screen
from companion.journal.replay import SavedGame
from companion.journal.usb_export import export_today, find_usb_sticks
from companion.lobby import (
    ButtonTeaching,
    DiceTeaching,
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
from companion.referee.referee import Referee
from companion.referee.screen import build_players
from companion.referee.services import GameServices
from companion.referee.stage import Stage
from companion.screen_state import CameraView, ScreenKind, ScreenState, WizardPage
from companion.system.appliance import Appliance, Upgrade, UpgradeState
from companion.vision.view_check.problem import ProblemKind

_ = Translator("companion")

MAX_GAMES_SEARCHED = 40
"""Number of most recent games that are searched for unfinished ones. More makes the lobby open later."""
UPGRADE_READ_SECONDS = 1.0
"""Between two readings of the note about an upgrade from a USB stick; the screen is late by up to this."""
UPGRADE_NOTICES = {
    UpgradeState.INSTALLING: N_("Installing version {version}: leave the stick plugged in"),
    UpgradeState.INSTALLED: N_("Version {version} is installed: restart from Pause or Settings"),
    UpgradeState.FAILED: N_("Version {version} could not be installed: nothing has changed"),
    UpgradeState.REFUSED: N_("The upgrade on the stick is damaged or not for this device"),
}


@dataclass(frozen=True, slots=True)
class SessionConfig:
    """What a session starts with.

    Attributes:
        definition: the game that the lobby offers first.
        player_names: clockwise from the first seat; empty: everybody who presses a seat button plays.
        settings: house rules, an instance of `definition.settings_model`.
        seed: of the simulated table and players; None at a real table.
        definitions: games that may be chosen in the lobby; empty: only `definition`.
    """

    definition: AnyGameDefinition
    player_names: tuple[str, ...]
    settings: Any
    seed: int | None = None
    definitions: tuple[AnyGameDefinition, ...] = ()


class Session:
    """Run one stage after the other until the program ends.

    Args:
        config: what the session starts with.
        journal: every move is written here before its effect is state.
        rng: draws the first player and lots (games have no randomness inside).
        monotonic: the host's monotonic clock, in seconds.
        house_rules: of all games; None: those of `config`, defaults for the other games.
        continue_game_id: number in the journal of the game that was running when the program crashed a moment ago: it
            is continued without asking, if it is the one to resume; None: always ask.
        preferences: settings of the device that people may change with buttons; None: none can be changed.
        cafe: settings of café mode.
        run_setup_wizard: start with the set-up wizard on a device that was never set up, if there are `preferences` and
            no game is to be resumed.
        has_camera: whether the set-up wizard has a page for the camera.
        code_kind: form of a result's QR code that is shown first.
        page_address: of the spectators' page, for its QR code in the pause menu; empty: there is none.
        appliance: the device, if the program runs as its service: switches it off, restarts it into an upgrade.
        film_export: writes films of finished games onto a USB stick; None: none are made.
        taught: what the buttons of controllers stand for; None: nothing, and it is not stored.
        taught_dice: faces of the box's own dice; None: none, and they are not stored.

    Attributes:
        stage: the current stage.
        interrupted_game: the game that the resume prompt asks about, or asked about last; None: there was none.
        notice: one translated line, shown until a button is pressed; None: there is none.

    Raises:
        JournalUnwritable: the journal cannot be read.
        Exception: an error of an installed game's own code is passed on, such as ImportError.
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
        code_kind: ResultCodeKind = "bg_stats",
        page_address: str = "",
        appliance: Appliance | None = None,
        film_export: FilmExport | None = None,
        taught: TaughtButtons | None = None,
        taught_dice: TaughtDice | None = None,
    ) -> None:
        self._taught = taught or TaughtButtons()
        self._taught_dice = taught_dice or TaughtDice()
        self._is_teaching_offered = True
        self._taught_from: WizardPage | None = None
        """The page of the set-up wizard from which the teaching was opened; None: the lobby."""
        self._config = config
        self._appliance = appliance or Appliance()
        self._upgrade: Upgrade | None = None
        self._upgrade_read_at = -math.inf
        self._film_export = film_export
        self._preferences = preferences
        self._cafe = cafe or CafeSettings()
        self._has_camera = has_camera
        self._code_kind = code_kind
        self._page_address = page_address
        self._idle_timer = IdleTimer(monotonic(), is_on=self._cafe.on)
        self._definition = config.definition
        self._house_rules = house_rules or HouseRules({config.definition.name: config.settings})
        self._seated: tuple[tuple[Button, str], ...] = ()
        self._lobby_before_review: tuple[AnyGameDefinition, tuple[tuple[Button, str], ...]] | None = None
        """Game and seats of the lobby while an old result is shown; None otherwise."""
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
        self.notice = self.notice or self._taught.problem or self._taught_dice.problem
        if preferences is not None and run_setup_wizard and not preferences.is_set_up and isinstance(self.stage, Lobby):
            self.stage = self._make_setup_wizard()

    @property
    def saved_game(self) -> SavedGame | None:
        """The game in play, or whose result is shown; None between games."""
        return self.stage.saved_game if isinstance(self.stage, Referee) else None

    def step(self, events: Sequence[Event]) -> None:
        """Handle the events of one turn, advance the clocks, and enter the next stage if one is due.

        Call it in each turn of the main loop, also without events. A move that cannot be written to the journal is
        reported on the screen and not raised.

        Args:
            events: events since the last turn, earliest first; may be empty.

        Raises:
            Exception: an error in a stage or a game, or (JournalUnwritable) the journal cannot be read for the next
                stage; call `rebuild` (see `companion.app.crash_guard`).
        """
        for event in events:
            self._note_event(event)
            self._idle_timer.note_event(event)
            self.stage.receive(event)
        self.stage.tick()
        if self._film_export is not None:
            self.notice = self._film_export.poll() or self.notice
        self._follow_upgrade()
        next_stage = self._choose_next_stage() or self._reset_if_abandoned()
        if next_stage is not None:
            self._enter_stage(next_stage)

    def build_screen_state(self, camera_view: CameraView) -> ScreenState:
        """Build the screen's state: the stage's, with this session's notice and dimming.

        Of several notices the stage's comes first, then `notice`, then a problem of the camera's view.

        Args:
            camera_view: the camera's present view.

        Raises:
            Exception: an error in a stage or a game is passed on.
        """
        state = self.stage.build_screen_state(camera_view)
        notice = state.notice or self.notice or self._describe_view_problem(camera_view, state)
        dimmed = isinstance(self.stage, Lobby) and self._idle_timer.is_idle(self._cafe.dim_minutes, self._monotonic())
        if (notice, dimmed) != (state.notice, state.dimmed):
            state = replace(state, notice=notice, dimmed=dimmed)
        return state

    def _describe_view_problem(self, camera_view: CameraView, state: ScreenState) -> str | None:
        """Describe a problem of the camera's view, once per problem; during a game only until a button is pressed.

        The camera panel keeps showing the problem as long as it lasts.
        """
        problem = camera_view.problem if state.uses_camera else None
        self._view_problem = problem.kind if problem else None
        if self._view_problem is not self._acknowledged_problem:
            self._acknowledged_problem = None
        if problem is None or (self._acknowledged_problem and state.kind is ScreenKind.PLAY):
            return None
        return problem.message

    def _note_event(self, event: Event) -> None:
        """Keep events whose state lasts (device lost, camera state), so that the next stage receives them too."""
        match event:
            case ButtonPressed():
                self.notice = None
                self._acknowledged_problem = self._view_problem
            case CameraStateChanged():
                self._lasting_events["camera says"] = event
            case DeviceLost(name=name):
                self._lasting_events[name] = event
            case DeviceRestored(name=name):
                self._lasting_events.pop(name, None)

    def _follow_upgrade(self) -> None:
        """Announce each new state of an upgrade from a USB stick once; the stages offer to restart into it."""
        if self._monotonic() - self._upgrade_read_at < UPGRADE_READ_SECONDS:
            return
        self._upgrade_read_at = self._monotonic()
        upgrade = self._appliance.read_upgrade()
        if upgrade is None or upgrade == self._upgrade:
            return
        self._upgrade = upgrade
        self.stage.offer_restart(self._installed_version)
        self.notice = _(UPGRADE_NOTICES[upgrade.state], version=upgrade.version)

    @property
    def _installed_version(self) -> str:
        """Version of the upgrade that starts with the next restart; empty: there is none."""
        return self._upgrade.version if self._upgrade and self._upgrade.state is UpgradeState.INSTALLED else ""

    def _enter_stage(self, stage: Stage) -> None:
        if self._taught.is_teaching and not isinstance(stage, ButtonTeaching):
            self._taught.cancel_teaching()  # the guests left, or it failed
        stage.double_press_guard = self.stage.double_press_guard  # a double press may open a stage and leave it
        stage.offer_restart(self._installed_version)
        self.stage = stage
        for event in self._lasting_events.values():
            stage.receive(event)
        stage.tick()

    def _choose_next_stage(self) -> Stage | None:
        match self.stage:
            case Stage(exit=Command(CommandName.RESTART)) as stage:
                # The stage remains until the power goes; the journal has everything.
                # Another stick may have begun a further upgrade while the question was open.
                requested = bool(self._installed_version) and self._appliance.request_restart()
                stage.exit = None
                self.notice = _("Restarting: one moment") if requested else _("The device cannot restart itself")
                return None
            case ResumePrompt(exit=Command(answer)):
                return self._answer_resume_prompt(answer is CommandName.RESUME)
            case Lobby(exit=Command(CommandName.START)) as lobby:
                self._definition = lobby.definition
                return self._draw_first_player(lobby.definition, lobby.seated, lobby.seating, lobby.settings)
            case Lobby(exit=Command(CommandName.RESULT, ())):
                assert self._last_game is not None
                return self._make_referee(self._last_game)
            case Lobby(exit=Command(CommandName.SET_UP)):
                return self._make_setup_wizard()
            case Lobby(exit=Command(CommandName.TEACH)) | SetupWizard(exit=Command(CommandName.TEACH)):
                return self._begin_teaching()
            case Lobby(exit=Command(CommandName.TEACH_DICE)) | SetupWizard(exit=Command(CommandName.TEACH_DICE)):
                self._note_teaching_from()
                return DiceTeaching(self._definition, self._taught_dice, self._monotonic)
            case ButtonTeaching(exit=Command()) | DiceTeaching(exit=Command()) as teaching:
                self.notice = teaching.problem
                return self._make_lobby() if self._taught_from is None else self._make_setup_wizard(self._taught_from)
            case SetupWizard(exit=Command()):
                return self._make_lobby()
            case Lobby(exit=Command(CommandName.RESULT, (number,))) as lobby:
                return self._review_result(number, lobby)
            case Lobby(exit=Command(CommandName.RESUME, (number,))):
                return self._resume_unfinished(number) or self._make_lobby()
            case FirstPlayerDraw(exit=Command(CommandName.BEGIN)) as draw:
                return self._begin_game(draw)
            case FirstPlayerDraw(exit=Command(CommandName.BACK)) as draw:
                self._seated = _pair_seats(draw.seating, draw.names)
                return self._make_lobby()
            case Referee(exit=Command(CommandName.AGAIN)) as referee:
                self._lobby_before_review = None
                definition, setup = referee.saved_game.definition, referee.saved_game.setup
                return self._draw_first_player(
                    definition, setup.players, setup.buttons, definition.settings_model(**setup.settings)
                )
            case Referee(exit=Command(CommandName.LOBBY)) if self._lobby_before_review is not None:
                self._definition, self._seated = self._lobby_before_review
                self._lobby_before_review = None
                return self._make_lobby()
            case Referee(exit=Command(CommandName.LOBBY)) as referee:
                definition, setup = referee.saved_game.definition, referee.saved_game.setup
                self._last_game = referee.saved_game if referee.saved_game.game.compute_outcome() else None
                self._definition, self._seated = definition, _pair_seats(setup.buttons, setup.players)
                return self._make_lobby()
            case _:
                return None

    def _make_referee(self, saved_game: SavedGame) -> Referee:
        return Referee(
            saved_game,
            GameServices(
                self._monotonic,
                self._rng,
                has_camera=self._has_camera,
                code_kind=self._code_kind,
                start_film=self._start_film if self._film_export is not None else None,
                page_address=self._page_address,
                taught_dice=self._taught_dice,
                learns_corrections=self._preferences is not None and self._preferences.values.corrections_teach,
            ),
        )

    def _start_film(self, number: int) -> None:
        """Begin to write the film of a game; the notice is this session's, since the next one replaces it."""
        assert self._film_export is not None
        self.notice = self._film_export.start(number)

    def _ask_to_resume(self, saved_game: SavedGame) -> ResumePrompt:
        """Return the resume prompt for a game, with the points of its players and its last move."""
        self.interrupted_game = saved_game
        setup, definition = saved_game.setup, saved_game.definition
        players = build_players(definition, setup.players, setup.buttons)
        last_move = saved_game.last_move_text or _("Nothing was played yet")
        title = definition.format_title(setup.settings)
        return ResumePrompt(definition, title, players, saved_game.game.totals, last_move, self._monotonic)

    def _answer_resume_prompt(self, continues: bool) -> Stage:
        """Continue the interrupted game or set it aside; ask again while the disk cannot be written."""
        saved_game = self.interrupted_game
        assert saved_game is not None
        try:
            if continues:
                saved_game.note_resumed()
                return self._make_referee(saved_game)
            saved_game.set_aside()
        except JournalUnwritable as why:
            self.notice = why.screen_text
            return self._ask_to_resume(saved_game)
        return self._make_lobby()

    def rebuild(self, *, ask_first: bool) -> None:
        """Rebuild the stage from the journal after it raised an exception: the game in play, or else the lobby.

        Args:
            ask_first: enter the resume prompt, not the game, because the game failed repeatedly.

        Raises:
            InvalidSavedGame: the game can no longer be read from the journal.
            JournalUnwritable: the journal cannot be read.
            Exception: an error in a stage or a game is passed on.
        """
        saved_game = self.saved_game or (self.interrupted_game if isinstance(self.stage, ResumePrompt) else None)
        if saved_game is None:
            self._enter_stage(self._make_lobby())
            return
        again = SavedGame(self._journal, saved_game.id, saved_game.definition)
        self._enter_stage(self._ask_to_resume(again) if ask_first else self._make_referee(again))
        self.notice = _("Something failed and was noted. The game stands as written down: look whether it is right")

    def _draw_first_player(
        self, definition: AnyGameDefinition, names: Sequence[str], buttons: Sequence[Button], settings: Any
    ) -> FirstPlayerDraw:
        first = Seat(self._rng.randrange(len(names)))
        return FirstPlayerDraw(definition, names, buttons, settings, first, self._monotonic)

    def _begin_game(self, draw: FirstPlayerDraw) -> Stage:
        setup = GameSetup(
            game=draw.definition.name,
            players=draw.names,
            buttons=draw.seating,
            first=draw.first,
            settings=draw.settings.model_dump(mode="json"),  # all of them: later defaults must not change this game
            seed=self._config.seed,
            rulings=CURRENT_RULINGS,
        )
        try:
            return self._make_referee(SavedGame.begin(self._journal, setup, draw.definition))
        except (JournalUnwritable, InvalidSavedGame) as why:
            self._definition, self._seated = draw.definition, _pair_seats(draw.seating, draw.names)
            self.notice = describe_for_screen(why)
            return self._make_lobby()

    def _make_lobby(self) -> Lobby:
        guests = self._cafe.on
        lobby = Lobby(
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
            switch_off=self._appliance.request_power_off if self._appliance.is_present else None,
        )
        lobby.may_teach = self._is_teaching_offered and not guests
        return lobby

    def _make_setup_wizard(self, page: WizardPage = WizardPage.LANGUAGE) -> SetupWizard:
        assert self._preferences is not None, "only a device with preferences can be set up"
        wizard = SetupWizard(
            self._definition, self._preferences, self._monotonic, camera=self._has_camera, first_page=page
        )
        wizard.may_teach = self._is_teaching_offered
        return wizard

    def _begin_teaching(self) -> ButtonTeaching:
        """Open the teaching; it is offered once by itself, and afterwards from the menu."""
        self._note_teaching_from()
        self._is_teaching_offered = False
        return ButtonTeaching(self._definition, self._taught, self._monotonic)

    def _note_teaching_from(self) -> None:
        """Note what to return to after a teaching: the page of the set-up wizard, or the lobby with its seats."""
        stage = self.stage
        self._taught_from = stage.page if isinstance(stage, SetupWizard) else None
        if isinstance(stage, Lobby):
            self._definition, self._seated = stage.definition, _pair_seats(stage.seating, stage.seated)

    def _reset_if_abandoned(self) -> Stage | None:
        """Return a fresh lobby for the next guests if the last ones have left (café mode); None while they are here."""
        if not self._idle_timer.is_idle(self._cafe.quiet_minutes, self._monotonic()) or (
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
        """Show the result of a past game; the seats of the lobby are restored afterwards."""
        self._definition, self._seated = lobby.definition, _pair_seats(lobby.seating, lobby.seated)
        try:
            saved_game = self._load_game(number)
        except (InvalidSavedGame, UnknownGame) as why:
            self.notice = str(why)
            return self._make_lobby()
        self._lobby_before_review = (self._definition, self._seated)
        return self._make_referee(saved_game)

    def _load_game(self, number: int) -> SavedGame:
        """Load a game from the journal.

        Raises:
            InvalidSavedGame: it cannot be read.
            UnknownGame: its game is not installed.
        """
        setup = GameSetup.from_json(self._journal.get_game(number).setup_json)
        return SavedGame(self._journal, number, find_game(setup.game))

    def _resume_unfinished(self, number: int) -> Referee | None:
        """Continue a game that was set aside; None, with a notice, if that is impossible."""
        try:
            saved_game = self._load_game(number)
            saved_game.note_resumed()
        except (InvalidSavedGame, UnknownGame, JournalUnwritable) as why:
            self.notice = _("That game cannot go on: {why}", why=describe_for_screen(why))
            return None
        self.notice = saved_game.problem
        return self._make_referee(saved_game)

    def _resume_or_lobby(self, going_on: int | None) -> Stage:
        """Choose the first stage: a resume prompt for an interrupted game, else the lobby.

        The result of a finished game can be opened from the lobby again (and undone there).
        """
        try:
            number = self._journal.find_resumable_game()
            saved_game = None if number is None else self._load_game(number)
        except (InvalidSavedGame, UnknownGame) as why:
            self.notice = _("The last game cannot go on: {why}", why=why)
            return self._make_lobby()
        if saved_game is not None:
            self.notice = saved_game.problem
            if saved_game.game.compute_outcome() is None:
                prompt = self._ask_to_resume(saved_game)
                return self._answer_resume_prompt(True) if number == going_on else prompt
            self._last_game = saved_game
        return self._make_lobby()


def _pair_seats(buttons: Sequence[Button], names: Sequence[str]) -> tuple[tuple[Button, str], ...]:
    return tuple(zip(buttons, names, strict=True))


def list_unfinished(journal: Journal, max_count: int = 5) -> tuple[tuple[int, str], ...]:
    """List the most recent games that were set aside before their end.

    The last entry of a game shows whether it was set aside; nothing is replayed for this. Games that are not installed,
    or whose setup or last entry cannot be read, are left out.

    Args:
        journal: the last MAX_GAMES_SEARCHED games in it are searched.
        max_count: most games that are listed, 1 or more.

    Returns:
        Number in the journal and translated label (game, local time, players) of each, newest first.

    Raises:
        JournalUnwritable: the journal cannot be read.
        Exception: an error while an installed game is loaded is passed on, such as ImportError.
    """
    found = []
    for record in reversed(journal.list_games()[-MAX_GAMES_SEARCHED:]):
        try:
            setup = GameSetup.from_json(record.setup_json)
            last = journal.read_last_entry(record.id)
        except InvalidSavedGame:
            continue
        if last is not None and last.what.kind is EntryKind.SET_ASIDE and setup.game in list_game_names():
            begun = datetime.fromtimestamp(record.started.wall, tz=UTC).astimezone()
            label = _(
                "{game} of {day} {month}, {time}: {names}",
                game=find_game(setup.game).format_title(setup.settings),
                day=begun.day,
                month=_(MONTH_NAMES[begun.month - 1]),
                time=f"{begun:%H:%M}",
                names=", ".join(setup.players),
            )
            found.append((record.id, label))
        if len(found) == max_count:
            break
    return tuple(found)
