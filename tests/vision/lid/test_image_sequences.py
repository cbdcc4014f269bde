"""The lid reader on the shared image sequences: rendered frames with exact truth, never trained on."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.vision.lid.reader import LidReader
from companion.vision.reading import MIN_PLAY_CONFIDENCE, Image
from tests.conftest import SHARED

SEQUENCES = SHARED / "sittings"
NAMES = sorted(p.parent.name for p in SEQUENCES.glob("*/truth.json"))

CLEAR = 0.99
"""Visible share of a window from which it must be read."""


def load_frame(path: Path) -> Image:
    image = cv2.imread(str(path), cv2.IMREAD_COLOR)
    assert image is not None
    return np.asarray(image, np.uint8)


@pytest.mark.parametrize("name", NAMES)
def test_an_image_sequence_is_read_frame_by_frame(name: str) -> None:
    truth = json.loads((SEQUENCES / name / "truth.json").read_text())
    reader = LidReader()
    seen: Counter[str] = Counter()
    first: list[int] | None = None
    for number, at in enumerate(truth["frames"]):
        image = load_frame(SEQUENCES / name / at["file"])
        lid = reader.calibrate(image) if number == 0 else reader.read(image)
        assert lid is not None, at["file"]
        places = np.array([w["px"] for w in at["windows"]])
        order = [int(np.linalg.norm(places - np.array(w.center), axis=1).argmin()) for w in lid.windows]
        first = first or order
        assert order == first, f"{at['file']}: windows change their index"
        for window, i in zip(lid.windows, order, strict=True):
            there = at["windows"][i]
            covered = there["token"] is not None
            right = window.covered == covered and (not covered or window.number == there["token"])
            if there["visible"] >= CLEAR:
                seen["clear"] += 1
                seen["right"] += right
                seen["certain"] += right and window.confidence >= MIN_PLAY_CONFIDENCE
            # Windows that a hand partly hides may be guessed, but not with certainty and wrong.
            if there["visible"] >= CLEAR or window.covered is True:
                assert right or window.confidence < MIN_PLAY_CONFIDENCE, (
                    f"{at['file']}: window {i} is {there}, read {window}"
                )
    assert seen["right"] >= 0.995 * seen["clear"]
    assert seen["certain"] >= 0.9 * seen["clear"]
