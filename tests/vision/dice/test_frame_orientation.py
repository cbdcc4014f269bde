"""Frames in quarter turns: points, boxes, lids, and the orientation in which the top faces lie in one plane."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from companion.vision.dice.assembly import FaceReading
from companion.vision.dice.detector import Candidate
from companion.vision.dice.face_normals import turn_normal
from companion.vision.dice.frame_orientation import (
    count_turns_to_upright,
    find_upright_turns,
    have_common_plane,
    is_impossible_top,
    is_oblique,
    turn_lid,
)
from companion.vision.reading import Lid

SHAPE = (48, 80, 3)
UP = (0.0, -0.7)
"""The normal of a table that is seen from aside by a camera held upright."""

TURNS = range(4)


def make_face(x: float, normal_xy: tuple[float, float], flat: float = 0.9) -> FaceReading:
    states = np.array([1 - flat, flat, 0.0, 0.0], np.float32)
    values = np.array([1.0, 0.0, 0.0, 0.0, 0.0, 0.0], np.float32)
    return FaceReading(Candidate(x, 24.0, 10.0, 0.9), states, values, normal_xy)


def test_the_lid_and_its_tags_turn_too() -> None:
    corners = ((0.0, 0.0), (10.0, 0.0), (10.0, 8.0), (0.0, 8.0))
    lid = turn_lid(Lid(corners, (5.0, 1.0), (), tags=(corners,)), 1, SHAPE)
    assert lid.corners == ((0.0, 80.0), (0.0, 70.0), (8.0, 70.0), (8.0, 80.0))
    assert lid.tags == (lid.corners,)
    assert lid.arrow == (1.0, 75.0)


@pytest.mark.parametrize(
    ("across", "turns"), [(UP, 0), ((0.7, 0.1), 1), ((0.1, 0.7), 2), ((-0.7, -0.1), 3), ((0.3, 0.0), 0)]
)
def test_the_tables_normal_tells_the_turn(across: tuple[float, float], turns: int) -> None:
    assert count_turns_to_upright(np.array([*across, -np.sqrt(1 - np.hypot(*across) ** 2)])) == turns


def test_one_face_shows_no_common_plane() -> None:
    assert not have_common_plane([], SHAPE)
    assert not have_common_plane([make_face(10.0, UP)], SHAPE)
    assert have_common_plane([make_face(10.0, UP), make_face(60.0, UP)], SHAPE)
    assert not have_common_plane([make_face(10.0, UP), make_face(40.0, UP), make_face(60.0, (0.7, 0.0))], SHAPE)


@pytest.mark.parametrize(
    ("normal_xy", "impossible_after"),
    [(UP, {1, 2, 3}), ((0.7, 0.0), {0, 2, 3}), ((-0.4, 0.5), {0, 1}), ((0.1, 0.3), set()), ((0.3, -0.6), {1, 2, 3})],
)
def test_an_oblique_top_points_up(normal_xy: tuple[float, float], impossible_after: set[int]) -> None:
    face = make_face(40.0, normal_xy)
    assert {turns for turns in TURNS if is_impossible_top(face, SHAPE, turns)} == impossible_after


def test_far_from_the_middle_the_line_of_sight_counts() -> None:
    """A camera that looks straight down sees a die in the frame's lower left corner from aside."""
    corner = replace(make_face(0.0, (-0.373, 0.224)), candidate=Candidate(0.0, 48.0, 10.0, 0.9))
    assert is_oblique(corner.normal_xy)
    assert not is_impossible_top(corner, SHAPE)


@pytest.mark.parametrize("best", TURNS)
def test_the_orientation_with_most_tops_in_one_plane_is_found(best: int) -> None:
    up = turn_normal(UP, 4 - best)
    tops = [make_face(x, up) for x in (10.0, 40.0, 70.0)]
    sides = [make_face(10.0, UP), make_face(40.0, (0.7, 0.0)), make_face(70.0, (-0.6, 0.4)), make_face(75.0, UP, 0.1)]

    def read_turned(turns: int) -> Sequence[FaceReading]:
        assert turns, "the frame as it is held was read already"
        return tops if turns == best else sides

    assert find_upright_turns(sides if best else tops, read_turned, SHAPE) == best


def test_impossible_tops_show_no_orientation() -> None:
    """Four faces in one plane, seen from below, against two seen from above."""
    upside_down = [make_face(x, (0.0, 0.7)) for x in (10.0, 30.0, 50.0, 70.0)]
    two = [make_face(10.0, (0.7, 0.0)), make_face(70.0, (0.7, 0.0))]
    assert find_upright_turns(upside_down, lambda turns: two if turns == 1 else [], SHAPE) == 1


def test_among_equal_orientations_the_frame_stays_as_it_is_held() -> None:
    faces = [make_face(10.0, UP), make_face(60.0, UP)]
    assert find_upright_turns(faces, lambda turns: faces, SHAPE) == 0
    assert find_upright_turns([], lambda turns: [], SHAPE) == 0
