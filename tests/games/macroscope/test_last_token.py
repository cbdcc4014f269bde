"""The last token by the game makes the round void (M50): the lid is looked at first, however the token was learned."""

import pytest

from companion.api import LATE_PRESS_SECONDS, Correction
from companion.events import Button, ButtonPressed, CameraState, CameraStateChanged, LidCovered, LidRead, TokenTaken
from companion.games.macroscope import GAME
from companion.games.macroscope.state import Phase

B = Button


@pytest.fixture
def with_last_token(macroscope):
    """A table where the game has one 5 left; Ada has rolled 2 and 5 and taken a 2. The lid has `numbers` left."""

    def make(numbers, covered=1):
        table = macroscope()
        table.saved_game.correct(Correction("tokens", None, (0, 0, 0, 0, 1, 0)))
        table.send(LidRead(covered, numbers, table.clock.now))
        return table

    return make


A_SIX = (0, 0, 0, 0, 0, 1)


@pytest.mark.parametrize("confidence", [0.99, 0.8, None], ids=["certain", "uncertain", "by hand"])
@pytest.mark.parametrize(
    ("button", "tokens", "crystals"),
    [(B.OK, A_SIX, (2, 2, 2)), (B.MINUS, (0,) * 6, (4, 2, 2))],
    ids=["one is left", "none is left"],
)
def test_the_last_token_by_the_game_is_asked_about_where_the_lid_has_another(
    with_last_token, confidence, button, tokens, crystals
):
    """The round was void and paid, though a window was covered."""
    table = with_last_token(A_SIX)
    if confidence is None:
        table.press(B.PLUS)
    else:
        table.send(TokenTaken(1, 5, confidence, table.clock.now))
    if confidence != 0.99:
        table.press(B.SEAT5)
    question = table.state.question
    assert (question.title, question.detail) == ("Is 1 window covered?", "By the tokens taken it would be 0")
    table.press(button)
    assert (table.game.tokens, table.game.crystals) == (tokens, crystals)
    assert table.game.phase is (Phase.OPEN if any(tokens) else Phase.COVER)


@pytest.mark.parametrize("answer", [B.OK, B.NO], ids=["before", "after"])
def test_the_last_token_is_asked_about_after_the_answer_whose_it_was(macroscope, answer):
    table = macroscope()
    table.saved_game.correct(Correction("tokens", None, (0, 0, 0, 1, 1, 0)))
    table.send(CameraStateChanged(CameraState.HAND, table.clock.now, lid_known=True))
    table.roll(4, 5)
    at = table.clock.now
    table.send(TokenTaken(0, 4, 0.99, at), LidRead(1, A_SIX, at), TokenTaken(1, 5, 0.99, at))
    assert table.state.question.title == "Was the 5 taken before that?"
    table.press(answer)
    assert table.state.question is not None
    assert table.state.question.title == "Is 1 window covered?"
    table.press(B.OK)
    assert (table.game.tokens, table.game.active_seat, table.game.phase) == (A_SIX, 1, Phase.OPEN)
    assert table.game.taken_tokens == ((4,) if answer is B.OK else (4, 5))


def test_nobody_goes_back_from_tokens_that_the_lid_puts_right(with_last_token):
    """After "Back" the game kept the 5, and the lid a 6: as many, so that nothing was asked any more."""
    table = with_last_token(A_SIX)
    table.take_token(5, 1)
    table.press(B.NO)
    assert table.state.question is not None
    table.press(B.OK)
    assert table.game.tokens == A_SIX


def test_who_is_pressing_already_has_not_read_the_question(with_last_token):
    """The key that names the token taken also names the one that is left."""
    table = with_last_token((0,) * 6)
    table.press(B.PLUS, B.SEAT5)
    table.send(ButtonPressed(B.SEAT5, table.clock.now))
    assert table.state.question is not None


