"""The Pico 2's firmware: addresses and image block against the chip's tables, and a run in an emulated processor."""

from __future__ import annotations

import re
import struct
import subprocess
from pathlib import Path

import pytest

from tests.firmware.host import ACK, COLOURS, EVENT, HELLO, LAMPS, PING, PONG, WELCOME, decode, encode
from tests.firmware.rp2350_map import ADDRESSES, CONSTANTS, REGISTERS
from tests.firmware.simulator import ROOT, Built
from tests.firmware.test_pico import FAMILY_RP2350, read_family

PICO = ROOT / "firmware" / "pico"
FLASH_AT, RAM_AT, RAM_END = 0x10000000, 0x20000000, 0x20082000
IMAGE_BLOCK = struct.pack("<5I", 0xFFFFDED3, 0x10210142, 0x000001FF, 0, 0xAB123579)
"""RP2350 datasheet 5.9.5.1, "minimum Arm IMAGE_DEF": an executable for the RP2350's Arm processors in secure state."""
PROGRAM = """
#include <stdio.h>
#include "registers.h"
int main(void) {{ {lines} return 0; }}
"""


def test_registers_and_bits_are_those_of_the_chip(tmp_path: Path) -> None:
    expected = {name: ADDRESSES[block] + offset for name, (block, offset) in REGISTERS.items()} | CONSTANTS
    values = [(f"(uintptr_t)&{name}" if name in REGISTERS else name) for name in expected]
    lines = " ".join(f'printf("%lu\\n", (unsigned long)({value}));' for value in values)
    tmp_path.joinpath("map.c").write_text(PROGRAM.format(lines=lines), encoding="utf-8")
    command = ["gcc", "-Wall", "-Werror", f"-I{PICO}", f"-I{PICO / 'rp2350'}", "-o", "map", "map.c"]
    subprocess.run(command, check=True, cwd=tmp_path)
    printed = subprocess.run([tmp_path / "map"], check=True, capture_output=True, text=True).stdout.split()
    found = dict(zip(expected, map(int, printed), strict=True))
    assert {name: hex(value) for name, value in found.items()} == {name: hex(value) for name, value in expected.items()}


def test_table_has_every_register_that_the_sources_name() -> None:
    headers = [PICO / "registers.h", PICO / "rp2350" / "addresses.h"]
    text = "".join(header.read_text(encoding="utf-8") for header in headers)
    named = set(re.findall(r"#define (\w+)(?:\(.*?\))? REGISTER\(", text)) - {"SET_BITS", "CLEAR_BITS"}
    assert named == {name.split("(")[0] for name in REGISTERS}


def test_registers_of_the_rp2040_alone_are_not_used() -> None:
    shared = [*PICO.glob("*.c"), *PICO.glob("rp2350/*.c")]
    names = re.findall(r"#define (\w+)", (PICO / "rp2040" / "addresses.h").read_text(encoding="utf-8"))
    ours = (PICO / "rp2350" / "addresses.h").read_text(encoding="utf-8")
    alone = [name for name in names if not re.search(rf"#define {name}\b", ours)]
    text = "".join(source.read_text(encoding="utf-8") for source in shared)
    assert [name for name in alone if re.search(rf"\b{name}\b", text)] == []


@pytest.mark.full
def test_rom_finds_the_image_block_and_the_start(built_pico: Built) -> None:
    flash = read_family(built_pico, FAMILY_RP2350)
    assert flash[:4096].count(IMAGE_BLOCK) == 1
    assert flash.find(IMAGE_BLOCK) % 4 == 0
    stack, start = struct.unpack("<2I", flash[:8])
    assert stack == RAM_END
    assert start & 1, "Thumb"
    assert FLASH_AT < start < FLASH_AT + 4096, "it runs in the flash"
    assert len(flash) < 64 * 1024


