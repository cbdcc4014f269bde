"""Tokens taken, placed and shuffled, and a lid that is pushed, covered or taken away."""

from __future__ import annotations

from dataclasses import replace
from typing import NoReturn
from unittest.mock import ANY

import pytest

from companion.events import CameraState, DiceRead, LidCovered, TokenPlaced, TokenTaken
from companion.vision.confidence_limits import MIN_PLAY_CONFIDENCE
from companion.vision.reading import Image, Lid
from tests.vision.watching import (
    FPS,
    OVER_LID,
    REST,
    Table,
    WatcherFilm,
    leave,
    reach_in,
)


def test_a_taken_token_is_reported_with_its_number(film: WatcherFilm) -> None:
    reach_in(film, OVER_LID)
    film.table.tokens[5] = None
    assert film.collect_actions(5) == []
    (event,) = leave(film, OVER_LID)
    assert isinstance(event, TokenTaken)
    assert (event.window, event.number) == (5, 6)
    assert event.confidence >= MIN_PLAY_CONFIDENCE
    assert film.collect_actions(30) == []


def test_a_placed_token_is_reported_and_the_lid_is_covered(film: WatcherFilm) -> None:
    reach_in(film, OVER_LID)
    film.table.tokens[5] = film.table.tokens[0] = None
    assert {type(e) for e in leave(film, OVER_LID)} == {TokenTaken}
    reach_in(film, OVER_LID)
    film.table.tokens[0] = 6
    assert leave(film, OVER_LID) == [TokenPlaced(0, 6, ANY, ANY)]
    reach_in(film, OVER_LID)
    film.table.tokens[5] = 1
    assert leave(film, OVER_LID) == [LidCovered(ANY), TokenPlaced(5, 1, ANY, ANY)]
    reach_in(film, OVER_LID)
    assert leave(film, OVER_LID) == []


def test_several_placed_tokens_are_reported_and_the_lid_is_covered_once(film: WatcherFilm) -> None:
    reach_in(film, OVER_LID)
    film.table.tokens[:] = [1, None, None, 4, None, 6, 5, 6, None, None, 3, 4]
    leave(film, OVER_LID)
    reach_in(film, OVER_LID)
    film.table.tokens[:] = [6, 5, 4, 3, 2, 1, 1, 2, 3, 4, 5, 6]
    placed = [TokenPlaced(*each, ANY, ANY) for each in ((1, 5), (2, 4), (4, 2), (8, 3), (9, 4))]
    assert leave(film, OVER_LID) == [LidCovered(ANY), *placed]
    film.table.tokens[0] = None
    assert film.collect_actions(REST) == [TokenTaken(0, 6, ANY, ANY)]


def test_a_lid_pushed_away_makes_no_token_event(film: WatcherFilm) -> None:
    reach_in(film, OVER_LID)
    film.table.lid_at = (70, 100)
    assert leave(film, OVER_LID) == []
    assert film.watcher.reading is not None
    assert film.watcher.reading.lid is not None
    assert film.watcher.reading.lid.corners[0] == (70, 100)
    assert film.watcher.state is CameraState.STEADY


def test_tokens_shuffled_below_a_hand_have_their_new_numbers(film: WatcherFilm) -> None:
    reach_in(film, OVER_LID)
    film.table.tokens[:] = [6, 5, 4, 3, 2, 1, 1, 2, 3, 4, 5, 6]
    film.table.token_confidence = 0.7
    assert leave(film, OVER_LID) == []
    reach_in(film, OVER_LID)
    film.table.tokens[0] = None
    assert leave(film, OVER_LID) == [TokenTaken(0, 6, 0.7, ANY)]


def test_an_unread_number_is_reported_as_none(film: WatcherFilm) -> None:
    reach_in(film, OVER_LID)
    film.table.tokens[2] = None
    leave(film, OVER_LID)
    reach_in(film, OVER_LID)
    film.table.tokens[2] = 3
    film.table.token_confidence = 0.5
    ready, put = leave(film, OVER_LID)
    assert isinstance(put, TokenPlaced)
    assert put.confidence < MIN_PLAY_CONFIDENCE
    assert ready == LidCovered(ANY)


