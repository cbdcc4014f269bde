"""The watcher with a handheld camera, or one on a shaking table.

Hands in the view: test_hands.py.
"""

from __future__ import annotations

import csv
from pathlib import Path
from unittest.mock import ANY

import cv2
import numpy as np
import pytest

from companion.commands.watch import read_frames
from companion.events import CameraState, CameraStateChanged, DiceRead, TokenTaken
from companion.vision.confidence_limits import MIN_PLAY_CONFIDENCE
from companion.vision.reading import BoundingBox, Die, Image
from companion.vision.table.watcher import DiceAndLidWatcher
from tests.vision.watching import (
    FPS,
    OVER_LID,
    REST,
    THROW,
    Matrix,
    NullLidReader,
    Table,
    WatcherFilm,
    leave,
    make_throw,
    reach_in,
    shake_camera,
)

AGAIN = ((1, 560.0, 280.0), (6, 420.0, 180.0))


def held(seed: int, much: float = 1.0, fps: float = FPS, **table: bool) -> WatcherFilm:
    film = WatcherFilm(Table(**table), fps)
    film.camera = shake_camera(seed, much, fps)
    return film


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("seed", "much", "fps", "bare"),
    [(2, 1.0, 15.0, False), (0, 0.3, 15.0, True), (1, 1.0, 30.0, False), (2, 1.0, 30.0, True)],
)
def test_throws_are_one_event_each_within_400_ms_of_rest(seed: int, much: float, fps: float, bare: bool) -> None:
    film = held(seed, much, fps, bare=bare)
    film.collect_actions(REST)
    for throw in (THROW, AGAIN, THROW):
        assert [e for e in film.throw(*throw) if not isinstance(e, CameraStateChanged)] == []
        rest = film.now
        (event,) = film.collect_actions(int(fps))
        assert isinstance(event, DiceRead)
        assert event.values == tuple(sorted(value for value, _, _ in throw))
        assert event.confidence >= MIN_PLAY_CONFIDENCE
        assert event.at - rest <= 0.4
        assert film.watcher.state is CameraState.STEADY


@pytest.mark.full
def test_dice_at_rest_are_reported_once_while_the_camera_shakes() -> None:
    film = held(4)
    film.throw(*THROW)
    assert len(film.collect_actions(FPS)) == 1
    asked = film.dice.asked
    assert film.collect_actions(8 * FPS) == []
    assert film.dice.asked - asked < 8 * FPS / 4


def test_with_a_handheld_camera_the_first_rest_is_a_throw() -> None:
    film = held(5)
    film.table.dice = list(THROW)
    assert film.collect_actions(2 * FPS) == [make_throw(3, 5)]


def test_a_die_that_still_spins_is_waited_for() -> None:
    film = held(6, bare=True)
    film.throw(*THROW)
    film.collect_actions(REST)
    film.throw(*AGAIN)
    for turn in range(FPS):  # its pips go round, and it reads well in every frame
        film.table.dice = [AGAIN[0], (6 if turn % 2 else 4, 420.0, 180.0)]
        assert film.collect_actions(1) == []
    film.table.dice = list(AGAIN)
    assert film.collect_actions(REST) == [make_throw(1, 6)]


def sweep(to: Matrix, steps: int) -> list[Matrix]:
    return [np.eye(3) + (to - np.eye(3)) * step / steps for step in range(1, steps + 1)]


@pytest.mark.full
@pytest.mark.parametrize("bare", [False, True])
def test_a_camera_that_is_moved_makes_no_event(bare: bool) -> None:
    film = held(7, bare=bare)
    film.throw(*THROW)
    assert len(film.collect_actions(FPS)) == 1
    film.camera = iter(sweep(np.array([[1.25, 0, -120.0], [0, 1.25, -60.0], [0, 0, 1]]), 10))
    assert film.collect_actions(10) == []
    film.camera = (np.array([[1.25, 0, -120.0], [0, 1.25, -60.0], [0, 0, 1]]) @ step for step in shake_camera(8))
    assert film.collect_actions(3 * FPS) == []


