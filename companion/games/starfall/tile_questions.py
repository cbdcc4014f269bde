"""Questions that find out which of up to 27 tiles was added, in as few presses as three keys allow.

Up to three tiles stand on the keys themselves. With more, the question is how many of one symbol are on the tile: of
the symbol that splits them best. Tiles with the same print count as one.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from string import ascii_uppercase

from companion.games.starfall.state import StarFallState
from companion.games.starfall.tile_catalogue import SYMBOLS
from companion.games.starfall.tile_texts import format_count
from companion.i18n import Translator

_ = Translator("starfall")

MAX_CHOICES = 3
"""Choices of a question: on the active player's button, OK and PLUS."""


@dataclass(frozen=True, slots=True)
class TileChoice:
    """The meaning of one key: the tiles that remain possible if it is pressed, and its label."""

    tile_numbers: tuple[int, ...]
    """Numbers in the catalogue (from 1) of the possible tiles; of tiles with the same print only the lowest."""
    label: str

    @property
    def is_found(self) -> bool:
        """Whether only one tile remains possible."""
        return len(self.tile_numbers) == 1


@dataclass(frozen=True, slots=True)
class TileQuestion:
    """A question which tile was added, and the meaning of the keys."""

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
    if len(ordered) <= MAX_CHOICES:
        return TileQuestion(
            None, tuple(TileChoice((n,), name) for n, name in zip(ordered, ascii_uppercase, strict=False))
        )
    groups = [_group_tiles(state, ordered, line) for line in range(len(SYMBOLS))]
    best = min(groups, key=lambda choices: max(len(choice.tile_numbers) for choice in choices))
    return TileQuestion(groups.index(best), best)


def _group_tiles(state: StarFallState, tile_numbers: Sequence[int], line: int) -> tuple[TileChoice, ...]:
    """Group the tiles by how many of one symbol they show, so that the largest of at most three groups is small."""
    by_count: dict[int, list[int]] = {}
    for n in tile_numbers:
        by_count.setdefault(state.get_symbol_counts(n)[line], []).append(n)
    counts = sorted(by_count)
    splits = (
        [counts[first:end] for first, end in zip((0, *cuts), (*cuts, len(counts)), strict=True)]
        for cuts in combinations(range(1, len(counts)), min(MAX_CHOICES, len(counts)) - 1)
    )
    best = min(splits, key=lambda groups: max(sum(len(by_count[count]) for count in group) for group in groups))
    return tuple(
        TileChoice(tuple(n for count in group for n in by_count[count]), _format_range(line, group, counts[-1]))
        for group in best
    )


def _format_range(line: int, counts: Sequence[int], most: int) -> str:
    """Return the label of a group of tiles that show one of `counts` (ascending) of a symbol; `most`: of all tiles."""
    least = counts[0]
    if len(counts) == 1:
        return format_count(line, least) if least else _("None")
    if counts[-1] == most:
        return _("{count} or more", count=least)
    return _("{least} to {most}", least=least, most=counts[-1])
