"""A lid half in the sun is learnt and read, and where the light crosses out a digit nothing is acted on; so is one in
a cheap camera's noise."""

from __future__ import annotations

import numpy as np
import pytest

from companion.vision.confidence_limits import MIN_PLAY_CONFIDENCE
from companion.vision.lid.reader import LidReader
from companion.vision.reading import Image, Lid
from tests.vision.lid.drawn_lid import NUMBERS, Array, DrawnLid, learn_lid

Numbers = tuple[int | None, ...]
OPEN: Numbers = (5, None, None, 1, 3, None, 4, 6, None, 5, 2, 3)
LIDS = [
    DrawnLid("grid", lid=(90, 60, 40), token=(40, 36, 120), digit=(150, 150, 150)),
    DrawnLid("staggered", lid=(60, 62, 64), token=(40, 110, 60), digit=(20, 20, 20)),
]


def add_sunlight(picture: Image, at: tuple[float, float], angle: float, gain: float = 2.0, soft: float = 4.0) -> Image:
    """The picture with light of `gain` times the levels on one side of a line through `at` (pixels, degrees)."""
    y, x = np.mgrid[: picture.shape[0], : picture.shape[1]]
    turn = np.radians(angle)
    across = (x - at[0]) * np.cos(turn) + (y - at[1]) * np.sin(turn)
    light = 1 + (gain - 1) / (1 + np.exp(-np.clip(across / soft, -50, 50)))
    return np.asarray(np.clip(picture * light[..., None], 0, 255), np.uint8)


def count_readings(read: Lid | None, centers: Array, numbers: Numbers) -> tuple[int, int]:
    """How many windows are rightly acted on, and how many wrongly."""
    assert read is not None
    right = wrong = 0
    for window in read.windows:
        number = numbers[int(np.linalg.norm(centers - np.array(window.center), axis=1).argmin())]
        if window.covered is None or window.confidence < MIN_PLAY_CONFIDENCE:
            continue
        if window.covered == (number is not None) and window.number == number:
            right += 1
        else:
            wrong += 1
    return right, wrong


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("drawn", "angle"), [(LIDS[0], 20.0), (LIDS[0], 250.0), (LIDS[1], 110.0)])
def test_a_lid_half_in_the_sun_is_learnt_and_read(drawn: DrawnLid, angle: float) -> None:
    picture, centers = drawn.draw()
    turned, turned_centers = drawn.draw(OPEN, angle=80)
    middle = tuple(centers.mean(axis=0).tolist())
    sunny, later = LidReader(), learn_lid(drawn)[0]
    for read, places, numbers in (
        (sunny.calibrate(add_sunlight(picture, middle, angle)), centers, NUMBERS),
        (sunny.read(add_sunlight(turned, middle, angle)), turned_centers, OPEN),
        (later.read(add_sunlight(picture, middle, angle)), centers, NUMBERS),
    ):
        right, wrong = count_readings(read, places, numbers)
        assert right >= 9
        assert wrong == 0


def test_an_overexposed_token_is_not_certainly_open() -> None:
    drawn = DrawnLid("grid", lid=(120, 90, 70), token=(90, 150, 140), digit=(190, 200, 190))
    reader, _ = learn_lid(drawn)
    picture, centers = drawn.draw()
    burnt = add_sunlight(picture, (float(centers[:, 0].mean()), 0.0), 0.0, gain=2.8)
    assert (burnt.min(axis=2) >= 250).any()
    assert count_readings(reader.read(burnt), centers, NUMBERS)[1] == 0


@pytest.mark.parametrize("drawn", LIDS, ids=lambda drawn: drawn.layout)
def test_sensor_noise_hides_no_window(drawn: DrawnLid) -> None:
    reader = LidReader()
    picture, centers = drawn.draw(noise=15.0)
    assert count_readings(reader.calibrate(picture), centers, NUMBERS) == (12, 0)
    picture, centers = drawn.draw(OPEN, angle=80, noise=15.0, seed=1)
    right, wrong = count_readings(reader.read(picture), centers, OPEN)
    assert right >= 11
    assert wrong == 0


@pytest.mark.sampled(1)
@pytest.mark.parametrize("window", [0, 5])
def test_a_reflection_on_a_dark_token_is_tolerated(window: int) -> None:
    drawn = DrawnLid("staggered", lid=(125, 130, 250), token=(72, 80, 87), digit=(225, 245, 250))
    reader = LidReader()
    picture, centers = drawn.draw()
    y, x = np.mgrid[: picture.shape[0], : picture.shape[1]]
    away = np.hypot(x - centers[window, 0], y - centers[window, 1])
    mirrored = picture + (52 * np.exp(-((away / 60) ** 2)))[..., None]
    right, wrong = count_readings(reader.calibrate(np.asarray(np.clip(mirrored, 0, 255), np.uint8)), centers, NUMBERS)
    assert right >= 11
    assert wrong == 0
