"""The games that are installed, found through the entry-point group `companion.games`."""

from functools import cache
from importlib.metadata import EntryPoint, EntryPoints, entry_points

from companion.games.api.offers import GameDefinition

ENTRY_POINT_GROUP = "companion.games"
"""Group of the entry points that name each installed game's `GameDefinition`."""


class UnknownGame(LookupError):
    """No game of that name is installed; the message lists the installed games."""


@cache
def _read_entry_points() -> EntryPoints:
    """Read the entry points once: it searches the files of all installed packages, which takes a Pi a while."""
    return entry_points(group=ENTRY_POINT_GROUP)


def list_game_names() -> tuple[str, ...]:
    """Return the names of all installed games in alphabetical order."""
    return tuple(sorted({point.name for point in _read_entry_points()}))


def find_game(name: str) -> GameDefinition:
    """Load the definition of the installed game `name` (as `list_game_names` gives it), importing its modules.

    Raises:
        UnknownGame: no such game is installed, or the object installed under the name is no `GameDefinition`.
        ImportError: a module of the game cannot be imported.
    """
    points: tuple[EntryPoint, ...] = tuple(_read_entry_points().select(name=name))
    if not points:
        raise UnknownGame(f"there is no game {name!r} here; there are: {', '.join(list_game_names()) or 'none'}")
    definition = points[0].load()
    if not isinstance(definition, GameDefinition):
        raise UnknownGame(f"{points[0].value}, installed as the game {name!r}, is no game")
    return definition
