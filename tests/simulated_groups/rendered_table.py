"""A table whose referee learns of dice, tokens and cups only from the frames of a simulated camera."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

from companion.api import AnyGameDefinition
from companion.camera.camera_reader import CameraReader, WatchedTable, make_watcher
from companion.camera.camera_use import find_camera_use
from companion.events import CameraState
from companion.simulation.camera import SimulatedCamera
from companion.simulation.kit import find_table_kit
from companion.testing.table import TableUnderTest

REST_SECONDS = 2.0
"""Seconds at rest after which the camera has read whatever lies on the table."""
SECONDS_PER_FRAME = 0.35
"""Between two frames while something moves or is to be read; the more, the less computing time a game takes."""
SECONDS_PER_RESTING_FRAME = 2.0
"""Between two frames of a table at rest that is read."""


class RenderedTable(TableUnderTest):
    """A `TableUnderTest` that passes time frame by frame: each is drawn, and read by the game's own watcher.

    Attributes:
        things: the simulated table, on which people act.
    """

    def __init__(
        self, folder: Path, players: int, random: Random, *, definition: AnyGameDefinition, **settings: Any
    ) -> None:
        super().__init__(folder, players, definition=definition, **settings)
        self.things, renderer = find_table_kit(definition).create_table(Random(random.random()))
        renderer.supersampling = 1
        camera = SimulatedCamera(self.things, renderer, self.clock)
        watcher = make_watcher(use := find_camera_use(definition.name))
        self._reader = CameraReader(lambda _use: WatchedTable(lambda: camera, watcher), self.clock)
        self._reader.camera_use = use
        self._moved_at = self._seen_at = self.clock.now
        self.wait(REST_SECONDS)

    def wait(self, seconds: float) -> None:
        """Let time pass, while the camera watches."""
        end = self.clock.now + seconds
        while end - self.clock.now > 1e-6:
            self.clock.now = min(end, self.clock.now + SECONDS_PER_FRAME)
            self.send(*(self._reader.poll() if self._is_frame_due() else ()))

    def _is_frame_due(self) -> bool:
        """Return whether a frame may show something new."""
        now = self.clock.now
        self.things.step(now)
        if self.things.is_busy(now) or self.things.is_moving:
            self._moved_at = now
        if getattr(self.things, "is_rolling", False):  # the slowest frames to draw, and nothing is read in them
            return False
        is_read = self._reader.camera_view.state is CameraState.STEADY and now - self._moved_at > REST_SECONDS / 2
        if is_read and now - self._seen_at < SECONDS_PER_RESTING_FRAME:
            return False
        self._seen_at = now
        return True

    def wait_for_dice(self) -> None:
        """Let dice come to rest, and be looked at.

        A camera of 15 frames a second reads them in the third of a second in which this one has drawn a single frame.
        """
        self.wait_for_hands(SECONDS_PER_FRAME)

    def wait_for_hands(self, seconds: float = 0.0) -> None:
        """Let people finish what they do on the table, and then wait."""
        while self.things.is_busy(self.clock.now) or self.things.is_moving:
            self.wait(SECONDS_PER_FRAME)
        self.wait(seconds)
