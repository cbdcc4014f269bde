"""The scenes that the dice reader learns from: the same from a seed, truly labelled, turned as cameras are held."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from ray_tracer.camera import aim_camera
from train_dice import scenes, traced
from train_dice.appearance import random_appearance
from train_dice.clutter import draw_beside_dice
from train_dice.labels import CLEAR, COCKED, IGNORED, SCENE_SIDE_PX, DieTruth
from train_dice.render import JPEG_QUALITY, write_shard
from train_dice.samples import (
    FLAT,
    NONE,
    PATCH_SIDE_PX,
    Scene,
    ScenePixels,
    SceneShards,
    SquareRegion,
    draw_crop,
    draw_patch,
    draw_turn,
    turn_measures,
)
from train_dice.scenes import render_scene
from train_dice.solid_objects import add_solids
from train_dice.solids import CORNERS, DistantLight, RandomCamera, draw_die

from companion.vision.dice.crops import (
    CROP_SIDE_EDGES,
    CROP_SIDE_PX,
    MIN_DEVIATION_LEVELS,
    PADDING_LEVEL,
    crop_face,
    locate_crop,
)
from companion.vision.dice.reader import DiceReader

pytestmark = pytest.mark.training

Listed = tuple[float, float, float, int, int, float, float]


def listed(truth: DieTruth) -> Listed:
    """A die as the shards' notes have it."""
    return truth.x, truth.y, truth.edge, truth.value, truth.state, truth.lean_x, truth.lean_y


def make_oblique_scene(toward: float) -> tuple[np.ndarray, list[Listed]]:
    """A blank picture with a bright spot, and two dice on a table seen from far aside whose up is `toward` radians."""
    image = np.zeros((SCENE_SIDE_PX, SCENE_SIDE_PX, 3), np.uint8)
    cv2.circle(image, (224, 150), 12, (255, 255, 255), -1)
    lean = float(0.7 * np.sin(toward)), float(-0.7 * np.cos(toward))
    return image, [(224.5, 150.5, 24.0, 5, CLEAR, *lean), (260.0, 300.0, 24.0, 2, CLEAR, *lean)]


def find_spot(pixels: np.ndarray) -> tuple[float, float]:
    """Centre of what is bright, in pixels from the upper left corner of the picture."""
    rows, columns = np.nonzero((pixels.min(2) > 140) | (pixels.min(2) > 0.6 * pixels.min(2).max()))
    return float(columns.mean() + 0.5), float(rows.mean() + 0.5)


Render = Callable[[int], tuple[np.ndarray, list[DieTruth], list[tuple[float, float, float]]]]


@pytest.mark.parametrize("render", [scenes.render_scene, traced.render_scene])
def test_a_scene_is_its_seed(render: Render) -> None:
    one, other = render(17), render(17)
    assert (one[0] == other[0]).all()
    assert one[1:] == other[1:]
    assert (render(18)[0] != one[0]).any()


def test_traced_scenes_hold_what_they_say() -> None:
    """Flat dice of one scene look the same way, give or take the perspective, and leaning ones another."""
    reported = [traced.render_scene(seed)[1] for seed in range(8)]
    assert len({t.state for truths in reported for t in truths}) > 2
    assert len({t.value for truths in reported for t in truths}) == 6
    for truths in reported:
        assert all(np.hypot(t.lean_x, t.lean_y) <= 1 for t in truths)
        flat = np.array([(t.lean_x, t.lean_y) for t in truths if t.state == CLEAR]).reshape(-1, 2)
        assert (np.ptp(flat, axis=0) < 0.75).all() if len(flat) else True
        for t in truths:
            if t.state == COCKED and len(flat):
                assert np.hypot(*(np.array([t.lean_x, t.lean_y]) - flat.mean(0))) > 0.1


def test_traced_dice_are_where_and_what_they_are_said_to_be() -> None:
    """The packaged reader, which never saw these seeds, reads most large ones in that place as that value."""
    reader, right, seen = DiceReader(), 0, 0
    for seed in range(8):
        image, truths, _ = traced.render_scene(seed)
        dice = reader.read(image)
        for t in truths:
            if t.state != CLEAR or t.edge < 24 or np.hypot(t.lean_x, t.lean_y) > 0.6:
                continue
            near = [d for d in dice if d.box[0] < t.x < d.box[2] and d.box[1] < t.y < d.box[3]]
            seen, right = seen + 1, right + any(d.value == t.value for d in near)
    assert seen > 8
    assert right > 0.85 * seen


