"""Open gpiozero's lgpio pin factory, and no other: a fallback would hide why this one does not work.

A single pin that is in use: `GpioSource.problems` in `driver.py`.

lgpio creates a pipe in its working folder and opens it relative to the process's working folder, so both must be the
same while it is loaded (lg 0.2.2, gpiozero issues 1106 and 1130).
"""

import errno
import os
import re
import struct
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

from companion.lazy_message import LazyMessage
from hardware.buttons.source import SourceLost

if sys.platform != "win32":
    import fcntl

WORKING_FOLDER_VARIABLE = "LG_WD"
"""Environment variable that names lgpio's working folder; the systemd unit sets it to its runtime folder."""

DEVICE_FOLDER = Path("/dev")
"""Folder of the GPIO chips' device nodes."""

HEADER_CHIP_LABELS = frozenset({"pinctrl-bcm2835", "pinctrl-bcm2711", "pinctrl-rp1"})
"""Labels of the chips behind the header's pins: Raspberry Pi 3 and older, 4, and 5, in the kernel's drivers.

The chip's number says nothing: kernels number the chips differently, and other hardware brings chips of its own. Each
label that is added here allows pins of another chip to be driven.
"""

CHIP_INFO_REQUEST = 0x8044B401
"""GPIO_GET_CHIPINFO_IOCTL: reads a chip's description and claims nothing (include/uapi/linux/gpio.h)."""

CHIP_INFO = struct.Struct("32s32sI")
"""`struct gpiochip_info`: name, label and number of lines."""

LGPIO_FACTORY_MODULE = "gpiozero.pins.lgpio"
"""Module with gpiozero's pin factory for lgpio."""

_load_lock = threading.Lock()


class GpioMissing(SourceLost):
    """The pins cannot be used. The message names the reason and the remedy.

    >>> GpioMissing("This is not a Raspberry Pi").message
    'This is not a Raspberry Pi'
    """


class Pin(Protocol):
    """The part of `gpiozero.Pin` that is used.

    >>> from gpiozero.pins.mock import MockFactory
    >>> pin = MockFactory().pin(17)
    >>> pin.input_with_pull("up")
    >>> pin.state
    1

    Each method, and each attribute that is read or set, may raise an error of gpiozero or lgpio (`lgpio.error` is no
    OSError) if the pin does not answer or cannot do it.
    """

    state: float
    """Level of an output, 0 to 1, or of an input, 0 or 1."""
    frequency: float | None
    """PWM frequency in Hz, above 0; None: no PWM. gpiozero raises `PinPWMUnsupported` for a pin without PWM."""
    when_changed: Callable[[float, int], None] | None
    """Called with the tick of each edge, in seconds, and the level after it."""

    def input_with_pull(self, pull: str) -> None:
        """Make the pin an input.

        Args:
            pull: resistor that is switched on: "up" (an open contact reads 1) or "down" (it reads 0).

        Raises:
            Exception: an error of gpiozero or lgpio: the pin is in use or does not answer.
        """

    def output_with_state(self, state: float) -> None:
        """Make the pin an output.

        Args:
            state: its level, 0 (off) or 1 (on).

        Raises:
            Exception: an error of gpiozero or lgpio: the pin is in use or does not answer.
        """

    def close(self) -> None:
        """Release the pin.

        Raises:
            Exception: an error of gpiozero or lgpio: the pin does not answer.
        """


class PinFactory(Protocol):
    """The part of `gpiozero.Factory` that is used.

    >>> from gpiozero.pins.mock import MockFactory
    >>> factory = MockFactory()
    >>> factory.pin(17) is factory.pin(17)
    True
    """

    @property
    def board_info(self) -> Any:
        """The board's description.

        Raises:
            Exception: gpiozero's `PinUnknownPi`: this is no Raspberry Pi.
        """

    @property
    def pins(self) -> MutableMapping[Any, Any]:
        """The pins opened so far, by gpiozero's own description of each; removing one here makes gpiozero forget it."""

    def pin(self, name: int) -> Any:
        """Open a pin and return it as a `Pin`.

        Args:
            name: BCM number of the pin (GPIO17 is 17).

        Raises:
            Exception: an error of gpiozero or lgpio (`lgpio.error` is no OSError): there is no such pin, or it is in
                use.
        """

    def ticks(self) -> float:
        """Return the present time of the clock that stamps the edges (`Pin.when_changed`), in seconds."""

    def close(self) -> None:
        """Release all pins and the chip.

        Raises:
            Exception: an error of gpiozero or lgpio: a pin does not answer.
        """


