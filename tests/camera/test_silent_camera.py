"""Cameras that stall, freeze, give unusable pictures, or return with another resolution."""

from __future__ import annotations

import numpy as np
import pytest

from companion.camera.camera_reader import REOPEN_SECONDS, SILENCE_SECONDS, CameraReader
from companion.events import CameraState, CameraStateChanged, DeviceLost, DeviceRestored, LidCovered
from hardware.cameras.live_camera import Frame
from tests.camera.scripted import PICTURE, Clock, PluggableCamera, ScriptedWatcher, make_reader, poll_every


class SilentCamera(PluggableCamera):
    """A camera that is open and may give no pictures."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(clock)
        self.silent = False

    def read(self) -> Frame | None:
        return None if self.silent else super().read()


def make_silent_reader() -> tuple[CameraReader, ScriptedWatcher, SilentCamera, Clock]:
    """Make a reader whose camera may give no pictures."""
    camera = SilentCamera(Clock())
    reader, watcher, _, clock = make_reader(camera=camera)
    return reader, watcher, camera, clock


def test_a_camera_that_stalls_is_reported_and_restored() -> None:
    reader, watcher, camera, clock = make_silent_reader()
    watcher.state = CameraState.STEADY
    reader.poll()
    camera.silent = True
    lost, state = (event for _, event in poll_every(reader, clock, 0.25, 10.0))
    assert isinstance(lost, DeviceLost)
    assert lost.message == "The camera gives no pictures: unplug it and plug it in again"
    assert lost.at == pytest.approx(SILENCE_SECONDS, abs=0.3)
    assert state == CameraStateChanged(CameraState.BLIND, lost.at)
    assert reader.camera_view.state is CameraState.BLIND
    assert camera.opened == 1
    camera.silent = False
    clock.now += 0.2
    # The watcher's state has not changed, but the state on the screen has.
    assert reader.poll() == [DeviceRestored("camera", clock.now), CameraStateChanged(CameraState.STEADY, clock.now)]
    assert reader.camera_view.state is CameraState.STEADY


def test_a_camera_without_pictures_is_not_restored() -> None:
    reader, _, camera, clock = make_silent_reader()
    reader.poll()
    camera.there = False
    assert DeviceLost("camera", clock.now) in reader.poll()
    camera.there, camera.silent = True, True
    clock.now += REOPEN_SECONDS
    assert reader.poll() == []
    camera.silent = False
    assert DeviceRestored("camera", clock.now) in reader.poll()


def test_a_frozen_camera_is_reported_and_restored() -> None:
    reader, watcher, camera, clock = make_silent_reader()
    camera.picture = np.full_like(PICTURE, 120)
    watcher.state = CameraState.BLIND
    lost, state = reader.poll()
    assert lost == DeviceLost("camera", 0.0, "The camera gives no pictures: unplug it and plug it in again")
    assert state == CameraStateChanged(CameraState.BLIND, 0.0)
    assert reader.camera_view.state is CameraState.BLIND
    assert reader.poll() == []
    watcher.state, watcher.events = CameraState.SEARCHING, [CameraStateChanged(CameraState.SEARCHING, 1.0)]
    assert reader.poll() == [DeviceRestored("camera", clock.now), CameraStateChanged(CameraState.SEARCHING, 1.0)]


def test_a_silent_camera_that_is_unplugged_is_reported_as_lost() -> None:
    reader, watcher, camera, clock = make_silent_reader()
    camera.picture = np.full_like(PICTURE, 120)
    watcher.state = CameraState.BLIND
    assert isinstance(reader.poll()[0], DeviceLost)
    camera.there = False
    assert reader.poll() == [DeviceLost("camera", clock.now), CameraStateChanged(CameraState.LOST, clock.now)]
    assert reader.poll() == []


def test_unusable_pictures_count_as_none() -> None:
    reader, _, camera, clock = make_silent_reader()
    reader.poll()
    camera.picture = PICTURE[:1, :1]
    assert isinstance(poll_every(reader, clock, 0.25, 10.0)[0][1], DeviceLost)
    camera.picture = PICTURE
    assert DeviceRestored("camera", clock.now) in reader.poll()


def test_another_resolution_after_plugging_in_is_accepted() -> None:
    reader, watcher, plug, clock = make_reader()
    reader.poll()
    plug.there = False
    reader.poll()
    plug.there, plug.picture = True, np.zeros((48, 64, 3), np.uint8)
    clock.now += REOPEN_SECONDS
    watcher.events = [LidCovered(1.0)]
    assert LidCovered(1.0) in reader.poll()
