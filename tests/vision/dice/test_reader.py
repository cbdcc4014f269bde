"""The dice reader against scenes rendered from fixed seeds, odd inputs, and the shared photographs where present."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from unittest.mock import Mock

import cv2
import numpy as np
import pytest
from train_dice.appearance import DieAppearance, random_appearance, recolour
from train_dice.evaluate import RIGHT, WRONG
from train_dice.labels import CLEAR
from train_dice.photographs import list_photographs
from train_dice.scenes import render_scene
from train_dice.solids import DistantLight, RandomCamera, draw_die
from train_dice.vary_limits import judge_values

from companion.vision.confidence_limits import MIN_PLAY_CONFIDENCE
from companion.vision.dice import reader as reader_module
from companion.vision.dice.detector import DiceDetector
from companion.vision.dice.frame_orientation import turn_image, turn_lid, turn_point
from companion.vision.dice.reader import DiceReader
from companion.vision.frames.image_io import load_image
from companion.vision.reading import BoundingBox, Die, Lid


@pytest.fixture(scope="module")
def reader() -> DiceReader:
    return DiceReader()


def are_playable(dice: tuple[Die, ...]) -> bool:
    return bool(dice) and all(d.confidence >= MIN_PLAY_CONFIDENCE for d in dice)


def draw_single_die(value: int, edge: int = 60) -> np.ndarray:
    """Return a white die from straight above on a green table."""
    image = np.full((240, 320, 3), (60, 110, 40), np.uint8)
    x, y, half, step = 160, 120, edge // 2, edge // 4
    cv2.rectangle(image, (x - half, y - half), (x + half, y + half), (235, 240, 240), -1)
    image = cv2.GaussianBlur(image, (0, 0), 1.5)
    columns = {1: [(0, 0)], 2: [(-1, -1), (1, 1)], 3: [(-1, -1), (0, 0), (1, 1)]}
    corners = [(-1, -1), (-1, 1), (1, -1), (1, 1)]
    spots = columns.get(value, corners + ([(0, 0)] if value == 5 else [(-1, 0), (1, 0)] if value == 6 else []))
    for i, j in spots:
        cv2.circle(image, (x + i * step, y + j * step), edge // 10, (20, 20, 20), -1, cv2.LINE_AA)
    return image


@pytest.mark.parametrize("value", range(1, 7))
def test_a_single_die_is_read_with_certainty(reader: DiceReader, value: int) -> None:
    (die,) = reader.read(draw_single_die(value))
    assert die.value == value
    assert die.confidence >= MIN_PLAY_CONFIDENCE
    assert die.alternative not in (None, value)
    x0, y0, x1, y1 = die.box
    assert x0 < 160 < x1
    assert y0 < 120 < y1


def test_region_gives_boxes_in_pixels_of_the_whole_image(reader: DiceReader) -> None:
    image = np.full((700, 900, 3), (60, 110, 40), np.uint8)
    image[400:640, 500:820] = draw_single_die(4)
    (die,) = reader.read(image, (480.0, 380.0, 850.0, 660.0))
    assert die.value == 4
    assert np.hypot((die.box[0] + die.box[2]) / 2 - 660, (die.box[1] + die.box[3]) / 2 - 520) < 6


def test_dice_outside_the_region_are_not_read(reader: DiceReader) -> None:
    image = np.full((480, 960, 3), (60, 110, 40), np.uint8)
    image[120:360, 40:360] = draw_single_die(5)
    assert reader.read(image, (480.0, 0.0, 960.0, 480.0)) == ()


@pytest.mark.sampled(2)
@pytest.mark.parametrize("shape", [(16, 16), (17, 500), (500, 16), (33, 57), (1080, 1920)])
def test_noise_gives_no_certain_dice(reader: DiceReader, shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(3)
    for image in (
        np.zeros((*shape, 3), np.uint8),
        np.full((*shape, 3), 255, np.uint8),
        rng.integers(0, 256, (*shape, 3), dtype=np.uint8),
    ):
        assert not are_playable(reader.read(image))


def draw_rotated(
    image: np.ndarray,
    camera: RandomCamera,
    light: DistantLight,
    look: DieAppearance,
    center: Sequence[float],
    turn: np.ndarray,
) -> None:
    """Draw a die into a picture of floats, rotated by `turn`, shape (3, 3), about its centre."""
    one = draw_die(camera, np.array(center, np.float32), turn.astype(np.float32), look, light, 448, 3)
    assert one is not None
    (x0, y0, x1, y1), patch, _ = one
    image[y0:y1, x0:x1] = image[y0:y1, x0:x1] * (1 - patch[..., 3:]) + patch[..., :3] * patch[..., 3:]


@cache
def draw_tilted_and_flat() -> np.ndarray:
    """Return a view from straight above: a flat five, and a die tilted on its edge."""
    camera = RandomCamera.look_down(0.0, 0.0, 0.0, 10.0, 450.0, 448)
    light = DistantLight(np.array([0.3, 0.2, 0.93], np.float32), np.ones(3, np.float32), 0.5)
    look = recolour(random_appearance(np.random.default_rng(4)), np.array([0.9, 0.92, 0.93], np.float32))
    plain = {"gloss": 0.0, "marble": 0.0, "glow": 0.0, "pip_radius": 0.09, "spread": 0.24}
    look = replace(look, faces=(2, 5, 3, 4, 5, 2), **plain)
    image = np.full((448, 448, 3), (0.25, 0.35, 0.15), np.float32)
    draw_rotated(image, camera, light, look, (0.5, -2.0, 0.5), np.eye(3))
    draw_rotated(image, camera, light, look, (-0.5, 2.0, 0.7), cv2.Rodrigues(np.array([0.74, 0.0, 0.0]))[0])
    return np.asarray(np.clip(image, 0, 1) * 255, np.uint8)


Faces = tuple[int, int, int, int, int, int]
OBLIQUE_CAMERA = RandomCamera.look_down(0.8, 0.3, 0.0, 9.0, 480.0, 448)


def draw_from_aside(camera: RandomCamera, *dice: tuple[float, float, float, Faces]) -> np.ndarray:
    """Return white dice (x, y, yaw, faces) flat on a green table, seen from aside by an upright camera."""
    light = DistantLight(np.array([0.25, 0.3, 0.92], np.float32), np.ones(3, np.float32), 0.5)
    look = recolour(random_appearance(np.random.default_rng(4)), np.array([0.88, 0.9, 0.92], np.float32))
    plain = dict.fromkeys(("gloss", "marble", "glow", "worn", "ghost", "ring", "metal", "chafed"), 0.0)
    image = np.full((448, 448, 3), (0.25, 0.35, 0.15), np.float32)
    for x, y, yaw, faces in dice:
        die = replace(look, **plain, faces=faces, vein=None)
        draw_rotated(image, camera, light, die, (x, y, 0.5), cv2.Rodrigues(np.array([0.0, 0.0, yaw]))[0])
    return np.asarray(np.clip(image, 0, 1) * 255, np.uint8)


def draw_oblique(yaw: float, faces: Faces) -> np.ndarray:
    """Return one die, seen very obliquely."""
    return draw_from_aside(RandomCamera.look_down(0.8, 0.3, 0.0, 9.0, 620.0, 448), (0.0, 0.0, yaw, faces))


@cache
def draw_three_oblique() -> np.ndarray:
    """Return three dice with 6, 5 and 4 up."""
    six, five, four = (2, 5, 3, 4, 6, 1), (6, 1, 4, 3, 5, 2), (2, 5, 6, 1, 4, 3)
    return draw_from_aside(OBLIQUE_CAMERA, (0.2, -2.0, 0.3, six), (-0.5, 0.3, 0.9, five), (0.4, 2.2, 1.3, four))


def test_in_an_oblique_view_the_top_face_counts(reader: DiceReader) -> None:
    right = played = 0
    for faces in ((2, 5, 3, 4, 6, 1), (6, 1, 5, 2, 4, 3), (1, 6, 4, 3, 2, 5)):
        for yaw in (0.0, 0.4, 0.8, 1.2):
            dice = reader.read(draw_oblique(yaw, faces))
            assert not are_playable(dice) or [d.value for d in dice] == [faces[4]]
            right += [d.value for d in dice] == [faces[4]]
            played += are_playable(dice)
    assert right >= 10
    assert played >= 7


@pytest.mark.sampled(1)
@pytest.mark.parametrize("turns", range(4))
def test_from_aside_the_camera_may_be_mounted_in_any_turn(reader: DiceReader, turns: int) -> None:
    upright = draw_three_oblique()
    expected = {die.value: die for die in reader.read(upright)}
    dice = reader.read(turn_image(upright, turns))
    assert sorted(die.value for die in dice) == [4, 5, 6]
    assert turns or are_playable(dice), "in another quarter turn it may ask"
    for die in dice:
        at = turn_point(expected[die.value].center, turns, upright.shape)
        assert np.hypot(die.center[0] - at[0], die.center[1] - at[1]) < 8


def test_one_die_seen_from_aside_by_an_upside_down_camera(reader: DiceReader) -> None:
    (die,) = reader.read(turn_image(draw_oblique(1.2, (1, 6, 4, 3, 2, 5)), 2))
    assert die.value == 2
    assert die.is_certain


def test_a_certain_face_that_cannot_be_a_top_is_asked_about(
    reader: DiceReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader_module, "find_upright_turns", lambda *_: 0)
    image = draw_oblique(1.2, (1, 6, 4, 3, 2, 5))
    assert are_playable(reader.read(image)), "by its face alone it is certain"
    monkeypatch.setattr("companion.vision.dice.frame_reading.is_impossible_top", lambda *_: True)
    assert all(not die.is_certain for die in reader.read(image))


def test_dice_of_very_different_sizes_are_asked_about(reader: DiceReader, monkeypatch: pytest.MonkeyPatch) -> None:
    image = draw_three_oblique()
    assert are_playable(reader.read(image))
    monkeypatch.setattr("companion.vision.dice.frame_reading.MAX_SIZE_RATIO", 1.0)
    assert all(not die.is_certain for die in reader.read(image))


def test_in_another_orientation_a_region_of_a_wide_frame_is_read(reader: DiceReader) -> None:
    image = np.full((500, 900, 3), (38, 89, 64), np.uint8)
    image[30:478, 400:848] = turn_image(draw_three_oblique(), 1)
    dice = reader.read(image, (390.0, 20.0, 860.0, 490.0))
    assert sorted(die.value for die in dice) == [4, 5, 6], "it may ask, see above"
    assert all(400 < die.center[0] < 848 and 30 < die.center[1] < 478 for die in dice)


def make_oblique_lid(turns: int) -> Lid:
    """Return a lid on the table of `draw_three_oblique`, as a camera in that orientation sees it."""
    corners = OBLIQUE_CAMERA.project(np.array([(x, y, 0) for x, y in ((3, 3), (3, 4), (4, 4), (4, 3))], np.float32))
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    return turn_lid(Lid((a, b, c, d), None, ()), turns, (448, 448))


@pytest.mark.sampled(1)
@pytest.mark.parametrize("turns", [1, 0, 2, 3])
def test_the_lid_shows_the_orientation_at_once(monkeypatch: pytest.MonkeyPatch, turns: int) -> None:
    monkeypatch.setattr("companion.vision.dice.reader.find_upright_turns", None)
    dice = DiceReader().read(turn_image(draw_three_oblique(), turns), lid=make_oblique_lid(turns))
    assert sorted(die.value for die in dice) == [4, 5, 6]
    assert are_playable(dice)


def test_a_region_outside_the_frame_holds_no_dice_in_any_orientation(reader: DiceReader) -> None:
    for turns in range(4):
        image, lid = turn_image(draw_three_oblique(), turns), make_oblique_lid(turns)
        for region in ((900.0, 0.0, 1000.0, 50.0), (-100.0, 0.0, -50.0, 50.0), (100.0, 100.0, 100.0, 100.0)):
            assert reader.read(image, region, lid) == ()


@pytest.mark.parametrize(
    "region", [(100.0, 100.0, 100.5, 101.0), (100.0, 0.0, 101.0, 448.0), (0.0, 447.2, 448.0, 448.0)]
)
def test_a_region_of_few_pixels_holds_no_dice(reader: DiceReader, region: BoundingBox) -> None:
    for turns in range(4):
        assert reader.read(turn_image(draw_three_oblique(), turns), region) == ()


def test_a_tray_is_read_as_it_is_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.vision.dice.reader.find_upright_turns", None)
    assert not are_playable(DiceReader(crowded=True).read(turn_image(draw_three_oblique(), 1)))


def test_a_certain_die_is_read_in_few_views(monkeypatch: pytest.MonkeyPatch) -> None:
    reader = DiceReader()
    counted = Mock(wraps=reader._run_reader)
    monkeypatch.setattr(reader, "_run_reader", counted)
    for value in range(1, 7):
        reader.read(draw_single_die(value))
    assert counted.call_count <= 6 * 8


def make_lid_from_above() -> Lid:
    """Return a lid in the corner of `draw_tilted_and_flat`: it shows that the camera views straight down."""
    return Lid(((10.0, 380.0), (70.0, 380.0), (70.0, 440.0), (10.0, 440.0)), None, ())


def test_a_frame_with_more_dice_than_are_examined_is_asked_about() -> None:
    image = np.hstack([draw_single_die(value) for value in (2, 3, 5)])
    reader = DiceReader(max_candidates=2)
    dice = reader.read(image)
    assert dice
    assert not any(die.is_certain for die in dice)
    assert reader.was_limited
    assert are_playable(DiceReader().read(image))


def test_a_frame_with_more_places_than_are_examined_is_read_if_they_look_like_no_dice() -> None:
    image = np.hstack([draw_single_die(value) for value in (2, 3)])
    detector = DiceDetector(0.02)
    assert len(detector.detect(image)) > 3
    reader = DiceReader(max_candidates=3, min_score=0.02)
    assert are_playable(reader.read(image))
    assert not reader.was_limited


def test_a_tilted_die_is_uncertain_once_the_table_is_known(reader: DiceReader) -> None:
    dice = reader.read(draw_tilted_and_flat(), lid=make_lid_from_above())
    (flat,) = (die for die in dice if die.box[2] < 224)
    leaning = [die for die in dice if die.box[0] > 224]
    assert flat.value == 5
    assert flat.confidence >= MIN_PLAY_CONFIDENCE
    assert leaning
    assert all(die.confidence < MIN_PLAY_CONFIDENCE for die in leaning)
    assert any(die.tilted for die in leaning)


def test_nothing_on_the_lid_or_on_its_tags_is_a_die(reader: DiceReader) -> None:
    on_it = Lid(((90.0, 60.0), (230.0, 60.0), (230.0, 180.0), (90.0, 180.0)), None, ())
    assert reader.read(draw_single_die(5), lid=on_it) == ()
    tag = ((130.0, 90.0), (190.0, 90.0), (190.0, 150.0), (130.0, 150.0))
    assert reader.read(draw_single_die(5), lid=replace(make_lid_from_above(), tags=(tag,))) == ()


@pytest.mark.full
def test_rendered_dice_are_read_and_certain_ones_are_right(reader: DiceReader) -> None:
    clear = right = sure = wrong = 0
    for seed in range(900_000, 900_030):
        image, truths, _ = render_scene(seed)
        for die in reader.read(image):
            x, y = (die.box[0] + die.box[2]) / 2, (die.box[1] + die.box[3]) / 2
            near = [t for t in truths if np.hypot(t.x - x, t.y - y) < 0.5 * t.edge and t.value == die.value]
            right += any(t.state == CLEAR and t.edge >= 20 for t in near)
            sure += die.confidence >= MIN_PLAY_CONFIDENCE
            wrong += die.confidence >= MIN_PLAY_CONFIDENCE and not near
        clear += sum(t.state == CLEAR and t.edge >= 20 for t in truths)
    assert sure >= 40
    assert right / clear >= 0.75
    assert wrong <= 3


@pytest.mark.full
def test_photographs_of_strangers_are_read_or_asked_about(reader: DiceReader, shared: Path) -> None:
    """Every fourth of those whose sources trained no network; `make bench` reads all, each without its source."""
    judged = [one for one in list_photographs(shared / "photos") if not one.may_train][::4]
    verdicts = Counter(judge_values(reader.read(load_image(one.path)), one.values) for one in judged)
    assert verdicts[WRONG] <= 1, verdicts
    assert verdicts[RIGHT] / verdicts.total() >= 0.88, verdicts
