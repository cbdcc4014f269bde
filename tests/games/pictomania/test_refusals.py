"""Why a Pictomania move is refused: the rule and the whole sentence that the table reads."""

from __future__ import annotations

from companion.gallery.fixtures import parse_move, play_moves
from companion.games.pictomania import Pictomania
from companion.games.pictomania.samples import new_game, start_drawing, start_scoring
from tests.games.refusals import find_reason

REASONS: list[tuple[Pictomania, str, str]] = [
    (new_game(variant="only_green"), "colour", "V1: this game is played with green cards only"),
    (play_moves(new_game(), "deal"), "colour", "P10: the difficulty is chosen before the cards are dealt"),
    (new_game(), "take 0", "P24: bonus tokens are taken while everybody draws"),
    (
        play_moves(start_drawing(3), "take 0, take 1"),
        "take 2",
        "P25: the last bonus token is taken, the drawing is over",
    ),
    (play_moves(start_drawing(3), "stop"), "take 2", "P24: bonus tokens are taken while everybody draws"),
    (new_game(), "right 1", "P30: no pile is being scored now"),
    (new_game(), "misdrawn 1", "P30: no pile is being scored now"),
    (start_scoring(), "misdrawn 1", "P30: it is seat 0's pile that is being scored, not seat 1's"),
    (start_scoring(), "drawn 0", "P31: nobody has said that seat 0 drew another clue"),
    (play_moves(start_scoring(), "misdrawn 0"), "right 1", "P31: all cards have gone back from seat 0's pile"),
    (play_moves(start_scoring(), "misdrawn 0"), "misdrawn 0", "P31: all cards have gone back from seat 0's pile"),
    (start_scoring(), "right 0", "P21: seat 0 cannot guess at an own drawing"),
    (start_scoring(), "off 1", "P21: seat 1 has no card on this pile"),
    (start_scoring(), "wrong 1", "P32: seat 1 has no card on this pile"),
    (play_moves(start_scoring(), "right 1, wrong 1"), "wrong 1", "P32: seat 1's card is wrong already"),
    (play_moves(start_scoring(), "right 1"), "off 1", "P21: seat 1's card was right; say first that it was wrong"),
    (
        play_moves(start_scoring(rounds=1), "next, next, next, next_round"),
        "deal",
        "P40: the game is over after 1 round",
    ),
]
"""A game; the move tried; why it is refused."""


def test_refusals() -> None:
    assert [find_reason(game, parse_move(text)) for game, text, _ in REASONS] == [reason for *_, reason in REASONS]
