"""Store what was learnt of a table (the lid's layout, the row of cups) from one start to the next."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

from pydantic import ConfigDict, Field, RootModel

from companion.config.json_store import JsonStore

log = logging.getLogger("companion")

_UNUSABLE = "The learnt layout of the table is unusable (set aside as {where}); it is learnt again."
"""Logged when a file is set aside."""


class _Layout(RootModel[dict[str, Any]]):
    """The content of the file: a JSON object, empty by default."""

    model_config = ConfigDict(ser_json_inf_nan="constants")

    root: dict[str, Any] = Field(default_factory=dict)


class LayoutCache:
    """A file with the snapshot of a table watcher.

    It only saves time: if it is lost or damaged, the table is learnt again. A damaged file is set aside and logged.

    Args:
        path: the file; each kind of table has its own.
    """

    def __init__(self, path: Path) -> None:
        self._store = JsonStore(path, _Layout, _UNUSABLE, indent=None)
        if self._store.problem is not None:
            log.warning("%s", self._store.problem)

    def load(self) -> dict[str, Any] | None:
        """Return what was stored last; None: nothing, or nothing that can be read."""
        return self._store.value.root or None

    def set_aside(self) -> None:
        """Rename the file, because its content does not describe this table, and log that."""
        self._store.value = _Layout()
        if (moved_to := self._store.set_aside()) is not None:
            log.warning(_UNUSABLE.format(where=moved_to))

    def save(self, layout: dict[str, Any]) -> None:
        """Store a layout if it has changed. If the disk cannot be written, only the learnt layout is lost."""
        if layout != self._store.value.root:
            # Synced to the disk: otherwise a partly open lid would not be recognised after a power cut.
            self._store.save(_Layout(layout))
