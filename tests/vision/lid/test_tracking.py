"""Following a known lid: pushed, turned, covered by a hand, seen by a camera that was bumped, and gone."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest

from companion.vision.lid.calibration import learn_layout
from companion.vision.lid.digit_reader import DigitClassifier
from companion.vision.lid.geometry import FloatArray, project_points
from companion.vision.lid.image_pyramid import ImagePyramid
from companion.vision.lid.pose import PoseCandidate, PoseFinder
from companion.vision.lid.tracking import LidTracker, find_at_any_size, scale_camera_homography
from companion.vision.reading import Image
from tests.vision.lid.drawn_lid import DrawnLid

SIZE = (1280, 720)
LOOSE = DrawnLid("loose")


def report_no_numbers(_pyramid: ImagePyramid, _pose: FloatArray) -> tuple[float, FloatArray]:
    """Report that no numbers are known."""
    return 0.0, np.zeros(12)


def make_tracker(drawn: DrawnLid) -> LidTracker:
    """Return a tracker that knows the drawn lid and its pose."""
    learnt = learn_layout(ImagePyramid(drawn.draw()[0]), DigitClassifier())
    assert learnt is not None
    out = LidTracker(learnt[0], report_no_numbers)
    out.pose, out.frame_size = learnt[1], SIZE
    out.is_turn_certain = out.is_lid_certain = True
    return out


def measure_error(pose: FloatArray | None, layout_points: FloatArray, centers: FloatArray) -> float:
    """Return the largest distance of a window to the nearest drawn one, pixels."""
    assert pose is not None
    return float(np.linalg.norm(project_points(pose, layout_points)[:, None] - centers, axis=2).min(axis=1).max())


@pytest.mark.sampled(1)
@pytest.mark.parametrize("how", [{"angle": 140.0}, {"shift": (120.0, -30.0)}, {"angle": -20.0, "shift": (-60.0, 20.0)}])
def test_a_pushed_and_turned_lid_is_found(how: dict[str, Any]) -> None:
    known = make_tracker(LOOSE)
    picture, centers = LOOSE.draw(**how)
    pose = known.find_pose(ImagePyramid(picture))
    assert measure_error(pose, known.layout.centers, centers) < 6
    assert known.is_turn_certain
    assert known.is_lid_certain
    assert known.missed_searches == 0


def test_a_lid_at_rest_keeps_its_pose_despite_noise() -> None:
    known = make_tracker(LOOSE)
    first = known.find_pose(ImagePyramid(LOOSE.draw(angle=50.0, seed=1)[0]))
    assert first is not None
    known.pose, known.frame_size = first, SIZE
    assert known.is_at_rest(ImagePyramid(LOOSE.draw(angle=50.0, seed=2)[0]))
    again = known.find_pose(ImagePyramid(LOOSE.draw(angle=50.0, seed=2)[0]))
    assert again is first
    assert not known.is_at_rest(ImagePyramid(LOOSE.draw(angle=58.0, seed=2)[0]))


def test_missed_searches_are_counted() -> None:
    known = make_tracker(LOOSE)
    bare: Image = np.random.default_rng(1).integers(80, 120, (720, 1280, 3), np.uint8)
    assert known.find_pose(ImagePyramid(bare)) is None
    assert known.find_pose(ImagePyramid(bare)) is None
    assert known.missed_searches == 2


def test_a_symmetric_unmarked_lid_has_an_uncertain_turn() -> None:
    drawn = DrawnLid("even", arrow=False)
    known = make_tracker(drawn)
    picture, centers = drawn.draw(angle=90.0)
    pose = known.find_pose(ImagePyramid(picture))
    assert measure_error(pose, known.layout.centers, centers) < 6
    assert not known.is_turn_certain


def test_the_camera_homography_scales_with_the_frame() -> None:
    known = make_tracker(LOOSE)
    camera = scale_camera_homography(known.layout, (2560, 1440))
    large = project_points(camera, known.layout.centers)
    assert np.allclose(large, 2 * project_points(known.layout.camera_homography, known.layout.centers))
    assert known.has_certain_pose(SIZE)
    assert not known.has_certain_pose((2560, 1440))


def test_a_nearer_camera_finds_the_lid_at_its_new_size() -> None:
    known = make_tracker(LOOSE)
    picture, centers = LOOSE.draw()
    zoom = 1.25
    to = np.array([[zoom, 0, 640 - zoom * 400], [0, zoom, 360 - zoom * 360], [0, 0, 1.0]])
    nearer = np.asarray(cv2.warpPerspective(picture, to, SIZE, borderMode=cv2.BORDER_REPLICATE), np.uint8)
    found = find_at_any_size(ImagePyramid(nearer), known.layout, known.layout.camera_homography)
    assert found is not None
    assert measure_error(found.homography, known.layout.centers, project_points(to, centers)) < 6


def test_the_last_place_is_searched_before_the_whole_frame(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    known = make_tracker(LOOSE)
    picture, centers = LOOSE.draw(angle=140.0, shift=(20.0, -10.0))
    thorough: list[PoseFinder] = []
    search = PoseFinder._search_thoroughly

    def searched(self: PoseFinder) -> PoseCandidate | None:
        thorough.append(self)
        return search(self)

    monkeypatch.setattr(PoseFinder, "_search_thoroughly", searched)
    assert measure_error(known.find_pose(ImagePyramid(picture)), known.layout.centers, centers) < 6
    assert not thorough
    away, centers = LOOSE.draw(shift=(420.0, 0.0))
    assert measure_error(known.find_pose(ImagePyramid(away)), known.layout.centers, centers) < 6
    assert len(thorough) == 1


def test_derived_values_are_kept_for_another_camera() -> None:
    layout = make_tracker(LOOSE).layout
    other = layout.with_camera(layout.camera_homography @ np.diag([2.0, 2.0, 1.0]), (640, 360), {1: np.zeros((4, 2))})
    assert other.frame_size == (640, 360)
    assert list(other.tags) == [1]
    assert other.rotated_marks is layout.rotated_marks
    assert layout.frame_size == SIZE
    assert layout.tags == {}
