"""The scenes that the dice reader learns from: the same from a seed, truly labelled, turned as cameras are held."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from train_dice import scenes, traced
from train_dice.samples import FLAT, NONE, SceneShards, alter_colours, cut_crop, turn_upright
from train_dice.scenes import CLEAR, COCKED, IGNORED, SCENE_SIDE_PX, DieTruth, render_scene
from train_dice.solid_objects import add_solids
from train_dice.solids import DistantLight, RandomCamera, draw_die, random_appearance
from train_dice.tables import draw_beside_dice

from companion.vision.dice.reader import DiceReader

Listed = tuple[float, float, float, int, int, float, float]


def listed(truth: DieTruth) -> Listed:
    """A die as the shards' notes have it."""
    return truth.x, truth.y, truth.edge, truth.value, truth.state, truth.lean_x, truth.lean_y


def aslant(toward: float) -> tuple[np.ndarray, list[Listed]]:
    """A blank picture with a bright spot, and two dice on a table seen from far aside whose up is `toward` radians."""
    image = np.zeros((SCENE_SIDE_PX, SCENE_SIDE_PX, 3), np.uint8)
    cv2.circle(image, (224, 150), 12, (255, 255, 255), -1)
    lean = float(0.7 * np.sin(toward)), float(-0.7 * np.cos(toward))
    return image, [(224.0, 150.0, 24.0, 5, CLEAR, *lean), (260.0, 300.0, 24.0, 2, CLEAR, *lean)]


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


def test_scenes_hold_every_value_and_every_state() -> None:
    truths = [t for seed in range(40) for t in render_scene(seed)[1]]
    assert {t.value for t in truths if t.state == CLEAR} == {1, 2, 3, 4, 5, 6}
    assert {t.state for t in truths} == {0, 1, 2, 3, 4}
    assert all(np.hypot(t.lean_x, t.lean_y) <= 1 for t in truths)


def test_small_scenes_have_small_dice() -> None:
    edges = [t.edge for seed in range(12) for t in render_scene(seed, small=True)[1]]
    assert edges
    assert max(edges) < 80


@pytest.mark.parametrize("seed", range(6))
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
    image, dice = aslant(toward)
    ups, moved = [], 0
    for seed in range(40):
        out, turned, (spot,), _, free = turn_upright(
            image, dice, [(224.0, 150.0, 9.0)], [], np.random.default_rng(seed)
        )
        x, y, edge, value, state, right, down = turned[0]
        assert (edge, value) == (24.0, 5)
        assert spot[:2] == pytest.approx((x, y))
        assert np.hypot(right, down) == pytest.approx(0.7)
        if state != IGNORED:
            assert out[round(y), round(x)].min() > 200
        if not free:
            ups.append(abs(float(np.arctan2(right, -down))))
            moved += turned != dice
    assert len(ups) >= 25
    assert max(ups) < 0.7
    assert moved >= (8 if toward == 0.0 else 25)


def test_a_table_seen_from_above_is_turned_by_any_angle_or_not_at_all() -> None:
    image, dice = aslant(1.0)
    above = [(*die[:5], 0.1, 0.1) for die in dice]
    angles = []
    for seed in range(40):
        out, turned, _, _, free = turn_upright(image, above, [], [], np.random.default_rng(seed))
        assert free
        x, y, _, _, state, right, down = turned[0]
        assert np.hypot(right, down) == pytest.approx(np.hypot(0.1, 0.1))
        if turned != above:
            angles.append(float(np.arctan2(down, right)))
            if state != IGNORED:
                assert out[round(y), round(x)].min() > 200
        else:
            assert out is image
    assert 10 < len(angles) < 30
    assert np.ptp(angles) > 4


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
    image, truths, decoys = render_scene(900_012)
    dice = [listed(t) for t in truths]
    rng = np.random.default_rng(1)
    states = []
    for _ in range(200):
        one = cut_crop(image, dice, decoys, [], rng)
        if one is None:
            continue
        pixels, (state, value, measures) = one
        assert pixels.shape == (3, 64, 64)
        assert state == NONE or value + 1 in {t.value for t in truths}
        assert max(abs(m) for m in measures) <= 1
        states.append(state)
    assert states.count(NONE) > 20
    assert states.count(FLAT) > 25


def test_a_crop_in_other_colours_is_as_loud_and_as_large() -> None:
    rng = np.random.default_rng(3)
    pixels = rng.normal(0.2, 0.8, (3, 64, 64)).astype(np.float32)
    made = [alter_colours(pixels, rng) for _ in range(60)]
    assert all(one.shape == pixels.shape for one in made)
    assert all(one.mean() == pytest.approx(pixels.mean(), abs=1e-3) for one in made)
    assert all(one.std() == pytest.approx(pixels.std(), rel=0.01) for one in made)
    assert 10 < sum(bool(np.abs(one - pixels).max() > 0.1) for one in made) < 60


def test_pips_of_a_six_do_not_run_together() -> None:
    for seed in range(300):
        look = random_appearance(np.random.default_rng(seed))
        assert 2 * look.pip_radius <= look.spread * min(1.0, look.six_spread)


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
    pictures = {}
    for name, weight in (("often", 6.0), ("never", 0.0)):
        folder = tmp_path / name
        folder.mkdir()
        images = rng.integers(0, 256, (3, SCENE_SIDE_PX, SCENE_SIDE_PX, 3), np.uint8)
        np.save(folder / "000000.npy", images)
        (folder / "000000.json").write_text(json.dumps([{"dice": [], "decoys": [[i, 1, 2]]} for i in range(3)]))
        pictures[folder] = images, weight
    shards = SceneShards({folder: weight for folder, (_, weight) in pictures.items()})
    assert len(shards) == 6
    order = sorted(pictures)  # "never" comes first
    for i in range(6):
        image, dice, decoys, found = shards[i]
        assert (image == pictures[order[i // 3]][0][i % 3]).all()
        assert (dice, found) == ([], [])
        assert decoys[0][0] == i % 3
    assert shards.weights.tolist() == [0, 0, 0, 6, 6, 6]