def open_lgpio() -> PinFactory:
    """Open the GPIO chip behind the header's pins of this Raspberry Pi, model 3, 4 or 5; no pin is opened yet.

    The first call loads lgpio; meanwhile the working folder and $LG_WD of the whole process are changed (see
    `use_lgpio_folder`).

    Returns:
        gpiozero's pin factory, which the caller closes.

    Raises:
        GpioMissing: not a Raspberry Pi, lgpio is missing or cannot be loaded or opened, there is no permission, or
            $LG_WD is no writable folder. No other error passes.
    """
    number = _find_header_chip()
    if find_spec("lgpio") is None:
        raise GpioMissing(LazyMessage("The pins need lgpio: sudo apt install python3-lgpio"))
    try:
        factory = cast(PinFactory, _load().LGPIOFactory(chip=number))
        try:
            # Read here, where the reason is known: opening a pin would fail by it.
            _ = factory.board_info
        except Exception:  # the caller gets no factory that it could close; errors of gpiozero and lgpio have no base
            factory.close()
            raise
        return factory
    except ImportError as error:
        raise GpioMissing(
            LazyMessage("lgpio cannot be loaded ({why}): sudo apt install --reinstall python3-lgpio", why=str(error))
        ) from error
    except GpioMissing:
        raise
    except Exception as error:
        # lgpio.error is no OSError, and gpiozero has exceptions of its own.
        raise GpioMissing(_describe_failure(error)) from error


def _load() -> ModuleType:
    with _load_lock:
        loaded = sys.modules.get(LGPIO_FACTORY_MODULE)
        if loaded is not None:
            return loaded
        with use_lgpio_folder():
            return import_module(LGPIO_FACTORY_MODULE)


def _find_header_chip() -> int:
    """Return the number N of the device /dev/gpiochipN that has the pins of the Raspberry Pi's header.

    Raises:
        GpioMissing: there is no such chip, or no permission to look for it.
    """
    # Raspberry Pi OS links gpiochip4 to gpiochip0 on a Pi 5.
    chips = sorted(path for path in DEVICE_FOLDER.glob("gpiochip*") if not path.is_symlink())
    if not chips:
        raise GpioMissing(LazyMessage("There are no GPIO pins on this machine"))
    others, is_permitted = [], True
    for chip in chips:
        try:
            label = read_chip_label(chip)
        except OSError:
            is_permitted = is_permitted and os.access(chip, os.R_OK | os.W_OK)
            label = "?"
        number = re.fullmatch(r"gpiochip(\d+)", chip.name)
        if number is not None and label in HEADER_CHIP_LABELS:
            return int(number[1])
        others.append(f"{chip.name} {label}")
    if not is_permitted:
        raise GpioMissing(LazyMessage("No permission to use the pins: sudo usermod -aG gpio $USER, then log in again"))
    raise GpioMissing(
        LazyMessage("No GPIO chip here has the pins of a Raspberry Pi ({chips})", chips=", ".join(others))
    )


def read_chip_label(chip: Path) -> str:
    """Return the label that the kernel's driver gives a GPIO chip, as in "pinctrl-rp1".

    >>> read_chip_label(Path("/dev/null"))
    Traceback (most recent call last):
    ...
    OSError: [Errno 25] Inappropriate ioctl for device

    Args:
        chip: path of its device, as in /dev/gpiochip0; it is opened for a moment, and no line of it is claimed.

    Raises:
        OSError: it does not exist, there is no permission to read and write it, or it is no GPIO chip.
    """
    descriptor = os.open(chip, os.O_RDWR)
    try:
        info = fcntl.ioctl(descriptor, CHIP_INFO_REQUEST, bytes(CHIP_INFO.size))
    finally:
        os.close(descriptor)
    return bytes(CHIP_INFO.unpack(info)[1]).rstrip(b"\0").decode(errors="replace")


def _describe_failure(error: Exception) -> LazyMessage:
    if type(error).__name__ == "PinUnknownPi":
        return LazyMessage("This is not a Raspberry Pi: there are no pins for buttons")
    return LazyMessage("The pins cannot be used: {why}", why=describe_error(error))


def describe_error(error: Exception) -> str:
    """Return the message of an exception from gpiozero or lgpio, without the quotes that lgpio puts around it.

    An exception without a message is described by the name of its class.

    >>> describe_error(OSError(2, "No such file"))
    '[Errno 2] No such file'
    """
    return str(error).strip("'\"") or type(error).__name__


@contextmanager
def use_lgpio_folder() -> Iterator[Path]:
    """Change into lgpio's working folder while the `with` block runs: $LG_WD, or else a temporary folder.

    >>> before = Path.cwd()
    >>> with use_lgpio_folder() as folder:
    ...     Path.cwd() == before
    ...
    False
    >>> Path.cwd() == before
    True

    Changes the working folder of the whole process, and sets $LG_WD if it was unset or empty; both are as before at the
    end. The temporary folder is deleted then: lgpio has both ends of its pipe open once it is loaded.

    Returns:
        A context manager that yields the folder.

    Raises:
        GpioMissing: there is no $LG_WD with write permission.
        OSError: the temporary folder cannot be created, $LG_WD is no folder, or the folder from before is unreadable
            (one that was removed is no error at the start; the process then stays in lgpio's folder).
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
    """Return the process's working folder; None if it has been removed."""
    try:
        return Path.cwd()
    except OSError as error:
        if error.errno != errno.ENOENT:
            raise
        return None
