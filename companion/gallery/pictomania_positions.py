"""Pictomania positions, reached by moves and rounds as they are written in the rules file; for gallery and tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.gallery.fixtures import as_move
from companion.games.api.game import Move, Seat
from companion.games.pictomania import Pictomania, Settings


def new(players: int = 3, first: int = 0, **settings: Any) -> Pictomania:
    return Pictomania.new(players, Seat(first), Settings(**settings))


def play(game: Pictomania, *moves: str) -> Pictomania:
    """Moves one after the other; each text may hold several, with commas."""
    for text in ", ".join(moves).split(", "):
        game = game.play(as_move(text))
    return game


def drawing(players: int = 3, first: int = 0, **settings: Any) -> Pictomania:
    """Everybody draws."""
    return play(new(players, first, **settings), "deal, start, go")


def scoring(players: int = 3, takes: str = "", **settings: Any) -> Pictomania:
    """The first pile is turned over; `takes` lists who took the bonus tokens, in order: "BAC"."""
    game = drawing(players, **settings)
    for letter in takes:
        game = game.play(Move("take", seat(letter)))
    return play(game, "score" if game.phase == "stop" else "stop, score")


def seat(letter: str) -> Seat:
    return Seat("ABCDEF".index(letter))


def vector(
    numbers: Sequence[int], piles: Sequence[str], takes: str, misdrawn: str = "", *, told: bool = True
) -> Pictomania:
    """A round as in section 5, up to its page: numbers, piles ("B3 C3 D6") and tokens in the order they were taken.

    Args:
        told: whether the box is told the cards' numbers, or only right and wrong.
    """
    game = scoring(len(numbers), takes)
    for owner, (number, pile) in enumerate(zip(numbers, piles, strict=True)):
        if told:
            game = play(game, f"number {owner} {number}")
        for card in pile.split():
            guesser, guess = seat(card[0]), int(card[1])
            if told:
                game = play(game, f"card {guesser} {guess}")
            elif guess == number:
                game = play(game, f"right {guesser}")
            else:
                game = play(game, f"right {guesser}, wrong {guesser}")
        if "ABCDEF"[owner] in misdrawn:
            game = play(game, f"misdrawn {owner}")
        game = play(game, "next")
    return game
