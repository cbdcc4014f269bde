"""People go on with the game without waiting for the screen: what they do at the table stands for the press (M33, M40).

Nothing that the camera has seen for certain is lost: it is played, kept for the turn that follows, or asked about.
"""

import pytest

from companion.api import LATE_PRESS_SECONDS, Correction, Move, Seat
from companion.events import (
    Button,
    ButtonPressed,
    CameraState,
    CameraStateChanged,
    DiceRead,
    LampState,
    LidCovered,
    LidRead,
    TokenTaken,
)
from companion.games.macroscope import GAME
from companion.games.macroscope.state import AskingReason, Phase

B = Button


@pytest.fixture
def macroscope(table):
    """A table of Ada, Bob and Cleo with a camera, after Ada has rolled 2 and 5 and taken a 2."""

    def make(players=3, **settings):
        made = table(players, definition=GAME, **settings)
        if made.game.phase is Phase.ROLL:
            made.roll(2, 5)
        made.take_token(2)
        return made

    return make


def lid(table, covered, numbers):
    table.send(LidRead(covered, numbers, table.clock.now))


def test_the_next_throw_is_the_stop_and_closes_the_asking(macroscope):
    table = macroscope()
    table.roll(3, 4)
    assert (table.game.active_seat, table.game.phase, table.game.dice) == (1, Phase.OPEN, (3, 4))
    assert table.game.crystals == (3, 2, 2), "Ada is paid for the window that she opened (M16)"
    table.take_token(4)
    assert table.game.covered_windows == 10, "a whole turn without a press"


def test_a_throw_after_stop_closes_the_asking(macroscope):
    table = macroscope()
    table.press(B.OK)
    assert table.game.phase is Phase.ASKING
    table.roll(3, 4)
    assert (table.game.active_seat, table.game.dice) == (1, (3, 4))


def test_undo_takes_back_what_the_table_said_press_by_press(macroscope):
    table = macroscope()
    before = table.game
    table.roll(3, 4)
    for _press in ("roll", "close", "stop"):
        table.hold(B.NO)
    assert table.game == before


def test_who_presses_within_three_seconds_still_may_guess_and_the_throw_is_kept(macroscope):
    table = macroscope()
    table.roll(3, 4)
    table.take_token(3)
    assert table.state.notice == "Not finished? Press your own button now"
    table.press(B.SEAT3)
    assert (table.game.phase, table.game.wishes, table.game.active_seat) == (Phase.ASKING, (2,), 0)
    assert table.game.covered_windows == 11, "Bob's token counts after the asking"
    table.press(B.OK, B.NO)  # Cleo is called, and says nothing after all
    if table.game.phase is Phase.ASKING:
        table.press(B.OK)
    assert (table.game.active_seat, table.game.dice, table.game.taken_tokens) == (1, (3, 4), (3,))


def test_the_active_player_may_still_guess_within_three_seconds(macroscope):
    table = macroscope()
    table.roll(3, 4)
    table.press(B.SEAT1)
    assert (table.game.guessers, table.game.frozen_value) == ((0,), 11)


@pytest.mark.parametrize(("presses", "reason"), [((B.OK, B.OK), "declined"), ((B.SEAT1, B.OK), "challenge")])
def test_who_presses_ok_twice_takes_nobodys_chance_away(macroscope, presses, reason):
    table = macroscope()
    table.press(*presses)
    table.send(ButtonPressed(B.OK, table.clock.now))  # half a second after the first one
    assert table.game.phase is (Phase.COVER if reason == "challenge" else Phase.ROLL)
    assert table.state.notice == "Not finished? Press your own button now"
    table.press(B.SEAT3)
    assert (table.game.phase, table.game.asking_reason, table.game.wishes) == (Phase.ASKING, reason, (2,))


def test_without_a_camera_ok_is_final(table):
    made = table(3, definition=GAME, camera=False)
    made.press(B.SEAT2, B.SEAT5, B.SEAT2, B.OK, B.OK)
    assert (made.game.phase, made.state.notice) == (Phase.ROLL, None), "the buttons enter the next roll"


