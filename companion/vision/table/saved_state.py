"""What the watcher keeps over a restart in mid-round, as JSON holds it, so that no old event is told anew."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.vision.reading import Box, Die, Window


@dataclass(frozen=True, slots=True)
class Recall:
    """What is kept: the frame's size (height, width), the lid's layout, its windows, and the dice that lie there.

    `dice` None: none were looked for yet. `tray` None: none have lain anywhere yet. Places are in pixels.
    """

    size: tuple[int, ...]
    layout: dict[str, Any] | None
    windows: dict[int, Window]
    dice: tuple[Die, ...] | None
    tray: Box | None

    def as_json(self) -> dict[str, Any]:
        """The same as lists and dicts; `parsed` takes it up."""
        return {
            "size": list(self.size),
            "layout": self.layout,
            "windows": [
                [i, list(w.center), w.radius, w.covered, w.number, w.confidence] for i, w in self.windows.items()
            ],
            "dice": None if self.dice is None else [[d.value, list(d.box), d.confidence] for d in self.dice],
            "tray": None if self.tray is None else list(self.tray),
        }


def parsed(memory: Mapping[str, Any]) -> Recall:
    """What `Recall.as_json` returned.

    Raises:
        KeyError, TypeError, ValueError: `as_json` did not make this.
    """
    windows = {
        int(i): Window((float(center[0]), float(center[1])), radius, covered, number, confidence)
        for i, center, radius, covered, number, confidence in memory["windows"]
    }
    lying = memory["dice"]
    dice = None if lying is None else tuple(Die(value, _box(box), sure) for value, box, sure in lying)
    tray = None if memory["tray"] is None else _box(memory["tray"])
    return Recall(tuple(memory["size"]), memory["layout"], windows, dice, tray)


def _box(numbers: Any) -> Box:
    x0, y0, x1, y1 = (float(number) for number in numbers)
    return x0, y0, x1, y1
