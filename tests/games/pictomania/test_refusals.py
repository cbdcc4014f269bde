"""Why a Pictomania move is refused: the rule and the whole sentence that the table reads."""

from __future__ import annotations

import pytest

from companion.api import Correction, IllegalMove, Seat
from companion.games.pictomania import Pictomania
from companion.testing.checks import is_legal
from tests.games.pictomania.positions import new_game, parse_move, play_moves, start_drawing, start_scoring


def leave(game: Pictomania, seat: int) -> Pictomania:
    return game.correct(Correction("away", Seat(seat), (1,)))


STOPPED = play_moves(start_drawing(3), "take 0, take 1")
KNOWN = play_moves(start_scoring(4), "number 0 3, card 1 4, next")


@pytest.mark.parametrize(
    ("game", "text", "message"),
    [
        (new_game(), "dance", "P20: 'dance' is not a move of this game"),
        (new_game(variant="only_green"), "colour", "V1: this game is played with green cards only"),
        (play_moves(new_game(), "deal"), "colour", "P10: the difficulty is chosen before the cards are dealt"),
        (play_moves(new_game(), "deal"), "deal", "P12: the cards are dealt already"),
        (new_game(), "start", "P14: the start signal follows when all have read the clues"),
        (new_game(), "go", "P14: the drawing begins with the start signal"),
        (new_game(), "stop", "P26: nobody is drawing now"),
        (new_game(), "score", "P30: the piles are turned over when the drawing is over"),
        (new_game(), "next", "P30: no pile is being scored now"),
        (new_game(), "back", "P30: there is no pile before this one"),
        (new_game(), "next_round", "P40: the next round begins when all piles of this one are scored"),
        (new_game(), "deal 0", "P1: deal belongs to no seat, and has no value"),
        (new_game(), "take", "P1: take needs one of the 3 seats, not None"),
        (new_game(), "take 3", "P1: take needs one of the 3 seats, not 3"),
        (new_game(), "take -1", "P1: take needs one of the 3 seats, not -1"),
        (new_game(), "take 0", "P24: bonus tokens are taken while everybody draws"),
        (new_game(), "right 1", "P30: no pile is being scored now"),
        (new_game(), "number 0 3", "P30: no pile is being scored now"),
        (STOPPED, "take 2", "P25: the last bonus token is taken, the drawing is over"),
        (play_moves(start_drawing(3), "stop"), "take 2", "P24: bonus tokens are taken while everybody draws"),
        (play_moves(start_drawing(4), "take 1"), "take 1", "P24: seat 1 has taken a bonus token and is finished"),
        (
            play_moves(start_drawing(4), "take 1"),
            "take 2 1",
            "P24: the best token that is left is taken, and no value is named",
        ),
        (leave(start_drawing(4), 3), "take 3", "P24: seat 3 is away"),
        (
            play_moves(leave(new_game(4), 3), "deal, start, go"),
            "take 3",
            "P24: seat 3 takes part from the next round on",
        ),
        (start_scoring(), "back", "P30: there is no pile before this one"),
        (start_scoring(), "misdrawn 1", "P30: it is seat 0's pile that is being scored, not seat 1's"),
        (start_scoring(), "drawn 0", "P31: nobody has said that seat 0 drew another clue"),
        (start_scoring(), "misdrawn 0 1", "P31: a wrong drawing has no value"),
        (start_scoring(), "number 0", "P12: a number card has a number from 1 to 7"),
        (start_scoring(), "number 0 0", "P12: a number card has a number from 1 to 7"),
        (start_scoring(), "number 0 8", "P12: a number card has a number from 1 to 7"),
        (start_scoring(), "number 0 1 2", "P12: a number card has a number from 1 to 7"),
        (play_moves(start_scoring(), "misdrawn 0"), "misdrawn 0", "P31: all cards have gone back from seat 0's pile"),
        (play_moves(start_scoring(), "misdrawn 0"), "number 0 1", "P31: all cards have gone back from seat 0's pile"),
        (play_moves(start_scoring(), "misdrawn 0"), "right 1", "P31: all cards have gone back from seat 0's pile"),
        (play_moves(start_scoring(), "number 0 1"), "number 0 2", "P12: seat 0's number is a 1"),
        (play_moves(start_scoring(), "number 0 7"), "number 0 7", "P12: seat 0's number is a 7"),
        (KNOWN, "number 1 3", "P12: seat 0 was dealt the 3"),
        (
            play_moves(KNOWN, "next, right 1"),
            "number 2 4",
            "P21: somebody's 4 lies on another pile, and cannot be right here",
        ),
        (start_scoring(), "right 0", "P21: seat 0 cannot guess at an own drawing"),
        (start_scoring(), "off 1", "P21: seat 1 has no card on this pile"),
        (start_scoring(), "wrong 1", "P32: seat 1 has no card on this pile"),
        (start_scoring(), "card 1 4", "P22: turn over seat 0's number card first"),
        (start_scoring(), "take 1", "P24: bonus tokens are taken while everybody draws"),
        (play_moves(start_scoring(), "right 1"), "right 1", "P21: seat 1 has a card on this pile already"),
        (play_moves(start_scoring(), "right 1"), "card 1 2", "P21: seat 1 has a card on this pile already"),
        (play_moves(start_scoring(), "right 1"), "off 1", "P21: seat 1's card was right; say first that it was wrong"),
        (
            play_moves(start_scoring(), "right 1"),
            "wrong 1 3",
            "P22: only a card that is entered as such has a number, not 'wrong'",
        ),
        (play_moves(start_scoring(), "right 1, wrong 1"), "wrong 1", "P32: seat 1's card is wrong already"),
        (play_moves(start_scoring(), "number 0 2"), "card 1", "P1: a guess card has a number from 1 to 7"),
        (play_moves(start_scoring(), "number 0 2"), "card 1 0", "P1: a guess card has a number from 1 to 7"),
        (play_moves(start_scoring(), "number 0 2"), "card 1 8", "P1: a guess card has a number from 1 to 7"),
        (
            play_moves(start_scoring(), "number 0 2"),
            "right 1 2",
            "P22: only a card that is entered as such has a number, not 'right'",
        ),
        (
            play_moves(leave(new_game(4), 3), "deal, start, go, stop, score"),
            "right 3",
            "P21: seat 3 takes part from the next round on",
        ),
        (play_moves(KNOWN, "number 1 5"), "card 1 4", "P21: seat 1 cannot guess at an own drawing"),
        (play_moves(KNOWN, "next, number 2 4"), "right 1", "P21: seat 1 has put the 4 on seat 0's pile"),
        (play_moves(KNOWN, "next, number 2 4"), "card 1 4", "P21: seat 1 has put the 4 on seat 0's pile"),
        (
            play_moves(start_scoring(4), "number 0 3, card 1 1, next, next, number 2 1"),
            "card 1 1",
            "P21: seat 1 has put the 1 on seat 0's pile",
        ),
        (play_moves(start_scoring(), "next, next, next"), "next", "P30: no pile is being scored now"),
        (play_moves(start_scoring(), "next, next, next"), "right 1", "P30: no pile is being scored now"),
        (
            play_moves(start_scoring(rounds=1), "next, next, next, next_round"),
            "deal",
            "P40: the game is over after 1 round",
        ),
        (
            play_moves(start_scoring(rounds=1), "next, next, next, next_round"),
            "dance",
            "P20: 'dance' is not a move of this game",
        ),
    ],
)
def test_refusals(game: Pictomania, text: str, message: str) -> None:
    move = parse_move(text)
    assert not is_legal(game, move)
    with pytest.raises(IllegalMove) as why:
        game.play(move)
    assert str(why.value) == message