TRAY = traced.Tray(np.array([60.0, 45.0]), 0.7, 2.0, 14.0)
SHARP = replace(random_appearance(np.random.default_rng(0)), rounding=0.0, ball=2.0)


@pytest.mark.parametrize(("place", "axis"), [((50, 3), 0), ((-50, 3), 0), ((5, 40), 1), ((5, -40), 1)])
def test_a_die_in_a_tray_leans_on_the_nearest_wall(place: tuple[float, float], axis: int) -> None:
    """It stands on an edge, the next one touches the wall, and the top looks into the tray."""
    sign = np.sign(place[axis])
    leaning = traced.lean_on_wall(np.random.default_rng(1), TRAY, TRAY.turn @ np.array([*place, 0.0]), SHARP, 16.0, 0.6)
    assert leaning is not None
    axes, center = leaning
    corners = (CORNERS @ axes.T * 16.0 + center) @ TRAY.turn
    outwards = sign * corners[:, axis]
    assert outwards.max() == pytest.approx(TRAY.half[axis], abs=1e-4)
    assert (np.abs(corners[:, :2]) < TRAY.half + 1e-4).all()
    lowest = np.argsort(corners[:, 2])
    assert np.ptp(corners[lowest[:2], 2]) < 1e-4
    assert outwards.argmax() in lowest[2:4], "of the edge that is second from below"
    top = axes[:, int(np.abs(axes[2]).argmax())]
    top = top * np.sign(top[2]) @ TRAY.turn
    assert top[2] == pytest.approx(np.cos(0.6), abs=1e-5)
    assert sign * top[axis] < -0.5


def test_no_die_leans_on_a_wall_that_is_lower_than_where_it_would_touch() -> None:
    low = TRAY._replace(depth=8.0)
    assert traced.lean_on_wall(np.random.default_rng(0), low, np.zeros(3), SHARP, 16.0, 0.6) is None


def test_dice_in_trays_lean_within_the_walls_and_do_not_intersect() -> None:
    """In three scenes of five some lean, one in four of each, as they are seen from above."""
    camera = aim_camera((0, 0), 400.0, 0.0, 0.0, 0.0, 900.0, (SCENE_SIDE_PX, SCENE_SIDE_PX))
    leaning = 0
    for seed in range(30):
        dice = traced.place_dice(np.random.default_rng(seed), camera, 14.0, 8, TRAY, None)
        for i, die in enumerate(dice):
            reach = [die.edge * traced.compute_reach(die.look, TRAY.turn.T @ die.turn, way) for way in np.eye(3)]
            at = TRAY.turn.T @ die.center
            assert (np.abs(at[:2]) + reach[:2] <= TRAY.half + 1e-3).all()
            assert at[2] - reach[2] == pytest.approx(TRAY.floor, abs=1e-3)
            leans = np.abs(die.turn[2]).max() < 0.99
            leaning += leans
            near = 1.7 * 14.0 if leans else 0.9 * 14.0
            assert all(np.hypot(*(die.center - other.center)[:2]) > near - 1e-3 for other in dice[:i] + dice[i + 1 :])
    assert leaning > 10


@pytest.mark.parametrize("seed", range(3))
def test_pips_of_a_top_face_stand_out(seed: int) -> None:
    rng = np.random.default_rng(seed)
    plain = dict.fromkeys(("ghost", "ring", "chafed", "glow"), 0.0)
    look = replace(
        random_appearance(rng), **plain, faces=(2, 5, 3, 4, 6, 1), worn=0.0, gloss=0.0, vein=None, metal=0.0, marble=0.0
    )
    camera = RandomCamera.look_down(0.0, 0.0, 0.0, 10.0, 900.0, SCENE_SIDE_PX)
    light = DistantLight(np.array([0.2, 0.1, 0.97], np.float32), np.ones(3, np.float32), 0.5)
    spread = []
    for blank in (False, True):
        one = replace(look, blank=blank)
        drawn = draw_die(
            camera, np.array([0, 0, 0.5], np.float32), np.eye(3, dtype=np.float32), one, light, SCENE_SIDE_PX, 2
        )
        assert drawn is not None
        _, patch, top = drawn
        face = patch[..., :3][(patch[..., 3] > 0.99) & (top > 0.99)]
        assert np.isfinite(face).all()
        spread.append(float(face.std(0).sum()))
    assert spread[0] > spread[1] + 0.05


