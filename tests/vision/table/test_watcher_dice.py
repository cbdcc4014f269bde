from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.events import CameraState, CameraStateChanged, DiceRead
from companion.vision.reading import MIN_PLAY_CONFIDENCE
from tests.vision.watching import (
    FPS,
    OVER_TRAY,
    REST,
    SURE,
    THROW,
    Table,
    WatcherFilm,
    film_after_throw,
    leave,
    make_die,
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


def test_the_same_values_elsewhere_are_a_new_throw() -> None:
    film = film_after_throw()
    film.throw((3, 560.0, 280.0), (5, 420.0, 180.0))
    (event,) = film.collect_actions(REST)
    assert isinstance(event, DiceRead)
    assert event.values == (3, 5)


def test_a_hand_over_the_dice_makes_no_event() -> None:
    film = film_after_throw()
    said = reach_in(film, OVER_TRAY)
    assert CameraStateChanged in map(type, said)
    assert film.watcher.state is CameraState.HAND
    assert film.collect_actions(20) == []
    assert leave(film, OVER_TRAY) == []
    assert film.watcher.state is CameraState.STEADY


def test_a_hand_that_stays_long_over_the_dice_makes_no_event() -> None:
    film = film_after_throw()
    reach_in(film, OVER_TRAY)
    assert film.collect_actions(20 * FPS) == []
    assert leave(film, OVER_TRAY) == []
    film.throw((1, 560.0, 280.0), (2, 420.0, 180.0))
    assert len(film.collect_actions(REST)) == 1


def test_a_cup_put_down_becomes_part_of_the_table() -> None:
    film = film_after_throw()
    film.hand((420, 330), (420, 300), (420, 290))  # over a corner of the tray
    film.show_table(17 * FPS)
    film.throw((1, 560.0, 200.0), (2, 500.0, 120.0))
    (event,) = film.collect_actions(REST)
    assert isinstance(event, DiceRead)
    assert event.values == (1, 2)


def test_certain_dice_stay_certain_in_a_shadow() -> None:
    film = film_after_throw()
    film.table.dice_confidence = 0.5
    film.table.light = 0.7
    assert film.collect_actions(REST) == []
    assert film.watcher.state is CameraState.STEADY
    assert film.watcher.reading is not None
    assert min(d.confidence for d in film.watcher.reading.dice) >= MIN_PLAY_CONFIDENCE


def test_dice_thrown_below_a_hand_are_reported_when_it_is_gone(film: WatcherFilm) -> None:
    reach_in(film, OVER_TRAY)
    film.throw(*THROW)
    assert film.collect_actions(20) == []
    (event,) = leave(film, OVER_TRAY)
    assert isinstance(event, DiceRead)
    assert event.values == (3, 5)


@pytest.mark.parametrize("shift", [(5.0, 0.0), (9.0, 4.0)])
def test_a_bump_makes_no_event(shift: tuple[float, float]) -> None:
    film = film_after_throw()
    film.table.dice = [(v, x + shift[0], y + shift[1]) for v, x, y in THROW]
    assert film.collect_actions(REST) == []
    assert film.watcher.state is CameraState.STEADY


def test_a_tray_pushed_with_its_dice_makes_no_event() -> None:
    film = film_after_throw()
    film.table.dice = [(v, x + 30, y + 25) for v, x, y in THROW]
    assert film.collect_actions(REST) == []


def test_one_die_pushed_makes_no_event_and_one_thrown_again_does() -> None:
    film = film_after_throw()
    film.table.dice = [THROW[0], (5, 540.0, 260.0)]
    assert film.collect_actions(REST) == []
    film.table.dice = [THROW[0], (2, 500.0, 180.0)]
    (event,) = film.collect_actions(REST)
    assert isinstance(event, DiceRead)
    assert event.values == (2, 3)


def test_an_emptied_tray_is_reported_once() -> None:
    film = film_after_throw()
    reach_in(film, OVER_TRAY)
    film.table.dice = [THROW[1]]
    assert leave(film, OVER_TRAY) == []
    reach_in(film, (520, 200))
    film.table.dice = []
    (event,) = leave(film, (520, 200))
    assert isinstance(event, DiceRead)
    assert (event.values, event.confidence) == ((), 1.0)
    reach_in(film, OVER_TRAY)
    assert leave(film, OVER_TRAY) == []


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


def test_clutter_seen_at_the_start_is_ignored() -> None:
    film = WatcherFilm()
    knob = make_die(2, 330, 40, 0.4)
    film.dice.script = [(knob,)] * 4
    assert film.collect_actions(REST) == []
    film.throw(*THROW)
    film.dice.script = [(knob, make_die(3, 440, 140), make_die(5, 520, 220))] * 2
    (event,) = film.collect_actions(REST)
    assert isinstance(event, DiceRead)
    assert (event.values, event.confidence) == ((3, 5), 0.97)


def test_a_token_beside_the_dice_is_no_die() -> None:
    film = film_after_throw()
    reach_in(film, OVER_TRAY)
    film.table.aside = (480, 290)
    film.dice.script = [(make_die(3, 440, 140), make_die(5, 520, 220), make_die(1, 480, 290, 0.7))] * 8
    assert leave(film, OVER_TRAY) == []
    assert film.watcher.state is CameraState.STEADY


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


def test_a_hand_at_the_edge_does_not_delay_a_throw() -> None:
    film = film_after_throw()
    film.hand((330, 350), (330, 340))
    film.throw((1, 450.0, 230.0), (6, 480.0, 180.0))
    film.table.hand = (330, 335)
    (event,) = film.collect_actions(REST)
    assert isinstance(event, DiceRead)
    assert event.values == (1, 6)


def test_a_throw_does_not_cause_a_reading_of_the_lid(film: WatcherFilm) -> None:
    asked = film.lid.asked
    film.throw(*THROW)
    film.show_table(REST)
    assert film.lid.asked == asked


places = st.tuples(st.integers(1, 6), st.floats(400, 580), st.floats(100, 300))


@settings(max_examples=25)
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
        (event,) = film.collect_actions(REST)
        assert isinstance(event, DiceRead)
        assert event.values == tuple(sorted(value for value, _, _ in throw))
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