@pytest.mark.full
def test_vectors_are_in_ram_and_aligned_to_their_size(built_pico: Built) -> None:
    command = ["arm-none-eabi-nm", built_pico.folder / "buttonbox-rp2350.elf"]
    symbols = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    addresses = {name: int(at, 16) for at, _, name in map(str.split, symbols.splitlines())}
    assert addresses["vectors"] % 512 == 0, "16 + 52 words, rounded up to a power of two (Armv8-M, VTOR)"
    command = ["arm-none-eabi-objcopy", "-O", "binary", "-j", ".image", built_pico.folder / "buttonbox-rp2350.elf"]
    subprocess.run([*command, built_pico.folder / "image.bin"], check=True)
    image = built_pico.folder.joinpath("image.bin").read_bytes()
    at = addresses["vectors"] - RAM_AT
    vectors = struct.unpack("<68I", image[at : at + 4 * 68])
    for number, handler in ((14, "handle_pendsv"), (15, "handle_system_timer"), (16 + 14, "handle_usb")):
        assert vectors[number] == addresses[handler] | 1, handler
    assert vectors[16 + 33] == addresses["handle_uart"] | 1
    assert len(set(vectors)) == 7, "stack, start, four handlers, and one for all that is unused"


@pytest.mark.full
def test_firmware_runs_in_an_emulated_processor(built_pico: Built) -> None:
    """Start, clocks, sampling, line, lamps and colours, over the UART; USB is not emulated."""
    pytest.importorskip("unicorn")
    from tests.firmware.emulated_pico2 import EmulatedPico2  # it imports unicorn

    pico = EmulatedPico2(read_family(built_pico, FAMILY_RP2350))

    def talk(milliseconds: float, *frames: bytes) -> list[tuple[int, int, bytes]]:
        pico.send(b"".join(frames))
        pico.run(1000.0 * milliseconds)
        sent, pico.sent = pico.sent, b""
        return [decode(frame) for frame in sent.split(b"\0") if frame]

    assert talk(2) == [], "nobody has said hello"
    ((kind, _, body),) = talk(5, b"\0", encode(HELLO, 0, struct.pack("<BH", 1, 0x2A17)))
    version, nonce, *firmware, boot, capabilities, buttons, queue, tick_hz = struct.unpack("<BHBBBIHBBI", body)
    assert (kind, version, nonce, capabilities, buttons, queue) == (WELCOME, 1, 0x2A17, 7, 10, 128)
    assert (firmware, tick_hz) == ([1, 2, 0], 1_000_000)
    assert boot not in (0, 0xFFFFFFFF)

    answers = talk(5, encode(LAMPS, 0, bytes([1, 0] * 5)), encode(COLOURS, 1, bytes([255, 128, 0]) * 10))
    assert answers[-1] == (ACK, 0, b"\x02")
    (pong,) = talk(4, encode(PING, 0, b"abcd"))
    received, sent = struct.unpack("<II", pong[2][4:])
    assert (pong[0], pong[2][:4]) == (PONG, b"abcd")
    pico.run(10_000)
    assert pico.lamps() == [True, False] * 5
    assert pico.pixels[-10:] == [(42 << 24) | (85 << 16), 0] * 5, "green, red, blue; a third of each"

    pressed_at = pico.now_us
    pico.pressed = {3, 9}
    events = [frame for frame in talk(8) if frame[0] == EVENT]
    assert [struct.unpack("<HBBIH", body)[1:3] for _, _, body in events] == [(3, 1), (9, 1)]
    ticks = [struct.unpack("<HBBIH", body)[3] for _, _, body in events]
    assert 0 < received < sent < ticks[0] == ticks[1]
    # The tick is 0 when the firmware starts its clock, in the first milliseconds.
    assert pressed_at - 2000 < ticks[0] < pressed_at + 27
    assert pico.watchdog_resets == 0

    names = subprocess.run(
        ["arm-none-eabi-nm", built_pico.folder / "buttonbox-rp2350.elf"], check=True, capture_output=True, text=True
    ).stdout
    (at,) = re.findall(r"^(\w+) \w serial_number$", names, re.MULTILINE)
    assert pico.read_memory(int(at, 16), 8).hex() == f"{pico.chip_id:016x}"
