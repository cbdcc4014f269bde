"""Animated WebP, written picture by picture: OpenCV encodes each picture, this joins them into one file.

OpenCV's own writer of animations needs all pictures in memory at once and OpenCV 4.11, which Debian 13 does not have;
its videos (mp4v) are not played by browsers, and a full disk is not reported. The format:
https://developers.google.com/speed/webp/docs/riff_container
"""

import struct
from collections.abc import Iterator
from typing import BinaryIO

import cv2
import numpy as np

from companion.vision.reading import Image

LOSSLESS = 101
"""Quality above 100: OpenCV's code for lossless WebP."""
_ANIMATED = 0x02
_NO_BLENDING = 0x02
_PICTURE_CHUNKS = frozenset({b"VP8 ", b"VP8L", b"ALPH"})
"""Chunks of a still picture that go into a frame of an animation; the others concern the file."""


class AnimatedWebp:
    """An animated WebP that is being written; of each picture only what changed since the last one is stored.

    It is played once and stops at the last picture. Only one picture is kept in memory.

    Args:
        file: opened for writing, at its beginning, and can be sought in.
        size: width and height of all pictures in pixels, 1 to 16,383.

    Raises:
        OSError: the file cannot be written (disk full).
    """

    def __init__(self, file: BinaryIO, size: tuple[int, int]) -> None:
        self._file = file
        self._last: Image | None = None
        width, height = size
        canvas = struct.pack("<B3x", _ANIMATED) + _pack_24_bits(width - 1) + _pack_24_bits(height - 1)
        background, loops = b"\xff\xff\xff\xff", 1
        file.write(b"RIFF\0\0\0\0WEBP" + _pack_chunk(b"VP8X", canvas))
        file.write(_pack_chunk(b"ANIM", background + struct.pack("<H", loops)))

    def add_picture(self, picture: Image, duration_ms: int) -> None:
        """Append a picture.

        Args:
            picture: `(H, W, 3)` uint8 BGR, of the file's size; it must not be changed before the next one is added.
            duration_ms: how long it is shown, 1 to 2**24 - 1.

        Raises:
            OSError: the file cannot be written (disk full).
            cv2.error: OpenCV cannot encode the picture.
        """
        left, top, right, bottom = _find_change(self._last, picture)
        changed = picture[top:bottom, left:right]
        _done, encoded = cv2.imencode(".webp", np.ascontiguousarray(changed), [cv2.IMWRITE_WEBP_QUALITY, LOSSLESS])
        fields = (left // 2, top // 2, right - left - 1, bottom - top - 1, duration_ms)
        head = b"".join(map(_pack_24_bits, fields)) + bytes([_NO_BLENDING])
        # In one piece: on a stick that is mounted with `sync` each call waits for the stick.
        self._file.write(_pack_chunk(b"ANMF", head + b"".join(_list_picture_chunks(encoded.tobytes()))))
        self._last = picture

    def finish(self) -> None:
        """Write the file's length into its head; before that it is no complete WebP.

        Raises:
            OSError: the file cannot be written.
        """
        length = self._file.tell()
        self._file.seek(4)
        self._file.write(struct.pack("<I", length - 8))
        self._file.seek(length)


def _find_change(before: Image | None, after: Image) -> tuple[int, int, int, int]:
    """Return left, top, right and bottom of what differs; left and top are even, as the format asks for.

    It is never empty: two equal pictures differ in a corner of 2 x 2.
    """
    height, width = after.shape[:2]
    if before is None:
        return 0, 0, width, height
    # Whole pixels at once: three bytes are slower to compare than the rows and columns that they are in.
    differs = (before != after).any(axis=2)
    rows, columns = np.flatnonzero(differs.any(axis=1)), np.flatnonzero(differs.any(axis=0))
    if not len(rows):
        return 0, 0, min(2, width), min(2, height)
    return int(columns[0]) & ~1, int(rows[0]) & ~1, int(columns[-1]) + 1, int(rows[-1]) + 1


def _list_picture_chunks(still: bytes) -> Iterator[bytes]:
    """Yield the chunks of a still WebP that hold its picture, with their heads."""
    start = 12  # after "RIFF", the length and "WEBP"
    while start < len(still):
        name, length = still[start : start + 4], int.from_bytes(still[start + 4 : start + 8], "little")
        if name in _PICTURE_CHUNKS:
            yield _pack_chunk(name, still[start + 8 : start + 8 + length])
        start += 8 + length + length % 2


def _pack_chunk(name: bytes, content: bytes) -> bytes:
    return name + struct.pack("<I", len(content)) + content + b"\0" * (len(content) % 2)


def _pack_24_bits(number: int) -> bytes:
    return number.to_bytes(3, "little")
