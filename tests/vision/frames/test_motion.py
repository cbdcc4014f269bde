"""What moves in a sequence of frames: dice, hands and lamps, not noise, flicker or darkness."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from companion.vision.frames.blocks import enclose_blocks, is_dark, locate_blocks, shrink_to_blocks
from companion.vision.frames.motion import FrameChange, MotionDetector
from companion.vision.reading import Image

FPS = 15


def view(seed: int, noise: float, level: int = 120, size: tuple[int, int] = (1280, 720)) -> Image:
    width, height = size
    grain = noise * draw_grain(seed, height // 4 + 1, width // 4 + 1) + level
    return np.tile(np.clip(grain, 0, 255).astype(np.uint8), (4, 4, 1))[:height, :width]


@cache
def draw_grain(seed: int, height: int, width: int) -> npt.NDArray[np.float32]:
    """Return noise of the standard deviation 1; the views are tiles of it, since to draw it takes long."""
    return np.random.default_rng(seed).standard_normal((height, width, 3), np.float32)


def get_change(motion: MotionDetector, image: Image, at: float) -> FrameChange:
    """Return what changed in a frame that can be compared."""
    change = motion.process_frame(image, at)
    assert change is not None
    return change


def seen(motion: MotionDetector, *images: Image) -> list[bool]:
    """For each frame after the first whether something moved."""
    changes = [motion.process_frame(image, frame / FPS) for frame, image in enumerate(images)]
    assert changes[0] is None
    return [bool(change.moving.any()) for change in changes[1:] if change is not None]


@pytest.mark.parametrize(
    ("size", "shrunk"),
    [
        ((1280, 720), (640, 360)),
        ((640, 480), (640, 480)),
        ((720, 486), (640, 432)),
        ((320, 240), (320, 240)),
        ((2000, 1500), (640, 480)),
        ((30, 7), (32, 8)),
    ],
)
def test_frames_shrink_to_whole_blocks(size: tuple[int, int], shrunk: tuple[int, int]) -> None:
    gray = shrink_to_blocks(view(0, 1.0, size=size))
    assert (gray.shape[1], gray.shape[0]) == shrunk
    assert gray.dtype == np.uint8


@pytest.mark.sampled(1)
@pytest.mark.parametrize("noise", [0.0, 2.0, 8.0])
def test_noise_is_no_motion(noise: float) -> None:
    assert not any(seen(MotionDetector(), *(view(seed, noise) for seed in range(8))))


def test_heavy_noise_is_learnt_within_a_second() -> None:
    assert not any(seen(MotionDetector(), *(view(seed, 20.0) for seed in range(16)))[-5:])


@pytest.mark.parametrize("noise", [0.0, 4.0])
def test_a_new_die_moves_the_blocks_it_covers_and_no_others(noise: float) -> None:
    images = [view(seed, noise) for seed in range(6)]
    images[5][400:424, 800:824] = 240
    motion = MotionDetector()
    for frame, image in enumerate(images[:-1]):
        motion.process_frame(image, frame / FPS)
    change = get_change(motion, images[-1], 5 / FPS)
    found = enclose_blocks(change.moving, images[5])
    assert found is not None
    assert found == pytest.approx((784, 392, 836, 436), abs=16)


def test_a_die_turning_in_place_is_motion() -> None:
    images = [view(seed, 2.0) for seed in range(6)]
    for frame, image in enumerate(images):
        cv2.rectangle(image, (800, 400), (832, 432), (230, 230, 230), -1)
        pips = [(808, 408), (824, 424)] if frame < 5 else [(824, 408), (808, 424)]
        for pip in pips:
            cv2.circle(image, pip, 4, (20, 20, 20), -1)
    assert seen(MotionDetector(), *images) == [False] * 4 + [True]


def test_slow_motion_adds_up() -> None:
    images = [view(seed, 1.0) for seed in range(14)]
    for frame, image in enumerate(images):
        image[300:400, 500 + frame : 600 + frame] = 180
    assert any(seen(MotionDetector(), *images))


def test_a_lamp_changes_everything_once() -> None:
    motion = MotionDetector()
    for frame in range(4):
        motion.process_frame(view(frame, 2.0), frame / FPS)
    change = get_change(motion, view(4, 2.0, level=180), 4 / FPS)
    assert change.is_everywhere
    change = get_change(motion, view(5, 2.0, level=180), 5 / FPS)
    assert not change.is_everywhere
    assert change.is_still


def flickering(frame: int) -> npt.NDArray[np.float64]:
    return np.full(720, 1.0 + 0.1 * np.sin(2.1 * frame))


def banded(frame: int) -> npt.NDArray[np.float64]:
    """As a rolling shutter sees a lamp on mains."""
    return 1.0 + 0.05 * np.sin(np.arange(720) / 60 + 1.7 * frame)


Light = Callable[[int], npt.NDArray[np.float64]]


def lit(frame: int, light: Light, draw: Callable[[Image], None] = lambda image: None) -> Image:
    """A table with dark and bright things on it, and what is drawn, in such a light by rows."""
    image = view(frame, 2.0)
    image[100:300, 100:500] //= 2
    image[400:600, 700:900] = 200
    draw(image)
    return np.clip(image * light(frame)[:, None, None], 0, 255).astype(np.uint8)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("light", [flickering, banded])
def test_a_flickering_lamp_is_no_motion(light: Light) -> None:
    assert not any(seen(MotionDetector(), *(lit(frame, light) for frame in range(16))))


@pytest.mark.parametrize("light", [flickering, banded])
def test_a_die_and_a_hand_move_below_a_flickering_lamp(light: Light) -> None:
    motion = MotionDetector()
    for frame in range(6):
        motion.process_frame(lit(frame, light), frame / FPS)
    before = motion.make_reference()

    def things(image: Image) -> None:
        cv2.rectangle(image, (1000, 200), (1031, 231), (235, 235, 235), -1)
        cv2.rectangle(image, (200, 480), (479, 719), (90, 90, 90), -1)

    change = get_change(motion, lit(6, light, things), 6 / FPS)
    expected = np.zeros((45, 80), np.bool_)
    for rows, columns in ((slice(200, 232), slice(1000, 1032)), (slice(480, 720), slice(200, 480))):
        expected[rows.start // 16 : -(-rows.stop // 16), columns.start // 16 : -(-columns.stop // 16)] = True
    for found in (change.moving, motion.find_changed_blocks(before)):
        assert not (found & ~expected).any()
        assert np.count_nonzero(found) >= 0.9 * np.count_nonzero(expected)


def test_an_arm_that_only_darkens_most_of_the_view_is_motion() -> None:
    motion = MotionDetector()
    for frame in range(6):
        motion.process_frame(view(frame, 2.0), frame / FPS)
    image = view(6, 2.0)
    image[300:480, 200:] = view(7, 2.0, level=102)[300:480, 200:]
    change = get_change(motion, image, 6 / FPS)
    assert np.count_nonzero(change.moving) >= 0.9 * (180 / 16) * (1080 / 16)


@pytest.mark.parametrize(("level", "noise", "dark"), [(0, 0.0, True), (4, 3.0, True), (60, 3.0, False)])
def test_darkness_differs_from_a_dim_table(level: int, noise: float, dark: bool) -> None:
    assert is_dark(shrink_to_blocks(view(0, noise, level))) is dark


def test_a_lamp_in_a_dark_room_is_not_dark() -> None:
    image = view(0, 1.0, 2)
    image[100:200, 100:200] = 250
    assert not is_dark(shrink_to_blocks(image))


def test_boxes_beyond_the_frame_touch_no_blocks() -> None:
    image, blocks = view(0, 0.0), np.zeros((45, 80), np.bool_)
    assert blocks[locate_blocks((-90.0, -90.0, -50.0, -50.0), image, blocks)].size == 0
    assert blocks[locate_blocks((1300.0, 700.0, 1400.0, 900.0), image, blocks)].size == 0
