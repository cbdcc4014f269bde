"""Find out how large the connected screen is: it tells its size in its EDID, which the kernel shows as a file."""

from math import hypot
from pathlib import Path

from companion.file_reader import read_file
from hardware.display import DRM_FOLDER

HEADER = b"\x00\xff\xff\xff\xff\xff\xff\x00"
BLOCK_BYTES = 128
"""Length of the first block, the sum of whose bytes is a multiple of 256 (VESA E-EDID 1.4, section 3)."""
MAX_EDID_BYTES = 256 * BLOCK_BYTES
"""Most blocks that an EDID can have."""
ASPECT_RATIOS = {(16, 9), (16, 10), (4, 3), (160, 90), (160, 100), (1600, 900), (1600, 1000)}
"""What some televisions write in place of a size, in centimetres or millimetres."""
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
    timing = block[54:72]  # the preferred one; a pixel clock of 0: it is another descriptor
    exact = (timing[12] + (timing[14] >> 4 << 8), timing[13] + ((timing[14] & 15) << 8))
    in_cm = (block[21], block[22])
    if any(timing[:2]) and all(exact) and exact not in ASPECT_RATIOS:
        return exact
    return (in_cm[0] * 10, in_cm[1] * 10) if all(in_cm) and in_cm not in ASPECT_RATIOS else None


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
