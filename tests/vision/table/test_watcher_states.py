"""No throws: a tilted die, a hand, and light that changes as in a room."""

from __future__ import annotations

from collections.abc import Callable
from math import sin

import pytest

from companion.events import CameraState, CameraStateChanged, DiceRead, VisionEvent
from companion.vision.reading import MIN_PLAY_CONFIDENCE
from tests.vision.watching import (
    FPS,
    OVER_TRAY,
    REST,
    THROW,
    Table,
    WatcherFilm,
    film_after_throw,
    leave,
    make_die,
    reach_in,
)

AGAIN = ((1, 560.0, 280.0), (6, 420.0, 180.0))


def states(events: list[VisionEvent]) -> list[CameraState]:
    return [event.state for event in events if isinstance(event, CameraStateChanged)]


def test_a_throw_goes_from_rolling_to_steady_and_a_hand_is_distinguished(film: WatcherFilm) -> None:
    assert states(film.throw(*THROW)) == [CameraState.ROLLING]
    assert states(film.show_table(REST)) == [CameraState.STEADY]
    film.table.hand = (450, 120)
    assert states(film.show_table(3)) == [CameraState.HAND]
    film.table.hand = None
    assert states(film.show_table(REST)) == [CameraState.STEADY]


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


LIGHTS = [lamp, lamp_that_warms_up, sunset, cloud, mains_flicker, a_screen_beside_it]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("light", LIGHTS)
@pytest.mark.parametrize("table", ["dice", "none"])
def test_changing_light_makes_no_event(light: Callable[[int], float], table: str) -> None:
    film = film_after_throw() if table == "dice" else WatcherFilm()
    film.show_table(REST)
    for step in range(12 * FPS):
        film.table.light = light(step)
        assert film.collect_actions(1) == []


@pytest.mark.sampled(2)
@pytest.mark.parametrize("light", [lamp, lamp_that_warms_up, sunset, cloud, mains_flicker])
def test_a_throw_is_reported_while_the_light_changes_slowly_or_after_it_did(
    light: Callable[[int], float], film: WatcherFilm
) -> None:
    for step in range(4 * FPS):
        film.table.light = light(step)
        assert film.collect_actions(1) == []
    film.throw(*THROW)
    reported = []
    for step in range(4 * FPS, 8 * FPS):
        film.table.light = light(step)
        reported += film.collect_actions(1)
    (event,) = reported
    assert isinstance(event, DiceRead)
    assert event.values == (3, 5)


@pytest.mark.parametrize("light", [mains_flicker, sunset, cloud])
def test_a_hand_over_the_dice_makes_no_event_while_the_light_changes(light: Callable[[int], float]) -> None:
    film = film_after_throw()
    for step, hand in enumerate([None] * FPS + [OVER_TRAY] * FPS + [None] * FPS):
        film.table.light, film.table.hand = light(step), hand
        assert film.collect_actions(1) == []


def test_dice_rerolled_below_the_same_hand_are_one_event() -> None:
    film = film_after_throw()
    reach_in(film, OVER_TRAY)
    film.table.dice = []
    assert film.collect_actions(5) == []
    leave(film, OVER_TRAY)
    film.throw(*AGAIN)
    reported = film.collect_actions(REST)
    assert [e.values for e in reported if isinstance(e, DiceRead) and e.values] == [(1, 6)]


def test_a_hand_that_waves_over_the_dice_again_and_again_makes_no_event() -> None:
    film = film_after_throw()
    for _ in range(6):
        reach_in(film, OVER_TRAY)
        assert film.collect_actions(3) == []
        assert leave(film, OVER_TRAY) == []


def test_a_table_at_rest_from_the_start_with_dice_makes_no_event() -> None:
    assert WatcherFilm(Table(dice=list(THROW))).collect_actions(3 * FPS) == []
