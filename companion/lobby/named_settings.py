"""The house rules of games to which people gave a name: "Rummy" is played next week as it was played last.

They are stored in a small file beside the journal, by game and name.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from companion.api import AnyGameDefinition
from companion.config.json_store import JsonStore
from companion.i18n import N_, _

NAMED_GAMES_FILE = "named-games.json"
MAX_NAMED_GAMES = 40
"""Names stored for one game; more make a menu that nobody wants to read."""


class _StoredNames(BaseModel):
    model_config = ConfigDict(extra="forbid")

    games: dict[str, dict[str, dict[str, JsonValue]]] = Field(default_factory=dict)
    """By game and name: values of settings. The name that was played last is the last one."""


class NamedSettings:
    """House rules by name, of every game whose definition has a `name_setting`.

    An entry that a game does not accept (any more) is left out and stays in the file; `problem` names it.

    Args:
        folder: where they are stored; None: nowhere, they hold until the program ends.

    Attributes:
        problem: trouble with the file, in one line of the current language; None: there is none.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._store = JsonStore(
            folder / NAMED_GAMES_FILE if folder else None,
            _StoredNames,
            N_("The stored games cannot be read; the file is kept as {where}"),
        )
        self.problem = self._store.problem

    def load(self, definition: AnyGameDefinition) -> Mapping[str, BaseModel]:
        """Return the house rules of a game by their names, the one that was played last first."""
        found = {}
        for name, values in reversed([*self._get_entries(definition).items()]):
            try:
                found[name] = definition.settings_model.model_validate(values | {definition.name_setting: name})
            except ValidationError:
                self.problem = _("The stored settings of {game} cannot be used: choose them again", game=name)
        return found

    def find_name(self, definition: AnyGameDefinition, name: str) -> str | None:
        """Return the stored name that people mean by `name`, in capitals or not; None: there is none."""
        return next((n for n in self._get_entries(definition) if n.casefold() == name.casefold()), None)

    def save(self, definition: AnyGameDefinition, settings: BaseModel) -> str | None:
        """Store house rules by the name in them, as those that were played last.

        Of more than `MAX_NAMED_GAMES` names that which was not played for longest is left out.

        Args:
            settings: an instance of its `settings_model`, with a name.

        Returns:
            None, or in the current language why they are not stored (they hold until the program ends).

        Raises:
            ValueError: the settings have no name.
        """
        name = definition.get_given_name(settings)
        if not name:
            raise ValueError(f"house rules of {definition.name} without a name cannot be stored by it")
        others = {n: values for n, values in self._get_entries(definition).items() if n != name}
        kept = dict(list(others.items())[-MAX_NAMED_GAMES + 1 :])
        return self._write(
            definition, kept | {name: settings.model_dump(mode="json", exclude={definition.name_setting})}
        )

    def rename(self, definition: AnyGameDefinition, old: str, new: str) -> str | None:
        """Give stored house rules another name; they keep their place.

        Args:
            old: a stored name; if there is no such name, nothing is done.
            new: its new name; other house rules of this name are replaced.

        Returns:
            None, or in the current language why it is not stored.
        """
        entries = {n: values for n, values in self._get_entries(definition).items() if n != new or n == old}
        return self._write(definition, {new if n == old else n: values for n, values in entries.items()})

    def delete(self, definition: AnyGameDefinition, name: str) -> str | None:
        """Delete the house rules of this name, if there are any.

        Returns:
            None, or in the current language why the file still has them.
        """
        return self._write(definition, {n: values for n, values in self._get_entries(definition).items() if n != name})

    def _get_entries(self, definition: AnyGameDefinition) -> Mapping[str, dict[str, Any]]:
        return self._store.value.games.get(definition.name, {})

    def _write(self, definition: AnyGameDefinition, entries: Mapping[str, dict[str, Any]]) -> str | None:
        stored = self._store.value
        if entries == self._get_entries(definition) and [*entries] == [*self._get_entries(definition)]:
            return None
        return self._store.save(_StoredNames(games=stored.games | {definition.name: dict(entries)}))
