"""Tests of lamps that are mirrored on tokens: what is white and broad is no ink."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.vision.lid.digit_reader import DigitClassifier, cut_circle_patches
from companion.vision.lid.digit_reflections import classify_below_reflections, find_reflections
from companion.vision.reading import Image

Colour = tuple[int, int, int]


def draw_token(
    number: int, *, token: Colour = (40, 40, 150), ink: Colour = (240, 240, 240), lamp: tuple[int, int] | None = None
) -> Image:
    """The patch of a token with a bold digit; a lamp is mirrored at `lamp`."""
    picture = np.zeros((120, 120, 3), np.uint8)
    cv2.circle(picture, (60, 60), 50, token, -1, cv2.LINE_AA)
    cv2.putText(picture, str(number), (38, 84), cv2.FONT_HERSHEY_DUPLEX, 2.2, ink, 8, cv2.LINE_AA)
    if lamp is not None:
        cv2.ellipse(picture, lamp, (20, 14), 20, 0, 360, (255, 255, 255), -1, cv2.LINE_AA)
    return cut_circle_patches(picture, [(np.array([60.0, 60.0]), 50.0)])


@pytest.mark.parametrize("number", range(1, 7))
def test_white_digits_are_no_reflections(number: int) -> None:
    assert not find_reflections(draw_token(number)).any()


@pytest.mark.parametrize("ink", [(240, 240, 240), (10, 10, 10)])
def test_a_mirrored_lamp_is_a_reflection(ink: Colour) -> None:
    found = find_reflections(draw_token(4, ink=ink, lamp=(45, 40)))
    assert 60 < np.count_nonzero(found) < 400


def test_pale_tokens_have_no_reflections() -> None:
    assert not find_reflections(draw_token(2, token=(235, 240, 240), ink=(20, 20, 20))).any()


@pytest.mark.parametrize("number", range(1, 7))
@pytest.mark.parametrize("lamp", [(60, 60), (50, 45), (70, 75), (60, 85)])
def test_a_digit_below_a_reflection_is_right_or_in_doubt(number: int, lamp: tuple[int, int]) -> None:
    patches = draw_token(number, lamp=lamp)
    odds = classify_below_reflections(DigitClassifier(), patches, find_reflections(patches))[0]
    assert odds[1:].argmax() + 1 == number or odds[1:].max() < 0.9
    assert float(odds.sum()) == pytest.approx(1.0, abs=1e-3)
