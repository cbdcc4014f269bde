"""The camera worker: exceptions, hanging polls and dead threads are reported, and the reader is restarted."""

from __future__ import annotations

import logging
import threading

import pytest

from companion.camera.camera_use import DEFAULT_CAMERA_USE
from companion.camera.worker import (
    FIRST_HANG_SECONDS,
    FIRST_RETRY_SECONDS,
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


@pytest.fixture
def reader() -> FailingReader:
    return FailingReader()


@pytest.fixture
def worker(reader: FailingReader, clock: Clock) -> CameraWorker:
    """A worker that runs in no thread."""
    return make_worker(reader, clock)


def test_exit_in_vision_code_counts_as_a_failure(reader: FailingReader, worker: CameraWorker, clock: Clock) -> None:
    """A library that calls sys.exit() must not end the thread again and again."""
    reader.failures, reader.error = 1, SystemExit(2)
    assert isinstance(worker.poll_reader()[0], DeviceLost)
    polls = reader.polls
    worker.poll_reader()
    assert reader.polls == polls  # it waits


def test_a_failure_is_reported_and_the_reader_restarted(
    reader: FailingReader, worker: CameraWorker, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
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


def test_the_reader_has_recovered_once_it_has_seen_something(
    reader: FailingReader, worker: CameraWorker, clock: Clock
) -> None:
    """A camera gives its first picture later: if that fails again, the message must not flicker."""
    reader.failures, reader.events = 1, []
    worker.poll_reader()
    clock.now = FIRST_RETRY_SECONDS
    assert worker.poll_reader() == []
    assert worker.camera_view.state is CameraState.BLIND
    reader.failures = 1
    assert worker.poll_reader() == []  # reported already
    clock.now += 2 * FIRST_RETRY_SECONDS
    assert worker.poll_reader() == []
    clock.now += 2.75
    assert worker.poll_reader() == []
    clock.now += 0.25  # three seconds in which nothing is to be seen on the table
    assert worker.poll_reader() == [
        DeviceRestored("camera", clock.now),
        CameraStateChanged(CameraState.SEARCHING, clock.now),
    ]
    assert worker.camera_view.state is CameraState.STEADY


def test_a_reader_that_cannot_be_restarted_is_polled_again(
    reader: FailingReader, worker: CameraWorker, clock: Clock
) -> None:
    reader.bad_restart, reader.failures = True, 1
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
        woken.wait()
        assert isinstance(worker.poll()[0], DeviceLost)
        woken.clear()
        clock.now = FIRST_RETRY_SECONDS
        woken.wait()
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
        worker._thread.join()
        assert not worker._thread.is_alive()
        woken.clear()
        assert worker.poll() == [LidCovered(1.0)]  # its events are not lost
        assert "it is restarted" in caplog.text
        woken.wait()
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
            worker._thread.join()
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
        self.go.wait()
        return super().poll()


def test_a_hanging_poll_that_ends_without_a_camera_restores_none(clock: Clock) -> None:
    reader = HangingReader()
    worker, _ = start_worker(reader, clock)
    try:
        reader.inside.wait()
        clock.now = FIRST_HANG_SECONDS
        assert isinstance(worker.poll()[0], DeviceLost)
        assert worker.camera_view.state is CameraState.BLIND
        reader.camera_view = CameraView(CameraState.LOST)
        reader.go.set()
        reader.done.wait()
        assert worker.poll() == [LidCovered(1.0)], "the reader itself reports what is wrong with the camera"
        assert worker.camera_view is reader.camera_view
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
    is_waiting.wait()
    assert (limits, reader.polls) == ([None], 0)
    worker.is_paused = False
    woken.wait()
    assert worker.poll() == [LidCovered(1.0)]
    worker.is_paused = True
    worker.close()
    assert worker._thread is not None
    assert not worker._thread.is_alive()
