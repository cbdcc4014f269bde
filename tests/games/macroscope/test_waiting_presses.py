"""Presses before the camera has read what they are about wait for it."""

import pytest

from companion.api import LATE_PRESS_SECONDS
from companion.events import (
    Button,
    ButtonPressed,
    ButtonReleased,
    CameraState,
    CameraStateChanged,
    LidCovered,
    LidRead,
    PressTie,
    TokenTaken,
)
from companion.games.macroscope.state import AskingReason, Phase

B = Button


def press_under_hand(table, button, token):
    """Press a button while a hand is over the lid; then it leaves, and the camera reads the token that it took."""
    table.send(CameraStateChanged(CameraState.HAND, table.clock.now, lid_known=True))
    table.press(button)
    table.send(TokenTaken(3, token, 0.99, table.clock.now))
    table.send(CameraStateChanged(CameraState.STEADY, table.clock.now, lid_known=True))
    table.wait(0.0)


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


@pytest.fixture
def hidden_lid(macroscope):
    """Ada has taken a 2; her hand is over the lid again. Returned: the table, and how the hand leaves."""
    table = macroscope()
    table.wait(2 * LATE_PRESS_SECONDS)

    def leave(*readings):
        at = table.clock.now
        table.send(*readings, CameraStateChanged(CameraState.STEADY, at, lid_known=True))
        table.wait(0.0)

    table.send(CameraStateChanged(CameraState.HAND, table.clock.now, lid_known=True, lid_hidden=True))
    return table, leave


def test_a_guess_below_a_hand_waits_for_the_second_token(hidden_lid):
    """Seed 130 of the filmed games: it froze V before the token was read, and the round was scored with that."""
    table, leave = hidden_lid
    table.press(B.SEAT1)
    assert (table.game.guessers, table.state.notice) == ((), "The camera waits for the hand to leave")
    leave(TokenTaken(0, 5, 0.99, table.clock.now))
    assert (table.game.guessers, table.game.taken_tokens, table.game.frozen_value) == ((0,), (2, 5), 10)


@pytest.mark.parametrize(
    ("button", "value"), [(B.SEAT5, 10), (B.NO, 11)], ids=["a token that nobody saw", "no other token"]
)
def test_where_all_is_covered_before_a_guess_could_be_read_the_last_token_is_asked_about(hidden_lid, button, value):
    table, leave = hidden_lid
    table.press(B.SEAT1)
    leave(LidRead(12, (2,) * 6, table.clock.now), LidCovered(table.clock.now))
    question = table.state.question
    assert question.title == "Which token was taken last?"
    assert [key.label for key in table.state.soft_keys if key.label][:2] == ["5", "No other"]
    table.press(button)
    assert (table.game.guessers, table.game.frozen_value) == ((0,), value)
    assert table.game.phase is Phase.REVEAL, "that all is covered was kept"


def test_a_guess_before_the_throw_of_the_same_hand_is_heard_before_it(hidden_lid):
    table, leave = hidden_lid
    table.press(B.SEAT1)
    table.roll(3, 4)
    leave()
    assert (table.game.guessers, table.game.active_seat, table.game.frozen_value) == ((0,), 0, 11)


def test_ok_below_a_hand_waits_and_the_throw_of_the_next_player_says_the_same(hidden_lid):
    table, leave = hidden_lid
    table.press(B.OK)
    assert table.game.phase is Phase.OPEN
    table.roll(3, 4)
    leave()
    assert (table.game.active_seat, table.game.dice) == (1, (3, 4))


def test_a_challenge_below_a_hand_waits_for_nothing(hidden_lid):
    """V is frozen by then (M21)."""
    table, leave = hidden_lid
    table.press(B.SEAT1)
    leave()
    assert table.game.guessers == (0,)
    table.send(CameraStateChanged(CameraState.HAND, table.clock.now, lid_known=True, lid_hidden=True))
    table.press(B.SEAT2)
    assert table.game.wishes == (1,)


