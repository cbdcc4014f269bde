"""The lid, as the camera has read it, compared with the tokens of the game."""

from companion.events import LidRead
from companion.games.macroscope.state import MacroscopeState


def is_partly_covered(game: MacroscopeState, lid: LidRead) -> bool:
    """Return whether the lid has a token left, and an open window."""
    return 0 < lid.covered < game.settings.windows


def find_missing_number(game: MacroscopeState, lid: LidRead) -> int | None:
    """Find the number of the only token that the game has and the lid has not.

    Returns:
        None: a token lies blank side up, or the lid differs otherwise.
    """
    if not _are_all_numbered(lid) or lid.covered != game.covered_windows - 1:
        return None
    missing = [n for n, (has, seen) in enumerate(zip(game.tokens, lid.numbers, strict=True), 1) if has != seen]
    return missing[0] if len(missing) == 1 else None


def is_entered(game: MacroscopeState, lid: LidRead) -> bool:
    """Return whether a token just taken was entered by hand before.

    The lid then has all tokens that the game has, and beyond them some that the game has as taken: a 4 and a 5 are
    entered, the 4 is taken, and the 5 still lies on the lid.
    """
    return _are_all_numbered(lid) and all(
        0 <= seen - has <= game.taken_tokens.count(number)
        for number, (has, seen) in enumerate(zip(game.tokens, lid.numbers, strict=True), 1)
    )


def _are_all_numbered(lid: LidRead) -> bool:
    """Return whether no token lies blank side up."""
    return lid.covered == sum(lid.numbers)
