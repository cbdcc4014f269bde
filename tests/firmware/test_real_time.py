"""The simulated box in real time, on a pty."""

from __future__ import annotations

import os
import select
import struct
import time
import tty

import pytest

from tests.firmware.host import ACK, EVENT, HELLO, LAMPS, WELCOME, decode, encode
from tests.firmware.simulator import ATMEGA, Built, Live, SimulatedBoard

PATIENCE = 200.0
"""Time limit in seconds, generous for busy machines."""


class Port:
    """The pty's host side."""

    def __init__(self, name: str) -> None:
        self._file = os.open(name, os.O_RDWR | os.O_NOCTTY)
        tty.setraw(self._file)
        self._buffer = b""

    def __enter__(self) -> Port:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._file)

    def send(self, data: bytes) -> None:
        os.write(self._file, data)

    def wait_for(self, wanted: int, resend: bytes = b"") -> tuple[int, bytes]:
        """Return seq and body of the next valid frame of a type; send `resend` every 250 ms until it arrives."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            while b"\0" in self._buffer:
                encoded, _, self._buffer = self._buffer.partition(b"\0")
                try:
                    kind, seq, body = decode(encoded)
                except ValueError:
                    continue
                if kind == wanted:
                    return seq, body
            if resend:
                self.send(resend)
            if select.select([self._file], [], [], 0.25)[0]:
                self._buffer += os.read(self._file, 4096)
        raise AssertionError(f"no frame of type {wanted:#x} in {PATIENCE} seconds")


def test_press_and_lamp_in_real_time(request: pytest.FixtureRequest, board: SimulatedBoard) -> None:
    built = request.getfixturevalue("built" if board is ATMEGA else "built_pico")
    with Live(built.folder, board) as box, Port(box.port) as port:
        hello = b"\0" + encode(HELLO, 0, struct.pack("<BH", 1, 4711))
        assert port.wait_for(WELCOME, resend=hello)[1][:3] == struct.pack("<BH", 1, 4711)
        box.tell("pin +1000 6 1")
        seq, body = port.wait_for(EVENT)
        port.send(encode(ACK, 0, bytes([seq + 1])))
        _, button, level, tick, levels = struct.unpack("<HBBIH", body)
        assert (button, level, levels) == (6, 1, 1 << 6)
        box.look_at_lamps()  # its answer follows the report of the pin on the same line
        at, pressed, _ = box.pins[0]
        assert pressed == 6
        assert -1 < tick + box.clock_at - at < box.board.most_late
        port.send(encode(LAMPS, 0, bytes([1] * 10)))
        port.wait_for(ACK)
        end = time.monotonic() + PATIENCE
        while box.look_at_lamps() != [1000] * 10:
            assert time.monotonic() < end


def test_boot_id_is_kept_across_simulator_runs(built: Built) -> None:
    boots = []
    for nonce in (1, 2):
        with Live(built.folder, ATMEGA, "", "--eeprom", str(built.folder / "eeprom")) as box, Port(box.port) as port:
            hello = b"\0" + encode(HELLO, 0, struct.pack("<BH", 1, nonce))
            boots.append(struct.unpack("<I", port.wait_for(WELCOME, resend=hello)[1][6:10])[0])
            box.tell("quit")
            box._process.wait(PATIENCE)
    assert boots[1] == boots[0] + 1
