"""What the eyes have learnt of a table (the lid's layout, what lay where), kept from one start to the next."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

from companion.system import atomic_file

LAYOUT_FILE = "table.json"
log = logging.getLogger("companion")


class LayoutCache:
    """One small file beside the journal. It is a convenience: lost or damaged, the table is simply learnt anew.

    A damaged one is set aside ("table.damaged.json"), in the place of an earlier one.

    Args:
        folder: where the file lies.
        name: the file's, of the ending .json; each kind of table has its own.
    """

    def __init__(self, folder: Path, name: str = LAYOUT_FILE) -> None:
        self._path = folder / name
        self._kept: dict[str, Any] | None = None

    def load(self) -> dict[str, Any] | None:
        """What was kept last; None: nothing, or nothing that can be read."""
        try:
            kept = json.loads(self._path.read_text(encoding="utf-8"))
        except OSError:
            return None  # there is none yet, as a rule
        except (ValueError, RecursionError):
            kept = None
        if isinstance(kept, dict):
            return kept
        self.set_aside()
        return None

    def set_aside(self) -> None:
        """What is in the file is no memory of a table: it is put out of the way, and that is said."""
        aside = self._path.with_suffix(f".damaged{self._path.suffix}")
        try:
            self._path.replace(aside)
        except FileNotFoundError:
            return
        except OSError as why:
            # It stands in nobody's way: `keep` replaces it.
            log.warning("What was learnt of the table is of no use (%s); it is learnt anew.", why)
            return
        log.warning("What was learnt of the table is of no use (set aside as %s); it is learnt anew.", aside.name)

    def save(self, layout: dict[str, Any]) -> None:
        """Keep `memory` if it is news. A disk that cannot be written costs the learnt layout, not the game."""
        if layout == self._kept:
            return
        self._kept = layout
        try:
            # Forced onto the disk: without it a lid that is partly open is not found again after a power cut.
            atomic_file.write_atomic(self._path, json.dumps(layout).encode())
        except OSError:
            self._kept = None
