"""Pictures out of files, as BGR frames; what cannot be read whole is refused with words."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import cv2
import numpy as np

from companion.vision.reading import Image

PICTURES = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff"})
"""Endings, lower case, by which pictures are picked out of a folder."""

_JPEG_START, _JPEG_SCAN, _JPEG_END = b"\xff\xd8", 0xDA, b"\xff\xd9"
_PNG_START, _PNG_END = b"\x89PNG", b"IEND"


class UnreadableImage(ValueError):
    """The file is missing, empty, torn, or no picture; the message says which."""


def load_image(path: Path) -> Image:
    """The picture in the file, pixels as they are stored: an EXIF rotation is not applied.

    Grey, 4-channel and 16-bit pictures come back as BGR of 8 bits.

    Raises:
        UnreadableImage: the file is missing, empty, torn, or not a picture.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UnreadableImage(f"cannot be opened: {error.strerror}") from error
    if not data:
        raise UnreadableImage("the file is empty")
    if _is_torn(data):
        raise UnreadableImage("the picture is torn: its end is missing")
    # Words are given once, by the exception, and not a second time by OpenCV on stderr.
    level = cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION)
    except cv2.error as error:
        raise UnreadableImage(f"OpenCV refuses it: {error.err}") from error
    finally:
        cv2.utils.logging.setLogLevel(level)
    if image is None:
        raise UnreadableImage("not a picture")
    return np.ascontiguousarray(image, dtype=np.uint8)


def picture_paths(paths: Iterable[Path]) -> list[Path]:
    """The paths with each folder replaced by the pictures in it, in name order."""
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            found += sorted(entry for entry in path.iterdir() if entry.suffix.lower() in PICTURES)
        else:
            found.append(path)
    return found


def _is_torn(data: bytes) -> bool:
    """Whether a JPEG or PNG ends before its end marker. Decoders fill such pictures up with grey and say nothing."""
    if data.startswith(_PNG_START):
        return _PNG_END not in data
    if data.startswith(_JPEG_START):
        scan = _jpeg_scan(data)
        return scan is None or data.find(_JPEG_END, scan) < 0
    return False


def _jpeg_scan(data: bytes) -> int | None:
    """Where a JPEG's first scan starts, past a thumbnail with an end marker of its own (ITU T.81, annex B)."""
    at = len(_JPEG_START)
    while at + 4 <= len(data) and data[at] == 0xFF:
        if data[at + 1] == _JPEG_SCAN:
            return at
        if data[at + 1] == 0xFF:  # a fill byte
            at += 1
        else:
            at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return None