def test_the_keys_of_those_who_may_still_press_are_lit(macroscope):
    table = macroscope()
    table.roll(3, 4)
    lamps, keys = table.referee.map_lamps(), table.state.soft_keys
    lit = {key.button for key in keys if key.label}
    assert {B.SEAT2, B.SEAT3} <= lit
    assert all(lamps[button] is not LampState.OFF for button in (B.SEAT2, B.SEAT3))
    table.wait(LATE_PRESS_SECONDS + 0.1)
    assert not {key.button for key in table.state.soft_keys if key.label} & {B.SEAT2, B.SEAT3}


def test_nobody_is_asked_for_a_late_press_where_the_buttons_take_tokens(macroscope):
    table = macroscope()
    table.send(CameraStateChanged(CameraState.STEADY, table.clock.now, lid_known=False))
    table.press(B.OK, B.OK)
    assert table.state.notice == "Not finished? Press your own button now"
    table.roll(3, 4)
    assert (table.game.dice, table.state.notice) == ((3, 4), None)


def test_later_the_press_means_nothing_any_more(macroscope):
    table = macroscope()
    table.roll(3, 4)
    table.wait(LATE_PRESS_SECONDS + 0.1)
    assert table.state.notice is None
    table.press(B.SEAT3)
    assert (table.game.phase, table.game.active_seat) == (Phase.OPEN, 1)


def test_a_throw_closes_no_asking_in_which_somebody_wishes_to_guess(macroscope):
    table = macroscope()
    table.press(B.OK, B.SEAT3)
    table.roll(3, 4)
    assert (table.game.phase, table.game.wishes) == (Phase.ASKING, (2,))
    assert table.state.notice == "3 and 4 thrown: kept for the next turn"
    table.press(B.OK, B.NO, B.OK)
    assert (table.game.active_seat, table.game.dice) == (1, (3, 4))


def test_a_throw_that_is_taken_up_again_is_forgotten(macroscope):
    table = macroscope()
    table.press(B.OK, B.SEAT3)
    table.roll(3, 4)
    table.roll()
    table.press(B.OK, B.NO, B.OK)
    assert table.game.phase is Phase.ROLL


def test_a_throw_before_the_windows_are_covered_is_kept_for_the_round_that_follows(macroscope):
    table = macroscope()
    table.press(B.SEAT1, B.OK)
    table.roll(3, 4)
    assert table.game.phase is Phase.COVER
    table.cover()
    table.press(B.SEAT1)
    assert (table.game.round_number, table.game.dice) == (2, (3, 4))


def test_one_die_that_was_knocked_over_is_no_throw(macroscope):
    table = macroscope()
    table.send(DiceRead((2, 4), 0.99, table.clock.now, lying=(True, False)))
    assert table.state.question.title == "Dice moved: 2 and 4?"
    table.press(B.OK)
    assert (table.game.active_seat, table.game.dice) == (0, (2, 5))


def test_an_uncertain_throw_ends_no_turn(macroscope):
    table = macroscope()
    table.press(B.OK)
    table.roll(3, 4, confidence=0.6)
    assert table.game.phase is Phase.ASKING
    table.press(B.OK)
    assert table.state.question.title == "Is it 3 and 4?"


def test_tables_that_wait_for_ok_lose_no_throw(macroscope):
    table = macroscope()
    table.referee.services = table.referee.services.__class__(table.clock, waits_for_ok=True)
    table.roll(3, 4)
    assert (table.game.active_seat, table.state.notice) == (0, "Press OK first")
    table.press(B.OK, B.OK)
    assert (table.game.active_seat, table.game.dice) == (1, (3, 4))
    table.press(B.SEAT3)
    assert (table.game.phase, table.game.wishes) == (Phase.ASKING, (2,))
    table.press(B.OK, B.NO, B.OK)
    assert (table.game.active_seat, table.game.dice) == (1, (3, 4))


def test_without_dice_the_next_token_closes_the_asking(macroscope):
    table = macroscope(dice="off")
    table.press(B.OK)
    table.take_token(4)
    assert (table.game.active_seat, table.game.taken_tokens) == (1, (4,))


