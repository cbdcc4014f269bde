"""Tests of the flicker check: bands of a lamp that flickers are named, hands and other lamps are not."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from companion.events import CameraState
from companion.vision.reading import Image, ProblemKind, Reading
from companion.vision.view_check.monitor import ViewMonitor
from tests.vision.lid.drawn_lid import DrawnLid
from tests.vision.watching import make_die

TABLE: Image = np.asarray(cv2.resize(DrawnLid().draw()[0], (640, 360), interpolation=cv2.INTER_AREA), np.uint8)


def watch(draw: Callable[[int], Image], state: CameraState = CameraState.ROLLING) -> ProblemKind | None:
    """Return the problem that is named after 12 seconds of a film at 15 frames per second."""
    monitor = ViewMonitor(lambda image: ())
    for number in range(180):
        monitor.process_frame(draw(number), number / 15, state, None)
    return monitor.problem and monitor.problem.kind


def draw_bands(number: int, share: float) -> Image:
    """Return the table under a lamp that takes or adds `share` of the light in bands; they wander."""
    rows = np.sin(np.arange(len(TABLE)) / 17 + 2.1 * number)
    return np.asarray(np.clip(TABLE * (1 + share * rows)[:, None, None], 0, 255), np.uint8)


@pytest.mark.sampled("0.18")
@pytest.mark.parametrize("state", [CameraState.ROLLING, CameraState.HAND, CameraState.STEADY])
@pytest.mark.parametrize("share", [0.18, 0.4])
def test_a_lamp_that_flickers_too_much_is_named(share: float, state: CameraState) -> None:
    assert watch(lambda number: draw_bands(number, share), state) is ProblemKind.FLICKERING


def test_weak_flicker_is_not_named() -> None:
    assert watch(lambda number: draw_bands(number, 0.06)) is None


def test_hands_that_move_are_no_flicker() -> None:
    def draw(number: int) -> Image:
        image = TABLE.copy()
        x, y = 320 + 200 * np.sin(number), 180 + 150 * np.sin(0.7 * number)
        cv2.ellipse(image, (int(x), int(y)), (130, 90), 0, 0, 360, (110, 140, 190), -1)
        return image

    assert watch(draw) is None


def test_a_lamp_that_is_dimmed_is_no_flicker() -> None:
    assert watch(lambda number: np.asarray(TABLE * (0.7 + 0.3 * np.sin(number)), np.uint8)) is None


def test_flicker_through_which_the_dice_are_read_is_not_named() -> None:
    monitor = ViewMonitor(lambda image: ())
    for number in range(180):
        reading = Reading((make_die(3, 100, 100),))
        monitor.process_frame(draw_bands(number, 0.18), number / 15, CameraState.STEADY, reading)
    assert monitor.problem is None
