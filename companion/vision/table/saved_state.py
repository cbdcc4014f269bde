"""What the watcher keeps over a restart in mid-round, as JSON holds it, so that no old event is told anew."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.vision.reading import BoundingBox, Die, LidWindow


@dataclass(frozen=True, slots=True)
class WatcherState:
    """What is kept: the frame's size (height, width), the lid's layout, its windows, and the dice that lie there.

    `dice` None: none were looked for yet. `tray` None: none have lain anywhere yet. Places are in pixels.
    """

    frame_size: tuple[int, ...]
    lid_layout: dict[str, Any] | None
    windows: dict[int, LidWindow]
    dice: tuple[Die, ...] | None
    dice_area: BoundingBox | None

    def to_json(self) -> dict[str, Any]:
        """The same as lists and dicts; `parsed` takes it up."""
        return {
            "size": list(self.frame_size),
            "layout": self.lid_layout,
            "windows": [
                [i, list(w.center), w.radius, w.covered, w.number, w.confidence] for i, w in self.windows.items()
            ],
            "dice": None if self.dice is None else [[d.value, list(d.box), d.confidence] for d in self.dice],
            "tray": None if self.dice_area is None else list(self.dice_area),
        }


def parse_watcher_state(memory: Mapping[str, Any]) -> WatcherState:
    """What `Recall.as_json` returned.

    Raises:
        KeyError, TypeError, ValueError: `as_json` did not make this.
    """
    windows = {
        int(i): LidWindow((float(center[0]), float(center[1])), radius, covered, number, confidence)
        for i, center, radius, covered, number, confidence in memory["windows"]
    }
    lying = memory["dice"]
    dice = None if lying is None else tuple(Die(value, _box(box), sure) for value, box, sure in lying)
    tray = None if memory["tray"] is None else _box(memory["tray"])
    return WatcherState(tuple(memory["size"]), memory["layout"], windows, dice, tray)


def _box(numbers: Any) -> BoundingBox:
    x0, y0, x1, y1 = (float(number) for number in numbers)
    return x0, y0, x1, y1
