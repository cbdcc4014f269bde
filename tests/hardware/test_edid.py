"""Sizes of screens from EDID blocks that are written by hand after VESA's E-EDID 1.4."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardware.edid import find_screen_inches, parse_screen_size_mm

FULL_HD_TIMING = "023a801871382d40582c4500"
"""148.5 MHz, 1920x1080: the first twelve bytes of a detailed timing."""
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
        (DESKTOP_24[:-1] + b"\0", None),
        (DESKTOP_24[:100], None),
        (b"\0" * 128, None),
    ],
)
def test_the_size_is_read_where_it_is_one(edid: bytes, size: tuple[int, int] | None) -> None:
    assert parse_screen_size_mm(edid) == size


def test_one_connected_screen_has_a_diagonal(tmp_path: Path) -> None:
    assert find_screen_inches(tmp_path) is None
    for name, edid in (("card1-HDMI-A-1", DESKTOP_24), ("card1-HDMI-A-2", b"")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "edid").write_bytes(edid)
    assert round(find_screen_inches(tmp_path) or 0.0, 1) == 23.8
    (tmp_path / "card1-HDMI-A-2" / "edid").write_bytes(TELEVISION)
    assert find_screen_inches(tmp_path) is None, "nobody says which of two is looked at"
