"""What is made of the faces that the two nets saw: which are dice, which belong to one die, how sure each is."""

from __future__ import annotations

import numpy as np
import pytest

from companion.vision.dice.assembly import FaceReading, assemble_dice
from companion.vision.dice.detector import Candidate
from companion.vision.dice.reader import _average_views, _can_stop_early
from companion.vision.reading import MIN_PLAY_CONFIDENCE, Die

SHAPE = (480, 640, 3)


def face(
    x: float,
    y: float,
    value: int,
    edge: float = 40.0,
    none: float = 0.0,
    heat: float = 0.7,
    lean: tuple[float, float] = (0.0, 0.0),
    sure: float = 0.99,
) -> FaceReading:
    """A flat face that reads `value` with `sure`."""
    states = np.array([none, (1 - none) * 0.97, (1 - none) * 0.02, (1 - none) * 0.01], np.float32)
    values = np.full(6, (1 - sure) / 5, np.float32)
    values[value - 1] = sure
    return FaceReading(Candidate(x, y, edge, heat), states, values, lean)


def read(*faces: FaceReading) -> list[Die]:
    return assemble_dice([f for f in faces if not f.is_rejected], None, SHAPE)


def values(dice: list[Die]) -> list[int]:
    return sorted(die.value for die in dice)


def acted(dice: list[Die]) -> bool:
    return all(die.confidence >= MIN_PLAY_CONFIDENCE for die in dice)


def test_plain_faces_are_dice_to_act_on() -> None:
    dice = read(face(100, 100, 3), face(200, 100, 6))
    assert values(dice) == [3, 6]
    assert acted(dice)


@pytest.mark.parametrize(("heat", "told"), [(0.2, False), (0.75, True)])
def test_what_the_reader_doubts_is_told_if_the_finder_is_sure(heat: float, told: bool) -> None:
    dice = read(face(100, 100, 3), face(300, 300, 5, none=0.5, heat=heat))
    assert (len(dice) == 2) == told
    assert acted(dice) == (not told)


def test_doubt_weighs_less_where_the_finder_trusts_the_face() -> None:
    (trusted,), (not_trusted,) = (
        read(face(100, 100, 4, none=0.12, heat=0.75)),
        read(face(100, 100, 4, none=0.12, heat=0.3)),
    )
    assert trusted.confidence >= MIN_PLAY_CONFIDENCE > not_trusted.confidence


def test_a_doubted_one_is_less_sure_than_a_doubted_six() -> None:
    (one,), (six,) = read(face(100, 100, 1, none=0.1, heat=0.5)), read(face(100, 100, 6, none=0.1, heat=0.5))
    assert one.confidence < six.confidence


def test_the_side_below_a_sure_top_is_no_die_of_its_own() -> None:
    dice = read(face(100, 100, 6, lean=(0, -0.7)), face(100, 138, 3, none=0.25, lean=(0, 0.6)))
    assert values(dice) == [6]
    assert acted(dice)


def test_a_die_that_lies_below_another_stays() -> None:
    assert values(read(face(100, 100, 6), face(100, 142, 3, none=0.05))) == [3, 6]


def test_a_doubted_face_above_a_sure_one_is_asked_about() -> None:
    dice = read(face(100, 100, 6), face(100, 58, 3, none=0.25, heat=0.5))
    assert values(dice) == [3, 6]
    assert not acted(dice)


@pytest.mark.parametrize(("beside", "sure"), [((0.0, 26.0), True), ((26.0, 0.0), False), ((0.0, -26.0), False)])
def test_of_two_faces_of_one_die_only_the_upper_may_be_sure(beside: tuple[float, float], sure: bool) -> None:
    rival = face(100 + beside[0], 100 + beside[1], 2, none=0.1, sure=0.9)
    (die,) = read(face(100, 100, 5), rival)
    assert die.value == 5
    assert (die.confidence >= MIN_PLAY_CONFIDENCE) == sure
    if not sure:
        assert die.alternative == 2


def test_a_tray_with_two_dice_is_not_a_two() -> None:
    dice = read(face(150, 150, 2, edge=250), face(90, 90, 4, edge=42), face(210, 210, 1, edge=44))
    assert values(dice) == [1, 4]
    assert acted(dice)


def test_a_tray_does_not_vouch_for_a_die_that_leans() -> None:
    tray = face(320, 240, 2, edge=250, lean=(0.3, 0.0))
    flat, leaning = face(270, 190, 4, edge=42), face(370, 290, 1, edge=44, lean=(0.45, 0.0))
    table = np.array([0.0, 0.0, -1.0])
    dice = assemble_dice([tray, flat, leaning], table, SHAPE)
    assert [(die.value, die.tilted) for die in sorted(dice, key=lambda die: die.box)] == [(4, False), (1, True)]


@pytest.mark.parametrize(("turns", "mirrored"), [(0, False), (1, False), (2, False), (3, False), (1, True), (2, True)])
def test_views_are_turned_back_before_their_leans_are_averaged(turns: int, mirrored: bool) -> None:
    right, down = 0.3, -0.1
    view = right, down
    for _ in range(turns):  # as np.rot90 turns a picture: right becomes up
        view = view[1], -view[0]
    view = (-view[0], view[1]) if mirrored else view
    first, other = said(0.9, 4, 0.99), said(0.9, 4, 0.99)
    first[13:15], other[13:15] = (right, down), view
    seen = _average_views(Candidate(100, 100, 40, 0.7), [first, other], [(1.0, turns, mirrored), (1.0, 0, False)])
    assert seen.normal_xy == pytest.approx((right, down))


def test_a_pip_taken_for_a_die_does_not_hide_its_die() -> None:
    dice = read(face(150, 150, 5), face(300, 100, 6, edge=90), face(310, 110, 1, edge=12, heat=0.2, none=0.05))
    assert values(dice) == [5, 6]


def test_sure_dice_of_another_size_stay_and_unsure_ones_go() -> None:
    near, far = face(100, 400, 3, edge=72), face(300, 60, 5, edge=30)
    assert values(read(near, far)) == [3, 5]
    assert values(read(near, face(300, 60, 5, edge=30, none=0.3, heat=0.5))) == [3]


def test_a_pip_read_ever_so_surely_is_no_die() -> None:
    assert values(read(face(100, 400, 3, edge=95), face(300, 60, 2, edge=12))) == [3]


def said(flat: float, value: int, sure: float) -> np.ndarray:
    """What the reader net would say of such a face."""
    p = np.array([(1 - flat) / 3, flat, (1 - flat) / 3, (1 - flat) / 3])
    v = np.full(6, (1 - sure) / 5)
    v[value - 1] = sure
    return np.concatenate([np.log(p), np.log(v), np.zeros(5)]).astype(np.float32)


def test_views_that_agree_or_say_nothing_are_enough() -> None:
    assert _can_stop_early([said(0.9, 4, 0.99), said(0.95, 4, 0.98)])
    assert not _can_stop_early([said(0.9, 4, 0.99), said(0.95, 5, 0.98)])
    assert not _can_stop_early([said(0.9, 4, 0.99), said(0.6, 4, 0.9)])
    assert _can_stop_early([said(0.3, 4, 0.99), said(0.4, 4, 0.9)])
