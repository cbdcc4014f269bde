"""Throws, and what is none: hands, shadows, cups, trays that are pushed, readings that disagree."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.events import CameraState, CameraStateChanged, DiceRead
from companion.vision.confidence_limits import MIN_PLAY_CONFIDENCE
from tests.vision.watching import (
    FPS,
    OVER_TRAY,
    REST,
    SURE,
    THROW,
    Table,
    WatcherFilm,
    leave,
    make_die,
    make_throw,
    reach_in,
)


def test_a_throw_is_one_event_within_400_ms_of_rest(film: WatcherFilm) -> None:
    assert [e for e in film.throw(*THROW) if not isinstance(e, CameraStateChanged)] == []
    rest = film.now
    (event,) = film.collect_actions(REST)
    assert isinstance(event, DiceRead)
    assert event.values == (3, 5)
    assert event.confidence >= MIN_PLAY_CONFIDENCE
    assert event.at - rest <= 0.4
    assert film.collect_actions(30) == []


def test_a_hand_that_stays_long_over_the_dice_makes_no_event(thrown_film: WatcherFilm) -> None:
    reach_in(thrown_film, OVER_TRAY)
    assert thrown_film.collect_actions(20 * FPS) == []
    assert leave(thrown_film, OVER_TRAY) == []
    thrown_film.throw((1, 560.0, 280.0), (2, 420.0, 180.0))
    assert len(thrown_film.collect_actions(REST)) == 1


def test_a_cup_put_down_becomes_part_of_the_table(thrown_film: WatcherFilm) -> None:
    thrown_film.hand((420, 330), (420, 300), (420, 290))  # over a corner of the tray
    thrown_film.show_table(17 * FPS)
    thrown_film.throw((1, 560.0, 200.0), (2, 500.0, 120.0))
    assert thrown_film.collect_actions(REST) == [make_throw(1, 2)]


def test_certain_dice_stay_certain_in_a_shadow(thrown_film: WatcherFilm) -> None:
    thrown_film.table.dice_confidence = 0.5
    thrown_film.table.light = 0.7
    assert thrown_film.collect_actions(REST) == []
    assert thrown_film.watcher.state is CameraState.STEADY
    assert thrown_film.watcher.reading is not None
    assert min(d.confidence for d in thrown_film.watcher.reading.dice) >= MIN_PLAY_CONFIDENCE


def test_dice_thrown_below_a_hand_are_reported_when_it_is_gone(film: WatcherFilm) -> None:
    reach_in(film, OVER_TRAY)
    film.throw(*THROW)
    assert film.collect_actions(20) == []
    assert leave(film, OVER_TRAY) == [make_throw(3, 5)]


def test_a_tray_pushed_with_its_dice_makes_no_event(thrown_film: WatcherFilm) -> None:
    thrown_film.table.dice = [(v, x + 30, y + 25) for v, x, y in THROW]
    assert thrown_film.collect_actions(REST) == []


def test_uncertain_dice_are_reported_once(film: WatcherFilm) -> None:
    film.table.dice_confidence = 0.6
    film.throw(*THROW)
    film.dice.script = [(make_die(3, 440, 140, 0.6), make_die(5, 520, 220, 0.55, alternative=6))] * 4
    said = film.show_table(REST)
    (event,) = [e for e in said if isinstance(e, DiceRead)]
    assert event.values == (3, 5)
    assert event.confidence < MIN_PLAY_CONFIDENCE
    assert event.alternatives == ((3, 6),)
    assert film.watcher.state is CameraState.UNSURE
    assert film.collect_actions(30) == []


def test_a_token_beside_the_dice_is_no_die(thrown_film: WatcherFilm) -> None:
    reach_in(thrown_film, OVER_TRAY)
    thrown_film.table.aside = (480, 290)
    thrown_film.dice.script = [(make_die(3, 440, 140), make_die(5, 520, 220), make_die(1, 480, 290, 0.7))] * 8
    assert leave(thrown_film, OVER_TRAY) == []
    assert thrown_film.watcher.state is CameraState.STEADY


def test_one_thing_like_a_die_asks_no_question_before_any_die_was_seen(film: WatcherFilm) -> None:
    film.table.aside = (480, 290)
    film.dice.script = [(make_die(1, 480, 290, 0.7),)] * 8
    assert film.collect_actions(REST) == []


def test_readings_that_disagree_are_uncertain_even_if_each_is_certain(film: WatcherFilm) -> None:
    film.throw(*THROW)
    one, other = (make_die(3, 440, 140), make_die(5, 520, 220)), (make_die(3, 440, 140), make_die(6, 520, 220))
    film.dice.script = [one, other, one, other]
    (event,) = film.collect_actions(REST)
    assert isinstance(event, DiceRead)
    assert event.confidence < MIN_PLAY_CONFIDENCE
    assert {event.values, *event.alternatives} == {(3, 5), (3, 6)}


def test_flickering_detections_beside_certain_dice_are_no_dice(film: WatcherFilm) -> None:
    film.throw(*THROW)
    sure = (make_die(3, 440, 140), make_die(5, 520, 220))
    film.dice.script = [sure, (*sure, make_die(6, 560, 290, 0.3))]
    (event,) = film.collect_actions(REST)
    assert isinstance(event, DiceRead)
    assert (event.values, event.confidence) == ((3, 5), SURE)


def test_a_reading_that_becomes_certain_is_played(film: WatcherFilm) -> None:
    film.throw(*THROW)
    film.dice.script = [(make_die(3, 440, 140, 0.5), make_die(4, 520, 220, 0.5))]
    (event,) = film.collect_actions(REST)
    assert isinstance(event, DiceRead)
    assert event.values == (3, 5)
    assert event.confidence >= MIN_PLAY_CONFIDENCE


def test_a_hand_at_the_edge_does_not_delay_a_throw(thrown_film: WatcherFilm) -> None:
    thrown_film.hand((330, 350), (330, 340))
    thrown_film.throw((1, 450.0, 230.0), (6, 480.0, 180.0))
    thrown_film.table.hand = (330, 335)
    assert thrown_film.collect_actions(REST) == [make_throw(1, 6)]


def test_a_throw_does_not_cause_a_reading_of_the_lid(film: WatcherFilm) -> None:
    asked = film.lid.asked
    film.throw(*THROW)
    film.show_table(REST)
    assert film.lid.asked == asked


places = st.tuples(st.integers(1, 6), st.floats(400, 580), st.floats(100, 300))


@settings(max_examples=settings().max_examples // 10)
@given(st.lists(st.tuples(places, places), min_size=1, max_size=4))
def test_every_throw_that_moves_all_dice_is_one_event(
    throws: list[tuple[tuple[int, float, float], tuple[int, float, float]]],
) -> None:
    film = WatcherFilm()
    film.show_table(REST)
    before: list[tuple[int, float, float]] = []
    for throw in throws:
        apart = np.hypot(throw[0][1] - throw[1][1], throw[0][2] - throw[1][2])
        moved = all(np.hypot(a[1] - b[1], a[2] - b[2]) > 30 for a in throw for b in before)
        ways = {(round(a[1] - b[1]), round(a[2] - b[2])) for a, b in zip(throw, before, strict=False)}
        if apart < 40 or not moved or (before and len(ways) == 1):
            continue
        film.throw(*throw)
        assert film.collect_actions(REST) == [make_throw(*tuple(sorted(value for value, _, _ in throw)))]
        before = list(throw)


@pytest.mark.parametrize("tray_edge", [600, 639])
@pytest.mark.parametrize("light", [0.8, 0.9, 1.15])
def test_throws_are_read_while_the_light_on_a_tray_changes_with_them(light: float, tray_edge: int) -> None:
    """A tray whose light had changed counted as a hand for a second and more, and brisk throws were missed."""
    film = WatcherFilm(Table(tray_edge=tray_edge))
    film.show_table(REST)
    for number in range(6):
        film.table.tray_light = light if number % 2 == 0 else 1.0
        x = 440.0 + 40 * (number % 2)
        film.throw((1 + number, x, 140.0), (5, x + 80, 220.0))
        (event,) = film.collect_actions(8)
        assert isinstance(event, DiceRead)
        assert event.values == tuple(sorted((1 + number, 5)))
