"""Texts for the symbols on sky tiles; each has texts of its own, as languages decline them differently."""

from collections.abc import Callable, Sequence

from companion.games.starfall.count_lines import NEBULAE_LINE
from companion.games.starfall.tile_catalogue import FIRST_NEBULA_INDEX
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
OWNED_QUESTIONS = (
    N_("{who}: how many stars are on your tiles?"),
    N_("{who}: how many planets do you have?"),
    N_("{who}: how many moons do you have?"),
    N_("{who}: how many black holes do you have?"),
    N_("{who}: how many comets do you have?"),
    N_("{who}: how many nebulae do you have?"),
    N_("{who}: how many colours do your nebulae have?"),
)
"""By line, in the order of `COUNT_LINES`: how many of it a player has."""
PRINTED_QUESTIONS = (
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
"""By symbol, in the order of `SYMBOLS`: how many of it are printed on a tile."""


def format_count(line_index: int, count: int) -> str:
    """Return a translated number of one symbol: "2 red nebulae".

    Args:
        line_index: index of the symbol in `SYMBOLS`, 0 to 9.
        count: how many, 0 or more.

    Raises:
        IndexError: there is no such symbol.

    >>> format_count(1, 1), format_count(5, 2), format_count(0, 0)
    ('1 planet', '2 red nebulae', '0 stars')
    """
    return _COUNT_FORMATTERS[line_index](count)


def format_line(line_index: int, count: int) -> str:
    """Return the translated number on a line of `COUNT_LINES`: "3 nebulae".

    >>> format_line(1, 1), format_line(5, 3), format_line(6, 2)
    ('1 planet', '3 nebulae', '2 colours')
    """
    if line_index < NEBULAE_LINE:
        return format_count(line_index, count)
    if line_index == NEBULAE_LINE:
        return _.plural("{n} nebula", "{n} nebulae", count)
    return _.plural("{n} colour", "{n} colours", count)


def format_symbol_counts(symbol_counts: Sequence[int]) -> str:
    """Return the print of a tile as an abbreviated text; the nebulae of all colours are added up.

    Symbols that it does not have are left out; without any it is "empty". The letters are those of the current
    language.

    Args:
        symbol_counts: number of each symbol, in the order of `SYMBOLS` (10 entries).

    Raises:
        ValueError: there are fewer than five entries.

    >>> format_symbol_counts((3, 1, 0, 0, 2, 0, 0, 1, 0, 0)), format_symbol_counts((0,) * 10)
    ('3s 1p 2c 1n', 'empty')
    """
    # Six letters, one for each thing in this order: stars, planets, moons, black holes, comets, nebulae.
    letters = _("spmbcn")
    counts = (*symbol_counts[:FIRST_NEBULA_INDEX], sum(symbol_counts[FIRST_NEBULA_INDEX:]))
    return " ".join(f"{n}{letter}" for n, letter in zip(counts, letters, strict=True) if n) or _("empty")
