"""The house rules in force: the settings file's, and over them what people chose in the lobby.

What was chosen is kept in a small file beside the journal, so that an answer is given once. A rule that stands in the
settings file is the house's: a choice in the lobby then holds for one evening.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from companion.config.json_store import Kept
from companion.games.api.offers import Kit
from companion.i18n import N_, Words
from companion.lobby.house_rules_menu import words_of

_ = Words("companion")

FILE = "house-rules.json"


class _Kept(BaseModel):
    model_config = ConfigDict(extra="forbid")

    rules: dict[str, dict[str, JsonValue]] = Field(default_factory=dict)
    """By game and setting."""
    asked: dict[str, list[str]] = Field(default_factory=dict)
    """By game: defaults of ours that the owner has looked at."""


class House:
    """House rules of every game.

    Args:
        file: what the settings file says, by game, each an instance of that game's model.
        folder: where choices are kept; None: they are not.
    """

    def __init__(self, file: Mapping[str, BaseModel] | None = None, folder: Path | None = None) -> None:
        self._file = dict(file or {})
        self._tonight: dict[str, dict[str, Any]] = {}
        self._choices = Kept(
            folder / FILE if folder else None,
            _Kept,
            N_("The kept house rules cannot be read and do not count; the file is {where}"),
        )
        self.trouble = self._choices.trouble
        """What is wrong with the kept choices, in one line; None: nothing."""

    @property
    def _kept(self) -> _Kept:
        return self._choices.value

    def rules(self, kit: Kit) -> Any:
        """The settings of that game, an instance of `kit.settings`."""
        written = self._file.get(kit.name)
        given = written.model_dump(exclude_unset=True) if written else {}
        chosen = {n: v for n, v in self._kept.rules.get(kit.name, {}).items() if n not in given}
        for values in (given | chosen | self._tonight.get(kit.name, {}), given):
            try:
                return kit.settings.model_validate(values)
            except ValidationError:
                self.trouble = _(
                    "Some house rules of {game} no longer fit and do not count: look at them again", game=kit.title
                )
        return kit.settings()

    def change(self, kit: Kit, name: str, value: Any) -> str | None:
        """Set one rule; None, or why it cannot be so."""
        before = self._tonight.get(kit.name, {})
        written = self._file.get(kit.name)
        given = written.model_dump(exclude_unset=True) if written else {}
        kept = self._kept.rules.get(kit.name, {})
        try:
            new = kit.settings.model_validate(kept | given | before | {name: value})
        except ValidationError as error:
            return words_of(kit.settings)(str(error.errors()[0]["msg"]).removeprefix("Value error, ").capitalize())
        plain = new.model_dump(mode="json")[name]
        self._tonight[kit.name] = before | {name: value}
        self._kept.rules[kit.name] = kept | {name: plain}
        return self._choices.put(self._kept)

    def as_usual(self) -> None:
        """Forget what was chosen for tonight only."""
        self._tonight.clear()

    def unasked(self, kit: Kit, players: int) -> tuple[str, ...]:
        """Settings whose default is a guess of ours and that the owner has not looked at for so many players."""
        written = self._file.get(kit.name)
        given = written.model_fields_set if written else set()
        asked = self._kept.asked.get(kit.name, [])
        return tuple(n for n in kit.ask_once if n not in given and f"{n} {players}" not in asked)

    def asked(self, kit: Kit, name: str, players: int) -> None:
        """The owner has looked at it."""
        self._kept.asked.setdefault(kit.name, []).append(f"{name} {players}")
        self._choices.put(self._kept)
