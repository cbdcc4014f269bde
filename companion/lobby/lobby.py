"""Before a game: which game, who plays, in which order, by which house rules.

Seats are taken in clockwise order by pressing one's own button, so that the turn order is the real seating.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from companion.events import SEAT_BUTTONS, Button
from companion.games.api.game import Seat
from companion.games.api.offers import Command, ConsolePress, GameDefinition, NumberPress, Offer
from companion.i18n import Translator
from companion.lobby import history, house_rules_menu
from companion.lobby.dialogs import ListMenu, LobbyChange, LobbyDialog, NameInput, RowInput, SeatChoice, Step
from companion.lobby.house_rules import HouseRules
from companion.lobby.known_players import KnownPlayers, all_shape_names, shape_name
from companion.lobby.preferences import LANGUAGE_LABEL, MENU_LINES, Preferences
from companion.lobby.preferences import open_preferences_menu as box_menu
from companion.lobby.results_cache import ResultsCache
from companion.lobby.stage import PreGameStage
from companion.lobby.transitions import LobbyExit, ToGame, ToLastResult, ToResult, ToSetupWizard, ToUnfinishedGame
from companion.referee.buttons import build_soft_keys
from companion.screen_state import CameraView, Player, Question, ScreenKind, ScreenState

_ = Translator("companion")

MAX_NAMES_OFFERED = 12
"""Names of regulars that a seat is offered, the latest ones."""


class Lobby(PreGameStage):
    """Players take their seats, and may choose another game or other house rules.

    Args:
        kit: the game to be played, unless another is chosen.
        house: the house rules.
        monotonic: the host's monotonic clock, in seconds.
        names: given names in clockwise order; where there are none, everybody may sit down.
        kits: the games to choose from.
        regulars: who played here before.
        seated: who sits already, in clockwise order, from the game before.
        last: there is a last game whose result can be gone back to.
        put_away: unfinished sittings to go on with: number and words of each.
        box: what may be chosen for the box itself; None: nothing.
        locked: guests may change neither the house rules nor the box.
        switch_off: has the box switched off; whether that could be asked for; None: that is not offered.
        past: what was played here before; None: it is not shown.
        export: writes the day's results onto a USB stick and says how that went; None: that is not offered.
    """

    def __init__(
        self,
        definition: GameDefinition,
        house_rules: HouseRules,
        monotonic: Callable[[], float],
        *,
        names: Sequence[str] = (),
        definitions: Sequence[GameDefinition] = (),
        known_players: KnownPlayers | None = None,
        seated: Sequence[tuple[Button, str]] = (),
        has_last_result: bool = False,
        unfinished: Sequence[tuple[int, str]] = (),
        preferences: Preferences | None = None,
        is_locked: bool = False,
        results: ResultsCache | None = None,
        export: Callable[[], str] | None = None,
        switch_off: Callable[[], bool] | None = None,
    ) -> None:
        super().__init__(definition, monotonic)
        self.house_rules = house_rules
        self.preferences = preferences
        self.is_locked = is_locked
        self._results = results
        self._export = export
        self._switch_off = switch_off
        self.names = tuple(names)
        self.definitions = tuple(definitions) or (definition,)
        self.known_players = known_players or KnownPlayers()
        self._seated = dict(seated)
        self._has_last_result, self._unfinished = has_last_result, tuple(unfinished)
        self.dialog: LobbyDialog | None = None
        self.notice: str | None = None
        self.exit: LobbyExit | None = None
        """Where people go from here; None: they are still here."""

    @property
    def is_done(self) -> bool:
        return self.exit is not None

    @property
    def is_untouched(self) -> bool:
        """Whether nobody has done anything here."""
        return not self._seated and self.dialog is None

    @property
    def settings(self) -> Any:
        """The house rules that a start uses."""
        return self.house_rules.rules_of(self.definition)

    @property
    def seating(self) -> tuple[Button, ...]:
        """Buttons of those who have pressed, in order."""
        return tuple(self._seated)

    @property
    def seated(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(self._seated.values())

    @property
    def _player_count(self) -> int:
        """The number of players that house rules are for: one that the game can be played by."""
        few, many = self.definition.player_counts[0], self.definition.player_counts[-1]
        return min(max(len(self._seated) or len(self.names), few), many)

    @property
    def _is_full(self) -> bool:
        most = self.definition.player_counts[-1]
        return len(self._seated) >= min(len(self.names) or most, most)

    @property
    def _can_start(self) -> bool:
        return len(self._seated) in self.definition.player_counts and (self._is_full or not self.names)

    # What may be pressed ----------------------------------------------------------------------------------------

    def list_offers(self) -> Sequence[Offer]:
        if self.dialog is not None:
            return self.dialog.list_offers()
        offers = []
        for n, button in enumerate(SEAT_BUTTONS, 1):
            if button in self._seated:
                offers.append(Offer(Command("leave", (n,)), NumberPress(n), _("Not me")))
            elif not self._is_full:
                offers.append(Offer(Command("join", (n,)), NumberPress(n), _("I sit here"), awaited=True))
        if self._can_start:
            offers.append(Offer(Command("start"), ConsolePress.OK, _("Start"), awaited=True))
        if len(self.definitions) > 1:
            offers.append(Offer(Command("games"), ConsolePress.PLUS, _("Other game")))
        offers.append(Offer(Command("more"), ConsolePress.MINUS, _("Rules, names")))
        if self._seated:
            number = SEAT_BUTTONS.index(self.seating[-1]) + 1
            offers.append(Offer(Command("leave", (number,)), ConsolePress.NO, _("Without {who}", who=self.seated[-1])))
        return offers

    def execute(self, command: Command) -> None:
        self.notice = None
        if self.dialog is not None:
            self._open(self.dialog.handle(command))
            return
        match command:
            case Command(name="join", value=(n,)):
                self._join(SEAT_BUTTONS[n - 1])
            case Command(name="leave", value=(n,)):
                del self._seated[SEAT_BUTTONS[n - 1]]
            case Command(name="games"):
                self._open(self._open_games())
            case Command(name="more"):
                self._open(self._open_more())
            case Command(name="start"):
                self._start()
            case _:
                raise AssertionError(command)

    def tick(self) -> None:
        super().tick()
        if self._results is not None and self._results.unread_count and isinstance(self.dialog, history.HistoryPage):
            self._results.read_more(history.READ_SECONDS_PER_FRAME)
            self._open(history.build_page(self._results, self.dialog.path))

    def _join(self, button: Button) -> None:
        """The name that was given, or that of who sat here last, or the seat's shape."""
        given = next((name for name in self.names if name not in self.seated), None)
        known = self.known_players.by_button.get(button)
        known = None if known in self.seated else known
        self._seated[button] = given or known or shape_name(button)

    def _translate_shape_names(self) -> None:
        """Who is called by a seat's shape is so in the language of the evening."""
        for button, name in self._seated.items():
            if name in all_shape_names():
                self._seated[button] = shape_name(button)

    def _start(self) -> None:
        unasked = self.house_rules.list_unconfirmed(self.definition, self._player_count)
        if not unasked:
            self.exit = ToGame()
            return
        self._ask_to_confirm(unasked[0])

    # Dialogs ----------------------------------------------------------------------------------------------------

    def _open(self, step: Step) -> None:
        if isinstance(step, LobbyChange):
            self._apply(step)
        else:
            self.dialog = step

    def _apply(self, change: LobbyChange) -> None:
        self.dialog = None
        match change:
            case LobbyChange("game", kit):
                self.definition = kit
                if not self.names:
                    self._seated = dict(list(self._seated.items())[: kit.player_counts[-1]])
            case LobbyChange("rules", selected):
                self._open(house_rules_menu.open_rules_menu(self.settings, self._player_count, selected or 0))
            case LobbyChange("edit", name):
                self._open(
                    house_rules_menu.open_rule_editor(
                        self.settings, name, self._player_count, self._open_rules_at(name)
                    )
                )
            case LobbyChange("rule", (name, value)):
                self.notice = self.house_rules.change(self.definition, name, value)
                self._open(self._open_rules_at(name))
            case LobbyChange("page", (name, value)):
                self.notice = self.house_rules.change(self.definition, name, value)
                self._apply(LobbyChange("edit", name))
            case LobbyChange("asked", (name, value)):
                self.notice = self.house_rules.change(self.definition, name, value)
                self.house_rules.mark_confirmed(self.definition, name, self._player_count)
                self._start()
            case LobbyChange("names"):
                self._open(self._open_whose_name())
            case LobbyChange("name of", button):
                self._open(self._open_name(button))
            case LobbyChange("name", (button, name)):
                self._seated[button] = name
            case LobbyChange("box", selected) if self.preferences is not None:
                self._open(box_menu(self.preferences, selected or 0))
            case LobbyChange("box choice", (name, value)) if self.preferences is not None:
                self.notice = self.preferences.change(name, value)
                self._translate_shape_names()
                self._open(box_menu(self.preferences, MENU_LINES.index(name)))
            case LobbyChange("switch off") if self._switch_off is not None:
                self.notice = (
                    _("Switching off: when the screen is dark, the plug may be pulled")
                    if self._switch_off()
                    else _("The box cannot switch itself off: pull the plug, nothing will be lost")
                )
            case LobbyChange("export") if self._export is not None:
                self.notice = self._export()
            case LobbyChange("history", where) if self._results is not None:
                if where == history.START_PAGE:
                    self._results.restart()
                    self._results.read_more(history.READ_SECONDS_PER_FRAME)
                self._open(history.build_page(self._results, where))
            case LobbyChange("look back", number):
                self.exit = ToResult(number)
            case LobbyChange("set up"):
                self.exit = ToSetupWizard()
            case LobbyChange("last"):
                self.exit = ToLastResult()
            case LobbyChange("go on", number):
                self.exit = ToUnfinishedGame(number)
            case _:
                raise AssertionError(change)

    def _open_rules_at(self, name: str) -> Any:
        at = list(house_rules_menu.list_lobby_settings(type(self.settings))).index(name)
        return house_rules_menu.open_rules_menu(self.settings, self._player_count, at)

    def _ask_to_confirm(self, name: str) -> None:
        """A default of ours, for the owner to compare with what is in the box."""
        edited = house_rules_menu.open_rule_editor(self.settings, name, self._player_count, None)
        assert isinstance(edited, RowInput), "what is asked once is a row of numbers"
        value, players = getattr(self.settings, name), self._player_count

        def done(new: tuple[int, ...]) -> LobbyChange:
            return LobbyChange("asked", (name, {**value, players: new} if isinstance(value, dict) else new))

        self.dialog = RowInput(
            _("Compare with the box: {rule}", rule=edited.title),
            edited.labels,
            edited.values,
            edited.low,
            edited.high,
            done,
        )

    def _open_games(self) -> Step:
        items = tuple(
            (self._format_player_range(_("{game}, {few} to {many} players"), kit), LobbyChange("game", kit))
            for kit in self.definitions
        )
        return ListMenu(
            _("Which game?"),
            items,
            self.definitions.index(self.definition),
            key_labels=tuple(kit.title for kit in self.definitions),
        )

    @staticmethod
    def _format_player_range(words: str, definition: GameDefinition) -> str:
        return words.format(game=definition.title, few=definition.player_counts[0], many=definition.player_counts[-1])

    def _open_more(self) -> Step:
        items: list[tuple[str, Step]] = []
        if not self.is_locked and house_rules_menu.list_lobby_settings(type(self.settings)):
            items.append((_("House rules of {game}", game=self.definition.title), LobbyChange("rules")))
        if self._seated:
            items.append((_("Names"), LobbyChange("names")))
        if self._has_last_result:
            items.append((_("The last result"), LobbyChange("last")))
        if self._results is not None:
            items.append((_("What was played here"), LobbyChange("history", history.START_PAGE)))
        if self._export is not None:
            items.append((_("Today's results onto a USB stick"), LobbyChange("export")))
        if self.preferences is not None and not self.is_locked:
            items.append((_("This box: {language}, colours, sound", language=LANGUAGE_LABEL), LobbyChange("box")))
        items += [(words, LobbyChange("go on", number)) for number, words in self._unfinished]
        if self._switch_off is not None:
            items.append((_("Switch off"), _confirm_switch_off()))
        return ListMenu(_("What shall it be?"), tuple(items)) if items else None

    def _open_whose_name(self) -> Step:
        seats = tuple(
            (SEAT_BUTTONS.index(button) + 1, name, LobbyChange("name of", button))
            for button, name in self._seated.items()
        )
        return SeatChoice(_("Whose name?"), seats)

    def _open_name(self, button: Button) -> Step:
        known = [n for n in (*self.names, *self.known_players.names) if n not in self.seated]
        items: list[tuple[str, Step]] = [
            (name, LobbyChange("name", (button, name))) for name in dict.fromkeys(known[:MAX_NAMES_OFFERED])
        ]
        spell = NameInput(_("Your name, letter by letter"), lambda name: LobbyChange("name", (button, name)))
        items.append((_("Another name"), spell))
        items.append((shape_name(button), LobbyChange("name", (button, shape_name(button)))))
        return ListMenu(_("Who sits here?"), tuple(items))

    # What is shown ----------------------------------------------------------------------------------------------

    @property
    def prompt(self) -> str:
        """Who is to press now."""
        taken, players = len(self._seated), self.definition.player_counts
        if taken > players[-1]:
            return self._format_player_range(
                _("{game} is for {few} to {many} players: who sits this one out?"), self.definition
            )
        if self._is_full and taken < players[0]:
            words = _("{game} is for {few} to {many} players: choose another game")
            return self._format_player_range(words, self.definition)
        if self.names and not self._is_full:
            given = next(name for name in self.names if name not in self.seated)
            return _("{who}: press your button", who=given)
        if self.names and taken == len(self.names) and self._can_start:
            return _("Everybody is seated: start with OK")
        if taken == players[-1]:
            return _("The table is full: start with OK")
        return _("Press your buttons, one after the other, clockwise")

    def build_screen_state(self, camera_view: CameraView) -> ScreenState:
        """The lobby as the display is told it; or a page of the history, which has the screen to itself."""
        if isinstance(self.dialog, history.HistoryPage):
            return ScreenState(
                kind=ScreenKind.HISTORY,
                game_name=self.definition.name,
                title=_("History"),
                uses_camera=False,
                prompt=self.dialog.prompt,
                view=self.dialog.table,
                soft_keys=build_soft_keys(self.list_offers(), ()),
                notice=self.notice or self.describe_problem(),
                pressed_buttons=self.press_feedback.recent_presses(),
                camera_view=camera_view,
            )
        pieces = self.definition.piece_colours
        seats = enumerate(self._seated.items())
        return ScreenState(
            kind=ScreenKind.LOBBY,
            game_name=self.definition.name,
            title=self.definition.title,
            uses_camera=self.definition.uses_camera,
            prompt=self.prompt,
            players=tuple(
                Player(Seat(i), name, button, pieces[i] if i < len(pieces) else "") for i, (button, name) in seats
            ),
            soft_keys=build_soft_keys(self.list_offers(), ()),
            question=self._question,
            menu=self.dialog.menu if self.dialog else None,
            notice=self.notice
            or self.house_rules.problem
            or (self.preferences.problem if self.preferences else None)
            or self.describe_problem(),
            pressed_buttons=self.press_feedback.recent_presses(),
            camera_view=camera_view,
            details=(
                self._format_player_range(_("{few} to {many} players"), self.definition),
                *house_rules_menu.list_changed_settings(self.settings, self._player_count),
            ),
        )

    @property
    def _question(self) -> Question | None:
        return self.dialog.question if self.dialog else None


def _confirm_switch_off() -> LobbyDialog:
    """Asked once more: the line above it may have been meant."""
    return ListMenu(
        _("Switch the box off?"),
        ((_("Yes, switch off"), LobbyChange("switch off")), (_("No"), None)),
    )
