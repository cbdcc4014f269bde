"""A simulated button box at the port COM3 of Windows: what pyserial's `Serial` and list of ports are there."""

from __future__ import annotations

from collections.abc import Callable

import serial
from serial.tools.list_ports_common import ListPortInfo

from hardware.buttons.usb_box.ports import BOX_USB_IDS
from tests.doubles.simulated_box import SimulatedBox

DEVICE = "COM3"


class WindowsPort:
    """An open port: no file, and a `read` that waits until enough bytes are there or its time is over.

    Args:
        device: COM3 is there, no other.
        baud_rate: is ignored, as a box with USB of its own does.
        timeout: longest wait of a `read`, in seconds.
        write_timeout: above 0, so that `write` returns when the bytes are sent.
    """

    box: SimulatedBox
    clock: Callable[[], float]
    wait: Callable[[float], None]
    is_plugged = True
    is_busy = False

    def __init__(self, device: str, baud_rate: int, *, timeout: float, write_timeout: float) -> None:
        if not self.is_plugged or device != DEVICE:
            raise serial.SerialException(
                f"could not open port '{device}': FileNotFoundError(2, 'The system cannot find the file.', None, 2)"
            )
        if self.is_busy:
            raise serial.SerialException(
                f"could not open port '{device}': PermissionError(13, 'Access is denied.', None, 5)"
            )
        assert (baud_rate, write_timeout > 0.0) == (115200, True)
        self._timeout, self._arrived = timeout, b""

    def _receive(self) -> None:
        if not self.is_plugged:
            raise serial.SerialException("ClearCommError failed (PermissionError(13, 'Access is denied.', None, 5))")
        self._arrived += self.box.poll(self.clock())

    @property
    def in_waiting(self) -> int:
        self._receive()
        return len(self._arrived)

    def read(self, size: int) -> bytes:
        end = self.clock() + self._timeout
        self._receive()
        while len(self._arrived) < size and (now := self.clock()) < end:
            self.wait(max(0.0001, min(end, self.box.deadline()) - now))
            self._receive()
        data, self._arrived = self._arrived[:size], self._arrived[size:]
        return data

    def write(self, data: bytes) -> int:
        self._receive()
        self.box.feed(data, self.clock())
        return len(data)

    def close(self) -> None:
        pass


def list_windows_ports() -> list[ListPortInfo]:
    """Return what `comports` does: the name of a USB product is not passed on."""
    if not WindowsPort.is_plugged:
        return []
    port = ListPortInfo(DEVICE, skip_link_detection=True)
    port.vid, port.pid = max(BOX_USB_IDS)
    port.description, port.product = f"USB Serial Device ({DEVICE})", None
    other = ListPortInfo("COM1", skip_link_detection=True)
    return [other, port]
