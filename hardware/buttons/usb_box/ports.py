"""Where a button box may be plugged in, and how its port is opened: exclusively, and never waiting."""

from __future__ import annotations

import errno
import os
import termios
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import serial  # type: ignore[import-untyped]
from serial.tools import list_ports  # type: ignore[import-untyped]

from hardware.messages import LazyMessage

BAUD_RATE = 115200
BYTE_SECONDS = 10.0 / BAUD_RATE
"""Seconds that a byte takes on a real UART: eight bits, start and stop."""
NATIVE_USB_IDS = frozenset(
    {
        (0x2341, 0x8036),  # Arduino Leonardo
        (0x2341, 0x8037),  # Arduino Micro
        (0x2A03, 0x8036),
        (0x2A03, 0x8037),
        (0x1B4F, 0x9205),  # SparkFun Pro Micro, 5 V and 3.3 V
        (0x1B4F, 0x9206),
    }
)
"""USB vendor and product of boards whose microcontroller speaks USB itself (ATmega32U4)."""
BRIDGED_USB_IDS = frozenset(
    {
        (0x2341, 0x0043),  # Arduino Uno
        (0x2341, 0x0001),
        (0x2341, 0x0243),
        (0x2A03, 0x0043),
        (0x1A86, 0x7523),  # CH340, as on most Nanos
        (0x0403, 0x6001),  # FTDI
        (0x10C4, 0xEA60),  # CP2102
    }
)
"""Boards with a USB chip before the microcontroller's UART."""


class PortError(OSError):
    """A port cannot be used. `words` say why and what helps; `errno` is the system's."""

    def __init__(self, number: int | None, message: LazyMessage) -> None:
        super().__init__(number, message)
        self.message = message


class PortNotFound(PortError):
    """There is nothing there: not plugged in."""


@dataclass(frozen=True, slots=True)
class SerialPort:
    """A port that a box may be at. `bridged`: there is a real UART behind it, whose bytes take their time."""

    device: str
    is_bridged: bool = False

    @property
    def byte_seconds(self) -> float:
        """Seconds a byte at least, 0.0 where that is not known."""
        return BYTE_SECONDS if self.is_bridged else 0.0


class OpenPort(Protocol):
    """What is used of a `serial.Serial`."""

    def fileno(self) -> int: ...
    def close(self) -> None: ...


PortFinder = Callable[[], Sequence[SerialPort]]
"""The places where a box may be now, likeliest first."""
PortOpener = Callable[[SerialPort], OpenPort]


def make_path_finder(path: str) -> PortFinder:
    """The one place that the settings name, preferably below /dev/serial/by-id."""
    return lambda: [SerialPort(path)] if Path(path).exists() else []


def make_usb_id_finder(
    native: frozenset[tuple[int, int]] = NATIVE_USB_IDS, bridged: frozenset[tuple[int, int]] = BRIDGED_USB_IDS
) -> PortFinder:
    """Whatever is plugged in with a USB id of a board that can be a box; boards that speak USB themselves first."""

    def find() -> list[SerialPort]:
        # A look at two names in /dev is cheap; what is behind them is only asked when there is something.
        if os.name == "posix" and not any(True for kind in ("ttyACM*", "ttyUSB*") for _ in Path("/dev").glob(kind)):
            return []
        ports = sorted(list_ports.comports(), key=lambda port: str(port.device))
        first = [SerialPort(port.device) for port in ports if (port.vid, port.pid) in native]
        return first + [SerialPort(port.device, is_bridged=True) for port in ports if (port.vid, port.pid) in bridged]

    return find


def open_port(place: SerialPort) -> OpenPort:
    """Opens a port at 115200 8N1, for this program alone.

    Raises:
        PortTrouble: it cannot be opened; the message says why and what helps.
    """
    name = place.device
    try:
        port = serial.Serial(name, BAUD_RATE, timeout=0, write_timeout=0, exclusive=True)
    except (OSError, termios.error) as error:  # pyserial's own error is an OSError, termios' is not
        raise _make_port_error(name, error) from error
    # FTDI chips keep bytes back for 16 ms otherwise. Others do not know the word; nor does a pty.
    with suppress(OSError, ValueError, NotImplementedError, AttributeError):
        port.set_low_latency_mode(True)
    os.set_blocking(port.fileno(), False)
    opened: OpenPort = port
    return opened


def _make_port_error(name: str, error: OSError | termios.error) -> PortError:
    number = error.errno if isinstance(error, OSError) else error.args[0]
    if number in (errno.ENOENT, errno.ENXIO, errno.ENODEV, errno.EIO):
        return PortNotFound(number, LazyMessage("{name} is not there.", name=name))
    if number in (errno.EACCES, errno.EPERM):
        rights = LazyMessage("No rights to {name}: sudo usermod -aG dialout $USER, then log in again.", name=name)
        return PortError(number, rights)
    if number in (errno.EBUSY, errno.EAGAIN):
        used = LazyMessage("{name} is used by another program: close it (ModemManager, a serial monitor?).", name=name)
        return PortError(number, used)
    return PortError(number, LazyMessage("{name} cannot be opened: {why}.", name=name, why=str(error)))
