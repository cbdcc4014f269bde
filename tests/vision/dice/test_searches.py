"""The searches of the dice reader: when a finer one follows, and what of the coarser one stays."""

from __future__ import annotations

from itertools import chain, repeat
from unittest.mock import DEFAULT, Mock

import cv2
import numpy as np
import pytest

from companion.vision.dice.detector import Candidate
from companion.vision.dice.reader import DiceReader
from companion.vision.reading import Lid
from companion.vision.tray.reader import TrayDiceReader
from tests.vision.dice.test_reader import draw_single_die, draw_tilted_and_flat


def record_searches(image: np.ndarray, monkeypatch: pytest.MonkeyPatch, lid: Lid | None = None) -> list[int]:
    """Return the longer sides of the record_searches that reading this image takes."""
    reader = DiceReader()
    detect = Mock(wraps=reader._detector.detect)
    monkeypatch.setattr(reader._detector, "detect", detect)
    reader.read(image, lid=lid)
    return [call.args[1] for call in detect.call_args_list]


def draw_two_dice(edge: int, width: int = 1280, height: int = 720) -> np.ndarray:
    """Return two dice on a table of this size."""
    image = np.full((height, width, 3), (60, 110, 40), np.uint8)
    for value, x in ((4, width // 3), (5, 2 * width // 3)):
        half = edge * 2
        die = cv2.resize(draw_single_die(value)[:, 40:280], (2 * half, 2 * half), interpolation=cv2.INTER_AREA)
        image[height // 2 - half : height // 2 + half, x - half : x + half] = die
    return image


@pytest.mark.parametrize(
    ("image", "needs_finer"),
    [
        (draw_two_dice(60), False),
        (draw_two_dice(20), True),
        (np.full((720, 1280, 3), (60, 110, 40), np.uint8), True),
    ],
    ids=["large", "small", "empty"],
)
def test_small_or_missing_dice_need_a_finer_search(
    image: np.ndarray, needs_finer: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, *finer = record_searches(image, monkeypatch)
    assert bool(finer) == needs_finer
    assert all(second > first for second in finer)


def test_uncertain_dice_need_another_search(monkeypatch: pytest.MonkeyPatch) -> None:
    image = cv2.resize(draw_tilted_and_flat(), None, fx=2.0, fy=2.0, interpolation=cv2.INTER_CUBIC)
    above = Lid(((20.0, 760.0), (140.0, 760.0), (140.0, 880.0), (20.0, 880.0)), None, ())
    first, second = record_searches(np.asarray(image, np.uint8), monkeypatch, above)
    assert second > first


def test_a_finer_search_does_not_split_certain_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    reader = DiceReader()
    image = draw_two_dice(150)
    dice = reader.read(image)
    pips = [Candidate(die.center[0] + 40, die.center[1], 20, 0.9) for die in dice]
    detect = Mock(wraps=reader._detector.detect, side_effect=chain([DEFAULT], repeat(pips)))
    monkeypatch.setattr(reader._detector, "detect", detect)
    monkeypatch.setattr("companion.vision.dice.reader._needs_finer_search", lambda *_: True)
    assert [die.value for die in reader.read(image)] == [4, 5]
    assert detect.call_count > 1


def test_a_die_that_only_the_coarse_search_found_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    reader = DiceReader()
    image = draw_two_dice(150)
    first, second = reader.read(image)
    pip = Candidate(first.center[0] + 40, first.center[1], 20, 0.9)
    monkeypatch.setattr("companion.vision.dice.reader.CERTAIN_FACE_CONFIDENCE", 2.0)
    monkeypatch.setattr("companion.vision.dice.reader.is_certain_face", lambda _face: False)
    detect = Mock(wraps=reader._detector.detect, side_effect=chain([DEFAULT], repeat([pip])))
    monkeypatch.setattr(reader._detector, "detect", detect)
    monkeypatch.setattr("companion.vision.dice.reader._needs_finer_search", lambda *_: True)
    assert [die.value for die in reader.read(image)] == [first.value, second.value]
    assert detect.call_count > 1


@pytest.mark.parametrize("crowded", [False, True])
@pytest.mark.parametrize("count", [2, 3, 4])
def test_dice_in_a_tray_that_lie_as_pips_do_are_read(count: int, crowded: bool) -> None:
    image = np.full((960, 1280, 3), (60, 90, 70), np.uint8)
    cv2.rectangle(image, (510, 350), (770, 610), (225, 230, 232), -1)
    spots = [(-1, -1), (1, 1), (-1, 1), (1, -1)] if count == 4 else [(-1, -1), (1, 1), (0, 0)][:count]
    for across, along in spots:
        x, y = 640 + 70 * across, 480 + 70 * along
        cv2.rectangle(image, (x - 23, y - 23), (x + 23, y + 23), (30, 30, 160), -1)
        cv2.circle(image, (x, y), 5, (240, 240, 240), -1, cv2.LINE_AA)
    image = cv2.GaussianBlur(image, (0, 0), 1.2)
    dice = (TrayDiceReader() if crowded else DiceReader()).read(image)
    assert [die.value for die in dice] == [1] * count


@pytest.mark.parametrize(("shift", "runs"), [(0.0, 1), (12.0, 2)])
def test_what_a_coarse_search_found_is_not_read_again_at_the_same_place(
    monkeypatch: pytest.MonkeyPatch, shift: float, runs: int
) -> None:
    reader = DiceReader()
    find = Mock(side_effect=[[Candidate(x, 200.0, 60.0, 0.5)] for x in (300.0, 300.0 + shift)])
    read = Mock(wraps=reader._run_reader)
    monkeypatch.setattr(reader._detector, "detect", find)
    monkeypatch.setattr(reader, "_run_reader", read)
    reader.read(np.full((480, 640, 3), (60, 110, 40), np.uint8))
    assert (find.call_count, read.call_count) == (2, runs)
