"""The lid reader on the shared sittings: photoreal frames with exact truth. They are measured on, never trained on."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.vision.lid.reader import LidReader
from companion.vision.reading import MIN_PLAY_CONFIDENCE, Image

SITTINGS = Path(__file__).resolve().parents[3] / "shared" / "sittings"
NAMES = sorted(p.parent.name for p in SITTINGS.glob("*/truth.json")) or ["absent"]

CLEAR = 0.99
"""The share of a window in clear view from which it must be read."""


def frame(path: Path) -> Image:
    image = cv2.imread(str(path), cv2.IMREAD_COLOR)
    assert image is not None
    return np.asarray(image, np.uint8)


@pytest.mark.parametrize("name", NAMES)
def test_a_sitting_is_read_frame_by_frame(name: str) -> None:
    if name == "absent":
        pytest.skip(f"{SITTINGS} is not here")
    truth = json.loads((SITTINGS / name / "truth.json").read_text())
    reader = LidReader()
    seen: Counter[str] = Counter()
    first: list[int] | None = None
    for number, at in enumerate(truth["frames"]):
        image = frame(SITTINGS / name / at["file"])
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
                seen["acted on"] += right and window.confidence >= MIN_PLAY_CONFIDENCE
            # What a hand partly hides may be guessed, but not acted on wrongly.
            if there["visible"] >= CLEAR or window.covered is True:
                assert right or window.confidence < MIN_PLAY_CONFIDENCE, (
                    f"{at['file']}: window {i} is {there}, read {window}"
                )
    assert seen["right"] >= 0.995 * seen["clear"]
    assert seen["acted on"] >= 0.9 * seen["clear"]
