"""What the watcher needs of the readers of dice and lid; tests give it readers that are told the truth."""

from __future__ import annotations

from typing import Any, Protocol

from companion.vision.reading import BoundingBox, Die, Image, Lid


class DiceReaderLike(Protocol):
    """Reads dice; `region` (pixels) says where to look, None: everywhere; `lid` is where no die lies."""

    def read(self, image: Image, region: BoundingBox | None = None, lid: Lid | None = None) -> tuple[Die, ...]: ...


class LidReaderLike(Protocol):
    """Reads the lid, once it has learnt its layout from a view with every window covered."""

    def calibrate(self, image: Image) -> Lid | None: ...

    def read(self, image: Image) -> Lid | None: ...

    def export_layout(self) -> dict[str, Any] | None: ...

    def restore_layout(self, layout: dict[str, Any]) -> None: ...


class NullLidReader:
    """For tables that have no lid."""

    def calibrate(self, image: Image) -> Lid | None:
        return None

    def read(self, image: Image) -> Lid | None:
        return None

    def export_layout(self) -> dict[str, Any] | None:
        return None

    def restore_layout(self, layout: dict[str, Any]) -> None:
        pass
