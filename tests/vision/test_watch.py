from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from companion.vision.events import (
    DiceEvent,
    LidReadyEvent,
    State,
    StateEvent,
    TokenPutEvent,
    TokenTakenEvent,
)
from companion.vision.load import LEAST_SIDE, MOST_OBLONG
from companion.vision.reading import ACT
from companion.vision.watch import Watcher
from tests.vision.watching import FPS, HEIGHT, SURE, WIDTH, Film, Table, die

THROW = ((3, 440.0, 140.0), (5, 520.0, 220.0))
OVER_TRAY = (450, 120)
OVER_LID = (150, 120)
REST = 12
"""Frames in which everything has been read for good."""


@pytest.fixture
def film() -> Film:
    film = Film()
    assert film.deeds(REST) == []
    return film


def after_throw() -> Film:
    film = Film()
    film.hold(REST)
    film.throw(*THROW)
    film.hold(REST)
    return film


def reach(film: Film, place: tuple[int, int]) -> list[object]:
    """A hand comes, stays a little and goes; deeds done below it are up to the caller before `leave`."""
    return film.hand((place[0], 330), (place[0], 230), place, place)


def leave(film: Film, place: tuple[int, int]) -> list[object]:
    said = film.hand((place[0], 230), (place[0], 330), None)
    return [e for e in said + film.hold(REST) if not isinstance(e, StateEvent)]


def test_a_start_tells_its_state_and_nothing_else() -> None:
    film = Film(Table(dice=list(THROW)))
    assert [e.state for e in film.hold(REST) if isinstance(e, StateEvent)] == [State.STEADY]
    assert film.watcher.reading is not None
    assert sorted(d.value for d in film.watcher.reading.dice) == [3, 5]
    assert film.watcher.reading.lid is not None


def test_a_throw_is_one_event_within_400_ms_of_rest(film: Film) -> None:
    assert [e for e in film.throw(*THROW) if not isinstance(e, StateEvent)] == []
    rest = film.now
    (event,) = film.deeds(REST)
    assert isinstance(event, DiceEvent)
    assert event.values == (3, 5)
    assert event.confidence >= ACT
    assert event.at - rest <= 0.4
    assert film.deeds(30) == []


def test_rolling_is_a_state(film: Film) -> None:
    assert StateEvent(State.ROLLING, film.now) in film.throw(*THROW)
    assert [e.state for e in film.hold(REST) if isinstance(e, StateEvent)] == [State.STEADY]


def test_the_same_values_elsewhere_are_a_new_throw() -> None:
    film = after_throw()
    film.throw((3, 560.0, 280.0), (5, 420.0, 180.0))
    (event,) = film.deeds(REST)
    assert isinstance(event, DiceEvent)
    assert event.values == (3, 5)


def test_a_hand_over_the_dice_makes_no_event() -> None:
    film = after_throw()
    said = reach(film, OVER_TRAY)
    assert StateEvent in map(type, said)
    assert film.watcher.state is State.HAND
    assert film.deeds(20) == []
    assert leave(film, OVER_TRAY) == []
    assert film.watcher.state is State.STEADY


def test_a_hand_that_stays_long_over_the_dice_makes_no_event() -> None:
    film = after_throw()
    reach(film, OVER_TRAY)
    assert film.deeds(20 * FPS) == []
    assert leave(film, OVER_TRAY) == []
    film.throw((1, 560.0, 280.0), (2, 420.0, 180.0))
    assert len(film.deeds(REST)) == 1


def test_a_cup_put_down_becomes_part_of_the_table() -> None:
    film = after_throw()
    film.hand((420, 330), (420, 300), (420, 290))  # over a corner of the tray
    film.hold(17 * FPS)
    film.throw((1, 560.0, 200.0), (2, 500.0, 120.0))
    (event,) = film.deeds(REST)
    assert isinstance(event, DiceEvent)
    assert event.values == (1, 2)


def test_dice_read_well_stay_so_when_a_shadow_makes_them_unsure() -> None:
    film = after_throw()
    film.table.dice_confidence = 0.5
    film.table.light = 0.7
    assert film.deeds(REST) == []
    assert film.watcher.state is State.STEADY
    assert film.watcher.reading is not None
    assert min(d.confidence for d in film.watcher.reading.dice) >= ACT


