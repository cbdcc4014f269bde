"""No throws: a tilted die, a hand, and light that changes as in a room."""

from __future__ import annotations

from collections.abc import Callable
from math import sin

import pytest

from companion.events import CameraState, CameraStateChanged, DiceRead, VisionEvent
from companion.vision.confidence_limits import MIN_PLAY_CONFIDENCE
from tests.vision.watching import (
    FPS,
    OVER_LID,
    OVER_TRAY,
    REST,
    THROW,
    Table,
    WatcherFilm,
    leave,
    make_die,
    make_throw,
    reach_in,
)

AGAIN = ((1, 560.0, 280.0), (6, 420.0, 180.0))


def states(events: list[VisionEvent]) -> list[CameraState]:
    return [event.state for event in events if isinstance(event, CameraStateChanged)]


def test_without_a_lid_a_hand_that_has_gone_is_no_longer_reported() -> None:
    film = WatcherFilm(Table(lid_there=False))
    film.show_table(20 * FPS)  # by now a lid is searched for every eight seconds only
    film.throw(*THROW)
    film.show_table(REST)
    for _ in range(3):
        reach_in(film, OVER_TRAY)
        assert film.watcher.state is CameraState.HAND
        leave(film, OVER_TRAY)
        assert film.watcher.state is CameraState.STEADY


def test_each_state_is_reported_once_and_a_hand_is_no_throw(film: WatcherFilm) -> None:
    assert states(film.throw(*THROW)) == [CameraState.ROLLING]
    assert states(film.show_table(REST)) == [CameraState.STEADY]
    film.table.hand = OVER_TRAY
    assert film.collect_actions(3) == []
    assert film.watcher.state is CameraState.HAND
    film.table.hand = None
    assert film.collect_actions(REST) == []
    assert film.watcher.state is CameraState.STEADY


def test_a_hand_hides_the_lid_until_it_is_read_again(film: WatcherFilm) -> None:
    film.throw(*THROW)
    film.show_table(REST)
    film.table.hand = OVER_LID
    said = film.show_table(3)
    assert [(e.state, e.lid_hidden) for e in said if isinstance(e, CameraStateChanged)] == [(CameraState.HAND, True)]
    film.table.hand = OVER_TRAY
    said = film.show_table(REST)
    assert (CameraState.HAND, False) in [(e.state, e.lid_hidden) for e in said if isinstance(e, CameraStateChanged)]
    film.table.hand = None
    film.show_table(REST)
    assert film.watcher.state is CameraState.STEADY


def test_a_cup_at_the_edge_of_the_lid_does_not_hide_it_for_ever(film: WatcherFilm) -> None:
    """Else a guess waited until somebody takes it away."""
    film.throw(*THROW)
    film.show_table(REST)
    film.table.hand = 150, 240
    said = film.show_table(16 * FPS)
    assert [e.lid_hidden for e in said if isinstance(e, CameraStateChanged)] == [True, False]


def test_a_tilted_die_makes_no_event_while_it_may_be_straightened(film: WatcherFilm) -> None:
    film.table.dice_confidence, film.table.tilted = 0.6, True
    film.throw(*THROW)
    asked = film.dice.asked
    said = film.show_table(2 * FPS)
    assert states(said) == [CameraState.UNSURE]
    assert not any(isinstance(event, DiceRead) for event in said)
    assert film.dice.asked - asked <= 10  # it is not read over and over
    film.table.dice_confidence, film.table.tilted = 0.97, False
    film.table.dice = [THROW[0], (2, 524.0, 224.0)]
    (event,) = film.collect_actions(REST)
    assert isinstance(event, DiceRead)
    assert event.values == (2, 3)
    assert event.confidence >= MIN_PLAY_CONFIDENCE
    assert film.watcher.state is CameraState.STEADY


def test_a_die_that_stays_tilted_becomes_a_question_once(film: WatcherFilm) -> None:
    film.table.dice_confidence, film.table.tilted = 0.6, True
    film.throw(*THROW)
    (event,) = film.collect_actions(6 * FPS)
    assert isinstance(event, DiceRead)
    assert event.values == (3, 5)
    assert event.confidence < MIN_PLAY_CONFIDENCE
    assert film.watcher.state is CameraState.UNSURE


def test_a_detection_that_seems_tilted_at_times_does_not_delay_certain_dice(film: WatcherFilm) -> None:
    film.throw(*THROW)
    sure = (make_die(3, 440, 140), make_die(5, 520, 220))
    film.dice.script = [(*sure, make_die(6, 560, 290, 0.3, tilted=True))]
    (event,) = film.collect_actions(REST)
    assert isinstance(event, DiceRead)
    assert event.confidence >= MIN_PLAY_CONFIDENCE


def lamp(step: int) -> float:
    return 1.3 if step >= 20 else 1.0


def lamp_that_warms_up(step: int) -> float:
    return 1.0 + min(0.35, max(0, step - 20) * 0.02)


def sunset(step: int) -> float:
    return max(0.4, 1.0 - 0.002 * step)


def cloud(step: int) -> float:
    return 1.0 - 0.2 * max(0.0, sin(step / 15))


def mains_flicker(step: int) -> float:
    return 1.0 + 0.1 * sin(2.1 * step)


def a_screen_beside_it(step: int) -> float:
    return 1.0 + 0.1 * (step // 12 % 2)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("light", [lamp, lamp_that_warms_up, sunset, cloud, mains_flicker, a_screen_beside_it])
def test_only_a_throw_is_an_event_in_changing_light(light: Callable[[int], float], thrown_film: WatcherFilm) -> None:
    reported: list[VisionEvent] = []
    for step in range(12 * FPS):
        thrown_film.table.light = light(step)
        thrown_film.table.hand = OVER_TRAY if 5 * FPS < step < 6 * FPS else None
        if step == 8 * FPS and light is not a_screen_beside_it:
            assert reported == []
            thrown_film.throw(*AGAIN)
        reported += thrown_film.collect_actions(1)
    assert reported == ([] if light is a_screen_beside_it else [make_throw(1, 6)])


def test_dice_rerolled_below_the_same_hand_are_one_event(thrown_film: WatcherFilm) -> None:
    reach_in(thrown_film, OVER_TRAY)
    thrown_film.table.dice = []
    assert thrown_film.collect_actions(5) == []
    leave(thrown_film, OVER_TRAY)
    thrown_film.throw(*AGAIN)
    reported = thrown_film.collect_actions(REST)
    assert [e.values for e in reported if isinstance(e, DiceRead) and e.values] == [(1, 6)]
