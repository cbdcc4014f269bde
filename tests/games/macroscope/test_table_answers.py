"""People go on with the game without waiting for the screen: what they do at the table stands for the press (M33, M40).

Nothing that the camera has seen for certain is lost: it is played, kept for the turn that follows, or asked about.
"""

import pytest

from companion.api import LATE_PRESS_SECONDS, Correction, Move
from companion.events import (
    Button,
    ButtonPressed,
    CameraState,
    CameraStateChanged,
    LampState,
)
from companion.games.macroscope import GAME
from companion.games.macroscope.state import Phase

B = Button


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
    assert table.state.notice == "Your own button still counts for 3 seconds"
    table.press(B.SEAT3)
    assert (table.game.phase, table.game.wishes, table.game.active_seat) == (Phase.ASKING, (2,), 0)
    assert table.game.covered_windows == 11, "Bob's token counts after the asking"
    table.press(B.OK, B.NO)  # Cleo is called, and says nothing after all
    if table.game.phase is Phase.ASKING:
        table.press(B.OK)
    assert (table.game.active_seat, table.game.dice, table.game.taken_tokens) == (1, (3, 4), (3,))


def test_others_may_still_guess_where_a_throw_that_was_kept_closes_the_asking_again(macroscope):
    """The three seconds had begun with that throw, long before the only one who wished to guess said nothing."""
    table = macroscope(players=4)
    table.press(B.OK, B.SEAT3)
    table.roll(3, 4)
    table.wait(10.0)
    table.press(B.OK, B.NO)
    assert (table.game.active_seat, table.game.dice) == (1, (3, 4))
    assert table.state.notice == "Your own button still counts for 3 seconds"
    table.press(B.SEAT4)
    assert (table.game.phase, table.game.wishes, table.game.active_seat) == (Phase.ASKING, (3,), 0)
    table.press(B.OK, B.NO)
    assert (table.game.active_seat, table.game.dice) == (1, (3, 4))


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
    assert table.state.notice == "Your own button still counts for 3 seconds"
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
    assert table.state.notice == "Your own button still counts for 3 seconds"
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


def test_an_uncertain_throw_ends_no_turn(macroscope):
    table = macroscope()
    table.press(B.OK)
    table.roll(3, 4, confidence=0.6)
    assert table.game.phase is Phase.ASKING
    table.press(B.OK)
    assert table.state.question.title == "Is it 3 and 4?"


@pytest.mark.parametrize("values", [(4,), (1, 3, 4)], ids=["one", "three"])
@pytest.mark.parametrize("presses", [(), (B.OK,)], ids=["open", "asking"])
def test_another_number_of_dice_ends_no_turn(macroscope, values, presses):
    """One die is taken up, and the other one pushed; or a die of another game fell into the tray."""
    table = macroscope()
    table.press(*presses)
    before = table.game
    table.roll(*values)
    assert table.game == before
    table.roll(3, 4)
    assert (table.game.active_seat, table.game.dice) == (1, (3, 4))


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


def test_without_dice_a_third_token_is_the_stop_and_closes_the_asking(macroscope):
    table = macroscope(dice="off")
    table.take_token(3, window=1)
    table.take_token(4, window=2)
    assert (table.game.active_seat, table.game.taken_tokens, table.game.crystals) == (1, (4,), (4, 2, 2))
    assert table.state.notice == "Your own button still counts for 3 seconds"


def test_without_dice_a_second_token_may_be_of_the_same_player(macroscope):
    table = macroscope(dice="off")
    table.take_token(4, window=1)
    assert (table.game.active_seat, table.game.taken_tokens) == (0, (2, 4))


def test_without_dice_the_next_token_closes_the_asking_after_a_stop(macroscope):
    table = macroscope(dice="off")
    table.press(B.OK)
    table.take_token(4)
    assert (table.game.active_seat, table.game.taken_tokens) == (1, (4,))


