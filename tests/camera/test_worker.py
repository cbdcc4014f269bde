"""The camera worker: exceptions, hanging polls and dead threads are reported, and the reader is restarted."""

from __future__ import annotations

import logging
import threading
from itertools import pairwise

import pytest

from companion.camera.camera_use import DEFAULT_CAMERA_USE
from companion.camera.worker import (
    FAILURES_BEFORE_DISCARD,
    FIRST_HANG_SECONDS,
    FIRST_RETRY_SECONDS,
    HANG_SECONDS,
    MAX_RETRY_SECONDS,
    RECOVERED_SECONDS,
    STABLE_SECONDS,
    CameraWorker,
)
from companion.events import CameraState, CameraStateChanged, DeviceLost, DeviceRestored, Event, LidCovered
from companion.screen_state import CameraView
from tests.camera.scripted import Clock


class FailingReader:
    """A reader that raises as often as the test wants."""

    def __init__(self) -> None:
        self.camera_use = DEFAULT_CAMERA_USE
        self.camera_view = CameraView(CameraState.STEADY)
        self.failures = 0
        self.error: BaseException = ZeroDivisionError("a lid without a size")
        self.polls = 0
        self.restarts: list[bool] = []
        self.bad_restart = False
        self.events: list[Event] = [LidCovered(1.0)]

    def poll(self) -> list[Event]:
        self.polls += 1
        if self.failures:
            self.failures -= 1
            raise self.error
        return list(self.events)

    def restart(self, *, discard_layout: bool) -> None:
        self.restarts.append(discard_layout)
        if self.bad_restart:
            raise OSError("cannot be closed")

    def close(self) -> None:
        raise OSError("cannot be closed")


def make_worker(reader: FailingReader, clock: Clock) -> CameraWorker:
    """Make a worker that runs in no thread."""
    return CameraWorker(lambda: reader, lambda: None, monotonic=clock)


def start_worker(reader: FailingReader, clock: Clock) -> tuple[CameraWorker, threading.Event]:
    """Start a worker in its thread; also return what is set when it has something new."""
    woken = threading.Event()
    worker = CameraWorker(lambda: reader, woken.set, monotonic=clock)
    worker.start()
    return worker, woken


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_exit_in_vision_code_counts_as_a_failure(clock: Clock) -> None:
    """A library that calls sys.exit() must not end the thread again and again."""
    reader = FailingReader()
    worker = make_worker(reader, clock)
    reader.failures, reader.error = 1, SystemExit(2)
    assert isinstance(worker.poll_reader()[0], DeviceLost)
    polls = reader.polls
    worker.poll_reader()
    assert reader.polls == polls  # it waits


def test_a_failure_is_reported_and_the_reader_restarted(clock: Clock, caplog: pytest.LogCaptureFixture) -> None:
    reader = FailingReader()
    worker = make_worker(reader, clock)
    assert worker.poll_reader() == [LidCovered(1.0)]
    reader.failures = 1
    words = "The camera's pictures cannot be read at the moment; trying again"
    assert worker.poll_reader() == [DeviceLost("camera", 0.0, words), CameraStateChanged(CameraState.BLIND, 0.0)]
    assert worker.camera_view.state is CameraState.BLIND
    assert "ZeroDivisionError" in caplog.text
    assert worker.poll_reader() == []
    clock.now = FIRST_RETRY_SECONDS
    assert worker.poll_reader() == [
        DeviceRestored("camera", FIRST_RETRY_SECONDS),
        CameraStateChanged(CameraState.SEARCHING, FIRST_RETRY_SECONDS),
        LidCovered(1.0),
    ]
    assert worker.camera_view.state is CameraState.STEADY
    assert reader.restarts == [False]


def test_the_reader_has_recovered_once_it_has_seen_something(clock: Clock) -> None:
    """A camera gives its first picture later: if that fails again, the message must not flicker."""
    reader = FailingReader()
    worker = make_worker(reader, clock)
    reader.failures, reader.events = 1, []
    worker.poll_reader()
    clock.now = FIRST_RETRY_SECONDS
    assert worker.poll_reader() == []
    assert worker.camera_view.state is CameraState.BLIND
    reader.failures = 1
    assert worker.poll_reader() == []  # reported already
    clock.now += 2 * FIRST_RETRY_SECONDS
    assert worker.poll_reader() == []
    clock.now += RECOVERED_SECONDS  # where nothing is to be seen on the table
    assert worker.poll_reader() == [
        DeviceRestored("camera", clock.now),
        CameraStateChanged(CameraState.SEARCHING, clock.now),
    ]
    assert worker.camera_view.state is CameraState.STEADY


def test_pauses_grow_and_the_layout_is_discarded_in_the_end(clock: Clock) -> None:
    reader = FailingReader()
    reader.failures = 8
    worker = make_worker(reader, clock)
    events, at = [], []
    while reader.failures:
        before = reader.polls
        events += worker.poll_reader()
        if reader.polls > before:
            at.append(clock.now)
        clock.now += 0.5
    pauses = [later - sooner for sooner, later in pairwise(at)]
    assert pauses == [1.0, 2.0, 4.0, 8.0, 16.0, MAX_RETRY_SECONDS, MAX_RETRY_SECONDS]
    assert len(events) == 2
    assert reader.restarts == [False] * (FAILURES_BEFORE_DISCARD - 1) + [True] * (8 - FAILURES_BEFORE_DISCARD + 1)


