"""Timing of presses: OK held, pause, confirmation, ties, buttons that are stuck or pressed too fast; stopped clocks."""

from collections.abc import Callable
from typing import Any

import pytest

from companion.api import Move, Seat
from companion.events import (
    Button,
    ButtonPressed,
    ButtonReleased,
    DeviceLost,
    DeviceRestored,
    LampState,
    PressTie,
)
from companion.lazy_message import LazyMessage
from companion.referee.game_stage import HOLD_NOTICE
from companion.referee.held_buttons import HOLD_SECONDS
from companion.testing.table import TableUnderTest
from hardware.power import POWER_NAME
from tests.referee.questions import read_title
from tests.referee.race import KIT

S1, S2, S3 = Button.SEAT1, Button.SEAT2, Button.SEAT3


@pytest.fixture
def race(table: Callable[..., TableUnderTest]) -> TableUnderTest:
    return table(3, definition=KIT)


def words(race: TableUnderTest) -> dict[Button, str]:
    return {key.button: key.label for key in race.state.soft_keys if key.label and not key.is_hold}


def test_ok_held_ends_the_game_for_all(race: TableUnderTest) -> None:
    assert race.referee.map_lamps()[Button.OK] is LampState.ON
    assert words(race)[Button.OK] == "Hold: stop"
    race.send(ButtonPressed(Button.OK, race.clock.now))
    race.wait(HOLD_SECONDS - 0.1)
    assert not race.game.ended
    race.wait(0.1)
    assert race.game.ended == "end"
    race.send(ButtonReleased(Button.OK, race.clock.now))
    assert race.referee.exit is None, "its release does not begin another game"


def test_a_short_ok_costs_nobody_anything_and_says_what_to_do(race: TableUnderTest) -> None:
    """A legal move stays a legal move: no press is taken for consent."""
    race.press(Button.OK)
    assert (race.state.question, race.state.notice) == (None, HOLD_NOTICE)
    race.wait(1.0)
    race.press(S1, S2, S3)
    assert (race.game.pressed, race.game.ended) == ((1, 1, 1), "")
    assert race.state.notice is None


def test_seat_buttons_count_while_ok_is_held(race: TableUnderTest) -> None:
    race.send(ButtonPressed(Button.OK, race.clock.now))
    race.wait(0.5)
    race.press(S2)
    race.wait(0.5)
    assert (race.game.pressed, race.game.ended) == ((0, 1, 0), "end")


def test_a_hold_counts_by_its_stamps_if_the_loop_was_late(race: TableUnderTest) -> None:
    now = race.clock.now
    race.send(ButtonPressed(Button.OK, now), ButtonReleased(Button.OK, now + HOLD_SECONDS))
    assert race.game.ended == "end"
    race.clock.now += 2 * HOLD_SECONDS
    now = race.clock.now
    race.send(ButtonPressed(Button.NO, now), ButtonReleased(Button.NO, now + HOLD_SECONDS))
    assert not race.game.ended


def test_ok_that_was_pressed_for_something_else_is_not_held_for_the_end(race: TableUnderTest) -> None:
    race.press(Button.MINUS)
    race.send(ButtonPressed(Button.OK, race.clock.now))
    assert race.state.question is None, "it goes on"
    race.wait(2.0)
    assert not race.game.ended


def test_the_end_is_undone(race: TableUnderTest) -> None:
    race.hold(Button.OK)
    race.hold(Button.NO)
    assert not race.game.ended


def test_time_runs_out_while_ok_is_held(race: TableUnderTest) -> None:
    race.wait(59.5)
    race.send(ButtonPressed(Button.OK, race.clock.now))
    race.wait(0.6)
    race.wait(0.6)
    assert race.game.ended == "time up"
    assert race.referee.exit is None


@pytest.mark.parametrize(("answer", "ended"), [(Button.OK, "scrap"), (Button.NO, "")])
def test_a_move_that_is_hard_to_undo_is_confirmed(race: TableUnderTest, answer: Button, ended: str) -> None:
    race.press(Button.PLUS)
    assert read_title(race) == "Scrap it all?"
    race.press(answer)
    assert race.game.ended == ended


def left(race: TableUnderTest) -> float:
    (clock,) = race.referee.clocks.list_running()
    return clock.seconds_left


def test_one_press_pauses_and_one_continues(race: TableUnderTest) -> None:
    race.wait(10)
    assert words(race)[Button.MINUS] == "Pause"
    race.press(Button.MINUS)
    race.wait(1000)
    race.press(S1)
    assert race.game.pressed == (0, 0, 0)
    assert 49 < left(race) <= 50
    race.press(Button.OK, S1)
    race.wait(5)
    assert race.game.pressed == (1, 0, 0)
    assert 43 < left(race) < 46


def test_a_correction_during_a_pause_keeps_the_pause(race: TableUnderTest) -> None:
    race.press(S1, Button.MINUS, Button.MINUS, S1, Button.PLUS, Button.OK)
    assert race.game.pressed == (2, 0, 0)
    race.wait(1000)
    assert read_title(race) == "Paused"
    race.hold(Button.NO)
    assert race.game.pressed == (1, 0, 0)
    race.press(Button.OK)
    assert left(race) > 50


def test_a_power_cut_pauses_the_clock_to_the_second(race: TableUnderTest) -> None:
    for _ in range(25):
        race.wait(1)
    race.restart()
    assert race.state.clocks[0].paused
    race.wait(500)
    assert race.game.ended == ""
    race.press(Button.OK)
    assert 33 < left(race) <= 37


