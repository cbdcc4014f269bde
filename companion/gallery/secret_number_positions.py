"""Secret Number positions, reached by presses written as at the table; for the gallery and for tests."""

from __future__ import annotations

from typing import Any

from companion.gallery.fixtures import as_move
from companion.games.api.game import Seat
from companion.games.secret_number import SecretNumber, Settings
from companion.games.secret_number.view import Phase

START = ("dealt", "ready", "go")
LETTERS = "ABCDE"


def new(players: int, **settings: Any) -> SecretNumber:
    return SecretNumber.new(players, Seat(0), Settings(**settings))


def play(game: SecretNumber, *moves: str) -> SecretNumber:
    for text in moves:
        game = game.play(as_move(text))
    return game


def in_round(players: int, number: int = 1, **settings: Any) -> SecretNumber:
    """A round is being played; nobody laid a card before."""
    game = play(new(players, **settings), *START)
    for _ in range(number - 1):
        game = play(game, "end", "ready", "go")
    return game


def laid(game: SecretNumber, *rounds: str) -> SecretNumber:
    """From the deal on: the letters' cards of each round are laid ("ABA"), up to the reveal."""
    game = play(game, "dealt")
    for cards in (*rounds, "", "", "")[:3]:
        game = play(game, "ready", "go", *(f"lay {LETTERS.index(letter)}" for letter in cards), "end")
    return game


def turned(game: SecretNumber, secret: int, *rounds: str) -> SecretNumber:
    """As written in the rules file ("A1 B2 A2", "C2"): laid, and each card turned by a press, where one is asked."""
    cards = [card for line in rounds for card in line.split()]
    game = laid(game, *("".join(card[0] for card in line.split()) for line in rounds))
    while game.phase is Phase.REVEAL:
        card = cards[len(game.marks)]
        game = play(game, f"{'right' if int(card[1]) == secret else 'wrong'} {LETTERS.index(card[0])}")
    return game


def with_bonuses(game: SecretNumber, bonuses: str) -> SecretNumber:
    """ "A1 B2 C3": who is asked answers."""
    given = {LETTERS.index(word[0]): word[1] for word in bonuses.split()}
    while game.asked is not None:
        game = play(game, f"bonus {game.asked} {given[game.asked]}")
    return game
