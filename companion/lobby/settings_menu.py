"""The lobby's menu "Settings": language, house rules, names, the device, past games and all else that is not a seat."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from companion.api import AnyGameDefinition, Command, CommandName, NumberPress
from companion.events import SEAT_BUTTONS, Button
from companion.i18n import LANGUAGES, _, join_label
from companion.journal.known_players import KnownPlayers, all_shape_names, shape_name
from companion.lobby.date_and_time import open_clock_input
from companion.lobby.game_choice import GameChoice
from companion.lobby.history import open_page
from companion.lobby.house_rules_menu import list_lobby_settings
from companion.lobby.preferences import (
    MENU_LINES,
    Preferences,
    format_language_label,
    open_language_menu,
    open_preferences_menu,
)
from companion.lobby.services import LobbyServices
from companion.names import has_name
from companion.referee.dialogs.base import (
    Answer,
    LazyStep,
    ListMenu,
    QuestionDialog,
    Step,
    back_answer,
    open_numbered_menu,
)
from companion.referee.dialogs.pause_menu import open_restart_question
from companion.referee.dialogs.players_menu import open_name_menu
from companion.screen_state import Question


class SettingsMenu(GameChoice):
    """The lobby with its menu "Settings".

    Args:
        definition: the game to be played, unless another one is chosen.
        services: house rules, preferences and other services of the device.
        names: given names in clockwise order; empty: everybody may sit down.
        definitions: the games to choose from.
        seated: who sits already, in clockwise order, from the game before.
        known_players: who played here before.
        has_last_result: there is a last game whose result can be shown again.
        set_aside: games that were set aside and can go on: id and label of each.
    """

    def __init__(
        self,
        definition: AnyGameDefinition,
        services: LobbyServices,
        *,
        names: Sequence[str] = (),
        definitions: Sequence[AnyGameDefinition] = (),
        seated: Sequence[tuple[Button, str]] = (),
        known_players: KnownPlayers | None = None,
        has_last_result: bool = False,
        set_aside: Sequence[tuple[int, str]] = (),
    ) -> None:
        super().__init__(definition, services, names, definitions, seated)
        self.known_players = known_players or KnownPlayers()
        self._has_last_result, self._set_aside = has_last_result, tuple(set_aside)

    def _open_more(self) -> Step:
        services, preferences = self._services, self._services.preferences
        # What is always there comes first, in a fixed order: each line always has the same number.
        items: list[tuple[str, LazyStep]] = []
        if preferences is not None:
            # People look for the language who cannot read the other lines.
            language = preferences.values.language
            menu = open_language_menu(language, partial(self._choose_language, preferences), self._open_more)
            items.append((join_label(format_language_label(), LANGUAGES[language]), menu))
        if not services.is_locked and list_lobby_settings(type(self.settings)):
            items.append(
                (_("House rules of {game}", game=self.definition.format_title(self.settings)), self._open_rules)
            )
        items.append((_("Names"), self._open_whose_name))
        if preferences is not None and not services.is_locked:
            items.append((_("This device: colours, sound"), partial(self._open_preferences, preferences)))
        if services.results is not None:
            items.append((_("Past games"), partial(open_page, services.results)))
        if preferences is not None and not services.is_locked:
            items.append((self._format_favourite(preferences), partial(self._toggle_favourite, preferences)))
        if services.export is not None:
            items.append((_("Save today's results to a USB stick"), partial(self._notify, services.export)))
        if services.swap_games is not None and not services.is_locked:
            items.append((_("Swap games with a USB stick"), partial(self._swap_games, services.swap_games)))
        if (clock := services.clock_setting) is not None and not services.is_locked:
            label = _("Date and time: {moment}", moment=clock.format())
            items.append((label, partial(open_clock_input, clock, self._notify, self._open_more)))
        if self._has_last_result:
            items.append((_("Last result"), Command(CommandName.RESULT)))
        items += [(label, Command(CommandName.RESUME, (game_id,))) for game_id, label in self._set_aside]
        if self.installed_version:
            label = _("Restart with version {version}", version=self.installed_version)
            items.append((label, open_restart_question(self.installed_version)))
        if services.switch_off is not None:
            # Asked once more: the line above it may have been meant.
            switch_off = partial(self._notify, partial(_switch_off, services.switch_off))
            lines = [(_("Yes, switch off"), switch_off), (_("No"), None)]
            items.append((_("Switch off"), open_numbered_menu(_("Switch the device off?"), lines)))
        return open_numbered_menu(_("Settings"), items)

    def _format_favourite(self, preferences: Preferences) -> str:
        title = self.definition.format_title(self.settings)
        is_favourite = self._chosen_key in preferences.favourites
        return _("{game} is a favourite: {yes}", game=title, yes=_("yes") if is_favourite else _("no"))

    def _toggle_favourite(self, preferences: Preferences) -> Step:
        self.notice = preferences.toggle_favourite(self._chosen_key)
        return self._open_more()

    def _notify(self, act: Callable[[], str]) -> None:
        """Do something that takes effect outside the program, and show how that went."""
        self.notice = act()

    def _swap_games(self, swap: Callable[[], Sequence[str]]) -> Step:
        """Swap games with a USB stick, and show how that went; what cannot be used has a page, where it can be read."""
        result, *problems = swap()
        if problems:
            return ListMenu(result, tuple((line, None) for line in problems))
        self.notice = result
        return None

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
        known = [n for n in (*self.names, *self.known_players.names) if not has_name(self.seated, n)]
        return open_name_menu(button, known, partial(self._rename, button))

    def _rename(self, button: Button, name: str) -> None:
        """Give a seated player a name, unless another one has it: records are kept by name."""
        name = self._services.player_names.resolve(name)
        if has_name((other for seat, other in self._seated.items() if seat != button), name):
            self.notice = _("{who} sits here already: choose another name", who=name)
        else:
            self._seated[button] = name

    def _open_preferences(self, preferences: Preferences, line: int = 0) -> Step:
        return open_preferences_menu(preferences, partial(self._choose_preference, preferences), line)

    def _choose_preference(self, preferences: Preferences, name: str, value: Any) -> Step:
        self.notice = preferences.change(name, value)
        return self._open_preferences(preferences, MENU_LINES.index(name))

    def _choose_language(self, preferences: Preferences, code: str) -> Step:
        """Set the language: for good, or in a locked lobby for these guests."""
        self.notice = preferences.change("language", code, keeps=not self._services.is_locked)
        for button, player in self._seated.items():
            if player in all_shape_names():
                self._seated[button] = shape_name(button)
        return self._open_more()


def _switch_off(request: Callable[[], bool]) -> str:
    if request():
        return _("Switching off: when the screen is dark, the plug may be pulled")
    return _("The device cannot switch itself off: pull the plug, nothing will be lost")
