"""The house rules in force: the settings file's, and over them what people chose in the lobby.

What was chosen is kept in a small file beside the journal, so that an answer is given once. A rule that stands in the
settings file is the house's: a choice in the lobby then holds for one evening.
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
from companion.lobby.house_rules_menu import translator_of

_ = Translator("companion")

HOUSE_RULES_FILE = "house-rules.json"


class _StoredRules(BaseModel):
    model_config = ConfigDict(extra="forbid")

    rules: dict[str, dict[str, JsonValue]] = Field(default_factory=dict)
    """By game and setting."""
    asked: dict[str, list[str]] = Field(default_factory=dict)
    """By game: defaults of ours that the owner has looked at."""


class HouseRules:
    """House rules of every game.

    Args:
        file: what the settings file says, by game, each an instance of that game's model.
        folder: where choices are kept; None: they are not.
    """

    def __init__(self, file: Mapping[str, BaseModel] | None = None, folder: Path | None = None) -> None:
        self._file_rules = dict(file or {})
        self._session_rules: dict[str, dict[str, Any]] = {}
        self._store = JsonStore(
            folder / HOUSE_RULES_FILE if folder else None,
            _StoredRules,
            N_("The kept house rules cannot be read and do not count; the file is {where}"),
        )
        self.problem = self._store.problem
        """What is wrong with the kept choices, in one line; None: nothing."""

    @property
    def _stored(self) -> _StoredRules:
        return self._store.value

    def rules_of(self, definition: GameDefinition) -> Any:
        """The settings of that game, an instance of `kit.settings`."""
        written = self._file_rules.get(definition.name)
        given = written.model_dump(exclude_unset=True) if written else {}
        chosen = {n: v for n, v in self._stored.rules.get(definition.name, {}).items() if n not in given}
        for values in (given | chosen | self._session_rules.get(definition.name, {}), given):
            try:
                return definition.settings_model.model_validate(values)
            except ValidationError:
                self.problem = _(
                    "Some house rules of {game} no longer fit and do not count: look at them again",
                    game=definition.title,
                )
        return definition.settings_model()

    def change(self, definition: GameDefinition, name: str, value: Any) -> str | None:
        """Set one rule; None, or why it cannot be so."""
        before = self._session_rules.get(definition.name, {})
        written = self._file_rules.get(definition.name)
        given = written.model_dump(exclude_unset=True) if written else {}
        kept = self._stored.rules.get(definition.name, {})
        try:
            new = definition.settings_model.model_validate(kept | given | before | {name: value})
        except ValidationError as error:
            message = format_validation_message(error.errors()[0])
            return translator_of(definition.settings_model)(message.capitalize())
        plain = new.model_dump(mode="json")[name]
        self._session_rules[definition.name] = before | {name: value}
        self._stored.rules[definition.name] = kept | {name: plain}
        return self._store.save(self._stored)

    def forget_session(self) -> None:
        """Forget what was chosen for tonight only."""
        self._session_rules.clear()

    def list_unconfirmed(self, definition: GameDefinition, players: int) -> tuple[str, ...]:
        """Settings whose default is a guess of ours and that the owner has not looked at for so many players."""
        written = self._file_rules.get(definition.name)
        given = written.model_fields_set if written else set()
        asked = self._stored.asked.get(definition.name, [])
        return tuple(n for n in definition.confirm_on_first_use if n not in given and f"{n} {players}" not in asked)

    def mark_confirmed(self, definition: GameDefinition, name: str, players: int) -> None:
        """The owner has looked at it."""
        self._stored.asked.setdefault(definition.name, []).append(f"{name} {players}")
        self._store.save(self._stored)
