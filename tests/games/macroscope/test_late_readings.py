"""What the camera has read too late or not for certain is asked about, and nothing of it is lost."""

import pytest

from companion.api import LATE_PRESS_SECONDS, Correction
from companion.events import (
    Button,
    CameraState,
    CameraStateChanged,
    DiceRead,
    LidRead,
    TokenTaken,
)
from companion.games.macroscope import GAME
from companion.games.macroscope.state import Phase

B = Button


@pytest.fixture
def throw_before_the_token_is_read(macroscope):
    """Ada has rolled 2 and 5, taken a 2, and then a 5, of which the camera learns after Bob has thrown 3 and 4."""
    table = macroscope()
    table.send(CameraStateChanged(CameraState.HAND, table.clock.now, lid_known=True))
    table.roll(3, 4)
    return table


def test_a_token_read_after_the_next_throw_is_asked_about(throw_before_the_token_is_read):
    table = throw_before_the_token_is_read
    table.take_token(5, 1)
    assert table.state.question.title == "Was the 5 taken before that?"
    assert table.state.question.detail == "Bob rolls 3 and 4"
    table.press(B.OK)
    assert (table.game.active_seat, table.game.dice, table.game.taken_tokens) == (1, (3, 4), ())
    assert (table.game.crystals, table.game.tokens[4]) == ((4, 2, 2), 1)


@pytest.mark.parametrize("answers", ["press", "lid"])
def test_a_question_about_the_lid_in_the_middle_of_an_answer_loses_nothing_behind_it(
    throw_before_the_token_is_read, answers
):
    table = throw_before_the_token_is_read
    table.send(LidRead(9, (2, 1, 2, 2, 1, 1), table.clock.now), TokenTaken(1, 5, 0.99, table.clock.now))
    table.press(B.OK)
    assert table.state.question.title == "Are 9 windows covered?"
    if answers == "press":
        table.press(B.MINUS)
    else:
        table.send(LidRead(10, (2, 1, 2, 2, 1, 2), table.clock.now))
    assert (table.game.active_seat, table.game.dice, table.game.crystals) == (1, (3, 4), (4, 2, 2))


def test_also_if_the_next_player_may_take_it_or_has_taken_one(macroscope):
    table = macroscope()
    table.send(CameraStateChanged(CameraState.HAND, table.clock.now, lid_known=True))
    table.roll(4, 5)
    table.send(TokenTaken(0, 4, 0.99, table.clock.now), TokenTaken(1, 5, 0.99, table.clock.now))
    assert table.state.question.title == "Was the 5 taken before that?"
    table.press(B.OK)
    assert (table.game.active_seat, table.game.dice, table.game.taken_tokens) == (1, (4, 5), (4,))
    assert table.game.crystals == (4, 2, 2)


def test_if_it_was_not_the_next_player_has_taken_it(macroscope):
    table = macroscope()
    table.send(CameraStateChanged(CameraState.HAND, table.clock.now, lid_known=True))
    table.roll(4, 5)
    table.take_token(5)
    table.press(B.NO)
    assert (table.game.active_seat, table.game.taken_tokens, table.game.crystals) == (1, (5,), (3, 2, 2))


def test_with_the_table_at_rest_in_between_it_was_taken_after_the_throw(macroscope):
    table = macroscope()
    table.send(CameraStateChanged(CameraState.HAND, table.clock.now, lid_known=True))
    table.roll(4, 5)
    table.send(CameraStateChanged(CameraState.STEADY, table.clock.now, lid_known=True))
    table.wait(1.0)
    table.take_token(5)
    assert (table.game.active_seat, table.game.taken_tokens) == (1, (5,))


def test_a_doubtful_token_after_the_stop_is_asked_about_although_somebody_wants_to_guess(macroscope):
    table = macroscope()
    table.press(B.OK, B.SEAT2)
    table.take_token(5, 1, confidence=0.85)
    assert table.state.question.title == "Was the 5 taken before that?"
    table.press(B.OK)
    assert (table.game.phase, table.game.wishes, table.game.crystals) == (Phase.ASKING, (1,), (4, 2, 2))


def test_a_lid_that_was_read_before_the_last_token_contradicts_nothing(macroscope):
    table = macroscope()
    table.send(LidRead(11, (2, 1, 2, 2, 2, 2), table.clock.now))
    table.wait(1.0)
    table.take_token(5, 1, confidence=0.85)
    table.press(B.SEAT5, B.SEAT1)
    assert (table.state.question, table.game.frozen_value) == (None, 10)


