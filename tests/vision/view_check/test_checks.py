"""Tests of the view checks: each problem is reported where it is, and nowhere else.

Also here: monitor.py and partial_lid.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.events import CameraState
from companion.vision.confidence_limits import MIN_PLAY_CONFIDENCE
from companion.vision.frames.image_io import load_image
from companion.vision.lid.digit_reader import DigitClassifier
from companion.vision.lid.geometry import Ellipse
from companion.vision.lid.reader import LidReader
from companion.vision.reading import Die, Image, Lid, LidWindow, ProblemKind, Reading, ViewProblem
from companion.vision.view_check.checks import check_view, draw_problems, estimate_blur, shrink_to_grey
from companion.vision.view_check.monitor import SECONDS_TO_REPORT, SECONDS_WITHOUT_DICE, ViewMonitor
from companion.vision.view_check.partial_lid import estimate_tilt_deg, find_tokens
from companion.vision.view_check.problem import (
    LENS_COVERED_MESSAGE,
    TOO_NEAR_MESSAGE,
)
from tests.vision.lid.drawn_lid import DrawnLid, learn_lid, read_lid
from tests.vision.watching import SURE, make_die

CLASSIFIER = DigitClassifier()
OPEN = (None, 2, None, 1, None, 4, 4, None, 1, 5, None, 3)


def check_first_frame(image: Image, dice: Sequence[Die] = ()) -> tuple[ViewProblem, ...]:
    """Return the problems that a start with this frame would find."""
    lid = LidReader().calibrate(image)
    return check_view(image, lid, dice, () if lid else find_tokens(image, CLASSIFIER))


def find_kinds(image: Image, dice: Sequence[Die] = ()) -> list[ProblemKind]:
    return [problem.kind for problem in check_first_frame(image, dice)]


@cache
def drawn(layout: str = "grid", shift: tuple[float, float] = (0.0, 0.0), tilt: float = 12.0) -> Image:
    return DrawnLid(layout=layout).draw(shift=shift, tilt=tilt)[0]


def blur(image: Image, by: float) -> Image:
    soft = cv2.GaussianBlur(image, (0, 0), by).astype(np.float32)
    noise = np.random.default_rng(3).normal(0, 4, soft.shape)
    return np.clip(soft + noise, 0, 255).astype(np.uint8)


def draw_far_away(image: Image, scale: float) -> Image:
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    frame = np.full_like(image, 120)
    place = frame[100:, 100:][: small.shape[0], : small.shape[1]]
    place[:] = small[: place.shape[0], : place.shape[1]]
    noise = np.random.default_rng(4).normal(0, 2, frame.shape)
    return np.clip(frame + noise, 0, 255).astype(np.uint8)


# a good view


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("layout", "tilt"), [("grid", 20.0), ("staggered", 0.0), ("ring", 20.0), ("loose", 0.0)])
def test_a_good_view_has_no_problem(layout: str, tilt: float) -> None:
    assert find_kinds(drawn(layout, tilt=tilt)) == []


@pytest.mark.parametrize("how", [{"numbers": OPEN}, {"hand": (0, 0)}], ids=["open windows", "hand"])
def test_a_lid_in_play_has_no_problem(how: dict[str, Any]) -> None:
    reader, _ = learn_lid(DrawnLid())
    image, _ = DrawnLid().draw(**how)
    assert check_view(image, reader.read(image)) == ()


def test_an_empty_table_has_no_problem() -> None:
    noise = np.random.default_rng(1).normal(120, 3, (720, 1280, 3))
    assert find_kinds(np.clip(noise, 0, 255).astype(np.uint8)) == []


@pytest.mark.full
def test_no_frame_of_the_shared_sittings_gives_a_false_alarm(shared: Path) -> None:
    wrong = []
    for folder in sorted((shared / "sittings").glob("s*")):
        reader = LidReader()
        for path in sorted(folder.glob("*.jpg")):
            image = load_image(path)
            lid = reader.read(image)
            found = check_view(image, lid, (), () if lid else find_tokens(image, CLASSIFIER))
            wrong += [f"{folder.name}/{path.name}: {problem.message}" for problem in found]
    assert wrong == []


# light


@pytest.mark.parametrize(("gain", "kind"), [(0.25, ProblemKind.DARK), (2.2, ProblemKind.BRIGHT)])
def test_too_little_and_too_much_light_are_reported(gain: float, kind: ProblemKind) -> None:
    lit = np.asarray(cv2.convertScaleAbs(drawn(), alpha=gain), np.uint8)
    assert [problem.kind for problem in check_view(lit)] == [kind]


def test_a_covered_lens_is_reported() -> None:
    noise = np.random.default_rng(1).integers(0, 8, (720, 1280, 3), dtype=np.uint8)
    assert [p.message for p in check_view(noise)] == [LENS_COVERED_MESSAGE]


def test_a_black_table_on_which_dice_are_read_is_not_too_dark() -> None:
    black = np.full((720, 1280, 3), 20, np.uint8)
    cv2.rectangle(black, (600, 300), (640, 340), (70, 70, 70), -1)
    assert [p.kind for p in check_view(black, dice=[make_die(3, 620, 320, 0.4)])] == [ProblemKind.DARK]
    assert check_view(black, dice=[make_die(3, 620, 320, SURE)]) == ()


def test_glare_that_hides_a_number_is_reported_where_it_is() -> None:
    reader, _ = learn_lid(DrawnLid())
    image, centers = DrawnLid().draw()
    x, y = (round(float(v)) for v in centers[5])
    shine = image.copy()
    cv2.ellipse(shine, (x, y), (55, 40), 0, 0, 360, (255, 255, 255), -1)
    lid = read_lid(reader, shine)
    lid = mark_unread(lid, 5)
    (problem,) = check_view(shine, lid)
    assert problem.kind is ProblemKind.GLARE
    assert problem.box[0] < x < problem.box[2]
    assert problem.box[1] < y < problem.box[3]


def mark_unread(lid: Lid, index: int) -> Lid:
    windows = list(lid.windows)
    old = windows[index]
    windows[index] = LidWindow(old.center, old.radius, True, 3, 0.4)
    return Lid(lid.corners, lid.arrow, tuple(windows))


# sharpness


@pytest.mark.parametrize("by", [0.0, 1.0, 4.0])
def test_the_blur_is_estimated(by: float) -> None:
    own = estimate_blur(shrink_to_grey(drawn()))
    seen = estimate_blur(shrink_to_grey(blur(drawn(), by) if by else drawn()))
    assert own is not None
    assert seen is not None
    assert seen == pytest.approx(np.hypot(own, by / 2), abs=0.45)


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("change", "amount", "kinds"),
    [
        (blur, 6.0, [ProblemKind.BLURRED]),
        (blur, 20.0, [ProblemKind.BLURRED]),
        (blur, 3.0, []),
        (blur, 1.0, []),
        (draw_far_away, 0.28, [ProblemKind.FAR]),
        (draw_far_away, 0.2, [ProblemKind.FAR]),
        (draw_far_away, 0.45, []),
        (draw_far_away, 0.9, []),
    ],
)
def test_what_is_read_in_spite_of_it_is_no_problem(
    change: Callable[[Image, float], Image], amount: float, kinds: list[ProblemKind]
) -> None:
    assert find_kinds(change(drawn(), amount)) == kinds


# place


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("layout", "shift", "where"),
    [
        ("grid", (-330, 0), "left"),
        ("staggered", (0, -270), "top"),
        ("ring", (0, 270), "bottom"),
        ("loose", (800, 0), "right"),
    ],
)
def test_a_lid_cut_off_is_reported_with_its_side(layout: str, shift: tuple[float, float], where: str) -> None:
    problems = check_first_frame(drawn(layout, shift))
    assert [p.kind for p in problems] == [ProblemKind.CUT_OFF]
    assert f"cut off at the {where}: push it " in problems[0].message


def test_a_lid_cut_off_at_a_corner_names_both_sides() -> None:
    (problem,) = check_first_frame(drawn("loose", (-310, -250)))
    assert problem.message == "The lid is cut off at the left and top: push it to the right and down"


def test_a_lid_larger_than_the_frame_needs_a_higher_camera() -> None:
    lid = learn_lid(DrawnLid())[1]
    corners = ((0.0, -50.0), (700.0, -50.0), (700.0, 800.0), (0.0, 800.0))
    (problem,) = check_view(drawn(), Lid(corners, None, lid.windows))
    assert problem.message == TOO_NEAR_MESSAGE


def test_dice_too_small_are_reported() -> None:
    small = [Die(3, (x, 100.0, x + 9, 109.0), 0.4) for x in (100.0, 150.0)]
    assert [p.kind for p in check_view(drawn(), dice=small)] == [ProblemKind.FAR]
    large = [Die(3, (x, 100.0, x + 20, 120.0), 0.4) for x in (100.0, 150.0)]
    assert check_view(drawn(), dice=large) == ()


@pytest.mark.full
@pytest.mark.sampled(1)
@pytest.mark.parametrize(("layout", "tilt"), [("grid", 45.0), ("staggered", 38.0), ("ring", 50.0)])
def test_an_oblique_camera_is_reported(layout: str, tilt: float) -> None:
    image = drawn(layout, tilt=tilt)
    assert estimate_tilt_deg(find_tokens(image, CLASSIFIER)) == pytest.approx(tilt, abs=6)
    assert find_kinds(image) == [ProblemKind.TILTED]


def test_a_printed_line_of_numbers_is_no_lid() -> None:
    image = np.full((720, 1280, 3), 120, np.uint8)
    cv2.rectangle(image, (0, 0), (700, 260), (240, 240, 240), -1)
    for place in range(9):
        centre = (60 + 60 * place, 130)
        cv2.circle(image, centre, 20, (60, 60, 60), 2, cv2.LINE_AA)
        corner = (centre[0] - 9, centre[1] + 10)
        cv2.putText(image, str(1 + place % 6), corner, cv2.FONT_HERSHEY_DUPLEX, 0.9, (30, 30, 30), 2, cv2.LINE_AA)
    assert find_tokens(image, CLASSIFIER) == []
    assert find_kinds(image) == []


def test_a_mirrored_picture_is_reported() -> None:
    (problem,) = check_first_frame(np.ascontiguousarray(drawn()[:, ::-1]))
    assert problem.kind is ProblemKind.MIRRORED
    assert "mirrored" in problem.message


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", [f"s00{number}" for number in range(1, 7)])
def test_a_mirrored_sitting_is_named_by_its_first_picture_and_nothing_is_played(name: str, shared: Path) -> None:
    image = np.ascontiguousarray(load_image(sorted((shared / "sittings" / name).glob("*.jpg"))[0])[:, ::-1])
    lid = LidReader().read(image)
    assert lid is not None
    assert ProblemKind.MIRRORED in [problem.kind for problem in check_view(image, lid)]
    assert not any(window.covered and window.confidence >= MIN_PLAY_CONFIDENCE for window in lid.windows)


# the picture


def test_problems_are_drawn_in_a_copy() -> None:
    image = drawn()
    before = image.copy()
    picture = draw_problems(image, [ViewProblem(ProblemKind.FAR, "", (100.0, 120.0, 300.0, 320.0))])
    assert np.array_equal(image, before)
    changed = np.argwhere((picture != image).any(axis=2))
    assert changed.min(axis=0).tolist() == [120, 100]
    assert changed.max(axis=0).tolist() == [319, 299]


def test_the_drawn_frame_of_the_whole_picture_lies_within_it() -> None:
    image = np.zeros((720, 1280, 3), np.uint8)
    picture = draw_problems(image, check_view(image))
    assert picture[0, 640].any()
    assert picture[719, 640].any()
    assert picture[360, 0].any()
    assert picture[360, 1279].any()
    assert not picture[360, 640].any()


# while people play

DARK = np.full((90, 160, 3), 30, np.uint8)
LIT = cv2.resize(drawn(), (160, 90), interpolation=cv2.INTER_AREA).astype(np.uint8)
READ = Reading(dice=(make_die(3, 50, 50),))
NOTHING = Reading()


class MonitorFilm:
    """Shows frames to a ViewMonitor, 15 per second."""

    def __init__(self, tokens: Sequence[Ellipse] = ()) -> None:
        self.now = 0.0
        self.searches: list[float] = []
        self.tokens = tokens
        self.monitor = ViewMonitor(self._find)

    def _find(self, image: Image) -> Sequence[Ellipse]:
        self.searches.append(self.now)
        return self.tokens

    def show(
        self, image: Image, seconds: float, state: CameraState = CameraState.STEADY, reading: Reading = NOTHING
    ) -> ProblemKind | None:
        for _ in range(round(15 * seconds)):
            self.now += 1 / 15
            self.monitor.process_frame(image, self.now, state, reading)
        return self.monitor.problem.kind if self.monitor.problem else None


@pytest.fixture
def view() -> MonitorFilm:
    return MonitorFilm()


def test_a_lasting_problem_is_reported_and_a_passing_one_is_not(view: MonitorFilm) -> None:
    assert view.show(DARK, SECONDS_TO_REPORT - 1) is None
    assert view.show(LIT, 3, reading=READ) is None
    assert view.show(DARK, SECONDS_TO_REPORT - 1) is None
    assert view.show(DARK, 4) is ProblemKind.DARK
    first = view.monitor.problem
    for state, seconds in ((CameraState.HAND, 20), (CameraState.STEADY, 2)):
        assert view.show(LIT, seconds, state, READ) is ProblemKind.DARK, "one check without it does not clear it"
    assert view.show(DARK, 8) is ProblemKind.DARK
    assert view.monitor.problem is first
    assert view.show(LIT, 5, reading=READ) is None


def test_nothing_is_reported_while_a_hand_is_over_the_table(view: MonitorFilm) -> None:
    assert view.show(DARK, 20, CameraState.HAND) is None
    assert view.show(DARK, 20, CameraState.ROLLING) is None


def test_the_next_problem_is_reported_when_the_first_is_solved() -> None:
    sharp = draw_far_away(drawn(), 0.25)
    view = MonitorFilm(find_tokens(sharp, CLASSIFIER))
    assert view.show(np.asarray(cv2.convertScaleAbs(sharp, alpha=0.2), np.uint8), 8) is ProblemKind.DARK
    assert view.show(sharp, 10) is ProblemKind.FAR


def test_tokens_are_searched_for_ever_more_seldom_where_there_are_none(view: MonitorFilm) -> None:
    view.show(LIT, 300)
    assert len(view.searches) <= 8
    count = len(view.searches)
    view.show(np.asarray(255 - LIT, np.uint8), 3)
    assert len(view.searches) == count + 1, "another view is searched at once"


def test_tokens_are_not_searched_for_where_the_lid_is_seen(view: MonitorFilm) -> None:
    lid = learn_lid(DrawnLid())[1]
    view.show(drawn(), 5, reading=Reading(lid=lid))
    assert view.searches == []


def test_no_dice_are_asked_for_at_a_simulated_table() -> None:
    reading, image = Reading(lid=learn_lid(DrawnLid())[1]), drawn()
    for expects_dice in (True, False):
        monitor = ViewMonitor(lambda _image: (), expects_dice=expects_dice)
        for at in range(0, round(SECONDS_WITHOUT_DICE + SECONDS_TO_REPORT) + 10, 4):
            monitor.process_frame(image, float(at), CameraState.STEADY, reading)
        assert (monitor.problem is not None) is expects_dice


def test_dice_are_asked_for_on_a_table_with_a_lid_and_never_a_die(view: MonitorFilm) -> None:
    lid = learn_lid(DrawnLid())[1]
    with_lid = Reading(lid=lid)
    assert view.show(drawn(), SECONDS_WITHOUT_DICE - 1, reading=with_lid) is None
    assert view.show(drawn(), SECONDS_TO_REPORT + 4, reading=with_lid) is ProblemKind.NO_DICE
    blurred = np.asarray(cv2.GaussianBlur(drawn(), (0, 0), 12), np.uint8)
    assert view.show(blurred, SECONDS_TO_REPORT + 4, reading=with_lid) is ProblemKind.BLURRED, "which explains it"
    both = Reading(dice=(make_die(3, 900, 300),), lid=lid)
    assert view.show(drawn(), 5, reading=both) is None
    assert view.show(drawn(), SECONDS_WITHOUT_DICE + 10, reading=with_lid) is None, "they have been seen"
