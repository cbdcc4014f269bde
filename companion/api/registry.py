"""The games that are installed, found through the entry-point group `companion.games`, and those that files describe.

A game of another distribution is imported only if it states a version of the contract that this companion plays.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.metadata import EntryPoint, EntryPoints, entry_points
from pathlib import Path
from typing import Any

from companion.api.contract_version import explain_unsupported
from companion.api.definition import AnyGameDefinition, GameDefinition
from companion.log import log

ENTRY_POINT_GROUP = "companion.games"
"""Group of the entry points that name each installed game's `GameDefinition`."""

GAME_FILE_ENTRY_POINT_GROUP = "companion.game_files"
"""Group of the entry point that names the module which makes definitions from files: `load_definition(path)` and
`make_definition(text, source)`, which raise ValueError."""

API_ENTRY_POINT_GROUP = "companion.api"
"""Group of the entry points by which a plug-in states the version of `companion.api` that it is written for: the
version is the name, the plug-in's package the value. It can be read without importing the plug-in."""

GAME_FOLDER = "games"
"""Name of the folder in the data folder that holds the user's own game files."""
SHIPPED_GAME_FOLDER = Path(__file__).parents[1] / "games" / "game_file" / "games"
"""Folder of the games in files that come with the companion."""


class UnknownGame(LookupError):
    """No game of that name is installed; the message lists the installed games.

    >>> try:
    ...     game = find_game("go_fish")
    ... except UnknownGame as error:
    ...     print(str(error).partition(";")[0])
    ...
    there is no game 'go_fish' here
    """


class UnsupportedPlugin(UnknownGame):
    """A game of another distribution is for a version of the contract that is not played here.

    >>> str(UnsupportedPlugin("stone_race is for a newer companion"))
    'stone_race is for a newer companion'
    """


@cache
def _read_entry_points() -> EntryPoints:
    """Read the entry points once: it searches the files of all installed packages, which takes a Pi a while."""
    return entry_points(group=ENTRY_POINT_GROUP)


@cache
def _read_stated_versions() -> Mapping[str, str]:
    """Return the version of the contract that each plug-in states, by its package."""
    return {point.module.partition(".")[0]: point.name for point in entry_points(group=API_ENTRY_POINT_GROUP)}


def check_api_version(point: EntryPoint) -> None:
    """Check that what an entry point names can be used here, without importing it; the companion's own always can.

    >>> check_api_version(EntryPoint("mine", "companion.games.mine:GAME", ENTRY_POINT_GROUP))
    >>> try:
    ...     check_api_version(EntryPoint("mine", "mine:GAME", ENTRY_POINT_GROUP))
    ... except UnsupportedPlugin as error:
    ...     print("left out")
    ...
    left out

    Args:
        point: an entry point of a game.

    Raises:
        UnsupportedPlugin: its distribution states no version of the contract, or one that is not played here; the
            message says which, and what helps.
    """
    package = point.module.partition(".")[0]
    if package != "companion" and (reason := explain_unsupported(package, _read_stated_versions().get(package))):
        raise UnsupportedPlugin(reason)


def list_game_names() -> tuple[str, ...]:
    """Return the names of all games: those that are installed, then those that files describe, each alphabetically.

    >>> {"counting_tray", "yacht"} <= {*list_game_names()}
    True

    The entry points are read once per process, the names of files when `use_game_folder` names a folder.
    """
    return (*list_installed_names(), *sorted(_list_game_files()))


def list_installed_names() -> tuple[str, ...]:
    """Return the names of the games that are written in Python, in alphabetical order.

    >>> "counting_tray" in list_installed_names(), "yacht" in list_installed_names()
    (True, False)
    """
    return tuple(sorted({point.name for point in _read_entry_points()}))


def use_game_folder(folder: Path | None) -> None:
    """Set the folder of the user's own game files, NAME.toml; those that come with the companion are always there.

    Args:
        folder: it need not exist; None: there is none.
    """
    global _game_folder
    _game_folder = folder
    _list_game_files.cache_clear()
    _load_game_file.cache_clear()
    _described_games.clear()


def find_game_folder() -> Path | None:
    """Return the folder that `use_game_folder` has set; None: there is none.

    >>> use_game_folder(Path("/tmp/games"))
    >>> find_game_folder().name
    'games'
    >>> use_game_folder(None)
    """
    return _game_folder


def find_game_file(game: str) -> Path | None:
    """Return the file that describes a game; None: it is written in Python, or there is none.

    >>> find_game_file("yacht").name, find_game_file("counting_tray")
    ('yacht.toml', None)
    """
    return _list_game_files().get(game)


def find_own_picture(game: str) -> Path | None:
    """Return the title picture beside the user's own file of a game; None: there is none, or no such file."""
    path = find_game_file(game)
    picture = path.with_suffix(".png") if path is not None and path.parent == _game_folder else None
    return picture if picture is not None and picture.is_file() else None


_game_folder: Path | None = None
"""Folder of the user's own game files; None: there is none."""


@cache
def _list_game_files() -> Mapping[str, Path]:
    """Return the files of games by name; a file of the user's with the name of another game is left out."""
    shipped = {path.stem: path for path in sorted(SHIPPED_GAME_FOLDER.glob("*.toml"))}
    try:
        own = {path.stem: path for path in sorted(_game_folder.glob("*.toml"))} if _game_folder else {}
    except OSError as error:
        log.warning("The folder %s cannot be read: %s", _game_folder, error)
        own = {}
    taken = {*shipped, *(point.name for point in _read_entry_points())}
    for name in sorted(own.keys() & taken):
        log.warning("%s is left out: there is a game %s already, so give it another name", own.pop(name), name)
    return shipped | own


