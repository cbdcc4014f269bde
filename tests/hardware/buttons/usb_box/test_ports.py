"""Which serial ports may be a box, how one is opened, and what is said about one that cannot be."""

from __future__ import annotations

import errno
import os
import termios
from collections.abc import Iterator
from pathlib import Path

import pytest
import serial
from serial.tools import list_ports
from serial.tools.list_ports_common import ListPortInfo

from hardware.buttons.usb_box.ports import (
    BOX_PRODUCT,
    BRIDGED_USB_IDS,
    PortError,
    PortNotFound,
    SerialPort,
    keep_control_lines,
    make_path_finder,
    make_usb_finder,
    open_port,
)

COMMON_USB_IDS = {(0x2341, 0x0043), (0x1A86, 0x7523), (0x0403, 0x6001), (0x10C4, 0xEA60)}
"""An Arduino Uno, and the chips CH340, FT232R and CP2102."""


def plug(monkeypatch: pytest.MonkeyPatch, *boards: tuple[str, int, int, str]) -> None:
    """Let the machine have these ports: device, vendor id, product id and name of the product."""
    ports = []
    for device, vendor, product, name in boards:
        port = ListPortInfo(device, skip_link_detection=True)
        port.vid, port.pid, port.product = vendor, product, name
        ports.append(port)
    monkeypatch.setattr(list_ports, "comports", lambda: ports)
    monkeypatch.setattr(Path, "glob", lambda _folder, _pattern: iter([Path("/dev/ttyACM0")]))


@pytest.fixture
def pty() -> Iterator[str]:
    """The path of a terminal that can be opened like a serial port."""
    master, slave = os.openpty()
    yield os.ttyname(slave)
    os.close(master)
    os.close(slave)


def test_boards_are_found_by_their_usb_ids(monkeypatch: pytest.MonkeyPatch) -> None:
    for vendor, product in BRIDGED_USB_IDS | COMMON_USB_IDS:
        plug(monkeypatch, ("/dev/ttyUSB0", vendor, product, "USB Serial"))
        assert make_usb_finder()() == [SerialPort("/dev/ttyUSB0", True)], f"{vendor:04x}:{product:04x}"
    monkeypatch.setattr(Path, "glob", lambda _folder, _pattern: iter(()))
    assert make_usb_finder()() == []


@pytest.mark.parametrize("board", [(0x2E8A, 0x000A), (0x2E8A, 0x0009), (0x239A, 0x80F4), (0x303A, 0x7003)])
def test_boards_with_usb_of_their_own_are_found_by_name_whatever_they_are(
    monkeypatch: pytest.MonkeyPatch, board: tuple[int, int]
) -> None:
    """Our firmware on a Pico and a Pico 2, CircuitPython on a Pico and an ESP32-S3; and other programs on the same."""
    plug(monkeypatch, ("/dev/ttyACM0", *board, BOX_PRODUCT), ("/dev/ttyACM1", *board, "3D printer"))
    assert make_usb_finder()() == [SerialPort("/dev/ttyACM0", is_bridged=False)]


def test_boards_with_usb_of_their_own_come_first_and_then_by_path(monkeypatch: pytest.MonkeyPatch) -> None:
    box = (3, 4, BOX_PRODUCT)
    plug(
        monkeypatch,
        ("/dev/b", 1, 2, ""),
        ("/dev/d", *box),
        ("/dev/c", *box),
        ("/dev/a", 1, 2, ""),
        ("/dev/e", 1, 4, ""),
    )
    find = make_usb_finder(bridged=frozenset({(1, 2)}))
    assert [port.device for port in find()] == ["/dev/c", "/dev/d", "/dev/a", "/dev/b"]


def test_named_port_is_found_while_it_exists_and_not_taken_for_a_uart(tmp_path: Path) -> None:
    path = tmp_path / "box"
    find = make_path_finder(str(path))
    assert find() == []
    path.touch()
    assert find() == [SerialPort(str(path), is_bridged=False, is_named=True)]


class Port:
    """An open port of which only the file is asked for."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def fileno(self) -> int:
        return self._descriptor


def test_control_lines_stay_when_a_port_is_closed() -> None:
    """Without HUPCL the kernel does not drop DTR at the end: the next opening is no edge that resets a board."""
    master, slave = os.openpty()
    flags = termios.tcgetattr(slave)
    flags[2] |= termios.HUPCL
    termios.tcsetattr(slave, termios.TCSANOW, flags)
    keep_control_lines(Port(slave))
    after = termios.tcgetattr(slave)
    assert not after[2] & termios.HUPCL
    assert after[2] | termios.HUPCL == flags[2]
    os.close(slave)
    keep_control_lines(Port(slave))  # it is gone
    os.close(master)


def test_a_byte_takes_ten_bits_on_a_uart() -> None:
    assert SerialPort("/dev/ttyUSB0", is_bridged=True).byte_seconds == 10 / 115200
    assert SerialPort("/dev/ttyACM0").byte_seconds == 0.0


def test_port_is_opened_for_this_program_alone_and_never_blocks(monkeypatch: pytest.MonkeyPatch, pty: str) -> None:
    modes: list[bool] = []
    monkeypatch.setattr(serial.Serial, "set_low_latency_mode", lambda _port, on: modes.append(on))
    opened = open_port(SerialPort(pty))
    try:
        assert isinstance(opened, serial.Serial)
        assert opened.baudrate == 115200
        assert (opened.timeout, opened.write_timeout, os.get_blocking(opened.fileno())) == (0, 0, False)
        assert modes == [True]
        with pytest.raises(PortError, match="used by another program"):
            open_port(SerialPort(pty))
    finally:
        opened.close()
    with pytest.raises(PortNotFound, match="is not there"):
        open_port(SerialPort(f"{pty}-unplugged"))


@pytest.mark.parametrize(
    ("error", "kind", "words"),
    [
        *((OSError(n, ""), PortNotFound, "is not there") for n in (errno.ENOENT, errno.ENXIO, errno.ENODEV, errno.EIO)),
        (termios.error(errno.EIO, "Input/output error"), PortNotFound, "is not there"),
        *((OSError(n, ""), PortError, "No permission") for n in (errno.EACCES, errno.EPERM)),
        *((OSError(n, ""), PortError, "used by another program") for n in (errno.EBUSY, errno.EAGAIN)),
        (termios.error(errno.ENOTTY, "Inappropriate ioctl"), PortError, "cannot be opened .*Inappropriate ioctl"),
    ],
)
def test_port_that_cannot_be_opened_is_explained(
    monkeypatch: pytest.MonkeyPatch, error: Exception, kind: type[PortError], words: str
) -> None:
    def refuse(*_arguments: object, **_options: object) -> None:
        raise error

    monkeypatch.setattr(serial, "Serial", refuse)
    with pytest.raises(PortError, match=words) as raised:
        open_port(SerialPort("/dev/ttyACM0"))
    assert type(raised.value) is kind
