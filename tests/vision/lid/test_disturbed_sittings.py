"""The lid reader on the shared sittings under glare, coloured light, coins and tokens that lie blank side up: it is
right, or it asks."""

from __future__ import annotations

import copy
import json
from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import pytest
from bench_reading import HitCount
from results import record

from companion.vision.confidence_limits import MIN_PLAY_CONFIDENCE
from companion.vision.lid.reader import LidReader
from companion.vision.reading import LidWindow
from tests.vision.lid.disturbances import DISTURBANCES, NOT_AT_FIRST, Frame

SITTINGS = [f"s00{number}" for number in range(1, 7)]
CLEAR = 0.99
"""Visible share of a window from which its reading counts."""


def judge(window: LidWindow | None, truth: Frame) -> str:
    """Return right, asked or wrong; the number of a covered window without one is asked for when it is taken."""
    if window is None or window.covered is None or window.confidence < MIN_PLAY_CONFIDENCE:
        return "asked"
    number = None if truth.get("blank") else truth["token"]
    if window.covered != (truth["token"] is not None) or window.number not in {number, None}:
        return "wrong"
    return "right" if window.number == number else "asked"


def count_readings(folder: Path, disturbance: str, frames: int = 10) -> Counter[str]:
    """Read the first pictures of a sitting; count readings as "token right", "blank asked", "open wrong" and so on."""
    truth = json.loads((folder / "truth.json").read_text())
    reader, rng = LidReader(), np.random.default_rng(int(folder.name[1:]))
    counts: Counter[str] = Counter()
    for index, at in enumerate(truth["frames"][:frames]):
        image, frame = np.asarray(cv2.imread(str(folder / at["file"])), np.uint8), copy.deepcopy(at)
        if index or disturbance not in NOT_AT_FIRST:
            image = DISTURBANCES[disturbance](image, frame, rng)
        lid = reader.read(image)
        for window in frame["windows"]:
            if window["visible"] < CLEAR:
                continue
            place, near = np.array(window["px"]), None
            if lid is not None:
                near = min(lid.windows, key=lambda one: float(np.hypot(*(np.array(one.center) - place))))
                if np.hypot(*(np.array(near.center) - place)) > 0.6 * window["r_px"]:
                    near = None
            kind = "blank" if window.get("blank") else "open" if window["token"] is None else "token"
            counts[f"{kind} {judge(near, window)}"] += 1
    return counts


def add_up(counts: Counter[str], verdict: str) -> int:
    return sum(count for name, count in counts.items() if name.endswith(verdict))


@pytest.mark.sampled(7)
@pytest.mark.parametrize("disturbance", DISTURBANCES)
def test_a_disturbed_lid_is_right_or_asked_about(shared: Path, disturbance: str) -> None:
    sitting = SITTINGS[list(DISTURBANCES).index(disturbance) % len(SITTINGS)]
    counts = count_readings(shared / "sittings" / sitting, disturbance, frames=2)
    assert counts
    assert not add_up(counts, "wrong"), counts


def test_a_token_that_lies_blank_side_up_is_covered_and_open_windows_stay_open(shared: Path) -> None:
    counts = count_readings(shared / "sittings" / "s002", "blank tokens", frames=2)
    assert counts == {"token right": 12, "blank right": 10, "open right": 2}


def test_of_two_lids_the_larger_one_is_read(shared: Path) -> None:
    counts = count_readings(shared / "sittings" / "s002", "another lid", frames=2)
    assert counts == {"token right": 22, "open right": 2}


@pytest.mark.proof
@pytest.mark.timeout(2400)
def test_all_disturbed_sittings_are_right_or_asked_about(shared: Path) -> None:
    """`pytest -m proof -s` on this file prints the figures."""
    all_counts: dict[str, Counter[str]] = {}
    for disturbance in DISTURBANCES:
        counts = all_counts[disturbance] = Counter()
        for sitting in SITTINGS:
            counts.update(count_readings(shared / "sittings" / sitting, disturbance))
        print(f"\n{disturbance}: " + ", ".join(f"{name} {count}" for name, count in sorted(counts.items())))
    changed = sum((counts for name, counts in all_counts.items() if name != "none"), Counter[str]())
    figures = {
        f"lid_changes_{verdict}": HitCount(add_up(changed, verdict), changed.total())
        for verdict in ("right", "asked", "wrong")
    }
    print("\n" + ", ".join(f"{name} {figure}" for name, figure in figures.items()))
    record(figures, "pytest -m proof -s tests/vision/lid/test_disturbed_sittings.py", "development")
    assert not any(add_up(counts, "wrong") for counts in all_counts.values())
    assert add_up(all_counts["none"], "right") >= 674
    assert all_counts["blank tokens"]["blank right"] >= 390
    assert all_counts["blank tokens"]["open right"] >= 129
