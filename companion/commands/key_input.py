"""Read the keys of a terminal, and what a pipe has given, without waiting.

On Windows this was only simulated (tests/portability), and never tried on a real one.
"""

import os
import queue
import select
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Thread
from typing import TextIO

READ_BYTES = 4096
"""Largest number of bytes read from a pipe at once."""
CONSOLE_PREFIXES = (b"\x00", b"\xe0")
"""Windows' console sends one of these and a second byte for a key without a letter; alone 0xE0 may be a letter."""
CONSOLE_ARROWS = {b"H": "\x1b[A", b"P": "\x1b[B", b"M": "\x1b[C", b"K": "\x1b[D"}
"""By that second byte: what other terminals send for the same key."""


@contextmanager
def unbuffered_keys(terminal: TextIO) -> Iterator[Callable[[], str]]:
    """Switch a terminal to unbuffered input without echo in the block, and restore it afterwards.

    Args:
        terminal: stdin; a pipe or a closed file is allowed.

    Yields:
        A function that returns the characters typed since its last call (at most 64 bytes), without waiting; "": none,
        and always "" if `terminal` is no terminal.

    Raises:
        termios.error: the terminal cannot be switched, for example because it went away.
    """
    if terminal.closed or not terminal.isatty():
        yield lambda: ""
    elif sys.platform == "win32":
        yield _read_console_keys
    else:
        import termios
        import tty

        number = terminal.fileno()
        before = termios.tcgetattr(number)
        tty.setcbreak(number)
        try:
            yield (
                lambda: os.read(number, 64).decode("utf-8", "replace") if select.select([number], [], [], 0)[0] else ""
            )
        finally:
            termios.tcsetattr(number, termios.TCSADRAIN, before)


def _read_console_keys() -> str:
    """Return the characters typed at Windows' console since the last call, arrows as other terminals send them."""
    typed = ""
    if sys.platform == "win32":
        import msvcrt

        while msvcrt.kbhit():
            key = msvcrt.getch()
            if key in CONSOLE_PREFIXES and msvcrt.kbhit():
                typed += CONSOLE_ARROWS.get(msvcrt.getch(), "")
            else:
                typed += key.decode("ascii", "replace")  # the keys that are asked for are digits and English letters
    return typed


def read_lines(stream: TextIO | None) -> Callable[[], str | None]:
    """Return a function that returns what a pipe or file has given since its last call, without waiting.

    It returns None at the end of the input, and always if `stream` cannot be read.

    Args:
        stream: stdin, which is no terminal; None: there is none.
    """
    try:
        number = -1 if stream is None else stream.fileno()
    except (OSError, ValueError):  # closed, or no file at all
        number = -1
    if number < 0:
        return lambda: None
    if sys.platform == "win32":
        return _read_in_thread(number)

    def read() -> str | None:
        if not select.select([number], [], [], 0)[0]:
            return ""
        data = os.read(number, READ_BYTES)
        return data.decode("utf-8", "replace") if data else None

    return read


def _read_in_thread(number: int) -> Callable[[], str | None]:
    """Return what `read_lines` does for a pipe whose `select` takes only sockets: a thread waits for it."""
    waiting: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    has_ended = False

    def fill() -> None:
        with suppress(OSError):  # the other end was closed
            while data := os.read(number, READ_BYTES):
                waiting.put(data)
        waiting.put(b"")

    def read() -> str | None:
        nonlocal has_ended
        if not has_ended:
            try:
                data = waiting.get_nowait()
            except queue.Empty:
                return ""
            has_ended = not data
        return None if has_ended else data.decode("utf-8", "replace")

    Thread(target=fill, name="pipe reader", daemon=True).start()
    return read
