"""Tests of the view's motion: it is found from the frames alone, and dice and lid move with it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.vision.frames.view_shift import ViewShift, estimate_view_shift
from companion.vision.reading import Die, GreyImage, Lid, LidWindow

WIDTH, HEIGHT = 320, 180


def draw_textured(seed: int = 1) -> GreyImage:
    """A table with grain and things on it."""
    rng = np.random.default_rng(seed)
    rough = cv2.GaussianBlur(rng.normal(0, 1, (HEIGHT, WIDTH)), (0, 0), 2.0)
    picture = np.clip(120 + 300 * rough, 0, 255).astype(np.uint8)
    for _ in range(25):
        x, y = (int(v) for v in rng.uniform((10, 10), (WIDTH - 30, HEIGHT - 30)))
        cv2.rectangle(picture, (x, y), (x + 15, y + 12), int(rng.uniform(0, 255)), -1)
    return np.asarray(picture, np.uint8)


def move_picture(
    picture: GreyImage, turn: float, scale: float, across: float, down: float
) -> tuple[GreyImage, np.ndarray]:
    """The picture turned (degrees) and scaled about its middle and shifted (pixels), and the true mapping (3, 3)."""
    m = cv2.getRotationMatrix2D((WIDTH / 2, HEIGHT / 2), turn, scale)
    m[:, 2] += across, down
    seen = cv2.warpAffine(picture, m, (WIDTH, HEIGHT), borderMode=cv2.BORDER_REFLECT)
    return np.asarray(seen, np.uint8), np.vstack([m, [0, 0, 1]])


@pytest.mark.parametrize("how", [(0, 1, 6, -4), (3, 1, 0, 0), (-2, 1.04, -5, 3), (0, 1, 0, 0)])
def test_the_view_motion_is_found_to_a_pixel(how: tuple[float, float, float, float]) -> None:
    before = draw_textured()
    now, true = move_picture(before, *how)
    shift = estimate_view_shift(before, now)
    assert shift is not None
    spots = [(60.0, 40.0), (250.0, 60.0), (160.0, 140.0)]
    found = np.array(shift.move_points(spots))
    want = cv2.perspectiveTransform(np.array(spots).reshape(-1, 1, 2), true)[:, 0]
    assert np.abs(found - want).max() < 1.0
    assert shift.scale == pytest.approx(how[1], abs=0.01)


def test_an_arriving_hand_is_no_motion_of_the_view() -> None:
    before = draw_textured()
    now = before.copy()
    cv2.circle(now, (90, 80), 45, 200, -1)
    shift = estimate_view_shift(before, now)
    assert shift is not None
    assert shift.max_travel_widths < 0.005


def test_a_bare_or_another_table_has_no_view_motion() -> None:
    bare = np.full((HEIGHT, WIDTH), 90, np.uint8)
    assert estimate_view_shift(bare, bare) is None
    assert estimate_view_shift(draw_textured(1), draw_textured(2)) is None


def test_dice_and_lid_move_with_the_view() -> None:
    shift = ViewShift(np.array([[1.0, 0, 10], [0, 1, -5], [0, 0, 1]]), WIDTH, HEIGHT)
    die = shift.move_die(Die(3, (20.0, 30.0, 40.0, 50.0), 0.95))
    assert die.box == (30.0, 25.0, 50.0, 45.0)
    assert (die.value, die.confidence) == (3, 0.95)
    windows = (LidWindow((50.0, 60.0), 8.0, True, 2, 0.9),)
    corners = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0))
    lid = shift.move_lid(Lid(corners, (4.0, 1.0), windows))
    assert lid.corners[2] == (19.0, 4.0)
    assert lid.arrow == (14.0, -4.0)
    assert lid.windows[0].center == (60.0, 55.0)
    assert shift.move_lid(Lid(corners, None, windows)).arrow is None
    assert shift.move_points([]) == []


def test_shifts_combine_and_hold_for_larger_frames() -> None:
    right = ViewShift(np.array([[1.0, 0, 10], [0, 1, 0], [0, 0, 1]]), WIDTH, HEIGHT)
    twice = ViewShift(np.diag([2.0, 2.0, 1.0]), WIDTH, HEIGHT)
    nearer = ViewShift(np.diag([1.5, 1.5, 1.0]), WIDTH, HEIGHT)
    assert nearer.move_box((10.0, 10.0, 20.0, 20.0)) == pytest.approx((15.0, 15.0, 30.0, 30.0))
    assert right.followed_by(twice).move_points([(5.0, 5.0)]) == [(30.0, 10.0)]
    large = right.rescaled_to(np.zeros((4 * HEIGHT, 4 * WIDTH, 3), np.uint8))
    assert large.move_points([(0.0, 0.0)])[0] == pytest.approx((40.0, 0.0))
    assert right.max_travel_widths == pytest.approx(10 / WIDTH)


def test_a_warped_frame_keeps_the_newly_visible_parts() -> None:
    before = draw_textured()
    now, true = move_picture(before, 0, 1, 20, 0)
    warped = ViewShift(true, WIDTH, HEIGHT).warp_frame(before, now)
    assert (warped[:, :20] == now[:, :20]).all()
    assert np.abs(warped[:, 25:].astype(int) - now[:, 25:]).mean() < 1