@cache
def _load_file_reader() -> Any:
    """Return the module that makes definitions from files; it is imported only if a game in a file is wanted."""
    (point,) = entry_points(group=GAME_FILE_ENTRY_POINT_GROUP)
    return point.load()


@cache
def _load_game_file(name: str) -> AnyGameDefinition:
    path = _list_game_files()[name]
    try:
        definition: AnyGameDefinition = _load_file_reader().load_definition(path)
    except (OSError, ValueError) as error:
        raise UnknownGame(f"the game {name} cannot be played: {error}") from error
    if definition.name != name:
        raise UnknownGame(f"{path.name} describes the game {definition.name!r}: call it {definition.name}.toml")
    return definition


def find_described_game(name: str, settings: Mapping[str, Any]) -> AnyGameDefinition | None:
    """Return the definition of a game from the text of its file in a game's settings (G5): the file is gone, or wrong.

    From then on `find_game` returns it too, since the screen and the next game ask for it by its name.

    >>> find_described_game("pig", {"file": find_game_file("pig").read_text(encoding="utf-8")}).title
    'Pig'

    Args:
        name: of the game.
        settings: house rules of a saved game.

    Returns:
        The definition; None: there is no such text, or it cannot be used or describes another game.
    """
    text = settings.get("file")
    try:
        definition: AnyGameDefinition | None = (
            _load_file_reader().make_definition(text, f"the file of {name}") if isinstance(text, str) else None
        )
    except ValueError:
        return None
    if definition is None or definition.name != name:
        return None
    _described_games[name] = definition
    return definition


_described_games: dict[str, AnyGameDefinition] = {}
"""Games whose files are gone or wrong, by name."""


def load_games() -> tuple[AnyGameDefinition, ...]:
    """Import all installed games and return their definitions in the order of the lobby's menu.

    >>> "counting_tray" in [game.name for game in load_games()]
    True

    A game that cannot be loaded is logged as a warning and left out; nothing is raised.
    """
    games, problems = _load_all()
    for name, error in problems.items():
        log.warning("The game %s cannot be loaded: %s", name, error)
    return tuple(sorted(games, key=lambda game: game.lobby_place))


def find_first_game() -> AnyGameDefinition:
    """Return the first game of the lobby's menu, which is played if none is named and none was played before.

    >>> find_first_game() == load_games()[0]
    True

    Raises:
        UnknownGame: no game can be loaded.
    """
    games = load_games()
    if not games:
        raise UnknownGame("no game is installed, or none can be loaded")
    return games[0]


def find_demo_game(otherwise: AnyGameDefinition) -> AnyGameDefinition:
    """Return the first game of the lobby's menu with a script for the demo, or else another one.

    >>> find_demo_game(find_game("yacht")).demo == ""
    False
    """
    return next((game for game in load_games() if game.demo), otherwise)


def find_lesson_game() -> AnyGameDefinition:
    """Return the first game of the lobby's menu with a script for the lesson.

    Raises:
        UnknownGame: there is none.
    """
    found = next((game for game in load_games() if game.lesson), None)
    if found is None:
        raise UnknownGame("no game that can be loaded has a lesson")
    return found


def list_load_problems() -> Mapping[str, Exception]:
    """Return why games cannot be loaded, by name; empty: all can. Imports all installed games.

    >>> "counting_tray" in list_load_problems()
    False
    """
    return _load_all()[1]


def _load_all() -> tuple[Sequence[AnyGameDefinition], Mapping[str, Exception]]:
    """Return the games that can be loaded, and the reasons of the others by name."""
    games: list[AnyGameDefinition] = []
    problems: dict[str, Exception] = {}
    for name in list_game_names():
        try:
            games.append(find_game(name))
        except Exception as error:  # noqa: BLE001 - a game from elsewhere may fail in any way: the others are played
            problems[name] = error
    return games, problems


def find_game_package(name: str) -> str:
    """Return the package that brings the game `name`, without importing it; "companion": it is ours, or unknown.

    >>> find_game_package("counting_tray")
    'companion'
    """
    return next((point.module.partition(".")[0] for point in _read_entry_points().select(name=name)), "companion")


def find_game(name: str) -> AnyGameDefinition:
    """Load the definition of the installed game `name` (as `list_game_names` gives it), importing its modules.

    >>> find_game("counting_tray").title
    'Counting tray'

    Raises:
        UnknownGame: no such game is installed, or the object installed under the name is no `GameDefinition` of it.
        UnsupportedPlugin: it is written for another version of the contract; it was not imported.
        ImportError: a module of the game cannot be imported.
        AttributeError: the module has no object of the name that the entry point gives.
        Exception: a game of another package may raise any error while it is imported.
    """
    points: tuple[EntryPoint, ...] = tuple(_read_entry_points().select(name=name))
    if not points and name in _described_games:
        return _described_games[name]
    if not points and name in _list_game_files():
        return _load_game_file(name)
    if not points:
        raise UnknownGame(f"there is no game {name!r} here; there are: {', '.join(list_game_names()) or 'none'}")
    check_api_version(points[0])
    definition = points[0].load()
    if not isinstance(definition, GameDefinition):
        raise UnknownGame(f"{points[0].value}, installed as the game {name!r}, is no game")
    if definition.name != name:
        raise UnknownGame(f"{points[0].value}, installed as the game {name!r}, calls itself {definition.name!r}")
    return definition
