"""Cameras that stall, repeat themselves, give nothing readable, or come back as another."""

from __future__ import annotations

import numpy as np
import pytest

from companion.camera.reader import REOPEN_SECONDS, SILENCE_SECONDS, CameraReader
from companion.events import CameraState, CameraStateChanged, DeviceLost, DeviceRestored, LidCovered
from hardware.cameras.sources import Frame
from tests.camera.scripted import PICTURE, Clock, PluggableCamera, ScriptedWatcher, make_reader


class Quiet(PluggableCamera):
    """A camera that is there and may give nothing."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(clock)
        self.silent = False

    def read(self) -> Frame | None:
        return None if self.silent else super().read()


def quiet_eyes() -> tuple[CameraReader, ScriptedWatcher, Quiet, Clock]:
    clock, watcher = Clock(), ScriptedWatcher()
    camera = Quiet(clock)
    return CameraReader(camera, watcher, clock), watcher, camera, clock


def test_a_camera_that_stalls_is_said_and_taken_back() -> None:
    looking, watcher, camera, clock = quiet_eyes()
    watcher.state = CameraState.STEADY
    looking.poll()
    camera.silent = True
    said = []
    for _ in range(50):  # ten seconds
        clock.now += 0.2
        said += looking.poll()
    lost, state = said
    assert isinstance(lost, DeviceLost)
    assert lost.message == "The camera gives no pictures: pull its plug and put it in again"
    assert lost.at == pytest.approx(SILENCE_SECONDS, abs=0.3)
    assert state == CameraStateChanged(CameraState.BLIND, lost.at)
    assert looking.camera_view.state is CameraState.BLIND
    assert camera.opened == 1
    camera.silent = False
    clock.now += 0.2
    # The state has not changed in the watcher's eyes, and the table must hear of it all the same.
    assert looking.poll() == [DeviceRestored("camera", clock.now), CameraStateChanged(CameraState.STEADY, clock.now)]
    assert looking.camera_view.state is CameraState.STEADY


def test_a_camera_that_stalls_for_long_is_opened_anew() -> None:
    looking, _, camera, clock = quiet_eyes()
    looking.poll()
    camera.silent = True
    for _ in range(80):
        clock.now += 0.2
        looking.poll()
    assert camera.opened == 2
    assert camera.closed == 1


def test_nobody_looked_so_no_picture_was_missed() -> None:
    looking, _, camera, clock = quiet_eyes()
    looking.poll()
    camera.silent = True
    clock.now += 600.0
    assert looking.poll() == []


def test_a_camera_that_comes_back_without_a_picture_is_not_back() -> None:
    looking, _, camera, clock = quiet_eyes()
    looking.poll()
    camera.there = False
    assert DeviceLost("camera", clock.now) in looking.poll()
    camera.there, camera.silent = True, True
    clock.now += REOPEN_SECONDS
    assert looking.poll() == []
    camera.silent = False
    assert DeviceRestored("camera", clock.now) in looking.poll()


def test_a_camera_that_gives_the_same_picture_for_ever_is_said_and_taken_back() -> None:
    looking, watcher, camera, clock = quiet_eyes()
    camera.picture = np.full_like(PICTURE, 120)
    watcher.state = CameraState.BLIND
    lost, state = looking.poll()
    assert lost == DeviceLost("camera", 0.0, "The camera gives no pictures: pull its plug and put it in again")
    assert state == CameraStateChanged(CameraState.BLIND, 0.0)
    assert looking.camera_view.state is CameraState.BLIND
    assert looking.poll() == []
    watcher.state, watcher.events = CameraState.SEARCHING, [CameraStateChanged(CameraState.SEARCHING, 1.0)]
    assert looking.poll() == [DeviceRestored("camera", clock.now), CameraStateChanged(CameraState.SEARCHING, 1.0)]


def test_a_camera_that_gave_no_pictures_and_is_unplugged_then_is_said_to_be_gone() -> None:
    looking, watcher, camera, clock = quiet_eyes()
    camera.picture = np.full_like(PICTURE, 120)
    watcher.state = CameraState.BLIND
    assert isinstance(looking.poll()[0], DeviceLost)
    camera.there = False
    assert looking.poll() == [DeviceLost("camera", clock.now), CameraStateChanged(CameraState.LOST, clock.now)]
    assert looking.poll() == []


def test_a_camera_that_gives_nothing_readable_gives_no_pictures() -> None:
    looking, _, camera, clock = quiet_eyes()
    looking.poll()
    camera.picture = PICTURE[:1, :1]
    said = []
    for _ in range(50):
        clock.now += 0.2
        said += looking.poll()
    assert isinstance(said[0], DeviceLost)
    camera.picture = PICTURE
    assert DeviceRestored("camera", clock.now) in looking.poll()


def test_another_resolution_after_the_replug_is_seen_through() -> None:
    looking, watcher, plug, clock = make_reader()
    looking.poll()
    plug.there = False
    looking.poll()
    plug.there, plug.picture = True, np.zeros((48, 64, 3), np.uint8)
    clock.now += REOPEN_SECONDS
    watcher.events = [LidCovered(1.0)]
    assert LidCovered(1.0) in looking.poll()
