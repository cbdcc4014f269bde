"""Find out how large the connected screen is: it tells its size in its EDID, which the kernel shows as a file."""

from math import hypot
from pathlib import Path

from companion.file_reader import read_file
from hardware.console_screen import DRM_FOLDER

HEADER = b"\x00\xff\xff\xff\xff\xff\xff\x00"
BLOCK_BYTES = 128
"""Length of the first block, the sum of whose bytes is a multiple of 256 (VESA E-EDID 1.4, section 3)."""
MAX_EDID_BYTES = 256 * BLOCK_BYTES
"""Most blocks that an EDID can have."""
ASPECT_RATIOS = {(16, 9), (16, 10), (4, 3), (160, 90), (160, 100), (1600, 900), (1600, 1000)}
"""What some televisions write in place of a size, in centimetres or millimetres."""
INTERLACED = 0x80
"""Flag in the last byte of a detailed timing: it counts the lines of one of two fields."""
MAX_ASPECT_ERROR = 0.15
"""Largest difference of a size's aspect ratio from that of the pixels, relative; more: the size is another screen's.

Whole centimetres and pixels that are not square (800x480 on 154 x 86 mm) make 0.07.
"""
MM_PER_INCH = 25.4


def parse_screen_size_mm(edid: bytes) -> tuple[int, int] | None:
    """Return width and height of a screen in millimetres; None: its EDID is damaged or gives no size.

    >>> parse_screen_size_mm(b"") is None
    True

    Args:
        edid: all blocks, as in `/sys/class/drm/*/edid`.
    """
    block = edid[:BLOCK_BYTES]
    if len(block) < BLOCK_BYTES or not block.startswith(HEADER) or sum(block) % 256:
        return None
    in_cm = (block[21], block[22])
    sizes = [] if in_cm in ASPECT_RATIOS else [(in_cm[0] * 10, in_cm[1] * 10)]
    timing, pixels = block[54:72], None
    if any(timing[:2]):  # the preferred one; a pixel clock of 0: it is another descriptor
        exact = (timing[12] + (timing[14] >> 4 << 8), timing[13] + ((timing[14] & 15) << 8))
        sizes = [exact, *sizes] if exact not in ASPECT_RATIOS else sizes
        lines = timing[5] + (timing[7] >> 4 << 8)
        pixels = (timing[2] + (timing[4] >> 4 << 8), lines * 2 if timing[17] & INTERLACED else lines)
    return next((size for size in sizes if all(size) and (pixels is None or _fits_pixels(size, pixels))), None)


def _fits_pixels(size_mm: tuple[int, int], pixels: tuple[int, int]) -> bool:
    """Return whether a size has about the aspect ratio of the pixels."""
    across, down = size_mm[0] * pixels[1], size_mm[1] * pixels[0]
    return abs(across - down) <= MAX_ASPECT_ERROR * down


def find_screen_inches(folder: Path = DRM_FOLDER) -> float | None:
    """Return the diagonal of the connected screen in inches; None: none or several are connected, or it is not known.

    Args:
        folder: where the kernel lists the connectors.
    """
    found = [edid for path in folder.glob("*/edid") if (edid := _read_edid(path))]
    size = parse_screen_size_mm(found[0]) if len(found) == 1 else None
    return None if size is None else hypot(*size) / MM_PER_INCH


def _read_edid(path: Path) -> bytes:
    try:
        return read_file(path, MAX_EDID_BYTES)
    except OSError:
        return b""
