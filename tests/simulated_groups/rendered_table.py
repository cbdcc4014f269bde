"""A table whose referee learns of dice, tokens and cups only from the frames of a simulated camera."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

from companion.api import AnyGameDefinition
from companion.camera.camera_use import find_camera_use
from companion.camera.reader import CameraReader, WatchedTable, make_watcher
from companion.simulation.camera import FRAMES_PER_SECOND, SimulatedCamera
from companion.simulation.kit import find_table_kit
from companion.testing.table import TableUnderTest

REST_SECONDS = 2.0
"""Seconds at rest after which the camera has read whatever lies on the table."""


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
        camera = SimulatedCamera(self.things, renderer, self.clock)
        watcher = make_watcher(use := find_camera_use(definition.name))
        self._reader = CameraReader(lambda _use: WatchedTable(lambda: camera, watcher), self.clock)
        self._reader.camera_use = use
        self.wait(REST_SECONDS)

    def wait(self, seconds: float) -> None:
        """Let time pass, while the camera watches."""
        end = self.clock.now + seconds
        while end - self.clock.now > 1e-6:
            self.clock.now = min(end, self.clock.now + 1 / FRAMES_PER_SECOND)
            self.send(*self._reader.poll())

    def wait_for_hands(self, seconds: float = 0.0) -> None:
        """Let people finish what they do on the table, and then wait."""
        while self.things.is_busy(self.clock.now) or self.things.is_moving:
            self.wait(1 / FRAMES_PER_SECOND)
        self.wait(seconds)
