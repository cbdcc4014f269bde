"""The house rules in force: the settings file's, and over them what people chose in the lobby.

What was chosen is kept in a small file beside the journal, so that an answer is given once. A rule that stands in the
settings file is the house's: a choice in the lobby then holds for one evening.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from companion.games.offer import Kit

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
        self._path = folder / FILE if folder else None
        self._tonight: dict[str, dict[str, Any]] = {}
        self.trouble: str | None = None
        """What is wrong with the kept choices, in one line; None: nothing."""
        self._kept = self._read()

    def rules(self, kit: Kit) -> Any:
        """The settings of that game, an instance of `kit.settings`."""
        written = self._file.get(kit.name)
        given = written.model_dump(exclude_unset=True) if written else {}
        chosen = {n: v for n, v in self._kept.rules.get(kit.name, {}).items() if n not in given}
        for values in (given | chosen | self._tonight.get(kit.name, {}), given):
            try:
                return kit.settings.model_validate(values)
            except ValidationError:
                self.trouble = f"Some house rules of {kit.title} no longer fit and do not count: look at them again"
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
            return str(error.errors()[0]["msg"]).removeprefix("Value error, ").capitalize()
        plain = new.model_dump(mode="json")[name]
        self._tonight[kit.name] = before | {name: value}
        self._kept.rules[kit.name] = kept | {name: plain}
        return self._write()

    def unasked(self, kit: Kit, players: int) -> tuple[str, ...]:
        """Settings whose default is a guess of ours and that the owner has not looked at for so many players."""
        written = self._file.get(kit.name)
        given = written.model_fields_set if written else set()
        asked = self._kept.asked.get(kit.name, [])
        return tuple(n for n in kit.ask_once if n not in given and f"{n} {players}" not in asked)

    def asked(self, kit: Kit, name: str, players: int) -> None:
        """The owner has looked at it."""
        self._kept.asked.setdefault(kit.name, []).append(f"{name} {players}")
        self._write()

    def _read(self) -> _Kept:
        if self._path is None:
            return _Kept()
        try:
            return _Kept.model_validate_json(self._path.read_bytes(), strict=True)
        except FileNotFoundError:
            return _Kept()
        except (OSError, ValidationError):
            self.trouble = f"The kept house rules cannot be read and do not count; {self._set_aside()}"
            return _Kept()

    def _set_aside(self) -> str:
        """Nothing is lost: the damaged file stays beside the new one."""
        assert self._path is not None
        aside = self._path.with_suffix(".damaged")
        try:
            self._path.replace(aside)
        except OSError:
            return f"look at {self._path}"
        return f"they are in {aside}"

    def _write(self) -> str | None:
        if self._path is None:
            return None
        beside = self._path.with_suffix(".new")
        try:
            with beside.open("w", encoding="utf-8") as file:
                json.dump(self._kept.model_dump(mode="json"), file, indent=1, ensure_ascii=False)
                file.flush()
                os.fsync(file.fileno())
            beside.replace(self._path)
        except OSError as error:
            return f"This holds for tonight only: it cannot be written down ({error.strerror})"
        return None