@pytest.mark.parametrize("toward", [0.0, 1.0, 2.5, -2.0])
def test_a_table_seen_from_aside_is_turned_upright_with_all_that_lies_on_it(toward: float) -> None:
    _, dice = make_oblique_scene(toward)
    scene = Scene(dice, [(224.5, 150.5, 9.0)], [])
    ups, moved = [], 0
    for seed in range(40):
        turned = draw_turn(scene, np.random.default_rng(seed))
        x, y, edge, value, _, right, down = turned.contents.dice[0]
        assert (edge, value) == (24.0, 5)
        assert turned.contents.decoys[0][:2] == pytest.approx((x, y))
        assert np.hypot(right, down) == pytest.approx(0.7)
        if not turned.free:
            ups.append(abs(float(np.arctan2(right, -down))))
            moved += turned.contents.dice != dice
    assert len(ups) >= 25
    assert max(ups) < 0.7
    assert moved >= (8 if toward == 0.0 else 25)


def test_a_table_seen_from_above_is_turned_by_any_angle_or_not_at_all() -> None:
    _, dice = make_oblique_scene(1.0)
    above = [(*die[:5], 0.1, 0.1) for die in dice]
    angles = []
    for seed in range(40):
        turned = draw_turn(Scene(above, [], []), np.random.default_rng(seed))
        assert turned.free
        _, _, _, _, _, right, down = turned.contents.dice[0]
        assert np.hypot(right, down) == pytest.approx(np.hypot(0.1, 0.1))
        if turned.angle:
            angles.append(turned.angle)
            assert np.arctan2(down, right) == pytest.approx(
                np.arctan2(np.sin(at := np.pi / 4 + angles[-1]), np.cos(at))
            )
        else:
            assert turned.contents.dice == above
    assert 10 < len(angles) < 30
    assert np.ptp(angles) > 4


@pytest.mark.parametrize("seed", range(4))
def test_a_patch_shows_its_dice_where_it_says(seed: int) -> None:
    """The bright spot is found at the first die, turned, scaled, mirrored and upside down."""
    image, dice = make_oblique_scene(0.0)
    rng = np.random.default_rng(seed)
    above = [(*dice[0][:5], 0.1, 0.1)]  # any turn is as likely
    found = 0
    for _ in range(20):
        region, shown = draw_patch(draw_turn(Scene(above, [], []), rng), rng)
        pixels = ScenePixels(image).cut_patch(region)
        assert pixels.shape == (PATCH_SIDE_PX, PATCH_SIDE_PX, 3)
        for x, y, edge, state in shown:
            if state != IGNORED and edge > 8 and min(x, y, PATCH_SIDE_PX - x, PATCH_SIDE_PX - y) > edge:
                assert find_spot(pixels) == pytest.approx((x, y), abs=0.3 + 0.01 * edge)
                found += 1
    assert found > 2


@pytest.mark.parametrize("seed", range(4))
def test_a_crop_shows_its_die_where_it_says(seed: int) -> None:
    image, dice = make_oblique_scene(0.0)
    rng = np.random.default_rng(seed)
    found = 0
    for _ in range(60):
        drawn = draw_crop(draw_turn(Scene([(*dice[0][:5], 0.1, 0.1)], [], []), rng), rng)
        if drawn is None or drawn[1][0] != FLAT:
            continue
        region, (_, value, (right, down, larger, *_)) = drawn
        edge_px = CROP_SIDE_PX / CROP_SIDE_EDGES
        expected = CROP_SIDE_PX / 2 + right * edge_px, CROP_SIDE_PX / 2 + down * edge_px
        assert find_spot(ScenePixels(image).cut_crop(region)) == pytest.approx(expected, abs=1.3)
        assert value == 4
        assert np.exp(larger) == pytest.approx(24.0 / (region.step * edge_px), rel=0.05)
        found += 1
    assert found > 10


def test_a_patch_is_grey_beyond_its_scene() -> None:
    white = ScenePixels(np.full((SCENE_SIDE_PX, SCENE_SIDE_PX, 3), 255, np.uint8))
    patch = white.cut_patch(SquareRegion(-100.0, -50.0, 4.0, 1.0, 0, False))
    assert (patch[:, :25] == PADDING_LEVEL).all()
    assert (patch[:12] == PADDING_LEVEL).all()
    assert (patch[14:120, 27:130] == 255).all()
    assert (white.cut_patch(SquareRegion(-100.0, -50.0, 4.0, 1.0, 2, True)) == patch[::-1]).all()


