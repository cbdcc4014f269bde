"""Count what libraries write to the error output past Python: libjpeg, FFmpeg, ALSA, SDL.

A webcam with extraneous bytes makes libjpeg write a line for each frame. They go to descriptor 2, which is a pipe here;
Python's own sys.stderr keeps the real error output.
"""

import faulthandler
import os
import re
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

from companion.log import log

KIND_LETTERS = 8
"""Lines that begin with the same letters count as one kind: "Corrupt JPEG data", "[mjpeg @ 0x...]", "ALSA lib"."""
MAX_KINDS = 20
"""Kinds of lines that are counted apart; more count together."""
MAX_LINE_BYTES = 400
"""Bytes of a line that are read; its rest counts as another line."""


class LineCounter:
    """Counts lines by kind, and chooses those that are worth a line of the log.

    >>> counter = LineCounter()
    >>> [counter.note(f"Corrupt JPEG data: {number} bytes") for number in (3, 4)]
    ['A library writes: Corrupt JPEG data: 3 bytes', None]
    """

    def __init__(self) -> None:
        self._counts = Counter[str]()

    def note(self, line: str) -> str | None:
        """Count a line; return what is to be logged: of each kind the first, the tenth, the hundredth, ... line.

        Names and passwords in addresses are left out.
        """
        kind = line[:KIND_LETTERS]
        if kind not in self._counts and len(self._counts) >= MAX_KINDS:
            kind = ""
        self._counts[kind] += 1
        count = self._counts[kind]
        if str(count).strip("0") != "1":
            return None
        public = re.sub(r"://\S*@", "://", line)
        return f"A library writes: {public}" + (f" ({count} such lines by now)" if count > 1 else "")


@contextmanager
def count_library_output() -> Iterator[None]:
    """Log what others than Python write to the error output in the block, as `LineCounter` chooses it.

    The last words of a library that ends the process are lost; Python's traceback of a crash is not. Without effect on
    Windows, where each library may have descriptors of its own.
    """
    if sys.platform == "win32":
        yield
        return
    try:
        original = os.dup(2)
    except OSError:  # it is closed
        yield
        return
    reading, writing = os.pipe()
    os.set_blocking(writing, False)  # a library that writes faster than it is read loses lines, and never waits
    python_output, is_replaced = sys.stderr, _find_descriptor(sys.stderr) == 2
    if is_replaced:
        sys.stderr = open(  # noqa: SIM115 - handlers of the log use it until the end of the process
            original, "w", buffering=1, encoding=python_output.encoding, errors=python_output.errors, closefd=False
        )
        if faulthandler.is_enabled():
            faulthandler.enable(original)
    os.dup2(writing, 2)
    os.close(writing)
    reader = threading.Thread(target=_read_lines, args=(os.fdopen(reading, "rb"),), name="library-output", daemon=True)
    reader.start()
    try:
        yield
    finally:
        os.dup2(original, 2)
        reader.join(1.0)  # a child that still runs may hold the other end
        sys.stderr = python_output
        if not is_replaced:
            os.close(original)


def _find_descriptor(stream: object) -> int | None:
    try:
        return stream.fileno()  # type: ignore[attr-defined,no-any-return]  # None, or a stream of tests without one
    except (AttributeError, OSError, ValueError):
        return None


def find_error_output() -> int:
    """Return the descriptor of the real error output, for a child process whose lines are not a library's."""
    descriptor = _find_descriptor(sys.stderr)
    return 2 if descriptor is None else descriptor


def _read_lines(pipe: BinaryIO) -> None:
    counter = LineCounter()
    with pipe:
        for line in iter(lambda: pipe.readline(MAX_LINE_BYTES), b""):
            if (text := line.decode("utf-8", "replace").strip()) and (message := counter.note(text)):
                log.warning("%s", message)
