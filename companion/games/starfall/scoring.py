"""F30 to F36: points for stars, planets, moons, black holes, comets, nebulae and leftover dust."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.starfall.settings import Settings
from companion.games.starfall.view import FIRST_NEBULA_INDEX

MOST_STARS_POINTS = 10
"""F30."""
FEWEST_STARS_POINTS = -5
"""F30."""
COMET_POINTS = (0, 3, 4, 5, 6, 7)
"""F34: points of each comet, by how many there are; with more than five as with five."""
NEBULA_COLOUR_POINTS = (0, 0, 4, 9, 16, 25)
"""F35: points by number of colours. (The printed player aid lists 3, 4, 5, 5 colours by mistake.)"""
PENALTY_MIN_PLAYERS = 3
"""F30: number of players from which on the fewest stars cost points."""


def score_planets(planet_count: int) -> int:
    """F31: return the points for planets."""
    return 5 * planet_count


def score_moons(moon_count: int, planet_count: int) -> int:
    """F32: return the points for moons; a moon without a planet counts nothing."""
    return 3 * min(moon_count, planet_count)


def score_black_holes(black_hole_count: int) -> int:
    """F33: return the points for black holes.

    >>> [score_black_holes(n) for n in range(4)]
    [0, -5, 15, 15]
    """
    return (0, -5, 15)[min(black_hole_count, 2)]


def score_comets(comet_count: int) -> int:
    """F34: return the points for comets.

    >>> [score_comets(n) for n in range(8)]
    [0, 3, 8, 15, 24, 35, 42, 49]
    """
    return comet_count * COMET_POINTS[min(comet_count, 5)]


def score_nebulae(counts_by_colour: Sequence[int]) -> int:
    """F35: return the points for nebulae.

    >>> score_nebulae((2, 1, 1, 0, 0)), score_nebulae((1, 1, 1, 1, 1)), score_nebulae((3, 0, 0, 0, 0))
    (17, 35, 6)
    """
    return 2 * sum(counts_by_colour) + NEBULA_COLOUR_POINTS[sum(1 for count in counts_by_colour if count)]


def score_leftover_dust(dust: int) -> int:
    """F36: return the points for stardust that is left."""
    return dust // 2


def score_symbols(symbol_counts: Sequence[int], dust: int) -> tuple[int, ...]:
    """Return the points of F31 to F36, one after the other; `symbol_counts` as in `view.SYMBOLS`."""
    _, planet, moon, hole, comet = symbol_counts[:FIRST_NEBULA_INDEX]
    return (
        score_planets(planet),
        score_moons(moon, planet),
        score_black_holes(hole),
        score_comets(comet),
        score_nebulae(symbol_counts[FIRST_NEBULA_INDEX:]),
        score_leftover_dust(dust),
    )


def score_majority(star_counts: Sequence[int], settings: Settings) -> tuple[int, ...]:
    """F30, A1: return each player's points for most and fewest stars.

    >>> score_majority((8, 8, 3, 5), Settings()), score_majority((6, 6, 6), Settings())
    ((10, 10, -5, 0), (0, 0, 0))
    >>> score_majority((9, 4), Settings())
    (10, 0)
    """
    most, fewest = max(star_counts, default=0), min(star_counts, default=0)
    if most == fewest and (settings.stars_all_equal == "none" or len(star_counts) < 2):
        return (0,) * len(star_counts)
    alone = settings.stars_tie == "none"
    gets = MOST_STARS_POINTS if not alone or star_counts.count(most) == 1 else 0
    loses = (
        FEWEST_STARS_POINTS
        if len(star_counts) >= PENALTY_MIN_PLAYERS and (not alone or star_counts.count(fewest) == 1)
        else 0
    )
    return tuple(gets * (s == most) + loses * (s == fewest) for s in star_counts)
