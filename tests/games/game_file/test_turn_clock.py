"""The clock of a turn in games in files (G9): it reminds the player, or ends the turn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from companion.api import IllegalMove, Move, Seat
from companion.api.registry import find_game
from companion.events import Button, CameraState, CameraStateChanged, DiceRead
from companion.journal.saved_game import SavedGame
from companion.testing.table import TableUnderTest
from tests.games.game_file.points.entering import new_game

Tables = Callable[..., TableUnderTest]
S1, S2, S3, S4 = (Button(f"seat{n}") for n in range(1, 5))
OK, NO = Button.OK, Button.NO
HARD = {"turn_seconds": 30, "time_up": "next_player"}


def test_a_turn_with_dice_adds_nothing_once_its_time_is_up(table: Tables) -> None:
    t = table(2, definition=find_game("pig"), camera=False, **HARD)
    t.press(S4)
    assert (t.game.active_seat, t.game.current_points) == (0, 4)
    t.wait(29.0)
    assert t.game.active_seat == 0
    t.wait(1.1)
    assert (t.game.active_seat, t.game.totals, t.game.throw_count) == (1, (0, 0), 0)
    assert t.state.last_move == "Ada: time is up"
    assert (t.game.ended_turn.seat, t.game.ended_turn.format()) == (0, "4 lost"), "the screen shows the last turn"
    t.wait(30.1)
    assert (t.game.ended_turn.seat, t.game.ended_turn.format()) == (1, "no points")
    assert (t.game.active_seat, t.game.round_number) == (0, 2)
    assert SavedGame(t.journal, t.saved_game.id, t.definition).game == t.game


@pytest.mark.parametrize(("presses", "totals"), [((), (0, 0)), ((OK,), (9, 0))], ids=["no press", "score"])
def test_dice_that_roll_when_time_is_up_are_not_the_next_players(
    table: Tables, presses: tuple[Button, ...], totals: tuple[int, int]
) -> None:
    t = table(2, definition=find_game("pig"), **HARD)
    t._services = replace(t._services, is_table_virtual=True)  # where a press waits for dice that roll
    t.restart()
    t.send(CameraStateChanged(CameraState.STEADY, t.clock.now))
    t.roll(5)
    t.wait(29.5)
    t.send(CameraStateChanged(CameraState.ROLLING, t.clock.now))
    t.press(*presses)
    t.wait(1.0)
    now = t.clock.now
    t.send(CameraStateChanged(CameraState.STEADY, now), DiceRead((4,), 0.99, now))  # of the same picture
    t.wait(0.1)
    assert (t.game.active_seat, t.game.totals, t.game.throw_count) == (1, totals, 0)


def test_a_hand_that_rests_before_the_camera_does_not_hold_the_clock_for_ever(table: Tables) -> None:
    t = table(2, definition=find_game("pig"), **HARD)
    t.send(CameraStateChanged(CameraState.HAND, t.clock.now))
    t.wait(34.0)
    assert t.game.active_seat == 0
    t.wait(2.0)
    assert t.game.active_seat == 1


def test_numbers_entered_in_a_turn_are_forgotten_once_its_time_is_up(table: Tables) -> None:
    t = table(2, definition=find_game("scrabble"), **HARD)
    t.press(S1, S4, OK)
    assert (t.game.entered, t.state.question is None) == (((10,), ()), True), "all seven tiles?"
    t.wait(30.1)
    assert (t.game.active_seat, t.game.totals, t.game.entered) == (1, (0, 0), ((), ()))
    t.press(S2, S3, OK, NO)
    assert (t.game.totals, t.game.round_number) == ((0, 5), 2)
    t.press(S1)
    t.wait(30.1)
    assert (t.game.active_seat, t.state.menu) == (1, None), "nothing is entered for Ada any more"


def test_an_open_box_stays_open_and_is_filled_later() -> None:
    game = new_game("yacht", 2, **HARD)
    for _box in range(13):
        for seat in (Seat(0), Seat(1)):
            game = game.play(Move("throw", seat, (1, 2, 3, 4, 6)))
            missed = seat == 1 and game.round_number == 1
            game = game.play(Move("time up", seat) if missed else Move("choose", seat, (game.open_boxes[0] + 1,)))
    assert (game.active_seat, game.is_over, len(game.open_boxes)) == (1, False, 1)
    game = game.play(Move("throw", Seat(1), (1, 2, 3, 4, 6)))
    assert game.play(Move("choose", Seat(1), (game.open_boxes[0] + 1,))).is_over


@pytest.mark.parametrize("options", [{"turn_seconds": 30}, {"time_up": "next_player"}])
def test_without_a_clock_that_ends_turns_nobody_says_that_time_is_up(table: Tables, options: dict[str, object]) -> None:
    t = table(2, definition=find_game("pig"), camera=False, **options)
    t.wait(60.0)
    assert t.game.active_seat == 0
    with pytest.raises(IllegalMove, match="no clock ends this turn"):
        t.game.play(Move("time up", Seat(0)))


def test_a_claim_after_a_box_was_chosen_gives_nobody_time_back(table: Tables) -> None:
    """Ada began her turn again with all its time, and Bob his after her box."""
    t = table(2, definition=find_game("yacht"), turn_seconds=60)
    t.roll(3, 3, 3, 2, 2)
    t.wait(40.0)
    t.roll(1, 2, 3, 4, 6)
    t.press(Button.PLUS, S1)
    t.wait(20.0)
    t.hold(S2)
    t.press(OK)
    assert (t.game.active_seat, round(t.state.clocks[0].seconds_left, -1)) == (0, 20)
    t.press(S1)
    assert (t.game.active_seat, round(t.state.clocks[0].seconds_left, -1)) == (1, 40)


@pytest.mark.parametrize("is_claimed", [True, False], ids=["claimed after the box", "thrown before it"])
def test_a_box_is_chosen_after_time_up_once_the_next_player_has_thrown(table: Tables, is_claimed: bool) -> None:
    """Her time was up two seconds after the claim, and a box that she had scored in time stayed open."""
    t = table(2, definition=find_game("yacht"), turn_seconds=60, time_up="next_player")
    for _throw in range(1 if is_claimed else 3):
        t.roll(3, 3, 3, 2, 2)
    t.wait(58.0)
    t.roll(1, 2, 3, 4, 6)
    if is_claimed:
        t.press(Button.PLUS, S1)
        t.wait(20.0)
        t.hold(S2)
        t.press(OK)
    t.wait(3.0)
    assert (t.game.active_seat, t.state.clocks[0].seconds_left, t.state.notice) == (0, 0, "Time is up")
    t.press(S1)
    assert (t.game.active_seat, t.game.totals, t.game.table) == (1, (25, 0), (1, 2, 3, 4, 6))
    t.wait(60.0)
    assert (t.game.active_seat, t.game.totals) == (0, (25, 0)), "the next turn is ended as ever"