def test_a_camera_that_is_put_down_makes_no_event() -> None:
    film = held(9)
    film.throw(*THROW)
    assert len(film.collect_actions(FPS)) == 1
    film.camera = None
    assert film.collect_actions(5 * FPS) == []
    assert film.watcher.state is CameraState.STEADY
    film.throw(*AGAIN)
    assert len(film.collect_actions(REST)) == 1


@pytest.mark.sampled(1)
@pytest.mark.parametrize("much", [2.0, 6.0])
def test_a_bumped_camera_makes_no_event(much: float, thrown_film: WatcherFilm) -> None:
    start = thrown_film.table.view
    thrown_film.camera = shake_camera(10, much)
    thrown_film.collect_actions(FPS // 2)
    thrown_film.camera = None
    assert thrown_film.collect_actions(3 * FPS) == []
    thrown_film.table.view = start @ np.array([[1.0, 0, 9.0], [0, 1, -6.0], [0, 0, 1]])
    assert thrown_film.collect_actions(3 * FPS) == []
    thrown_film.throw(*AGAIN)
    assert len(thrown_film.collect_actions(REST)) == 1


def test_a_taken_token_is_reported_while_the_camera_shakes() -> None:
    film = held(11)
    film.collect_actions(2 * FPS)
    reach_in(film, OVER_LID)
    film.table.tokens[5] = None
    said = leave(film, OVER_LID) + film.collect_actions(2 * FPS)
    assert said == [TokenTaken(5, 6, ANY, ANY)]


def test_a_lid_turned_on_a_bare_table_is_not_taken_for_the_view(thrown_film: WatcherFilm) -> None:
    for step in range(1, 7):
        thrown_film.table.lid_at = (50 + 4 * step, 60 + 6 * step)
        thrown_film.collect_actions(1)
    assert thrown_film.collect_actions(2 * FPS) == []
    assert thrown_film.watcher.reading is not None
    assert sorted((round(d.box[0]), round(d.box[1])) for d in thrown_film.watcher.reading.dice) == [
        (428, 128),
        (508, 208),
    ]


class Labelled:
    """Returns the settled values of a labelled video, and certain sixes in every other frame."""

    def __init__(self, labels: Path) -> None:
        self.frame = 0
        self.rolls = [
            (int(row["first_frame"]), int(row["last_frame"]), tuple(sorted(map(int, row["values"].split()))))
            for row in csv.DictReader(labels.read_text().splitlines())
        ]

    def read(self, image: Image, region: BoundingBox | None = None, lid: object = None) -> tuple[Die, ...]:
        values = next((v for first, last, v in self.rolls if first <= self.frame <= last), (6, 6))
        bright = (image[:, :, 0] > 60).astype(np.uint8)  # white dice on green
        whole = cv2.morphologyEx(cv2.erode(bright, np.ones((5, 5))), cv2.MORPH_CLOSE, np.ones((17, 17)))
        _, _, stats, middles = cv2.connectedComponentsWithStats(whole)
        dice = sorted((tuple(m) for m, s in zip(middles[1:], stats[1:], strict=True) if s[4] > 600))
        return tuple(Die(v, (x - 31, y - 31, x + 31, y + 31), 0.97) for v, (x, y) in zip(values, dice, strict=False))


@pytest.mark.full
def test_a_handheld_video_gives_its_throws_and_nothing_else(shared: Path) -> None:
    folder = shared / "photos" / "dice" / "videos"
    reader = Labelled(folder / "labels.csv")
    watcher = DiceAndLidWatcher(reader, NullLidReader())
    reported = []
    for index, at, image in read_frames(str(folder / "rw_dice-video-1.mp4")):
        reader.frame = index
        reported += [(index, e.values) for e in watcher.process_frame(image, at) if isinstance(e, DiceRead)]
    assert [values for _, values in reported] == [values for _, _, values in reader.rolls]
    assert all(first <= index <= last + 2 for (index, _), (first, last, _) in zip(reported, reader.rolls, strict=True))
