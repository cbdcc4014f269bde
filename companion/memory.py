"""What the eyes have learnt of a table (the lid's layout, what lay where), kept from one start to the next."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FILE = "table.json"


class Memory:
    """One small file beside the journal. It is a convenience: lost or damaged, the table is simply learnt anew."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._kept: dict[str, Any] | None = None

    def recall(self) -> dict[str, Any] | None:
        """What was kept last; None: nothing, or nothing that can be read."""
        try:
            kept = json.loads(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return kept if isinstance(kept, dict) else None

    def keep(self, memory: dict[str, Any]) -> None:
        """Keep `memory` if it is news. A disk that cannot be written costs the learnt layout, not the game."""
        if memory == self._kept:
            return
        self._kept = memory
        beside = self._path.with_suffix(".new")
        try:
            beside.write_text(json.dumps(memory), encoding="utf-8")
            beside.replace(self._path)
        except OSError:
            self._kept = None
