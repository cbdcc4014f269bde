"""Tests of the lid's turn, and of finding it after the camera was moved or the program restarted in mid-round."""

from __future__ import annotations

import json

import cv2
import numpy as np
import pytest

from companion.vision.confidence_limits import MIN_PLAY_CONFIDENCE
from companion.vision.lid.digit_reader import DigitClassifier
from companion.vision.lid.reader import LidReader
from companion.vision.reading import Image, Lid
from tests.vision.lid.drawn_lid import NUMBERS, Array, DrawnLid, learn_lid, needs_detector, read_lid

Numbers = tuple[int | None, ...]
OPEN: Numbers = (5, None, 6, 1, None, 4, 4, 6, 1, None, 2, 3)
SHUFFLED: Numbers = (1, 4, 2, 6, 3, 5, 1, 2, 6, 3, 5, 4)


def learn_in_order(drawn: DrawnLid, tilt: float = 12.0) -> tuple[LidReader, list[int]]:
    """Return a reader that has learnt the lid, and the drawn window of each of its windows."""
    reader, read = learn_lid(drawn, tilt=tilt)
    centers = drawn.draw(tilt=tilt)[1]
    order = [int(np.linalg.norm(centers - np.array(w.center), axis=1).argmin()) for w in read.windows]
    assert sorted(order) == list(range(12))
    return reader, order


def restart(reader: LidReader) -> LidReader:
    """Return a new reader with the layout that another one has learnt, through JSON."""
    fresh = LidReader()
    plain = reader.export_layout()
    assert plain is not None
    fresh.restore_layout(json.loads(json.dumps(plain)))
    return fresh


def check_windows(read: Lid | None, centers: Array, order: list[int], numbers: Numbers) -> None:
    """Check that each window keeps its index, place and number, and is certain if open."""
    assert read is not None
    away = np.linalg.norm(np.array([w.center for w in read.windows]) - centers[order], axis=1)
    assert away.max() < 8
    assert [w.number for w in read.windows] == [numbers[i] for i in order]
    assert all(w.confidence >= MIN_PLAY_CONFIDENCE for w in read.windows if not w.covered)