def test_dice_thrown_below_a_hand_are_told_when_it_is_gone(film: Film) -> None:
    reach(film, OVER_TRAY)
    film.throw(*THROW)
    assert film.deeds(20) == []
    (event,) = leave(film, OVER_TRAY)
    assert isinstance(event, DiceEvent)
    assert event.values == (3, 5)


@pytest.mark.parametrize("shift", [(5.0, 0.0), (9.0, 4.0)])
def test_a_bump_makes_no_event(shift: tuple[float, float]) -> None:
    film = after_throw()
    film.table.dice = [(v, x + shift[0], y + shift[1]) for v, x, y in THROW]
    assert film.deeds(REST) == []
    assert film.watcher.state is State.STEADY


def test_a_tray_pushed_with_its_dice_makes_no_event() -> None:
    film = after_throw()
    film.table.dice = [(v, x + 30, y + 25) for v, x, y in THROW]
    assert film.deeds(REST) == []


def test_one_die_pushed_makes_no_event_and_one_thrown_again_does() -> None:
    film = after_throw()
    film.table.dice = [THROW[0], (5, 540.0, 260.0)]
    assert film.deeds(REST) == []
    film.table.dice = [THROW[0], (2, 500.0, 180.0)]
    (event,) = film.deeds(REST)
    assert isinstance(event, DiceEvent)
    assert event.values == (2, 3)


def test_an_emptied_tray_is_told_once_though_the_dice_go_one_by_one() -> None:
    film = after_throw()
    reach(film, OVER_TRAY)
    film.table.dice = [THROW[1]]
    assert leave(film, OVER_TRAY) == []
    reach(film, (520, 200))
    film.table.dice = []
    (event,) = leave(film, (520, 200))
    assert isinstance(event, DiceEvent)
    assert (event.values, event.confidence) == ((), 1.0)
    reach(film, OVER_TRAY)
    assert leave(film, OVER_TRAY) == []


def test_unsure_dice_are_told_once_as_such(film: Film) -> None:
    film.table.dice_confidence = 0.6
    film.throw(*THROW)
    film.dice.script = [(die(3, 440, 140, 0.6), die(5, 520, 220, 0.55, alternative=6))] * 4
    said = film.hold(REST)
    (event,) = [e for e in said if isinstance(e, DiceEvent)]
    assert event.values == (3, 5)
    assert event.confidence < ACT
    assert event.alternatives == ((3, 6),)
    assert film.watcher.state is State.UNSURE
    assert film.deeds(30) == []


def test_what_never_was_a_die_is_not_heeded_after_the_start() -> None:
    film = Film()
    knob = die(2, 330, 40, 0.4)
    film.dice.script = [(knob,)] * 4
    assert film.deeds(REST) == []
    film.throw(*THROW)
    film.dice.script = [(knob, die(3, 440, 140), die(5, 520, 220))] * 2
    (event,) = film.deeds(REST)
    assert isinstance(event, DiceEvent)
    assert (event.values, event.confidence) == ((3, 5), 0.97)


def test_a_token_laid_beside_the_dice_is_not_taken_for_one() -> None:
    film = after_throw()
    reach(film, OVER_TRAY)
    film.table.aside = (480, 290)
    film.dice.script = [(die(3, 440, 140), die(5, 520, 220), die(1, 480, 290, 0.7))] * 8
    assert leave(film, OVER_TRAY) == []
    assert film.watcher.state is State.STEADY


def test_what_only_resembles_a_die_asks_no_question_before_any_die_was_seen(film: Film) -> None:
    film.table.aside = (480, 290)
    film.dice.script = [(die(1, 480, 290, 0.7),)] * 8
    assert film.deeds(REST) == []


def test_readings_that_disagree_are_unsure_however_sure_each_is(film: Film) -> None:
    film.throw(*THROW)
    one, other = (die(3, 440, 140), die(5, 520, 220)), (die(3, 440, 140), die(6, 520, 220))
    film.dice.script = [one, other, one, other]
    (event,) = film.deeds(REST)
    assert isinstance(event, DiceEvent)
    assert event.confidence < ACT
    assert {event.values, *event.alternatives} == {(3, 5), (3, 6)}


