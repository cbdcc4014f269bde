"""The lid reader on the shared image sequences: rendered frames with exact truth, never trained on."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.vision.confidence_limits import MIN_PLAY_CONFIDENCE
from companion.vision.lid.reader import LidReader
from companion.vision.reading import Image, Lid, LidWindow
from tests.conftest import SHARED

SEQUENCES = SHARED / "sittings"
NAMES = sorted(p.parent.name for p in SEQUENCES.glob("*/truth.json"))

LIGHTS = ("quarter", "double", "hard shadow x0.4", "hard shadow x0.25")

CLEAR = 0.99
"""Visible share of a window from which it must be read."""


def load_frame(path: Path) -> Image:
    image = cv2.imread(str(path), cv2.IMREAD_COLOR)
    assert image is not None
    return np.asarray(image, np.uint8)


def load_frames(name: str) -> Iterator[tuple[dict[str, Any], Image]]:
    """Yield the truth of each frame of a sequence, and the frame."""
    for at in json.loads((SEQUENCES / name / "truth.json").read_text())["frames"]:
        yield at, load_frame(SEQUENCES / name / at["file"])


def sort_by_place(lid: Lid, at: dict[str, Any]) -> list[int]:
    """Return the index that each window has in the truth."""
    places = np.array([window["px"] for window in at["windows"]])
    return [int(np.linalg.norm(places - np.array(window.center), axis=1).argmin()) for window in lid.windows]


def is_right(window: LidWindow, there: dict[str, Any]) -> bool:
    return (window.covered, window.number) == (there["token"] is not None, there["token"])


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", NAMES)
def test_an_image_sequence_is_read_frame_by_frame(name: str) -> None:
    reader = LidReader()
    seen: Counter[str] = Counter()
    first: list[int] | None = None
    for at, image in load_frames(name):
        lid = reader.read(image) if reader.is_learnt else reader.calibrate(image)
        assert lid is not None, at["file"]
        order = sort_by_place(lid, at)
        first = first or order
        assert order == first, f"{at['file']}: windows change their index"
        for window, i in zip(lid.windows, order, strict=True):
            there = at["windows"][i]
            right, certain = is_right(window, there), window.confidence >= MIN_PLAY_CONFIDENCE
            if there["visible"] >= CLEAR:
                seen.update(clear=1, right=right, certain=right and certain)
            # Windows that a hand partly hides may be guessed, but not with certainty and wrong.
            if there["visible"] >= CLEAR or window.covered is True:
                assert right or not certain, f"{at['file']}: window {i} is {there}, read {window}"
    assert seen["right"] >= 0.995 * seen["clear"]
    assert seen["certain"] >= 0.9 * seen["clear"]


def shade_half(image: Image, rng: np.random.Generator, corners: list[list[float]], share: float) -> Image:
    """Return the frame with a shadow that has a sharp edge across the lid."""
    y, x = np.mgrid[: image.shape[0], : image.shape[1]]
    (left, top), angle = np.mean(corners, axis=0), rng.uniform(0, 2 * np.pi)
    is_dark = (x - left) * np.cos(angle) + (y - top) * np.sin(angle) > rng.uniform(-80, 80)
    return np.asarray(image * np.where(is_dark, share, 1.0)[..., None], np.uint8)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("name", "light"), list(zip(NAMES, cycle(LIGHTS), strict=False)))
def test_in_other_light_than_it_was_learnt_the_lid_is_right_or_asked_about(name: str, light: str) -> None:
    """A change in the dark was taken for none: of 683 windows in a quarter of the light 52 were certain and wrong."""
    reader, rng = LidReader(), np.random.default_rng(7)
    right = clear = 0
    for at, image in load_frames(name):
        if reader.is_learnt and light.startswith("hard"):
            image = shade_half(image, rng, at["lid_corners_px"], float(light.rpartition("x")[2]))
        elif reader.is_learnt:
            factor = 0.25 if light == "quarter" else 2.0
            image = np.asarray(np.clip(image * factor, 0, 255), np.uint8)
        lid = reader.read(image)
        if lid is None:
            continue
        for window, i in zip(lid.windows, sort_by_place(lid, at), strict=True):
            there = at["windows"][i]
            if there["visible"] >= CLEAR:
                clear += 1
                right += is_right(window, there)
                certain = window.covered is not None and window.confidence >= MIN_PLAY_CONFIDENCE
                assert is_right(window, there) or not certain, at["file"]
    assert right >= (0.6 if light == "double" else 0.8) * clear
