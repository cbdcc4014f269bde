"""gpiozero's lgpio factory, named outright: a fallback to another would hide why this one does not work.

lgpio makes a pipe in its working folder, and reads it from the process's own: both must be the same while it is
loaded (lg 0.2.2, gpiozero issues 1106 and 1130).
"""

from __future__ import annotations

import errno
import os
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol, cast

from hardware.source import SourceLost

VARIABLE = "LG_WD"
"""The environment's name of lgpio's working folder; systemd's StateDirectory goes there."""
CHIPS = Path("/dev")
_loading = threading.Lock()


class GpioMissing(SourceLost):
    """Nothing can be done with the pins. The message says why and what helps."""


class Pin(Protocol):
    """What is used of `gpiozero.Pin`."""

    @property
    def state(self) -> float: ...
    @state.setter
    def state(self, value: float) -> None: ...
    @property
    def frequency(self) -> float | None: ...
    @frequency.setter
    def frequency(self, value: float | None) -> None: ...
    @property
    def when_changed(self) -> Callable[[float, int], None] | None: ...
    @when_changed.setter
    def when_changed(self, value: Callable[[float, int], None] | None) -> None: ...
    def input_with_pull(self, pull: str) -> None: ...
    def output_with_state(self, state: float) -> None: ...
    def close(self) -> None: ...


class Factory(Protocol):
    """What is used of `gpiozero.Factory`."""

    def pin(self, name: int) -> Any: ...
    def ticks(self) -> float: ...
    def close(self) -> None: ...


def open_lgpio() -> Factory:
    """The pins of the Raspberry Pi that this runs on; models 3, 4 and 5.

    Raises:
        GpioMissing: lgpio is not installed or cannot be loaded, this is no Pi, or the pins may not be used.
    """
    try:
        with _loading, working_folder():
            module = import_module("gpiozero.pins.lgpio")
        return cast(Factory, module.LGPIOFactory())
    except ImportError as why:
        raise GpioMissing(
            f"The Pi's pins need lgpio ({why}): sudo apt install python3-lgpio, or pip install lgpio"
        ) from why
    except GpioMissing:
        raise
    except Exception as why:
        raise GpioMissing(_in_words(why)) from why


def _in_words(why: Exception) -> str:
    if type(why).__name__ == "PinUnknownPi":
        return "This is no Raspberry Pi: there are no pins for buttons"
    devices = sorted(CHIPS.glob("gpiochip*"))
    if not devices:
        return "There are no GPIO pins on this machine"
    if not any(os.access(device, os.R_OK | os.W_OK) for device in devices):
        return f"{devices[0]} may not be used: sudo usermod -aG gpio $USER, then log in again"
    return f"The Pi's pins cannot be used: {said(why)}"


def said(why: Exception) -> str:
    """An exception of gpiozero or lgpio in words; lgpio's own stand in quotes.

    >>> said(OSError(2, "No such file"))
    '[Errno 2] No such file'
    """
    return str(why).strip("'\"") or type(why).__name__


@contextmanager
def working_folder() -> Iterator[Path]:
    """Where lgpio makes its pipe: $LG_WD, or a folder that is taken away again once both of the pipe's ends are open.

    Raises:
        GpioMissing: nothing can be written into $LG_WD.
    """
    named = os.environ.get(VARIABLE)
    if named and not os.access(named, os.W_OK | os.X_OK):
        raise GpioMissing(f"{VARIABLE}={named} is not a folder that can be written to: name another, or unset it")
    before = _here()
    with tempfile.TemporaryDirectory(prefix="companion-gpio-", ignore_cleanup_errors=True) as own:
        folder = Path(named or own)
        os.environ[VARIABLE] = str(folder)
        os.chdir(folder)
        try:
            yield folder
        finally:
            if before is not None:
                os.chdir(before)
            if not named:
                del os.environ[VARIABLE]


def _here() -> Path | None:
    """The process's working folder; None: it has been removed."""
    try:
        return Path.cwd()
    except OSError as why:
        if why.errno != errno.ENOENT:
            raise
        return None
