"""What the camera learnt of a table (the lid's layout, the row of cups), stored from one start to the next."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

from pydantic import ConfigDict, Field, RootModel

from companion.config.json_store import JsonStore

log = logging.getLogger("companion")


class _Layout(RootModel[dict[str, Any]]):
    model_config = ConfigDict(ser_json_inf_nan="constants")

    root: dict[str, Any] = Field(default_factory=dict)


class LayoutCache:
    """A file beside the journal with the snapshot of a table watcher.

    It only saves time: if it is lost or damaged the table is learnt again. A damaged file is set aside and logged.

    Args:
        path: the file; each kind of table has its own.
    """

    def __init__(self, path: Path) -> None:
        self._store = JsonStore(path, _Layout, "{where}", indent=None)
        self._saved: dict[str, Any] | None = None
        if self._store.problem is not None:
            _log_unusable(Path(self._store.problem))

    def load(self) -> dict[str, Any] | None:
        """Return what was stored last; None: nothing, or nothing that can be read."""
        return self._store.value.root or None

    def set_aside(self) -> None:
        """Rename the file because its content does not describe this table, and log that."""
        if (moved_to := self._store.set_aside()) is not None:
            _log_unusable(moved_to)

    def save(self, layout: dict[str, Any]) -> None:
        """Store `layout` if it has changed. If the disk cannot be written, only the learnt layout is lost."""
        if layout == self._saved:
            return
        # Synced to the disk: without it a lid that is partly open would not be found again after a power cut.
        self._saved = layout if self._store.save(_Layout(layout)) is None else None


def _log_unusable(moved_to: Path) -> None:
    log.warning("The learnt layout of the table is unusable (set aside as %s); it is learnt again.", moved_to.name)
