"""Find the serial ports where a button box may be, and open one exclusively and without blocking.

Which of them is tried, and what counts as a foreign device: `driver.py`.
"""

import errno
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, cast

import serial  # type: ignore[import-untyped]  # pyserial has no types
from serial.tools import list_ports  # type: ignore[import-untyped]  # pyserial has no types
from serial.tools.list_ports_common import ListPortInfo  # type: ignore[import-untyped]  # pyserial has no types

from companion.lazy_message import LazyMessage
from hardware.buttons.source import SourceLost

if sys.platform != "win32":
    import termios

BAUD_RATE = 115200
"""Bits per second on the box's UART (firmware_notes/protocol.md)."""

BYTE_SECONDS = 10.0 / BAUD_RATE
"""Time that a byte takes on a real UART: eight data bits, start bit and stop bit."""

BOX_PRODUCT = "button box"
"""Name that a box with USB of its own gives itself as a USB product: our firmware, and the box in CircuitPython.

The USB ids are those of the board, of which there are hundreds, and of whatever else runs on it.
"""

BOX_USB_IDS = frozenset({(0x2E8A, 0x0009), (0x2E8A, 0x000A)})
"""USB ids of our firmware on a Pico 2 and a Pico, for Windows, which does not pass on the name of a USB product."""

BRIDGED_USB_IDS = frozenset(
    {
        (0x2341, 0x0043),  # Arduino Uno
        (0x2341, 0x0001),
        (0x2341, 0x0243),
        (0x2A03, 0x0043),
        (0x1A86, 0x7523),  # CH340, as on most Nanos
        (0x1A86, 0x55D4),  # CH9102
        (0x0403, 0x6001),  # FT232R
        (0x0403, 0x6015),  # FT231X
        (0x10C4, 0xEA60),  # CP2102
    }
)
"""USB vendor and product ids of boards with a USB chip before the microcontroller's UART."""


PORT_PATTERNS = ("ttyACM*", "ttyUSB*", "cu.*usb*")
"""Names of USB serial ports below /dev, on Linux and on macOS."""


READ_SECONDS = 0.02
"""Longest wait in one `read` of a port on Windows. Larger: lamps change later there; smaller: more processor time."""
WRITE_SECONDS = 1.0
"""Time after which a box that takes no bytes counts as unplugged, on Windows."""


class PortError(SourceLost):
    """A port cannot be opened. The message names the reason and the remedy.

    >>> PortError("/dev/ttyACM0 is used by another program").message
    '/dev/ttyACM0 is used by another program'
    """


class PortNotFound(PortError):
    """The port does not exist: nothing is plugged in.

    >>> issubclass(PortNotFound, PortError)
    True
    """


@dataclass(frozen=True, slots=True)
class SerialPort:
    """A port where a box may be.

    >>> SerialPort("/dev/ttyUSB0", is_bridged=True).byte_seconds == BYTE_SECONDS
    True

    Attributes:
        device: path of the device, as in /dev/ttyACM0.
        is_bridged: there is a real UART behind the USB chip, so that bytes take `BYTE_SECONDS`.
        is_named: the settings say that the box is there; otherwise it may be any device with such a chip.
    """

    device: str
    is_bridged: bool = False
    is_named: bool = False

    def find_node(self) -> int:
        """Return the number of the device's file, which is another one after it was plugged in again; 0: no file."""
        try:
            return Path(self.device).stat().st_ino
        except OSError:
            return 0

    @property
    def byte_seconds(self) -> float:
        """Least time that a byte takes on the line, in seconds: `BYTE_SECONDS` if `is_bridged`, else 0.0 (unknown)."""
        return BYTE_SECONDS if self.is_bridged else 0.0


class OpenPort(Protocol):
    """The part of `serial.Serial` that is used."""

    def fileno(self) -> int:
        """Return the file descriptor, for `select`, `os.read` and `os.write`; there is none on Windows.

        Raises:
            OSError: the port was closed.
        """

    @property
    def in_waiting(self) -> int:
        """Number of bytes that have arrived."""

    def read(self, size: int) -> bytes:
        """Return `size` bytes, fewer if the time that the port was opened with is over."""

    def write(self, data: bytes) -> int:
        """Write, and return how many bytes were taken."""

    def close(self) -> None:
        """Close the port.

        Raises:
            OSError: the device was unplugged.
        """


PortFinder = Callable[[], Sequence[SerialPort]]
"""Returns the ports where a box may be now, most likely first; empty if there is none."""

PortOpener = Callable[[SerialPort], OpenPort]
"""Opens a port, or raises `PortError`."""


def make_path_finder(path: str) -> PortFinder:
    """Return a finder of one port, which finds it while its device exists.

    >>> make_path_finder("/dev/null")(), make_path_finder("/no/such/port")()
    ([SerialPort(device='/dev/null', is_bridged=False, is_named=True)], [])

    Args:
        path: the device that the settings name, preferably below /dev/serial/by-id, or as in COM3; it need not
            exist yet.

    Returns:
        A function that returns one port, taken as not bridged, or an empty list; nothing is opened.
    """

    def is_there() -> bool:
        if sys.platform != "win32":
            return Path(path).exists()
        return any(str(port.device).lower() == path.lower() for port in list_ports.comports())

    return lambda: [SerialPort(path, is_named=True)] if is_there() else []


