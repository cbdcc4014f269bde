"""Questions that find out which of up to 27 tiles was added, in as few presses as six keys allow.

Up to six tiles stand on the keys themselves. With more, the question is how many of one symbol are on the tile: of the
symbol that splits them best. Tiles with the same print count as one.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from string import ascii_uppercase

from companion.games.starfall.settings import FIRST_NEBULA_INDEX, SYMBOLS
from companion.games.starfall.state import NUMBER_KEY_COUNT, StarFallState, _
from companion.i18n import N_

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
    N_("{who}: how many red nebulae do you have?"),
    N_("{who}: how many blue nebulae do you have?"),
    N_("{who}: how many green nebulae do you have?"),
    N_("{who}: how many yellow nebulae do you have?"),
    N_("{who}: how many purple nebulae do you have?"),
)
"""By symbol, in the order of `SYMBOLS`: how many of it a player has."""
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


@dataclass(frozen=True, slots=True)
class TileChoice:
    """The meaning of one key: the tiles that remain possible if it is pressed, its label, and its number."""

    tile_numbers: tuple[int, ...]
    """Numbers in the catalogue (from 1) of the possible tiles; of tiles with the same print only the lowest."""
    label: str
    key: int
    """Number of the key, from 1: that of the symbols on the tile, if there is a key for each number."""

    @property
    def is_found(self) -> bool:
        """Whether only one tile remains possible."""
        return len(self.tile_numbers) == 1


@dataclass(frozen=True, slots=True)
class TileQuestion:
    """A question which tile was added, and the meaning of the keys, from key 1 on."""

    line_index: int | None
    """The symbol (index in `SYMBOLS`) whose number on the tile is asked; None: each key stands for one tile."""
    choices: tuple[TileChoice, ...]


def get_tile_question(state: StarFallState) -> TileQuestion:
    """Return the question that follows the answers in `state.naming_answers`; without answers, the first question.

    Raises:
        IndexError: an answer is a key that stood for nothing.
    """
    different: dict[tuple[int, ...], int] = {}
    for number in state.unseen_tiles:
        different.setdefault(state.get_symbol_counts(number), number)
    question = choose_question(state, different.values())
    for key in state.naming_answers or ():
        question = choose_question(state, question.choices[key - 1].tile_numbers)
    return question


def choose_question(state: StarFallState, tile_numbers: Iterable[int]) -> TileQuestion:
    """Return the question that leaves the fewest tiles possible in the worst case.

    Args:
        state: current state, for the catalogue.
        tile_numbers: numbers of the possible tiles (from 1), all in the catalogue and all different in what is printed
            on them; then a question that splits them always exists. Without any the question has no choices.

    Raises:
        IndexError, ValueError: a tile is not in the catalogue.
    """
    ordered = sorted(tile_numbers, key=lambda n: tuple(-count for count in state.get_symbol_counts(n)))
    if len(ordered) <= NUMBER_KEY_COUNT:
        keys = zip(ordered, ascii_uppercase, strict=False)
        return TileQuestion(None, tuple(TileChoice((n,), label, key) for key, (n, label) in enumerate(keys, start=1)))
    groups = [_group_tiles(state, ordered, line) for line in range(len(SYMBOLS))]
    best = min(groups, key=lambda choices: max(len(choice.tile_numbers) for choice in choices))
    return TileQuestion(groups.index(best), best)


def _group_tiles(state: StarFallState, tile_numbers: Sequence[int], line: int) -> tuple[TileChoice, ...]:
    """Group the tiles by how many of one symbol they show: at most six groups, the last of them open at the top."""
    by_count: dict[int, list[int]] = {}
    for n in tile_numbers:
        by_count.setdefault(state.get_symbol_counts(n)[line], []).append(n)
    counts = sorted(by_count)
    closed = counts if len(counts) <= NUMBER_KEY_COUNT else counts[: NUMBER_KEY_COUNT - 1]
    groups = [(count, format_count(line, count) if count else _("None"), tuple(by_count[count])) for count in closed]
    rest = tuple(n for n in tile_numbers if state.get_symbol_counts(n)[line] not in closed)
    if rest:
        least = counts[NUMBER_KEY_COUNT - 1]
        groups.append((least, _("{count} or more", count=least), rest))
    keys = [count or NUMBER_KEY_COUNT for count, _label, _tiles in groups]
    if len(set(keys)) < len(keys) or max(keys) > NUMBER_KEY_COUNT:
        keys = list(range(1, len(groups) + 1))
    return tuple(TileChoice(tiles, label, key) for key, (_count, label, tiles) in zip(keys, groups, strict=True))