@pytest.mark.parametrize(
    "others", [(B.PLUS, B.NO), (B.MINUS, B.OK), (B.NO,)], ids=["a menu", "a pause", "the others are asked"]
)
def test_a_guess_below_a_hand_is_not_lost_by_what_is_pressed_meanwhile(hidden_lid, others):
    table, leave = hidden_lid
    table.press(B.SEAT1, *others)
    assert table.game.guessers == ()
    leave()
    assert (table.game.guessers, table.game.frozen_value) == ((0,), 11)


def test_who_says_a_guess_below_a_hand_has_said_it_although_the_next_one_passes(macroscope):
    table = macroscope()
    table.press(B.NO, B.SEAT2, B.SEAT3, B.OK, B.SEAT2)
    assert (table.game.phase, table.game.called_seat) == (Phase.CALLED, 1)
    table.send(CameraStateChanged(CameraState.HAND, table.clock.now, lid_known=True, lid_hidden=True))
    table.press(B.SEAT2, B.SEAT3)
    assert (table.game.guessers, table.game.wishes) == ((), (1,))
    table.send(CameraStateChanged(CameraState.STEADY, table.clock.now, lid_known=True))
    table.wait(0.0)
    assert table.game.guessers == (1,)


def test_ok_after_a_guess_below_a_hand_says_nothing_of_dice(hidden_lid):
    table, leave = hidden_lid
    table.press(B.SEAT1, B.OK)
    leave()
    table.wait(0.0)
    assert (table.game.guessers, table.game.asking_reason) == ((0,), AskingReason.CHALLENGE)
    assert table.state.notice is None


def test_a_guess_below_a_hand_counts_when_the_camera_is_unplugged(hidden_lid):
    table, _leave = hidden_lid
    table.press(B.SEAT1)
    table.send(CameraStateChanged(CameraState.LOST, table.clock.now))
    table.wait(0.0)
    assert (table.game.guessers, table.game.frozen_value) == ((0,), 11)


def test_a_guess_that_waits_for_an_answer_comes_before_the_cover_that_waits_for_it_too(hidden_lid):
    table, leave = hidden_lid
    table.press(B.SEAT1)
    leave(TokenTaken(0, None, 0.5, table.clock.now))
    table.send(LidRead(12, (2,) * 6, table.clock.now), LidCovered(table.clock.now))
    assert table.state.question.title == "Which token was taken?"
    table.press(B.SEAT5)
    assert (table.game.guessers, table.game.frozen_value, table.game.phase) == ((0,), 10, Phase.REVEAL)


def test_a_guess_for_which_others_were_asked_after_one_token_is_not_asked_about_a_second(macroscope):
    table = macroscope()
    table.press(B.NO, B.SEAT2, B.OK)
    table.send(CameraStateChanged(CameraState.HAND, table.clock.now, lid_known=True, lid_hidden=True))
    table.press(B.SEAT2)
    table.send(LidRead(12, (2,) * 6, table.clock.now), LidCovered(table.clock.now))
    assert (table.state.question, table.game.guessers, table.game.frozen_value) == (None, (1,), 11)


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


def test_who_was_right_is_heard_after_the_cover_that_waits_for_an_answer(hand_covers_the_lid):
    table, leave = hand_covers_the_lid(B.SEAT1, B.OK)
    table.press(B.SEAT1, B.MINUS)
    leave()
    assert (table.state.question.title, table.game.phase) == ("Paused", Phase.COVER)
    table.press(B.OK)
    table.wait(0.0)
    assert (table.game.round_number, table.game.totals) == (2, (13, 2, 2))


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
    press_under_hand(table, B.NO, token=3)
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


def test_who_was_right_may_guess_at_once_with_the_next_token(hand_covers_the_lid):
    table, leave = hand_covers_the_lid(*CHALLENGED)
    leave()
    table.press(B.SEAT2)
    table.roll(1, 2)
    press_under_hand(table, B.SEAT2, token=1)
    assert (table.game.active_seat, table.game.guessers) == (1, (1,))


