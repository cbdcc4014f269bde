"""Which of up to 27 tiles is it? By what is printed on it, in as few presses as six keys allow.

Few enough tiles stand on the keys themselves. Of more it is asked how many there are of one thing, of that which parts
them best. Tiles with the same print need not be told apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.games.starfall.position import KEYS, Position
from companion.games.starfall.view import LINES


@dataclass(frozen=True, slots=True)
class Choice:
    """What one key stands for: the tiles that are left if it is pressed, and its words."""

    numbers: tuple[int, ...]
    """One tile of each print, the lowest number of it."""
    words: str


@dataclass(frozen=True, slots=True)
class Naming:
    """What is asked, and what the keys 1 to 6 stand for."""

    question: str
    choices: tuple[Choice, ...]
    of_tiles: bool
    """Each key stands for one tile."""


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
        return Naming("Which tile is it?", tuple(Choice((n,), short(p.printed(n))) for n in ordered), True)
    groups = [_groups(p, ordered, line) for line in range(len(LINES))]
    best = min(groups, key=lambda found: max(len(numbers) for _, numbers in found))
    line = groups.index(best)
    choices = tuple(Choice(tuple(numbers), f"{words} {LINES[line]}") for words, numbers in best)
    return Naming(f"How many {LINES[line]} are on it?", choices, False)


def short(counts: Sequence[int]) -> str:
    """What is printed on a tile, in a few letters: stars, planets, moons, black holes, comets, nebulae.

    >>> short((3, 1, 0, 0, 2, 0, 0, 1, 0, 0)), short((0,) * 10)
    ('3s 1p 2c 1n', 'empty')
    """
    things = [*zip(counts[:5], "spmbc", strict=True), (sum(counts[5:]), "n")]
    return " ".join(f"{count}{letter}" for count, letter in things if count) or "empty"


def _groups(p: Position, numbers: Sequence[int], line: int) -> list[tuple[str, list[int]]]:
    """The tiles by how many of one thing they show; six groups at most, the last of them open at the top."""
    counts = sorted({p.printed(n)[line] for n in numbers})
    found = [(str(count), [n for n in numbers if p.printed(n)[line] == count]) for count in counts[: KEYS - 1]]
    rest = [n for n in numbers if p.printed(n)[line] >= counts[KEYS - 1]] if len(counts) >= KEYS else []
    more = "" if len(counts) == KEYS else " or more"
    return [*found, (f"{counts[KEYS - 1]}{more}", rest)] if rest else found


def _different(p: Position, numbers: Sequence[int]) -> list[int]:
    first: dict[tuple[int, ...], int] = {}
    for n in numbers:
        first.setdefault(p.printed(n), n)
    return list(first.values())
