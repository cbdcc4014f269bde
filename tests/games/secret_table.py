"""A short language for Secret Number tests: positions reached by presses, and whole games played at random."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import pytest

from companion.games.game import IllegalMove, Move, Seat
from companion.games.secret_number import KIT, SecretNumber, Settings
from companion.games.secret_number.view import Phase

NAMES = ("Ada", "Bob", "Cleo", "Dan", "Eve")
START = ("dealt", "ready", "go")
LETTERS = "ABCDE"
LONGEST = 5000
TASTE = {"again": 0.2, "wait": 0.2, "end": 0.5, "fix": 0.15, "insert": 0.2, "remove": 0.3, "earlier": 0.3}
"""How often a move is played where 1 is usual, so that random games end."""


def as_move(text: str) -> Move:
    """ "lay 0", "bonus 0 3", "dealt": kind, seat, value."""
    kind, *numbers = text.split()
    return Move(kind, Seat(int(numbers[0])) if numbers else None, tuple(int(n) for n in numbers[1:]))


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
        letter, value = cards[len(game.marks)]
        game = play(game, f"{'right' if int(value) == secret else 'wrong'} {LETTERS.index(letter)}")
    return game


def with_bonuses(game: SecretNumber, bonuses: str) -> SecretNumber:
    """ "A1 B2 C3": who is asked answers."""
    given = {LETTERS.index(word[0]): word[1] for word in bonuses.split()}
    while game.asked is not None:
        game = play(game, f"bonus {game.asked} {given[game.asked]}")
    return game


def refused(game: SecretNumber, text: str, rule: str) -> None:
    """The move is not listed, and refused with that rule's number."""
    assert as_move(text) not in game.moves()
    with pytest.raises(IllegalMove, match=rf"^{rule}: "):
        game.play(as_move(text))


def any_move(game: SecretNumber, random: Random) -> Move:
    moves = game.moves()
    return random.choices(moves, [TASTE.get(m.kind, 1.0) for m in moves])[0]


def steps(players: int, seed: int, **settings: Any) -> Iterator[tuple[SecretNumber, Move, SecretNumber]]:
    """A random match, as (before, move, after)."""
    random = Random(seed)
    game = new(players, **settings)
    for _ in range(LONGEST):
        if game.outcome() is not None:
            return
        move = any_move(game, random)
        after = game.play(move)
        yield game, move, after
        game = after
    pytest.fail(f"no end after {LONGEST} moves")


def everything_said(game: SecretNumber, names: Sequence[str] = NAMES) -> tuple[object, ...]:
    """All that leaves the rules in one state: picture, sentence, scores, keys, menu, clocks."""
    from companion.games.offer import Sight

    return (
        game.view(),
        KIT.sentence(game, names),
        game.scores(),
        KIT.offers(game, names, Sight()),
        KIT.correctable_words(game, names),
        game.correctables(),
        game.clocks(),
        game.outcome(),
    )
