"""Buttons that are held: the screen shows for how long, and the steps of PLUS and MINUS repeat, faster with time."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.api import Command, CommandName, ConsolePress, Move, NumberPress, Offer
from companion.events import Button, ButtonPressed, ButtonReleased
from companion.referee.held_buttons import PressFeedback
from companion.referee.stage import is_held_step
from companion.screen_state import HoldProgress
from companion.testing.table import ManualClock, TableUnderTest
from tests.referee.race import KIT

Tables = Callable[..., TableUnderTest]
FRAME_SECONDS = 1 / 64
"""A power of two: sums of it are exact."""


def hold_for(table: TableUnderTest, button: Button, seconds: float) -> None:
    """Press a button and let the main loop turn while it is held down."""
    table.send(ButtonPressed(button, table.clock.now))
    for _ in range(round(seconds / FRAME_SECONDS)):
        table.wait(FRAME_SECONDS)


def open_total(table: TableUnderTest) -> None:
    table.press(Button.MINUS, Button.MINUS, Button.SEAT2)


def read_total(table: TableUnderTest) -> int:
    assert table.state.menu is not None
    assert table.state.menu.value is not None
    return int(table.state.menu.value.split()[0])


def test_undo_shows_for_how_long_no_is_held(table: Tables) -> None:
    held = table(definition=KIT)
    held.press(Button.SEAT1)
    held.send(ButtonPressed(Button.NO, held.clock.now))
    assert held.state.hold is None
    held.wait(0.25)
    assert held.state.hold is None  # a short press
    held.wait(0.25)
    assert held.state.hold == HoldProgress(Button.NO, 0.5)
    held.wait(0.375)
    assert held.state.hold == HoldProgress(Button.NO, 0.8)
    held.send(ButtonReleased(Button.NO, held.clock.now))
    assert held.state.hold is None


def test_nothing_is_shown_once_the_held_button_has_done_its_work(table: Tables) -> None:
    held = table(definition=KIT)
    held.press(Button.SEAT1, Button.SEAT1)
    held.send(ButtonPressed(Button.NO, held.clock.now))
    held.wait(1.0)
    assert held.state.hold is None


def test_no_is_shown_only_while_there_is_a_move_to_undo_or_a_dialog_to_close(table: Tables) -> None:
    begun, menu = table(), table()
    menu.press(Button.MINUS)
    for held in (begun, menu):
        held.send(ButtonPressed(Button.NO, held.clock.now))
        held.wait(0.5)
    assert (begun.state.hold, menu.state.hold) == (None, HoldProgress(Button.NO, 0.5))
    menu.wait(0.5)
    assert menu.state.menu is None


def test_ok_is_no_longer_shown_when_its_offer_is_gone(table: Tables) -> None:
    race = table(3, definition=KIT)
    race.send(ButtonPressed(Button.OK, race.clock.now))
    race.wait(0.5)
    race.press(Button.PLUS)
    assert race.state.question is not None
    assert race.state.hold is None


def test_a_player_who_leans_on_a_button_does_not_interrupt_ok(table: Tables) -> None:
    race = table(3, definition=KIT)
    race.send(ButtonPressed(Button.SEAT1, race.clock.now))
    race.wait(0.5)
    race.send(ButtonPressed(Button.OK, race.clock.now))
    race.wait(0.75)
    race.send(ButtonReleased(Button.SEAT1, race.clock.now))
    assert race.state.hold == HoldProgress(Button.OK, 0.7)
    race.wait(0.25)
    assert race.game.ended == "end"


def test_ok_is_shown_only_where_it_is_to_be_held(table: Tables) -> None:
    race = table(3, definition=KIT)
    race.send(ButtonPressed(Button.OK, race.clock.now))
    race.wait(0.5)
    assert race.state.hold == HoldProgress(Button.OK, 0.5)
    other = table()
    other.send(ButtonPressed(Button.OK, other.clock.now))
    other.wait(0.5)
    assert other.state.hold is None


@pytest.mark.parametrize(("seconds", "steps"), [(0.25, 1), (0.5, 2), (0.75, 3), (2.0, 9), (4.0, 37)])
def test_a_total_changes_faster_the_longer_plus_is_held(table: Tables, seconds: float, steps: int) -> None:
    held = table()
    open_total(held)
    before = read_total(held)
    hold_for(held, Button.PLUS, seconds)
    assert read_total(held) - before == steps
    held.send(ButtonReleased(Button.PLUS, held.clock.now))
    held.wait(1.0)
    assert read_total(held) - before == steps
    assert held.state.notice is None


def test_a_button_that_is_stuck_does_not_repeat_for_ever(table: Tables) -> None:
    held = table()
    open_total(held)
    hold_for(held, Button.PLUS, 6.0)
    at_six_seconds = read_total(held)
    for _ in range(200):
        held.wait(FRAME_SECONDS)
    assert read_total(held) == at_six_seconds


def test_another_press_ends_the_repeats(table: Tables) -> None:
    """It may have opened something that the held button must not step through."""
    held = table()
    open_total(held)
    hold_for(held, Button.PLUS, 1.0)
    before = read_total(held)
    held.send(ButtonPressed(Button.SEAT6, held.clock.now))
    for _ in range(128):
        held.wait(FRAME_SECONDS)
    assert read_total(held) == before


def test_the_press_that_opens_a_dialog_does_not_repeat_in_it(table: Tables) -> None:
    held = table()
    held.press(Button.MINUS)
    held.send(ButtonPressed(Button.MINUS, held.clock.now))
    menu = held.state.menu
    assert menu is not None
    for _ in range(128):
        held.wait(FRAME_SECONDS)
    assert held.state.menu == menu


@pytest.mark.parametrize(
    ("offer", "is_step"),
    [
        (Offer(Command(CommandName.ANSWER, (1,)), ConsolePress.PLUS, "More", repeats=True), True),
        (Offer(Command(CommandName.ANSWER, (1,)), ConsolePress.MINUS, "Less", repeats=True), True),
        (Offer(Command(CommandName.ANSWER, (1,)), ConsolePress.PLUS, "Other game"), False),
        (Offer(Command(CommandName.ANSWER, (1,)), NumberPress(1), "1", repeats=True), False),
        (Offer(Command(CommandName.PALETTE), ConsolePress.PLUS, "Other colours", repeats=True), False),
        (Offer(Move("more", None), ConsolePress.PLUS, "+1", repeats=True), False),
    ],
)
def test_only_steps_of_a_dialog_repeat(offer: Offer, is_step: bool) -> None:
    assert is_held_step(offer) is is_step


def test_a_press_is_visible_for_a_quarter_of_a_second() -> None:
    clock = ManualClock()
    feedback = PressFeedback(clock)
    feedback.note_press(Button.SEAT1, clock.now)
    clock.now += 0.125
    feedback.note_press(Button.SEAT2, clock.now)
    assert feedback.recent_presses() == {Button.SEAT1, Button.SEAT2}
    clock.now += 0.125
    assert feedback.recent_presses() == {Button.SEAT2}


def test_a_hold_is_taken_once_as_soon_as_a_second_is_over() -> None:
    clock = ManualClock()
    feedback = PressFeedback(clock)
    assert not feedback.take_hold(Button.NO), "it was never pressed"
    feedback.note_press(Button.NO, clock.now)
    clock.now += 0.96875
    assert not feedback.take_hold(Button.NO)
    clock.now += 0.03125
    assert [feedback.take_hold(Button.NO), feedback.take_hold(Button.NO)] == [True, False]
    assert feedback.note_release(Button.NO, clock.now) is None, "the hold was taken"


def test_a_release_tells_how_long_the_button_was_down() -> None:
    clock = ManualClock()
    feedback = PressFeedback(clock)
    feedback.note_press(Button.NO, 2.0)
    assert [feedback.note_release(Button.NO, 2.75), feedback.note_release(Button.NO, 3.0)] == [0.75, None]
