"""Store what was learnt of a table (the lid's layout, the row of cups) from one start to the next.

When they are read, written and set aside: `camera_reader.py`. Content: `companion/vision/table/snapshot.py`, of cups
`CupRowWatcher.snapshot` in `companion/vision/cups/watcher.py`.
"""

from pathlib import Path
from typing import Any

from pydantic import ConfigDict, Field, RootModel

from companion.config.json_store import JsonStore
from companion.log import log


class _Layout(RootModel[dict[str, Any]]):
    """The content of the file: a JSON object, empty by default."""

    model_config = ConfigDict(ser_json_inf_nan="constants")

    root: dict[str, Any] = Field(default_factory=dict)


class LayoutCache:
    """Store the snapshot of a table watcher in a file.

    It only saves time: if it is lost or damaged, the table is learnt again. A damaged file is logged when the cache is
    made, and renamed (`.damaged` in place of its suffix) by the next `save`; one that cannot be read stays. No method
    raises OSError.

    Args:
        path: the JSON file, in an existing folder; it need not exist. Each kind of table has its own.
    """

    def __init__(self, path: Path) -> None:
        self._store = JsonStore(path, _Layout, "The learnt layout of the table", indent=None)
        if self._store.problem is not None:
            log.warning("%s", self._store.problem)

    def load(self) -> dict[str, Any] | None:
        """Return the snapshot that was stored last, as JSON values (see `TableWatcher.snapshot`).

        The file is read when the cache is made; here only if it could not be read then.

        Returns:
            The snapshot, not a copy: do not change it. None if there was no file, it was empty or damaged, or it has
            been set aside.
        """
        self._store.retry()
        return self._store.value.root or None

    def set_aside(self) -> None:
        """Rename the file (`.damaged` in place of its suffix), because its content does not fit this table; log that.

        From then on, until the next `save`, `load` returns None. Nothing is logged if there is no file or it cannot be
        renamed.
        """
        self._store.value = _Layout()
        if (moved_to := self._store.set_aside()) is not None:
            log.warning("The learnt layout fits another table (set aside as %s); it is learnt again.", moved_to)

    def save(self, layout: dict[str, Any]) -> None:
        """Write a snapshot to the file, in place of the stored one, if it differs from it.

        If the disk cannot be written, nothing is raised or logged: the snapshot is then lost when the program ends.

        Args:
            layout: JSON values, as `TableWatcher.snapshot` returned them.

        Raises:
            ValueError: `layout` holds something that is no JSON value (pydantic's error, a subclass of ValueError).
        """
        if layout != self._store.value.root:
            # Synced to the disk: otherwise a partly open lid would not be recognised after a power cut.
            self._store.replace(_Layout(layout))
