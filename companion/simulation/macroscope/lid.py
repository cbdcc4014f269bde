"""The lid's geometry, in millimetres of the lid: x to the right, y down with the arrow up, origin in the middle."""

from __future__ import annotations

import math
from dataclasses import dataclass

Point = tuple[float, float]

LID_HEIGHT_MM = 30.0
"""The device is a folded box: its top lies this far above the table, mm."""
CARD_DEPTH_MM = 12.0
"""The picture card lies this far below the lid's top, mm."""
TOKEN_HEIGHT_MM = 3.0
"""How far a token stands above what it lies on, mm."""


@dataclass(frozen=True, slots=True)
class LidShape:
    """A lid's outline (width, height) and its 12 windows, row by row with the arrow up."""

    size: tuple[float, float]
    windows: tuple[Point, ...]
    window_radius: float

    @property
    def token_radius(self) -> float:
        """A token rests on the window's edge, so it is wider than the window."""
        return self.window_radius + 2.0

    @property
    def corners(self) -> tuple[Point, Point, Point, Point]:
        """Clockwise from the arrow's left."""
        x, y = self.size[0] / 2, self.size[1] / 2
        return (-x, -y), (x, -y), (x, y), (-x, y)

    @property
    def arrow(self) -> tuple[Point, Point, Point]:
        """The arrow's three corners, its tip first: a flat triangle at the middle of the upper edge."""
        y = -self.size[1] / 2
        return (0.0, y + 4.0), (9.0, y + 15.0), (-9.0, y + 15.0)

    @property
    def studs(self) -> tuple[Point, ...]:
        """The four rivets in the corners, clockwise from the arrow's left."""
        return tuple((x - math.copysign(9.0, x), y - math.copysign(9.0, y)) for x, y in self.corners)


@dataclass(frozen=True, slots=True)
class LidPlacement:
    """Where the lid's middle lies on the table, mm, and how it is turned, degrees clockwise as seen from above."""

    x: float
    y: float
    angle_deg: float = 0.0

    def to_table(self, point: Point) -> Point:
        """Lid millimetres to table millimetres."""
        c, s = math.cos(math.radians(self.angle_deg)), math.sin(math.radians(self.angle_deg))
        return self.x + c * point[0] - s * point[1], self.y + s * point[0] + c * point[1]

    def to_lid(self, point: Point) -> Point:
        """Table millimetres to lid millimetres."""
        c, s = math.cos(math.radians(self.angle_deg)), math.sin(math.radians(self.angle_deg))
        dx, dy = point[0] - self.x, point[1] - self.y
        return c * dx + s * dy, -s * dx + c * dy


def _grid() -> LidShape:
    windows = tuple((x, y) for y in (-46.0, 5.0, 56.0) for x in (-81.0, -27.0, 27.0, 81.0))
    return LidShape((236.0, 186.0), windows, 18.0)


def _staggered() -> LidShape:
    shifts = ((-72.0, -12.0), (-24.0, 12.0), (24.0, -12.0), (72.0, 12.0))
    windows = tuple((x + shift, y + 4.0) for y, shift in shifts for x in (-51.0, 0.0, 51.0))
    return LidShape((200.0, 222.0), windows, 17.0)


def _ring() -> LidShape:
    outer = [(77.0 * math.cos(a), 77.0 * math.sin(a)) for a in (math.radians(40.0 * k) for k in range(9))]
    inner = [(28.0 * math.cos(a), 28.0 * math.sin(a)) for a in (math.radians(20.0 + 120.0 * k) for k in range(3))]
    windows = sorted(((x, y + 6.0) for x, y in outer + inner), key=lambda p: (round(p[1]), p[0]))
    return LidShape((216.0, 222.0), tuple(windows), 18.0)


LAYOUTS: dict[str, LidShape] = {"3x4": _grid(), "staggered": _staggered(), "ring": _ring()}
"""The lids that the virtual table knows, by name."""
