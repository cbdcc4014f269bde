"""The camera of a simulated table: the game receives nothing of the table but its frames."""

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from companion.simulation.optics import FrameArea, Optics
from hardware.cameras.live_camera import Frame

FRAMES_PER_SECOND = 15
"""Frame rate of the simulated camera in Hz; the larger, the more computing time the renderer takes."""


class SteppedTable(Protocol):
    """A simulated table; its time is passed in."""

    def step(self, now: float) -> None:
        """Advance the table to the time `now`, in seconds."""


class TableRenderer(Protocol):
    """A renderer of one kind of simulated table."""

    supersampling: int
    """Rays per pixel in each direction that draw dice; the fewer, the faster, and the rougher their edges."""

    @property
    def optics(self) -> Optics:
        """The camera that sees the table."""

    def render(self, table: Any) -> npt.NDArray[np.uint8]:
        """Draw the table as of its last step: a new frame, (H, W, 3) uint8 BGR, in the camera's size."""

    def render_noiseless(self, table: Any) -> npt.NDArray[np.uint8]:
        """Draw the table as of its last step without the sensor's noise; the same object until something changes."""

    def crop(self, area: FrameArea, zoom: float) -> "TableRenderer":
        """Return a renderer of a part of the same picture, enlarged; it has no noise."""


class SimulatedCamera:
    """A camera that advances a simulated table to the time of each frame and renders it, 15 frames a second.

    Args:
        table: the table in view.
        renderer: draws the table.
        clock: returns the time in seconds.
    """

    name = "virtual table"
    """The camera's name in messages."""

    def __init__(self, table: SteppedTable, renderer: TableRenderer, clock: Callable[[], float]) -> None:
        self._table, self._renderer, self._clock = table, renderer, clock
        self._next_at = clock()
        self._index = 0

    def read(self) -> Frame | None:
        """Return the next frame; None if it is not due yet."""
        now = self._clock()
        if now < self._next_at:
            return None
        self._next_at += 1 / FRAMES_PER_SECOND
        if self._next_at <= now:
            # A camera that was not read for a while drops frames; it does not deliver them late.
            self._next_at = now + 1 / FRAMES_PER_SECOND
        self._table.step(now)
        frame = Frame(self._renderer.render(self._table), now, self._index)
        self._index += 1
        return frame

    def close(self) -> None:
        """Do nothing: no resource is open."""
