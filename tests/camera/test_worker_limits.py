"""The camera worker: its pauses and limits in seconds, when it wakes the window, and how it ends."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Any

import pytest

from companion.camera import worker as worker_module
from companion.camera.worker import CameraWorker
from companion.events import CameraState, CameraStateChanged, DeviceLost, DeviceRestored, Event, LidCovered
from companion.screen_state import CameraView
from tests.camera.scripted import Clock
from tests.camera.test_worker import FailingReader, HangingReader, make_worker, start_worker


@pytest.fixture
def clock() -> Clock:
    made = Clock()
    made.now = 1000.0
    return made


class CountedWaits(threading.Event):
    """Records how long the thread waits, without waiting; set after three waits that have a limit."""

    def __init__(self) -> None:
        super().__init__()
        self.waits: list[float | None] = []

    def wait(self, timeout: float | None = None) -> bool:
        if timeout is None:
            return super().wait()
        self.waits.append(timeout)
        if len(self.waits) == 3:
            self.set()
        return self.is_set()


class ThreeTurns:
    """A worker whose thread runs three turns; its waits and how often it woke the window."""

    def __init__(self, patch: pytest.MonkeyPatch, reader: FailingReader, **options: Any) -> None:
        with patch.context() as inner:
            inner.setattr(worker_module.threading, "Event", CountedWaits)
            self.woken = 0
            self.worker = CameraWorker(lambda: reader, self._wake, **options)
        stop = self.worker._stop
        assert isinstance(stop, CountedWaits)
        self.worker.start()
        assert self.worker._thread is not None
        self.worker._thread.join()
        self.waits = stop.waits

    def _wake(self) -> None:
        self.woken += 1


def test_a_worker_polls_sixty_times_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    reader = FailingReader()
    turns = ThreeTurns(monkeypatch, reader)
    assert turns.waits == pytest.approx([1 / 60] * 3)
    assert reader.polls == 3


class ChangingReader(FailingReader):
    """A reader without events whose view may be a new one at each poll."""

    def __init__(self, *, changes: bool) -> None:
        super().__init__()
        self.events, self.changes = [], changes

    def poll(self) -> list[Event]:
        if self.changes:
            self.camera_view = CameraView(CameraState.STEADY)
        return super().poll()


@pytest.mark.parametrize(
    ("make_reader", "woken"),
    [
        (FailingReader, 3),
        (lambda: ChangingReader(changes=True), 3),
        (lambda: ChangingReader(changes=False), 1),
    ],
    ids=["events", "a new view", "only the first view is new"],
)
def test_the_window_is_woken_for_events_and_for_a_new_view(
    make_reader: Callable[[], FailingReader], woken: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ThreeTurns(monkeypatch, make_reader()).woken == woken


@pytest.fixture
def list_new_threads() -> Callable[[], list[threading.Thread]]:
    """Return a function that lists the threads that the test has started and that still run."""
    before = set(threading.enumerate())
    return lambda: [thread for thread in threading.enumerate() if thread not in before]


def test_there_is_one_thread_which_does_not_keep_the_program_alive(
    clock: Clock, list_new_threads: Callable[[], list[threading.Thread]]
) -> None:
    reader = HangingReader()
    worker, _ = start_worker(reader, clock)
    try:
        reader.inside.wait()
        worker.poll()
        worker.poll()
        assert [thread.daemon for thread in list_new_threads()] == [True]
    finally:
        reader.go.set()
        worker.close()
    assert worker._thread is not None
    worker._thread.join()
    worker.poll()
    assert not list_new_threads(), "a closed worker is not started again"


def test_a_worker_that_was_not_started_starts_no_thread(
    clock: Clock, list_new_threads: Callable[[], list[threading.Thread]], caplog: pytest.LogCaptureFixture
) -> None:
    worker = make_worker(FailingReader(), clock)
    assert worker.poll() == []
    assert not list_new_threads()
    worker.close()
    assert not caplog.records, "there was nothing to close"


def test_closing_waits_a_second_at_most(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """The whole program has two seconds to end."""
    reader = HangingReader()
    worker, _ = start_worker(reader, clock)
    waited: list[float | None] = []
    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "join", lambda _self, timeout=None: waited.append(timeout))
        worker.close()
    assert waited == [1.0]
    reader.go.set()
    assert worker._thread is not None
    worker._thread.join()


def test_what_fails_while_closing_is_logged_with_its_cause(clock: Clock, caplog: pytest.LogCaptureFixture) -> None:
    worker = make_worker(FailingReader(), clock)
    worker.poll_reader()
    worker.close()
    assert "OSError: cannot be closed" in caplog.text


def test_a_reader_that_cannot_be_made_needs_no_closing(clock: Clock, caplog: pytest.LogCaptureFixture) -> None:
    def fail() -> Any:
        raise ImportError("no OpenCV")

    worker = CameraWorker(fail, lambda: None, monotonic=clock)
    assert isinstance(worker.poll_reader()[0], DeviceLost)
    assert [record.levelno for record in caplog.records] == [logging.ERROR]
    assert worker.camera_view.state is CameraState.BLIND


def count_restarts(clock: Clock, pause: float) -> list[bool]:
    """Let a reader fail four times, with this pause between two failures; return which discarded the layout."""
    reader = FailingReader()
    reader.failures = 4
    worker = make_worker(reader, clock)
    for _ in range(4):
        worker.poll_reader()
        clock.now += pause
    return reader.restarts


def test_the_third_failure_in_a_row_discards_the_layout(clock: Clock) -> None:
    assert count_restarts(clock, 59.0) == [False, False, True, True]


def test_a_failure_a_minute_later_is_the_first_again(clock: Clock) -> None:
    assert count_restarts(clock, 60.0) == [False] * 4


def test_the_longest_pause_after_a_failure_is_half_a_minute(clock: Clock) -> None:
    reader = FailingReader()
    reader.failures = 8
    worker, at, events = make_worker(reader, clock), list[float](), list[Event]()
    while reader.failures:
        before = reader.polls
        events += worker.poll_reader()
        at += [clock.now - 1000.0] * (reader.polls - before)
        clock.now += 0.5
    assert at == [0.0, 1.0, 3.0, 7.0, 15.0, 31.0, 61.0, 91.0]
    assert len(events) == 2, "reported once"


def test_a_poll_hangs_after_ninety_seconds_the_first_time_and_later_after_fifteen(
    clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    reader = HangingReader()
    worker, _ = start_worker(reader, clock)
    try:
        for limit in (90.0, 15.0):
            reader.inside.wait()
            begun = clock.now
            clock.now = begun + limit - 0.25
            assert worker.poll() == []
            clock.now = begun + limit
            assert worker.poll() == [
                DeviceLost("camera", clock.now, "The camera gives no pictures: unplug it and plug it in again"),
                CameraStateChanged(CameraState.BLIND, clock.now),
            ]
            assert f"has taken {limit:.0f} s" in caplog.records[-1].getMessage()
            assert worker.poll() == []
            reader.done.clear()
            reader.go.set()
            reader.done.wait()
            assert worker.poll() == [
                DeviceRestored("camera", clock.now),
                CameraStateChanged(CameraState.STEADY, clock.now),
                LidCovered(1.0),
            ]
            reader.go.clear()
            reader.inside.clear()
            reader.hangs = True
    finally:
        reader.go.set()
        worker.close()
