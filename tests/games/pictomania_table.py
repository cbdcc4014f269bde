"""A short language for Pictomania tests: rounds as they are written in the rules file, and random games."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import strategies as st

from companion.games.game import IllegalMove, Move, Seat, legal
from companion.games.offer import Sight
from companion.games.pictomania import KIT, Pictomania, Settings
from companion.games.pictomania.view import Line

NAMES = ("Ada", "Bob", "Cleo", "Dan", "Eve", "Finn")
BLIND = Sight()
LONGEST = 5_000
NEVER_ENDING = {"colour": 0.4, "back": 0.05, "off": 0.3, "misdrawn": 0.05, "stop": 0.2}
"""Moves that undo others or cut things short: played more seldom, so that games go on and piles fill."""


def new(players: int = 3, first: int = 0, **settings: Any) -> Pictomania:
    return Pictomania.new(players, Seat(first), Settings(**settings))


def as_move(text: str) -> Move:
    """ "right 2": seat 2; "card 1 7": seat 1, number 7; "next": nobody."""
    kind, *numbers = text.split()
    seat = Seat(int(numbers[0])) if numbers else None
    return Move(kind, seat, tuple(int(n) for n in numbers[1:]))


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


def refused(game: Pictomania, text: str, rule: str) -> str:
    """The move is not listed, and refused with that rule's number."""
    assert not legal(game, as_move(text))
    with pytest.raises(IllegalMove, match=rf"^{rule}: ") as why:
        game.play(as_move(text))
    return str(why.value)


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


def page(game: Pictomania) -> list[tuple[int, int, int, int]]:
    """Plus, minus, bonus part and total by seat."""
    return [(line.plus, line.minus, line.bonus, line.total) for line in game.view().lines]


def as_tuple(line: Line) -> tuple[int, int, int]:
    return (line.plus, line.minus, line.bonus)


def stars(players: int) -> st.SearchStrategy[tuple[int, ...]]:
    return st.lists(st.integers(1, 5), min_size=players - 1, max_size=players - 1).map(tuple)


tokens: st.SearchStrategy[Mapping[int, tuple[int, ...]]] = st.fixed_dictionaries({n: stars(n) for n in range(3, 7)})
house_rules = st.fixed_dictionaries(
    {
        "variant": st.sampled_from(["basic", "only_green", "one_card"]),
        "rounds": st.sampled_from([1, 2, 5]),
        "reading_seconds": st.sampled_from([0, 60]),
        "drawing_seconds": st.sampled_from([0, 180]),
    },
    optional={"bonus_tokens": tokens, "scoring_tokens": tokens},
).map(lambda fields: Settings(**fields))
tables = st.tuples(st.integers(3, 6), house_rules, st.integers(0, 2**32 - 1))


def any_move(game: Pictomania, random: Random) -> Move:
    """A random move; cards are entered with and without their numbers."""
    by_kind: dict[str, list[Move]] = {}
    for move in game.moves():
        by_kind.setdefault(move.kind, []).append(move)
    kinds = list(by_kind)
    weights = [NEVER_ENDING.get(kind, 1.0) for kind in kinds]
    return random.choice(by_kind[random.choices(kinds, weights)[0]])


def steps(players: int, rules: Settings, seed: int) -> Iterator[tuple[Pictomania, Move, Pictomania]]:
    """A random game, as (before, move, after)."""
    random = Random(seed)
    game = Pictomania.new(players, Seat(random.randrange(players)), rules)
    for _ in range(LONGEST):
        if game.outcome() is not None:
            return
        move = any_move(game, random)
        after = game.play(move)
        yield game, move, after
        game = after
    pytest.fail(f"no end after {LONGEST} moves")


def words_of(game: Pictomania) -> tuple[object, ...]:
    """All that the table is shown of a state."""
    return (
        game.view(),
        KIT.sentence(game, NAMES),
        KIT.offers(game, NAMES, BLIND),
        dict(KIT.correctable_words(game, NAMES)),
        game.clocks(),
        game.scores(),
    )
