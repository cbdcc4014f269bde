"""The picture of a simulated table on the screen: the same scene as the camera's, in larger views of its own."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import pygame

from companion.screen_state import ScreenState
from companion.simulation.camera import TableRenderer
from companion.simulation.kit import TableKit
from companion.simulation.optics import FRAME_SIZE_PX, FrameArea, Point
from companion.simulation.views import TableArrangement, TableView

MAX_RENDER_ZOOM = 2.2
"""Largest zoom at which the picture is drawn; above it the picture is enlarged. Larger: sharper at 4K, and slower."""


@dataclass(slots=True)
class _DrawnView:
    """A view of the table, and what draws it."""

    view: TableView
    renderer: TableRenderer | None = None
    """None: nothing was drawn yet."""
    picture: npt.NDArray[np.uint8] | None = None
    """What is on the screen, as the renderer returned it."""


class TablePicture:
    """Draws the views of a table that its kit arranges, each when it has changed.

    >>> import random
    >>> from companion.simulation.dice_tray.kit import DICE_TRAY
    >>> picture = TablePicture(DICE_TRAY, *DICE_TRAY.create_table(random.Random(1)))
    >>> picture.place(pygame.Rect(100, 0, 640, 480))
    >>> picture.draw(pygame.Surface((740, 480)))[0].topleft
    (100, 0)

    Args:
        kit: arranges the views.
        table: the table.
        renderer: draws the camera's frames of it.

    Attributes:
        bar: the rest of the area, in pixels of the window.
    """

    def __init__(self, kit: TableKit[Any], table: Any, renderer: TableRenderer) -> None:
        self._kit, self._table, self._renderer = kit, table, renderer
        self._close_up: Hashable = None
        self.place(pygame.Rect((0, 0), FRAME_SIZE_PX))

    def place(self, area: pygame.Rect) -> None:
        """Set the area, in pixels of the unrotated window; all of it is drawn again at the next `draw`."""
        self._area = area
        self._arrangement: TableArrangement | None = None
        self.arrange()

    def arrange(self) -> bool:
        """Arrange the views by how things lie now; return whether all of the area is to be drawn again."""
        arrangement = self._kit.arrange(self._table, self._area.size)
        if arrangement != self._arrangement:
            self._arrangement = arrangement
            self.bar = pygame.Rect(arrangement.bar).move(self._area.topleft)
            self._views = [_DrawnView(view) for view in arrangement.views]
        return any(each.picture is None for each in self._views)

    def refresh(self) -> None:
        """Draw all views again at the next `draw`."""
        for each in self._views:
            each.picture = None

    def follow(self, state: ScreenState) -> bool:
        """Choose what is shown close up; return whether that is new."""
        close_up = self._kit.find_close_up(self._table, state)
        is_new = bool(close_up != self._close_up)
        if is_new:
            self._close_up = close_up
            self.refresh()  # where one view is new, all of the area is filled
        return is_new

    def draw(self, surface: pygame.Surface) -> list[pygame.Rect]:
        """Draw the views that have changed, and what is shown close up over the last one; return their areas."""
        changed = []
        for each in self._views:
            if each.renderer is None:
                each.renderer = self._renderer.crop(each.view.area, min(each.view.zoom, MAX_RENDER_ZOOM))
            picture = each.renderer.render_noiseless(self._table)
            if picture is each.picture:
                continue
            each.picture = picture
            place = pygame.Rect(each.view.place).move(self._area.topleft)
            blit_image(surface, picture, place)
            if self._close_up is not None and each is self._views[-1]:
                blit_close_up(surface, self._kit.draw_close_up(self._close_up, place.height), place)
            changed.append(place)
        return changed

    def contains(self, at: tuple[int, int]) -> bool:
        """Return whether a pixel of the window lies in a view."""
        return any(each.view.contains(self._to_panel(at)) for each in self._views)

    def to_frame(self, at: tuple[int, int]) -> Point:
        """Return the pixel of the camera's frame at a pixel of the window; outside of all views by the first one."""
        pixel = self._to_panel(at)
        view = next((each.view for each in self._views if each.view.contains(pixel)), self._views[0].view)
        return view.to_frame(pixel)

    def locate(self, area: FrameArea) -> pygame.Rect | None:
        """Return where a part of the frame is shown, in pixels of the window; None: its middle is in no view."""
        for each in self._views:
            rect = pygame.Rect(each.view.to_panel(area))
            if each.view.contains(rect.center):
                return rect.clip(pygame.Rect(each.view.place)).move(self._area.topleft)
        return None

    def _to_panel(self, at: tuple[int, int]) -> tuple[int, int]:
        return at[0] - self._area.left, at[1] - self._area.top


def blit_close_up(surface: pygame.Surface, picture: npt.NDArray[np.uint8], area: pygame.Rect) -> None:
    """Draw what is shown close up, (h, w, 3) uint8 BGR, with a frame over the lower left of a table's picture."""
    height, width = picture.shape[:2]
    place = pygame.Rect(area.left, area.bottom - height, width, height).move(height // 12, -height // 12)
    pygame.draw.rect(surface, "white", place.inflate(height // 12, height // 12), border_radius=height // 20)
    blit_image(surface, picture, place)


def blit_image(surface: pygame.Surface, image: npt.NDArray[np.uint8], area: pygame.Rect) -> None:
    """Draw a picture, (h, w, 3) uint8 BGR, scaled to an area of a surface."""
    if image.shape[1::-1] != area.size:
        method = cv2.INTER_AREA if image.shape[1] > area.width else cv2.INTER_CUBIC
        image = np.asarray(cv2.resize(image, area.size, interpolation=method), np.uint8)
    surface.blit(pygame.image.frombuffer(image.tobytes(), area.size, "BGR"), area)
