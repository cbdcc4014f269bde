"""Learning a lid: where its windows are, which way is up, rings printed on its tokens, and what is no lid."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.vision.lid.calibration import find_token_candidates, learn_layout
from companion.vision.lid.digit_reader import DigitClassifier
from companion.vision.lid.geometry import FloatArray, compute_scales, project_points
from companion.vision.lid.image_pyramid import ImagePyramid
from companion.vision.lid.layout import LidLayout
from companion.vision.reading import Image
from tests.vision.lid.drawn_lid import NUMBERS, RADIUS, DrawnLid


def learn(picture: Image) -> tuple[LidLayout, FloatArray]:
    """Return the layout that is learnt from the picture, and its pose."""
    learnt = learn_layout(ImagePyramid(picture), DigitClassifier())
    assert learnt is not None
    return learnt


def measure_error(picture: Image, centers: FloatArray) -> float:
    """Learn the lid of a picture; return the largest distance of a window to the nearest drawn one, pixels."""
    layout, pose = learn(picture)
    windows = project_points(pose, layout.centers)
    return float(np.linalg.norm(windows[:, None] - centers, axis=2).min(axis=1).max())


@pytest.mark.sampled(1)
@pytest.mark.parametrize("share", [0.76, 0.84, 0.92])
def test_a_ring_printed_on_tokens_is_not_taken_for_the_rim(share: float) -> None:
    layout, pose = learn(DrawnLid("grid").ringed(share))
    found = compute_scales(pose, layout.centers)
    assert np.abs(found / RADIUS - 1).max() < 0.06


def draw_on_speckled_table(drawn: DrawnLid) -> tuple[Image, FloatArray]:
    """The lid as drawn, on granite, and its windows' centres."""
    picture, centers = drawn.draw()
    rng = np.random.default_rng(3)
    speckle = cv2.GaussianBlur(rng.normal(0, 1, (720, 1280)).astype(np.float32), (0, 0), 1.2)
    table = np.clip(150 + 160 * speckle[..., None], 0, 255) * np.ones(3)
    inside = np.zeros((720, 1280), np.uint8)
    cv2.fillConvexPoly(inside, np.rint(drawn.corners()).astype(np.int32), 1)
    return np.where(inside[..., None] > 0, picture, table).astype(np.uint8), centers


@pytest.mark.sampled(1)
@pytest.mark.parametrize("darker", [10, 6, 3])
def test_tokens_of_the_lids_own_colour_on_a_speckled_table_are_found(darker: int) -> None:
    token = (130 - darker, 60 - darker, 140 - darker)
    busy, centers = draw_on_speckled_table(DrawnLid("staggered", lid=(130, 60, 140), token=token))
    assert measure_error(busy, centers) < 5


def test_the_arrow_points_up_however_the_lid_lies() -> None:
    for angle in (0.0, 75.0, 190.0):
        layout, pose = learn(DrawnLid("staggered").draw(angle=angle)[0])
        assert layout.arrow is not None
        assert layout.arrow[1] < -3
        first = project_points(pose, layout.corners)[0]
        assert np.linalg.norm(first - DrawnLid("staggered").corners(angle=angle)[0]) < 12


@pytest.mark.parametrize("missing", [1, 4])
def test_a_lid_with_open_windows_is_not_learnt(missing: int) -> None:
    numbers = tuple(None if i < missing else n for i, n in enumerate(NUMBERS))
    assert learn_layout(ImagePyramid(DrawnLid("grid").draw(numbers)[0]), DigitClassifier()) is None


@pytest.mark.parametrize(("seed", "step"), [(0, 34), (5, 40)])
def test_a_chequered_cloth_is_not_learnt(seed: int, step: int) -> None:
    rng = np.random.default_rng(seed)
    picture: Image = np.full((416, 416, 3), 25, np.uint8)
    angle = np.radians(rng.uniform(5, 40))
    for along in np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]]):
        for k in range(-30, 31):
            at = 208 + k * step * np.array([-along[1], along[0]])
            (x0, y0), (x1, y1) = (at - 600 * along).astype(int).tolist(), (at + 600 * along).astype(int).tolist()
            cv2.line(picture, (x0, y0), (x1, y1), (180, 150, 140), 3, cv2.LINE_AA)
    picture = np.clip(picture + rng.normal(0, 4, picture.shape), 0, 255).astype(np.uint8)
    assert learn_layout(ImagePyramid(picture), DigitClassifier()) is None


def test_candidates_include_all_tokens_near_their_size() -> None:
    picture, centers = DrawnLid("loose").draw()
    found = find_token_candidates(ImagePyramid(picture))
    near = np.linalg.norm(found[:, None, :2] - centers, axis=2) < 8
    fits = (found[:, 2] > 0.85 * RADIUS) & (found[:, 2] < 1.2 * RADIUS)
    assert (near & fits[:, None]).any(axis=0).all()


def test_the_light_at_each_window_is_learnt() -> None:
    picture, centers = DrawnLid("grid").draw()
    light = np.interp(np.arange(picture.shape[1]), [centers[:, 0].min(), centers[:, 0].max()], [0.55, 1.0])
    layout, pose = learn((picture * light[None, :, None]).astype(np.uint8))
    places = project_points(pose, layout.centers)[:, 0]
    shade = np.interp(places, [centers[:, 0].min(), centers[:, 0].max()], [0.55, 1.0])
    assert np.abs(np.minimum(1.0, layout.relative_light) - np.minimum(1.0, shade / np.median(shade))).max() < 0.08


def test_token_colour_is_learnt_on_a_lid_with_black_parts() -> None:
    learnt, _ = learn(DrawnLid("grid").draw()[0])
    black = learnt.ring_colours.copy()
    black[:2] = 0
    layout = replace(learnt, ring_colours=black)
    assert layout.was_in_hard_light
    assert np.isfinite(layout.token_colour).all()
    assert layout.relative_light.min() > 0


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("layout", "angle"), [("grid", 0.0), ("grid", 30.0), ("loose", 0.0)])
def test_one_of_two_lids_side_by_side_is_learnt(layout: str, angle: float) -> None:
    scale, frames, centers = 0.8, [], []
    for turn, middle in ((0.0, 465.0), (angle, 815.0)):
        picture, places = DrawnLid(layout).draw(angle=turn)
        to_frame = np.array([[scale, 0, middle - 400 * scale], [0, scale, 360 * (1 - scale)]])
        frames.append(cv2.warpAffine(picture, to_frame, (1280, 720), borderMode=cv2.BORDER_REPLICATE))
        centers.append(places @ to_frame[:, :2].T + to_frame[:, 2])
    both = frames[0].copy()
    both[:, 640:] = frames[1][:, 640:]
    assert min(measure_error(np.asarray(both, np.uint8), places) for places in centers) < 5
