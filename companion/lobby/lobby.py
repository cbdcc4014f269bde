"""Before a game: the choice of the game, the players, their seats and the house rules.

Seats are taken in clockwise order by pressing one's own button, so that the turn order is the real seating. The menu:
`settings_menu.py`.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from companion.api import AnyGameDefinition, Command, CommandName, ConsolePress, NumberPress, Offer
from companion.events import SEAT_BUTTONS, Button
from companion.i18n import _
from companion.journal.entry import JournalUnwritable
from companion.journal.known_players import shape_name
from companion.lobby.history import READ_SECONDS_PER_FRAME, HistoryPage, build_page
from companion.lobby.house_rules_menu import list_changed_settings
from companion.lobby.settings_menu import SettingsMenu
from companion.names import has_name, resolve_names
from companion.referee.dialogs.name_input import NameInput
from companion.referee.dialogs.pause_menu import open_restart_question
from companion.referee.screen_parts import build_players
from companion.screen_state import CameraView, ScreenKind, ScreenState


class Lobby(SettingsMenu):
    """Players take their seats, and may choose another game or other house rules.

    `exit` is START (the seated players play, by the house rules as they are now), RESULT or RESUME (of a game by its
    id; RESULT without a value: of the last game), SET_UP (the set-up wizard), TEACH or TEACH_DICE (the
    teaching of buttons or dice), BACK (to the greeting), or RESTART (of the device, into an upgrade).

        lobby = Lobby(definition, LobbyServices(time.monotonic), definitions=registry.load_games())
        lobby.execute(Command(CommandName.JOIN, (1,)))
    """

    has_greeting = False
    """NO leads back to the greeting while nobody sits."""
    _left_game: int | None = None
    _left_as: object = None
    _is_new = True
    _asks_to_restart = True

    def offer_return(self, game_id: int) -> None:
        """Offer on NO to continue a game that was just left, as long as nobody changes game or seats."""
        self._left_game, self._left_as = game_id, (self.definition, self.seating)

    @property
    def is_untouched(self) -> bool:
        """Whether no seat is taken and no dialog is open."""
        return not self._seated and self.dialog is None

    def find_rules(self) -> tuple[AnyGameDefinition, Any]:
        return self.definition, self.settings

    # Offers -----------------------------------------------------------------------------------------------------

    def list_offers(self) -> Sequence[Offer]:
        """List the answers of the open dialog; without one, the seats to take or leave and the buttons of the lobby.

        Changes nothing. JOIN and LEAVE have the number of the seat's button, 1 to 6.
        """
        if self.dialog is not None:
            return self.dialog.list_offers()
        offers = []
        for n, button in enumerate(SEAT_BUTTONS, 1):
            if button in self._seated:
                offers.append(Offer(Command(CommandName.LEAVE, (n,)), NumberPress(n), _("Stand up")))
            elif not self._is_full:
                offers.append(Offer(Command(CommandName.JOIN, (n,)), NumberPress(n), _("Sit here"), awaited=True))
        if self._can_start:
            offers.append(Offer(Command(CommandName.START), ConsolePress.OK, _("Start"), awaited=True))
        if len(self.definitions) > 1 or self.definition.presets:
            offers.append(Offer(Command(CommandName.GAMES), ConsolePress.PLUS, _("Other game")))
        offers.append(Offer(Command(CommandName.MORE), ConsolePress.MINUS, _("Settings")))
        if self._left_game is not None and self._left_as == (self.definition, self.seating):
            back = Command(CommandName.RESUME, (self._left_game,))
            offers.append(Offer(back, ConsolePress.NO, _("Back to game")))
        elif self._seated:
            leave = Command(CommandName.LEAVE, (SEAT_BUTTONS.index(self.seating[-1]) + 1,))
            offers.append(Offer(leave, ConsolePress.NO, _("Remove last")))
        elif self.has_greeting:
            offers.append(Offer(Command(CommandName.BACK), ConsolePress.NO, _("Back")))
        return offers

    def execute(self, command: Command) -> None:
        """Execute the command of an offer: take or leave a seat, open a menu, start, or answer the open dialog.

        House rules, preferences and the results of the history may be stored in files; `notice` says if that fails, or
        if the journal cannot be read for the history. A choice of language holds for the whole program at once. Leaving
        the lobby sets `exit`.

        Raises:
            KeyError: LEAVE for a seat that nobody has taken.
            IndexError: JOIN or LEAVE with a number above 6, or ANSWER with the index of no answer.
            Exception: `export`, `switch_off` or a game of another package may raise any other error.
        """
        self.notice = None
        if self.dialog is not None:
            with self._close_dialog_if_unreadable():
                self._open(self.dialog.handle(command))
            return
        match command:
            case Command(CommandName.JOIN, (n,)):
                self._join(SEAT_BUTTONS[n - 1])
            case Command(CommandName.LEAVE, (n,)):
                del self._seated[SEAT_BUTTONS[n - 1]]
            case Command(CommandName.GAMES):
                self._open(self._open_games())
            case Command(CommandName.MORE):
                self._open(self._open_more())
            case Command(CommandName.BACK | CommandName.RESUME):
                self.exit = command
            case _:
                self._open(self._start())

    def tick(self) -> None:
        """Handle the queued presses; read more past games while a page of the history is open.

        Once in each lobby it asks whether to restart into an upgrade: at once, or when nobody has sat down.

        If the journal cannot be read, the page is closed and `notice` says why.

        Raises:
            Exception: `export`, `switch_off` or a game of another package may raise any other error.
        """
        super().tick()
        # Not while people sit down: they would answer it with a press that was meant for a seat or the start.
        is_quiet, self._is_new = self._is_new or self.is_untouched, False
        if self.installed_version and self._asks_to_restart and is_quiet and self.exit is None:
            self._asks_to_restart = False
            self.dialog = open_restart_question(self.installed_version)
        results = self._services.results
        if results is not None and results.unread_count and isinstance(self.dialog, HistoryPage):
            with self._close_dialog_if_unreadable():
                results.read_more(READ_SECONDS_PER_FRAME)
                self.dialog = build_page(results, self.dialog.path)

    @contextmanager
    def _close_dialog_if_unreadable(self) -> Iterator[None]:
        """Close the dialog with a notice if the block cannot read the journal; the seats stay."""
        try:
            yield
        except JournalUnwritable as error:
            self.dialog, self.notice = None, error.screen_text

    def type_character(self, character: str) -> None:
        """Add a typed character to the name that is being entered; erasing nothing closes that dialog."""
        if isinstance(self.dialog, NameInput):
            is_left = character == "\b" and not self.dialog.written
            self.dialog = None if is_left else self.dialog.type_character(character)

    def _join(self, button: Button) -> None:
        """Seat a player under the given name, or that of who sat here last, or the seat's shape."""
        known = self._services.player_names.resolve(self.known_players.by_button.get(button, ""))
        known = "" if has_name(self.seated, known) else known
        self._seated[button] = next(self._list_awaited_names(), known or shape_name(button))

    def _list_awaited_names(self) -> Iterator[str]:
        """Yield the given names, as players are called now, of who has no seat yet."""
        names = resolve_names(self.names, self._services.player_names.resolve)
        return (name for name in names if not has_name(self.seated, name))

    # Screen -----------------------------------------------------------------------------------------------------

    @property
    def prompt(self) -> str:
        """Main line of the screen in the current language: who is to press which button now."""
        taken, players = len(self._seated), self.definition.player_counts
        if taken > players[-1]:
            return self._format_player_range(
                _("{game} is for {few} to {many} players: who sits this one out?"), self.definition
            )
        if self._is_full and taken < players[0]:
            return self._format_player_range(
                _("{game} is for {few} to {many} players: choose another game"), self.definition
            )
        if self.names and not self._is_full:
            return _("{who}: press your button", who=next(self._list_awaited_names()))
        if self.names and taken == len(self.names) and self._can_start:
            return _("Everybody is seated: start with OK")
        if taken == players[-1]:
            return _("The table is full: start with OK")
        if self.has_greeting:  # nobody sits around a simulated table
            return _("Each player joins with a press")
        return _("Press your buttons, one after the other, clockwise")

    def build_screen_state(self, camera_view: CameraView) -> ScreenState:
        """Build the screen of the lobby, or a page of the history, which has the screen to itself; changes nothing.

        Raises:
            pydantic.ValidationError: the game's settings model has defaults that are not valid.
        """
        dialog = self.dialog
        if isinstance(dialog, HistoryPage):
            return replace(
                self._build_base_state(ScreenKind.HISTORY, dialog.prompt, camera_view),
                title=_("History"),
                uses_camera=False,
                view=dialog.table,
            )
        problem = self.house_rules.problem or self.house_rules.named.problem
        settings = self.settings
        return replace(
            self._build_base_state(ScreenKind.LOBBY, dialog.prompt if dialog else self.prompt, camera_view),
            title=self.definition.format_title(settings),
            players=build_players(self.definition, self.seated, self.seating),
            question=dialog.question if dialog else None,
            menu=dialog.menu if dialog else None,
            asks_for_text=isinstance(dialog, NameInput),
            notice=self.notice or problem or self.describe_problem(),
            details=(
                self._format_player_range(_("{few} to {many} players"), self.definition),
                *list_changed_settings(self.definition, settings, self._player_count),
            ),
        )