@pytest.mark.parametrize(
    ("x", "y", "edge", "difference"),
    [(100.0, 200.0, 20.0, 0.02), (220.3, 241.7, 31.0, 0.02), (30.0, 20.0, 30.0, 0.02), (220.3, 241.7, 62.0, 0.04)],
)
def test_a_crop_has_the_pixels_that_the_companion_would_read(
    x: float, y: float, edge: float, difference: float
) -> None:
    image, _, _ = render_scene(900_012)
    left, top, side = locate_crop(x, y, edge)
    pixels = ScenePixels(image).cut_crop(SquareRegion(left, top, side / CROP_SIDE_PX, 0.0, 0, False)).astype(np.float32)
    pixels = (pixels - pixels.mean()) / (pixels.std() + MIN_DEVIATION_LEVELS)
    assert np.abs(pixels.transpose(2, 0, 1) - crop_face(image, x, y, edge)).mean() < difference


def test_measures_turn_with_their_crop() -> None:
    """A face right of the middle whose normal points down: after a quarter turn anticlockwise it is above."""
    measures = (0.2, 0.0, 0.1, 0.0, 0.5)
    assert turn_measures(measures, 1, mirrored=False) == pytest.approx((0.0, -0.2, 0.1, 0.5, 0.0))
    assert turn_measures(measures, 4, mirrored=False) == pytest.approx(measures)
    assert turn_measures(measures, 0, mirrored=True) == pytest.approx((-0.2, 0.0, 0.1, 0.0, 0.5))


def test_things_are_drawn_where_they_are_said_to_lie() -> None:
    for seed in range(30):
        rng = np.random.default_rng(seed)
        image = np.full((SCENE_SIDE_PX, SCENE_SIDE_PX, 3), 0.5, np.float32)
        ((x, y),) = add_solids(image, rng, 40.0, 1)
        changed = np.argwhere(np.abs(image - 0.5).max(2) > 0.02)
        assert len(changed)
        assert np.hypot(*(changed - (y, x)).T).min() < 40
        assert image.min() >= 0
        assert image.max() <= 1


def test_crops_say_what_they_show() -> None:
    _, truths, decoys = render_scene(900_012)
    rng = np.random.default_rng(1)
    states = []
    for _ in range(200):
        one = draw_crop(draw_turn(Scene([listed(t) for t in truths], decoys, []), rng), rng)
        if one is None:
            continue
        _, (state, value, measures) = one
        assert state == NONE or value + 1 in {t.value for t in truths}
        assert max(abs(m) for m in measures) <= 1
        states.append(state)
    assert states.count(NONE) > 20
    assert states.count(FLAT) > 15


def test_things_lie_beside_dice_or_under_them() -> None:
    dice = [(100.0, 100.0), (300.0, 120.0), (200.0, 330.0)]
    counts = []
    for seed in range(20):
        image = np.full((SCENE_SIDE_PX, SCENE_SIDE_PX, 3), 0.5, np.float32)
        spots = draw_beside_dice(image, np.random.default_rng(seed), 40.0, dice)
        counts.append(len(spots))
        assert all(min(np.hypot(x - a, y - b) for a, b in dice) <= 1.6 * 40 for x, y in spots)
        assert bool(spots) == bool(np.abs(image - 0.5).max() > 0.02)
    assert set(counts) > {0, 1, 2}


def test_shards_give_each_scene_its_picture_and_weight(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    weights = {tmp_path / "often": 6.0, tmp_path / "never": 0.0}
    pictures = {}
    for folder in weights:
        folder.mkdir()
        images = rng.integers(0, 256, (3, SCENE_SIDE_PX, SCENE_SIDE_PX, 3), np.uint8)
        write_shard(folder, 0, [(image, [], [(i, 1, 2)]) for i, image in enumerate(images)])
        files = [cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1] for image in images]
        pictures[folder] = [cv2.imdecode(file, cv2.IMREAD_COLOR) for file in files]
    shards = SceneShards(weights)
    assert len(shards) == 6
    order = sorted(weights)  # "never" comes first
    for i in range(6):
        assert (shards.read_image(i) == pictures[order[i // 3]][i % 3]).all()
        assert shards[i] == Scene([], [[i % 3, 1, 2]], [])
    assert shards.weights.tolist() == [0, 0, 0, 6, 6, 6]
