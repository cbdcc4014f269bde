"""Eyes that fall get up again: it is said once, they are made anew after a growing pause, what is learnt goes last."""

from __future__ import annotations

import logging
import threading
from itertools import pairwise

import pytest

from companion.camera.restart_guard import (
    FAILURES_BEFORE_DISCARD,
    FIRST_RETRY_SECONDS,
    MAX_RETRY_SECONDS,
    RECOVERED_SECONDS,
    STABLE_SECONDS,
    RestartGuard,
)
from companion.camera.worker import FIRST_HANG_SECONDS, HANG_SECONDS, CameraWorker
from companion.events import CameraState, CameraStateChanged, DeviceLost, DeviceRestored, Event, LidCovered
from companion.screen_state import CameraView


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


class FailingReader:
    """Eyes that fall as often as they are told to."""

    def __init__(self) -> None:
        self.camera_view = CameraView(CameraState.STEADY)
        self.failures = 0
        self.looked = 0
        self.restarts: list[bool] = []
        self.bad_restart = False
        self.sees: list[Event] = [LidCovered(1.0)]

    def poll(self) -> list[Event]:
        self.looked += 1
        if self.failures:
            self.failures -= 1
            raise ZeroDivisionError("a lid without a size")
        return list(self.sees)

    def restart(self, *, discard_layout: bool) -> None:
        self.restarts.append(discard_layout)
        if self.bad_restart:
            raise OSError("cannot be closed")

    def close(self) -> None:
        raise OSError("cannot be closed")


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_a_fall_is_said_and_they_get_up_again(clock: Clock, caplog: pytest.LogCaptureFixture) -> None:
    looks = FailingReader()
    guarded = RestartGuard(looks, clock)
    assert guarded.poll() == [LidCovered(1.0)]
    looks.failures = 1
    words = "The camera's pictures cannot be read at the moment; it is tried again"
    assert guarded.poll() == [DeviceLost("camera", 0.0, words), CameraStateChanged(CameraState.BLIND, 0.0)]
    assert guarded.camera_view.state is CameraState.BLIND
    assert "ZeroDivisionError" in caplog.text
    assert guarded.poll() == []
    clock.now = FIRST_RETRY_SECONDS
    assert guarded.poll() == [
        DeviceRestored("camera", FIRST_RETRY_SECONDS),
        CameraStateChanged(CameraState.SEARCHING, FIRST_RETRY_SECONDS),
        LidCovered(1.0),
    ]
    assert guarded.camera_view.state is CameraState.STEADY
    assert looks.restarts == [False]


def test_they_are_up_again_when_they_have_seen_something_and_not_before(clock: Clock) -> None:
    """A camera that is opened gives its first picture later: if they fall over that one, the line must not flicker."""
    looks = FailingReader()
    guarded = RestartGuard(looks, clock)
    looks.failures, looks.sees = 1, []
    guarded.poll()
    clock.now = FIRST_RETRY_SECONDS
    assert guarded.poll() == []
    assert guarded.camera_view.state is CameraState.BLIND
    looks.failures = 1
    assert guarded.poll() == []  # said already
    clock.now += 2 * FIRST_RETRY_SECONDS
    assert guarded.poll() == []
    clock.now += RECOVERED_SECONDS  # where nothing is to be seen on the table
    assert guarded.poll() == [DeviceRestored("camera", clock.now), CameraStateChanged(CameraState.SEARCHING, clock.now)]
    assert guarded.camera_view.state is CameraState.STEADY


def test_pauses_grow_and_what_was_learnt_is_suspected_in_the_end(clock: Clock) -> None:
    looks = FailingReader()
    looks.failures = 8
    guarded = RestartGuard(looks, clock)
    said, at = [], []
    while looks.failures:
        before = looks.looked
        said += guarded.poll()
        if looks.looked > before:
            at.append(clock.now)
        clock.now += 0.5
    pauses = [later - sooner for sooner, later in pairwise(at)]
    assert pauses == [1.0, 2.0, 4.0, 8.0, 16.0, MAX_RETRY_SECONDS, MAX_RETRY_SECONDS]
    assert len(said) == 2
    assert looks.restarts == [False] * (FAILURES_BEFORE_DISCARD - 1) + [True] * (8 - FAILURES_BEFORE_DISCARD + 1)


