"""Following a known lid: pushed, turned, covered by a hand, seen by a camera that was bumped, and gone."""

from __future__ import annotations

import numpy as np
import pytest

from companion.vision.lid.calibration import learn_layout
from companion.vision.lid.digit_reader import DigitClassifier
from companion.vision.lid.geometry import FloatArray, project_points
from companion.vision.lid.image_pyramid import ImagePyramid
from companion.vision.lid.pose import PoseCandidate, PoseFinder
from companion.vision.lid.tracking import LidTracker, scale_camera_homography
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


def test_a_lid_at_rest_keeps_its_pose_despite_noise() -> None:
    known = make_tracker(LOOSE)
    first = known.find_pose(ImagePyramid(LOOSE.draw(angle=50.0, seed=1)[0]))
    known.pose, known.frame_size = first, SIZE
    noisy = ImagePyramid(LOOSE.draw(angle=50.0, seed=2)[0])
    assert known.is_at_rest(noisy)
    assert known.find_pose(noisy) is first
    assert not known.is_at_rest(ImagePyramid(LOOSE.draw(angle=58.0, seed=2)[0]))


def test_the_camera_homography_scales_with_the_frame() -> None:
    layout = make_tracker(LOOSE).layout
    large = project_points(scale_camera_homography(layout, (2560, 1440)), layout.centers)
    assert np.allclose(large, 2 * project_points(layout.camera_homography, layout.centers))


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