# Covering ------------------------------------------------------------------------------------------------------


def test_covering_the_windows_closes_the_asking_after_a_guess(macroscope):
    table = macroscope()
    table.press(B.SEAT1)
    table.cover()
    assert table.game.phase is Phase.REVEAL
    table.press(B.SEAT1)
    assert table.game.round_number == 2, "two presses for a guess that nobody challenges"


def test_covering_waits_for_a_challenger_who_has_not_named_a_picture(macroscope):
    table = macroscope()
    table.press(B.SEAT1, B.SEAT3)
    table.cover()
    assert (table.game.phase, table.game.called_seat) == (Phase.CALLED, 2)
    table.press(B.SEAT3)
    assert (table.game.phase, table.game.guessers) == (Phase.REVEAL, (0, 2))
    table.press(B.SEAT3)
    assert table.game.round_number == 2, "four presses with one challenge"


# The lid and the ledger ----------------------------------------------------------------------------------------


def test_a_missed_token_is_asked_about_before_a_guess_counts(macroscope):
    table = macroscope()
    lid(table, 10, (2, 1, 2, 2, 1, 2))
    table.press(B.SEAT1)
    assert table.state.question.title == "Are 10 windows covered?"
    assert table.game.frozen_value is None
    table.press(B.OK)
    assert (table.game.frozen_value, table.game.tokens) == (10, (2, 1, 2, 2, 1, 2))


def test_people_know_better_than_the_camera(macroscope):
    table = macroscope()
    lid(table, 10, (2, 1, 2, 2, 1, 2))
    table.press(B.SEAT1, B.MINUS)
    assert table.game.frozen_value == 11


def test_the_question_goes_when_the_lid_is_as_the_game_has_it(macroscope):
    table = macroscope()
    lid(table, 10, (2, 1, 2, 2, 1, 2))
    table.press(B.SEAT1)
    lid(table, 11, (2, 1, 2, 2, 2, 2))
    assert table.state.question is None
    table.press(B.SEAT1)
    assert table.game.frozen_value == 11


def test_a_lid_that_agrees_asks_nothing(macroscope):
    table = macroscope()
    lid(table, 11, (2, 1, 2, 2, 2, 2))
    table.press(B.SEAT1)
    assert table.game.frozen_value == 11


def test_a_throw_that_ends_the_turn_asks_about_the_lid_first(macroscope):
    table = macroscope()
    lid(table, 10, (2, 1, 2, 2, 1, 2))
    table.roll(3, 4)
    assert table.game.active_seat == 0
    table.press(B.OK)
    assert (table.game.active_seat, table.game.dice, sum(table.game.tokens)) == (1, (3, 4), 10)


@pytest.mark.parametrize("kind", ["guess", "stop", "stop for all"])
def test_the_lid_is_asked_about_before_each_move_that_counts_windows(macroscope, kind):
    table = macroscope()
    lid(table, 10, (2, 1, 2, 2, 1, 2))
    assert table.referee.readings.find_contradiction(Move(kind, Seat(0))) is not None


@pytest.mark.parametrize("end", [B.SEAT1, B.OK])
def test_a_token_seen_just_after_the_press_may_have_been_taken_before_it(macroscope, end):
    table = macroscope()
    table.press(end)
    table.send(TokenTaken(3, 5, 0.99, table.clock.now))
    assert table.state.question.title == "Was the 5 taken before that?"
    table.press(B.OK)
    assert table.game.covered_windows == 10
    assert (table.game.frozen_value, table.game.crystals[0]) == ((10, 2) if end is B.SEAT1 else (None, 4))


def test_a_token_taken_long_after_a_guess_is_put_back(macroscope):
    table = macroscope()
    table.press(B.SEAT1)
    table.wait(10)
    table.take_token(5)
    assert (table.state.question, table.state.notice) == (None, "That was a 5: please put it back")
    assert not isinstance(table.played(), Correction)


# Presses before the camera has read what they are about --------------------------------------------------------