def test_ok_once_more_is_not_meant_for_the_next_token(macroscope):
    table = macroscope()
    table.press(B.OK)
    table.roll(3, 4)
    press_under_hand(table, B.OK, token=3)
    assert (table.game.phase, table.game.taken_tokens) == (Phase.OPEN, (3,))


def test_ok_is_not_meant_in_the_turn_of_who_has_thrown_since(hand_over_the_lid):
    table, leave = hand_over_the_lid
    table.send(CameraStateChanged(CameraState.HAND, table.clock.now, lid_known=True, lid_hidden=True))
    table.press(B.OK)
    table.send(TokenTaken(3, 3, 0.99, table.clock.now))
    table.roll(1, 2)
    table.send(TokenTaken(4, 1, 0.99, table.clock.now))
    leave()
    assert (table.game.active_seat, table.game.phase, table.game.taken_tokens) == (2, Phase.OPEN, (1,))
    assert table.state.notice == "The game went on before that press"


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("apart_seconds", [0.0, 0.002])
def test_of_two_presses_in_a_tie_none_is_lost(hand_over_the_lid, seed, apart_seconds):
    """Their order is drawn by lot, and so it may not be that of their stamps."""
    table, leave = hand_over_the_lid
    table.referee.services.rng.seed(seed)
    table.press(B.OK)
    at = table.clock.now
    presses = ButtonPressed(B.SEAT1, at), ButtonPressed(B.SEAT3, at + apart_seconds)
    table.clock.now += apart_seconds
    table.send(PressTie(presses, 0.005, at), *presses)
    leave(TokenTaken(3, 3, 0.99, table.clock.now))
    table.wait(0.0)
    assert sorted(table.game.wishes) == [0, 2]


@pytest.mark.parametrize("button", [B.OK, B.NO])
def test_a_press_after_the_reading_comes_after_those_that_waited(hand_over_the_lid, button):
    """It would end the turn or ask all others, but Bob has guessed before it, and Cleo too."""
    table, _leave = hand_over_the_lid
    table.press(B.SEAT2, B.SEAT3)
    at = table.clock.now
    if button is B.NO:
        table.send(ButtonPressed(B.NO, at))  # it counts when it is released
    table.send(TokenTaken(3, 3, 0.99, at), CameraStateChanged(CameraState.STEADY, at, lid_known=True))
    table.send((ButtonReleased if button is B.NO else ButtonPressed)(button, at + 0.02))
    assert (table.game.guessers, table.game.wishes) == ((1,), (2,))


def test_ok_once_more_right_after_the_reading_asks_nobody_in_vain(hand_over_the_lid):
    """It has waited for the token, and nobody can have read yet what OK means by now."""
    table, leave = hand_over_the_lid
    table.press(B.OK)
    table.wait(LATE_PRESS_SECONDS)
    leave(TokenTaken(3, 3, 0.99, table.clock.now))
    table.send(ButtonPressed(B.OK, table.clock.now + 0.1))
    assert (table.game.phase, table.game.active_seat) == (Phase.ASKING, 1)


@pytest.mark.parametrize(("seconds", "phase"), [((0.9,), Phase.OPEN), ((1.1,), Phase.ASKING), ((0.7, 0.7), Phase.OPEN)])
def test_ok_soon_after_an_answer_may_be_about_what_is_taken_next(macroscope, seconds, phase):
    """The token was put back, undone by OK, and taken again; OK under the hand said that the turn is over."""
    table = macroscope()
    table.put_token(2)
    table.press(B.OK)
    assert table.game.opened_windows == 0
    table.send(CameraStateChanged(CameraState.HAND, table.clock.now, lid_known=True))
    for wait in seconds[:-1]:
        table.clock.now += wait - 0.5
        table.press(B.OK)
    table.clock.now += seconds[-1] - 0.5
    press_under_hand(table, B.OK, 2)
    assert table.game.phase is phase