@pytest.mark.parametrize("button", [B.SEAT1, B.SEAT3], ids=["active", "other"])
def test_without_dice_who_presses_just_after_the_next_token_still_may_guess(macroscope, button):
    table = macroscope(dice="off")
    table.take_token(3, window=1)
    table.take_token(4, window=2)
    table.press(button)
    guessing = ((0,), 10, ()) if button is B.SEAT1 else ((), None, (2,))
    assert (table.game.guessers, table.game.frozen_value, table.game.wishes) == guessing
    assert (table.game.taken_tokens, table.state.notice) == ((2, 3), "That was a 4: please put it back")


def test_without_dice_a_third_token_waits_at_a_table_that_waits_for_ok(macroscope):
    table = macroscope(dice="off")
    table.referee.services = table.referee.services.__class__(table.clock, waits_for_ok=True)
    table.take_token(3, window=1)
    table.take_token(4, window=2)
    assert (table.game.active_seat, table.state.notice) == (0, "Press OK first")
    table.press(B.OK, B.OK)
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


PULL = "Pull the card, look: "


@pytest.mark.parametrize(
    ("challenge", "question"),
    [((), "was Ada right?"), ((B.SEAT3, B.OK, B.SEAT3), "who was right?")],
    ids=["alone", "challenged"],
)
def test_the_card_is_still_to_be_pulled_when_the_camera_sees_the_lid_covered(macroscope, challenge, question):
    table = macroscope()
    table.press(B.SEAT1, *challenge)
    table.cover()
    assert (table.game.phase, table.state.prompt) == (Phase.REVEAL, PULL + question)


def test_without_a_camera_the_card_is_pulled_before_the_question(table):
    made = table(3, definition=GAME, camera=False)
    made.press(B.SEAT2, B.SEAT5, B.SEAT2, B.SEAT1, B.OK)
    assert (made.game.phase, made.state.prompt) == (Phase.COVER, "The round ends: three steps")
    made.press(B.OK)
    assert (made.game.phase, made.state.prompt) == (Phase.REVEAL, "Was Ada right?")


@pytest.mark.parametrize(("dice", "act"), [("on", "roll the dice"), ("off", "open a window")])
def test_the_card_of_a_void_round_is_still_to_be_put_away_when_the_lid_is_covered(macroscope, dice, act):
    table = macroscope(dice=dice)
    table.press(B.OK, B.OK)
    table.saved_game.correct(Correction("tokens", None, (0, 1, 0, 0, 0, 0)))
    if dice == "on":
        table.roll(2, 2)
    table.take_token(2, window=1)
    assert table.state.prompt == "Nobody guessed: three steps"
    table.cover()
    assert table.state.prompt == f"Cleo: old card in the box unseen, marker stays, {act}"
    table.saved_game.play_move(Move("renew"))
    assert "old card" not in table.state.prompt


NOBODY_HAS_GUESSED = "All windows are covered, but nobody has guessed"


def test_a_guess_that_is_pressed_after_covering_ends_the_round(macroscope):
    """The guess was said aloud: nothing told that the covered lid had been seen, and OK had to say it again."""
    table = macroscope()
    table.cover()
    assert (table.game.phase, table.state.notice) == (Phase.OPEN, NOBODY_HAS_GUESSED)
    table.press(B.SEAT1)
    assert (table.game.phase, table.game.guessers, table.game.frozen_value) == (Phase.REVEAL, (0,), 11)


def test_who_is_called_may_press_after_covering(macroscope):
    table = macroscope()
    table.press(B.OK, B.SEAT3, B.OK)
    assert table.game.phase is Phase.CALLED
    table.cover()
    assert (table.game.phase, table.state.notice) == (Phase.CALLED, NOBODY_HAS_GUESSED)
    table.press(B.SEAT3)
    assert (table.game.phase, table.game.guessers) == (Phase.REVEAL, (2,))


# The lid and the ledger ----------------------------------------------------------------------------------------
