"""Which faces are dice, which belong to one die, and how certain each is.

Also here: frame_reading.py and views.py.
"""

from __future__ import annotations

import numpy as np
import pytest

from companion.vision.confidence_limits import MIN_PLAY_CONFIDENCE
from companion.vision.dice.assembly import FaceReading, assemble_dice, doubt
from companion.vision.dice.detector import Candidate
from companion.vision.dice.frame_reading import find_disputed
from companion.vision.dice.views import average_views, can_stop_early
from companion.vision.reading import Die

SHAPE = (480, 640, 3)


def face(
    x: float,
    y: float,
    value: int,
    edge: float = 40.0,
    not_face: float = 0.0,
    heat: float = 0.7,
    normal_xy: tuple[float, float] = (0.0, 0.0),
    confidence: float = 0.99,
) -> FaceReading:
    """Return a flat face that reads `value` with probability `confidence`, and is a die with 1 - `not_face`."""
    states = np.array([not_face, (1 - not_face) * 0.97, (1 - not_face) * 0.02, (1 - not_face) * 0.01], np.float32)
    values = np.full(6, (1 - confidence) / 5, np.float32)
    values[value - 1] = confidence
    return FaceReading(Candidate(x, y, edge, heat), states, values, normal_xy, 1 - not_face)


def read(*faces: FaceReading) -> list[Die]:
    return assemble_dice([f for f in faces if not f.is_rejected], None, SHAPE)


def test_a_die_that_leans_in_a_tray_is_asked_about() -> None:
    faces = [face(100, 100, 3), face(300, 100, 6), face(200, 300, 2, normal_xy=(0.34, 0.0))]
    for crowded in (False, True):
        dice = {die.value: die for die in assemble_dice(faces, None, SHAPE, crowded=crowded)}
        assert are_playable([dice[3], dice[6]])
        assert dice[2].is_certain is not crowded, "20 degrees: too little for a table, whose plane may be unknown"


def values(dice: list[Die]) -> list[int]:
    return sorted(die.value for die in dice)


def are_playable(dice: list[Die]) -> bool:
    return all(die.confidence >= MIN_PLAY_CONFIDENCE for die in dice)


@pytest.mark.parametrize(
    ("faces", "expected", "playable"),
    [
        ([face(100, 100, 3), face(200, 100, 6)], [3, 6], True),
        ([face(100, 100, 3), face(300, 300, 5, not_face=0.9)], [3], True),
        ([face(100, 100, 3), face(300, 300, 5, not_face=0.6)], [3, 5], False),
        ([face(100, 100, 6), face(100, 142, 3, not_face=0.05)], [3, 6], True),
        # The lower of two dice that touch lies in the shadow of the other: better a question than a die that is missed.
        ([face(100, 100, 6), face(100, 138, 2, not_face=0.6)], [2, 6], False),
        ([face(100, 100, 6), face(100, 58, 3, not_face=0.25, heat=0.5)], [3, 6], False),
        ([face(150, 150, 2, edge=250), face(90, 90, 4, edge=42), face(210, 210, 1, edge=44)], [1, 4], True),
        (
            [face(150, 150, 5), face(300, 100, 6, edge=90), face(310, 110, 1, edge=12, heat=0.2, not_face=0.05)],
            [5, 6],
            True,
        ),
        ([face(100, 400, 3, edge=72), face(300, 60, 5, edge=30)], [3, 5], True),
        ([face(100, 400, 3, edge=72), face(300, 60, 5, edge=30, not_face=0.3)], [3, 5], False),
    ],
    ids=[
        "certain faces",
        "surely none beside a die",
        "perhaps a die",
        "a die below another",
        "perhaps a die below another",
        "a doubtful face above another",
        "a tray with two dice is not a two",
        "a pip does not hide its die",
        "dice of two sizes",
        "dice of two sizes, one doubtful",
    ],
)
def test_which_faces_are_dice_and_whether_they_are_played(
    faces: list[FaceReading], expected: list[int], playable: bool
) -> None:
    dice = read(*faces)
    assert values(dice) == expected
    assert are_playable(dice) == playable