def test_what_flickers_beside_sure_dice_is_no_die(film: Film) -> None:
    film.throw(*THROW)
    sure = (die(3, 440, 140), die(5, 520, 220))
    film.dice.script = [sure, (*sure, die(6, 560, 290, 0.3))]
    (event,) = film.deeds(REST)
    assert isinstance(event, DiceEvent)
    assert (event.values, event.confidence) == ((3, 5), SURE)


def test_a_reading_that_becomes_sure_in_time_is_sure(film: Film) -> None:
    film.throw(*THROW)
    film.dice.script = [(die(3, 440, 140, 0.5), die(4, 520, 220, 0.5))]
    (event,) = film.deeds(REST)
    assert isinstance(event, DiceEvent)
    assert event.values == (3, 5)
    assert event.confidence >= ACT


def test_a_token_taken_is_told_with_the_number_it_had(film: Film) -> None:
    reach(film, OVER_LID)
    film.table.tokens[5] = None
    assert film.deeds(5) == []
    (event,) = leave(film, OVER_LID)
    assert isinstance(event, TokenTakenEvent)
    assert (event.window, event.number) == (5, 6)
    assert event.confidence >= ACT
    assert film.deeds(30) == []


def test_a_token_put_back_is_told_and_the_lid_is_ready(film: Film) -> None:
    reach(film, OVER_LID)
    film.table.tokens[5] = film.table.tokens[0] = None
    assert {type(e) for e in leave(film, OVER_LID)} == {TokenTakenEvent}
    reach(film, OVER_LID)
    film.table.tokens[0] = 6
    (put,) = leave(film, OVER_LID)
    assert isinstance(put, TokenPutEvent)
    assert (put.window, put.number) == (0, 6)
    reach(film, OVER_LID)
    film.table.tokens[5] = 1
    put, ready = leave(film, OVER_LID)
    assert isinstance(put, TokenPutEvent)
    assert isinstance(ready, LidReadyEvent)
    reach(film, OVER_LID)
    assert leave(film, OVER_LID) == []


def test_covering_all_in_bulk_tells_each_token_then_ready_once(film: Film) -> None:
    reach(film, OVER_LID)
    film.table.tokens[:] = [1, None, None, 4, None, 6, 5, 6, None, None, 3, 4]
    leave(film, OVER_LID)
    reach(film, OVER_LID)
    film.table.tokens[:] = [6, 5, 4, 3, 2, 1, 1, 2, 3, 4, 5, 6]
    *puts, ready = leave(film, OVER_LID)
    assert [(e.window, e.number) for e in puts if isinstance(e, TokenPutEvent)] == [
        (1, 5),
        (2, 4),
        (4, 2),
        (8, 3),
        (9, 4),
    ]
    assert isinstance(ready, LidReadyEvent)
    film.table.tokens[0] = None
    (taken,) = film.deeds(REST)
    assert isinstance(taken, TokenTakenEvent)
    assert taken.number == 6


def test_a_lid_pushed_away_makes_no_token_event(film: Film) -> None:
    reach(film, OVER_LID)
    film.table.lid_at = (70, 100)
    assert leave(film, OVER_LID) == []
    assert film.watcher.reading is not None
    assert film.watcher.reading.lid is not None
    assert film.watcher.reading.lid.corners[0] == (70, 100)
    assert film.watcher.state is State.STEADY


def test_a_lid_misread_below_a_hand_makes_no_token_event(film: Film) -> None:
    reach(film, OVER_LID)
    film.lid.misread = True
    assert film.deeds(30) == []
    film.lid.misread = False
    assert leave(film, OVER_LID) == []


def test_a_lid_whose_windows_traded_names_makes_no_token_event(film: Film) -> None:
    reach(film, OVER_LID)
    film.table.tokens[0] = None
    leave(film, OVER_LID)
    reach(film, OVER_LID)
    film.table.tokens.reverse()
    assert leave(film, OVER_LID) == []