def test_windows_below_a_resting_hand_stay_as_they_were(film: WatcherFilm) -> None:
    reach_in(film, OVER_LID)
    film.lid.fooled = True
    assert film.collect_actions(20 * FPS) == []
    film.lid.fooled = False
    assert len(film.watcher.snapshot()["windows"]) == 12
    assert leave(film, OVER_LID) == []
    assert film.collect_actions(90) == []


def test_a_hand_resting_on_the_lid_causes_no_repeated_reading(film: WatcherFilm) -> None:
    reach_in(film, OVER_LID)
    film.show_table(5)
    asked = film.lid.asked
    film.show_table(25)
    assert film.lid.asked == asked


def test_a_table_without_a_lid_is_searched_less_and_less_often() -> None:
    film = WatcherFilm(Table(lid_there=False))
    for step in range(40):  # something moves every half second
        film.table.aside = (500, 200 + 10 * (step % 2))
        film.show_table(8)
    assert film.lid.asked <= 14


def test_no_layout_is_encoded_only_to_learn_whether_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    film = WatcherFilm(Table(lid_there=False))

    def fail() -> NoReturn:
        raise AssertionError("encoded")

    monkeypatch.setattr(film.lid, "export_layout", fail)
    film.show_table(3 * FPS)
    assert film.lid.asked > 1


def test_a_lid_taken_away_is_no_longer_shown(film: WatcherFilm) -> None:
    reach_in(film, OVER_LID)
    film.table.lid_there = False
    assert leave(film, OVER_LID) == []
    film.show_table(17 * FPS)  # what changed is as large as a hand: it takes a while until it is none
    assert film.watcher.reading is not None
    assert film.watcher.reading.lid is None
    reach_in(film, OVER_LID)
    film.table.lid_there = True
    assert leave(film, OVER_LID) == []
    assert film.watcher.reading.lid is not None


@pytest.mark.sampled(1)
@pytest.mark.parametrize("to", [(70, 100), (50, 158), (200, 150)])
def test_a_token_lost_while_the_lid_is_moved_is_reported_soon_after_the_hand_left(
    film: WatcherFilm, to: tuple[int, int]
) -> None:
    reach_in(film, OVER_LID)
    for step in range(1, 5):
        film.table.lid_at = (50 + (to[0] - 50) * step // 4, 60 + (to[1] - 60) * step // 4)
        assert film.collect_actions(1) == []
    film.table.tokens[5] = None
    assert film.collect_actions(3) == []
    film.hand((OVER_LID[0], 230), (OVER_LID[0], 330), None)
    assert film.collect_actions(2 * FPS) == [TokenTaken(5, 6, ANY, ANY)]
    assert film.watcher.state is CameraState.STEADY


def test_a_lid_misread_in_another_size_makes_no_event(film: WatcherFilm, monkeypatch: pytest.MonkeyPatch) -> None:
    """As below a hand that has brought it here."""
    read = film.lid.read

    def misread(image: Image) -> Lid | None:
        lid = read(image)
        if lid is None:
            return None
        (x, y), *_ = lid.corners
        return replace(lid, corners=((x, y), (x + 300, y), (x + 300, y + 200), (x, y + 200)))

    reach_in(film, OVER_LID)
    for step in range(1, 5):
        film.table.lid_at = (50, 60 + 98 * step // 4)
        assert film.collect_actions(1) == []
    film.table.tokens[5] = None
    monkeypatch.setattr(film.lid, "read", misread)
    assert film.collect_actions(3) == []
    film.hand((OVER_LID[0], 230), (OVER_LID[0], 330), None)
    assert film.collect_actions(2 * FPS) == []


def test_a_token_taken_before_a_throw_is_reported_before_it(thrown_film: WatcherFilm) -> None:
    thrown_film.table.tokens[5] = None
    assert thrown_film.collect_actions(1) == []
    thrown_film.table.dice = [(2, 450, 210), (4, 540, 160)]
    assert [type(event) for event in thrown_film.collect_actions(REST)] == [TokenTaken, DiceRead]