@pytest.mark.parametrize(
    ("rejected", "is_asked"),
    [
        (face(300, 100, 2, not_face=0.97, heat=0.7), True),
        (face(300, 100, 2, not_face=0.97, heat=0.5), False),
        (face(300, 100, 2, not_face=0.97, heat=0.7, edge=120), False),
        (face(130, 100, 2, not_face=0.97, heat=0.7), False),
    ],
    ids=["a place that the detector takes for a die", "less surely", "of another size", "a side of the die"],
)
def test_a_place_about_which_the_networks_disagree_is_disputed(rejected: FaceReading, is_asked: bool) -> None:
    assert find_disputed([face(100, 100, 5), rejected]) == ([rejected] if is_asked else [])
    assert find_disputed([rejected]) == [], "there is no die to compare it with"


@pytest.mark.parametrize("beside", [(0.0, 26.0), (26.0, 0.0), (0.0, -26.0)])
def test_of_two_faces_of_one_die_the_surer_one_counts(beside: tuple[float, float]) -> None:
    rival = face(100 + beside[0], 100 + beside[1], 2, not_face=0.1, confidence=0.9)
    assert values(read(face(100, 100, 5), rival)) == [5]


def test_a_tray_does_not_show_the_plane_of_the_dice() -> None:
    tray = face(320, 240, 2, edge=250, normal_xy=(0.3, 0.0))
    flat, leaning = face(270, 190, 4, edge=42), face(370, 290, 1, edge=44, normal_xy=(0.55, 0.0))
    table = np.array([0.0, 0.0, -1.0])
    dice = assemble_dice([tray, flat, leaning], table, SHAPE)
    assert [(die.value, die.tilted) for die in sorted(dice, key=lambda die: die.box)] == [(4, False), (1, True)]


@pytest.mark.parametrize(("turns", "mirrored"), [(0, False), (1, False), (2, False), (3, False), (1, True), (2, True)])
def test_views_are_rotated_back_before_their_normals_are_averaged(turns: int, mirrored: bool) -> None:
    right, down = 0.3, -0.1
    view = right, down
    for _ in range(turns):  # as np.rot90 turns a picture: right becomes up
        view = view[1], -view[0]
    view = (-view[0], view[1]) if mirrored else view
    first, other = make_output(0.9, 4, 0.99), make_output(0.9, 4, 0.99)
    first[13:15], other[13:15] = (right, down), view
    seen = average_views(Candidate(100, 100, 40, 0.7), [first, other], [(1.0, turns, mirrored), (1.0, 0, False)])
    assert seen.normal_xy == pytest.approx((right, down))


def make_output(flat: float, value: int, confidence: float) -> np.ndarray:
    """Return the reader net's output for such a face."""
    p = np.array([(1 - flat) / 3, flat, (1 - flat) / 3, (1 - flat) / 3])
    v = np.full(6, (1 - confidence) / 5)
    v[value - 1] = confidence
    return np.concatenate([np.log(p), np.log(v), np.zeros(5)]).astype(np.float32)


def test_views_that_agree_end_the_reading() -> None:
    assert can_stop_early([make_output(0.9, 4, 0.99), make_output(0.95, 4, 0.98)])
    assert not can_stop_early([make_output(0.9, 4, 0.99), make_output(0.95, 5, 0.98)])
    assert not can_stop_early([make_output(0.9, 4, 0.99), make_output(0.6, 4, 0.9)])


def test_views_that_all_see_no_face_end_the_reading() -> None:
    no_face = make_output(0.1, 4, 0.5)
    no_face[0] += 2.0
    assert can_stop_early([no_face, no_face])
    assert not can_stop_early([no_face, make_output(0.4, 4, 0.5)])


def test_where_a_die_is_known_to_lie_only_its_value_is_in_doubt() -> None:
    (die,) = read(face(100, 100, 6, not_face=0.6))
    assert die.confidence < 0.5
    assert die.known_confidence >= 0.9
    (vague,) = read(face(100, 100, 6, not_face=0.6, confidence=0.5))
    assert vague.known_confidence < 0.6
    assert doubt(die).known_confidence <= 0.5