def test_the_lid_covered_before_the_last_tokens_were_read_makes_the_round_void(macroscope):
    table = macroscope()
    table.saved_game.correct(Correction("tokens", None, (0, 0, 0, 0, 1, 0)))
    table.send(LidRead(12, (2, 2, 2, 2, 2, 2), table.clock.now))
    table.cover()
    table.put_token(5, 3)
    assert (table.state.question, table.game.active_seat, table.game.covered_windows) == (None, 1, 12)
    assert (table.game.phase, table.game.crystals, table.game.cards_used) == (Phase.ROLL, (4, 2, 2), 1)


def test_a_token_read_before_the_throw_that_allows_it_waits_for_it(macroscope):
    table = macroscope()
    table.press(B.OK, B.OK)
    table.wait(5.0)
    table.send(CameraStateChanged(CameraState.HAND, table.clock.now, lid_known=True))
    table.take_token(3, 1)
    assert (table.state.notice, table.game.phase) == (None, Phase.ROLL)
    table.roll(3, 4)
    assert (table.game.dice, table.game.taken_tokens) == ((3, 4), (3,))


@pytest.mark.parametrize(
    ("button", "seat", "dice"),
    [(B.OK, 1, (2, 4)), (B.NO, 0, (2, 5)), (B.PLUS, 0, (2, 4))],
    ids=["thrown", "kept", "taken"],
)
def test_one_die_that_lies_otherwise_was_thrown_or_knocked_over(macroscope, button, seat, dice):
    """Seed 63 of the filmed games: the other die of the next player's throw fell where an equal one had lain."""
    table = macroscope()
    table.send(DiceRead((2, 4), 0.99, table.clock.now, lying=(True, False)))
    question = table.state.question
    assert (question.title, question.detail) == ("Thrown again: 2 and 4?", "2 and 5 was rolled")
    table.press(button)
    assert (table.game.active_seat, table.game.dice) == (seat, dice)


@pytest.mark.parametrize(
    ("button", "seat", "dice"),
    [(B.OK, 1, (3, 4)), (B.NO, 0, (2, 5)), (B.PLUS, 0, (3, 4))],
    ids=["thrown", "kept", "taken"],
)
def test_a_throw_that_cannot_be_read_for_sure_may_be_the_next_players(macroscope, button, seat, dice):
    """It was asked only whether the dice moved: after "Keep" the throw was gone."""
    table = macroscope()
    table.roll(3, 4, confidence=0.8)
    question = table.state.question
    assert (question.title, question.detail) == ("Thrown again: 3 and 4?", "2 and 5 was rolled")
    table.press(button)
    assert (table.game.active_seat, table.game.dice) == (seat, dice)


def test_a_die_that_fell_off_the_table_is_thrown_beside_the_other(macroscope):
    """The first one alone is no throw, and then both are: nobody is asked whether they were moved."""
    table = macroscope()
    table.press(B.OK)
    table.roll(4)
    assert table.game.active_seat == 0
    table.send(DiceRead((3, 4), 0.99, table.clock.now, lying=(False, True)))
    assert (table.state.question, table.game.active_seat, table.game.dice) == (None, 1, (3, 4))


@pytest.mark.parametrize(
    ("taken", "button", "seat", "dice"),
    [((), B.OK, 1, (3, 4)), ((), B.NO, 0, (2, 5)), ((), B.PLUS, 0, (3, 4)), ((5,), B.NO, 0, (2, 5))],
    ids=["thrown", "kept", "taken", "kept after both tokens"],
)
def test_before_the_turn_has_ended_they_may_have_been_pushed_and_put_back(macroscope, taken, button, seat, dice):
    """The turn ended and was paid where one die was pushed while the other was in a hand."""
    table = macroscope()
    for number in taken:
        table.take_token(number, 1)
    table.roll(4)
    table.send(DiceRead((3, 4), 0.99, table.clock.now, lying=(False, True)))
    assert table.state.question.title == "Thrown again: 3 and 4?"
    table.press(button)
    assert (table.state.question, table.game.active_seat, table.game.dice) == (None, seat, dice)


def test_more_dice_than_are_thrown_are_to_be_rolled_again(macroscope):
    """Only their number was said, and nothing happens where the third die is taken out."""
    table = macroscope()
    table.roll(1, 3, 4)
    assert table.state.notice == "3 dice are in the tray: please roll again"


@pytest.mark.parametrize(
    ("presses", "dice", "notice"),
    [
        ((), (3, 5), "The camera reads 3 and 5"),
        ((B.OK, B.SEAT3), (3, 5), "3 and 5 thrown: kept for the next turn"),
        ((), (3, 4, 5), "3 dice are in the tray: please roll again"),
    ],
    ids=["asked about", "wish", "three"],
)
def test_the_number_of_dice_is_said_only_where_it_is_wrong(macroscope, presses, dice, notice):
    """ "2 dice are in the tray", where two are to be thrown."""
    table = macroscope(players=4)
    table.press(*presses)
    table.roll(5)
    assert table.state.notice == "Only one die is in the tray"
    table.send(DiceRead(dice, 0.99, table.clock.now, lying=tuple(value == 5 for value in dice)))
    assert (table.state.question is not None, table.state.notice) == (dice == (3, 5) and not presses, notice)


