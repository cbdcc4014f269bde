"""F30 to F36: what stars, planets, moons, black holes, comets, nebulae and leftover dust are worth."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.starfall.settings import Settings
from companion.games.starfall.view import FIRST_NEBULA

MAJORITY, PENALTY = 10, -5
COMET = (0, 3, 4, 5, 6, 7)
"""F34: each comet, by how many there are; more than five are worth as much as five."""
COLOUR_BONUS = (0, 0, 4, 9, 16, 25)
"""F35: by number of colours. (The printed player aid lists 3, 4, 5, 5 colours by mistake.)"""
PENALTY_FROM = 3
"""F30: players from whom on the fewest stars cost points."""


def planets(count: int) -> int:
    """F31."""
    return 5 * count


def moons(count: int, planets_held: int) -> int:
    """F32: a moon without a planet counts nothing."""
    return 3 * min(count, planets_held)


def black_holes(count: int) -> int:
    """F33.

    >>> [black_holes(n) for n in range(4)]
    [0, -5, 15, 15]
    """
    return (0, -5, 15)[min(count, 2)]


def comets(count: int) -> int:
    """F34.

    >>> [comets(n) for n in range(8)]
    [0, 3, 8, 15, 24, 35, 42, 49]
    """
    return count * COMET[min(count, 5)]


def nebulae(by_colour: Sequence[int]) -> int:
    """F35.

    >>> nebulae((2, 1, 1, 0, 0)), nebulae((1, 1, 1, 1, 1)), nebulae((3, 0, 0, 0, 0))
    (17, 35, 6)
    """
    return 2 * sum(by_colour) + COLOUR_BONUS[sum(1 for count in by_colour if count)]


def leftover(dust: int) -> int:
    """F36."""
    return dust // 2


def points(counts: Sequence[int], dust: int) -> tuple[int, ...]:
    """F31 to F36, one after the other; `counts` as in `view.LINES`."""
    _, planet, moon, hole, comet = counts[:FIRST_NEBULA]
    return (
        planets(planet),
        moons(moon, planet),
        black_holes(hole),
        comets(comet),
        nebulae(counts[FIRST_NEBULA:]),
        leftover(dust),
    )


def majority(stars: Sequence[int], settings: Settings) -> tuple[int, ...]:
    """F30, A1: most stars and fewest stars.

    >>> majority((8, 8, 3, 5), Settings()), majority((6, 6, 6), Settings()), majority((9, 4), Settings())
    ((10, 10, -5, 0), (0, 0, 0), (10, 0))
    """
    most, fewest = max(stars, default=0), min(stars, default=0)
    if most == fewest and (settings.stars_all_equal == "none" or len(stars) < 2):
        return (0,) * len(stars)
    alone = settings.stars_tie == "none"
    gets = MAJORITY if not alone or stars.count(most) == 1 else 0
    loses = PENALTY if len(stars) >= PENALTY_FROM and (not alone or stars.count(fewest) == 1) else 0
    return tuple(gets * (s == most) + loses * (s == fewest) for s in stars)
