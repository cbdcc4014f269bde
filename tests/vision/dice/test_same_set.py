"""Dice of one set have the same colours and size; a face that looks like a certain die is doubted less."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.vision.dice.assembly import (
    FaceReading,
    compute_colour_distance,
    is_same_set,
    measure_face_colours,
    weigh_by_dice_set,
)
from companion.vision.dice.detector import Candidate

WHITE, RED, BLACK = (235, 240, 240), (40, 30, 200), (20, 20, 20)
Color = tuple[int, int, int]


def table(*dice: tuple[float, float, float, Color, Color]) -> np.ndarray:
    """Return a brown table with squares (x, y, edge, body, pips) that have four pips."""
    image = np.full((300, 400, 3), (60, 90, 120), np.uint8)
    for x, y, edge, body, pips in dice:
        half = edge / 2
        cv2.rectangle(image, (int(x - half), int(y - half)), (int(x + half), int(y + half)), body, -1)
        for dx in (-0.25, 0.25):
            for dy in (-0.25, 0.25):
                cv2.circle(image, (int(x + dx * edge), int(y + dy * edge)), int(edge * 0.09), pips, -1, cv2.LINE_AA)
    return image


def at(x: float, y: float, edge: float = 40.0) -> Candidate:
    return Candidate(x, y, edge, 0.7)


def test_colours_of_body_and_pips_are_those_that_were_painted() -> None:
    image = table((100, 100, 40, RED, WHITE))
    body, pips = measure_face_colours(image, at(100, 100))
    red, white = cv2.cvtColor(np.array([[RED, WHITE]], np.float32) / 255, cv2.COLOR_BGR2LAB)[0]
    assert np.linalg.norm(body - red) < 8
    assert pips[0] > 0.8 * white[0]


def test_shade_makes_less_difference_than_another_colour() -> None:
    image = table((60, 60, 40, WHITE, BLACK), (200, 60, 40, (175, 180, 180), BLACK), (60, 200, 40, RED, BLACK))
    one, shaded, red = (measure_face_colours(image, c) for c in (at(60, 60), at(200, 60), at(60, 200)))
    assert compute_colour_distance(one, one) == 0
    assert compute_colour_distance(one, shaded) < 20 < compute_colour_distance(one, red)


@pytest.mark.parametrize("edge", [3.0, 40.0, 900.0])
def test_colours_are_measured_at_the_border_and_beyond(edge: float) -> None:
    image = table((0, 0, 40, WHITE, BLACK))
    for spot in (at(-5, -5, edge), at(399, 299, edge), at(420, 310, edge)):
        body, pips = measure_face_colours(image, spot)
        assert np.isfinite(body).all()
        assert np.isfinite(pips).all()


@pytest.mark.parametrize(
    ("other", "is_same"),
    [((250, 200, 40, WHITE), True), ((250, 200, 40, RED), False), ((250, 200, 75, WHITE), False)],
)
def test_dice_of_one_set_have_the_same_colours_and_size(
    other: tuple[float, float, float, Color], is_same: bool
) -> None:
    x, y, edge, body = other
    image = table((80, 80, 40, WHITE, BLACK), (x, y, edge, body, BLACK))
    die = at(80, 80)
    assert is_same_set(image, at(x, y, edge), [die], [die]) == is_same


def test_a_side_face_gains_nothing_from_its_own_die() -> None:
    image = table((80, 80, 40, WHITE, BLACK), (80, 120, 40, WHITE, BLACK), (300, 200, 40, WHITE, BLACK))
    top, far = at(80, 80), at(300, 200)
    assert not is_same_set(image, at(80, 120), [top, far], [top, far])
    assert not is_same_set(image, at(80, 120), [top, far], [far])
    assert not is_same_set(image, at(300, 200), [], [])


def face(c: Candidate, not_face: float, normal_xy: tuple[float, float] = (0.0, 0.0)) -> FaceReading:
    states = np.array([not_face, (1 - not_face) * 0.98, (1 - not_face) * 0.01, (1 - not_face) * 0.01], np.float32)
    return FaceReading(c, states, np.array([0.002, 0.002, 0.002, 0.99, 0.002, 0.002], np.float32), normal_xy)


def test_a_face_of_the_same_set_is_doubted_less_unless_it_faces_another_way() -> None:
    image = table((80, 80, 40, WHITE, BLACK), (180, 140, 40, WHITE, BLACK), (180, 60, 40, RED, WHITE))
    sure, doubted, foreign = face(at(80, 80), 0.0), face(at(180, 140), 0.4), face(at(180, 60), 0.4)
    seen = weigh_by_dice_set(image, [sure, doubted, foreign])
    assert seen[0] is sure
    assert seen[1].state_probabilities[0] < 0.2
    assert seen[1].state_probabilities.sum() == pytest.approx(1)
    assert seen[2] is foreign
    side = replace(doubted, normal_xy=(0.0, 0.8))
    assert weigh_by_dice_set(image, [sure, side, foreign])[1] is side
    assert weigh_by_dice_set(image, [doubted, foreign]) == [doubted, foreign]


@pytest.mark.parametrize(("value", "body", "not_face", "stays"), [
    (1, RED, 0.35, False), (2, RED, 0.35, False), (3, RED, 0.35, True), (1, WHITE, 0.35, True), (1, RED, 0.05, True),
])  # fmt: skip
def test_a_doubtful_one_or_two_unlike_the_certain_dice_is_no_die(
    value: int, body: Color, not_face: float, stays: bool
) -> None:
    image = table((80, 80, 40, WHITE, BLACK), (180, 60, 40, body, BLACK))
    values = np.full(6, 0.002, np.float32)
    values[value - 1] = 0.99
    doubted = replace(face(replace(at(180, 60), score=0.5), not_face), value_probabilities=values)
    seen = weigh_by_dice_set(image, [face(at(80, 80), 0.0), doubted])
    assert len(seen) == 1 + stays
    assert weigh_by_dice_set(image, [doubted]) == [doubted]