def test_tokens_shuffled_below_a_hand_have_their_new_numbers(film: Film) -> None:
    reach(film, OVER_LID)
    film.table.tokens[:] = [6, 5, 4, 3, 2, 1, 1, 2, 3, 4, 5, 6]
    film.table.token_confidence = 0.7
    assert leave(film, OVER_LID) == []
    reach(film, OVER_LID)
    film.table.tokens[0] = None
    (taken,) = leave(film, OVER_LID)
    assert isinstance(taken, TokenTakenEvent)
    assert (taken.number, taken.confidence) == (6, 0.7)


def test_an_unread_number_is_told_as_none(film: Film) -> None:
    reach(film, OVER_LID)
    film.table.tokens[2] = None
    leave(film, OVER_LID)
    reach(film, OVER_LID)
    film.table.tokens[2] = 3
    film.table.token_confidence = 0.5
    put, ready = leave(film, OVER_LID)
    assert isinstance(put, TokenPutEvent)
    assert put.confidence < ACT
    assert isinstance(ready, LidReadyEvent)


def test_windows_below_a_resting_hand_stay_as_they_were(film: Film) -> None:
    reach(film, OVER_LID)
    film.lid.fooled = True
    assert film.deeds(20 * FPS) == []
    film.lid.fooled = False
    assert len(film.watcher.memory()["windows"]) == 12
    assert leave(film, OVER_LID) == []
    assert film.deeds(90) == []


def test_a_hand_at_the_edge_holds_no_throw_up() -> None:
    film = after_throw()
    film.hand((330, 350), (330, 340))
    film.throw((1, 450.0, 230.0), (6, 480.0, 180.0))
    film.table.hand = (330, 335)
    (event,) = film.deeds(REST)
    assert isinstance(event, DiceEvent)
    assert event.values == (1, 6)


def test_a_lamp_switched_on_makes_no_event() -> None:
    film = after_throw()
    film.table.light = 1.35
    assert film.deeds(REST) == []
    assert film.watcher.state is State.STEADY
    film.table.light = 0.7
    assert film.deeds(REST) == []


def test_daylight_that_changes_slowly_asks_the_readers_nothing() -> None:
    film = after_throw()
    asked = film.dice.asked, film.lid.asked
    for _ in range(300):
        film.table.light *= 0.999
        assert film.hold(1) == []
    assert (film.dice.asked, film.lid.asked) == asked


def test_a_hand_that_rests_on_the_lid_does_not_have_it_read_over_and_over(film: Film) -> None:
    reach(film, OVER_LID)
    film.hold(5)
    asked = film.lid.asked
    film.hold(25)
    assert film.lid.asked == asked


def test_a_table_without_a_lid_is_searched_for_one_ever_more_rarely() -> None:
    film = Film(Table(lid_there=False))
    for step in range(40):  # something moves every half second
        film.table.aside = (500, 200 + 10 * (step % 2))
        film.hold(8)
    assert film.lid.asked <= 14


def test_a_lid_taken_away_is_no_longer_shown(film: Film) -> None:
    reach(film, OVER_LID)
    film.table.lid_there = False
    assert leave(film, OVER_LID) == []
    film.hold(17 * FPS)  # what changed is as large as a hand: it takes a while until it is none
    assert film.watcher.reading is not None
    assert film.watcher.reading.lid is None
    reach(film, OVER_LID)
    film.table.lid_there = True
    assert leave(film, OVER_LID) == []
    assert film.watcher.reading.lid is not None


def test_nothing_moving_asks_the_readers_nothing(film: Film) -> None:
    asked = film.dice.asked, film.lid.asked
    film.hold(60)
    assert (film.dice.asked, film.lid.asked) == asked


def test_a_throw_does_not_ask_for_the_lid(film: Film) -> None:
    asked = film.lid.asked
    film.throw(*THROW)
    film.hold(REST)
    assert film.lid.asked == asked


def test_darkness_is_blind_and_light_is_steady_again() -> None:
    film = after_throw()
    film.table.light = 0.0
    assert [type(e) for e in film.hold(REST)] == [StateEvent]
    assert film.watcher.state is State.BLIND
    film.table.light = 1.0
    assert film.deeds(REST) == []
    assert film.watcher.state is State.STEADY


def test_a_frozen_picture_is_blind(film: Film) -> None:
    image = film.table.draw()
    said = [e for _ in range(12 * FPS) for e in film.show(image)]
    assert [e.state for e in said if isinstance(e, StateEvent)] == [State.BLIND]
    film.hold(REST)
    assert film.watcher.state is State.STEADY


