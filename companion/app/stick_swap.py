"""What a USB stick brings and takes: the people's own games, and their languages."""

from collections.abc import Sequence
from pathlib import Path

from companion.games.game_file.exchange import swap_games
from companion.i18n import _, join_and
from companion.system.language_files import take_languages


def swap_with_sticks(games: Path, languages: Path | None, sticks: Sequence[Path]) -> Sequence[str]:
    """Take games and languages of the sticks, give the first one the own games.

    Args:
        games: folder of the people's own games.
        languages: folder of their own languages; None: none are taken.
        sticks: the top folders of the sticks, one that can be written to first.

    Returns:
        A line on how it went, and one on each thing that cannot be used.
    """
    if not sticks:
        return (_("No USB stick found: plug one in, wait a moment, and try again"),)
    swap = swap_games(games, sticks)
    taken, problems = [*swap.taken], [*swap.problems]
    if languages is not None:
        for stick in sticks:
            names, faults = take_languages(stick, languages)
            taken += names
            problems += faults
    here = _("New here: {games}.", games=join_and(taken)) if taken else _("Nothing new for this device.")
    there = _.plural("{n} game is new on the stick.", "{n} games are new on the stick.", len(swap.given))
    return f"{here} {there}", *problems
