"""The inputs of the dice reader's nets."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.vision.dice.crops import (
    CROP_SIDE_EDGES,
    CROP_SIDE_PX,
    DETECTOR_STRIDES_PX,
    PADDING_LEVEL,
    crop_face,
    resize_for_detector,
)


def spotted(height: int, width: int, x: int, y: int) -> np.ndarray:
    """Return a dark frame with a bright spot of 9 pixels about (x, y)."""
    image = np.full((height, width, 3), 40, np.uint8)
    image[y - 4 : y + 5, x - 4 : x + 5] = 240
    return image


def brightest(pixels: np.ndarray) -> tuple[float, float]:
    """Return the centre (x, y) of the bright part of a crop."""
    ys, xs = np.nonzero(pixels[0] > pixels[0].max() * 0.6)
    return float(xs.mean()), float(ys.mean())


@pytest.mark.parametrize("scale", [1.0, 0.5, 0.31])
def test_a_resized_frame_has_sides_that_are_multiples_of_the_stride(scale: float) -> None:
    image = np.full((333, 641, 3), 7, np.uint8)
    pixels, per_pixel = resize_for_detector(image, scale)
    assert pixels.shape[0] % DETECTOR_STRIDES_PX[-1] == 0
    assert pixels.shape[1] % DETECTOR_STRIDES_PX[-1] == 0
    assert per_pixel == pytest.approx(scale, rel=0.01)
    assert (pixels[: round(333 * scale) - 1, : round(641 * scale) - 1] == 7).all()
    assert (pixels[-1, -1] == PADDING_LEVEL).all()


@pytest.mark.parametrize(("height", "width"), [(3023, 4031), (1087, 1919), (480, 640), (2687, 3591)])
def test_a_place_in_a_resized_frame_is_found_again_at_any_size(height: int, width: int) -> None:
    x, y, half = width - 150, height - 150, 40
    image = np.full((height, width, 3), 40, np.uint8)
    image[y - half : y + half, x - half : x + half] = 240
    pixels, scale = resize_for_detector(image, 448 / width)
    weights = pixels[..., 0].astype(float) - 40
    shown = int(height * scale) - 2, int(width * scale) - 2  # beyond lies padding
    weights[shown[0] :], weights[:, shown[1] :] = 0, 0
    rows, columns = np.indices(weights.shape) + 0.5
    found = [float((weights * place).sum() / weights.sum()) / scale for place in (columns, rows)]
    assert found == pytest.approx([x, y], abs=3)  # sides are rounded to whole pixels, 0.1 % of these


def test_a_crop_is_centred_and_scaled_by_the_edge() -> None:
    image = spotted(300, 400, 200, 120)
    assert brightest(crop_face(image, 200, 120, 50)) == pytest.approx((CROP_SIDE_PX / 2, CROP_SIDE_PX / 2), abs=1.5)
    right = brightest(crop_face(image, 200 - 25, 120, 50))[0]  # half an edge to the right of the middle
    assert right - CROP_SIDE_PX / 2 == pytest.approx(CROP_SIDE_PX / CROP_SIDE_EDGES / 2, abs=1.5)


def test_a_crop_is_normalised_in_brightness_and_contrast() -> None:
    image = spotted(300, 400, 200, 120)
    dim = (image * 0.4 + 30).astype(np.uint8)
    one, other = crop_face(image, 200, 120, 30), crop_face(dim, 200, 120, 30)
    assert one.shape == (3, CROP_SIDE_PX, CROP_SIDE_PX)
    assert abs(float(one.mean())) < 1e-3
    assert np.abs(one - other).max() < 0.4 * np.abs(one).max()
    assert not crop_face(np.full((50, 50, 3), 90, np.uint8), 25, 25, 20).any()


@pytest.mark.parametrize("place", [(0.0, 0.0), (399.0, 299.0), (-30.0, 150.0), (200.0, 900.0)])
@pytest.mark.parametrize("edge", [1.0, 30.0, 500.0])
def test_a_crop_beyond_the_frame_repeats_its_border(place: tuple[float, float], edge: float) -> None:
    pixels = crop_face(spotted(300, 400, 200, 120), *place, edge)
    assert pixels.shape == (3, CROP_SIDE_PX, CROP_SIDE_PX)
    assert np.isfinite(pixels).all()


@pytest.mark.parametrize("edge", [12.0, 30.0, 55.0, 90.0, 200.0])
def test_a_crop_of_any_size_shows_the_same(edge: float) -> None:
    """An enlarged picture with an enlarged edge gives the same crop."""
    rng = np.random.default_rng(4)
    small = cv2.resize(rng.integers(0, 256, (12, 12, 3), np.uint8), (120, 120), interpolation=cv2.INTER_CUBIC)
    scale = edge / 26.0
    large = cv2.resize(small, None, fx=scale, fy=scale, interpolation=cv2.INTER_LINEAR)
    one, other = (
        crop_face(small, 60.0, 60.0, 26.0),
        crop_face(np.asarray(large, np.uint8), 60.0 * scale, 60.0 * scale, edge),
    )
    assert np.corrcoef(one.ravel(), other.ravel())[0, 1] > 0.97
    assert abs(float(other.mean())) < 0.01
