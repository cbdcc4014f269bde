"""Helpers of the Pictomania tests: random games and refusals; positions come from the gallery."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

import pytest
from hypothesis import strategies as st

from companion.api import IllegalMove, Move, Seat, Visibility
from companion.gallery.fixtures import parse_move
from companion.games.pictomania import Pictomania, Settings
from companion.games.pictomania.scoring import GuessCard, PictomaniaScoreLine
from companion.testing.checks import is_legal
from tests.games.random_play import play_randomly

NAMES = ("Ada", "Bob", "Cleo", "Dan", "Eve", "Finn")
NO_VISIBILITY = Visibility()
MAX_MOVES = 5_000
MOVE_WEIGHTS = {"colour": 0.4, "back": 0.05, "off": 0.3, "misdrawn": 0.05, "stop": 0.2}
"""Weights of moves that undo others or shorten a round, so that games go on and piles fill; 1 is usual."""


def check_refused(game: Pictomania, text: str, rule: str) -> str:
    """Check that the move is not listed and refused with that rule; return the message."""
    assert not is_legal(game, parse_move(text))
    with pytest.raises(IllegalMove, match=rf"^{rule}: ") as why:
        game.play(parse_move(text))
    return str(why.value)


def open_pile(game: Pictomania) -> tuple[GuessCard, ...]:
    """Return the cards on the pile that is being scored."""
    return game.piles[game.participants[game.pile_index]]


def list_pile(game: Pictomania) -> list[tuple[int, bool, int]]:
    """Return guesser, right or wrong, and stars earned of each card on the pile that is being scored."""
    stars = game.list_stars_earned(game.participants[game.pile_index])
    return [(card.guesser, card.is_right, earned) for card, earned in zip(open_pile(game), stars, strict=True)]


def page(game: Pictomania) -> list[tuple[int, int, int, int]]:
    """Return plus, minus, bonus part and total by seat."""
    return [(line.plus, line.minus, line.bonus, line.total) for line in game.score_lines]


def as_tuple(line: PictomaniaScoreLine) -> tuple[int, int, int]:
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
    """Return a random move, drawn by its kind."""
    by_kind: dict[str, list[Move]] = {}
    for move in game.list_moves():
        by_kind.setdefault(move.kind, []).append(move)
    kinds = list(by_kind)
    weights = [MOVE_WEIGHTS.get(kind, 1.0) for kind in kinds]
    return random.choice(by_kind[random.choices(kinds, weights)[0]])


def steps(players: int, rules: Settings, seed: int) -> Iterator[tuple[Pictomania, Move, Pictomania]]:
    """Play a random game; yield (game before, move, game after)."""
    random = Random(seed)
    game = Pictomania.create(players, Seat(random.randrange(players)), rules)
    yield from play_randomly(game, random, any_move, MAX_MOVES)
