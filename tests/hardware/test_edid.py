"""Sizes of screens from EDID blocks that are written by hand after VESA's E-EDID 1.4."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from hardware.edid import find_screen_inches, parse_screen_size_mm

FULL_HD_TIMING = "023a801871382d40582c4500"
"""148.5 MHz, 1920x1080: the first twelve bytes of a detailed timing."""
PANEL_TIMING = "be0c208030e02d10103e0000"
"""32.62 MHz, 800x480, as of a small panel."""
INTERLACED_TIMING = "011d80d0721c1620102c2580"
"""74.25 MHz, 1920x540 in each field, as of a television."""
NO_TIMING = "000000fc00484f4d45205456000a20202020"
"""In the timing's place the name "HOME TV"."""


def make_edid(centimetres: tuple[int, int], descriptor: str) -> bytes:
    """Make the first block, of a digital screen, with a sum that fits."""
    head = bytes.fromhex("00ffffffffffff0010ac01004c3030300a1e0104a5")
    block = head + bytes(centimetres) + bytes(54 - len(head) - 2) + bytes.fromhex(descriptor)
    block = block.ljust(127, b"\0")
    return block + bytes([-sum(block) % 256])


DESKTOP_24 = make_edid((53, 30), FULL_HD_TIMING + "0f2821" + "00001e")  # 527 x 296 mm: 0x20f, 0x128
TELEVISION = make_edid((95, 54), NO_TIMING)


@pytest.mark.parametrize(
    ("edid", "size"),
    [
        (DESKTOP_24, (527, 296)),
        (TELEVISION, (950, 540)),
        (DESKTOP_24 + bytes(128), (527, 296)),  # an extension follows
        (make_edid((53, 30), FULL_HD_TIMING + "000000" + "00001e"), (530, 300)),
        (make_edid((16, 9), FULL_HD_TIMING + "a05a00" + "00001e"), None),  # 160 x 90 mm: a ratio
        (make_edid((0, 0), NO_TIMING), None),  # a projector
        (make_edid((0, 0), PANEL_TIMING + "000000" + "000018"), None),  # a 7 inch panel that gives no size
        (make_edid((15, 9), PANEL_TIMING + "000000" + "000018"), (150, 90)),
        (make_edid((15, 9), PANEL_TIMING + "9a5600" + "000018"), (154, 86)),
        (make_edid((34, 27), PANEL_TIMING + "540e11" + "000018"), None),  # of a 17 inch screen of 5:4
        (make_edid((15, 9), PANEL_TIMING + "540e11" + "000018"), (150, 90)),
        (make_edid((160, 90), FULL_HD_TIMING + "408463" + "00001e"), None),  # a television, 1600 x 900 mm
        (make_edid((70, 39), INTERLACED_TIMING + "ba8821" + "00009e"), (698, 392)),
        (make_edid((53, 0), FULL_HD_TIMING + "000000" + "00001e"), None),  # a ratio, by E-EDID 1.4
        (DESKTOP_24[:-1] + b"\0", None),
        (DESKTOP_24[:100], None),
        (b"\0" * 128, None),
    ],
)
def test_the_size_is_read_where_it_is_one(edid: bytes, size: tuple[int, int] | None) -> None:
    assert parse_screen_size_mm(edid) == size


def test_no_block_is_too_odd() -> None:
    rng = Random(44)
    for _ in range(2_000):
        block = bytearray(rng.choice((DESKTOP_24, TELEVISION)))
        for _change in range(rng.randrange(1, 60)):
            block[rng.randrange(8, 127)] = rng.choice((0, 1, 255, rng.randrange(256)))
        block[127] = -sum(block[:127]) % 256
        size = parse_screen_size_mm(bytes(block))
        assert size is None or (0 < size[0] < 4096 and 0 < size[1] < 4096)


def test_a_connector_is_found_through_the_kernels_link(tmp_path: Path) -> None:
    device, folder = tmp_path / "devices" / "card1-HDMI-A-1", tmp_path / "drm"
    device.mkdir(parents=True)
    folder.mkdir()
    (device / "edid").write_bytes(DESKTOP_24)
    (folder / "card1-HDMI-A-1").symlink_to(device)
    (folder / "version").write_text("drm 1.1.0")
    assert round(find_screen_inches(folder) or 0.0, 1) == 23.8
    (device / "edid").unlink()
    assert find_screen_inches(folder) is None
    (device / "edid").mkdir()
    assert find_screen_inches(folder) is None
    assert find_screen_inches(tmp_path / "missing") is None


def test_one_connected_screen_has_a_diagonal(tmp_path: Path) -> None:
    assert find_screen_inches(tmp_path) is None
    for name, edid in (("card1-HDMI-A-1", DESKTOP_24), ("card1-HDMI-A-2", b"")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "edid").write_bytes(edid)
    assert round(find_screen_inches(tmp_path) or 0.0, 1) == 23.8
    (tmp_path / "card1-HDMI-A-2" / "edid").write_bytes(TELEVISION)
    assert find_screen_inches(tmp_path) is None, "nobody says which of two is looked at"
