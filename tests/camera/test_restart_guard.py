"""Eyes that fall get up again: it is said once, they are made anew after a growing pause, what is learnt goes last."""

from __future__ import annotations

import logging
import threading
from itertools import pairwise

import pytest

from companion.camera.restart_guard import FORGET, LONGEST, PAUSE, STEADY, SURE, Guarded
from companion.camera.worker import FIRST_HANGS, HANGS, Background
from companion.events import CameraSays, CameraState, DeviceBack, DeviceLost, LidReady, Signal
from companion.screen_state import Eyes


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


class Stumbling:
    """Eyes that fall as often as they are told to."""

    def __init__(self) -> None:
        self.eyes = Eyes(CameraState.STEADY)
        self.falls = 0
        self.looked = 0
        self.restarts: list[bool] = []
        self.bad_restart = False
        self.sees: list[Signal] = [LidReady(1.0)]

    def look(self) -> list[Signal]:
        self.looked += 1
        if self.falls:
            self.falls -= 1
            raise ZeroDivisionError("a lid without a size")
        return list(self.sees)

    def restart(self, *, forget: bool) -> None:
        self.restarts.append(forget)
        if self.bad_restart:
            raise OSError("cannot be closed")

    def close(self) -> None:
        raise OSError("cannot be closed")


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_a_fall_is_said_and_they_get_up_again(clock: Clock, caplog: pytest.LogCaptureFixture) -> None:
    looks = Stumbling()
    guarded = Guarded(looks, clock)
    assert guarded.look() == [LidReady(1.0)]
    looks.falls = 1
    words = "The camera's pictures cannot be read at the moment; it is tried again"
    assert guarded.look() == [DeviceLost("camera", 0.0, words), CameraSays(CameraState.BLIND, 0.0)]
    assert guarded.eyes.state is CameraState.BLIND
    assert "ZeroDivisionError" in caplog.text
    assert guarded.look() == []
    clock.now = PAUSE
    assert guarded.look() == [DeviceBack("camera", PAUSE), CameraSays(CameraState.LOOKING, PAUSE), LidReady(1.0)]
    assert guarded.eyes.state is CameraState.STEADY
    assert looks.restarts == [False]


def test_they_are_up_again_when_they_have_seen_something_and_not_before(clock: Clock) -> None:
    """A camera that is opened gives its first picture later: if they fall over that one, the line must not flicker."""
    looks = Stumbling()
    guarded = Guarded(looks, clock)
    looks.falls, looks.sees = 1, []
    guarded.look()
    clock.now = PAUSE
    assert guarded.look() == []
    assert guarded.eyes.state is CameraState.BLIND
    looks.falls = 1
    assert guarded.look() == []  # said already
    clock.now += 2 * PAUSE
    assert guarded.look() == []
    clock.now += SURE  # where nothing is to be seen on the table
    assert guarded.look() == [DeviceBack("camera", clock.now), CameraSays(CameraState.LOOKING, clock.now)]
    assert guarded.eyes.state is CameraState.STEADY


def test_pauses_grow_and_what_was_learnt_is_suspected_in_the_end(clock: Clock) -> None:
    looks = Stumbling()
    looks.falls = 8
    guarded = Guarded(looks, clock)
    said, at = [], []
    while looks.falls:
        before = looks.looked
        said += guarded.look()
        if looks.looked > before:
            at.append(clock.now)
        clock.now += 0.5
    pauses = [later - sooner for sooner, later in pairwise(at)]
    assert pauses == [1.0, 2.0, 4.0, 8.0, 16.0, LONGEST, LONGEST]
    assert len(said) == 2
    assert looks.restarts == [False] * (FORGET - 1) + [True] * (8 - FORGET + 1)


def test_a_fall_much_later_is_a_first_one(clock: Clock) -> None:
    looks = Stumbling()
    guarded = Guarded(looks, clock)
    for _ in range(5):
        looks.falls = 1
        guarded.look()
        clock.now += PAUSE
        assert LidReady(1.0) in guarded.look()
        clock.now += STEADY
    assert looks.restarts == [False] * 5


def test_what_cannot_even_be_closed_does_not_matter(clock: Clock) -> None:
    looks = Stumbling()
    looks.bad_restart, looks.falls = True, 1
    guarded = Guarded(looks, clock)
    guarded.look()
    clock.now = PAUSE
    assert LidReady(1.0) in guarded.look()
    guarded.close()


def test_the_thread_survives(clock: Clock, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL)
    looks, woken = Stumbling(), threading.Event()
    looks.falls = 1
    background = Background(looks, woken.set, monotonic=clock)
    try:
        assert woken.wait(10.0)
        assert isinstance(background.look()[0], DeviceLost)
        woken.clear()
        clock.now = PAUSE
        assert woken.wait(10.0)
        assert DeviceBack("camera", PAUSE) in background.look()
    finally:
        background.close()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_thread_that_dies_is_started_anew(caplog: pytest.LogCaptureFixture) -> None:
    looks, woken, fatal = Stumbling(), threading.Event(), [SystemExit()]

    def wake() -> None:
        woken.set()
        if fatal:
            raise fatal.pop()

    background = Background(looks, wake)
    try:
        background._thread.join(10.0)
        assert not background._thread.is_alive()
        woken.clear()
        assert background.look() == [LidReady(1.0)]  # what it saw is not lost
        assert "is started anew" in caplog.text
        assert woken.wait(10.0)
        assert LidReady(1.0) in background.look()
    finally:
        background.close()


class Hanging(Stumbling):
    """Eyes whose look does not come back until it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.go, self.inside, self.done = threading.Event(), threading.Event(), threading.Event()
        self.hangs = True

    def look(self) -> list[Signal]:
        if not self.hangs:
            self.done.set()
            return []
        self.hangs = False
        self.inside.set()
        assert self.go.wait(10.0)
        return super().look()


@pytest.mark.parametrize("unplugged", [False, True])
def test_a_look_that_hangs_is_said_and_taken_back(clock: Clock, unplugged: bool) -> None:
    looks, woken = Hanging(), threading.Event()
    background = Background(looks, woken.set, monotonic=clock)
    try:
        assert looks.inside.wait(10.0)
        clock.now = FIRST_HANGS - 0.1  # OpenCV may come from a slow card
        assert background.look() == []
        clock.now = FIRST_HANGS
        words = "The camera gives no pictures: pull its plug and put it in again"
        now = clock.now
        assert background.look() == [DeviceLost("camera", now, words), CameraSays(CameraState.BLIND, now)]
        assert background.eyes.state is CameraState.BLIND
        assert background.look() == []
        if unplugged:
            looks.eyes = Eyes(CameraState.LOST)
        looks.go.set()
        assert looks.done.wait(10.0)
        # What is wrong with the camera itself its own signals say.
        back = [] if unplugged else [DeviceBack("camera", now), CameraSays(CameraState.STEADY, now)]
        assert background.look() == [*back, LidReady(1.0)]
        assert background.eyes is looks.eyes
    finally:
        looks.go.set()
        background.close()


def test_from_the_second_look_on_less_patience_is_needed(clock: Clock) -> None:
    looks, woken = Hanging(), threading.Event()
    looks.go.set()
    background = Background(looks, woken.set, monotonic=clock)
    try:
        assert looks.done.wait(10.0)
        background.look()
        looks.go.clear()
        looks.inside.clear()
        looks.hangs = True
        assert looks.inside.wait(10.0)
        clock.now = HANGS
        assert isinstance(background.look()[0], DeviceLost)
    finally:
        looks.go.set()
        background.close()
