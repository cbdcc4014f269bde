"""The lobby's choice of what is played: game, usual house rules, games with names of their own, and the start."""

import re
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Any

from pydantic import BaseModel

from companion.api import AnyGameDefinition, Command, CommandName, Correction, Move, Preset
from companion.events import Button, DiceRead, DieShown
from companion.i18n import _, format_day_of_year
from companion.journal.entry import JournalUnwritable
from companion.lobby.game_list import MAX_QUICK_LINES, GameLine, open_game_list
from companion.lobby.house_rules import HouseRules
from companion.lobby.house_rules_menu import RuleEditor, format_setting, list_lobby_settings
from companion.lobby.last_played import LastPlayed, format_game_key, read_last_played
from companion.lobby.pre_game_stage import PreGameStage
from companion.lobby.services import LobbyServices
from companion.referee.dialogs.base import NUMBER_KEYS, Dialog, LazyStep, Step, open_numbered_menu
from companion.referee.dialogs.name_input import NameInput
from companion.screen_state import GameCover

MIN_NAMED_GAMES_OFFERED = 4
"""Named games in the list of games, the ones played last, where the other games leave no room for more of them."""
MIN_GROUP = 2
"""People at the table from which on the list of games is about them: the first to sit down waits for others."""


class GameChoice(PreGameStage):
    """Game, house rules and seats of the lobby, and the menus that change what is played.

    Args:
        definition: the game to be played, unless another one is chosen.
        services: house rules and other services of the device.
        names: given names in clockwise order; empty: everybody may sit down.
        definitions: the games to choose from.
        seated: who sits already, in clockwise order, from the game before.
    """

    def __init__(
        self,
        definition: AnyGameDefinition,
        services: LobbyServices,
        names: Sequence[str],
        definitions: Sequence[AnyGameDefinition],
        seated: Sequence[tuple[Button, str]],
    ) -> None:
        super().__init__(definition, services.monotonic)
        self._services = services
        self.house_rules = services.house_rules or HouseRules()
        self.names = tuple(names)
        self.definitions = tuple(definitions) or (definition,)
        self._seated = dict(seated)
        self.dialog: Dialog | None = None

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
        if self.definition.get_given_name(self.settings) and not self._services.is_locked:
            self.notice = self.house_rules.named.save(self.definition, self.settings)
        return Command(CommandName.START)

    # Games and names --------------------------------------------------------------------------------------------

    def _open_games(self) -> Step:
        """Open the list of all games, and of those to which people gave a name."""
        if len(self.definitions) == 1 and self.definition.presets:
            return self._open_presets(self.definition)
        lines = []
        plays, favourites = self._read_last_played(), self._list_favourites()
        count = len(self._seated) or len(self.names)
        count = 0 if count < MIN_GROUP else count

        def add(game: AnyGameDefinition, given_name: str, step: LazyStep) -> None:
            key = format_game_key(game.name, given_name)
            lines.append(
                GameLine(
                    given_name or game.translated_title,
                    GameCover(key, _("reads dice") if _reads_dice(game) else ""),
                    self._describe_game(game, plays.get(key)),
                    step,
                    plays[key].number if key in plays else 0,
                    key in favourites,
                    not count or count in game.player_counts,
                    key == self._chosen_key,
                )
            )

        max_named = max(MIN_NAMED_GAMES_OFFERED, MAX_QUICK_LINES - len(self.definitions))
        for game in self.definitions:
            for name, settings in [*self.house_rules.named.load(game).items()][:max_named]:
                add(game, name, partial(self._choose_settings, game, settings))
        for game in self.definitions:
            add(game, "", partial(self._choose_game, game))
        return open_game_list(lines, count)

    @property
    def _chosen_key(self) -> str:
        """The `format_game_key` of what the lobby is open for."""
        return format_game_key(self.definition.name, self.definition.get_given_name(self.settings))

    def _read_last_played(self) -> Mapping[str, LastPlayed]:
        """Return when games were played last; nothing and a notice if the journal cannot be read."""
        if self._services.journal is None:
            return {}
        try:
            return read_last_played(self._services.journal, self.definitions)
        except JournalUnwritable as error:
            self.notice = error.screen_text
            return {}

    def _list_favourites(self) -> Collection[str]:
        return self._services.preferences.favourites if self._services.preferences else ()

    def _describe_game(self, game: AnyGameDefinition, last: LastPlayed | None) -> tuple[str, ...]:
        """Return what people want to know of a game: its players, its minutes, last time or usual, and its last day."""
        parts = [self._format_player_range(_("{few}–{many} players"), game)]
        if minutes := (last.minutes if last is not None else 0) or game.minutes:
            parts.append(_("{n} min", n=minutes))
        if last is not None and last.begun is not None:
            parts.append(format_day_of_year(last.begun))
        return tuple(parts)

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
        if definition.name_setting and not name and not self._services.is_locked:
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

    @staticmethod
    def _format_player_range(message: str, definition: AnyGameDefinition) -> str:
        few, many = definition.player_counts[0], definition.player_counts[-1]
        if few == many:
            message = re.sub(r"\{few\}(-|–| \w+ )\{many\}", "{many}", message)  # "2 players", not "2 to 2 players"
        return message.format(game=definition.translated_title, few=few, many=many)


def _reads_dice(game: AnyGameDefinition) -> bool:
    return game.camera is not None and not {DiceRead, DieShown}.isdisjoint(game.camera.events)


def _change_settings(settings: BaseModel, **values: Any) -> BaseModel:
    """Return house rules with other values of some settings.

    Raises:
        pydantic.ValidationError: a value is not possible.
    """
    return type(settings).model_validate(dict(settings) | values)
