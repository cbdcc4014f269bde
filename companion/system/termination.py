"""SIGTERM always ends the program: in order if the main thread answers, else by force."""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NoReturn

GRACE_SECONDS = 5.0
"""Time from SIGTERM to the end by force. Longer: more can be closed in order. Shorter: less patience with a device that
does not answer. systemd waits for two seconds only (TimeoutStopSec), then it kills."""
TERMINATED_STATUS = 128 + signal.SIGTERM
"""Exit status that shells show for a process that SIGTERM has ended."""


class Terminated(SystemExit):
    """SIGTERM has arrived in the main thread, where nobody else handles it."""


@contextmanager
def end_at_sigterm() -> Iterator[None]:
    """Let SIGTERM raise `Terminated` in the block, and end the process if the block goes on GRACE_SECONDS later.

    The process also ends if the main thread waits for a device or in a library, or if another handler has been set that
    waits for its turn; but not if asyncio has set that, see `handle_signals_in_loop`. Without effect in other threads,
    and on Windows, which ends a process at once.
    """
    if sys.platform == "win32" or threading.current_thread() is not threading.main_thread():
        yield
        return
    reading, writing = os.pipe()
    os.set_blocking(writing, False)  # as the handler needs it
    is_over = threading.Event()
    previous = signal.signal(signal.SIGTERM, _raise_terminated)
    previous_descriptor = signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    # A parent that blocks it would make the program deaf.
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    watcher = threading.Thread(target=_watch, args=(reading, is_over), name="termination", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        is_over.set()
        signal.set_wakeup_fd(previous_descriptor)
        signal.signal(signal.SIGTERM, previous)
        os.close(writing)
        watcher.join()


def _raise_terminated(*_signal: object) -> NoReturn:
    raise Terminated(TERMINATED_STATUS)


def _watch(reading: int, is_over: threading.Event) -> None:
    """End the process after SIGTERM. Python's own handler runs only when the main thread is back in Python."""
    try:
        while numbers := os.read(reading, 64):
            if signal.SIGTERM in numbers and not is_over.wait(GRACE_SECONDS):
                os._exit(TERMINATED_STATUS)  # every move is on the disk, and there is nothing else to lose
    finally:
        os.close(reading)


def die_by_sigterm() -> int:
    """End this process by SIGTERM, so that its parent sees why it ended; return the status if that cannot be.

    (The first process of a container cannot.)
    """
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    os.kill(os.getpid(), signal.SIGTERM)
    return TERMINATED_STATUS


@contextmanager
def handle_signals_in_loop(handle: Callable[[], object]) -> Iterator[None]:
    """Let SIGTERM and SIGINT call `handle` in the running event loop.

    `loop.add_signal_handler` would take away what ends a program that hangs, see `end_at_sigterm`.

    Args:
        handle: called in the loop's thread, which is the main thread.
    """
    import asyncio  # half of the time that `companion --version` takes

    loop = asyncio.get_running_loop()
    numbers = (signal.SIGTERM, signal.SIGINT)
    previous = [signal.signal(number, lambda *_: loop.call_soon_threadsafe(handle)) for number in numbers]
    try:
        yield
    finally:
        for number, handler in zip(numbers, previous, strict=True):
            signal.signal(number, handler)
