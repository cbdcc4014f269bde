"""The seven lines of a player's page: five kinds of symbols, then all nebulae together, and how many colours they have.

The points for nebulae depend on no more than that (F35), and it is asked faster than each colour.
"""

from collections.abc import Sequence

from companion.games.starfall.tile_catalogue import FIRST_NEBULA_INDEX, NEBULA_COLOURS, SYMBOLS
from companion.i18n import N_

COUNT_LINES = (*SYMBOLS[:FIRST_NEBULA_INDEX], N_("nebulae"), N_("nebula colours"))
"""F30 to F35: what is counted, in this order."""
NEBULAE_LINE = FIRST_NEBULA_INDEX
"""Index of the line of all nebulae in `COUNT_LINES`."""
COLOURS_LINE = FIRST_NEBULA_INDEX + 1
"""Index of the line of their colours, which is left out with fewer than two nebulae."""


def get_line_count(symbol_counts: Sequence[int], line: int) -> int:
    """Return the number on a line of `COUNT_LINES`.

    Args:
        symbol_counts: number of each symbol, in the order of `SYMBOLS`.

    >>> [get_line_count((4, 2, 0, 0, 3, 2, 0, 1, 0, 0), line) for line in range(7)]
    [4, 2, 0, 0, 3, 3, 2]
    """
    nebulae = symbol_counts[FIRST_NEBULA_INDEX:]
    if line < NEBULAE_LINE:
        return symbol_counts[line]
    return sum(nebulae) if line == NEBULAE_LINE else sum(map(bool, nebulae))


def set_line_count(symbol_counts: Sequence[int], line: int, count: int) -> tuple[int, ...]:
    """Return symbols with another number on a line; which colours the nebulae have is made up, as it never matters.

    More nebulae have the colours that there are already, or one; no nebulae have none.

    Args:
        symbol_counts: number of each symbol, in the order of `SYMBOLS`.
        count: 0 or more; of colours from 1 to the number of nebulae, at most 5.

    >>> set_line_count((4, 2, 0, 0, 3, 2, 0, 1, 0, 0), 5, 6)
    (4, 2, 0, 0, 3, 5, 1, 0, 0, 0)
    >>> set_line_count((4, 2, 0, 0, 3, 5, 1, 0, 0, 0), 6, 3)
    (4, 2, 0, 0, 3, 4, 1, 1, 0, 0)
    """
    if line < NEBULAE_LINE:
        return (*symbol_counts[:line], count, *symbol_counts[line + 1 :])
    total, colours = (get_line_count(symbol_counts, each) for each in (NEBULAE_LINE, COLOURS_LINE))
    if line == COLOURS_LINE:
        colours = count
    else:
        total, colours = count, min(max(1, colours), count)
    rest = (1,) * (colours - 1) if colours else ()
    spread = (total - len(rest), *rest)
    return (*symbol_counts[:NEBULAE_LINE], *spread, *(0,) * (len(NEBULA_COLOURS) - len(spread)))
