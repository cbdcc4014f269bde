"""Tests of loading pictures: what becomes a frame, what is turned, and what is refused in words."""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Callable
from errno import EACCES
from pathlib import Path
from typing import NoReturn

import cv2
import numpy as np
import pytest

from companion.vision.frames.image_io import (
    MAX_IMAGE_FILE_BYTES,
    UnreadableImage,
    list_images,
    load_image,
    normalise_frame,
)
from companion.vision.reading import Image
from hardware.cameras.camera_opener import OPENCV_SILENT
from hardware.cameras.live_camera import set_opencv_log_level


def save(path: Path, image: Image, *options: int) -> Path:
    assert cv2.imwrite(str(path), image, options)
    return path


@pytest.fixture
def picture() -> Image:
    return np.random.default_rng(3).integers(0, 256, (40, 60, 3), dtype=np.uint8)


def test_a_picture_is_loaded_as_it_is(tmp_path: Path, picture: Image) -> None:
    assert np.array_equal(load_image(save(tmp_path / "a.png", picture)), picture)


@pytest.mark.parametrize("channels", [1, 4])
@pytest.mark.parametrize("depth", [np.uint8, np.uint16])
def test_other_pixels_become_bgr_of_8_bits(tmp_path: Path, channels: int, depth: type) -> None:
    value = 200 if depth is np.uint8 else 200 * 256
    loaded = load_image(save(tmp_path / "a.png", np.full((18, 19, channels), value, depth)))
    assert (loaded.shape, loaded.dtype) == ((18, 19, 3), np.uint8)
    assert np.unique(loaded).tolist() == [200]


@pytest.mark.parametrize(
    ("orientation", "turned"),
    [
        (1, lambda p: p),
        (2, lambda p: p[:, ::-1]),
        (3, lambda p: p[::-1, ::-1]),
        (4, lambda p: p[::-1]),
        (5, lambda p: p.transpose(1, 0, 2)),
        (6, lambda p: np.rot90(p, -1)),
        (7, lambda p: p[::-1, ::-1].transpose(1, 0, 2)),
        (8, lambda p: np.rot90(p)),
    ],
)
def test_photo_is_rotated_as_exif_says(
    tmp_path: Path, picture: Image, orientation: int, turned: Callable[[Image], Image]
) -> None:
    """Orientation of the stored pixels: EXIF 2.32, tag 0x0112."""
    path = save(tmp_path / "a.jpg", picture)
    stored = load_image(path)
    path.write_bytes(with_orientation(path.read_bytes(), orientation))
    assert np.array_equal(load_image(path), turned(stored))


def with_orientation(jpeg: bytes, orientation: int) -> bytes:
    # One big-endian IFD entry: orientation (0x0112), SHORT, count 1.
    tiff = b"MM\0*\0\0\0\x08" + b"\0\x01" + b"\x01\x12\0\x03\0\0\0\x01\0" + bytes([orientation]) + bytes(6)
    exif = b"Exif\0\0" + tiff
    return jpeg[:2] + b"\xff\xe1" + (len(exif) + 2).to_bytes(2, "big") + exif + jpeg[2:]


@pytest.mark.parametrize("size", [(1, 1), (40, 15), (16, 600)])
def test_a_picture_too_small_for_a_table_is_refused(tmp_path: Path, size: tuple[int, int]) -> None:
    with pytest.raises(UnreadableImage, match=f"{size[1]}x{size[0]} pixels"):
        load_image(save(tmp_path / "a.png", np.zeros((*size, 3), np.uint8)))


# as_frame


def test_a_frame_comes_back_itself(picture: Image) -> None:
    assert normalise_frame(picture) is picture


def test_a_view_with_gaps_becomes_a_frame(picture: Image) -> None:
    frame = normalise_frame(picture[::-1, :, ::-1])
    assert frame.flags.c_contiguous
    assert np.array_equal(frame, picture[::-1, :, ::-1])


@pytest.mark.parametrize(
    ("image", "levels"),
    [
        (np.full((20, 30), 7, np.uint8), [7]),
        (np.full((20, 30, 1), 7, np.uint8), [7]),
        (np.dstack([np.full((20, 30, 3), 7, np.uint8), np.full((20, 30), 99, np.uint8)]), [7]),
        (np.full((20, 30, 3), 7 * 256 + 200, np.uint16), [7]),
        (np.full((20, 30, 3), 7 * 256 + 200, ">u2"), [7]),
        (np.full((20, 30, 3), 300, np.int32), [255]),
        (np.full((20, 30, 3), -4, np.int64), [0]),
        (np.ones((20, 30), np.bool_), [255]),
        (np.full((20, 30, 3), 0.2, np.float64), [51]),
        (np.full((20, 30, 3), 51.2, np.float32), [51]),
        (np.full((20, 30, 3), 1e9, np.float32), [255]),
        (np.full((20, 30, 3), 0.2, np.float16), [51]),
        (np.full((20, 30, 3), np.nan), [0]),
        (np.full((20, 30, 3), np.inf), [255]),
    ],
)
def test_other_arrays_become_frames(image: np.ndarray, levels: list[int]) -> None:
    frame = normalise_frame(image)
    assert (frame.shape, frame.dtype, frame.flags.c_contiguous) == ((20, 30, 3), np.uint8, True)
    assert np.unique(frame).tolist() == levels


