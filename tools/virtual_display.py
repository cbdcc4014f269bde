"""Start a virtual display (Xvfb) for measurements and for tests with real windows."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def start_virtual_display(width: int, height: int) -> Iterator[str]:
    """Start Xvfb with one screen of that size in pixels; yield its name for $DISPLAY and stop it at the end.

    Raises:
        FileNotFoundError: Xvfb is not installed.
    """
    read, write = os.pipe()
    with os.fdopen(read) as pipe:
        try:
            server = subprocess.Popen(
                [
                    *("Xvfb", "-displayfd", str(write), "-screen", "0", f"{width}x{height}x24"),
                    *("-nolisten", "tcp", "-noreset"),
                ],
                pass_fds=[write],
                stderr=subprocess.DEVNULL,
            )
        finally:
            os.close(write)
        try:
            yield f":{pipe.readline().strip()}"
        finally:
            server.terminate()
            server.wait()
