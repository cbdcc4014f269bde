"""The house rules in force: those of the settings file, and those that people chose in the lobby.

Choices are stored in a small file beside the journal, so that a question is answered once. A rule that the settings
file names has priority: a choice in the lobby then holds for one session.
"""

from collections.abc import Callable, Mapping
from itertools import chain
from pathlib import Path
from typing import Any

from pydantic import BaseModel, Field, JsonValue, ValidationError

from companion.api import AnyGameDefinition
from companion.config.json_store import JsonStore, StoredModel
from companion.config.partial_validation import PartlyValid, validate_partly
from companion.i18n import N_, _, capitalize_first_letter
from companion.names import has_name, normalize_name
from companion.validation_messages import format_validation_message

NAMED_GAMES_FILE = "named-games.json"
MAX_NAMED_GAMES = 40
"""Names stored for one game; more make a menu that nobody wants to read."""
HOUSE_RULES_FILE = "house-rules.json"

_Entries = dict[str, dict[str, JsonValue]]
"""By name: values of settings. The name that was played last is the last one."""


class _StoredNamedRules(StoredModel):
    games: dict[str, _Entries] = Field(default_factory=dict)


class NamedSettings:
    """House rules by name, of every game whose definition has a `name_setting`.

    A rule that a game does not accept (any more) is left out and stays in the file; `problem` names the entry.

    Args:
        folder: where they are stored; None: nowhere, they hold until the program ends.

    Attributes:
        store: the file of the house rules with a name.
        problem: trouble with an entry, in one line of the current language; None: there is none.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.store = JsonStore(folder / NAMED_GAMES_FILE if folder else None, _StoredNamedRules, N_("The stored games"))
        self.problem: str | None = None

    def load(self, definition: AnyGameDefinition) -> Mapping[str, BaseModel]:
        """Return the house rules of a game by their names, the one that was played last first."""
        found: dict[str, BaseModel] = {}
        for name, values in reversed([*self._get_entries(definition).items()]):
            valid = validate_partly(definition.settings_model.model_validate, values | {definition.name_setting: name})
            if valid.faults:
                self.problem = _(
                    "Some house rules of {game} are no longer valid and are ignored: check them", game=name
                )
            # A file that people have edited may have two spellings of one name: the game that was played last counts.
            given_name = definition.get_given_name(valid.value)
            if given_name and has_name([given_name], name) and not has_name(found, given_name):
                found[given_name] = valid.value
        return found

    def find_name(self, definition: AnyGameDefinition, name: str) -> str | None:
        """Return the stored name that people mean by `name`, in whichever spelling; None: there is none."""
        names = reversed([*self._get_entries(definition)])
        return next((normalize_name(n) for n in names if has_name([n], name)), None)

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
        values = settings.model_dump(mode="json", exclude={definition.name_setting})

        def add(entries: _Entries) -> _Entries:
            others = {n: each for n, each in entries.items() if not has_name([n], name)}
            stored = dict(chain.from_iterable(each.items() for n, each in entries.items() if n not in others))
            # What a newer version stored with them stays.
            return dict([*others.items()][-MAX_NAMED_GAMES + 1 :]) | {name: stored | values}

        return self._update(definition, add)

    def rename(self, definition: AnyGameDefinition, old: str, new: str) -> str | None:
        """Give stored house rules another name; they keep their place.

        Args:
            old: a stored name; if there is no such name, nothing is done.
            new: its new name; other house rules of this name are replaced.

        Returns:
            None, or in the current language why it is not stored.
        """

        def change(entries: _Entries) -> _Entries:
            kept = {n: each for n, each in entries.items() if has_name([n], old) or not has_name([n], new)}
            return {new if has_name([n], old) else n: each for n, each in kept.items()}

        return self._update(definition, change)

    def retry(self) -> None:
        """Read the file again if it could not be read, and write it if it could not be written."""
        self.store.retry()

    def delete(self, definition: AnyGameDefinition, name: str) -> str | None:
        """Delete the house rules of this name, if there are any.

        Returns:
            None, or in the current language why the file still has them.
        """
        return self._update(
            definition, lambda entries: {n: each for n, each in entries.items() if not has_name([n], name)}
        )

    def _get_entries(self, definition: AnyGameDefinition) -> _Entries:
        return self.store.value.games.get(definition.name, {})

    def _update(self, definition: AnyGameDefinition, change: Callable[[_Entries], _Entries]) -> str | None:
        now = self._get_entries(definition)
        if not self.store.is_unread and [*change(now).items()] == [*now.items()]:
            return None
        return self.store.update(
            lambda stored: stored.model_copy(
                update={"games": stored.games | {definition.name: change(stored.games.get(definition.name, {}))}}
            )
        )


class _StoredRules(StoredModel):
    rules: dict[str, dict[str, JsonValue]] = Field(default_factory=dict)
    """By game and setting."""
    asked: dict[str, list[str]] = Field(default_factory=dict)
    """By game: "setting player_count" of the defaults that the owner has confirmed."""


class HouseRules:
    """House rules of every game.

    Args:
        file: the rules of the settings file, by the game's name, each an instance of that game's settings model.
        folder: where choices are stored; None: nowhere, they hold for this session.

    Attributes:
        store: the file of the choices.
        named: house rules that people gave a name; changes of such rules are stored there.
        problem: trouble with a game's choices, in one line of the current language; None: there is none.
    """

    def __init__(self, file: Mapping[str, BaseModel] | None = None, folder: Path | None = None) -> None:
        self._file_rules = dict(file or {})
        self._session_rules: dict[str, dict[str, Any]] = {}
        self.store = JsonStore(folder / HOUSE_RULES_FILE if folder else None, _StoredRules, N_("The house rules"))
        self.named = NamedSettings(folder)
        self.problem: str | None = None

    def apply(self, definition: AnyGameDefinition, settings: BaseModel) -> None:
        """Put other house rules of a game in force for this session, all of them at once.

        Args:
            settings: an instance of its `settings_model`; they have priority over the settings file.
        """
        self._session_rules[definition.name] = dict(settings)

    def rules_of(self, definition: AnyGameDefinition) -> Any:
        """Return the house rules of a game in force now, an instance of its `settings_model`.

        The settings file has priority over stored choices, choices of this session over both. A rule that is no longer
        valid is ignored, and `problem` says so.

        Raises:
            pydantic.ValidationError: the model's own defaults are not valid; no other rule raises anything.
        """
        valid = self._validate(definition)
        if valid.faults:
            self.problem = _(
                "Some house rules of {game} are no longer valid and are ignored: check them",
                game=definition.translated_title,
            )
        return valid.value

    def change(self, definition: AnyGameDefinition, name: str, value: Any) -> str | None:
        """Set one rule for this session, and store it in `HOUSE_RULES_FILE`, or with rules that have a name by it.

        Args:
            name: name of the setting, a field of the game's `settings_model`.
            value: its new value.

        Returns:
            None, or in the current language why the value is not possible (then nothing has changed), or is not stored
            and holds for this session only.

        Raises:
            KeyError: the game has no such setting, and its model ignores unknown ones.
        """
        document = self._validate(definition).document | {name: value}
        try:
            rules = definition.settings_model.model_validate(document)
        except ValidationError as error:
            return definition.translate(capitalize_first_letter(format_validation_message(error.errors()[0])))
        self._session_rules.setdefault(definition.name, {})[name] = value
        if definition.get_given_name(rules):
            return self.named.save(definition, rules)
        chosen = {name: rules.model_dump(mode="json")[name]}
        return self.store.update(
            lambda stored: stored.model_copy(
                update={"rules": stored.rules | {definition.name: stored.rules.get(definition.name, {}) | chosen}}
            )
        )

    def forget_session(self) -> None:
        """Forget the choices of this session, for new guests; those that were stored stay stored.

        A stored choice then holds for a rule that the settings file does not name.
        """
        self._session_rules.clear()

    def list_unconfirmed(self, definition: AnyGameDefinition, player_count: int) -> tuple[str, ...]:
        """List the names of the settings whose default is a guess that the owner has not confirmed yet.

        Args:
            definition: the game; a setting that the settings file names is not listed.
            player_count: number of players for which they must have been confirmed.
        """
        given = self._rules_in_file(definition)
        asked = self.store.value.asked.get(definition.name, [])
        return tuple(
            n for n in definition.confirm_on_first_use if n not in given and f"{n} {player_count}" not in asked
        )

    def mark_confirmed(self, definition: AnyGameDefinition, name: str, player_count: int) -> None:
        """Store in `HOUSE_RULES_FILE` that the owner has confirmed a setting, so that it is not asked about again.

        If it cannot be written, it holds for this session; nothing is raised.

        Args:
            name: name of the setting; it is not checked.
            player_count: number of players for which it was confirmed.
        """
        confirmed = f"{name} {player_count}"
        self.store.update(
            lambda stored: stored.model_copy(
                update={"asked": stored.asked | {definition.name: [*stored.asked.get(definition.name, []), confirmed]}}
            )
        )

    def retry(self) -> None:
        """Read the file again if it could not be read, and write it if it could not be written."""
        self.store.retry()

    def _validate(self, definition: AnyGameDefinition) -> PartlyValid[Any]:
        """Return the rules of a game in force, without those that are not valid."""
        given = self._rules_in_file(definition)
        stored = {n: v for n, v in self.store.value.rules.get(definition.name, {}).items() if n not in given}
        session = self._session_rules.get(definition.name, {})
        return validate_partly(definition.settings_model.model_validate, given | stored | session)

    def _rules_in_file(self, definition: AnyGameDefinition) -> dict[str, Any]:
        """Return the rules that the settings file names, by setting."""
        written = self._file_rules.get(definition.name)
        return written.model_dump(exclude_unset=True) if written else {}
