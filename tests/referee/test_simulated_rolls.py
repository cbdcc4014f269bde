"""Dice that roll at a simulated table: a press before they are read counts after them, and the screen says so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from companion.api.registry import find_game
from companion.events import Button, ButtonPressed, ButtonReleased, CameraState, CameraStateChanged, DiceRead
from companion.screen_state import CameraView, ScreenState
from companion.testing.table import TableUnderTest

B = Button
Tables = Callable[..., TableUnderTest]
ROLLING, STEADY = CameraState.ROLLING, CameraState.STEADY


@pytest.fixture
def sit_down(table: Tables) -> Tables:
    """Sit down at a simulated table."""

    def make(name: str, *, is_virtual: bool = True) -> TableUnderTest:
        made = table(2, definition=find_game(name))
        made._services = replace(made._services, is_table_virtual=is_virtual)
        made.restart()
        become(made, STEADY)
        return made

    return make


def become(table: TableUnderTest, state: CameraState) -> None:
    table.send(CameraStateChanged(state, table.clock.now, lid_known=True))


def land(table: TableUnderTest, *values: int) -> None:
    """Let the dice come to rest: the camera reads them in the same frame. Presses that waited follow it."""
    now = table.clock.now
    table.send(CameraStateChanged(STEADY, now, lid_known=True), DiceRead(values, 0.99, now))
    table.wait(0.0)


def see(table: TableUnderTest, state: CameraState) -> ScreenState:
    return table.referee.build_screen_state(CameraView(state))


def list_labels(state: ScreenState) -> list[str]:
    return [key.label for key in state.soft_keys[6:9]]


@pytest.mark.parametrize(
    ("die", "totals", "notice"),
    [(1, (0, 0), "The dice were thrown before that press"), (4, (9, 0), None)],
    ids=["lost", "more"],
)
def test_points_are_scored_after_the_dice_that_roll(
    sit_down: Tables, die: int, totals: tuple[int, ...], notice: str | None
) -> None:
    pig = sit_down("pig")
    pig.roll(5)
    become(pig, ROLLING)
    pig.press(B.OK)
    assert pig.game.totals == (0, 0), "the press waits"
    land(pig, die)
    assert (pig.game.totals, pig.game.active_seat, pig.game.throw_count) == (totals, 1, 0)
    assert pig.state.notice == notice


@pytest.mark.parametrize("held_seconds", [0.2, 1.2], ids=["pressed", "held"])
def test_a_number_key_that_comes_up_after_another_throw_is_said_to_be_too_late(
    sit_down: Tables, held_seconds: float
) -> None:
    """Bob's key waits for its release, for held it is his own; meanwhile it stands for another die."""
    yacht = sit_down("yacht", is_virtual=False)
    yacht.roll(6, 6, 6, 2, 1)
    yacht.send(ButtonPressed(B.SEAT2, yacht.clock.now))
    yacht.roll(6, 6, 6, 5, 4)
    before = yacht.game
    yacht.wait(held_seconds)
    yacht.send(ButtonReleased(B.SEAT2, yacht.clock.now))
    assert (yacht.game, yacht.state.marked_dice) == (before, ())
    assert yacht.state.notice == "The game went on before that press"


def test_without_dice_that_roll_points_are_scored_at_once(sit_down: Tables) -> None:
    pig = sit_down("pig")
    pig.roll(5)
    pig.press(B.OK)
    assert pig.game.totals == (5, 0)


def test_a_press_about_dice_that_were_only_moved_counts_then(sit_down: Tables) -> None:
    pig = sit_down("pig")
    pig.roll(5)
    become(pig, ROLLING)
    pig.press(B.OK)
    become(pig, STEADY)
    pig.wait(0.0)
    assert pig.game.totals == (5, 0)


def test_at_a_table_with_a_camera_the_dice_that_roll_may_be_the_next_players(sit_down: Tables) -> None:
    pig = sit_down("pig", is_virtual=False)
    pig.roll(5)
    become(pig, ROLLING)
    pig.press(B.OK)
    land(pig, 1)
    assert (pig.game.totals, pig.game.active_seat) == ((5, 0), 0), "Bob's turn has ended with the 1"


def test_undo_takes_back_a_press_that_waits(sit_down: Tables) -> None:
    pig = sit_down("pig")
    pig.roll(5)
    become(pig, ROLLING)
    pig.press(B.OK)
    pig.hold(B.NO)
    land(pig, 6)
    assert (pig.game.totals, pig.game.current_points) == ((0, 0), 6)


def test_the_sheet_of_boxes_opens_after_the_dice_that_roll(sit_down: Tables) -> None:
    yacht = sit_down("yacht")
    yacht.roll(6, 6, 6, 2, 1)
    become(yacht, ROLLING)
    yacht.press(B.PLUS)
    assert not yacht.state.choices
    land(yacht, 5, 5, 5, 5, 5)
    assert yacht.game.all_dice == (5, 5, 5, 5, 5)
    assert yacht.state.choices


def test_the_screen_shows_no_key_that_the_dice_overtake(sit_down: Tables) -> None:
    pig = sit_down("pig")
    pig.roll(5)
    assert list_labels(see(pig, STEADY)) == ["Score 5", "", "Enter dice"]
    become(pig, ROLLING)
    state = see(pig, ROLLING)
    assert (state.prompt, list_labels(state)) == ("Ada: rolling …", ["", "", "Enter dice"])
    assert see(pig, CameraState.HAND).prompt == state.prompt, "it can do nothing else"
    pig.press(B.MINUS)
    assert see(pig, ROLLING).prompt == "Choose below", "the pause menu is open"


def test_with_a_camera_the_screen_stays(sit_down: Tables) -> None:
    pig = sit_down("pig", is_virtual=False)
    pig.roll(5)
    become(pig, ROLLING)
    assert list_labels(see(pig, ROLLING))[0] == "Score 5"


def test_a_hand_that_may_set_dice_aside_throws_none(sit_down: Tables) -> None:
    yacht = sit_down("yacht")
    yacht.roll(6, 6, 6, 2, 1)
    become(yacht, CameraState.HAND)
    assert see(yacht, CameraState.HAND).prompt == yacht.state.prompt
    assert see(yacht, ROLLING).prompt == "Ada: rolling …"
