"""gpiozero's lgpio factory, named outright: a fallback to another would hide why this one does not work.

lgpio makes a pipe in its working folder, and reads it from the process's own: both must be the same while it is
loaded (lg 0.2.2, gpiozero issues 1106 and 1130).
"""

from __future__ import annotations

import errno
import os
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, MutableMapping
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol, cast

from hardware.buttons.source import SourceLost
from hardware.messages import LazyMessage

WORKING_FOLDER_VARIABLE = "LG_WD"
"""The environment's name of lgpio's working folder; systemd's StateDirectory goes there."""
DEVICE_FOLDER = Path("/dev")
LGPIO_FACTORY_MODULE = "gpiozero.pins.lgpio"
_load_lock = threading.Lock()


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


class PinFactory(Protocol):
    """What is used of `gpiozero.Factory`."""

    @property
    def pins(self) -> MutableMapping[Any, Any]: ...
    def pin(self, name: int) -> Any: ...
    def ticks(self) -> float: ...
    def close(self) -> None: ...


def open_lgpio() -> PinFactory:
    """The pins of the Raspberry Pi that this runs on; models 3, 4 and 5.

    Raises:
        GpioMissing: this is no Pi, lgpio is not installed or cannot be loaded, or the pins may not be used.
    """
    if not _list_chips():
        raise GpioMissing(LazyMessage("There are no GPIO pins on this machine"))
    if find_spec("lgpio") is None:
        raise GpioMissing(LazyMessage("The pins need lgpio: sudo apt install python3-lgpio"))
    try:
        return cast(PinFactory, _load().LGPIOFactory())
    except ImportError as why:
        broken = LazyMessage("lgpio cannot be loaded ({why}): sudo apt install --reinstall python3-lgpio", why=str(why))
        raise GpioMissing(broken) from why
    except GpioMissing:
        raise
    except Exception as why:
        # lgpio.error is no OSError, and gpiozero has exceptions of its own.
        raise GpioMissing(_describe_failure(why)) from why


def _load() -> ModuleType:
    with _load_lock:
        loaded = sys.modules.get(LGPIO_FACTORY_MODULE)
        if loaded is not None:
            return loaded
        with use_lgpio_folder():
            return import_module(LGPIO_FACTORY_MODULE)


def _list_chips() -> list[Path]:
    return sorted(DEVICE_FOLDER.glob("gpiochip*"))


def _describe_failure(why: Exception) -> str:
    if type(why).__name__ == "PinUnknownPi":
        return LazyMessage("This is no Raspberry Pi: there are no pins for buttons")
    if not any(os.access(chip, os.R_OK | os.W_OK) for chip in _list_chips()):
        return LazyMessage("The pins may not be used: sudo usermod -aG gpio $USER, then log in again")
    return LazyMessage("The pins cannot be used: {why}", why=describe_error(why))


def describe_error(error: Exception) -> str:
    """An exception of gpiozero or lgpio in words; lgpio's own stand in quotes.

    >>> describe_error(OSError(2, "No such file"))
    '[Errno 2] No such file'
    """
    return str(error).strip("'\"") or type(error).__name__


@contextmanager
def use_lgpio_folder() -> Iterator[Path]:
    """Where lgpio makes its pipe: $LG_WD, or a folder that is taken away again once both of the pipe's ends are open.

    Raises:
        GpioMissing: nothing can be written into $LG_WD.
    """
    named = os.environ.get(WORKING_FOLDER_VARIABLE)
    if named and not os.access(named, os.W_OK | os.X_OK):
        raise GpioMissing(
            LazyMessage(
                "{name}={folder} is not a folder that can be written to: name another, or unset it",
                name=WORKING_FOLDER_VARIABLE,
                folder=named,
            )
        )
    before = _get_working_folder()
    with tempfile.TemporaryDirectory(prefix="companion-gpio-", ignore_cleanup_errors=True) as own:
        folder = Path(named or own)
        os.environ[WORKING_FOLDER_VARIABLE] = str(folder)
        os.chdir(folder)
        try:
            yield folder
        finally:
            if before is not None:
                os.chdir(before)
            if not named:
                del os.environ[WORKING_FOLDER_VARIABLE]


def _get_working_folder() -> Path | None:
    """The process's working folder; None: it has been removed."""
    try:
        return Path.cwd()
    except OSError as why:
        if why.errno != errno.ENOENT:
            raise
        return None
