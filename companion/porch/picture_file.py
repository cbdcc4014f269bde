"""How pictures of the screen are handed over: pixels in a file that both sides have open, announcements on a socket.

Who connects to the socket gets the file, open for reading, with the first announcement (number 0, no picture), and one
more announcement for each picture.
"""

import struct
from pathlib import Path

SLOT_BYTES = 1 << 27
"""Room for one picture in the file, which is sparse: 7680 x 4320 pixels of 4 bytes fit."""
SLOTS = 2
"""Pictures in the file, in turn: while one is read the next one is written elsewhere."""
ANNOUNCEMENT = struct.Struct("<QII")
"""Number of a picture, from 1, its width and its height in pixels."""


def find_picture_path(path: Path) -> Path:
    """Return the path of the socket for pictures.

    >>> find_picture_path(Path("/run/companion-porch/table.sock")).name
    'table-picture.sock'

    Args:
        path: of the socket for lines.
    """
    return path.with_stem(f"{path.stem}-picture")


def find_offset(number: int) -> int:
    """Return where a picture begins in the file: rows of blue, green, red and an unused byte."""
    return number % SLOTS * SLOT_BYTES
