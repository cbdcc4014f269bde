"""`companion porch` as a whole: how it ends. Who gets the page: test_page.py."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import socket
import warnings
from pathlib import Path

import pytest

from companion.config.settings import PorchSettings
from companion.porch.service import run_porch


def test_a_port_in_use_leaves_nothing_behind(tmp_path: Path) -> None:
    """A job that was made and never begun is a warning behind the message, and here an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # sockets of earlier tests in this process
        gc.collect()
    with socket.create_server(("127.0.0.1", 0)) as other:
        settings = PorchSettings(port=other.getsockname()[1], mqtt="127.0.0.1:1", mqtt_tls=False)
        with pytest.raises(OSError, match="address already in use"):
            asyncio.run(run_porch(settings, tmp_path / "s"))
    gc.collect()


def test_sigterm_ends_it_in_order(tmp_path: Path) -> None:
    before = signal.getsignal(signal.SIGTERM)
    settings = PorchSettings(port=find_free_port())
    asyncio.run(run_porch(settings, tmp_path / "s", lambda _address, _port: os.kill(os.getpid(), signal.SIGTERM)))
    assert signal.getsignal(signal.SIGTERM) is before


def find_free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])