def test_undo_restores_a_stopped_clock(race: TableUnderTest) -> None:
    race.wait(20)
    race.press(Button.PLUS, Button.OK)
    assert race.game.ended == "scrap"
    race.wait(100)
    race.hold(Button.NO)
    assert not race.game.ended
    assert 37 < left(race) <= 40


def test_undo_restarts_an_expired_clock(race: TableUnderTest) -> None:
    race.wait(60)
    assert race.game.ended == "time up"
    race.hold(Button.NO)
    race.wait(30)
    assert not race.game.ended


def hammer(race: TableUnderTest, button: Button, times: int, every: float) -> None:
    for _ in range(times):
        race.send(ButtonPressed(button, race.clock.now), ButtonReleased(button, race.clock.now + every / 2))
        race.clock.now += every


def test_a_button_pressed_too_fast_is_muted_and_named(race: TableUnderTest) -> None:
    hammer(race, S2, 60, 0.06)
    assert race.game.pressed == (0, 7, 0)
    assert race.state.notice == "Bob's button is pressed too fast or stuck: release it"
    race.press(S1)
    assert race.game.pressed == (1, 7, 0), "the others play on"
    race.wait(3)
    assert race.state.notice is None
    race.press(S2)
    assert race.game.pressed == (1, 8, 0)


def test_a_finger_that_taps_quickly_is_not_too_fast(race: TableUnderTest) -> None:
    hammer(race, S2, 60, 0.1)
    assert race.game.pressed == (0, 60, 0)


def test_a_stuck_button_presses_once_and_is_named(race: TableUnderTest) -> None:
    race.send(ButtonPressed(S3, race.clock.now))
    race.wait(7)
    assert race.game.pressed == (0, 0, 1)
    assert race.state.notice == "Cleo's button is pressed too fast or stuck: release it"
    race.send(ButtonReleased(S3, race.clock.now))
    assert race.state.notice is None


def test_a_weak_supply_is_named_without_advice_on_buttons(race: TableUnderTest) -> None:
    race.send(DeviceLost(POWER_NAME, race.clock.now, LazyMessage("It is too weak")))
    assert race.state.notice == "It is too weak"
    race.send(DeviceRestored(POWER_NAME, race.clock.now))
    assert race.state.notice is None


def test_a_seat_without_a_player_does_nothing(race: TableUnderTest) -> None:
    before = race.saved_game.last_seq
    race.press(Button.SEAT5)
    assert (race.saved_game.last_seq, race.state.notice) == (before, None)
    hammer(race, Button.SEAT5, 20, 0.06)
    assert race.state.notice == "Button 5 is pressed too fast or stuck: release it"


def test_presses_count_in_the_order_of_their_time_stamps(race: TableUnderTest) -> None:
    now = race.clock.now
    race.send(ButtonPressed(S3, now + 0.003), ButtonPressed(S1, now + 0.002), ButtonPressed(S2, now + 0.001))
    played: list[Any] = [entry.what.played for entry in race.journal.read_entries(race.saved_game.id)]
    assert [p.to_move() for p in played] == [Move("press", Seat(1)), Move("press", Seat(0)), Move("press", Seat(2))]


def tied(race: TableUnderTest, *buttons: Button) -> None:
    presses = tuple(ButtonPressed(button, race.clock.now + i * 1e-4) for i, button in enumerate(buttons))
    race.send(PressTie(presses, 0.005, presses[0].at), *presses)


def first_of(race: TableUnderTest) -> int:
    played: list[Any] = [entry.what.played for entry in race.journal.read_entries(race.saved_game.id)]
    return int(played[0].seat)


def test_tied_presses_are_drawn_by_lot_and_announced(table: Callable[..., TableUnderTest]) -> None:
    firsts = set()
    for seed in range(12):
        race = table(3, definition=KIT)
        race.referee.services.rng.seed(seed)
        tied(race, S1, S3)
        assert race.game.pressed == (1, 0, 1)
        firsts.add(first_of(race))
        drawn = "Ada's button and Cleo's" if first_of(race) == 0 else "Cleo's button and Ada's"
        assert (race.state.notice or "").startswith(drawn)
    assert firsts == {0, 2}


def test_a_late_press_is_announced(race: TableUnderTest) -> None:
    """H4: whether it still does something (S1) or not (a seat without a player)."""
    for late, name in ((S1, "Ada's button"), (Button.SEAT6, "Button 6")):
        presses = (ButtonPressed(late, race.clock.now - 0.5), ButtonPressed(S2, race.clock.now - 0.4))
        race.send(presses[1])
        race.send(PressTie(presses, 0.1, presses[0].at, is_late=True), presses[0])
        assert race.referee.notice == f"{name} was first, but was noticed after Bob's button"


def test_a_tie_with_a_useless_press_is_not_announced(race: TableUnderTest) -> None:
    tied(race, S2, Button.SEAT6)
    assert race.game.pressed == (0, 1, 0)
    assert race.state.notice is None


def test_a_tie_with_a_short_ok_that_is_to_be_held_is_not_announced(race: TableUnderTest) -> None:
    tied(race, S2, Button.OK)
    assert race.game.pressed == (0, 1, 0)
    assert "moment" not in (race.state.notice or "")
