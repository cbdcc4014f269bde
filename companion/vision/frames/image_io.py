"""Load images from files and take them from programs, as BGR frames; refuse with a message what cannot be read
whole."""

import errno
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.file_reader import read_file
from companion.vision.reading import Image

IMAGE_SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff"})
"""Suffixes, lower case, by which images are picked out of a folder."""

_NUMBER_PATTERN = re.compile(r"(\d+)")
"""A number within a file's name."""

_JPEG_START_MARKER = b"\xff\xd8"
"""First bytes of a JPEG (ITU T.81, annex B)."""

_JPEG_SCAN_MARKER = 0xDA
"""Second byte of the marker before a JPEG's scan."""

_JPEG_END_MARKER = b"\xff\xd9"
"""Last bytes of a JPEG."""

_PNG_SIGNATURE = b"\x89PNG"
"""First bytes of a PNG."""

_PNG_END_CHUNK = b"IEND"
"""Name of a PNG's last chunk."""

_HEIF_BOX = b"ftyp"
"""Bytes 4 to 8 of a HEIF file (ISO/IEC 23008-12); its brand follows."""

_HEIC_BRANDS = frozenset({b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"})
"""Brands of HEIF files as phones write them; OpenCV does not decode them."""

MIN_SIDE_PX = 16
"""Least side of a frame: dice are read from 12 pixels on, and something of the table is around them. If it grows,
smaller images are refused."""

MAX_ASPECT_RATIO = 32
"""Largest ratio of a frame's sides; no camera, and no panorama of a table, exceeds it. If it grows, narrower images are
accepted."""

MAX_IMAGE_FILE_BYTES = 2**28
"""Largest file that is read; an uncompressed picture of 67 million pixels is smaller. If it grows, so does the memory
that a wrong file takes."""

_TOO_MANY_PIXELS_MARK = "CV_IO_MAX_IMAGE"
"""Part of OpenCV's error for a picture whose header states more than `OPENCV_IO_MAX_IMAGE_PIXELS`."""

_MAX_LEVEL = 255
"""White in a channel of 8 bits."""


class UnreadableImage(ValueError):
    """A file is missing, empty, truncated or no image, or an array is no frame; the message says which.

    >>> normalise_frame(np.zeros((4, 4), np.uint8))
    Traceback (most recent call last):
    ...
    companion.vision.frames.image_io.UnreadableImage: too small to show anything: 4x4 pixels
    """


def normalise_frame(image: object) -> Image:
    """Turn any array that holds an image into a BGR frame.

    >>> grey = np.full((480, 640), 0.5)
    >>> frame = normalise_frame(grey)
    >>> frame.shape, frame[0, 0].tolist()
    ((480, 640, 3), [128, 128, 128])

    A frame, (H, W, 3) uint8 and contiguous, is returned as it is, not copied. Otherwise:

    - grey (two axes, or one channel) and BGRA (alpha is dropped) become BGR;
    - unsigned 16 bits are cut to the upper 8; booleans become black and white; other integers are clipped to 0 to 255;
    - floats are scaled from 0 to 1 if none is above 1, else from 0 to 255; NaN is black.

    Args:
        image: a numpy array, (H, W), (H, W, 1), (H, W, 3) BGR or (H, W, 4) BGRA; anything else is refused.

    Returns:
        (H, W, 3) uint8 BGR, contiguous.

    Raises:
        UnreadableImage: it is no array of numbers, has another shape, a side is below `MIN_SIDE_PX`, or one side is
            more than `MAX_ASPECT_RATIO` times the other.
    """
    if not isinstance(image, np.ndarray):
        raise UnreadableImage(f"not a picture but {type(image).__name__}")
    if image.ndim == 2:
        image = image[:, :, None]
    if image.ndim != 3 or image.shape[2] not in (1, 3, 4):
        raise UnreadableImage(f"not a picture: an array of the shape {image.shape}")
    height, width, channels = image.shape
    if min(height, width) < MIN_SIDE_PX:
        raise UnreadableImage(f"too small to show anything: {width}x{height} pixels")
    if max(height, width) > MAX_ASPECT_RATIO * min(height, width):
        raise UnreadableImage(f"too long and thin to show a table: {width}x{height} pixels")
    if channels == 3 and image.dtype == np.uint8 and image.flags.c_contiguous:
        return image
    colours = np.repeat(image, 3, axis=2) if channels == 1 else image[:, :, :3]
    return np.ascontiguousarray(_convert_to_8_bits(colours))


def _convert_to_8_bits(image: npt.NDArray[Any]) -> Image:
    """Convert pixels of any number type to uint8, as `normalise_frame` says; raise UnreadableImage for others."""
    kind = image.dtype.kind
    if kind == "u" and image.dtype.itemsize == 2:
        return (image >> 8).astype(np.uint8)
    if kind == "b":
        return image.astype(np.uint8) * np.uint8(_MAX_LEVEL)
    if kind in "iu":
        return np.asarray(np.clip(image, 0, _MAX_LEVEL), np.uint8)
    if kind == "f":
        # Half floats end at 65504, and sums of them sooner.
        known = np.nan_to_num(image.astype(np.float32), nan=0.0, posinf=_MAX_LEVEL, neginf=0.0)
        return np.clip(np.rint(known * (_MAX_LEVEL if known.max() <= 1 else 1)), 0, _MAX_LEVEL).astype(np.uint8)
    raise UnreadableImage(f"not a picture: an array of {image.dtype}")


def load_image(path: Path) -> Image:
    """Load an image, upright as a viewer shows it: a rotation in its EXIF data is applied.

    >>> load_image(Path("/no/such/picture.png"))
    Traceback (most recent call last):
    ...
    companion.vision.frames.image_io.UnreadableImage: cannot be opened: No such file or directory

    Phones store the picture as their sensor saw it and note how it is to be turned. Boxes refer to the turned image,
    because that is the one that people see and that labels are drawn on. While it decodes, OpenCV's log is switched
    off for the whole process.

    Args:
        path: the file, in any format that OpenCV decodes.

    Returns:
        (H, W, 3) uint8 BGR, also for grey, 4-channel and 16-bit files.

    Raises:
        UnreadableImage: the file is missing, a folder, a pipe or device, unreadable, empty, truncated, no image, too
            large (see `MAX_IMAGE_FILE_BYTES`), or too small or narrow to show a table. No OSError or cv2.error leaves
            this function. ValueError: the path contains a null character.
    """
    data = _read_file(path)
    if not data:
        raise UnreadableImage("the file is empty")
    if _is_truncated(data):
        raise UnreadableImage("the picture is torn: its end is missing")
    try:
        with _silence_opencv():
            image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error as error:
        if _TOO_MANY_PIXELS_MARK in error.err:
            million = int(os.environ["OPENCV_IO_MAX_IMAGE_PIXELS"]) // 10**6
            raise UnreadableImage(f"too large: more than {million} million pixels") from error
        raise UnreadableImage(f"OpenCV refuses it: {error.err}") from error
    if image is None:
        if data[4:8] == _HEIF_BOX and data[8:12] in _HEIC_BRANDS:
            raise UnreadableImage("a HEIC picture of a phone: save or send it as JPEG")
        raise UnreadableImage("not a picture")
    return normalise_frame(image)


def _read_file(path: Path) -> bytes:
    """Return a file's content; raise UnreadableImage if it is no regular file, too large, or cannot be read."""
    try:
        return read_file(path, MAX_IMAGE_FILE_BYTES)
    except IsADirectoryError as error:
        try:
            next(path.iterdir(), None)
        except OSError as barred:
            raise UnreadableImage(f"cannot be opened: {barred.strerror}") from barred
        raise UnreadableImage("a folder that holds no pictures") from error
    except OSError as error:
        if error.errno == errno.EFBIG:
            raise UnreadableImage(f"too large: more than {MAX_IMAGE_FILE_BYTES // 10**6} MB") from error
        raise UnreadableImage(f"cannot be opened: {error.strerror}") from error


@contextmanager
def _silence_opencv() -> Iterator[None]:
    """Keep OpenCV from logging to stderr: the exception says what is wrong."""
    # OpenCV 5 has moved it.
    set_level = getattr(cv2, "setLogLevel", None) or cv2.utils.logging.setLogLevel
    level = set_level(0)
    try:
        yield
    finally:
        set_level(level)


def list_images(paths: Iterable[Path]) -> list[Path]:
    """Replace each folder by its images in natural order, frame2 before frame10.

    >>> [path.name for path in list_images([Path("/no/such/die.png"), Path("/no/such/folder")])]
    ['die.png', 'folder']

    Hidden files and subfolders' contents are skipped. A folder without images, or one that cannot be read, stays in the
    list; `load_image` then says why it is refused. Raises no OSError.

    Args:
        paths: files and folders, which need not exist.

    Returns:
        The files in the order of `paths`, images (suffix in `IMAGE_SUFFIXES`) in place of their folder.
    """
    found: list[Path] = []
    for path in paths:
        try:
            entries = list(path.iterdir())
        except OSError:  # usually a file
            entries = []
        images = [e for e in entries if e.suffix.lower() in IMAGE_SUFFIXES and not e.name.startswith(".")]
        found += sorted(images, key=_split_numbers) or [path]
    return found


def _split_numbers(path: Path) -> list[str | int]:
    """Split a name into texts (even places) and numbers (odd places), for natural order."""
    return [int(piece) if i % 2 else piece for i, piece in enumerate(_NUMBER_PATTERN.split(path.name))]


def _is_truncated(data: bytes) -> bool:
    """Tell whether a JPEG or PNG ends before its end marker; decoders silently fill such images with grey."""
    if data.startswith(_PNG_SIGNATURE):
        return _PNG_END_CHUNK not in data
    if data.startswith(_JPEG_START_MARKER):
        scan = _find_jpeg_scan(data)
        return scan is None or data.find(_JPEG_END_MARKER, scan) < 0
    return False


def _find_jpeg_scan(data: bytes) -> int | None:
    """Return where a JPEG's first scan starts, past a thumbnail with an end marker of its own (ITU T.81, annex B)."""
    at = len(_JPEG_START_MARKER)
    while at + 4 <= len(data) and data[at] == 0xFF:
        if data[at + 1] == _JPEG_SCAN_MARKER:
            return at
        # A fill byte stands alone; a segment states its length.
        at += 1 if data[at + 1] == 0xFF else 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return None
