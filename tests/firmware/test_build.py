"""The firmware builds without a warning and leaves room on the chip; its frames are those of the definitions."""

from __future__ import annotations

import ctypes
import random
import re
import subprocess
from pathlib import Path

import pytest

from tests.firmware.host import cobs, crc16, decode, encode
from tests.firmware.simulator import ROOT, Built

FLASH = 32768 - 2048  # less the largest bootloader
RAM = 2048


@pytest.mark.full
def test_firmware_builds_without_warnings(built: Built) -> None:
    assert "-Wall -Wextra -Werror" in built.output
    assert "warning" not in built.output


def test_firmware_fits_on_the_chip(built: Built) -> None:
    done = subprocess.run(
        ["avr-size", "--format=berkeley", built.folder / "buttonbox-atmega328p.elf"],
        check=True,
        capture_output=True,
        text=True,
    )
    text, data, bss = (int(word) for word in done.stdout.splitlines()[1].split()[:3])
    assert text + data < FLASH // 2
    assert data + bss < RAM - 400, "the stack wants room"
    page = Path(ROOT, "README.md").read_text(encoding="utf-8")
    ((code, memory),) = re.findall(r"([\d,]+) of 30,720 bytes; ([\d,]+) of 2,048 bytes", page)
    stated = [int(number.replace(",", "")) for number in (code, memory)]
    assert stated == pytest.approx([text + data, data + bss], rel=0.1), "of another compiler, or another firmware"


@pytest.fixture(scope="module")
def frame_c(built: Built) -> ctypes.CDLL:
    """The firmware's own frame.c, compiled for this machine."""
    library = built.folder / "frame.so"
    source = ROOT / "firmware" / "frame.c"
    subprocess.run(["gcc", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", library, source], check=True)
    return ctypes.CDLL(str(library))


def _payloads() -> list[bytes]:
    dice = random.Random(5)
    some = [bytes(length) for length in range(2, 51)]
    for _ in range(2000):
        zeros = dice.random()
        some.append(bytes(0 if dice.random() < zeros else dice.randrange(256) for _ in range(dice.randint(2, 50))))
    return some


def test_firmware_crc_check_value(frame_c: ctypes.CDLL) -> None:
    crc = 0xFFFF
    for byte in b"123456789":
        crc = frame_c.frame_crc(ctypes.c_uint16(crc), byte) & 0xFFFF
    assert crc == crc16(b"123456789") == 0x29B1


def test_firmware_frames_equal_the_reference_and_are_decoded_unchanged(frame_c: ctypes.CDLL) -> None:
    out = ctypes.create_string_buffer(64)
    for payload in _payloads():
        encoded = encode(payload[0], payload[1], payload[2:])
        length = frame_c.frame_encode(payload, len(payload), out) & 0xFF
        assert out.raw[:length] == encoded
        room = ctypes.create_string_buffer(encoded[:-1], 64)
        length = frame_c.frame_decode(room, len(encoded) - 1) & 0xFF
        assert room.raw[:length] == payload


def test_damaged_frames_are_refused(frame_c: ctypes.CDLL) -> None:
    """Frames with changed bytes or a cut end are refused, unless the Python decoder accepts them, too."""
    dice = random.Random(6)
    for payload in _payloads():
        encoded = bytearray(encode(payload[0], payload[1], payload[2:])[:-1])
        for _ in range(dice.choice((1, 2))):
            encoded[dice.randrange(len(encoded))] = dice.randrange(256)
        if dice.random() < 0.3:
            del encoded[dice.randrange(len(encoded)) :]
        try:
            sound = b"".join((bytes(decode(bytes(encoded))[:2]), decode(bytes(encoded))[2]))
        except ValueError:
            sound = b""
        room = ctypes.create_string_buffer(bytes(encoded), 64)
        length = frame_c.frame_decode(room, len(encoded)) & 0xFF
        assert room.raw[:length] == sound


def test_cobs_example_of_the_protocol() -> None:
    text = Path(ROOT, "protocol.md").read_text(encoding="utf-8")
    assert "`11 00 00 22` becomes `02 11 01 02 22`" in text
    assert cobs(bytes.fromhex("11000022")).hex(" ") == "02 11 01 02 22"
