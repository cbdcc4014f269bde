"""Following a known lid: pushed, turned, covered by a hand, seen by a camera that was bumped, and gone."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest

from companion.vision.lid.calibration import learn_layout
from companion.vision.lid.circles import ImagePyramid
from companion.vision.lid.digit_reader import DigitClassifier
from companion.vision.lid.geometry import FloatArray, project_points
from companion.vision.lid.pose import PoseCandidate, PoseFinder
from companion.vision.lid.tracking import LidTracker, find_at_any_size, scale_camera_homography
from companion.vision.reading import Image
from tests.vision.lid.drawn_lid import DrawnLid

SIZE = (1280, 720)
LOOSE = DrawnLid("loose")


def no_numbers(_pyramid: ImagePyramid, _pose: FloatArray) -> tuple[float, FloatArray]:
    """Tokens' numbers that tell nothing."""
    return 0.0, np.zeros(12)


def follower(drawn: DrawnLid) -> LidTracker:
    """Knows the lid's layout, and not yet where it lies."""
    learnt = learn_layout(ImagePyramid(drawn.draw()[0]), DigitClassifier())
    assert learnt is not None
    out = LidTracker(learnt[0], no_numbers)
    out.accept_pose(learnt[1], SIZE)
    out.is_turn_certain = out.is_lid_certain = True
    return out


def off(pose: FloatArray | None, layout_points: FloatArray, centers: FloatArray) -> float:
    """How far the farthest window is from the nearest drawn one, pixels."""
    assert pose is not None
    return float(np.linalg.norm(project_points(pose, layout_points)[:, None] - centers, axis=2).min(axis=1).max())


@pytest.mark.parametrize("how", [{"angle": 140.0}, {"shift": (120.0, -30.0)}, {"angle": -20.0, "shift": (-60.0, 20.0)}])
def test_a_lid_pushed_and_turned_is_found_where_it_is(how: dict[str, Any]) -> None:
    known = follower(LOOSE)
    picture, centers = LOOSE.draw(**how)
    pose = known.find_pose(ImagePyramid(picture))
    assert off(pose, known.layout.centers, centers) < 6
    assert known.is_turn_certain
    assert known.is_lid_certain
    assert known.missed_searches == 0


def test_a_lid_at_rest_keeps_its_pose_to_the_last_bit_though_the_sensor_is_noisy() -> None:
    known = follower(LOOSE)
    first = known.find_pose(ImagePyramid(LOOSE.draw(angle=50.0, seed=1)[0]))
    assert first is not None
    known.accept_pose(first, SIZE)
    assert known.is_at_rest(ImagePyramid(LOOSE.draw(angle=50.0, seed=2)[0]))
    again = known.find_pose(ImagePyramid(LOOSE.draw(angle=50.0, seed=2)[0]))
    assert again is first
    assert not known.is_at_rest(ImagePyramid(LOOSE.draw(angle=58.0, seed=2)[0]))


def test_a_table_without_the_lid_has_none_and_misses_are_counted() -> None:
    known = follower(LOOSE)
    bare: Image = np.random.default_rng(1).integers(80, 120, (720, 1280, 3), np.uint8)
    assert known.find_pose(ImagePyramid(bare)) is None
    assert known.find_pose(ImagePyramid(bare)) is None
    assert known.missed_searches == 2


def test_a_symmetric_lid_without_any_mark_is_found_but_its_turn_is_not_sure() -> None:
    drawn = DrawnLid("even", arrow=False)
    known = follower(drawn)
    picture, centers = drawn.draw(angle=90.0)
    pose = known.find_pose(ImagePyramid(picture))
    assert off(pose, known.layout.centers, centers) < 6
    assert not known.is_turn_certain


def test_a_frame_of_another_size_takes_the_camera_along() -> None:
    known = follower(LOOSE)
    camera = scale_camera_homography(known.layout, (2560, 1440))
    large = project_points(camera, known.layout.centers)
    assert np.allclose(large, 2 * project_points(known.layout.camera_homography, known.layout.centers))
    assert known.has_certain_pose(SIZE)
    assert not known.has_certain_pose((2560, 1440))


def test_from_a_camera_that_came_nearer_it_is_found_at_its_new_size() -> None:
    known = follower(LOOSE)
    picture, centers = LOOSE.draw()
    zoom = 1.25
    to = np.array([[zoom, 0, 640 - zoom * 400], [0, zoom, 360 - zoom * 360], [0, 0, 1.0]])
    nearer = np.asarray(cv2.warpPerspective(picture, to, SIZE, borderMode=cv2.BORDER_REPLICATE), np.uint8)
    found = find_at_any_size(ImagePyramid(nearer), known.layout, known.layout.camera_homography)
    assert found is not None
    assert off(found.homography, known.layout.centers, project_points(to, centers)) < 6


def test_a_turned_lid_is_looked_for_where_it_lay_and_elsewhere_only_if_it_is_not_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    known = follower(LOOSE)
    picture, centers = LOOSE.draw(angle=140.0, shift=(20.0, -10.0))
    thorough: list[PoseFinder] = []
    search = PoseFinder._search_thoroughly

    def searched(self: PoseFinder) -> PoseCandidate | None:
        thorough.append(self)
        return search(self)

    monkeypatch.setattr(PoseFinder, "_search_thoroughly", searched)
    assert off(known.find_pose(ImagePyramid(picture)), known.layout.centers, centers) < 6
    assert not thorough
    away, centers = LOOSE.draw(shift=(420.0, 0.0))
    assert off(known.find_pose(ImagePyramid(away)), known.layout.centers, centers) < 6
    assert len(thorough) == 1


def test_another_camera_costs_no_new_look_at_the_lid() -> None:
    layout = follower(LOOSE).layout
    other = layout.with_camera(layout.camera_homography @ np.diag([2.0, 2.0, 1.0]), (640, 360), {1: np.zeros((4, 2))})
    assert other.frame_size == (640, 360)
    assert list(other.tags) == [1]
    assert other.rotated_marks is layout.rotated_marks
    assert layout.frame_size == SIZE
    assert layout.tags == {}
