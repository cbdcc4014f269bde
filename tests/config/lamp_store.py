"""A small store for tests, and a disk that fails."""

from __future__ import annotations

import errno
import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import Field

from companion.config import json_store
from companion.config.json_store import JsonStore, StoredModel


class Bulb(StoredModel):
    pin: int
    colour: str = "white"


class Lamps(StoredModel):
    bulbs: tuple[Bulb, ...] = ()
    names: dict[str, list[str]] = Field(default_factory=dict)
    on: bool = False


class Disk:
    """Reads files for the stores, and fails while it is `broken`."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.broken = False
        self._read = json_store.read_text
        patch.setattr(json_store, "read_text", self.read)

    def read(self, path: Path, max_bytes: int) -> str:
        if self.broken:
            raise OSError(errno.EIO, "Input/output error", str(path))
        return self._read(path, max_bytes)


def read(file: Path) -> Any:
    return json.loads(file.read_text(encoding="utf-8"))


def open_lamps(folder: Path, content: object = None) -> JsonStore[Lamps]:
    if content is not None:
        (folder / "lamps.json").write_text(json.dumps(content), encoding="utf-8")
    return JsonStore(folder / "lamps.json", Lamps, "The lamps")


def switch_on(lamps: Lamps) -> Lamps:
    return lamps.model_copy(update={"on": True})
