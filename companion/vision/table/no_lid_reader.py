"""Stand-in for the lid reader at a table without a lid. A lid carried away: `_note_missing_lid` in `watcher.py`."""

from collections.abc import Mapping
from typing import Any

from companion.vision.reading import Image, Lid


class NoLidReader:
    """Stands in for a `LidReader` at a table without a lid: it never finds one.

    >>> import numpy as np
    >>> print(NoLidReader().read(np.zeros((480, 640, 3), np.uint8)))
    None
    """

    is_learnt = False

    def read(self, image: Image) -> Lid | None:
        """Find no lid."""
        return None

    def export_layout(self) -> dict[str, Any] | None:
        """Return no layout."""
        return None

    def restore_layout(self, layout: Mapping[str, Any]) -> None:
        """Ignore a layout."""
