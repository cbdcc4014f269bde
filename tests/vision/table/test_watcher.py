"""The watcher as a whole: its states from the start on, snapshots, darkness, noise."""

from __future__ import annotations

import json
from unittest.mock import ANY

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from companion.events import CameraState, CameraStateChanged, LidCovered, LidRead, TokenPlaced, TokenTaken
from companion.vision.frames.image_io import MAX_ASPECT_RATIO, MIN_SIDE_PX
from tests.vision.watching import (
    HEIGHT,
    OVER_LID,
    REST,
    THROW,
    WIDTH,
    Table,
    WatcherFilm,
    film_after_throw,
    leave,
    reach_in,
)


def test_a_start_reports_the_state_and_the_windows() -> None:
    film = WatcherFilm(Table(dice=list(THROW)))
    lid, state = film.show_table(REST)
    assert lid == LidRead(12, (2, 2, 2, 2, 2, 2), ANY)
    assert state == CameraStateChanged(CameraState.STEADY, ANY, lid_known=True)
    assert film.watcher.reading is not None
    assert sorted(d.value for d in film.watcher.reading.dice) == [3, 5]
    assert film.watcher.reading.lid is not None


def test_rolling_dice_are_reported_as_a_state(film: WatcherFilm) -> None:
    assert CameraStateChanged(CameraState.ROLLING, film.now, lid_known=True) in film.throw(*THROW)
    assert [e.state for e in film.show_table(REST) if isinstance(e, CameraStateChanged)] == [CameraState.STEADY]


def test_slow_changes_of_daylight_cause_no_reading(thrown_film: WatcherFilm) -> None:
    asked = thrown_film.dice.asked, thrown_film.lid.asked
    for _ in range(300):
        thrown_film.table.light *= 0.999
        assert thrown_film.show_table(1) == []
    assert (thrown_film.dice.asked, thrown_film.lid.asked) == asked


def test_darkness_is_blind_and_light_is_steady_again(thrown_film: WatcherFilm) -> None:
    thrown_film.table.light = 0.0
    assert [type(e) for e in thrown_film.show_table(REST)] == [CameraStateChanged]
    assert thrown_film.watcher.state is CameraState.BLIND
    thrown_film.table.light = 1.0
    assert thrown_film.collect_actions(REST) == []
    assert thrown_film.watcher.state is CameraState.STEADY


def test_without_lid_and_dice_it_is_searching() -> None:
    film = WatcherFilm(Table(lid_there=False))
    assert film.show_table(REST) == []
    assert film.watcher.state is CameraState.SEARCHING


def test_a_restart_in_the_middle_of_a_round_repeats_no_event_and_reports_what_changed_meanwhile(
    thrown_film: WatcherFilm,
) -> None:
    reach_in(thrown_film, OVER_LID)
    thrown_film.table.tokens[5] = None
    leave(thrown_film, OVER_LID)
    memory = json.loads(json.dumps(thrown_film.watcher.snapshot()))
    thrown_film.table.tokens[7] = None
    again = WatcherFilm(thrown_film.table)
    again.watcher.restore(memory)
    assert again.watcher.snapshot() == memory
    assert again.collect_actions(REST) == [TokenTaken(7, 6, ANY, ANY)]
    reach_in(again, OVER_LID)
    again.table.tokens[5], again.table.tokens[7] = 2, 6
    assert leave(again, OVER_LID) == [LidCovered(ANY), TokenPlaced(5, 2, ANY, ANY), TokenPlaced(7, 6, ANY, ANY)]


@pytest.mark.parametrize("dice", [None, []])
def test_unread_dice_differ_from_no_dice(dice: list[object] | None) -> None:
    watcher = WatcherFilm().watcher
    watcher.restore({**watcher.snapshot(), "dice": dice})
    assert watcher.snapshot()["dice"] == dice


@pytest.mark.parametrize(
    "damage",
    [
        {"windows": 3},
        {"windows": None},
        {"windows": [[0, [1.0], 30.0, True, 4, 0.9]]},
        {"tray": [1.0, 2.0, 3.0]},
        {"dice": [[5, [1.0, 2.0, 3.0, "x"], 0.9]]},
    ],
)
def test_a_damaged_snapshot_is_refused_and_changes_nothing(damage: dict[str, object]) -> None:
    watcher = film_after_throw().watcher
    before = watcher.snapshot()
    with pytest.raises((KeyError, TypeError, ValueError, IndexError)):
        watcher.restore({**before, **damage})
    assert watcher.snapshot() == before


@settings(max_examples=20)
@given(st.integers(0, 2**32 - 1), st.integers(MIN_SIDE_PX, 3 * WIDTH), st.integers(MIN_SIDE_PX, 3 * HEIGHT))
def test_noise_of_any_size_makes_no_event(seed: int, width: int, height: int) -> None:
    assume(max(width, height) <= MAX_ASPECT_RATIO * min(width, height))
    film = WatcherFilm(Table(lid_there=False))
    random = np.random.default_rng(seed)
    for _ in range(4):
        said = film.show_image(random.integers(0, 256, (height, width, 3), dtype=np.uint8))
        assert all(isinstance(event, CameraStateChanged) for event in said)
