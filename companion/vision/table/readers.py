"""What the watcher needs of the readers of dice and lid; tests give it readers that are told the truth."""

from __future__ import annotations

from typing import Any, Protocol

from companion.vision.reading import Box, Die, Image, Lid


class DiceSource(Protocol):
    """Reads dice; `region` (pixels) says where to look, None: everywhere; `lid` is where no die lies."""

    def read(self, image: Image, region: Box | None = None, lid: Lid | None = None) -> tuple[Die, ...]: ...


class LidSource(Protocol):
    """Reads the lid, once it has learnt its layout from a view with every window covered."""

    def calibrate(self, image: Image) -> Lid | None: ...

    def read(self, image: Image) -> Lid | None: ...

    def layout(self) -> dict[str, Any] | None: ...

    def restore(self, layout: dict[str, Any]) -> None: ...


class NoLid:
    """For tables that have no lid."""

    def calibrate(self, image: Image) -> Lid | None:
        return None

    def read(self, image: Image) -> Lid | None:
        return None

    def layout(self) -> dict[str, Any] | None:
        return None

    def restore(self, layout: dict[str, Any]) -> None:
        pass