@pytest.fixture
def hand_over_the_lid(macroscope):
    """Ada's turn has ended by Bob's throw; Bob's hand is over the lid. Returned: the table, and how the hand leaves."""
    table = macroscope()
    table.roll(3, 4)

    def leave(*readings):
        table.send(*readings, CameraStateChanged(CameraState.STEADY, table.clock.now, lid_known=True))
        for _press in range(2):
            table.wait(0.0)  # one in each turn of the loop

    table.send(CameraStateChanged(CameraState.HAND, table.clock.now, lid_known=True))
    return table, leave


def test_a_guess_before_the_token_is_read_is_not_taken_for_one_before_the_throw(hand_over_the_lid):
    table, leave = hand_over_the_lid
    table.press(B.SEAT2)
    assert (table.game.phase, table.state.notice) == (Phase.OPEN, "The camera waits for the hand to leave")
    table.wait(LATE_PRESS_SECONDS)
    leave(LidRead(10, (2, 1, 1, 2, 2, 2), table.clock.now), TokenTaken(3, 3, 0.99, table.clock.now))
    assert (table.game.guessers, table.game.frozen_value) == ((1,), 10)


def test_without_a_token_it_is_the_guess_before_the_throw(hand_over_the_lid):
    table, leave = hand_over_the_lid
    table.press(B.SEAT2)
    table.wait(LATE_PRESS_SECONDS)
    leave()
    assert (table.game.phase, table.game.wishes, table.game.active_seat) == (Phase.ASKING, (1,), 0)


def test_a_guess_waits_for_the_answer_about_the_token(hand_over_the_lid):
    table, leave = hand_over_the_lid
    table.press(B.SEAT2)
    leave(TokenTaken(3, None, 0.5, table.clock.now))
    table.press(B.SEAT3)
    assert (table.game.guessers, table.game.taken_tokens) == ((1,), (3,))


def test_others_wait_for_no_hand(hand_over_the_lid):
    table, _leave = hand_over_the_lid
    table.press(B.SEAT3)
    assert (table.game.active_seat, table.game.wishes) == (0, (2,))


@pytest.mark.parametrize(("is_taken", "expected"), [(True, (1, (1,), (2,))), (False, (0, (), (1, 2)))])
def test_who_presses_after_one_whose_press_waits_is_heard_after_it(hand_over_the_lid, is_taken, expected):
    """A token makes Bob's press a guess, which Cleo challenges; without one both guess for the turn before."""
    table, leave = hand_over_the_lid
    table.press(B.SEAT2, B.SEAT3)
    leave(*[TokenTaken(3, 3, 0.99, table.clock.now)] * is_taken)
    assert (table.game.active_seat, table.game.guessers, table.game.wishes) == expected


@pytest.fixture
def hand_covers_the_lid(macroscope):
    """Ada has guessed for 11, and Bob too unless told otherwise; hands cover the windows. Returned as above."""

    def make(*presses):
        table = macroscope()
        table.press(*presses)
        table.wait(2 * LATE_PRESS_SECONDS)
        table.send(CameraStateChanged(CameraState.HAND, table.clock.now, lid_known=True))

        def leave(*readings):
            at = table.clock.now
            covered = [LidCovered(at), CameraStateChanged(CameraState.STEADY, at, lid_known=True)]
            table.send(*readings, *covered)

        return table, leave

    return make


CHALLENGED = B.SEAT1, B.SEAT2, B.OK, B.SEAT2
"""Ada guesses, and Bob after her; Cleo still may."""


@pytest.mark.parametrize("guesses", [(*CHALLENGED, B.OK), CHALLENGED], ids=["all closed", "Cleo still may guess"])
@pytest.mark.parametrize(
    ("answer", "scores"),
    [(B.SEAT1, (15, 0, 2)), (B.SEAT2, (0, 11, 2)), (B.NO, (0, 0, 2))],
    ids=["Ada", "Bob", "nobody"],
)
def test_who_was_right_waits_while_a_hand_covers_the_lid(hand_covers_the_lid, guesses, answer, scores):
    table, leave = hand_covers_the_lid(*guesses)
    before = table.game
    table.press(answer)
    assert (table.game, table.state.notice) == (before, "The camera waits for the hand to leave")
    leave()
    assert table.game.phase is Phase.REVEAL, "the question is seen before it is answered"
    table.wait(0.0)
    assert table.game.round_number == 2
    assert table.game.totals == scores


