"""SIGTERM ends the program whatever it waits for."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from companion.system import termination
from companion.system.termination import Terminated, end_at_sigterm, handle_signals_in_loop

PROGRAM = """
import os, signal, sys
from companion import cli
from companion.system import termination
termination.GRACE_SECONDS = 0.05

def wait(_words):
    if sys.argv[1] == "deaf":  # as a main loop that ends at its next turn, and waits for a device
        signal.signal(signal.SIGTERM, lambda *_: None)
    reading, _writing = os.pipe()
    print("waits", flush=True)
    os.read(reading, 1)

cli.run_command = wait
sys.exit(cli.main([]))
"""


@pytest.mark.parametrize(("kind", "status"), [("plain", -signal.SIGTERM), ("deaf", termination.TERMINATED_STATUS)])
def test_a_program_that_waits_ends(kind: str, status: int) -> None:
    """Also if its parent blocks the signal, and it is neither heard by a handler nor by the call that waits."""
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    try:
        process = subprocess.Popen([sys.executable, "-c", PROGRAM, kind], stdout=subprocess.PIPE)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
    with process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == b"waits\n"
            process.send_signal(signal.SIGTERM)
            assert process.wait() == status
        finally:
            process.kill()  # a program that does not end would be waited for beyond the test's time limit


def test_handlers_are_as_before_after_the_block() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(Terminated), end_at_sigterm():
        signal.raise_signal(signal.SIGTERM)
    assert signal.getsignal(signal.SIGTERM) is before
    assert signal.set_wakeup_fd(-1) == -1


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_loop_is_told_and_force_stays_possible(number: signal.Signals) -> None:
    async def wait() -> int:
        stop = asyncio.Event()
        with handle_signals_in_loop(stop.set):
            asyncio.get_running_loop().call_soon(os.kill, os.getpid(), number)
            await stop.wait()
            descriptor = signal.set_wakeup_fd(-1)
            signal.set_wakeup_fd(descriptor)
        return descriptor

    with end_at_sigterm():
        assert asyncio.run(wait()) != -1


def test_nothing_takes_the_signals_from_it() -> None:
    """`loop.add_signal_handler`, and aiohttp's own handlers, would."""
    package = Path(termination.__file__).parent.parent
    for path in [*package.rglob("*.py"), *(package.parent / "hardware").rglob("*.py")]:
        text = path.read_text(encoding="utf-8")
        assert path.name == "termination.py" or "add_signal_handler(" not in text, path
        assert text.count("run_app(") <= text.count("handle_signals=False"), path
