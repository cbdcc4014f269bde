"""The lid's reader of a table without a lid."""

from collections.abc import Mapping
from typing import Any

from companion.vision.reading import Image, Lid


class MissingLid:
    """Stands in for a `LidReader` at a table without a lid: it never finds one.

    >>> import numpy as np
    >>> print(MissingLid().read(np.zeros((480, 640, 3), np.uint8)))
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