def test_who_has_not_guessed_waits_for_no_lid(hand_covers_the_lid):
    table, leave = hand_covers_the_lid(*CHALLENGED, B.OK)
    table.press(B.SEAT3)
    assert table.state.notice == "The guessing of this round is over"
    leave()
    table.wait(0.0)
    assert table.game.phase is Phase.REVEAL


def test_no_once_more_is_not_meant_for_the_next_token(macroscope):
    """NO has said that nobody was right; after a token it would ask the others."""
    table = macroscope()
    table.press(B.SEAT1, B.OK)
    table.wait(LATE_PRESS_SECONDS)
    table.cover()
    table.press(B.NO)
    table.roll(3, 4)
    table.send(CameraStateChanged(CameraState.HAND, table.clock.now, lid_known=True))
    table.press(B.NO)
    table.send(TokenTaken(3, 3, 0.99, table.clock.now))
    table.send(CameraStateChanged(CameraState.STEADY, table.clock.now, lid_known=True))
    table.wait(0.0)
    assert (table.game.phase, table.game.taken_tokens) == (Phase.OPEN, (3,))


def test_all_are_asked_once_the_token_is_read(hand_over_the_lid):
    table, leave = hand_over_the_lid
    table.press(B.NO)
    leave(TokenTaken(3, 3, 0.99, table.clock.now))
    assert (table.game.phase, table.game.asking_reason) == (Phase.ASKING, AskingReason.MEANWHILE)


def test_undo_takes_back_a_press_that_waits(hand_over_the_lid):
    table, leave = hand_over_the_lid
    table.press(B.SEAT2)
    table.hold(B.NO)
    leave()
    assert (table.game.phase, table.game.wishes) == (Phase.ROLL, ())


def test_a_stop_before_the_token_is_read_waits_and_so_does_who_answers_it(hand_over_the_lid):
    table, leave = hand_over_the_lid
    table.press(B.OK, B.SEAT1)
    assert table.state.notice == "The camera waits for the hand to leave"
    leave(TokenTaken(3, 3, 0.99, table.clock.now))
    assert (table.game.asking_reason, table.game.wishes, table.game.totals) == (AskingReason.DECLINED, (0,), (3, 3, 2))


def test_ok_once_more_is_not_meant_for_the_next_token(macroscope):
    table = macroscope()
    table.press(B.OK)
    table.roll(3, 4)
    table.send(CameraStateChanged(CameraState.HAND, table.clock.now, lid_known=True))
    table.press(B.OK)
    table.send(TokenTaken(3, 3, 0.99, table.clock.now))
    table.send(CameraStateChanged(CameraState.STEADY, table.clock.now, lid_known=True))
    table.wait(0.0)
    assert (table.game.phase, table.game.taken_tokens) == (Phase.OPEN, (3,))


def test_ok_is_not_meant_in_the_turn_of_who_has_thrown_since(hand_over_the_lid):
    table, leave = hand_over_the_lid
    table.press(B.OK)
    table.send(TokenTaken(3, 3, 0.99, table.clock.now))
    table.roll(1, 2)
    table.send(TokenTaken(4, 1, 0.99, table.clock.now))
    leave()
    assert (table.game.active_seat, table.game.phase, table.game.taken_tokens) == (2, Phase.OPEN, (1,))


# What the camera has read too late or not for certain -----------------------------------------------------------


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
    lid(table, 11, (2, 1, 2, 2, 2, 2))
    table.wait(1.0)
    table.take_token(5, 1, confidence=0.85)
    table.press(B.SEAT5, B.SEAT1)
    assert (table.state.question, table.game.frozen_value) == (None, 10)


def test_the_lid_covered_before_the_last_tokens_were_read_makes_the_round_void(macroscope):
    table = macroscope()
    table.saved_game.correct(Correction("tokens", None, (0, 0, 0, 0, 1, 0)))
    lid(table, 12, (2, 2, 2, 2, 2, 2))
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
