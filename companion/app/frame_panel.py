"""The table beside the display of a demo: the frames of somebody else's camera."""

from collections.abc import Callable, Hashable
from functools import partial
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import pygame

from companion.display.toolkit.theme import BACKGROUND, DARK_PALETTE
from companion.screen_state import ScreenState
from companion.simulation.kit import TableKit
from companion.simulation.optics import FRAME_SIZE_PX
from hardware.cameras.sources import Frame

DrawCloseUp = Callable[[Any, int], npt.NDArray[np.uint8]]
"""Draws what is shown close up, for a picture of that height."""


class FramePanel:
    """Panel with the frames of a camera as somebody else reads them; nothing on it can be moved.

    Attributes:
        is_moving: frames still come.
        was_touched: a key or a button of the mouse was pressed.
    """

    def __init__(self) -> None:
        self._find_close_up: Callable[[ScreenState], Hashable] = lambda _state: None
        self._draw_close_up: DrawCloseUp | None = None
        self.is_moving = True
        self._close_up: Hashable = None
        self.was_touched = False
        self._frame: Frame | None = None
        self._drawn_frame: Frame | None = None
        self.place(pygame.Rect((0, 0), FRAME_SIZE_PX))

    def show_table(self, kit: TableKit[Any], table: Any) -> None:
        """Show close up from now on what all look at on a simulated table."""
        self._find_close_up = partial(kit.find_close_up, table)
        self._draw_close_up = kit.draw_close_up

    def show_frame(self, frame: Frame) -> None:
        """Show a frame at the next `draw`."""
        self._frame = frame

    def place(self, panel: pygame.Rect) -> None:
        """Set the area of the panel; all of it is drawn again at the next `draw`.

        Args:
            panel: the area, in pixels of the unrotated window; at least some pixels wide and high.
        """
        self._area = panel
        self._drawn_frame = None

    def handle_mouse(self, event: pygame.event.Event, _at: tuple[int, int], _now: float) -> None:
        """Note that a button of the mouse was pressed."""
        self.was_touched |= event.type == pygame.MOUSEBUTTONDOWN

    def handle_touch(self, event: pygame.event.Event, _at: tuple[int, int], _now: float) -> None:
        """Note that a finger came."""
        self.was_touched |= event.type == pygame.FINGERDOWN

    def handle_key(self, _key: int, _now: float, *, down: bool) -> None:
        """Note that a key was pressed."""
        self.was_touched |= down

    def follow(self, state: ScreenState) -> None:
        """Choose what is shown close up."""
        close_up = self._find_close_up(state)
        if close_up != self._close_up:
            self._close_up, self._drawn_frame = close_up, None

    def draw(self, surface: pygame.Surface) -> list[pygame.Rect]:
        """Draw the latest frame, if it has not been drawn yet, in the middle of the panel.

        Args:
            surface: of the whole unrotated window.

        Returns:
            The changed areas of `surface`; empty: nothing was drawn.
        """
        if self._frame is None or self._frame is self._drawn_frame:
            return []
        changed = fit_frame(self._area)
        changed.centery = self._area.centery
        if self._drawn_frame is None:
            surface.fill(DARK_PALETTE[BACKGROUND], self._area)
        blit_image(surface, self._frame.image, changed)
        if self._close_up is not None and self._draw_close_up is not None:
            blit_close_up(surface, self._draw_close_up(self._close_up, changed.height), changed)
        if self._drawn_frame is None:
            changed = self._area
        self._drawn_frame = self._frame
        return [changed]


def fit_frame(panel: pygame.Rect) -> pygame.Rect:
    """Return the largest area of a frame's proportions in a panel, at its top left."""
    scale = min(panel.width / FRAME_SIZE_PX[0], panel.height / FRAME_SIZE_PX[1])
    return pygame.Rect(panel.topleft, (round(FRAME_SIZE_PX[0] * scale), round(FRAME_SIZE_PX[1] * scale)))


def blit_close_up(surface: pygame.Surface, picture: npt.NDArray[np.uint8], area: pygame.Rect) -> None:
    """Draw what is shown close up, (h, w, 3) uint8 BGR, with a frame over the lower left of a table's picture."""
    height, width = picture.shape[:2]
    place = pygame.Rect(area.left, area.bottom - height, width, height).move(height // 12, -height // 12)
    pygame.draw.rect(surface, "white", place.inflate(height // 12, height // 12), border_radius=height // 20)
    surface.blit(pygame.image.frombuffer(picture[:, :, ::-1].tobytes(), place.size, "RGB"), place)


def blit_image(surface: pygame.Surface, image: npt.NDArray[np.uint8], area: pygame.Rect) -> None:
    """Draw a picture, (h, w, 3) uint8 BGR, scaled to an area of a surface."""
    if image.shape[1::-1] != area.size:
        is_smaller = image.shape[1] > area.width
        image = np.asarray(
            cv2.resize(image, area.size, interpolation=cv2.INTER_AREA if is_smaller else cv2.INTER_CUBIC), np.uint8
        )
    surface.blit(pygame.image.frombuffer(np.ascontiguousarray(image), area.size, "BGR"), area)
