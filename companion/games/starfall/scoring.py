"""F30 to F36: points for stars, planets, moons, black holes, comets, nebulae and leftover dust."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from companion.api import Seat
from companion.games.starfall.settings import Settings
from companion.games.starfall.tile_catalogue import FIRST_NEBULA_INDEX

MOST_STARS_POINTS = 10
"""F30: points for most stars."""
FEWEST_STARS_POINTS = -5
"""F30: points for fewest stars."""
PLANET_POINTS = 5
"""F31: points of each planet."""
MOON_POINTS = 3
"""F32: points of each moon, but for no more moons than planets."""
BLACK_HOLE_POINTS = (0, -5, 15)
"""F33: points by number of black holes: one costs points; with more than two as with two."""
COMET_POINTS = (0, 3, 4, 5, 6, 7)
"""F34: points of each comet, by how many there are; with more than five as with five."""
NEBULA_POINTS = 2
"""F35: points of each nebula."""
NEBULA_COLOUR_POINTS = (0, 0, 4, 9, 16, 25)
"""F35: points by number of different nebula colours, 0 to 5. (The printed player aid has a mistake here.)"""
DUST_PER_POINT = 2
"""F36: stardust left at the end that is worth a point; a rest is worth nothing."""
PENALTY_MIN_PLAYERS = 3
"""F30: number of players from which on the fewest stars cost points."""


class ScoreKind(StrEnum):
    """What the numbers beside the players' names are."""

    DUST = "dust"
    POINTS_SO_FAR = "points so far"  # without the bonus for most stars (F30)
    POINTS = "points"


@dataclass(frozen=True, slots=True)
class PlayerScore:
    """One player's count, and what each part of it is worth."""

    seat: Seat
    symbol_counts: tuple[int, ...]
    """As in `SYMBOLS`."""
    dust: int
    points: tuple[int, ...]
    """Planets, moons, black holes, comets, nebulae, dust."""
    majority_bonus: int
    """F30; 0 until all are counted."""
    adjustment: int
    """What corrections add to the total."""
    is_counted: bool

    @property
    def total(self) -> int:
        """Points with the bonus and the adjustment."""
        return sum(self.points) + self.majority_bonus + self.adjustment


def score_nebulae(counts_by_colour: Sequence[int]) -> int:
    """Return the points for nebulae (F35): 2 for each, and those of `NEBULA_COLOUR_POINTS` for different colours.

    Args:
        counts_by_colour: number of nebulae of each of the five colours, in any order, each 0 or more.

    Raises:
        IndexError: more than five colours.

    >>> score_nebulae((2, 1, 1, 0, 0)), score_nebulae((1, 1, 1, 1, 1)), score_nebulae((3, 0, 0, 0, 0))
    (17, 35, 6)
    """
    return NEBULA_POINTS * sum(counts_by_colour) + NEBULA_COLOUR_POINTS[sum(1 for count in counts_by_colour if count)]


def score_symbols(symbol_counts: Sequence[int], dust: int) -> tuple[int, ...]:
    """Return the points of planets, moons, black holes, comets, nebulae and dust (F31 to F36), in this order.

    The points for stars are not among them: see `score_majority`.

    Args:
        symbol_counts: number of each symbol that the player has, in the order of `tile_catalogue.SYMBOLS` (10 entries,
            or without the nebulae 5), each 0 or more.
        dust: stardust that the player has left.

    Raises:
        ValueError: `symbol_counts` has fewer than five entries.
        IndexError: more than five nebulae entries are above 0.

    >>> score_symbols((7, 2, 3, 1, 4, 2, 1, 1, 0, 0), 7)
    (10, 6, -5, 24, 17, 3)
    >>> [score_symbols((0, 0, 0, n, 0), 0)[2] for n in range(4)]
    [0, -5, 15, 15]
    """
    _, planets, moons, black_holes, comets = symbol_counts[:FIRST_NEBULA_INDEX]
    return (
        PLANET_POINTS * planets,
        MOON_POINTS * min(moons, planets),
        BLACK_HOLE_POINTS[min(black_holes, 2)],
        comets * COMET_POINTS[min(comets, 5)],
        score_nebulae(symbol_counts[FIRST_NEBULA_INDEX:]),
        dust // DUST_PER_POINT,
    )


def score_majority(star_counts: Sequence[int], settings: Settings) -> tuple[int, ...]:
    """Return the points for most and for fewest stars, for each entry of `star_counts` (F30, A1).

    Args:
        star_counts: number of stars of each player who is compared, in any order; may be empty. The fewest cost points
            only from `PENALTY_MIN_PLAYERS` entries on.
        settings: house rules, which say how ties count.

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
