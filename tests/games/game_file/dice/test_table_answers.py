"""The next player throws before the turn was ended: no throw is lost, and the own button says whose it was (G51)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.api import Correction, Seat
from companion.api.registry import find_game
from companion.display import Screen
from companion.events import Button, DiceRead
from companion.journal.entry import SeatChange
from companion.screen_state import HelpView
from tests.games.game_file.dice.presses import Tables, choose, press_own

B = Button


def test_pig_needs_one_press_a_turn(sit_down: Tables) -> None:
    pig = sit_down("pig")
    pig.roll(5)
    pig.roll(4)
    pig.press(B.OK)
    pig.roll(6)
    assert (pig.game.totals, pig.game.active_seat, pig.game.current_points) == ((9, 0), 1, 6)


def test_yacht_needs_one_press_a_turn(sit_down: Tables) -> None:
    yacht = sit_down("yacht")
    for _throw in range(3):
        yacht.roll(6, 6, 6, 2, 1)
    yacht.press(B.SEAT1)
    assert (yacht.game.active_seat, sum(yacht.game.totals)) == (1, 21)


def test_the_next_player_ends_a_turn_of_one_throw(sit_down: Tables) -> None:
    pig = sit_down("pig", 3)
    pig.roll(5)
    assert [key.label for key in pig.state.soft_keys[:3]] == ["", "My turn", ""]
    press_own(pig, 1)
    assert (pig.game.totals, pig.game.active_seat, pig.state.question) == ((5, 0, 0), 1, None)


@pytest.mark.parametrize(
    ("is_away", "change"),
    [(0, SeatChange(seat=1, name="Bob", button=B.SEAT3)), (1, Correction("away", Seat(1), (0,)))],
    ids=["places", "back"],
)
def test_yacht_what_the_next_player_has_thrown_goes_to_nobody_else(
    sit_down: Tables, is_away: int, change: SeatChange | Correction
) -> None:
    """Bob and Cleo changed places, or Bob came back, before Ada had chosen her box: another one had the dice."""
    yacht = sit_down("yacht", 3)
    yacht.referee.take_step(Correction("away", Seat(1), (is_away,)))
    for _throw in range(3):
        yacht.roll(6, 6, 6, 2, 1)
    yacht.roll(1, 2, 3, 4, 6)
    before = yacht.game
    yacht.referee.take_step(change)
    assert (yacht.game, yacht.state.notice) == (before, "First Ada's turn ends")
    yacht.press(B.SEAT1)
    assert (yacht.game.active_seat, yacht.game.table) == (before.present_seats[1], (1, 2, 3, 4, 6))
    yacht.referee.take_step(change)
    assert yacht.state.notice is None


def test_without_a_camera_number_keys_enter_dice(table: Tables) -> None:
    pig = table(2, definition=find_game("pig"), camera=False)
    pig.press(B.SEAT5, B.SEAT2)
    assert (pig.game.active_seat, pig.game.current_points) == (0, 7)


@pytest.mark.parametrize("size", [(800, 480), (1920, 1080)])
def test_yacht_the_screen_says_that_the_own_button_is_held(sit_down: Tables, size: tuple[int, int]) -> None:
    """Its number key marks a die, so that nothing told of it."""
    yacht = sit_down("yacht")
    for dice, words in (((3, 3, 3, 2, 2), "Hold: my turn"), ((1, 2, 3, 4, 6), "Hold: I threw that")):
        yacht.roll(*dice)
        assert [key.label for key in yacht.state.soft_keys if key.is_hold] == [words, "Hold: undo"]
        screen = Screen(size)
        screen.render(yacht.state)
        assert {words, "Hold: undo"} <= {text.text for text in screen.drawn_texts()}
        screen.render(replace(yacht.state, help=HelpView(0, 3)))
        assert words in [text.text for text in screen.drawn_texts()]


def test_yacht_the_own_button_opens_the_boxes(sit_down: Tables) -> None:
    yacht = sit_down("yacht")
    yacht.roll(3, 3, 3, 2, 2)
    press_own(yacht, 1)
    assert yacht.state.choices
    yacht.roll(1, 2, 3, 4, 6)
    choose(yacht, 8)
    assert (yacht.game.totals, yacht.game.active_seat, yacht.game.table) == ((25, 0), 1, (1, 2, 3, 4, 6))


def test_yacht_a_throw_before_the_box_is_chosen_is_kept(sit_down: Tables) -> None:
    yacht = sit_down("yacht", 3)
    for dice in ((3, 3, 3, 2, 1), (3, 3, 3, 2, 4), (3, 3, 3, 2, 2)):
        yacht.roll(*dice)
    yacht.roll(1, 2, 3, 4, 6)
    assert yacht.state.last_move == "Bob has thrown: 6 4 3 2 1"
    # Bob goes on: he takes 6 and 4 out of the tray.
    yacht.send(DiceRead((1, 2, 3), 0.99, yacht.clock.now, lying=(True, True, True)))
    assert yacht.game.table == (2, 2, 3, 3, 3)
    yacht.restart()
    choose(yacht, 8)
    assert (yacht.game.totals[0], yacht.game.active_seat, yacht.game.throw_count) == (25, 1, 1)
    assert yacht.game.table == (1, 2, 3, 4, 6)


def test_yacht_a_die_of_the_kept_throw_may_lie_where_one_lay(sit_down: Tables) -> None:
    """Else they are taken for dice that moved, and neither answer gives the next player the throw."""
    yacht = sit_down("yacht")
    for _throw in range(3):
        yacht.roll(6, 6, 6, 2, 1)
    lying, doubtful = (False, False, False, True, False), (False, False, False, True, False)
    dice = DiceRead((4, 5, 5, 6, 6), 0.99, yacht.clock.now, lying=lying, doubtful=doubtful)
    yacht.send(dice)
    assert yacht.state.question is None
    assert sorted(yacht.game.next_throw) == [4, 5, 5, 6, 6]


def test_yacht_a_die_of_a_throw_that_ends_the_turn_early_may_lie_where_one_lay(sit_down: Tables) -> None:
    """Filmed game 39: it was asked only why five dice are in the tray."""
    yacht = sit_down("yacht")
    yacht.roll(2, 2, 3, 5, 6)
    yacht.send(DiceRead((2, 2, 6), 0.99, yacht.clock.now, lying=(True, True, True)))
    flags = (False, False, False, False, True)
    yacht.send(DiceRead((1, 3, 5, 5, 6), 0.99, yacht.clock.now, lying=flags, doubtful=flags))
    assert yacht.state.question.title == "Whose throw is 1, 3, 5, 5 and 6?"


def test_yacht_a_die_left_in_the_tray_is_not_thrown(sit_down: Tables) -> None:
    yacht = sit_down("yacht")
    for _throw in range(3):
        yacht.roll(6, 6, 6, 2, 1)
    choose(yacht, 0)
    lying = (False, False, False, True, False)
    yacht.send(DiceRead((1, 3, 5, 6, 6), 0.99, yacht.clock.now, lying=lying))
    assert yacht.state.question.title == "Is it 1, 3, 5, 6 and 6?"


def test_yacht_dice_that_the_next_player_sets_aside_before_the_box_is_chosen(sit_down: Tables) -> None:
    yacht = sit_down("yacht")
    for _throw in range(3):
        yacht.roll(3, 3, 3, 2, 2)
    yacht.roll(1, 2, 3, 4, 6)
    yacht.send(DiceRead((1, 2, 3), 0.99, yacht.clock.now, lying=(True, True, True)))
    choose(yacht, 8)
    assert (yacht.game.active_seat, yacht.game.table, sorted(yacht.game.aside)) == (1, (1, 2, 3), [4, 6])


def test_yacht_an_uncertain_throw_before_the_box_is_asked_about(sit_down: Tables) -> None:
    yacht = sit_down("yacht")
    for _throw in range(3):
        yacht.roll(3, 3, 3, 2, 2)
    yacht.roll(1, 2, 3, 4, 6, confidence=0.6)
    assert yacht.state.question.title == "Is it 1, 2, 3, 4 and 6?"
    yacht.press(B.OK)
    assert yacht.game.next_throw == (1, 2, 3, 4, 6)


@pytest.mark.parametrize("way", ["certain", "answered", "by hand"])
@pytest.mark.parametrize(("button", "active"), [(B.OK, 1), (B.NO, 0)])
def test_yacht_all_dice_thrown_while_some_are_aside(sit_down: Tables, button: Button, active: int, way: str) -> None:
    yacht = sit_down("yacht")
    yacht.roll(3, 3, 3, 2, 1)
    yacht.send(DiceRead((1, 2), 0.99, yacht.clock.now, lying=(True, True)))
    assert sorted(yacht.game.aside) == [3, 3, 3]
    yacht.roll(1, 2, 3, 4, 6, confidence=0.99 if way == "certain" else 0.5)
    if way != "certain":
        assert yacht.state.question.title == "Is it 1, 2, 3, 4 and 6?"
        yacht.press(B.OK if way == "answered" else B.MINUS)
    if way == "by hand":
        yacht.press(B.SEAT1, B.SEAT2, B.SEAT3, B.SEAT4, B.SEAT6)
    assert yacht.state.question.title == "Whose throw is 1, 2, 3, 4 and 6?"
    yacht.press(button)
    assert bool(yacht.game.next_throw) == bool(active)
    if active:
        choose(yacht, 6)
    assert (yacht.game.active_seat, yacht.game.table) == (active, (1, 2, 3, 4, 6))
    assert yacht.game.throw_count == 2 - active


@pytest.mark.parametrize("name", ["yacht", "farkle"])
def test_tables_that_wait_for_ok_play_no_early_throw(sit_down: Tables, name: str) -> None:
    tb = sit_down(name)
    tb.referee.services = replace(tb.referee.services, waits_for_ok=True)
    if name == "yacht":
        for _throw in range(3):
            tb.roll(3, 3, 3, 2, 2)
        early = (1, 2, 3, 4, 6)
    else:
        tb.roll(6, 6, 6, 6, 3, 4)
        tb.send(DiceRead((3, 4), 0.99, tb.clock.now, lying=(True, True)))
        early = (1, 2, 3, 4, 6, 6)
    tb.roll(*early)
    assert tb.game.active_seat == 0
    if name == "yacht":  # nothing but the choice of a box ends that turn
        assert (tb.game.next_throw, tb.state.notice) == (early, None)
    else:
        assert (tb.game.throw_count, tb.state.notice) == (1, "Press OK first")
    choose(tb, 8) if name == "yacht" else tb.press(B.OK)
    assert (tb.game.active_seat, tb.game.table) == (1, early), "the throw was kept"


@pytest.mark.parametrize(("confidence", "throws"), [(0.99, 2), (0.8, 1)])
def test_yacht_all_dice_thrown_again_while_nobody_follows(table: Tables, confidence: float, throws: int) -> None:
    yacht = table(1, definition=find_game("yacht"))
    yacht.roll(3, 3, 3, 2, 1)
    yacht.send(DiceRead((1, 2), 0.99, yacht.clock.now, lying=(True, True)))
    yacht.roll(1, 2, 3, 4, 6, confidence=confidence)
    assert yacht.game.throw_count == throws
    assert (yacht.state.question is None) == (throws == 2), "the number of dice is in doubt"
    if throws == 1:
        assert yacht.state.question.title == "Is it 1, 2, 3, 4 and 6?"
        yacht.press(B.OK)
    assert (yacht.game.table, yacht.game.aside, yacht.game.throw_count) == ((1, 2, 3, 4, 6), (), 2)


def test_farkle_six_dice_are_asked_about_where_200_points_are_too_few_to_stop(sit_down: Tables) -> None:
    farkle = sit_down("farkle", 3)
    farkle.roll(2, 2, 2, 3, 4, 6)
    farkle.send(DiceRead((3, 4, 6), 0.99, farkle.clock.now, lying=(True, True, True)))
    assert farkle.game.aside == (2, 2, 2)
    farkle.roll(1, 2, 3, 4, 6, 6)
    assert (farkle.game.active_seat, farkle.state.question.title) == (0, "6 dice are in the tray")


def test_farkle_six_dice_are_kept_where_some_must_be_set_aside_first(sit_down: Tables) -> None:
    """Nothing said that they were seen: 250 points are too few to stop, and no dice may be thrown before the 5 is."""
    farkle = sit_down("farkle", 3)
    farkle.roll(1, 1, 5, 2, 3, 4)
    farkle.send(DiceRead((2, 3, 4), 0.99, farkle.clock.now, lying=(True, True, True)))
    farkle.roll(2, 4, 5)
    assert farkle.game.table == (2, 4, 5)
    farkle.roll(1, 2, 3, 4, 6, 6)
    assert (farkle.game.table, farkle.state.notice) == ((2, 4, 5), "1, 2, 3, 4, 6 and 6 thrown: kept for the next turn")
    farkle.press(B.SEAT3, B.OK)
    assert farkle.game.aside == (5,)
    assert farkle.state.question.title == "6 dice are in the tray"


def test_farkle_the_turn_ends_by_the_next_throw(sit_down: Tables) -> None:
    farkle = sit_down("farkle", 3)
    farkle.roll(6, 6, 6, 6, 3, 4)
    farkle.send(DiceRead((3, 4), 0.99, farkle.clock.now, lying=(True, True)))
    farkle.roll(1, 2, 3, 4, 6, 6)
    assert (farkle.game.totals, farkle.game.active_seat, farkle.game.table) == ((1000, 0, 0), 1, (1, 2, 3, 4, 6, 6))
    assert farkle.state.last_move == "Ada: +1000 · Bob has thrown: 6 6 4 3 2 1"


def test_farkle_the_own_button_is_held(sit_down: Tables) -> None:
    farkle = sit_down("farkle", 3)
    farkle.roll(6, 6, 6, 6, 3, 4)
    farkle.press(B.SEAT2)
    assert farkle.state.marked_dice == (2,)
    farkle.press(B.NO)
    press_own(farkle, 1)
    assert (farkle.game.totals, farkle.game.active_seat) == ((1000, 0, 0), 1)
