"""The state of the watcher that is stored over a restart in the middle of a round, so that no event is repeated."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.vision.reading import BoundingBox, Die, LidWindow


@dataclass(frozen=True, slots=True)
class WatcherState:
    """The state of a `DiceAndLidWatcher`; positions are in pixels of the frame.

    Attributes:
        frame_size: height and width of the frames, pixels; empty before the first frame.
        lid_layout: the layout that the lid reader has learnt (`LidReader.export_layout`); None: nothing.
        windows: the lid's windows as last read, by index, 0 to 11.
        dice: the dice as they lay at last; None: none were looked for yet.
        dice_area: where dice have lain, left, top, right, bottom; None: nowhere yet.
    """

    frame_size: tuple[int, ...]
    lid_layout: dict[str, Any] | None
    windows: dict[int, LidWindow]
    dice: tuple[Die, ...] | None
    dice_area: BoundingBox | None

    def to_json(self) -> dict[str, Any]:
        """Return the state as JSON values, for `parse_watcher_state`.

        Alternatives and tilt of the dice are not stored.
        """
        return {
            "size": list(self.frame_size),
            "layout": self.lid_layout,
            "windows": [
                [i, list(w.center), w.radius, w.covered, w.number, w.confidence] for i, w in self.windows.items()
            ],
            "dice": None if self.dice is None else [[d.value, list(d.box), d.confidence] for d in self.dice],
            "tray": None if self.dice_area is None else list(self.dice_area),
        }


def parse_watcher_state(values: Mapping[str, Any]) -> WatcherState:
    """Return the state that `WatcherState.to_json` described. The lid's layout is not checked.

    Args:
        values: the dictionary that `to_json` returned.

    Raises:
        LookupError, OverflowError, TypeError, ValueError: `to_json` did not return this.
    """
    windows = {
        int(i): LidWindow((float(center[0]), float(center[1])), radius, covered, number, confidence)
        for i, center, radius, covered, number, confidence in values["windows"]
    }
    stored_dice, tray = values["dice"], values["tray"]
    dice = (
        None
        if stored_dice is None
        else tuple(Die(value, _parse_box(box), confidence) for value, box, confidence in stored_dice)
    )
    dice_area = None if tray is None else _parse_box(tray)
    return WatcherState(tuple(values["size"]), values["layout"], windows, dice, dice_area)


def _parse_box(numbers: Any) -> BoundingBox:
    """Return the box of four numbers."""
    x0, y0, x1, y1 = (float(number) for number in numbers)
    return x0, y0, x1, y1
