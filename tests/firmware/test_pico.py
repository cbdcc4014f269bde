"""The Pico's own parts: its file, boot, USB, which line is used.

`make full` runs them, `make proof` the other modules with it, too.
"""

from __future__ import annotations

import random
import struct
import zlib
from collections.abc import Callable

import pytest

from tests.firmware.host import LAMPS, Host, encode
from tests.firmware.presses import Edge, check_stamps, hammer, hammer_on_busy_line
from tests.firmware.simulator import ATMEGA, PICO_UART, PICO_USB, Built, Stepped

FLASH_AT = 0x10000000
FAMILY_RP2040, FAMILY_RP2350 = 0xE48BFF56, 0xE48BFF59
SERIAL = "0011223344556677"
pytestmark = [pytest.mark.full, pytest.mark.timeout(900)]
LINES = pytest.mark.parametrize("board", [PICO_USB, PICO_UART], ids=["usb", "uart"])
USB = pytest.mark.parametrize("board", [PICO_USB], ids=["usb"])


def read_family(built_pico: Built, family: int) -> bytes:
    """Return what the UF2 file writes to the flash of a chip, after checking each of that family's blocks.

    https://github.com/microsoft/uf2; each family's blocks are counted for themselves, and a chip ignores the others.
    """
    file = built_pico.folder.joinpath("buttonbox-pico.uf2").read_bytes()
    blocks = [file[at : at + 512] for at in range(0, len(file), 512)]
    families = [struct.unpack("<I", block[28:32])[0] for block in blocks]
    assert set(families) == {FAMILY_RP2040, FAMILY_RP2350}
    blocks = [block for block, of in zip(blocks, families, strict=True) if of == family]
    image = bytearray()
    for number, block in enumerate(blocks):
        head = struct.unpack("<8I", block[:32])
        expected = (0x0A324655, 0x9E5D5157, 0x2000, FLASH_AT + 256 * number, 256, number, len(blocks), family)
        assert head == expected
        assert block[-4:] == struct.pack("<I", 0x0AB16F30)
        image += block[32 : 32 + 256]
    return bytes(image)


def _reverse_bits(data: bytes) -> bytes:
    return bytes(int(f"{byte:08b}"[::-1], 2) for byte in data)


def test_firmware_builds_without_warnings_and_fits(built_pico: Built) -> None:
    assert "-Wall -Wextra -Werror" in built_pico.output
    assert "warning" not in built_pico.output
    assert len(read_family(built_pico, FAMILY_RP2040)) < 64 * 1024


def test_second_stage_has_the_checksum_that_the_rom_wants(built_pico: Built) -> None:
    """The ROM's CRC-32 reflects nothing; zlib's reflects its input and output, and inverts the result."""
    boot2 = read_family(built_pico, FAMILY_RP2040)[:256]
    reflected = zlib.crc32(_reverse_bits(boot2[:252])) ^ 0xFFFFFFFF
    assert struct.unpack("<I", boot2[252:])[0] == int(f"{reflected:032b}"[::-1], 2)


def test_damaged_second_stage_does_not_boot(built_pico: Built) -> None:
    """The simulator checks it like the ROM."""
    damaged = bytearray(built_pico.folder.joinpath("buttonbox-pico.uf2").read_bytes())
    damaged[32] ^= 1
    built_pico.folder.joinpath("buttonbox-pico-damaged.uf2").write_bytes(damaged)
    with pytest.raises(AssertionError, match="checksum"):
        Stepped(built_pico.folder, PICO_USB, "damaged")


