"""Pictomania positions, reached by moves and rounds as they are written in the rules file; for gallery and tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.gallery.fixtures import parse_move
from companion.games.api.game import Move, Seat
from companion.games.pictomania import Pictomania, Settings


def new_game(players: int = 3, first_seat: int = 0, **settings: Any) -> Pictomania:
    return Pictomania.create(players, Seat(first_seat), Settings(**settings))


def play_moves(game: Pictomania, *moves: str) -> Pictomania:
    """Moves one after the other; each text may hold several, with commas."""
    for text in ", ".join(moves).split(", "):
        game = game.play(parse_move(text))
    return game


def start_drawing(players: int = 3, first_seat: int = 0, **settings: Any) -> Pictomania:
    """Everybody draws."""
    return play_moves(new_game(players, first_seat, **settings), "deal, start, go")


def start_scoring(players: int = 3, takes: str = "", **settings: Any) -> Pictomania:
    """The first pile is turned over; `takes` lists who took the bonus tokens, in order: "BAC"."""
    game = start_drawing(players, **settings)
    for letter in takes:
        game = game.play(Move("take", get_seat(letter)))
    return play_moves(game, "score" if game.phase == "stop" else "stop, score")


def get_seat(letter: str) -> Seat:
    return Seat("ABCDEF".index(letter))


def play_round(
    numbers: Sequence[int], piles: Sequence[str], takes: str, misdrawn: str = "", *, with_numbers: bool = True
) -> Pictomania:
    """A round as in section 5, up to its page: numbers, piles ("B3 C3 D6") and tokens in the order they were taken.

    Args:
        told: whether the box is told the cards' numbers, or only right and wrong.
    """
    game = start_scoring(len(numbers), takes)
    for owner, (number, pile) in enumerate(zip(numbers, piles, strict=True)):
        if with_numbers:
            game = play_moves(game, f"number {owner} {number}")
        for card in pile.split():
            guesser, guess = get_seat(card[0]), int(card[1])
            if with_numbers:
                game = play_moves(game, f"card {guesser} {guess}")
            elif guess == number:
                game = play_moves(game, f"right {guesser}")
            else:
                game = play_moves(game, f"right {guesser}, wrong {guesser}")
        if "ABCDEF"[owner] in misdrawn:
            game = play_moves(game, f"misdrawn {owner}")
        game = play_moves(game, "next")
    return game
