"""The reason given for each move that the rules refuse: rule, sentence and players."""

from __future__ import annotations

from typing import Any

from companion.games.macroscope.state import Phase
from tests.games.macroscope.conftest import At, Play, as_move
from tests.games.refusals import find_reason

OPENED = ("roll 0 2 5", "remove 0 2")
GUESSED = (*OPENED, "guess 0")
DECLINED = (*OPENED, "stop 0")
CALLED = (*DECLINED, "wish 1", "wish 3", "close 0")
PICKING = (*DECLINED, "wish 1", "wish 2", "close 0")
CHALLENGED = (*GUESSED, "wish 1", "close 0", "name 1")
OTHERS_GUESSED = (*DECLINED, "wish 1", "close 0", "name 1")
REVEALING = (*CHALLENGED, "close 0", "cover")

REASONS: list[tuple[tuple[str, ...], str, str]] = [
    # Moves of the whole table
    ((), "renew", "D1: no card has been pulled since the deck was last renewed"),
    ((), "cover", "M40: the windows are covered when the guessing is over"),
    ((), "nobody", "M40: nothing is to be revealed now"),
    # Dice
    ((), "roll 1 2 5", "M10: it is seat 0's turn, not seat 1's"),
    (OPENED, "roll 0 2 5", "M10: the dice are rolled once, at the start of a turn"),
    # Tokens
    ((), "remove 1 2", "M10: it is seat 0's turn, not seat 1's"),
    ((), "remove 0 2", "M10: roll the dice first"),
    (OPENED[:1], "remove 0 3", "M11: the dice allow a 2 or a 5, not a 3"),
    ((*OPENED, "remove 0 5"), "remove 0 5", "M13: at most two tokens in a turn"),
    (GUESSED, "remove 0 5", "M21: a guess is said, no token is removed in this round any more"),
    (DECLINED, "remove 0 5", "M30: seat 0 has declined and opens no more windows"),
    # The active player guesses, stops, or asks
    ((), "guess 0", "M20: open at least one window before you guess"),
    ((), "stop 0", "M13: open at least one window before you stop"),
    (OPENED, "guess 1", "M15: it is seat 0's turn, not seat 1's"),
    (GUESSED, "guess 0", "A6: seat 0 has guessed already"),
    (DECLINED, "guess 0", "M31: seat 0 has declined, and that is final"),
    ((*OTHERS_GUESSED, "close 0"), "guess 0", "M31: seat 0 has declined, and that is final"),
    ((), "ask 0", "M30: the others are asked between the first and the second token"),
    ((*OPENED, "remove 0 5"), "ask 0", "M30: the others are asked between the first and the second token"),
    (DECLINED, "ask 0", "M30: the others are asked between the first and the second token"),
    ((*OPENED, "ask 0", "close 0"), "ask 0", "M30: the others have been asked since the first token"),
    # The others
    ((), "wish 1", "M15: the others guess only after the active player has guessed or declined"),
    (DECLINED, "wish 0", "M31: seat 0 is the active player and does not guess as another"),
    (GUESSED, "wish 0", "A6: seat 0 has guessed already, one guess a round"),
    (CHALLENGED, "wish 1", "A6: seat 1 has guessed already, one guess a round"),
    ((*CHALLENGED, "close 0"), "wish 2", "M40: the guessing of this round is over"),
    ((*DECLINED, "wish 1"), "wish 1", "M33: seat 1 has already said so"),
    (DECLINED, "withdraw 2", "M33: seat 2 has not asked to guess"),
    (PICKING, "withdraw 1", "M24: say first who begins; seat 1 may withdraw when called"),
    (PICKING, "name 1", "M24: nobody is called yet"),
    (CALLED, "name 3", "M24: it is seat 1's turn to say a guess, not seat 3's"),
    (DECLINED, "close 1", "M33: it is seat 0's turn, not seat 1's"),
    (OPENED, "close 0", "M33: there is no asking to close now"),
    (PICKING, "pick 1 1", "M24: it is seat 0's turn, not seat 1's"),
    (PICKING, "pick 0 3", "M24: only seat 1 or seat 2 can go first"),
    (CALLED, "pick 0 1", "M24: there is nobody to pick from now"),
    # The card
    (CHALLENGED, "right 1", "M40: nothing is to be revealed now"),
    (REVEALING, "right 2", "M41: seat 2 has not guessed in this round"),
]
"""Moves played in a game of four players with 4, 4, 4 and 5 crystals; the move tried; why it is refused."""


def test_a_refusal_gives_rule_reason_and_players(at: At, play: Play) -> None:
    found = [find_reason(play(at((4, 4, 4, 5)), *played), as_move(tried)) for played, tried, _ in REASONS]
    assert found == [reason for *_, reason in REASONS]


EASY = {"variant": "easy"}
NO_SIXES = {"tokens": (0, 2, 2, 2, 1, 0)}
RARER: list[tuple[tuple[int, ...], dict[str, Any], dict[str, Any], tuple[str, ...], str, str]] = [
    ((2, 2), {}, {"phase": Phase.OVER}, (), "roll 0 2 5", "M60: the game is over after 10 scored rounds"),
    ((2, 2), {}, {"cards_used": 3}, ("roll 0 2 5",), "renew",
     "D1: the deck is renewed between two rounds, with all windows covered"),
    ((2, 2), {"dice": "off"}, {}, (), "roll 0 2 5", "M12: this game is played without dice"),
    ((2, 2), {}, NO_SIXES, OPENED, "remove 0 6", "M11: there is no token 6 on the device"),
    ((2, 2), {}, NO_SIXES, OPENED, "remove 0 2", "M11: the dice allow a 5, not a 2"),
    ((2, 2), {"match_dice": "at_roll"}, NO_SIXES, ("roll 0 5 5", "remove 0 5"), "remove 0 3",
     "M11: the dice allow no second token, not a 3"),
    ((2, 2), EASY, {}, OPENED, "ask 0", "V4: the others are asked once, after the last token"),
    ((2, 2), {"others_may_guess_after_first_token": False}, {}, OPENED, "ask 0",
     "A4: in this game the others are not asked after the first token"),
    ((9, 1), {}, {}, OPENED, "ask 0", "M30: nobody has the 2 crystals that a guess costs"),
    ((2, 1, 2), {}, {}, GUESSED, "wish 1", "M23: a challenge costs 2 crystals, seat 1 has 1"),
    ((2, 1, 2), {}, {}, DECLINED, "wish 1", "M23: a guess costs 2 crystals, seat 1 has 1"),
    ((2, 2), EASY, {}, GUESSED, "wish 1", "V3: nobody may challenge a guess in the easier variant"),
    ((2, 2), EASY, {"tokens": (1, 0, 0, 0, 0, 0)}, ("roll 0 1 1", "remove 0 1"), "wish 0",
     "M40: the guessing of this round is over"),
    ((2, 2), {}, {"tokens": (1, 0, 0, 0, 0, 0)}, ("roll 0 1 1", "remove 0 1"), "guess 1",
     "M40: the windows are being covered"),
]  # fmt: skip
"""Crystals, house rules, fields of the state, moves played, the move tried, why it is refused."""


def test_a_refusal_gives_its_reason_under_other_house_rules_and_in_rarer_states(at: At, play: Play) -> None:
    for crystals, settings, fields, played, tried, reason in RARER:
        assert find_reason(play(at(crystals, settings, **fields), *played), as_move(tried)) == reason