def test_a_fall_much_later_is_a_first_one(clock: Clock) -> None:
    looks = FailingReader()
    guarded = RestartGuard(looks, clock)
    for _ in range(5):
        looks.failures = 1
        guarded.poll()
        clock.now += FIRST_RETRY_SECONDS
        assert LidCovered(1.0) in guarded.poll()
        clock.now += STABLE_SECONDS
    assert looks.restarts == [False] * 5


def test_what_cannot_even_be_closed_does_not_matter(clock: Clock) -> None:
    looks = FailingReader()
    looks.bad_restart, looks.failures = True, 1
    guarded = RestartGuard(looks, clock)
    guarded.poll()
    clock.now = FIRST_RETRY_SECONDS
    assert LidCovered(1.0) in guarded.poll()
    guarded.close()


def test_the_thread_survives(clock: Clock, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL)
    looks, woken = FailingReader(), threading.Event()
    looks.failures = 1
    background = CameraWorker(looks, woken.set, monotonic=clock)
    try:
        assert woken.wait(10.0)
        assert isinstance(background.poll()[0], DeviceLost)
        woken.clear()
        clock.now = FIRST_RETRY_SECONDS
        assert woken.wait(10.0)
        assert DeviceRestored("camera", FIRST_RETRY_SECONDS) in background.poll()
    finally:
        background.close()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_thread_that_dies_is_started_anew(caplog: pytest.LogCaptureFixture) -> None:
    looks, woken, fatal = FailingReader(), threading.Event(), [SystemExit()]

    def wake() -> None:
        woken.set()
        if fatal:
            raise fatal.pop()

    background = CameraWorker(looks, wake)
    try:
        background._thread.join(10.0)
        assert not background._thread.is_alive()
        woken.clear()
        assert background.poll() == [LidCovered(1.0)]  # what it saw is not lost
        assert "is started anew" in caplog.text
        assert woken.wait(10.0)
        assert LidCovered(1.0) in background.poll()
    finally:
        background.close()


class Hanging(FailingReader):
    """Eyes whose look does not come back until it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.go, self.inside, self.done = threading.Event(), threading.Event(), threading.Event()
        self.hangs = True

    def poll(self) -> list[Event]:
        if not self.hangs:
            self.done.set()
            return []
        self.hangs = False
        self.inside.set()
        assert self.go.wait(10.0)
        return super().poll()


@pytest.mark.parametrize("unplugged", [False, True])
def test_a_look_that_hangs_is_said_and_taken_back(clock: Clock, unplugged: bool) -> None:
    looks, woken = Hanging(), threading.Event()
    background = CameraWorker(looks, woken.set, monotonic=clock)
    try:
        assert looks.inside.wait(10.0)
        clock.now = FIRST_HANG_SECONDS - 0.1  # OpenCV may come from a slow card
        assert background.poll() == []
        clock.now = FIRST_HANG_SECONDS
        words = "The camera gives no pictures: pull its plug and put it in again"
        now = clock.now
        assert background.poll() == [DeviceLost("camera", now, words), CameraStateChanged(CameraState.BLIND, now)]
        assert background.camera_view.state is CameraState.BLIND
        assert background.poll() == []
        if unplugged:
            looks.camera_view = CameraView(CameraState.LOST)
        looks.go.set()
        assert looks.done.wait(10.0)
        # What is wrong with the camera itself its own signals say.
        back = [] if unplugged else [DeviceRestored("camera", now), CameraStateChanged(CameraState.STEADY, now)]
        assert background.poll() == [*back, LidCovered(1.0)]
        assert background.camera_view is looks.camera_view
    finally:
        looks.go.set()
        background.close()


def test_from_the_second_look_on_less_patience_is_needed(clock: Clock) -> None:
    looks, woken = Hanging(), threading.Event()
    looks.go.set()
    background = CameraWorker(looks, woken.set, monotonic=clock)
    try:
        assert looks.done.wait(10.0)
        background.poll()
        looks.go.clear()
        looks.inside.clear()
        looks.hangs = True
        assert looks.inside.wait(10.0)
        clock.now = HANG_SECONDS
        assert isinstance(background.poll()[0], DeviceLost)
    finally:
        looks.go.set()
        background.close()
