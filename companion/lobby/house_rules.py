"""The house rules in force: those of the settings file, and those that people chose in the lobby.

Choices are stored in a small file beside the journal, so that a question is answered once. A rule that the settings
file names has priority: a choice in the lobby then holds for one session.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from companion.config.json_store import JsonStore
from companion.config.settings import format_validation_message
from companion.games.api.offers import GameDefinition
from companion.i18n import N_, Translator

_ = Translator("companion")

HOUSE_RULES_FILE = "house-rules.json"


class _StoredRules(BaseModel):
    model_config = ConfigDict(extra="forbid")

    rules: dict[str, dict[str, JsonValue]] = Field(default_factory=dict)
    """By game and setting."""
    asked: dict[str, list[str]] = Field(default_factory=dict)
    """By game: "setting player_count" of the defaults that the owner has confirmed."""


class HouseRules:
    """House rules of every game.

    Args:
        file: the rules of the settings file, by game, each an instance of that game's settings model.
        folder: where choices are stored; None: nowhere.
    """

    def __init__(self, file: Mapping[str, BaseModel] | None = None, folder: Path | None = None) -> None:
        self._file_rules = dict(file or {})
        self._session_rules: dict[str, dict[str, Any]] = {}
        self._store = JsonStore(
            folder / HOUSE_RULES_FILE if folder else None,
            _StoredRules,
            N_("The stored house rules cannot be read and are ignored; the file is {where}"),
        )
        self._stored = self._store.value
        self.problem = self._store.problem
        """Trouble with the stored choices, in one line; None: there is none."""

    def rules_of(self, definition: GameDefinition) -> Any:
        """Return the house rules of a game, an instance of its `settings_model`."""
        given = self._rules_in_file(definition)
        stored = {n: v for n, v in self._stored.rules.get(definition.name, {}).items() if n not in given}
        for values in (given | stored | self._session_rules.get(definition.name, {}), given):
            try:
                return definition.settings_model.model_validate(values)
            except ValidationError:
                self.problem = _(
                    "Some house rules of {game} are no longer valid and are ignored: check them",
                    game=definition.title,
                )
        return definition.settings_model()

    def change(self, definition: GameDefinition, name: str, value: Any) -> str | None:
        """Set one rule. Returns None, or the reason why it is not possible or not stored."""
        session = self._session_rules.get(definition.name, {})
        stored = self._stored.rules.get(definition.name, {})
        try:
            rules = definition.settings_model.model_validate(
                stored | self._rules_in_file(definition) | session | {name: value}
            )
        except ValidationError as error:
            message = format_validation_message(error.errors()[0])
            return Translator(definition.name)(message.capitalize())
        self._session_rules[definition.name] = session | {name: value}
        self._stored.rules[definition.name] = stored | {name: rules.model_dump(mode="json")[name]}
        return self._store.save(self._stored)

    def forget_session(self) -> None:
        """Forget the choices that hold for this session only."""
        self._session_rules.clear()

    def list_unconfirmed(self, definition: GameDefinition, player_count: int) -> tuple[str, ...]:
        """List the settings whose default is a guess that the owner has not confirmed for this number of players."""
        given = self._rules_in_file(definition)
        asked = self._stored.asked.get(definition.name, [])
        return tuple(
            n for n in definition.confirm_on_first_use if n not in given and f"{n} {player_count}" not in asked
        )

    def mark_confirmed(self, definition: GameDefinition, name: str, player_count: int) -> None:
        """Store that the owner has confirmed a setting for this number of players."""
        self._stored.asked.setdefault(definition.name, []).append(f"{name} {player_count}")
        self._store.save(self._stored)

    def _rules_in_file(self, definition: GameDefinition) -> dict[str, Any]:
        """Return the rules that the settings file names, by setting."""
        written = self._file_rules.get(definition.name)
        return written.model_dump(exclude_unset=True) if written else {}