def make_usb_finder(bridged: frozenset[tuple[int, int]] = BRIDGED_USB_IDS) -> PortFinder:
    """Return a finder of the ports of possible boxes: those named `BOX_PRODUCT` first, then those with a known USB id.

    >>> find_ports = make_usb_finder()
    >>> ports = find_ports()
    >>> all(isinstance(port, SerialPort) for port in ports)
    True

    Where the system does not pass on the product's name, those with the USB ids of our firmware come first.

    Args:
        bridged: pairs of USB vendor id and product id of boards with a USB chip before the microcontroller's UART.

    Returns:
        A function that returns the ports that are plugged in when it is called, within each kind by path; empty if
        there is none. Nothing is opened.
    """

    def find() -> list[SerialPort]:
        # Patterns in /dev are cheap to match; the USB descriptors are read only if there is a match.
        if sys.platform != "win32" and not any(True for kind in PORT_PATTERNS for _ in Path("/dev").glob(kind)):
            return []
        ports = sorted(list_ports.comports(), key=lambda port: str(port.device))
        first = [SerialPort(port.device) for port in ports if _is_box(port)]
        return first + [SerialPort(port.device, is_bridged=True) for port in ports if (port.vid, port.pid) in bridged]

    return find


def _is_box(port: ListPortInfo) -> bool:
    if sys.platform == "win32":
        return (port.vid, port.pid) in BOX_USB_IDS
    return bool(port.product == BOX_PRODUCT)


def open_port(port: SerialPort) -> OpenPort:
    """Open a port at 115200 8N1, exclusively for this program and non-blocking; this resets most boards.

    >>> try:
    ...     port = open_port(SerialPort("/no/such/port"))
    ... except PortNotFound:
    ...     print("plug it in")
    ...
    plug it in

    Args:
        port: only its `device` is used.

    Returns:
        The open port, which the caller closes.

    Raises:
        PortNotFound: the device does not exist: it was unplugged.
        PortError: it cannot be opened otherwise; the message names the reason and the remedy.
    """
    if sys.platform == "win32":
        try:
            opened = serial.Serial(port.device, BAUD_RATE, timeout=READ_SECONDS, write_timeout=WRITE_SECONDS)
        except OSError as error:
            raise _make_windows_error(port.device, str(error)) from error
        return cast(OpenPort, opened)
    try:
        opened = serial.Serial(port.device, BAUD_RATE, timeout=0, write_timeout=0, exclusive=True)
    except (OSError, termios.error) as error:  # pyserial's own error is an OSError, termios' is not
        raise _make_port_error(port.device, error) from error
    # FTDI chips delay bytes for 16 ms otherwise. Other chips and ptys do not have this mode.
    with suppress(OSError, ValueError, NotImplementedError, AttributeError):
        opened.set_low_latency_mode(True)
    os.set_blocking(opened.fileno(), False)
    return cast(OpenPort, opened)


def keep_control_lines(port: OpenPort) -> None:
    """Leave the open port's control lines (DTR, RTS) as they are when it is closed and opened again; raises nothing.

    A change of DTR resets most boards: an Arduino, a 3D printer. On Windows each opening changes it.
    """
    if sys.platform == "win32":
        return
    with suppress(OSError, termios.error):
        descriptor = port.fileno()
        flags = termios.tcgetattr(descriptor)
        flags[_CONTROL_FLAGS] &= ~termios.HUPCL
        termios.tcsetattr(descriptor, termios.TCSANOW, flags)


_CONTROL_FLAGS = 2
"""Index of the control flags in the result of `termios.tcgetattr`."""


def _make_windows_error(name: str, message: str) -> PortError:
    """Return what a message of pyserial means, which has the system's error only as a part of its text."""
    if "FileNotFoundError" in message:
        return PortNotFound(LazyMessage("{name} is not there.", name=name))
    if "PermissionError" in message:  # Windows asks nobody's permission for a port
        return PortError(
            LazyMessage("{name} is used by another program: close it (ModemManager, a serial monitor?).", name=name)
        )
    return PortError(LazyMessage("{name} cannot be opened ({why}).", name=name, why=message))


def _make_port_error(name: str, error: Exception) -> PortError:
    number = error.errno if isinstance(error, OSError) else error.args[0]
    if number in (errno.ENOENT, errno.ENXIO, errno.ENODEV, errno.EIO):
        return PortNotFound(LazyMessage("{name} is not there.", name=name))
    if number in (errno.EACCES, errno.EPERM):
        return PortError(
            LazyMessage("No permission to use {name}: sudo usermod -aG dialout $USER, then log in again.", name=name)
        )
    if number in (errno.EBUSY, errno.EAGAIN):
        return PortError(
            LazyMessage("{name} is used by another program: close it (ModemManager, a serial monitor?).", name=name)
        )
    return PortError(LazyMessage("{name} cannot be opened ({why}).", name=name, why=str(error)))
