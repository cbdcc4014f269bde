from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from companion.vision.frames.motion import (
    BlockMask,
    MotionDetector,
    enclose_blocks,
    is_dark,
    locate_blocks,
    shrink_to_blocks,
)
from companion.vision.reading import Die, Image, Lid
from companion.vision.table.regions import DiceArea, drop_side_faces, find_hands, is_on_lid, mark_lid_blocks

FPS = 15


def view(seed: int, noise: float, level: int = 120, size: tuple[int, int] = (1280, 720)) -> Image:
    width, height = size
    grain = np.random.default_rng(seed).normal(level, noise, (height, width, 3))
    return np.clip(grain, 0, 255).astype(np.uint8)


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
        ((4000, 3000), (640, 480)),
        ((30, 7), (32, 8)),
    ],
)
def test_frames_shrink_to_whole_blocks(size: tuple[int, int], shrunk: tuple[int, int]) -> None:
    gray = shrink_to_blocks(view(0, 1.0, size=size))
    assert (gray.shape[1], gray.shape[0]) == shrunk
    assert gray.dtype == np.uint8


@pytest.mark.parametrize("noise", [0.0, 2.0, 8.0])
def test_noise_is_no_motion(noise: float) -> None:
    assert not any(seen(MotionDetector(), *(view(seed, noise) for seed in range(8))))


def test_heavy_noise_is_learnt_within_a_second() -> None:
    assert not any(seen(MotionDetector(), *(view(seed, 20.0) for seed in range(16)))[-5:])


@pytest.mark.parametrize("noise", [0.0, 4.0])
def test_a_die_that_comes_moves_where_it_is_and_nowhere_else(noise: float) -> None:
    images = [view(seed, noise) for seed in range(6)]
    images[5][400:424, 800:824] = 240
    motion = MotionDetector()
    for frame, image in enumerate(images):
        change = motion.process_frame(image, frame / FPS)
    assert change is not None
    found = enclose_blocks(change.moving, images[5])
    assert found is not None
    assert 768 <= found[0] <= 800
    assert 384 <= found[1] <= 400
    assert 824 <= found[2] <= 848
    assert 424 <= found[3] <= 448


def test_a_die_that_turns_in_its_place_moves() -> None:
    images = [view(seed, 2.0) for seed in range(6)]
    for frame, image in enumerate(images):
        cv2.rectangle(image, (800, 400), (832, 432), (230, 230, 230), -1)
        pips = [(808, 408), (824, 424)] if frame < 5 else [(824, 408), (808, 424)]
        for pip in pips:
            cv2.circle(image, pip, 4, (20, 20, 20), -1)
    assert seen(MotionDetector(), *images) == [False] * 4 + [True]


def test_what_creeps_adds_up_to_a_motion() -> None:
    images = [view(seed, 1.0) for seed in range(14)]
    for frame, image in enumerate(images):
        image[300:400, 500 + frame : 600 + frame] = 180
    assert any(seen(MotionDetector(), *images))


def test_a_lamp_is_a_change_everywhere_and_then_rest() -> None:
    motion = MotionDetector()
    for frame in range(4):
        motion.process_frame(view(frame, 2.0), frame / FPS)
    change = motion.process_frame(view(4, 2.0, level=180), 4 / FPS)
    assert change is not None
    assert change.is_everywhere
    change = motion.process_frame(view(5, 2.0, level=180), 5 / FPS)
    assert change is not None
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


@pytest.mark.parametrize("light", [flickering, banded])
def test_a_lamp_that_flickers_moves_nothing(light: Light) -> None:
    assert not any(seen(MotionDetector(), *(lit(frame, light) for frame in range(30))))


