"""Cameras that stall, repeat themselves, give nothing readable, or come back as another."""

from __future__ import annotations

import numpy as np
import pytest

from companion.camera.reader import BACK_OFF, SILENT, Looking
from companion.events import CameraSays, CameraState, DeviceBack, DeviceLost, LidReady
from companion.vision.table.events import LidReadyEvent, State, StateEvent
from hardware.cameras.sources import Frame
from tests.camera.scripted import PICTURE, Clock, Plug, Scripted, eyes


class Quiet(Plug):
    """A camera that is there and may give nothing."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(clock)
        self.silent = False

    def read(self) -> Frame | None:
        return None if self.silent else super().read()


def quiet_eyes() -> tuple[Looking, Scripted, Quiet, Clock]:
    clock, watcher = Clock(), Scripted()
    camera = Quiet(clock)
    return Looking(camera, watcher, clock), watcher, camera, clock


def test_a_camera_that_stalls_is_said_and_taken_back() -> None:
    looking, watcher, camera, clock = quiet_eyes()
    watcher.state = State.STEADY
    looking.look()
    camera.silent = True
    said = []
    for _ in range(50):  # ten seconds
        clock.now += 0.2
        said += looking.look()
    lost, state = said
    assert isinstance(lost, DeviceLost)
    assert lost.words == "The camera gives no pictures: pull its plug and put it in again"
    assert lost.at == pytest.approx(SILENT, abs=0.3)
    assert state == CameraSays(CameraState.BLIND, lost.at)
    assert looking.eyes.state is CameraState.BLIND
    assert camera.opened == 1
    camera.silent = False
    clock.now += 0.2
    # The state has not changed in the watcher's eyes, and the table must hear of it all the same.
    assert looking.look() == [DeviceBack("camera", clock.now), CameraSays(CameraState.STEADY, clock.now)]
    assert looking.eyes.state is CameraState.STEADY


def test_a_camera_that_stalls_for_long_is_opened_anew() -> None:
    looking, _, camera, clock = quiet_eyes()
    looking.look()
    camera.silent = True
    for _ in range(80):
        clock.now += 0.2
        looking.look()
    assert camera.opened == 2
    assert camera.closed == 1


def test_nobody_looked_so_no_picture_was_missed() -> None:
    looking, _, camera, clock = quiet_eyes()
    looking.look()
    camera.silent = True
    clock.now += 600.0
    assert looking.look() == []


def test_a_camera_that_comes_back_without_a_picture_is_not_back() -> None:
    looking, _, camera, clock = quiet_eyes()
    looking.look()
    camera.there = False
    assert DeviceLost("camera", clock.now) in looking.look()
    camera.there, camera.silent = True, True
    clock.now += BACK_OFF
    assert looking.look() == []
    camera.silent = False
    assert DeviceBack("camera", clock.now) in looking.look()


def test_a_camera_that_gives_the_same_picture_for_ever_is_said_and_taken_back() -> None:
    looking, watcher, camera, clock = quiet_eyes()
    camera.picture = np.full_like(PICTURE, 120)
    watcher.state = State.BLIND
    lost, state = looking.look()
    assert lost == DeviceLost("camera", 0.0, "The camera gives no pictures: pull its plug and put it in again")
    assert state == CameraSays(CameraState.BLIND, 0.0)
    assert looking.eyes.state is CameraState.BLIND
    assert looking.look() == []
    watcher.state, watcher.events = State.LOOKING, [StateEvent(State.LOOKING, 1.0)]
    assert looking.look() == [DeviceBack("camera", clock.now), CameraSays(CameraState.LOOKING, 1.0)]


def test_a_camera_that_gave_no_pictures_and_is_unplugged_then_is_said_to_be_gone() -> None:
    looking, watcher, camera, clock = quiet_eyes()
    camera.picture = np.full_like(PICTURE, 120)
    watcher.state = State.BLIND
    assert isinstance(looking.look()[0], DeviceLost)
    camera.there = False
    assert looking.look() == [DeviceLost("camera", clock.now), CameraSays(CameraState.LOST, clock.now)]
    assert looking.look() == []


def test_a_camera_that_gives_nothing_readable_gives_no_pictures() -> None:
    looking, _, camera, clock = quiet_eyes()
    looking.look()
    camera.picture = PICTURE[:1, :1]
    said = []
    for _ in range(50):
        clock.now += 0.2
        said += looking.look()
    assert isinstance(said[0], DeviceLost)
    camera.picture = PICTURE
    assert DeviceBack("camera", clock.now) in looking.look()


def test_another_resolution_after_the_replug_is_seen_through() -> None:
    looking, watcher, plug, clock = eyes()
    looking.look()
    plug.there = False
    looking.look()
    plug.there, plug.picture = True, np.zeros((48, 64, 3), np.uint8)
    clock.now += BACK_OFF
    watcher.events = [LidReadyEvent(1.0)]
    assert LidReady(1.0) in looking.look()
