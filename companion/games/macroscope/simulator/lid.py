"""Geometry of the lid. Lid coordinates are in mm: with the arrow up, x to the right, y down, origin in the centre."""

import math
from dataclasses import dataclass

from companion.simulation.optics import Point

LID_HEIGHT_MM = 30.0
"""Height of the lid's top above the table in mm (the device is a folded box)."""
CARD_DEPTH_MM = 12.0
"""Depth of the picture card below the lid's top in mm; the larger, the more of it the windows' edges hide."""
TOKEN_HEIGHT_MM = 3.0
"""Thickness of a token in mm."""


@dataclass(frozen=True, slots=True)
class LidShape:
    """Shape of a lid; all lengths in mm."""

    size: tuple[float, float]
    """Width and height."""
    windows: tuple[Point, ...]
    """Centres of the 12 windows, row by row with the arrow up."""
    window_radius: float

    @property
    def token_radius(self) -> float:
        """Radius of a token: it rests on the window's edge, so it is 2 mm larger than the window."""
        return self.window_radius + 2.0

    @property
    def corners(self) -> tuple[Point, Point, Point, Point]:
        """The four corners, clockwise from the upper left (the arrow is up)."""
        x, y = self.size[0] / 2, self.size[1] / 2
        return (-x, -y), (x, -y), (x, y), (-x, y)

    @property
    def arrow(self) -> tuple[Point, Point, Point]:
        """The arrow's three corners, its tip first: a flat triangle at the middle of the upper edge."""
        y = -self.size[1] / 2
        return (0.0, y + 4.0), (9.0, y + 15.0), (-9.0, y + 15.0)

    @property
    def studs(self) -> tuple[Point, ...]:
        """Centres of the four rivets in the corners, clockwise from the upper left."""
        return tuple((x - math.copysign(9.0, x), y - math.copysign(9.0, y)) for x, y in self.corners)


@dataclass(frozen=True, slots=True)
class LidPlacement:
    """Position and rotation of the lid on the table."""

    x: float
    """x of its centre in mm."""
    y: float
    """y of its centre in mm."""
    angle_deg: float = 0.0
    """Rotation in degrees clockwise, seen from above."""

    def to_table(self, point: Point) -> Point:
        """Convert lid coordinates to table coordinates, both in mm."""
        c, s = math.cos(math.radians(self.angle_deg)), math.sin(math.radians(self.angle_deg))
        return self.x + c * point[0] - s * point[1], self.y + s * point[0] + c * point[1]

    def to_lid(self, point: Point) -> Point:
        """Convert table coordinates to lid coordinates, both in mm."""
        c, s = math.cos(math.radians(self.angle_deg)), math.sin(math.radians(self.angle_deg))
        dx, dy = point[0] - self.x, point[1] - self.y
        return c * dx + s * dy, -s * dx + c * dy


def _create_grid() -> LidShape:
    windows = tuple((x, y) for y in (-46.0, 5.0, 56.0) for x in (-81.0, -27.0, 27.0, 81.0))
    return LidShape((236.0, 186.0), windows, 18.0)


def _create_staggered() -> LidShape:
    shifts = ((-72.0, -12.0), (-24.0, 12.0), (24.0, -12.0), (72.0, 12.0))
    windows = tuple((x + shift, y + 4.0) for y, shift in shifts for x in (-51.0, 0.0, 51.0))
    return LidShape((200.0, 222.0), windows, 17.0)


def _create_ring() -> LidShape:
    outer = [(77.0 * math.cos(a), 77.0 * math.sin(a)) for a in (math.radians(40.0 * k) for k in range(9))]
    inner = [(28.0 * math.cos(a), 28.0 * math.sin(a)) for a in (math.radians(20.0 + 120.0 * k) for k in range(3))]
    windows = sorted(((x, y + 6.0) for x, y in outer + inner), key=lambda p: (round(p[1]), p[0]))
    return LidShape((216.0, 222.0), tuple(windows), 18.0)


LAYOUTS: dict[str, LidShape] = {"3x4": _create_grid(), "staggered": _create_staggered(), "ring": _create_ring()}
"""The available lids by name."""
