"""Notifications to systemd through a real socket."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.system import systemd_notify
from companion.system.systemd_notify import MAX_STATUS_LETTERS, STARTUP_GRACE_SECONDS, SystemdNotifier


@pytest.fixture
def door(tmp_path: Path) -> Iterator[socket.socket]:
    """The socket on which systemd would listen."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(tmp_path / "notify"))
        listening.setblocking(False)
        yield listening


def heard(door: socket.socket) -> list[str]:
    messages = []
    while True:
        try:
            messages.append(door.recv(4096).decode())
        except BlockingIOError:
            return messages


def supervisor(door: socket.socket, now: list[float], **environ: str) -> SystemdNotifier:
    return SystemdNotifier({"NOTIFY_SOCKET": door.getsockname(), **environ}, lambda: now[0])


def test_ready_is_sent_once_and_status_on_change(door: socket.socket) -> None:
    reported = supervisor(door, [0.0])
    reported.notify_ready("lobby")
    reported.notify_ready("lobby")
    reported.notify_ready("play")
    assert heard(door) == ["READY=1", "STATUS=lobby", "STATUS=play"]


def test_waiting_counts_as_ready_and_feeds_the_watchdog(door: socket.socket) -> None:
    reported = supervisor(door, [0.0], WATCHDOG_USEC="80000000")
    reported.notify_waiting("a disk")
    reported.notify_waiting("a disk")
    assert heard(door) == ["READY=1", "STATUS=waiting: a disk", "WATCHDOG=1"]


def test_a_long_start_gets_more_time_up_to_a_limit(door: socket.socket, monkeypatch: pytest.MonkeyPatch) -> None:
    reported, extension = supervisor(door, [0.0]), "EXTEND_TIMEOUT_USEC=60000000"
    with reported.extending_start():
        door.setblocking(True)
        assert door.recv(4096).decode() == extension
    door.setblocking(False)
    assert heard(door) == []
    monkeypatch.setattr(systemd_notify, "EXTENSION_INTERVAL_SECONDS", 0.0)
    monkeypatch.setattr(systemd_notify, "MAX_EXTENSIONS", 3)
    with reported.extending_start():
        for thread in threading.enumerate():
            if thread.name == "start timeout":
                thread.join()
    assert heard(door) == [extension] * 3


def test_watchdog_is_fed_four_times_per_timeout(door: socket.socket) -> None:
    now = [100.0]
    reported = supervisor(door, now, WATCHDOG_USEC="10000000", WATCHDOG_PID=str(os.getpid()))
    for turn in range(1000):
        now[0] = 100.0 + turn / 100
        reported.feed_watchdog()
    assert heard(door) == ["WATCHDOG=1"] * 4


def test_watchdog_timeout_is_longer_at_startup(door: socket.socket) -> None:
    now = [100.0]
    reported = supervisor(door, now, WATCHDOG_USEC="10000000")
    reported.notify_ready("lobby")
    assert heard(door) == ["READY=1", "WATCHDOG_USEC=60000000", "STATUS=lobby"]
    now[0] += STARTUP_GRACE_SECONDS - 0.1
    reported.feed_watchdog()
    assert heard(door) == ["WATCHDOG=1"]
    now[0] += 0.2
    reported.feed_watchdog()
    reported.notify_ready("play")
    now[0] += 100
    reported.feed_watchdog()
    assert heard(door) == ["WATCHDOG_USEC=10000000", "STATUS=play", "WATCHDOG=1"]


@pytest.mark.parametrize(
    "environ",
    [{}, {"WATCHDOG_USEC": "0"}, {"WATCHDOG_USEC": "soon"}, {"WATCHDOG_USEC": "10000000", "WATCHDOG_PID": "1"}],
)
def test_no_watchdog_is_not_fed(door: socket.socket, environ: dict[str, str]) -> None:
    reported = supervisor(door, [100.0], **environ)
    reported.feed_watchdog()
    assert heard(door) == []


def test_an_abstract_socket_is_found() -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(f"\0companion-test-{os.getpid()}")
        reported = SystemdNotifier({"NOTIFY_SOCKET": f"@companion-test-{os.getpid()}"})
        reported.notify_stopping()
        assert listening.recv(100) == b"STOPPING=1"


@pytest.mark.parametrize("address", ["", "relative/path", "vsock:2:1"])
def test_without_systemd_nothing_is_sent(address: str) -> None:
    reported = SystemdNotifier({"NOTIFY_SOCKET": address, "WATCHDOG_USEC": "1000"})
    reported.notify_ready("lobby")
    reported.feed_watchdog()
    assert not reported.is_present


def test_status_cannot_contain_another_message(door: socket.socket) -> None:
    """A player's name might have a line break."""
    reported = supervisor(door, [0.0])
    reported.notify_ready("Ada\nMAINPID=1 " + "x" * 1000)
    _ready, message = heard(door)
    assert message.startswith("STATUS=Ada MAINPID=1 ")
    assert len(message) == len("STATUS=") + MAX_STATUS_LETTERS


def test_a_full_queue_or_a_vanished_systemd_is_no_error(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    now = [0.0]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(tmp_path / "notify"))
        reported = supervisor(listening, now, WATCHDOG_USEC="4")
        for turn in range(2000):  # nobody reads: the kernel's queue is full long before
            now[0] = float(turn + 1)
            reported.feed_watchdog()
    reported.notify_stopping()
    assert len(caplog.records) == 1, "said once"
