"""Fakes for tests of the camera: a clock, a watcher and a camera that the test controls."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from companion.camera.camera_reader import CameraReader, WatchedTable
from companion.camera.learnt_layouts import LayoutCache
from companion.events import CameraState, Event, VisionEvent
from companion.vision.reading import Image, Lid, Reading
from hardware.cameras.live_camera import Camera, CameraLost, Frame

PICTURE: Image = np.zeros((90, 160, 3), np.uint8)
LID = Lid(((0, 0), (1, 0), (1, 1), (0, 1)), None, ())


class Clock:
    """A clock that stands still until the test sets it."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class ScriptedWatcher:
    """A watcher that reports the events that the test gives it."""

    def __init__(self) -> None:
        self.state = CameraState.SEARCHING
        self.reading: Reading | None = None
        self.events: list[VisionEvent] = []
        self.stored: dict[str, Any] = {}

    def process_frame(self, image: Image, at: float) -> list[VisionEvent]:
        events, self.events = self.events, []
        return events

    def snapshot(self) -> dict[str, Any]:
        return self.stored

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        if "layout" not in snapshot:
            raise KeyError("layout")
        self.stored = dict(snapshot)


class PluggableCamera:
    """A camera that is plugged in or not; calling it opens it."""

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


def make_reader(
    layout_cache: LayoutCache | None = None, camera: PluggableCamera | None = None, **table: Any
) -> tuple[CameraReader, ScriptedWatcher, PluggableCamera, Clock]:
    """Make a reader of one table with a scripted watcher, and return what the test controls."""
    clock = camera._clock if camera else Clock()
    camera, watcher = camera or PluggableCamera(clock), ScriptedWatcher()
    reader = CameraReader(lambda _use: WatchedTable(camera, watcher, layout_cache, **table), clock)
    return reader, watcher, camera, clock


def poll_every(reader: CameraReader, clock: Clock, step: float, until: float) -> list[tuple[float, Event]]:
    """Poll at equal steps up to a time; return the events with the times at which they came."""
    found: list[tuple[float, Event]] = []
    while clock.now + step <= until:
        clock.now += step
        found += [(clock.now, event) for event in reader.poll()]
    return found