@pytest.mark.parametrize("light", [flickering, banded])
def test_below_such_a_lamp_a_die_and_a_hand_move_where_they_are(light: Light) -> None:
    motion = MotionDetector()
    for frame in range(6):
        motion.process_frame(lit(frame, light), frame / FPS)
    before = motion.make_reference()

    def things(image: Image) -> None:
        cv2.rectangle(image, (1000, 200), (1031, 231), (235, 235, 235), -1)
        cv2.rectangle(image, (200, 480), (479, 719), (90, 90, 90), -1)

    change = motion.process_frame(lit(6, light, things), 6 / FPS)
    assert change is not None
    expected = np.zeros((45, 80), np.bool_)
    for rows, columns in ((slice(200, 232), slice(1000, 1032)), (slice(480, 720), slice(200, 480))):
        expected[rows.start // 16 : -(-rows.stop // 16), columns.start // 16 : -(-columns.stop // 16)] = True
    for found in (change.moving, motion.find_changed_blocks(before)):
        assert not (found & ~expected).any()
        assert np.count_nonzero(found) >= 0.9 * np.count_nonzero(expected)


def test_an_arm_across_most_of_the_view_is_seen_though_it_only_darkens_it() -> None:
    motion = MotionDetector()
    for frame in range(6):
        motion.process_frame(view(frame, 2.0), frame / FPS)
    image = view(6, 2.0)
    image[300:480, 200:] = view(7, 2.0, level=102)[300:480, 200:]
    change = motion.process_frame(image, 6 / FPS)
    assert change is not None
    assert np.count_nonzero(change.moving) >= 0.9 * (180 / 16) * (1080 / 16)


def test_the_same_frame_twice_is_known() -> None:
    motion = MotionDetector()
    motion.process_frame(view(0, 2.0), 0.0)
    change = motion.process_frame(view(0, 2.0), 0.1)
    assert change is not None
    assert change.is_identical


@pytest.mark.parametrize(("level", "noise", "dark"), [(0, 0.0, True), (4, 3.0, True), (60, 3.0, False)])
def test_darkness_is_told_from_a_dim_table(level: int, noise: float, dark: bool) -> None:
    assert is_dark(shrink_to_blocks(view(0, noise, level))) is dark


def test_a_lamp_in_a_dark_room_is_no_darkness() -> None:
    image = view(0, 1.0, 2)
    image[100:200, 100:200] = 250
    assert not is_dark(shrink_to_blocks(image))


# hands


def blocks(*areas: tuple[slice, slice]) -> BlockMask:
    flags = np.zeros((45, 80), np.bool_)
    for area in areas:
        flags[area] = True
    return flags


ARM = (slice(20, 45), slice(30, 37))
DICE = (slice(10, 13), slice(60, 63))


def test_an_arm_from_the_border_is_a_hand_and_dice_are_none() -> None:
    hands = find_hands(blocks(ARM, DICE))
    assert hands[ARM].all()
    assert not hands[DICE].any()


@pytest.mark.parametrize(
    "area",
    [
        (slice(43, 45), slice(10, 50)),  # the shadow of a lid at the border
        (slice(41, 45), slice(10, 13)),  # a die that rolled to the border
        (slice(5, 20), slice(10, 17)),  # a lid's window and its neighbours, away from the border
    ],
)
def test_what_is_thin_or_small_or_away_from_the_border_is_none(area: tuple[slice, slice]) -> None:
    assert not find_hands(blocks(area)).any()


def test_something_as_large_as_a_hand_is_one_wherever_it_is() -> None:
    assert find_hands(blocks((slice(5, 30), slice(10, 30)))).any()


def test_an_arm_across_the_lids_ground_is_a_hand_though_a_token_there_is_none() -> None:
    ground = blocks((slice(15, 45), slice(20, 60)))
    token = (slice(30, 34), slice(42, 46))
    assert find_hands(blocks(ARM, token), ground)[ARM].all()
    assert not find_hands(blocks(token), ground).any()
    assert not find_hands(ground, ground)[:, 61:].any()


# the lid's ground and the tray

LID = Lid(((100.0, 100.0), (500.0, 100.0), (500.0, 500.0), (100.0, 500.0)), None, ())


def die_at(x: float, y: float, size: float = 30.0) -> Die:
    return Die(3, (x - size / 2, y - size / 2, x + size / 2, y + size / 2), 0.97)


def test_a_lid_takes_up_its_ground_and_a_little_more() -> None:
    image = view(0, 0.0)
    ground = mark_lid_blocks([LID], image, blocks())
    inside, shadow, outside = (locate_blocks((x, 300, x + 1, 301), image, ground) for x in (300, 508, 600))
    assert ground[inside].all()
    assert ground[shadow].all()
    assert not ground[outside].any()


@pytest.mark.parametrize(
    ("x", "sure", "on"), [(300, True, True), (300, False, True), (540, False, True), (540, True, False)]
)
def test_only_a_sure_die_may_lie_right_beside_the_lid(x: float, sure: bool, on: bool) -> None:
    assert is_on_lid(die_at(x, 300), LID, certain=sure) is on


def test_a_side_face_beside_its_top_face_is_no_die_but_a_die_that_touches_is() -> None:
    top, touching = die_at(800, 300), die_at(830, 300)
    side_face, unsure = (replace(die_at(x, 310), confidence=0.4) for x in (780, 768))
    assert drop_side_faces([side_face, top, touching]) == (top, touching)
    assert drop_side_faces([unsure, top]) == (unsure, top)


def test_the_tray_is_where_dice_have_lain() -> None:
    image, tray = view(0, 0.0), DiceArea()
    assert tray.mark_blocks(image, blocks()).all()
    assert tray.is_near(die_at(10, 10))
    tray.learn([die_at(800, 300), die_at(900, 400)])
    assert tray.box == (725.0, 225.0, 975.0, 475.0)
    ground = tray.mark_blocks(image, blocks())
    assert ground[locate_blocks((800, 300, 900, 400), image, ground)].all()
    assert not ground[:, :40].any()
    assert tray.is_near(die_at(1000, 300))
    assert not tray.is_near(die_at(300, 300))


def test_boxes_beyond_the_frame_touch_no_blocks() -> None:
    image = view(0, 0.0)
    assert blocks()[locate_blocks((-90.0, -90.0, -50.0, -50.0), image, blocks())].size == 0
    assert blocks()[locate_blocks((1300.0, 700.0, 1400.0, 900.0), image, blocks())].size == 0