def test_dice_that_are_taken_out_again_are_no_longer_announced(macroscope):
    table = macroscope()
    table.roll(4)
    assert table.state.notice == "Only one die is in the tray"
    table.roll()
    assert table.state.notice == "The tray is empty"


@pytest.mark.parametrize("presses", [(B.OK, B.SEAT3), (B.SEAT1,)], ids=["wish", "guess"])
@pytest.mark.parametrize("confidence", [0.99, 0.6])
def test_one_die_is_no_throw_while_somebody_may_guess(macroscope, presses, confidence):
    """ "4 thrown: kept for the next turn", and the token waited for that throw without a word."""
    table = macroscope(players=4)
    table.press(*presses)
    table.roll(4, confidence=confidence)
    assert table.state.notice == ("Only one die is in the tray" if confidence == 0.99 else None)
    table.wait(10.0)
    table.take_token(3, 3)
    assert table.state.notice == "That was a 3: please put it back"
    table.send(DiceRead((3, 4), 0.99, table.clock.now, lying=(False, True)))
    assert table.state.notice == "3 and 4 thrown: kept for the next turn"


@pytest.mark.parametrize("taken", [(), (5,)], ids=["one token", "both tokens"])
@pytest.mark.parametrize("dice", [(2, 5), (3, 5)], ids=["as it was", "otherwise"])
def test_a_die_that_was_put_back_beside_one_that_was_pushed_is_asked_about(macroscope, taken, dice):
    """It ended the turn if it was put back with another face up."""
    table = macroscope()
    for number in taken:
        table.take_token(number, 1)
    before = table.game
    table.roll(5)
    table.send(DiceRead(dice, 0.99, table.clock.now, lying=(False, True)))
    assert table.state.question.title.startswith("Thrown again: ")
    table.press(B.NO)
    assert table.game == before


def test_a_token_is_not_the_next_players_where_one_die_lies_in_the_tray(macroscope):
    """It waited in silence for a throw that nobody had made, and was the next player's."""
    table = macroscope()
    table.take_token(5, 1)
    table.roll(4)
    table.take_token(3, 2)
    assert table.state.notice == "That was a 3: please put it back"


def read_doubtful_dice(table, doubtful):
    """Read 2 and 5; one or both may lie where they lay."""
    lying = (True, all(doubtful))
    table.send(DiceRead((2, 5), 0.99, table.clock.now, lying=lying, doubtful=doubtful if all(doubtful) else ()))


@pytest.mark.parametrize("doubtful", [(False, True), (True, True)])
@pytest.mark.parametrize("is_thrown", [True, False])
def test_dice_far_away_that_show_the_same_may_be_a_throw(macroscope, is_thrown, doubtful):
    """Seed 4 of the filmed games: one of two equal dice fell just where it had lain, and the throw was lost."""
    table = macroscope()
    read_doubtful_dice(table, doubtful)
    assert (table.state.question.title, table.state.question.detail) == ("Thrown again: 2 and 5?", "")
    table.press(B.OK if is_thrown else B.NO)
    assert (table.game.active_seat, table.game.dice) == (int(is_thrown), (2, 5))


def test_a_token_taken_after_dice_were_bumped_is_asked_about(macroscope):
    """The dice that may have been thrown held it back in silence, and the round was scored without it."""
    table = macroscope()
    table.press(B.OK, B.OK)
    table.roll(3, 5)
    table.take_token(3, 1)
    table.press(B.OK, B.SEAT1)
    dice = DiceRead((3, 5), 0.99, table.clock.now, lying=(True, True), doubtful=(True, True))
    table.send(dice)
    table.take_token(5, 2)
    assert table.state.question is not None
    assert table.state.question.title == "Was the 5 taken before that?"


@pytest.mark.parametrize("doubtful", [(False, True), (True, True)])
@pytest.mark.parametrize("is_thrown", [True, False])
def test_dice_far_away_that_show_the_same_may_be_the_throw_that_is_awaited(macroscope, is_thrown, doubtful):
    table = macroscope()
    table.press(B.OK, B.OK)
    assert table.game.phase is Phase.ROLL
    read_doubtful_dice(table, doubtful)
    assert table.state.question.title == "Thrown again: 2 and 5?"
    table.press(B.OK if is_thrown else B.NO)
    assert (table.game.active_seat, table.game.dice) == (1, (2, 5) if is_thrown else ())