@pytest.mark.parametrize(
    ("numbers", "button", "tokens", "crystals"),
    [
        (A_SIX, B.OK, A_SIX, (4, 2, 2)),
        ((0,) * 6, B.SEAT6, A_SIX, (4, 2, 2)),
        ((0,) * 6, B.NO, (0, 0, 0, 0, 1, 0), (3, 2, 2)),
    ],
    ids=["numbered", "blank side up", "back"],
)
def test_whose_the_last_token_was_is_asked_first(with_last_token, numbers, button, tokens, crystals):
    """It was the next player's, since nobody could stop after it by the game's tokens."""
    table = with_last_token((0, 0, 0, 0, 1, 0))
    table.send(CameraStateChanged(CameraState.HAND, table.clock.now, lid_known=True))
    table.roll(4, 5)
    table.send(LidRead(1, numbers, table.clock.now), TokenTaken(1, 5, 0.99, table.clock.now))
    assert table.state.question.title == "Was the 5 taken before that?"
    table.press(B.OK)
    assert table.state.question.title == "Is 1 window covered?"
    table.press(button)
    assert (table.game.tokens, table.game.crystals) == (tokens, crystals)
    assert (table.game.active_seat, table.game.dice, table.game.taken_tokens) == (1, (4, 5), ())


@pytest.mark.parametrize("thrown", [(), (1, 6)], ids=["once", "again"])
@pytest.mark.parametrize("by_press", [True, False])
def test_dice_thrown_before_the_round_is_known_to_be_void_count_after_it(with_last_token, by_press, thrown):
    """They were lost: "It is Bob's turn, not Ada's"."""
    table = with_last_token((0, 0, 0, 0, 1, 0))
    table.send(CameraStateChanged(CameraState.HAND, table.clock.now, lid_known=True))
    table.roll(4, 5)
    table.send(LidRead(1, (0,) * 6, table.clock.now), TokenTaken(1, 5, 0.99, table.clock.now))
    table.press(B.OK, B.MINUS)
    assert (table.game.phase, table.state.notice) == (Phase.COVER, None)
    if thrown:
        table.roll(*thrown)
    table.send(CameraStateChanged(CameraState.STEADY, table.clock.now, lid_known=True))
    table.wait(LATE_PRESS_SECONDS)
    if by_press:
        table.press(B.OK)
    else:
        table.cover()
    assert (table.game.active_seat, table.game.dice, table.game.phase) == (1, thrown or (4, 5), Phase.OPEN)


def test_a_token_entered_before_it_is_taken_is_the_last_one(with_last_token):
    table = with_last_token((0, 0, 0, 0, 1, 0))
    table.press(B.PLUS, B.SEAT5)
    assert (table.state.question, table.game.phase) == (None, Phase.COVER)


@pytest.fixture
def with_two_last_tokens(table):
    """A table where the game and the lid have a 4 and a 5 left; Ada has rolled 4 and 5."""
    made = table(3, definition=GAME)
    made.roll(4, 5)
    made.saved_game.correct(Correction("tokens", None, (0, 0, 0, 1, 1, 0)))
    made.send(LidRead(2, (0, 0, 0, 1, 1, 0), made.clock.now))
    return made


def test_two_tokens_entered_before_they_are_taken_are_the_last_ones(with_two_last_tokens):
    """It asked whether 2 windows are covered, and after "Yes" the two were left for good."""
    table = with_two_last_tokens
    table.press(B.PLUS, B.SEAT4, B.PLUS, B.SEAT5)
    assert (table.state.question, table.game.phase) == (None, Phase.COVER)


def test_two_last_tokens_taken_under_the_hand_that_covers_the_lid_make_the_round_void(with_two_last_tokens):
    """Where not all windows were read with certainty it asked about the lid as it was before."""
    table = with_two_last_tokens
    table.wait(1.0)
    table.cover()
    assert (table.state.question, table.game.phase) == (None, Phase.ROLL)
    assert (table.game.active_seat, table.game.covered_windows) == (1, 12)


