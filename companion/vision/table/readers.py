"""The readers of dice and lid as the watcher uses them; tests provide readers that know the truth."""

from __future__ import annotations

from typing import Any, Protocol

from companion.vision.reading import BoundingBox, Die, Image, Lid


class DiceReaderLike(Protocol):
    """Reads dice, like `companion.vision.dice.reader.DiceReader`."""

    def read(self, image: Image, region: BoundingBox | None = None, lid: Lid | None = None) -> tuple[Die, ...]:
        """Read the dice in a BGR frame; `region`: the part to search (None: all), `lid`: where no die lies."""
        ...


class LidReaderLike(Protocol):
    """Reads the lid, like `companion.vision.lid.reader.LidReader`."""

    def calibrate(self, image: Image) -> Lid | None:
        """Learn the lid's layout from a BGR frame with every window covered, and read it; None: not found."""
        ...

    def read(self, image: Image) -> Lid | None:
        """Read the lid in a BGR frame; None: not found, or no layout is known yet."""
        ...

    def export_layout(self) -> dict[str, Any] | None:
        """Return the learnt layout as JSON values; None: nothing was learnt yet."""
        ...

    def restore_layout(self, layout: dict[str, Any]) -> None:
        """Use a layout that `export_layout` returned."""
        ...


class NullLidReader:
    """A `LidReaderLike` for tables without a lid: never finds one."""

    def calibrate(self, image: Image) -> Lid | None:
        """Return None."""
        return None

    def read(self, image: Image) -> Lid | None:
        """Return None."""
        return None

    def export_layout(self) -> dict[str, Any] | None:
        """Return None."""
        return None

    def restore_layout(self, layout: dict[str, Any]) -> None:
        """Do nothing."""