def test_frames_of_another_size_are_looked_at_anew() -> None:
    film = after_throw()
    big = np.repeat(np.repeat(film.table.draw(), 2, 0), 2, 1)
    assert [type(e) for e in film.show(big)] == [StateEvent]
    assert film.watcher.state is State.LOOKING
    assert [e for _ in range(REST) for e in film.show(big) if not isinstance(e, StateEvent)] == []


def test_without_lid_and_dice_it_is_looking() -> None:
    film = Film(Table(lid_there=False))
    assert film.hold(REST) == []
    assert film.watcher.state is State.LOOKING


def test_a_restart_in_mid_round_tells_no_old_event_anew() -> None:
    film = after_throw()
    reach(film, OVER_LID)
    film.table.tokens[5] = None
    leave(film, OVER_LID)
    memory = json.loads(json.dumps(film.watcher.memory()))
    again = Film(film.table)
    again.watcher.restore(memory)
    assert again.deeds(REST) == []
    reach(again, OVER_LID)
    again.table.tokens[5] = 2
    put, ready = leave(again, OVER_LID)
    assert isinstance(put, TokenPutEvent)
    assert isinstance(ready, LidReadyEvent)


def test_what_changed_while_it_was_off_is_told() -> None:
    film = after_throw()
    memory = film.watcher.memory()
    film.table.tokens[7] = None
    again = Film(film.table)
    again.watcher.restore(memory)
    (event,) = again.deeds(REST)
    assert isinstance(event, TokenTakenEvent)
    assert (event.window, event.number) == (7, 6)


def test_a_memory_of_something_else_is_refused() -> None:
    with pytest.raises((KeyError, TypeError, ValueError)):
        Film().watcher.restore({"windows": 3})


def test_the_lid_picture_is_renewed_only_when_the_lid_was_read_anew() -> None:
    film = Film()
    film.watcher = Watcher(film.dice, film.lid, upright=lambda image, lid: image.copy())
    film.hold(REST)
    picture = film.watcher.lid_picture
    assert picture is not None
    film.throw(*THROW)
    film.hold(REST)
    assert film.watcher.lid_picture is picture
    reach(film, OVER_LID)
    film.table.tokens[5] = None
    leave(film, OVER_LID)
    assert film.watcher.lid_picture is not picture


places = st.tuples(st.integers(1, 6), st.floats(400, 580), st.floats(100, 300))


@settings(max_examples=25)
@given(st.lists(st.tuples(places, places), min_size=1, max_size=4))
def test_every_throw_that_moves_all_dice_is_one_event(
    throws: list[tuple[tuple[int, float, float], tuple[int, float, float]]],
) -> None:
    film = Film()
    film.hold(REST)
    before: list[tuple[int, float, float]] = []
    for throw in throws:
        apart = np.hypot(throw[0][1] - throw[1][1], throw[0][2] - throw[1][2])
        moved = all(np.hypot(a[1] - b[1], a[2] - b[2]) > 30 for a in throw for b in before)
        ways = {(round(a[1] - b[1]), round(a[2] - b[2])) for a, b in zip(throw, before, strict=False)}
        if apart < 40 or not moved or (before and len(ways) == 1):
            continue
        film.throw(*throw)
        (event,) = film.deeds(REST)
        assert isinstance(event, DiceEvent)
        assert event.values == tuple(sorted(value for value, _, _ in throw))
        before = list(throw)


@settings(max_examples=20)
@given(st.integers(0, 2**32 - 1), st.integers(LEAST_SIDE, 3 * WIDTH), st.integers(LEAST_SIDE, 3 * HEIGHT))
def test_frames_of_noise_and_any_size_make_no_deed(seed: int, width: int, height: int) -> None:
    assume(max(width, height) <= MOST_OBLONG * min(width, height))
    film = Film(Table(lid_there=False))
    random = np.random.default_rng(seed)
    for _ in range(4):
        said = film.show(random.integers(0, 256, (height, width, 3), dtype=np.uint8))
        assert all(isinstance(event, StateEvent) for event in said)
