"""A screen of one's own, without a picture for anybody: Xvfb, for measurements and for tests with real windows."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def start_virtual_display(width: int, height: int) -> Iterator[str]:
    """Its name, as $DISPLAY has it, for as long as this lasts.

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
