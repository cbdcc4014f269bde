"""Why a Secret Number move is refused: the rule and the whole sentence that the table reads."""

from __future__ import annotations

from dataclasses import replace

from companion.api import Correction, Seat
from companion.games.secret_number import SecretNumber
from companion.games.secret_number.samples import lay_cards, new_game, start_round
from tests.games.refusals import find_reason
from tests.games.secret_number.positions import parse_move, play_moves


def leave(game: SecretNumber, seat: int) -> SecretNumber:
    return game.correct(Correction("away", Seat(seat), (1,)))


REVEAL = lay_cards(new_game(3), "AB")
FIXING = play_moves(REVEAL, "wrong 0", "fix")
ALL_TURNED = play_moves(REVEAL, "wrong 0", "wrong 1")
ASKED = play_moves(REVEAL, "wrong 0", "right 1")
LAST_GAME = lay_cards(new_game(2, games=1))
FULL = play_moves(start_round(2), "lay 0", "lay 1", "lay 0", "lay 1", "lay 0", "lay 1")
ALL_LAID = play_moves(lay_cards(new_game(2), "ABABAB"), "fix")


REASONS: list[tuple[SecretNumber, str, str]] = [
    (start_round(3), "dance", "S20: 'dance' is not a move of this game"),
    (start_round(3), "dealt", "S4: the cards are dealt at the start of a game"),
    (start_round(3), "again", "S4: the cards are dealt again only before a game begins"),
    (start_round(3), "ready", "S11: a round is prepared before it starts"),
    (start_round(3), "go", "S20: a round starts when all show at the same time"),
    (start_round(3), "wait", "S20: only what has not started yet can wait"),
    (start_round(3), "end 0", "S20: 'end' belongs to the whole table"),
    (start_round(3), "next", "S6: the next game starts when this one is scored"),
    (start_round(3), "fix", "S25: the pile is corrected when it is turned"),
    (start_round(3), "earlier", "S25: there is no earlier card to go back to"),
    (start_round(3), "back", "S25: the pile is not being corrected"),
    (start_round(3), "right 0", "S30: no card is being turned"),
    (start_round(3), "remove 0", "S25: there is no card to be taken out"),
    (start_round(3), "insert 0", "S25: the pile is not being corrected"),
    (start_round(3), "bonus 0 1", "S34: nobody is asked for a bonus"),
    (start_round(3), "lay", "S20: 'lay' needs one of the 3 seats, not None"),
    (start_round(3), "lay 3", "S20: 'lay' needs one of the 3 seats, not 3"),
    (start_round(3), "lay -1", "S20: 'lay' needs one of the 3 seats, not -1"),
    (new_game(3), "end", "S23: no round is being played"),
    (new_game(3), "lay 0", "S4: deal the cards first"),
    (play_moves(new_game(3), "dealt"), "lay 0", "S11: choose what to show first; OK starts the round"),
    (play_moves(new_game(3), "dealt", "ready"), "lay 0", "S11: the round starts when all have shown"),
    (play_moves(start_round(3, 2), "end"), "lay 2", "S13: choose what to show first; OK starts the round"),
    (
        play_moves(start_round(3), "lay 1"),
        "lay 1",
        "S21: seat 1 laid the last card; another player must lay one first",
    ),
    (FULL, "lay 0", "S22: seat 0 has laid all 3 cards of this game"),
    (leave(start_round(3), 2), "lay 2", "S20: seat 2 is away"),
    (start_round(4), "lay 4", "S20: 'lay' needs one of the 4 seats, not 4"),
    (
        replace(start_round(3), participants=(0, 1)),
        "lay 2",
        "S3: seat 2 has no cards in this game and joins the next one",
    ),
    (REVEAL, "lay 0", "S24: the three rounds are over, no card is laid any more"),
    (REVEAL, "right 1", "S30: the next card is seat 0's, not seat 1's"),
    (REVEAL, "remove 0", "S25: there is no card to be taken out"),
    (REVEAL, "remove 1", "S30: the next card is seat 0's, not seat 1's"),
    (REVEAL, "insert 0", "S25: the pile is not being corrected"),
    (REVEAL, "bonus 0 1", "S34: nobody is asked for a bonus"),
    (FIXING, "right 1", "S25: the pile is being corrected; say first that it is right"),
    (FIXING, "right 0", "S30: the next card is seat 1's, not seat 0's"),
    (FIXING, "remove 0", "S30: the next card is seat 1's, not seat 0's"),
    (FIXING, "lay 0", "S24: the three rounds are over, no card is laid any more"),
    (FIXING, "bonus 1 1", "S34: nobody is asked for a bonus"),
    (play_moves(ALL_TURNED, "fix"), "remove 1", "S25: there is no card to be taken out"),
    (ALL_LAID, "insert 1", "S22: seat 1 has laid all 3 cards of this game"),
    (ALL_LAID, "lay 1", "S24: the three rounds are over, no card is laid any more"),
    (replace(FIXING, participants=(0, 1)), "insert 2", "S3: seat 2 has no cards in this game"),
    (lay_cards(new_game(2), "ABABAB"), "insert 1", "S25: the pile is not being corrected"),
    (ASKED, "lay 0", "S34: seat 1 is asked for a bonus of 1, 2 or 3"),
    (ASKED, "bonus 0 1", "S34: seat 1 is asked for the bonus, not seat 0"),
    (ASKED, "bonus 1 4", "S34: a display card gives 1, 2 or 3"),
    (ASKED, "bonus 1", "S34: a display card gives 1, 2 or 3"),
    (ASKED, "right 1", "S30: no card is being turned"),
    (ASKED, "insert 1", "S25: the pile is not being corrected"),
    (ALL_TURNED, "lay 0", "S24: the three rounds are over, no card is laid any more"),
    (ALL_TURNED, "wrong 1", "S30: no card is being turned"),
    (play_moves(LAST_GAME, "next"), "lay 0", "S36: the match is over after 1 game"),
    (play_moves(lay_cards(new_game(2, games=2)), "next"), "fix", "S25: the pile is corrected when it is turned"),
]
"""A game; the move tried; why it is refused."""


def test_refusals() -> None:
    assert [find_reason(game, parse_move(text)) for game, text, _ in REASONS] == [reason for *_, reason in REASONS]