def test_usb_enumeration(boxes: Callable[..., Stepped]) -> None:
    """The descriptors that a host gets make a serial port with the flash's number as its serial number."""
    box = boxes(PICO_USB, "", "--flash-id", SERIAL)
    box.run(100_000)
    assert "failed" not in box.usb
    device = struct.unpack("<BBHBBBBHHHBBBB", bytes.fromhex(box.usb["device"]))
    assert device[:7] == (18, 1, 0x200, 0xEF, 2, 1, 64)
    assert device[7:9] == (0x2E8A, 0x000A)
    texts = [bytes.fromhex(box.usb[f"string{n}"])[2:].decode("utf-16-le") for n in (1, 2, 3)]
    assert texts == ["companion", "button box", SERIAL]
    configuration = bytes.fromhex(box.usb["configuration"])
    assert struct.unpack("<H", configuration[2:4])[0] == len(configuration)
    parts, at = [], 0
    while at < len(configuration):
        parts.append(configuration[at : at + configuration[at]])
        at += configuration[at]
    endpoints = [(part[2], part[3], struct.unpack("<H", part[4:6])[0]) for part in parts if part[1] == 5]
    assert endpoints == [(0x81, 3, 16), (0x02, 2, 64), (0x82, 2, 64)]
    assert [(part[2], part[5], part[6]) for part in parts if part[1] == 4] == [(0, 2, 2), (1, 10, 0)]


@pytest.mark.parametrize(("revision", "hub", "works"), [(1, True, True), (2, False, True), (2, True, False)])
def test_usb_on_a_busy_hub(boxes: Callable[..., Stepped], revision: int, hub: bool, works: bool) -> None:
    """Erratum RP2040-E5: only old chips are shown a quiet bus, here one that new chips would need, too."""
    box = boxes(PICO_USB, "", "--revision", str(revision), *(["--busy-hub"] if hub else []))
    box.run(100_000)
    assert ("device" in box.usb) == works


@LINES
def test_handshake_lamps_and_presses(box: Stepped, host: Host) -> None:
    (welcome,) = host.welcomes
    assert (welcome.version, welcome.buttons, welcome.queue, welcome.tick_hz) == (1, 10, 128, 1_000_000)
    edges = hammer_on_busy_line(box, host, seed=1, microseconds=50_000)
    check_stamps(box, edges, host.events)
    assert len(host.pongs) > 8
    host.light(bytes([1, 0] * 5))
    host.run(60_000)
    box.lamps()
    host.run(60_000)
    assert box.lamps() == [1000, 0] * 5


@USB
def test_coloured_lamps_show_the_effects_in_the_hosts_colours(box: Stepped, host: Host) -> None:
    """A third of each value, so that USB can feed ten; the simulator reads the wave on the wire."""
    assert host.welcomes[-1].capabilities == 7
    host.light(bytes([1, 0] * 5))
    host.run(60_000)
    assert box.pixels() == ["555555", "000000"] * 5, "white until the host says otherwise"
    host.colour(bytes([30, 0, 0, 0, 60, 0, 0, 0, 90, 255, 255, 255] * 2 + [0] * 6))
    host.run(60_000)
    assert box.pixels() == ["0a0000", "000000", "00001e", "000000", "0a0000", "000000", "00001e", *["000000"] * 3]
    box.lamps()
    host.run(60_000)
    assert box.lamps() == [1000, 0] * 5, "plain lamps beside them stay as they are"


@USB
def test_lamps_go_dark_when_the_host_is_gone(box: Stepped, host: Host) -> None:
    host.light(bytes([1] * 10))
    host.run(5_050_000)
    box.lamps()
    host.run(60_000)
    assert box.lamps() == [0] * 10
    assert box.pixels() == ["000000"] * 10
    host.light(bytes([1] * 10))
    host.run(60_000)
    assert box.pixels() == ["555555"] * 10, "the session goes on"


@USB
def test_presses_that_no_host_took_for_half_an_hour_are_forgotten(box: Stepped) -> None:
    """After 71.6 minutes their ticks would be taken for new ones."""
    box.run(50_000)
    box.pins([(box.now + 1000, 4, 1), (box.now + 41_000, 4, 0)])
    box.run(100_000)
    box.tell(f"skip {31 * 60 * 1_000_000}")
    box.run(1000)
    host = Host(box)
    host.connect()
    box.pins([(box.now + 1000, 5, 1)])
    host.run(100_000)
    assert [event.button for event in host.events] == [5]


