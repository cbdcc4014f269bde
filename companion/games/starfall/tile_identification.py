"""Which of up to 27 tiles is it? By what is printed on it, in as few presses as six keys allow.

Few enough tiles stand on the keys themselves. Of more it is asked how many there are of one thing, of that which parts
them best. Tiles with the same print need not be told apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.games.starfall.state import KEYS, Position
from companion.games.starfall.tile_texts import named, numbered, short
from companion.games.starfall.view import LINES
from companion.i18n import Words

_ = Words("starfall")


@dataclass(frozen=True, slots=True)
class Choice:
    """What one key stands for: the tiles that are left if it is pressed, and its words."""

    numbers: tuple[int, ...]
    """One tile of each print, the lowest number of it."""
    words: str


@dataclass(frozen=True, slots=True)
class Naming:
    """What is asked, and what the keys 1 to 6 stand for."""

    line: int | None
    """Of which of `LINES` it is asked how many are on the tile; None: which tile it is."""
    choices: tuple[Choice, ...]

    @property
    def of_tiles(self) -> bool:
        """Each key stands for one tile."""
        return self.line is None


def naming(p: Position) -> Naming:
    """What is asked now, after the answers in `p.naming`."""
    asked = ask(p, _different(p, p.unseen))
    for answer in p.naming or ():
        asked = ask(p, asked.choices[answer - 1].numbers)
    return asked


def ask(p: Position, numbers: Sequence[int]) -> Naming:
    """What is asked where `numbers` are possible, tiles that all differ in what is printed on them.

    Asking always parts them: tiles that differ at all differ in one of the lines.
    """
    ordered = sorted(numbers, key=lambda n: tuple(-count for count in p.printed(n)))
    if len(ordered) <= KEYS:
        return Naming(None, tuple(Choice((n,), short(p.printed(n))) for n in ordered))
    groups = [_groups(p, ordered, line) for line in range(len(LINES))]
    best = min(groups, key=lambda found: max(len(numbers) for _, numbers in found))
    line = groups.index(best)
    return Naming(line, tuple(Choice(tuple(numbers), words) for words, numbers in best))


def _groups(p: Position, numbers: Sequence[int], line: int) -> list[tuple[str, list[int]]]:
    """The tiles by how many of one thing they show; six groups at most, the last of them open at the top."""
    counts = sorted({p.printed(n)[line] for n in numbers})
    closed = counts if len(counts) <= KEYS else counts[: KEYS - 1]
    found = [(numbered(line, count), [n for n in numbers if p.printed(n)[line] == count]) for count in closed]
    rest = [n for n in numbers if p.printed(n)[line] not in closed]
    return (
        [*found, (_("{count} or more {things}", count=counts[KEYS - 1], things=named(line)), rest)] if rest else found
    )


def _different(p: Position, numbers: Sequence[int]) -> list[int]:
    first: dict[tuple[int, ...], int] = {}
    for n in numbers:
        first.setdefault(p.printed(n), n)
    return list(first.values())
