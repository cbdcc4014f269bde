"""Checks that hold in every game: of its moves, refusals, inputs, texts and corrections.

They raise AssertionError where a game fails. `names` are the players' names by seat.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from random import Random
from typing import Any, NamedTuple

import pytest

from companion.api import (
    AnyGameDefinition,
    BadCorrection,
    ConsolePress,
    Correctable,
    Game,
    IllegalMove,
    Input,
    Move,
    NumberPress,
    Seat,
    SeatPress,
    Visibility,
)
from companion.names import strip_address


def is_legal(game: Game, move: Move) -> bool:
    """Whether `game.play(move)` would succeed: `move` is listed, or completes an open move that is.

    >>> from companion.api import registry
    >>> pig = registry.find_game("pig")
    >>> game = pig.create_game(2, Seat(0), pig.settings_model())
    >>> is_legal(game, Move("throw", Seat(0), (4,))), is_legal(game, Move("throw", Seat(1), (4,)))
    (True, False)
    """
    return any(allowed.allows(move) for allowed in game.list_moves())


def check_refusals(game: Any, tried: Iterable[Move], rule: str) -> list[str]:
    """Check that no move is listed twice, listed moves can be played, and others are refused with a rule.

    Args:
        tried: complete moves, legal or not.
        rule: regular expression of the rules' numbers.

    Returns:
        The messages of the refusals.
    """
    listed = game.list_moves()
    assert len(set(listed)) == len(listed)
    refused = []
    for move in tried:
        if is_legal(game, move):
            game.play(move)
            continue
        with pytest.raises(IllegalMove, match=rf"^({rule}): \S.*[^.]$") as why:
            game.play(move)
        refused.append(str(why.value))
    return refused


def check_inputs(inputs: Sequence[Input]) -> None:
    """Check that each input has one meaning, and that none is used that the referee needs.

    >>> from companion.api import SeatPress
    >>> check_inputs([SeatPress(Seat(0)), SeatPress(Seat(1))])
    """
    assert len(set(inputs)) == len(inputs), "one input, one meaning"
    assert not {ConsolePress.MINUS, ConsolePress.HOLD_NO} & set(inputs), "the referee's own"
    assert not {ConsolePress.OK, ConsolePress.HOLD_OK} <= set(inputs), "where OK is held, it does nothing else"
    assert not {SeatPress, NumberPress} <= {type(each) for each in inputs}, "number keys are the seats' buttons"


def check_texts(
    definition: AnyGameDefinition, names: Sequence[str], before: Any, move: Move, after: Any, max_length: int = 90
) -> None:
    """Check that the prompts and the description of the move are short texts for people.

    Args:
        before: game before the move.
        move: the move, which was legal.
        after: game after it.
        max_length: most letters of a text.
    """
    for words in (
        definition.format_prompt(before, names),
        definition.format_prompt(after, names),
        definition.describe(before, move, after, names),
    ):
        assert words
        assert len(words) <= max_length
        assert "seat" not in words
        assert "None" not in words


def check_addressed_seat(definition: AnyGameDefinition, game: Any, names: Sequence[str]) -> None:
    """Check that the prompt begins with the name of the player whom it addresses, or with none."""
    seat, prompt = definition.get_addressed_seat(game), definition.format_prompt(game, names)
    addressed = [q for q, name in enumerate(names) if strip_address(prompt, name) != prompt]
    assert addressed == ([] if seat is None else [seat])


def label_all(definition: AnyGameDefinition, game: Any, names: Sequence[str]) -> dict[tuple[str, Seat | None], str]:
    """Return the menu's line of each thing that may be corrected, by its kind (as stored) and seat."""
    return {(c.stored_kind, c.seat): definition.label_correctable(game, c, names) for c in game.list_correctables()}


def list_menu(game: Any) -> list[str]:
    """Return the menu of corrections, a line each: "round 3 of 1: 4, from 0 to 9" for seat 1.

    >>> from companion.api import registry
    >>> pig = registry.find_game("pig")
    >>> list_menu(pig.create_game(2, Seat(0), pig.settings_model()))[0]
    'total of 0: 0, from -9999999 to 9999999'
    """
    return [
        f"{c.stored_kind}{'' if c.seat is None else f' of {c.seat}'}: {' '.join(map(str, c.current_value))}, "
        f"{f'{c.value_range.count} ' * (c.value_range.count > 1)}from {c.value_range.low} to {c.value_range.high}"
        for c in game.list_correctables()
    ]


def check_unchanged_entries(game: Any) -> None:
    """Check that each thing that may be corrected can be entered as it is, and then changes nothing.

    >>> from companion.api import registry
    >>> pig = registry.find_game("pig")
    >>> check_unchanged_entries(pig.create_game(2, Seat(0), pig.settings_model()))
    """
    for entry in game.list_correctables():
        same = game.correct(entry.make_correction(*entry.current_value))
        assert replace(same, changes=game.changes) == game, entry


def list_keys(definition: AnyGameDefinition, game: Game, names: Sequence[str]) -> dict[Input, str]:
    """Return labels by input: "Pay*" where the table waits for the key, "1 more~" where it repeats while it is held.

    >>> from companion.api import registry
    >>> pig = registry.find_game("pig")
    >>> list_keys(pig, pig.create_game(2, Seat(0), pig.settings_model()), ("Ada", "Bob"))
    {NumberPress(number=0): 'Enter dice*'}
    """
    offers = definition.list_offers(game, names, Visibility())
    return {o.input: o.label + "*" * o.awaited + "~" * o.repeats for o in offers}


def list_bot_shares(definition: AnyGameDefinition, game: Game, names: Sequence[str]) -> dict[str, float]:
    """Return how often a bot chooses each key now, in percent, by label."""
    offers = definition.list_offers(game, names, Visibility())
    weights = [definition.get_bot_weight(game, offer) for offer in offers]
    return {o.label: round(100 * weight / sum(weights), 1) for o, weight in zip(offers, weights, strict=True)}


class RandomCorrection(NamedTuple):
    """A correction made at random, and the game after it."""

    entry: Correctable
    value: tuple[int, ...]
    game: Any


def correct_at_random(
    definition: AnyGameDefinition, names: Sequence[str], game: Any, random: Random, max_step: int = 10**9
) -> RandomCorrection | None:
    """Correct something at random; None where the rules do not allow the value.

    Args:
        game: game in which something is corrected; it lists at least one thing.
        random: draws the entry and its value.
        max_step: values up to this much over the lowest are tried.
    """
    entry = random.choice(game.list_correctables())
    assert entry.current_value in entry.value_range, entry
    top = min(entry.value_range.high, entry.value_range.low + max_step)
    value = tuple(
        random.randrange(entry.value_range.low, top + 1, entry.value_range.step) for _ in range(entry.value_range.count)
    )
    correction = entry.make_correction(*value)
    try:
        after = game.correct(correction)
    except BadCorrection:
        return None
    text = definition.describe(game, correction, after, names)
    assert text
    assert "None" not in text
    return RandomCorrection(entry, value, after)