@pytest.mark.parametrize("is_thrown", [True, False])
def test_a_die_that_may_have_fallen_where_an_equal_one_lay_is_asked_about(macroscope, is_thrown):
    table = macroscope()
    table.take_token(5, 1)
    before = table.game
    table.send(DiceRead((3, 5), 0.99, table.clock.now, lying=(False, True)))
    assert table.state.question.title == "Thrown again: 3 and 5?"
    table.press(B.OK if is_thrown else B.NO)
    if is_thrown:
        assert (table.game.active_seat, table.game.dice, table.game.crystals) == (1, (3, 5), (4, 2, 2))
    else:
        assert table.game == before


def test_after_the_answer_that_it_was_thrown_others_may_still_guess_before_it(macroscope):
    table = macroscope()
    table.send(DiceRead((2, 4), 0.99, table.clock.now, lying=(True, False)))
    table.press(B.OK)
    assert (table.game.active_seat, table.game.dice) == (1, (2, 4))
    table.press(B.SEAT3)
    assert (table.game.active_seat, table.game.wishes) == (0, (2,))


def test_a_throw_of_which_people_said_that_it_is_one_waits_for_the_answer_about_the_lid(macroscope):
    table = macroscope()
    table.send(LidRead(10, (2, 1, 2, 2, 2, 1), table.clock.now))
    table.send(DiceRead((2, 4), 0.6, table.clock.now, lying=(True, False)))
    table.press(B.OK)
    assert table.state.question.title == "Are 10 windows covered?"
    table.press(B.MINUS)
    assert (table.state.question, table.game.active_seat, table.game.dice) == (None, 1, (2, 4))


def test_such_a_throw_before_the_round_is_scored_is_asked_about_after_it(macroscope):
    table = macroscope()
    table.press(B.SEAT1)
    table.cover()
    table.send(DiceRead((3, 5), 0.99, table.clock.now, lying=(False, True)))
    assert table.state.question is None
    table.wait(LATE_PRESS_SECONDS)
    table.press(B.SEAT1)
    assert table.state.question is None, "it is the next player's throw, and nothing lay there in this turn"
    assert (table.game.active_seat, table.game.dice) == (1, (3, 5))


def test_a_token_that_was_entered_before_it_is_taken_is_the_same_one(macroscope):
    """Who presses "Enter token" and then takes it was told to put it back (a player at the virtual table)."""
    table = macroscope()
    table.press(B.PLUS, B.SEAT5)
    assert (table.game.tokens, table.game.phase) == ((2, 1, 2, 2, 1, 2), Phase.OPEN)
    table.send(LidRead(10, (2, 1, 2, 2, 1, 2), table.clock.now), TokenTaken(5, 5, 0.99, table.clock.now))
    assert (table.state.notice, table.state.question) == (None, None)
    assert table.game.tokens == (2, 1, 2, 2, 1, 2)


@pytest.mark.parametrize("order", [(4, 5), (5, 4)])
def test_two_tokens_may_be_entered_before_they_are_taken(table, order):
    """ "That was a 4: please put it back": the game had already taken both."""
    made = table(3, definition=GAME)
    made.roll(4, 5)
    made.press(B.PLUS, B.SEAT4, B.PLUS, B.SEAT5)
    seen = [2] * 6
    for number in order:
        seen[number - 1] -= 1
        made.send(
            LidRead(sum(seen), tuple(seen), made.clock.now),
            TokenTaken(number, number, 0.99, made.clock.now),
        )
        assert (made.state.notice, made.state.question) == (None, None)
    assert made.game.taken_tokens == (4, 5)


def test_what_waited_for_an_answer_is_read_once_the_table_has_answered(macroscope):
    """A wrong token was asked about, a right one taken, and the wrong one put back: the right one came a turn late."""
    table = macroscope()
    table.take_token(6, 3)
    assert table.state.question.title == "That was a 6"
    table.clock.now += 1
    table.take_token(5, 1)
    table.clock.now += 1
    table.put_token(6, 3)
    assert (table.state.question, table.game.taken_tokens) == (None, (2, 5))


def test_a_reading_of_the_lid_that_waited_is_older_than_what_was_read_since(macroscope):
    """The game asked whether as many windows are covered as it had counted itself."""
    table = macroscope()
    waited = LidRead(11, (2, 1, 2, 2, 2, 2), table.clock.now)
    table.clock.now += 1
    table.send(LidRead(10, (2, 1, 2, 2, 1, 2), table.clock.now), TokenTaken(1, 5, 0.99, table.clock.now))
    table.send(waited)
    table.press(B.SEAT1)
    assert (table.state.question, table.game.frozen_value) == (None, 10)
