"""Before a game: the choice of the game, the players, their seats and the house rules.

Seats are taken in clockwise order by pressing one's own button, so that the turn order is the real seating.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from operator import itemgetter
from typing import Any

from pydantic import BaseModel

from companion.api import (
    AnyGameDefinition,
    Command,
    CommandName,
    ConsolePress,
    Correction,
    Move,
    NumberPress,
    Offer,
    Preset,
)
from companion.events import SEAT_BUTTONS, Button
from companion.i18n import LANGUAGES, Translator
from companion.journal.errors import JournalUnwritable
from companion.lobby.history import READ_SECONDS_PER_FRAME, HistoryPage, build_page, open_page
from companion.lobby.house_rules import HouseRules
from companion.lobby.house_rules_menu import RuleEditor, format_setting, list_changed_settings, list_lobby_settings
from companion.lobby.known_players import KnownPlayers, all_shape_names, shape_name
from companion.lobby.preferences import (
    LANGUAGE_LABEL,
    MENU_LINES,
    Preferences,
    open_language_menu,
    open_preferences_menu,
)
from companion.lobby.results_cache import ResultsCache
from companion.lobby.stage import PreGameStage
from companion.referee.dialogs.base import Answer, Dialog, LazyStep, QuestionDialog, Step, back_answer
from companion.referee.dialogs.menus import NUMBER_KEYS, open_numbered_menu, open_paged_menu
from companion.referee.dialogs.name_input import NameInput
from companion.referee.dialogs.pause import open_restart_question
from companion.referee.screen import build_players
from companion.screen_state import CameraView, Question, ScreenKind, ScreenState

_ = Translator("companion")

MAX_NAMED_GAMES_OFFERED = 4
"""Named games at the head of the menu of games: the ones played last. With more, the other games need more presses."""
MAX_NAMES_OFFERED = 12
"""Known names that a seat is offered, the latest ones."""


class Lobby(PreGameStage):
    """Players take their seats, and may choose another game or other house rules.

    `exit` is START (the seated players play, by the house rules as they are now), RESULT or RESUME (of a game by its
    id; RESULT without a value: of the last game), SET_UP (the set-up wizard), TEACH or TEACH_DICE (the
    teaching of buttons or dice), or RESTART (of the device, into an upgrade).

    Args:
        definition: the game to be played, unless another one is chosen.
        house_rules: the house rules of all games.
        monotonic: the host's monotonic clock, in seconds.
        names: given names in clockwise order; empty: everybody may sit down.
        definitions: the games to choose from.
        known_players: who played here before.
        seated: who sits already, in clockwise order, from the game before.
        has_last_result: there is a last game whose result can be shown again.
        unfinished: unfinished games that can go on: id and label of each.
        preferences: preferences for this device; None: they cannot be changed.
        is_locked: guests may change neither the house rules nor the preferences, but the language for themselves.
        results: what was played here before; None: it is not shown.
        export: writes the day's results onto a USB stick, and returns how that went; None: it is not offered.
        switch_off: asks for the device to be switched off, and returns whether that was possible; None: it is not
            offered.
    """

    def __init__(
        self,
        definition: AnyGameDefinition,
        house_rules: HouseRules,
        monotonic: Callable[[], float],
        *,
        names: Sequence[str] = (),
        definitions: Sequence[AnyGameDefinition] = (),
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
        self._is_new, self._asks_to_restart = True, True
        self.dialog: Dialog | None = None

    @property
    def is_untouched(self) -> bool:
        """Whether no seat is taken and no dialog is open."""
        return not self._seated and self.dialog is None

    @property
    def settings(self) -> Any:
        """The house rules that a start would use, an instance of the game's `settings_model`.

        Raises:
            pydantic.ValidationError: the model's own defaults are not valid.
        """
        return self.house_rules.rules_of(self.definition)

    @property
    def seating(self) -> tuple[Button, ...]:
        """Buttons of the seated players, in clockwise order."""
        return tuple(self._seated)

    @property
    def seated(self) -> tuple[str, ...]:
        """Names of the seated players, in clockwise order."""
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
        if self._seated:
            leave = Command(CommandName.LEAVE, (SEAT_BUTTONS.index(self.seating[-1]) + 1,))
            offers.append(Offer(leave, ConsolePress.NO, _("Remove last")))
        return offers

    def execute(self, command: Command) -> None:
        """Execute the command of an offer: take or leave a seat, open a menu, start, or answer the open dialog.

        House rules, preferences and the results of the history may be stored in files; `notice` says if that fails, or
        if the journal cannot be read for the history. A choice of language holds for the whole program at once. Leaving
        the lobby sets `exit`.

        Args:
            command: the command of one of `list_offers`.

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
        if self._results is not None and self._results.unread_count and isinstance(self.dialog, HistoryPage):
            with self._close_dialog_if_unreadable():
                self._results.read_more(READ_SECONDS_PER_FRAME)
                self.dialog = build_page(self._results, self.dialog.path)

    @contextmanager
    def _close_dialog_if_unreadable(self) -> Iterator[None]:
        """Close the dialog with a notice if the block cannot read the journal; the seats stay."""
        try:
            yield
        except JournalUnwritable as error:
            self.dialog, self.notice = None, error.screen_text

    def type_character(self, character: str) -> None:
        """Add a typed character to the name that is being entered; erasing nothing closes that dialog.

        Args:
            character: what was typed on a keyboard; "\\b" erases the last character. Ignored if no name is asked for.
        """
        if isinstance(self.dialog, NameInput):
            is_left = character == "\b" and not self.dialog.written
            self.dialog = None if is_left else self.dialog.type_character(character)

    def _join(self, button: Button) -> None:
        """Seat a player under the given name, or that of who sat here last, or the seat's shape."""
        given = next((name for name in self.names if name not in self.seated), None)
        known = self.known_players.by_button.get(button)
        known = None if known in self.seated else known
        self._seated[button] = given or known or shape_name(button)

    def _open(self, step: Step) -> None:
        """Open a dialog or close it (None), or leave the lobby by a command."""
        assert not isinstance(step, Move | Correction), step
        self.exit = step if isinstance(step, Command) else None
        self.dialog = step if isinstance(step, Dialog) else None

    def _start(self) -> Step:
        """Start the game, unless a default has to be confirmed first."""
        unconfirmed = self.house_rules.list_unconfirmed(self.definition, self._player_count)
        if unconfirmed:
            return self._ask_to_confirm(unconfirmed[0])
        if self.definition.get_given_name(self.settings) and not self.is_locked:
            self.notice = self.house_rules.named.save(self.definition, self.settings)
        return Command(CommandName.START)

    # Games and names --------------------------------------------------------------------------------------------

    def _open_games(self) -> Step:
        """Open the menu of all games, with those first to which people gave a name."""
        if len(self.definitions) == 1 and self.definition.presets:
            return self._open_presets(self.definition)
        items: list[tuple[str, str, LazyStep]] = []
        games: list[str] = []
        for game in self.definitions:
            latest = list(self.house_rules.named.load(game).items())[:MAX_NAMED_GAMES_OFFERED]
            # By the alphabet, not by the time: a line keeps its number while the same games are played.
            for name, settings in sorted(latest, key=itemgetter(0)):
                items.append((name, name, partial(self._choose_settings, game, settings)))
                games.append(game.name)
        given = self.definition.get_given_name(self.settings)
        names = [name for name, _key, _step in items]
        at = names.index(given) if given in names else len(items) + self.definitions.index(self.definition)
        for game in self.definitions:
            line = self._format_player_range(_("{game}, {few} to {many} players"), game)
            items.append((line, game.translated_title, partial(self._choose_game, game)))
            games.append(game.name)
        menu = open_paged_menu(_("Which game?"), items, at, games)
        # Named games are two presses away, whatever was played last.
        return replace(menu, page=0) if names else menu

    def _choose_game(self, definition: AnyGameDefinition) -> Step:
        self._set_definition(definition)
        return self._open_presets(definition) if definition.presets else None

    def _set_definition(self, definition: AnyGameDefinition) -> None:
        self.definition = definition
        if not self.names:
            self._seated = dict(list(self._seated.items())[: definition.player_counts[-1]])

    def _open_presets(self, definition: AnyGameDefinition, name: str = "") -> Step:
        """Open the menu of a game's usual house rules, of those stored by a name, and of a new name.

        Args:
            definition: a game with presets.
            name: the name for what is chosen; empty: none was given yet.
        """
        stored = {} if name else dict(self.house_rules.named.load(definition))
        items: list[tuple[str, LazyStep]] = []
        for preset in definition.presets:
            title = definition.translate(preset.title)
            settings = stored.pop(title, None) if preset.is_named else None
            if settings is None:
                items.append((title, partial(self._choose_preset, definition, preset, name)))
            else:
                items.append((title, partial(self._choose_settings, definition, settings)))
        items += [(title, partial(self._choose_settings, definition, settings)) for title, settings in stored.items()]
        if definition.name_setting and not name and not self.is_locked:
            back = partial(self._open_presets, definition)
            own = NameInput(_("Spell its name, or type it"), partial(self._name_new_game, definition), back=back)
            items.insert(NUMBER_KEYS - 1, (_("Own name"), own))
        return open_numbered_menu(name or definition.translated_title, items)

    def _choose_preset(self, definition: AnyGameDefinition, preset: Preset, name: str) -> Step:
        """Choose house rules that fit a usual kind of game, after the one that is asked for, if there is one."""
        if preset.is_named:
            name = name or definition.translate(preset.title)
        settings = _change_settings(preset.settings, **{definition.name_setting: name} if name else {})
        if not preset.asked_setting:
            return self._choose_settings(definition, settings)

        def choose(value: Any) -> Step:
            return self._choose_settings(definition, _change_settings(settings, **{preset.asked_setting: value}))

        back = partial(self._open_presets, definition)
        return RuleEditor(definition, settings, preset.asked_setting, self._player_count, choose, back, back).open()

    def _choose_settings(self, definition: AnyGameDefinition, settings: BaseModel) -> Step:
        """Choose a game with all its house rules, and start it if its players are seated."""
        self._set_definition(definition)
        self.house_rules.apply(definition, settings)
        return self._start() if self._can_start else None

    def _name_new_game(self, definition: AnyGameDefinition, name: str) -> Step:
        """Give a name to what is to be played; a stored name stands for what was played under it."""
        named = self.house_rules.named
        known = named.find_name(definition, name)
        settings = None if known is None else named.load(definition).get(known)
        return self._open_presets(definition, name) if settings is None else self._choose_settings(definition, settings)

    def _open_more(self) -> Step:
        # What is always there comes first, in a fixed order: a line keeps its number whatever was played.
        items: list[tuple[str, LazyStep]] = []
        if self.preferences is not None:
            # People look for the language who cannot read the other lines.
            language = self.preferences.values.language
            menu = open_language_menu(language, partial(self._choose_language, self.preferences), self._open_more)
            items.append((f"{LANGUAGE_LABEL}: {LANGUAGES[language]}", menu))
        if not self.is_locked and list_lobby_settings(type(self.settings)):
            items.append(
                (_("House rules of {game}", game=self.definition.format_title(self.settings)), self._open_rules)
            )
        items.append((_("Names"), self._open_whose_name))
        if self.preferences is not None and not self.is_locked:
            items.append((_("This device: colours, sound"), partial(self._open_preferences, self.preferences)))
        if self._results is not None:
            items.append((_("Past games"), partial(open_page, self._results)))
        if self._export is not None:
            items.append((_("Save today's results to a USB stick"), partial(self._notify, self._export)))
        if self._has_last_result:
            items.append((_("Last result"), Command(CommandName.RESULT)))
        items += [(label, Command(CommandName.RESUME, (game_id,))) for game_id, label in self._unfinished]
        if self.installed_version:
            label = _("Restart with version {version}", version=self.installed_version)
            items.append((label, open_restart_question(self.installed_version)))
        if self._switch_off is not None:
            # Asked once more: the line above it may have been meant.
            switch_off = partial(self._notify, partial(_switch_off, self._switch_off))
            lines = [(_("Yes, switch off"), switch_off), (_("No"), None)]
            items.append((_("Switch off"), open_numbered_menu(_("Switch the device off?"), lines)))
        return open_numbered_menu(_("Settings"), items)

    def _notify(self, act: Callable[[], str]) -> None:
        """Do something that takes effect outside the program, and show how that went."""
        self.notice = act()

    def _open_whose_name(self) -> Step:
        if not self._seated:
            self.notice = _("Take your seats first: press your buttons")
            return None
        seats = [
            Answer(
                NumberPress(SEAT_BUTTONS.index(button) + 1),
                _("My name"),
                partial(self._open_name, button),
                awaited=True,
            )
            for button in self._seated
        ]
        return QuestionDialog(Question(_("Whose name?"), _("Press your own button")), (*seats, back_answer()))

    def _open_name(self, button: Button) -> Step:
        known = [n for n in (*self.names, *self.known_players.names) if n not in self.seated]
        choose = partial(self._rename, button)
        items: list[tuple[str, LazyStep]] = [
            (name, partial(choose, name)) for name in dict.fromkeys(known[:MAX_NAMES_OFFERED])
        ]
        items.append((_("Another name"), NameInput(_("Spell your name, or type it"), choose)))
        items.append((shape_name(button), partial(choose, shape_name(button))))
        return open_numbered_menu(_("Who sits here?"), items)

    def _rename(self, button: Button, name: str) -> None:
        """Give a seated player a name, unless another one has it: records are kept by name."""
        if name in (other for seat, other in self._seated.items() if seat != button):
            self.notice = _("{who} sits here already: choose another name", who=name)
        else:
            self._seated[button] = name

    # House rules and preferences --------------------------------------------------------------------------------

    def _open_rules(self, selected: str = "") -> Step:
        """Open the menu of the house rules at the setting `selected`."""
        settings, count = self.settings, self._player_count
        names = list_lobby_settings(type(settings))
        items: list[tuple[str, LazyStep]] = [
            (format_setting(self.definition, settings, n, count), partial(self._edit_rule, n)) for n in names
        ]
        at = names.index(selected) if selected else 0
        if self.definition.name_setting:
            name = self.definition.get_given_name(settings) or _("none")
            items, at = [(_("Name: {name}", name=name), self._open_given_name), *items], at + bool(selected)
        return open_numbered_menu(_("House rules"), items, at)

    def _open_given_name(self) -> Step:
        """Open the input of a name for what is played, or what can be done with the one that it has."""
        name = self.definition.get_given_name(self.settings)
        back = self._open_given_name if name else self._open_rules
        spell = NameInput(_("Spell its name, or type it"), self._rename_game, back=back)
        if not name:
            return spell
        delete = [(_("Yes, delete"), self._delete_given_name), (_("No"), self._open_given_name)]
        items: list[tuple[str, LazyStep]] = [
            (_("Rename"), spell),
            (_("Delete"), open_numbered_menu(_("Delete {game}?", game=name), delete, 1)),
        ]
        return open_numbered_menu(name, items, back=self._open_rules)

    def _rename_game(self, name: str) -> Step:
        """Store the house rules in force by a name, in place of their old one; results of the past keep theirs."""
        named, old = self.house_rules.named, self.definition.get_given_name(self.settings)
        known = named.find_name(self.definition, name)
        if known not in (None, old):
            self.notice = _("There is {game} already: choose another name", game=known)
            return self._open_given_name()
        settings = _change_settings(self.settings, **{self.definition.name_setting: name})
        self.house_rules.apply(self.definition, settings)
        self.notice = named.rename(self.definition, old, name) or named.save(self.definition, settings)
        return self._open_rules()

    def _delete_given_name(self) -> Step:
        """Delete the stored house rules; those in force stay without a name, and past games in the history."""
        name = self.definition.get_given_name(self.settings)
        self.notice = self.house_rules.named.delete(self.definition, name)
        self.house_rules.apply(self.definition, _change_settings(self.settings, **{self.definition.name_setting: ""}))
        return self._open_rules()

    def _edit_rule(self, name: str) -> Step:
        """Open the input of a setting; NO leads back to the menu."""
        return RuleEditor(
            self.definition,
            self.settings,
            name,
            self._player_count,
            partial(self._set_rule, name),
            partial(self._edit_rule, name),
            partial(self._open_rules, name),
        ).open()

    def _set_rule(self, name: str, value: Any) -> Step:
        self.notice = self.house_rules.change(self.definition, name, value)
        return self._open_rules(name)

    def _ask_to_confirm(self, name: str) -> Step:
        """Show a default that is a guess, for the owner to compare with the parts of the game."""

        def confirm(value: Any) -> Step:
            self.notice = self.house_rules.change(self.definition, name, value)
            self.house_rules.mark_confirmed(self.definition, name, self._player_count)
            return self._start()

        return RuleEditor(
            self.definition, self.settings, name, self._player_count, confirm, partial(self._edit_rule, name)
        ).open_check()

    def _open_preferences(self, preferences: Preferences, line: int = 0) -> Step:
        return open_preferences_menu(preferences, partial(self._choose_preference, preferences), line)

    def _choose_preference(self, preferences: Preferences, name: str, value: Any) -> Step:
        self.notice = preferences.change(name, value)
        return self._open_preferences(preferences, MENU_LINES.index(name))

    def _choose_language(self, preferences: Preferences, code: str) -> Step:
        """Set the language: for good, or in a locked lobby for these guests."""
        self.notice = preferences.change("language", code, keeps=not self.is_locked)
        for button, player in self._seated.items():
            if player in all_shape_names():
                self._seated[button] = shape_name(button)
        return self._open_more()

    # Screen -----------------------------------------------------------------------------------------------------

    @staticmethod
    def _format_player_range(message: str, definition: AnyGameDefinition) -> str:
        few, many = definition.player_counts[0], definition.player_counts[-1]
        if few == many:
            message = re.sub(r"\{few\}(-|–| \w+ )\{many\}", "{many}", message)  # "2 players", not "2 to 2 players"
        return message.format(game=definition.translated_title, few=few, many=many)

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
            return _("{who}: press your button", who=next(name for name in self.names if name not in self.seated))
        if self.names and taken == len(self.names) and self._can_start:
            return _("Everybody is seated: start with OK")
        if taken == players[-1]:
            return _("The table is full: start with OK")
        return _("Press your buttons, one after the other, clockwise")

    def build_screen_state(self, camera_view: CameraView) -> ScreenState:
        """Build the screen of the lobby, or a page of the history, which has the screen to itself; changes nothing.

        Args:
            camera_view: the camera's state, its latest picture and what it read there.

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
        problem = problem or (self.preferences.problem if self.preferences else None)
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


def _change_settings(settings: BaseModel, **values: Any) -> BaseModel:
    """Return house rules with other values of some settings.

    Raises:
        pydantic.ValidationError: a value is not possible.
    """
    return type(settings).model_validate(dict(settings) | values)


def _switch_off(request: Callable[[], bool]) -> str:
    if request():
        return _("Switching off: when the screen is dark, the plug may be pulled")
    return _("The device cannot switch itself off: pull the plug, nothing will be lost")