def test_covering_the_windows_answers_no_question_about_the_last_token(with_last_token):
    table = with_last_token(A_SIX)
    table.take_token(5, 1)
    table.send(LidRead(12, (2,) * 6, table.clock.now), LidCovered(table.clock.now))
    assert table.state.question is not None
    table.press(B.OK)
    assert table.game.tokens == A_SIX


@pytest.mark.parametrize(
    ("covered", "numbers", "title"),
    [(1, (0,) * 6, "Is 1 window covered?"), (2, (0, 0, 0, 0, 2, 0), "Are 2 windows covered?")],
    ids=["blank side up", "one token more than there are"],
)
def test_nobody_has_to_say_that_the_last_token_is_gone_where_the_lid_has_one(macroscope, covered, numbers, title):
    """The round was void where the token has no number, and "No, 0" the only answer where none fits the rules."""
    table = macroscope()
    table.saved_game.correct(Correction("tokens", None, (0, 0, 0, 0, 1, 0)))
    before = table.game
    table.send(LidRead(covered, numbers, table.clock.now), TokenTaken(1, 5, 0.99, table.clock.now))
    assert table.state.question is not None
    assert table.state.question.title == title
    table.press(B.NO)
    assert (table.state.question, table.game) == (None, before)


@pytest.mark.parametrize("presses", [(), (B.NO, B.PLUS, B.SEAT5)], ids=["at once", "entered by hand after Back"])
def test_a_key_names_the_token_that_lies_blank_side_up(with_last_token, presses):
    table = with_last_token((0,) * 6)
    table.take_token(5, 1)
    table.press(*presses)
    assert [key.label for key in table.state.soft_keys if key.label.endswith("is left")] == [
        f"{n} is left" for n in range(1, 7)
    ]
    table.press(B.SEAT6)
    assert (table.game.tokens, table.game.taken_tokens, table.game.phase) == (A_SIX, (2, 5), Phase.OPEN)


def test_two_that_lie_blank_side_up_count_though_no_key_says_their_numbers(with_last_token):
    """The token that the camera saw was dropped by "Back", the only answer beside "No, 0"."""
    table = with_last_token((0,) * 6, 2)
    table.take_token(5, 1)
    assert [key.label for key in table.state.soft_keys if key.label in {"Yes, 2", "Back"}] == ["Yes, 2"]
    table.press(B.OK)
    assert (table.game.covered_windows, table.game.taken_tokens) == (2, (2, 5))
    table.press(B.OK)
    assert (table.state.question, table.game.crystals) == (None, (4, 2, 2))


def test_a_token_that_the_dice_do_not_allow_beside_the_one_left_stands(table):
    """OK put the tokens right, and dropped the one that was taken: the 3 was free only by the game's tokens."""
    made = table(3, definition=GAME)
    made.roll(2, 3)
    made.take_token(2)
    made.saved_game.correct(Correction("tokens", None, (0, 0, 0, 0, 1, 0)))
    made.send(LidRead(1, (0, 0, 1, 0, 0, 0), made.clock.now), TokenTaken(1, 5, 0.99, made.clock.now))
    made.press(B.OK)
    assert (made.game.tokens, made.game.taken_tokens) == ((0, 0, 1, 0, 0, 0), (2, 5))


def test_the_last_token_is_asked_about_where_it_is_let_stand(table):
    """With this house rule no die is free for the 3, and "Let it stand" made the round void."""
    made = table(3, definition=GAME, match_dice="at_roll")
    made.roll(5, 5)
    made.take_token(5)
    made.saved_game.correct(Correction("tokens", None, (0, 0, 1, 0, 0, 0)))
    made.send(LidRead(1, A_SIX, made.clock.now), TokenTaken(1, 3, 0.99, made.clock.now))
    assert made.state.question.title == "That was a 3"
    made.press(B.OK)
    assert made.state.question.title == "Is 1 window covered?"
    made.press(B.OK)
    assert (made.game.tokens, made.game.taken_tokens) == (A_SIX, (5, 3))
