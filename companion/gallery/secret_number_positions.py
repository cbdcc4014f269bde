"""Secret Number positions, reached by presses written as at the table; for the gallery and for tests."""

from __future__ import annotations

from typing import Any

from companion.gallery.fixtures import parse_move
from companion.games.api.game import Seat
from companion.games.secret_number import SecretNumber, Settings
from companion.games.secret_number.view import Phase

ROUND_START_MOVES = ("dealt", "ready", "go")
LETTERS = "ABCDE"


def new_game(players: int, **settings: Any) -> SecretNumber:
    return SecretNumber.create(players, Seat(0), Settings(**settings))


def play_moves(game: SecretNumber, *moves: str) -> SecretNumber:
    for text in moves:
        game = game.play(parse_move(text))
    return game


def start_round(players: int, number: int = 1, **settings: Any) -> SecretNumber:
    """A round is being played; nobody laid a card before."""
    game = play_moves(new_game(players, **settings), *ROUND_START_MOVES)
    for _ in range(number - 1):
        game = play_moves(game, "end", "ready", "go")
    return game


def lay_cards(game: SecretNumber, *rounds: str) -> SecretNumber:
    """From the deal on: the letters' cards of each round are laid ("ABA"), up to the reveal."""
    game = play_moves(game, "dealt")
    for cards in (*rounds, "", "", "")[:3]:
        game = play_moves(game, "ready", "go", *(f"lay {LETTERS.index(letter)}" for letter in cards), "end")
    return game


def turn_cards(game: SecretNumber, secret: int, *rounds: str) -> SecretNumber:
    """As written in the rules file ("A1 B2 A2", "C2"): laid, and each card turned by a press, where one is asked."""
    cards = [card for line in rounds for card in line.split()]
    game = lay_cards(game, *("".join(card[0] for card in line.split()) for line in rounds))
    while game.phase is Phase.REVEAL:
        card = cards[len(game.cards_right)]
        game = play_moves(game, f"{'right' if int(card[1]) == secret else 'wrong'} {LETTERS.index(card[0])}")
    return game


def answer_bonuses(game: SecretNumber, bonuses: str) -> SecretNumber:
    """ "A1 B2 C3": who is asked answers."""
    given = {LETTERS.index(word[0]): word[1] for word in bonuses.split()}
    while game.bonus_seat is not None:
        game = play_moves(game, f"bonus {game.bonus_seat} {given[game.bonus_seat]}")
    return game
