"""A table with dice and a lid as JSON values, so that a restart in the middle of a round repeats no event."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from companion.vision.reading import BoundingBox, Die, LidWindow


@dataclass(frozen=True, slots=True)
class TableSnapshot:
    """What is known of a table at rest. Alternatives and tilt of the dice are not stored.

    >>> snapshot = TableSnapshot((640, 480), None, {}, (Die(5, (100.0, 80.0, 140.0, 120.0), 0.97),), None)
    >>> TableSnapshot.from_json(snapshot.to_json()) == snapshot
    True

    Attributes:
        frame_size: width and height of the frames in pixels.
        layout: the lid's layout as its reader exports it; None: there is none.
        windows: the lid's windows by their index.
        dice: the dice at rest; None: none were looked for yet.
        area: where dice have lain; None: none lay anywhere yet.
    """

    frame_size: tuple[int, ...]
    layout: dict[str, Any] | None
    windows: dict[int, LidWindow]
    dice: tuple[Die, ...] | None
    area: BoundingBox | None

    def to_json(self) -> dict[str, Any]:
        """Return the values as `from_json` takes them."""
        windows = self.windows.items()
        return {
            "size": list(self.frame_size),
            "layout": self.layout,
            "windows": [[i, list(w.center), w.radius, w.covered, w.number, w.confidence] for i, w in windows],
            "dice": None if self.dice is None else [[die.value, list(die.box), die.confidence] for die in self.dice],
            "tray": None if self.area is None else list(self.area),
        }

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Return the snapshot that `to_json` wrote.

        Raises:
            ArithmeticError, AttributeError, LookupError, TypeError, ValueError: it did not write this.
        """
        dice, area = values["dice"], values["tray"]
        if dice is not None:
            dice = tuple(Die(value, _parse_box(box), confidence) for value, box, confidence in dice)
        if area is not None:
            area = _parse_box(area)
        windows = {
            int(i): LidWindow((float(center[0]), float(center[1])), radius, covered, number, confidence)
            for i, center, radius, covered, number, confidence in values["windows"]
        }
        return cls(tuple(values["size"]), values["layout"], windows, dice, area)


def _parse_box(numbers: Sequence[float]) -> BoundingBox:
    """Return the box of four numbers; raise ValueError or TypeError if they are none."""
    x0, y0, x1, y1 = (float(number) for number in numbers)
    return x0, y0, x1, y1
