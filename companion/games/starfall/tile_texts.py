"""What is printed on sky tiles, in words: each of `view.LINES` by itself, for languages decline them differently."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion.games.starfall.view import SYMBOLS
from companion.i18n import N_, Translator

_ = Translator("starfall")

_COUNT_FORMATTERS: tuple[Callable[[int], str], ...] = (
    lambda n: _.plural("{n} star", "{n} stars", n),
    lambda n: _.plural("{n} planet", "{n} planets", n),
    lambda n: _.plural("{n} moon", "{n} moons", n),
    lambda n: _.plural("{n} black hole", "{n} black holes", n),
    lambda n: _.plural("{n} comet", "{n} comets", n),
    lambda n: _.plural("{n} red nebula", "{n} red nebulae", n),
    lambda n: _.plural("{n} blue nebula", "{n} blue nebulae", n),
    lambda n: _.plural("{n} green nebula", "{n} green nebulae", n),
    lambda n: _.plural("{n} yellow nebula", "{n} yellow nebulae", n),
    lambda n: _.plural("{n} purple nebula", "{n} purple nebulae", n),
)
_OWNED_QUESTIONS = (
    N_("{who}: how many stars do you have?"),
    N_("{who}: how many planets do you have?"),
    N_("{who}: how many moons do you have?"),
    N_("{who}: how many black holes do you have?"),
    N_("{who}: how many comets do you have?"),
    N_("{who}: how many red nebulae do you have?"),
    N_("{who}: how many blue nebulae do you have?"),
    N_("{who}: how many green nebulae do you have?"),
    N_("{who}: how many yellow nebulae do you have?"),
    N_("{who}: how many purple nebulae do you have?"),
)
_PRINTED_QUESTIONS = (
    N_("{who}: how many stars are on it?"),
    N_("{who}: how many planets are on it?"),
    N_("{who}: how many moons are on it?"),
    N_("{who}: how many black holes are on it?"),
    N_("{who}: how many comets are on it?"),
    N_("{who}: how many red nebulae are on it?"),
    N_("{who}: how many blue nebulae are on it?"),
    N_("{who}: how many green nebulae are on it?"),
    N_("{who}: how many yellow nebulae are on it?"),
    N_("{who}: how many purple nebulae are on it?"),
)


def get_symbol_name(line_index: int) -> str:
    """A line of the page, as a bare word: "red nebulae"."""
    return _(SYMBOLS[line_index])


def format_count(line_index: int, count: int) -> str:
    """So many of a thing.

    >>> format_count(1, 1), format_count(5, 2), format_count(0, 0)
    ('1 planet', '2 red nebulae', '0 stars')
    """
    return _COUNT_FORMATTERS[line_index](count)


def ask_owned_count(line_index: int, who: str) -> str:
    """The question that a line of the count is."""
    return _(_OWNED_QUESTIONS[line_index], who=who)


def ask_printed_count(line_index: int, who: str) -> str:
    """The question by which a tile is told from others."""
    return _(_PRINTED_QUESTIONS[line_index], who=who)


def format_symbol_counts(symbol_counts: Sequence[int]) -> str:
    """What is printed on a tile, in a few letters: stars, planets, moons, black holes, comets, nebulae.

    >>> format_symbol_counts((3, 1, 0, 0, 2, 0, 0, 1, 0, 0)), format_symbol_counts((0,) * 10)
    ('3s 1p 2c 1n', 'empty')
    """
    # Six letters, one for each thing in this order: stars, planets, moons, black holes, comets, nebulae.
    letters = _("spmbcn")
    things = [*zip(symbol_counts[:5], letters[:5], strict=True), (sum(symbol_counts[5:]), letters[5])]
    return " ".join(f"{count}{letter}" for count, letter in things if count) or _("empty")
