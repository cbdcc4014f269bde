"""Which of up to 27 tiles is it? By what is printed on it, in as few presses as six keys allow.

Few enough tiles stand on the keys themselves. Of more it is asked how many there are of one thing, of that which parts
them best. Tiles with the same print need not be told apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.games.starfall.state import NUMBER_KEY_COUNT, Position
from companion.games.starfall.tile_texts import format_count, format_symbol_counts, get_symbol_name
from companion.games.starfall.view import SYMBOLS
from companion.i18n import Translator

_ = Translator("starfall")


@dataclass(frozen=True, slots=True)
class TileChoice:
    """What one key stands for: the tiles that are left if it is pressed, and its words."""

    tile_numbers: tuple[int, ...]
    """One tile of each print, the lowest number of it."""
    label: str


@dataclass(frozen=True, slots=True)
class TileQuestion:
    """What is asked, and what the keys 1 to 6 stand for."""

    line_index: int | None
    """Of which of `LINES` it is asked how many are on the tile; None: which tile it is."""
    choices: tuple[TileChoice, ...]

    @property
    def is_about_tiles(self) -> bool:
        """Each key stands for one tile."""
        return self.line_index is None


def get_tile_question(p: Position) -> TileQuestion:
    """What is asked now, after the answers in `p.naming`."""
    asked = choose_question(p, _drop_duplicates(p, p.unseen_tiles))
    for answer in p.naming_answers or ():
        asked = choose_question(p, asked.choices[answer - 1].tile_numbers)
    return asked


def choose_question(p: Position, tile_numbers: Sequence[int]) -> TileQuestion:
    """What is asked where `numbers` are possible, tiles that all differ in what is printed on them.

    Asking always parts them: tiles that differ at all differ in one of the lines.
    """
    ordered = sorted(tile_numbers, key=lambda n: tuple(-count for count in p.get_symbol_counts(n)))
    if len(ordered) <= NUMBER_KEY_COUNT:
        return TileQuestion(
            None, tuple(TileChoice((n,), format_symbol_counts(p.get_symbol_counts(n))) for n in ordered)
        )
    groups = [_group_tiles(p, ordered, line) for line in range(len(SYMBOLS))]
    best = min(groups, key=lambda found: max(len(numbers) for _, numbers in found))
    line = groups.index(best)
    return TileQuestion(line, tuple(TileChoice(tuple(numbers), words) for words, numbers in best))


def _group_tiles(p: Position, numbers: Sequence[int], line: int) -> list[tuple[str, list[int]]]:
    """The tiles by how many of one thing they show; six groups at most, the last of them open at the top."""
    counts = sorted({p.get_symbol_counts(n)[line] for n in numbers})
    closed = counts if len(counts) <= NUMBER_KEY_COUNT else counts[: NUMBER_KEY_COUNT - 1]
    found = [
        (format_count(line, count), [n for n in numbers if p.get_symbol_counts(n)[line] == count]) for count in closed
    ]
    rest = [n for n in numbers if p.get_symbol_counts(n)[line] not in closed]
    return (
        [
            *found,
            (_("{count} or more {things}", count=counts[NUMBER_KEY_COUNT - 1], things=get_symbol_name(line)), rest),
        ]
        if rest
        else found
    )


def _drop_duplicates(p: Position, numbers: Sequence[int]) -> list[int]:
    first: dict[tuple[int, ...], int] = {}
    for n in numbers:
        first.setdefault(p.get_symbol_counts(n), n)
    return list(first.values())
