"""Eyes whose camera and watcher a test has in its hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from companion.camera.layout_cache import LayoutCache
from companion.camera.reader import CameraReader
from companion.events import CameraState, VisionEvent
from companion.vision.reading import Image, Lid, Reading
from hardware.cameras.sources import Camera, CameraLost, Frame

PICTURE: Image = np.zeros((90, 160, 3), np.uint8)
LID = Lid(((0, 0), (1, 0), (1, 1), (0, 1)), None, ())


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class ScriptedWatcher:
    """A watcher that says what the test has it say."""

    def __init__(self) -> None:
        self.state = CameraState.SEARCHING
        self.reading: Reading | None = None
        self.lid_image: Image | None = None
        self.events: list[VisionEvent] = []
        self.kept: dict[str, Any] = {}

    def process_frame(self, image: Image, at: float) -> list[VisionEvent]:
        events, self.events = self.events, []
        return events

    def snapshot(self) -> dict[str, Any]:
        return self.kept

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        if "layout" not in snapshot:
            raise KeyError("layout")
        self.kept = dict(snapshot)


class PluggableCamera:
    """A camera that is there or not."""

    def __init__(self, clock: Clock) -> None:
        self.there = True
        self.opened = 0
        self.closed = 0
        self.name = "plug"
        self.picture = PICTURE
        self._clock = clock

    def __call__(self) -> Camera:
        if not self.there:
            raise CameraLost("not there")
        self.opened += 1
        return self

    def read(self) -> Frame | None:
        if not self.there:
            raise CameraLost("gone")
        return Frame(self.picture, self._clock.now, 0)

    def close(self) -> None:
        self.closed += 1


def make_reader(memory: LayoutCache | None = None) -> tuple[CameraReader, ScriptedWatcher, PluggableCamera, Clock]:
    clock, watcher = Clock(), ScriptedWatcher()
    plug = PluggableCamera(clock)
    return CameraReader(plug, watcher, clock, memory), watcher, plug, clock