def test_a_failure_much_later_counts_as_the_first(clock: Clock) -> None:
    reader = FailingReader()
    worker = make_worker(reader, clock)
    for _ in range(5):
        reader.failures = 1
        worker.poll_reader()
        clock.now += FIRST_RETRY_SECONDS
        assert LidCovered(1.0) in worker.poll_reader()
        clock.now += STABLE_SECONDS
    assert reader.restarts == [False] * 5


def test_a_reader_that_cannot_be_restarted_is_polled_again(clock: Clock) -> None:
    reader = FailingReader()
    reader.bad_restart, reader.failures = True, 1
    worker = make_worker(reader, clock)
    worker.poll_reader()
    clock.now = FIRST_RETRY_SECONDS
    assert LidCovered(1.0) in worker.poll_reader()
    worker.close()


def test_the_thread_survives_a_failure(clock: Clock, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL)
    reader = FailingReader()
    reader.failures = 1
    worker, woken = start_worker(reader, clock)
    try:
        assert woken.wait(10.0)
        assert isinstance(worker.poll()[0], DeviceLost)
        woken.clear()
        clock.now = FIRST_RETRY_SECONDS
        assert woken.wait(10.0)
        assert DeviceRestored("camera", FIRST_RETRY_SECONDS) in worker.poll()
    finally:
        worker.close()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_dead_thread_is_restarted(caplog: pytest.LogCaptureFixture) -> None:
    reader, woken, fatal = FailingReader(), threading.Event(), [SystemExit()]

    def wake() -> None:
        woken.set()
        if fatal:
            raise fatal.pop()

    worker = CameraWorker(lambda: reader, wake)
    worker.start()
    try:
        assert worker._thread is not None
        worker._thread.join(10.0)
        assert not worker._thread.is_alive()
        woken.clear()
        assert worker.poll() == [LidCovered(1.0)]  # its events are not lost
        assert "it is restarted" in caplog.text
        assert woken.wait(10.0)
        assert LidCovered(1.0) in worker.poll()
    finally:
        worker.close()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_thread_that_dies_again_and_again_is_restarted_ever_more_seldom(clock: Clock) -> None:
    def exit_thread() -> None:
        raise SystemExit

    worker = CameraWorker(FailingReader, exit_thread, monotonic=clock)
    worker.start()
    threads = []
    try:
        for step in range(100):
            assert worker._thread is not None
            worker._thread.join(10.0)
            assert not worker._thread.is_alive()
            clock.now = step / 10
            threads.append(worker._thread)
            worker.poll()
    finally:
        worker.close()
    assert len(set(threads)) == 5  # at 0, 1, 3 and 7 s


class HangingReader(FailingReader):
    """A reader whose poll does not return until `go` is set."""

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
def test_a_hanging_poll_is_reported_and_restored(clock: Clock, unplugged: bool) -> None:
    reader = HangingReader()
    worker, _ = start_worker(reader, clock)
    try:
        assert reader.inside.wait(10.0)
        clock.now = FIRST_HANG_SECONDS - 0.1  # OpenCV may come from a slow card
        assert worker.poll() == []
        clock.now = FIRST_HANG_SECONDS
        words = "The camera gives no pictures: unplug it and plug it in again"
        now = clock.now
        assert worker.poll() == [DeviceLost("camera", now, words), CameraStateChanged(CameraState.BLIND, now)]
        assert worker.camera_view.state is CameraState.BLIND
        assert worker.poll() == []
        if unplugged:
            reader.camera_view = CameraView(CameraState.LOST)
        reader.go.set()
        assert reader.done.wait(10.0)
        # The reader itself reports what is wrong with the camera.
        back = [] if unplugged else [DeviceRestored("camera", now), CameraStateChanged(CameraState.STEADY, now)]
        assert worker.poll() == [*back, LidCovered(1.0)]
        assert worker.camera_view is reader.camera_view
    finally:
        reader.go.set()
        worker.close()


def test_later_polls_may_take_less_time_than_the_first(clock: Clock) -> None:
    reader = HangingReader()
    reader.go.set()
    worker, _ = start_worker(reader, clock)
    try:
        assert reader.done.wait(10.0)
        worker.poll()
        reader.go.clear()
        reader.inside.clear()
        reader.hangs = True
        assert reader.inside.wait(10.0)
        clock.now = HANG_SECONDS
        assert isinstance(worker.poll()[0], DeviceLost)
    finally:
        reader.go.set()
        worker.close()


def test_paused_thread_sleeps_until_it_is_resumed_or_closed(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    limits: list[float | None] = []
    is_waiting = threading.Event()
    wait = threading.Condition.wait

    def record_wait(condition: threading.Condition, timeout: float | None = None) -> bool:
        if threading.current_thread().name == "camera":
            limits.append(timeout)
            is_waiting.set()
        return wait(condition, timeout)

    reader, woken = FailingReader(), threading.Event()
    worker = CameraWorker(lambda: reader, woken.set, monotonic=clock, is_paused=True)
    monkeypatch.setattr(threading.Condition, "wait", record_wait)
    worker.start()
    assert is_waiting.wait(10.0)
    assert (limits, reader.polls) == ([None], 0)
    worker.is_paused = False
    assert woken.wait(10.0)
    assert worker.poll() == [LidCovered(1.0)]
    worker.is_paused = True
    worker.close()
    assert worker._thread is not None
    assert not worker._thread.is_alive()
