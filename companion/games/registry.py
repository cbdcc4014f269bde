"""The games that are installed, found through the entry-point group `companion.games`."""

from __future__ import annotations

from functools import cache
from importlib.metadata import EntryPoint, EntryPoints, entry_points

from companion.games.api.offers import GameDefinition

ENTRY_POINT_GROUP = "companion.games"


class UnknownGame(LookupError):
    """No game of that name is installed; the message lists those that are."""


@cache
def _read_entry_points() -> EntryPoints:
    """Read once: what is installed is looked for among the files of all packages, which takes a Pi a while."""
    return entry_points(group=ENTRY_POINT_GROUP)


def list_game_names() -> tuple[str, ...]:
    """Names of all installed games, in alphabetical order."""
    return tuple(sorted({point.name for point in _read_entry_points()}))


def find_game(name: str) -> GameDefinition:
    """What the game of that name brings with it.

    Raises:
        UnknownGame: none is installed, or what is installed under the name is no game.
    """
    points: tuple[EntryPoint, ...] = tuple(_read_entry_points().select(name=name))
    if not points:
        raise UnknownGame(f"there is no game {name!r} here; there are: {', '.join(list_game_names()) or 'none'}")
    kit = points[0].load()
    if not isinstance(kit, GameDefinition):
        raise UnknownGame(f"{points[0].value}, installed as the game {name!r}, is no game")
    return kit
