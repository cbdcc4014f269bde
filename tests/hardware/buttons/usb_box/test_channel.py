"""The channel of a serial port by the system: on macOS without `poll`, which takes no devices there."""

from __future__ import annotations

import os
import select
import socket
import tty
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from hardware.buttons.usb_box.channel import PortChannel, make_channel


@pytest.fixture(params=["darwin", "linux"])
def opened(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[PortChannel, int, Any]]:
    """A channel, the board's end of its line, and the socket that wakes it."""
    board, port = os.openpty()
    tty.setraw(port)
    os.set_blocking(port, False)
    waker, wake = socket.socketpair()
    with waker, wake:
        monkeypatch.setattr("sys.platform", request.param)
        if request.param == "darwin":
            monkeypatch.delattr(select, "poll")
        descriptor: Any = SimpleNamespace(fileno=lambda: port)
        yield make_channel(descriptor, wake), board, waker
    os.close(port)


def test_bytes_wake_ups_and_an_unplugged_box(opened: tuple[PortChannel, int, Any]) -> None:
    channel, board, waker = opened
    assert channel.wait(0.0, is_writing=False) == b""
    assert channel.wait(60.0, is_writing=True) == b"", "it is writable"
    assert channel.write(b"HELLO") == b""
    assert os.read(board, 100) == b"HELLO"
    os.write(board, b"PRESS")
    assert channel.wait(60.0, is_writing=False) == b"PRESS"
    waker.send(b"x")
    assert channel.wait(60.0, is_writing=False) == b""
    assert channel.wait(0.0, is_writing=False) == b"", "the wake-up was read"
    os.close(board)
    with pytest.raises(OSError, match=r"unplugged|Input/output"):
        channel.wait(60.0, is_writing=False)