def move_camera(picture: Image, centers: Array, zoom: float, turn: float, tilt: float) -> tuple[Image, Array]:
    """Return the view of a camera turned by `turn` and tilted by `tilt` degrees more and zoomed, and the centres."""
    a, t = np.radians(turn), np.radians(tilt)
    far = 1500.0  # pixels: the focal length of a usual webcam at this size
    lens = np.diag([far, far, 1.0])
    spin = np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1.0]])
    nod = np.array([[1, 0, 0], [0, np.cos(t), -np.sin(t)], [0, np.sin(t), np.cos(t)]])
    middle = np.array([[1, 0, 640], [0, 1, 360], [0, 0, 1.0]])
    h = middle @ np.diag([zoom, zoom, 1.0]) @ lens @ nod @ spin @ np.linalg.inv(lens) @ np.linalg.inv(middle)
    lid = np.array([np.append(c, 1.0) for c in centers]) @ h.T
    away = np.array([640.0, 380.0]) - (lid[:, :2] / lid[:, 2:]).mean(axis=0)  # and pointed at the lid again
    h = np.array([[1, 0, away[0]], [0, 1, away[1]], [0, 0, 1]]) @ h
    seen = cv2.warpPerspective(picture, h, (1280, 720), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    out = np.column_stack([centers, np.ones(12)]) @ h.T
    return np.asarray(seen, np.uint8), out[:, :2] / out[:, 2:]


class TestTurn:
    @pytest.mark.sampled(1)
    @pytest.mark.parametrize(("layout", "angle"), [("grid", 180), ("staggered", 65), ("ring", 270)])
    def test_by_the_arrow(self, layout: str, angle: float) -> None:
        drawn = DrawnLid(layout)
        reader, order = learn_in_order(drawn)
        numbers = (1, None, *SHUFFLED[2:])  # other numbers than before: no evidence
        picture, centers = drawn.draw(numbers, angle=angle, shift=(15, -10))
        check_windows(reader.read(picture), centers, order, numbers)

    @pytest.mark.sampled(1)
    @pytest.mark.parametrize("angle", [65, 180])
    def test_by_an_asymmetric_layout(self, angle: float) -> None:
        drawn = DrawnLid("loose", arrow=False)
        reader, order = learn_in_order(drawn)
        numbers = (1, None, *SHUFFLED[2:])
        picture, centers = drawn.draw(numbers, angle=angle)
        check_windows(reader.read(picture), centers, order, numbers)

    @needs_detector
    @pytest.mark.parametrize("layout", ["even", "staggered"])
    def test_by_the_tags(self, layout: str) -> None:
        drawn = DrawnLid(layout, arrow=False, tags=True)
        reader, order = learn_in_order(drawn)
        numbers = (1, None, *SHUFFLED[2:])
        for angle in (90, 180):
            picture, centers = drawn.draw(numbers, angle=angle)
            check_windows(reader.read(picture), centers, order, numbers)

    @needs_detector
    def test_by_tags_added_later(self) -> None:
        reader, order = learn_in_order(DrawnLid("even", arrow=False))
        tagged = DrawnLid("even", arrow=False, tags=True)
        for angle in (3, 6, 9):  # they are seen while it is still known how the lid lies
            read_lid(reader, tagged.draw(angle=angle)[0])
        plain = reader.export_layout()
        assert plain is not None
        assert sorted(plain["tags"]) == ["0", "1", "2", "3"]
        numbers = (1, None, *SHUFFLED[2:])
        picture, centers = tagged.draw(numbers, angle=182)
        check_windows(reader.read(picture), centers, order, numbers)

    @pytest.mark.sampled(1)
    @pytest.mark.parametrize(("layout", "angle"), [("even", 179), ("staggered", 185), ("ring", 122)])
    def test_by_the_numbers(self, layout: str, angle: float) -> None:
        drawn = DrawnLid(layout, arrow=False)
        reader, order = learn_in_order(drawn)
        picture, centers = drawn.draw(OPEN, angle=angle)
        fresh = restart(reader)
        for either in (reader, fresh):
            check_windows(either.read(picture), centers, order, OPEN)

    @pytest.mark.parametrize("angle", [0, 180])
    def test_no_window_is_certain_without_evidence(self, angle: float) -> None:
        """Symmetric, no marks, and all tokens but one were put back shuffled, unseen."""
        drawn = DrawnLid("even", arrow=False)
        reader, _ = learn_lid(drawn)
        numbers = (*SHUFFLED[:5], None, *SHUFFLED[6:])
        fresh = restart(reader)
        for _ in range(3):
            read = read_lid(fresh, drawn.draw(numbers, angle=angle)[0])
            assert all(w.confidence < MIN_PLAY_CONFIDENCE for w in read.windows)

    def test_a_new_round_makes_the_turn_certain_again(self) -> None:
        drawn = DrawnLid("even", arrow=False)
        fresh = restart(learn_lid(drawn)[0])
        fresh.read(drawn.draw((*SHUFFLED[:5], None, *SHUFFLED[6:]), angle=180)[0])
        read = read_lid(fresh, drawn.draw(SHUFFLED, angle=180)[0])
        assert all(w.confidence >= MIN_PLAY_CONFIDENCE for w in read.windows)
        picture, centers = drawn.draw((*SHUFFLED[:3], None, *SHUFFLED[4:]), angle=180)
        again = read_lid(fresh, picture)
        taken = [w for w in again.windows if not w.covered]
        assert len(taken) == 1
        assert taken[0].confidence >= MIN_PLAY_CONFIDENCE
        assert np.linalg.norm(np.array(taken[0].center) - centers[3]) < 8


class TestMovedCamera:
    @pytest.mark.sampled(1)
    @pytest.mark.parametrize(
        ("layout", "zoom", "turn", "tilt"),
        [
            ("grid", 1.1, 20.0, -14.0),
            ("staggered", 0.75, 4.0, 5.0),
            ("ring", 1.25, -10.0, 0.0),
            ("loose", 1.0, 6.0, 0.0),
        ],
    )
    def test_a_moved_camera_finds_the_lid_again(self, layout: str, zoom: float, turn: float, tilt: float) -> None:
        drawn = DrawnLid(layout)
        reader, order = learn_in_order(drawn, tilt=6.0)
        picture, centers = move_camera(*drawn.draw(OPEN, tilt=6.0), zoom, turn, tilt)
        check_windows(reader.read(picture), centers, order, OPEN)
        turned, centers = move_camera(*drawn.draw(OPEN, tilt=6.0, angle=100), zoom, turn, tilt)
        check_windows(reader.read(turned), centers, order, OPEN)

    @pytest.mark.sampled(1)
    @pytest.mark.parametrize(
        ("layout", "zoom", "angle", "numbers"),
        [
            ("grid", 1.12, 97.0, (5, None, None, 1, 3, 4, None, 6, 1, 5, 2, 3)),
            ("even", 1.12, -4.0, (5, 2, None, 1, None, 4, 4, 6, None, 5, 2, 3)),
            ("staggered", 0.85, -7.0, (5, None, 6, 1, 3, 4, 4, 6, None, None, None, 3)),
            ("staggered", 1.12, 270.0, (None, None, 6, 1, 3, None, 4, None, 1, 5, 2, 3)),
        ],
    )
    def test_no_part_of_the_lid_is_taken_for_the_whole(
        self, layout: str, zoom: float, angle: float, numbers: Numbers
    ) -> None:
        drawn = DrawnLid(layout)
        reader, order = learn_in_order(drawn, tilt=6.0)
        picture, centers = move_camera(*drawn.draw(numbers, angle=angle, tilt=6.0), zoom, -10.0, 0.0)
        check_windows(reader.read(picture), centers, order, numbers)

    @pytest.mark.parametrize("zoom", [0.7, 1.4])
    def test_a_restart_with_a_moved_camera_finds_the_lid(self, zoom: float) -> None:
        drawn = DrawnLid("ring")
        reader, order = learn_in_order(drawn)
        numbers: Numbers = (None, 2, None, 1, None, 4, None, 6, None, None, 2, 3)
        picture, centers = move_camera(*drawn.draw(numbers, angle=70), zoom, 5.0, 0.0)
        fresh = restart(reader)
        check_windows(fresh.read(picture), centers, order, numbers)
        again = restart(fresh)  # and what it then knows of the camera is kept
        check_windows(again.read(picture), centers, order, numbers)

    def test_another_lid_is_not_taken_for_the_known_one(self) -> None:
        reader, _ = learn_lid(DrawnLid("ring"))
        open_: Numbers = (5, None, 6, 1, None, 4, 4, 6, 1, None, 2, 3)
        picture, _ = move_camera(*DrawnLid("loose").draw(open_), 1.4, 0.0, 0.0)
        read = reader.read(picture)
        assert read is None or all(w.confidence < MIN_PLAY_CONFIDENCE or w.covered for w in read.windows)


class TestAtRest:
    def test_the_pose_does_not_tremble(self) -> None:
        drawn = DrawnLid("grid")
        reader, _ = learn_lid(drawn)
        first = read_lid(reader, drawn.draw(OPEN, angle=30, noise=2.0)[0])
        for seed, hand in ((1, (60.0, 40.0)), (1, None), (0, (-60.0, 40.0)), (0, None)):
            read = read_lid(reader, drawn.draw(OPEN, angle=30, noise=5.0, seed=seed, hand=hand)[0])
            assert read.corners == first.corners

    def test_only_changed_windows_are_read_again(self, asked: list[int]) -> None:
        drawn = DrawnLid("grid")
        reader, order = learn_in_order(drawn)
        asked.clear()
        reader.read(drawn.draw(noise=4.0)[0])
        assert asked == []
        picture, centers = drawn.draw((*NUMBERS[:7], None, *NUMBERS[8:]))
        check_windows(reader.read(picture), centers, order, (*NUMBERS[:7], None, *NUMBERS[8:]))
        assert asked == [1]

    def test_a_push_is_noticed_while_most_windows_are_open(self) -> None:
        drawn = DrawnLid("staggered")
        numbers: Numbers = (5, None, None, None, 3, None, None, None, 1, None, None, 3)
        reader, order = learn_in_order(drawn)
        reader.read(drawn.draw(numbers)[0])
        picture, centers = drawn.draw(numbers, shift=(9, 5))
        check_windows(reader.read(picture), centers, order, numbers)


def test_a_frame_without_enough_circles_runs_no_net(monkeypatch: pytest.MonkeyPatch) -> None:
    def asked(net: DigitClassifier, patches: Image, *, as_windows: bool = False) -> np.ndarray:
        raise AssertionError("the net was run")

    monkeypatch.setattr(DigitClassifier, "classify", asked)
    drawn = DrawnLid("grid")
    picture, centers = drawn.draw()
    for x, y in np.rint(centers[:6]).astype(int).tolist():  # six tokens are no lid
        cv2.rectangle(picture, (x - 50, y - 45), (x + 50, y + 45), drawn.lid, -1)
    assert LidReader().calibrate(picture) is None
