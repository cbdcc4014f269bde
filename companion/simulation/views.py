"""How a simulated table is shown: which parts of its camera's frame, where on the panel, and how large.

What is shown is an enlarged part of what the camera sees, so a place on the panel is a pixel of the frame.
"""

from dataclasses import dataclass

from companion.simulation.optics import FRAME_SIZE_PX, FrameArea, Point

PanelArea = tuple[int, int, int, int]
"""Left, top, width and height on a panel, in its pixels."""

WHOLE_FRAME_AREA: FrameArea = (0.0, 0.0, *FRAME_SIZE_PX)
BAR_HEIGHT_RATIO = 0.12
"""Least height of the bar below a table's picture, as a share of the panel's height."""
MAX_BAR_HEIGHT_RATIO = 0.2
"""Largest height of that bar; what is left shows more of the table."""
GAP_RATIO = 0.006
"""Gap between two pictures, as a share of the panel's height."""


@dataclass(frozen=True, slots=True)
class TableView:
    """A part of the camera's frame, and where it is shown.

    >>> view = TableView((100.0, 0.0, 320.0, 180.0), (0, 40, 640, 360))
    >>> view.zoom, view.to_frame((320, 220)), view.to_panel((100.0, 0.0, 10.0, 10.0))
    (2.0, (260.0, 90.0), (0, 40, 20, 20))
    """

    area: FrameArea
    place: PanelArea

    @property
    def zoom(self) -> float:
        """Size on the panel divided by the size in the frame."""
        return self.place[2] / self.area[2]

    def to_frame(self, pixel: Point) -> Point:
        """Return the pixel of the frame that is shown at a pixel of the panel, which may lie outside the view."""
        x, y = ((p - place) / self.zoom + edge for p, place, edge in zip(pixel, self.place, self.area, strict=False))
        return x, y

    def to_panel(self, area: FrameArea) -> PanelArea:
        """Return where a part of the frame is shown; it may reach beyond the view."""
        zoom = self.zoom
        left, top = self.place[0] + zoom * (area[0] - self.area[0]), self.place[1] + zoom * (area[1] - self.area[1])
        return round(left), round(top), round(zoom * area[2]), round(zoom * area[3])

    def contains(self, pixel: Point) -> bool:
        """Return whether a pixel of the panel lies in the view."""
        left, top, width, height = self.place
        return left <= pixel[0] < left + width and top <= pixel[1] < top + height


@dataclass(frozen=True, slots=True)
class TableArrangement:
    """All that a panel shows of a table."""

    views: tuple[TableView, ...]
    bar: PanelArea
    """Where the sentence on what can be done now stands, with the controls."""


@dataclass(frozen=True, slots=True)
class TouchablePlace:
    """A part of the table that can be touched now."""

    name: str
    """What lies there, such as "tray", "die", "token" or "cup"."""
    area: FrameArea


def fit_view(area: FrameArea, place: PanelArea, limits: FrameArea = WHOLE_FRAME_AREA) -> TableView:
    """Show a part of the frame as large as its place allows, and what lies around it.

    >>> fit_view((600.0, 300.0, 80.0, 80.0), (0, 0, 320, 160)).area
    (560.0, 300.0, 160.0, 80.0)

    Args:
        area: the part that is shown whole.
        place: where it is shown; all of it is filled.
        limits: what is shown around it lies within these, if there is enough of it.
    """
    zoom = min(place[2] / area[2], place[3] / area[3])
    sizes = place[2] / zoom, place[3] / zoom
    starts = []
    for start, length, size, low, room in zip(area[:2], area[2:], sizes, limits[:2], limits[2:], strict=True):
        middle = start + (length - size) / 2
        starts.append(max(low, min(low + room - size, middle)) if size <= room else middle)
    return TableView((starts[0], starts[1], *sizes), place)


def show_above_bar(area: FrameArea, size: tuple[int, int]) -> TableArrangement:
    """Show one part of the frame as wide as the panel, with the bar below.

    Args:
        area: the part of the frame.
        size: width and height of the panel.
    """
    width, height = size
    tall = min(round(width * area[3] / area[2]), round(height * (1 - BAR_HEIGHT_RATIO)))
    tall = max(tall, round(height * (1 - MAX_BAR_HEIGHT_RATIO)))
    return TableArrangement((fit_view(area, (0, 0, width, tall)),), (0, tall, width, height - tall))
