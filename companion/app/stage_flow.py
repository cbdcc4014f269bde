"""Which stage comes next: resume prompt, lobby, first player draw, game, and the teaching and set-up around them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from companion.api import AnyGameDefinition, Command, CommandName, registry
from companion.app.resume import GameResumption
from companion.app.session_config import SessionConfig
from companion.app.stored_data import StoredData
from companion.app.table_services import TableServices
from companion.catalogues import find_language_folder
from companion.events import Button, Event
from companion.i18n import _
from companion.journal.database import Journal
from companion.journal.entry import GameSetup, InvalidSavedGame, JournalUnwritable, describe_for_screen
from companion.journal.exported_game import load_saved_game
from companion.journal.known_players import KnownPlayers, load_known_players
from companion.journal.saved_game import SavedGame
from companion.journal.usb_export import export_today, find_usb_sticks
from companion.lobby import (
    ButtonTeaching,
    DiceTeaching,
    FirstPlayerDraw,
    Greeting,
    HouseRules,
    Lesson,
    Lobby,
    ProblemReport,
    ResultsCache,
    ResumePrompt,
    SetupWizard,
)
from companion.lobby.date_and_time import ClockSetting
from companion.lobby.first_player_draw import draw_first_player
from companion.lobby.set_aside_games import list_set_aside
from companion.lobby_views import WizardPage
from companion.referee.referee import Referee
from companion.referee.stage import Stage
from companion.system.appliance import Upgrade, UpgradeState


class StageFlow:
    """Makes the stages of a session, and chooses the next one when the players leave one.

    Args:
        config: what the session starts with.
        journal: every move is written here before its effect is state.
        services: clock, lots, house rules and other services of the device.

    Attributes:
        stage: the current stage.
        notice: one translated line, shown until a button is pressed; None: there is none.

    Raises:
        JournalUnwritable: the journal cannot be read.
        Exception: an error of an installed game's own code is passed on, such as ImportError.
    """

    def __init__(self, config: SessionConfig, journal: Journal, services: TableServices) -> None:
        self._config, self._journal = config, journal
        self._house_rules = services.house_rules or HouseRules({config.definition.name: config.settings})
        self._results = ResultsCache(journal, journal.path.parent)
        self._services = replace(
            services,
            house_rules=self._house_rules,
            journal=journal,
            is_table_virtual=config.is_table_virtual,
            results=None if services.is_locked else self._results,
            player_names=journal.player_names,
            export=self._export_today,
            swap_games=self._swap_games if registry.find_game_folder() is not None else None,
            switch_off=services.appliance.request_power_off if services.appliance.is_present else None,
            clock_setting=(
                ClockSetting(journal.clock, services.appliance.request_clock, services.monotonic)
                if services.appliance.is_present
                else None
            ),
            start_film=None if services.film_export is None else self._start_film,
        )
        rules, names = self._house_rules, journal.player_names
        self._stored_data = StoredData(
            services.taught_buttons, services.taught_dice, rules, names, services.table, services.preferences
        )
        self._is_teaching_offered = True
        self._taught_from: WizardPage | None = None
        """The page of the set-up wizard from which the teaching was opened; None: the lobby."""
        self._upgrade: Upgrade | None = None
        self._definition = config.definition
        self._seated: tuple[tuple[Button, str], ...] = ()
        self._lobby_before_review: tuple[AnyGameDefinition, tuple[tuple[Button, str], ...]] | None = None
        """Game and seats of the lobby while an old result is shown; None otherwise."""
        self._last_game: SavedGame | None = None
        self._lasting_events: dict[str, Event] = {}
        self.notice: str | None = None
        self._resumption = GameResumption(journal, services.monotonic, self._announce)
        self.stage: Stage = self._choose_first_stage(config.continue_game_id)
        is_new = services.preferences is not None and not services.preferences.is_set_up
        if config.run_setup_wizard and is_new and isinstance(self.stage, Lobby):
            if services.preferences is not None and services.screen_inches is not None:
                why_not = services.preferences.choose_nearest_screen(services.screen_inches)
                self.notice = why_not or self.notice
            self.stage = self._make_setup_wizard()
        elif config.is_table_virtual and not config.player_names and isinstance(self.stage, Lobby):
            self.stage = self._make_greeting()
        self._reported_from = self.stage
        problems = [*config.settings_problems, *self._stored_data.list_problems()]
        if problems and isinstance(self.stage, Referee):
            self.notice = problems[0]  # the game goes on after a crash; before it the report was read
        elif problems:
            self.stage = ProblemReport(self._definition, problems, services.monotonic)

    def _announce(self, line: str | None) -> None:
        self.notice = line

    def _export_today(self) -> str:
        table = self._services.table
        table_id = table.id if table is not None else ""
        return export_today(self._journal, self._journal.clock.now().wall, find_usb_sticks(), table_id or "table")

    def _swap_games(self) -> Sequence[str]:
        from companion.app.stick_swap import swap_with_sticks  # seldom needed: the first picture comes sooner

        folder = registry.find_game_folder()
        assert folder is not None, "else it is not offered"
        lines = swap_with_sticks(folder, find_language_folder(), find_usb_sticks())
        registry.use_game_folder(folder)  # which is read again
        self._config = replace(self._config, definitions=registry.load_games())
        if isinstance(self.stage, Lobby):
            self.stage.definitions = self._config.definitions
        return lines

    @property
    def saved_game(self) -> SavedGame | None:
        """The game in play, or whose result is shown; None between games."""
        return self.stage.saved_game if isinstance(self.stage, Referee) else None

    @property
    def interrupted_game(self) -> SavedGame | None:
        """The game that the resume prompt asks about, or asked about last; None: there was none."""
        return self._resumption.interrupted_game

    @property
    def _installed_version(self) -> str:
        """Version of the upgrade that starts with the next restart; empty: there is none."""
        return self._upgrade.version if self._upgrade and self._upgrade.state is UpgradeState.INSTALLED else ""

    def _enter_stage(self, stage: Stage) -> None:
        if self._services.taught_buttons.is_teaching and not isinstance(stage, ButtonTeaching):
            self._services.taught_buttons.cancel_teaching()  # the guests left, or it failed
        stage.press_guard = self.stage.press_guard  # a double press may open a stage and leave it
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
                requested = bool(self._installed_version) and self._services.appliance.request_restart()
                stage.exit = None
                self.notice = _("Restarting: one moment") if requested else _("The device cannot restart itself")
                return None
            case ProblemReport(exit=Command()):
                return self._reported_from
            case ResumePrompt(exit=Command(answer)):
                return self._make_resumed_stage(self._resumption.apply_answer(answer))
            case Greeting(exit=Command(CommandName.LEARN)):
                return Lesson(registry.find_lesson_game(), self._services.monotonic)
            case Greeting(exit=Command(CommandName.JOIN) as join):
                lobby = self._make_lobby()
                lobby.execute(join)
                return lobby
            case Lobby(exit=Command(CommandName.BACK)):
                return self._make_greeting()
            case Greeting(exit=Command()) | Lesson(exit=Command()):
                return self._make_lobby()
            case Lobby(exit=Command(CommandName.START)) as lobby:
                self._definition = lobby.definition
                return self._make_first_player_draw(lobby.definition, lobby.seated, lobby.seating, lobby.settings)
            case Lobby(exit=Command(CommandName.RESULT, ())):
                assert self._last_game is not None
                return self._make_referee(self._last_game)
            case Lobby(exit=Command(CommandName.SET_UP)):
                return self._make_setup_wizard()
            case Lobby(exit=Command(CommandName.TEACH)) | SetupWizard(exit=Command(CommandName.TEACH)):
                return self._begin_teaching()
            case Lobby(exit=Command(CommandName.TEACH_DICE)) | SetupWizard(exit=Command(CommandName.TEACH_DICE)):
                self._note_teaching_from()
                return DiceTeaching(self._definition, self._services.taught_dice, self._services.monotonic)
            case ButtonTeaching(exit=Command()) | DiceTeaching(exit=Command()) as teaching:
                self.notice = teaching.problem
                return self._make_lobby() if self._taught_from is None else self._make_setup_wizard(self._taught_from)
            case SetupWizard(exit=Command()):
                return self._make_lobby()
            case Lobby(exit=Command(CommandName.RESULT, (number,))) as lobby:
                return self._review_result(number, lobby)
            case Lobby(exit=Command(CommandName.RESUME, (number,))):
                return self._make_resumed_stage(self._resumption.resume_set_aside_game(number))
            case FirstPlayerDraw(exit=Command(CommandName.BEGIN)) as draw:
                return self._begin_game(draw)
            case FirstPlayerDraw(exit=Command(CommandName.BACK)) as draw:
                self._seated = _pair_seats(draw.seating, draw.names)
                return self._make_lobby()
            case Referee(exit=Command(CommandName.AGAIN)) as referee:
                self._lobby_before_review = None
                definition, settings = referee.saved_game.definition, referee.saved_game.setup.settings
                buttons, names = zip(*referee.saved_game.seating.clockwise, strict=True)
                return self._make_first_player_draw(definition, names, buttons, definition.settings_model(**settings))
            case Referee(exit=Command(CommandName.LOBBY)) if self._lobby_before_review is not None:
                self._definition, self._seated = self._lobby_before_review
                self._lobby_before_review = None
                return self._make_lobby()
            case Referee(exit=Command(CommandName.LOBBY)) as referee:
                game = referee.saved_game
                self._last_game = game if game.game.compute_outcome() else None
                self._definition, self._seated = game.definition, game.seating.clockwise
                lobby = self._make_lobby()
                if self._last_game is None and not self._services.is_locked:
                    lobby.offer_return(game.id)
                return lobby
            case _:
                return None

    def _choose_first_stage(self, continue_game_id: int | None) -> Stage:
        """Choose the first stage: a resume prompt for an interrupted game, or that game, else the lobby.

        The result of a finished game can be opened from the lobby again (and undone there).
        """
        resumed = self._resumption.resume_last_game(continue_game_id)
        self._last_game = self._resumption.finished_game
        return self._make_resumed_stage(resumed)

    def _make_resumed_stage(self, resumed: ResumePrompt | SavedGame | None) -> Stage:
        match resumed:
            case None:
                return self._make_lobby()
            case SavedGame():
                return self._make_referee(resumed)
            case _:
                return resumed

    def _make_referee(self, saved_game: SavedGame) -> Referee:
        if self._services.preferences is None:
            return Referee(saved_game, self._services)
        values = self._services.preferences.values
        services = replace(
            self._services, learns_corrections=values.corrections_teach, waits_for_ok=values.waits_for_ok
        )
        return Referee(saved_game, services)

    def _start_film(self, number: int) -> None:
        """Begin to write the film of a game; the notice is this session's, since the next one replaces it."""
        assert self._services.film_export is not None
        self.notice = self._services.film_export.start(number)

    def _make_first_player_draw(
        self, definition: AnyGameDefinition, names: Sequence[str], buttons: Sequence[Button], settings: Any
    ) -> FirstPlayerDraw:
        first = draw_first_player(len(names), self._services.rng)
        # A game without a camera is played with its own box at a virtual table too.
        is_laid_out = self._config.is_table_virtual and definition.uses_camera
        return FirstPlayerDraw(
            definition, names, buttons, settings, first, self._services.monotonic, is_laid_out=is_laid_out
        )

    def _begin_game(self, draw: FirstPlayerDraw) -> Stage:
        setup = GameSetup(
            game=draw.definition.name,
            players=draw.names,
            buttons=draw.seating,
            first=draw.first,
            settings=draw.settings.model_dump(mode="json"),  # all of them: later defaults must not change this game
            seed=self._config.seed,
        )
        try:
            self._resumption.set_unread_game_aside()
            return self._make_referee(SavedGame.begin(self._journal, setup, draw.definition))
        except (JournalUnwritable, InvalidSavedGame) as why:
            self._definition, self._seated = draw.definition, _pair_seats(draw.seating, draw.names)
            self.notice = describe_for_screen(why)
            return self._make_lobby()

    def _make_lobby(self) -> Lobby:
        guests = self._services.is_locked
        known_players, set_aside = KnownPlayers(), tuple[tuple[int, str], ...]()
        if not guests:
            try:
                known_players, set_aside = load_known_players(self._journal), list_set_aside(self._journal)
            except JournalUnwritable as why:  # the seats can be taken all the same
                self.notice = why.screen_text
        lobby = Lobby(
            self._definition,
            self._services,
            names=self._config.player_names,
            definitions=self._config.definitions,
            known_players=known_players,
            seated=self._seated,
            has_last_result=self._last_game is not None,
            set_aside=set_aside,
        )
        lobby.may_teach = self._is_teaching_offered and not guests
        lobby.has_greeting = self._config.is_table_virtual
        return lobby

    def _make_greeting(self) -> Greeting:
        try:
            has_played = bool(self._journal.list_games(1))
        except JournalUnwritable as why:
            has_played, self.notice = True, why.screen_text
        return Greeting(self._definition, self._services.monotonic, has_played=has_played)

    def _make_setup_wizard(self, page: WizardPage = WizardPage.LANGUAGE) -> SetupWizard:
        services, preferences = self._services, self._services.preferences
        assert preferences is not None, "only a device with preferences can be set up"
        wizard = SetupWizard(
            self._definition, preferences, services.monotonic, camera=services.has_camera, first_page=page
        )
        wizard.may_teach = self._is_teaching_offered
        return wizard

    def _begin_teaching(self) -> ButtonTeaching:
        """Open the teaching; it is offered once by itself, and afterwards from the menu."""
        self._note_teaching_from()
        self._is_teaching_offered = False
        return ButtonTeaching(self._definition, self._services.taught_buttons, self._services.monotonic)

    def _note_teaching_from(self) -> None:
        """Note what to return to after a teaching: the page of the set-up wizard, or the lobby with its seats."""
        stage = self.stage
        self._taught_from = stage.page if isinstance(stage, SetupWizard) else None
        if isinstance(stage, Lobby):
            self._definition, self._seated = stage.definition, _pair_seats(stage.seating, stage.seated)

    def _review_result(self, number: int, lobby: Lobby) -> Stage:
        """Show the result of a past game; the seats of the lobby are restored afterwards."""
        self._definition, self._seated = lobby.definition, _pair_seats(lobby.seating, lobby.seated)
        try:
            saved_game = load_saved_game(self._journal, number)
            self._resumption.set_unread_game_aside()  # the last move of a result can be undone
        except (InvalidSavedGame, JournalUnwritable) as why:
            self.notice = describe_for_screen(why)
            return self._make_lobby()
        if saved_game.replay.gap is not None:
            return self._resumption.make_prompt(saved_game)
        self._lobby_before_review = (self._definition, self._seated)
        return self._make_referee(saved_game)


def _pair_seats(buttons: Sequence[Button], names: Sequence[str]) -> tuple[tuple[Button, str], ...]:
    return tuple(zip(buttons, names, strict=True))
