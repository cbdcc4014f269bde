"""What holds in every game, whatever is played: asked by each game's own random games."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any, NamedTuple

import pytest

from companion.games.api.game import BadCorrection, Correctable, IllegalMove, Move, legal
from companion.games.api.offers import Console, Kit, Means, NumberPress, SeatPress


def check_refusals(game: Any, tried: Iterable[Move], rule: str) -> list[str]:
    """No move is listed twice, what is listed can be played, and what is not is refused with its rule.

    Args:
        rule: pattern of the rules' numbers.

    Returns:
        The words of the refusals.
    """
    listed = game.moves()
    assert len(set(listed)) == len(listed)
    refused = []
    for move in tried:
        if legal(game, move):
            game.play(move)
            continue
        with pytest.raises(IllegalMove, match=rf"^({rule}): \S.*[^.]$") as why:
            game.play(move)
        refused.append(str(why.value))
    return refused


def check_means(means: Sequence[Means]) -> None:
    """Each means stands for one thing, and none for what the referee keeps for himself."""
    assert len(set(means)) == len(means), "one means, one meaning"
    assert not {Console.MINUS, Console.HOLD_NO} & set(means), "the referee's own"
    assert not {SeatPress, NumberPress} <= {type(m) for m in means}, "number keys are the seats' buttons"


def check_words(kit: Kit, names: Sequence[str], before: Any, move: Move, after: Any, most: int = 90) -> None:
    """States and move are told in words for people, in a line each."""
    for words in (kit.sentence(before, names), kit.sentence(after, names), kit.tell(before, move, after, names)):
        assert words
        assert len(words) <= most
        assert "seat" not in words
        assert "None" not in words


class PutRight(NamedTuple):
    """What was put right, and the game after it."""

    entry: Correctable
    value: tuple[int, ...]
    game: Any


def put_right(kit: Kit, names: Sequence[str], game: Any, random: Random, reach: int = 10**9) -> PutRight | None:
    """Something is put right at random; None where the rules do not allow that value.

    Args:
        reach: values up to so much over the lowest are tried.
    """
    entry = random.choice(game.correctables())
    assert entry.current in entry.range, entry
    top = min(entry.range.high, entry.range.low + reach)
    value = tuple(random.randint(entry.range.low, top) for _ in range(entry.range.count))
    correction = entry.corrected(*value)
    try:
        after = game.correct(correction)
    except BadCorrection:
        return None
    told = kit.tell(game, correction, after, names)
    assert told
    assert "None" not in told
    return PutRight(entry, value, after)