@USB
def test_stamps_across_the_wrap_of_the_clock(box: Stepped, host: Host) -> None:
    """The tick is 0 again after 71.6 minutes, of which the simulator skips most."""
    box.tell(f"skip {2**32 - 500_000}")
    host.connect()  # to the box no host was there meanwhile
    host.run(100_000)
    changes, edges, over = hammer(random.Random(2), box.now + 1000, 60)
    box.pins(changes)
    host.run(over - box.now + 600_000)
    ticks = [event.tick for event in host.events]
    assert max(ticks) > 2**32 - 1_000_000
    assert ticks[-1] < 1_000_000
    check_stamps(box, edges, host.events)
    assert host.levels[-1][1] < 2_000_000, "LEVELS go on"


def test_uart_is_used_while_no_program_has_the_usb_port_open(boxes: Callable[..., Stepped]) -> None:
    """Plugged into a computer for power, talking to another one by the UART; and the other way round."""
    box = boxes(PICO_UART)
    box.tell("plug")
    box.run(100_000)
    host = Host(box)
    host.connect()
    box.pin(box.now + 1000, 3, 1)
    host.run(600_000)
    assert [event.button for event in host.events] == [3]
    levels = len(host.levels)
    assert levels
    box.tell("open")
    host.run(600_000)
    assert len(host.levels) == levels, "the program on USB has the box now"
    box.lamps()
    box.send(encode(LAMPS, 0, bytes([1] * 10)))
    host.run(100_000)
    assert box.lamps() == [0] * 10, "and nobody else"
    box.tell("close")
    host.connect()
    host.run(600_000)
    assert len(host.levels) > levels


@USB
def test_port_is_closed_and_opened_again(box: Stepped, host: Host) -> None:
    """Presses while no program has the port open wait, and a frame that nobody fetched does no harm."""
    box.pin(box.now + 1000, 0, 1)
    host.run(50_000)
    box.pin(box.now + 1000, 1, 1)
    box.run(5_500)  # the event is on its way
    box.tell("close")
    box.pins((box.now + 1000 + 100_000 * button, button, 1) for button in range(2, 9))
    box.run(1_000_000)
    box.tell("open")
    box.run(20_000)
    host.connect()
    host.run(100_000)
    assert host.welcomes[-1].boot == host.welcomes[0].boot
    assert [event.button for event in host.events] == list(range(9))


@USB
@pytest.mark.parametrize(("baud", "restarts"), [(1200, True), (9600, False)])
@pytest.mark.usefixtures("host")
def test_port_closed_at_1200_baud_shows_the_drive_for_new_firmware(box: Stepped, baud: int, restarts: bool) -> None:
    box.tell("close")
    box.run(50_000)
    box.tell(f"open {baud}")
    box.run(50_000)
    assert not box.is_drive
    box.tell("close")
    box.run(50_000)
    assert box.is_drive == restarts


@LINES
def test_frames_cut_into_packets_of_any_size_arrive(box: Stepped, host: Host) -> None:
    dice = random.Random(3)
    stream = b"".join(encode(LAMPS, seq, bytes([seq % 2] * 10)) for seq in range(40))
    while stream:
        cut = dice.randint(1, 30)
        box.send(stream[:cut])
        stream = stream[cut:]
        host.run(dice.choice((0, 3_000)))
    host.run(200_000)
    box.lamps()
    host.run(50_000)
    assert box.lamps() == [1000] * 10, "all were taken, in order"


@pytest.mark.proof
@pytest.mark.parametrize("board", [ATMEGA, PICO_USB], ids=["atmega328p", "pico-usb"])
def test_event_ids_wrap(box: Stepped, host: Host) -> None:
    """More than 65,536 events, all ten buttons at once."""
    begin = box.now + 10_000
    edges = [Edge(begin + 60_000 * n, button, 1 - n % 2) for n in range(6_600) for button in range(10)]
    for at in range(0, len(edges), 1000):
        box.pins((edge.at, edge.button, edge.level) for edge in edges[at : at + 1000])
        host.run(edges[min(at + 999, len(edges) - 1)].at - box.now + 50_000)
    assert not host.lost
    assert host.events[-1].id == 65_999 % 65_536
    check_stamps(box, edges, host.events)