@pytest.mark.parametrize(
    ("image", "words"),
    [
        (None, "NoneType"),
        ([[1, 2], [3, 4]], "list"),
        (np.zeros((0, 0, 3), np.uint8), "0x0"),
        (np.zeros((0, 40), np.uint8), "40x0"),
        (np.zeros(40, np.uint8), "shape"),
        (np.zeros((20, 20, 2), np.uint8), "shape"),
        (np.zeros((20, 20, 3, 3), np.uint8), "shape"),
        (np.zeros((1, 1, 3), np.uint8), "too small"),
        (np.zeros((16, 4000, 3), np.uint8), "long and thin"),
        (np.zeros((20, 20, 3), np.complex64), "complex"),
        (np.full((20, 20, 3), "x"), "not a picture"),
        (np.full((20, 20, 3), None), "object"),
    ],
)
def test_what_is_no_picture_is_refused(image: object, words: str) -> None:
    with pytest.raises(UnreadableImage, match=words):
        normalise_frame(image)


# files that are none


@pytest.mark.parametrize("ending", [".jpg", ".png"])
@pytest.mark.parametrize("kept", [0.3, 0.7, 0.99])
def test_a_torn_picture_is_refused(
    tmp_path: Path, picture: Image, ending: str, kept: float, capfd: pytest.CaptureFixture[str]
) -> None:
    path = save(tmp_path / f"a{ending}", picture)
    whole = path.read_bytes()
    path.write_bytes(whole[: int(kept * len(whole))])
    with pytest.raises(UnreadableImage, match="torn"):
        load_image(path)
    assert capfd.readouterr() == ("", "")


def test_a_jpeg_torn_behind_its_thumbnail_is_refused(tmp_path: Path, picture: Image) -> None:
    path = save(tmp_path / "a.jpg", picture)
    whole = path.read_bytes()
    thumbnail = b"Exif\0\0" + whole
    path.write_bytes(whole[:2] + b"\xff\xe1" + (len(thumbnail) + 2).to_bytes(2, "big") + thumbnail + whole[2:-9])
    with pytest.raises(UnreadableImage, match="torn"):
        load_image(path)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "empty"),
        (b"no picture", "not a picture"),
        (b"\0\0\0\x18ftypheic" + bytes(60), "a HEIC picture of a phone"),
        (b"\xff\xd8", "torn"),
        (b"BM" + bytes(60), "picture|OpenCV"),
    ],
)
def test_invalid_picture_is_refused_with_a_message(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "a.jpg"
    path.write_bytes(content)
    with pytest.raises(UnreadableImage, match=words):
        load_image(path)


def make_large_png(side: int) -> bytes:
    """Return a black square of one bit per pixel: 17 kB at 12,000 pixels a side, 432 MB when decoded."""

    def make_chunk(name: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    header = struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0)
    pixels = zlib.compress(bytes((1 + -(-side // 8)) * side), 9)
    chunks = make_chunk(b"IHDR", header), make_chunk(b"IDAT", pixels), make_chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def test_picture_of_gigabytes_is_refused_by_its_header(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(make_large_png(12_000))
    with pytest.raises(UnreadableImage, match="too large: more than 67 million pixels"):
        load_image(path)
    path.write_bytes(make_large_png(2_000))
    assert load_image(path).shape == (2_000, 2_000, 3)


def test_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    with path.open("wb") as file:
        file.truncate(MAX_IMAGE_FILE_BYTES + 1)
    with pytest.raises(UnreadableImage, match="too large: more than 268 MB"):
        load_image(path)


@pytest.mark.parametrize("kind", ["pipe", "device"])
def test_pipe_or_device_is_refused(tmp_path: Path, kind: str) -> None:
    path = Path("/dev/zero")
    if kind == "pipe":
        os.mkfifo(path := tmp_path / "a.png")
    with pytest.raises(UnreadableImage, match="no file but a folder, a pipe or a device"):
        load_image(path)


def test_opencv_4_is_silenced(tmp_path: Path, picture: Image, monkeypatch: pytest.MonkeyPatch) -> None:
    """OpenCV 4.10 has `cv2.setLogLevel` and no `cv2.utils.logging`; 5.0 has only the latter."""
    levels: list[int] = []

    def set_level(level: int) -> int:
        levels.append(level)
        return 3

    monkeypatch.setattr(cv2, "setLogLevel", set_level, raising=False)
    monkeypatch.delattr(cv2.utils, "logging", raising=False)
    load_image(save(tmp_path / "a.png", picture))
    assert set_opencv_log_level(OPENCV_SILENT) == 3
    assert levels == [0, 3, 0]


def test_missing_file_is_refused_with_a_message(tmp_path: Path) -> None:
    with pytest.raises(UnreadableImage, match="No such file"):
        load_image(tmp_path / "a.jpg")


def test_folders_give_their_pictures_in_name_order(tmp_path: Path) -> None:
    for name in ("b.JPG", "a10.png", "a9.png", "notes.txt", "._a9.png"):
        (tmp_path / name).touch()
    alone = tmp_path / "notes.txt"
    assert list_images([tmp_path, alone]) == [tmp_path / name for name in ("a9.png", "a10.png", "b.JPG")] + [alone]


def test_folder_without_pictures_is_refused(tmp_path: Path) -> None:
    assert list_images([tmp_path]) == [tmp_path]
    with pytest.raises(UnreadableImage, match="holds no pictures"):
        load_image(tmp_path)


def test_unreadable_folder_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def barred(path: Path) -> NoReturn:
        raise PermissionError(EACCES, "Permission denied", str(path))

    monkeypatch.setattr(Path, "iterdir", barred)
    assert list_images([tmp_path]) == [tmp_path]
    with pytest.raises(UnreadableImage, match="Permission denied"):
        load_image(tmp_path)
