"""Title pictures that people put beside a game's file: read with a limit on bytes and pixels, and only PNG."""

from pathlib import Path

from companion.file_reader import read_file

MAX_PICTURE_BYTES = 1 << 20
"""Longest title picture."""
MAX_PICTURE_PIXELS = 1 << 19
"""Most pixels of a title picture: a small file may be one of 60,000 x 60,000, which no memory holds."""
MAX_ASPECT = 4
"""A title picture's longer side in its shorter ones: one of 1 x 60,000, too, grows large where it is scaled."""
_HEADER = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"


def read_title_picture(path: Path) -> bytes:
    """Return the content of a title picture.

    Raises:
        OSError: it cannot be read, or is longer than `MAX_PICTURE_BYTES`.
        ValueError: it is no PNG, or is larger than `MAX_PICTURE_PIXELS` or longer than `MAX_ASPECT`.
    """
    data = read_file(path, MAX_PICTURE_BYTES)
    start = len(_HEADER)
    width, height = (int.from_bytes(data[at : at + 4], "big") for at in (start, start + 4))
    is_small = 0 < width * height <= MAX_PICTURE_PIXELS and max(width, height) <= MAX_ASPECT * min(width, height)
    if not data.startswith(_HEADER) or not is_small:
        raise ValueError("a title picture is a PNG file of at most half a million pixels, such as 960 x 540")
    return data
