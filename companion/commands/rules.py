"""`companion rules`: print or import house rules; check or import games that files describe."""

import gc
import re
from argparse import ArgumentParser, Namespace
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from companion.commands import CommandError
from companion.commands.common import (
    add_data_option,
    add_settings_option,
    ask_about_name,
    load_command_settings,
    print_problems,
    report_errors,
)
from companion.file_reader import read_file

if TYPE_CHECKING:
    from pydantic import BaseModel

    from companion.lobby import HouseRules

DESCRIPTION = (
    "Print the house rules in force as sections of a settings file, import "
    "such a file as if its values had been entered in the lobby, or write, check, try, show and import a game that a "
    "file describes (docs/game-files.md)."
)

_GAME_KEY = re.compile(r"^\s*(name|title|players_min|players_max|format)\s*=", re.MULTILINE)


class GameNames(Collection[str]):
    """The names of all games; they are looked for when one is wanted, which the check of a file does not need."""

    def __iter__(self) -> Iterator[str]:
        from companion.api import registry

        return iter(registry.list_game_names())

    def __contains__(self, name: object) -> bool:
        return any(name == each for each in self)

    def __len__(self) -> int:
        return sum(1 for _name in self)


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options of `companion rules` to its parser; `run` names them."""
    add_data_option(parser)
    parser.add_argument("--game", metavar="GAME", choices=GameNames(), help="only the rules of this game")
    add_settings_option(parser)
    # Two groups, since the usage of one is a line that is too long; `run` refuses an option of each.
    read = parser.add_mutually_exclusive_group()
    read.add_argument(
        "--import", dest="file", metavar="FILE", type=Path, help="import house rules, or a game's file or folder"
    )
    read.add_argument("--check", metavar="FILE", type=Path, help="check a game's file, and import nothing")
    read.add_argument("--try", dest="tried", metavar="FILE", type=Path, help="play a game's file once, at random")
    write = parser.add_mutually_exclusive_group()
    write.add_argument("--new", metavar="NAME", type=Path, help="ask ten questions and write a game's file")
    write.add_argument("--show", metavar="GAME", choices=GameNames(), help="print the file of a game, to copy from it")
    write.add_argument("--schema", action="store_true", help="print the JSON schema of games' files, for editors")


def run(args: Namespace) -> None:
    """Print the house rules in force, or store those of a settings file as if they were entered in the lobby.

    With a game's file: check it, play it once, or copy it into the folder `games` of the data folder, where it is found
    by the next start. A file that was there before is replaced; games in the journal keep the rules that they were
    begun with. A stored file of rules that is damaged is reported on stderr and is no failure.

    Args:
        args: paths or None: `file` (to import), `check` (to check), `tried` (to play), `new` (to write), `settings` and
            `data`; `schema` (bool: print it); `game` (name; None: all installed games) and `show` (name of the game
            whose file is printed, or None).

    Raises:
        CommandError: the settings or the file cannot be used (status 2), or a rule is refused or something cannot be
            stored (status 1); rules imported before it stay.
        Exception: an error while a game is loaded is passed on, such as ImportError.
    """
    if (args.file or args.check or args.tried) and (args.new or args.show or args.schema):
        raise CommandError("One thing at a time: --import, --check, --try, --new, --show or --schema.", status=2)
    # Modules are imported where they are used: most uses of the command need one of them.
    if args.schema:
        from companion.commands.game_file import format_schema

        print(format_schema())
        return
    if args.check is not None:
        print(f"{args.check} is right: it describes the game {_check_game(args.check)}.")
        return
    if args.tried is not None:
        from companion.commands.game_file import read_game
        from companion.commands.try_game_file import try_game

        try_game(*read_game(args.tried))
        return
    if args.show is not None:
        from companion.commands.game_file import show_game

        show_game(args.show)
        return
    if args.new is not None:
        from companion.commands.new_game_file import Interview, write_new_game

        path = write_new_game(args.new, Interview(input))
        print(f"{path} is written. Try it: companion rules --import {path}, then companion run --game {path.stem}")
        return
    if args.file is not None and _is_missing(args.file):
        raise CommandError(f"There is no file {args.file}. {ask_about_name(args.file)}", status=2)
    from companion.api import registry

    settings = load_command_settings(args)
    folder = settings.find_data_folder(args.data)
    if args.file is not None and _is_game_file(args.file):
        from companion.commands.game_file import import_game

        import_game(args.file, folder / registry.GAME_FOLDER)
        return
    from companion.config.settings_file import load_settings
    from companion.config.settings_text import format_house_rules
    from companion.lobby import HouseRules

    house_rules = HouseRules(settings.games, folder)
    print_problems(house_rules.store.problem, house_rules.named.store.problem)
    if args.file is not None:
        with report_errors(status=2):
            imported = load_settings(args.file)
        if imported.problems:
            raise CommandError("\n".join([*imported.problems, "Nothing was imported."]), status=2)
        _import_rules(house_rules, imported.settings.games, folder)
        return
    with report_errors():
        games = [registry.find_game(args.game)] if args.game else registry.load_games()
    print("\n\n".join("\n".join(format_house_rules(game, house_rules.rules_of(game))) for game in games))
    print_problems(house_rules.problem)


def _check_game(path: Path) -> str:
    """Return the name of the game that a file describes.

    Raises:
        CommandError: it cannot be used (status 2).
    """
    # The process ends after the check, and the search for garbage took a sixth of its time: none while it lasts, and
    # what is there then is left alone.
    gc.disable()
    try:
        from companion.commands.game_file import read_game

        return read_game(path)[0]
    finally:
        gc.freeze()
        gc.enable()


def _is_missing(path: Path) -> bool:
    """Return whether there is nothing under that name; a name that cannot be looked up has a message of its own."""
    try:
        path.stat()
    except FileNotFoundError:
        return True
    except (OSError, ValueError):
        pass
    return False


def _is_game_file(path: Path) -> bool:
    """Return whether a file, or folder, describes a game: its file begins with keys that no settings file has.

    False for one that cannot be read: then the message is that of a settings file.
    """
    from companion.config.settings_file import MAX_FILE_BYTES

    if path.is_dir():
        return True
    try:
        text = read_file(path, MAX_FILE_BYTES).decode("utf-8-sig", errors="replace")
    except (OSError, ValueError):
        return False
    return _GAME_KEY.search(re.split(r"^\s*\[", text, maxsplit=1, flags=re.MULTILINE)[0]) is not None


def _import_rules(house_rules: "HouseRules", imported: Mapping[str, "BaseModel"], folder: Path) -> None:
    from companion.api import registry

    with report_errors():
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for name, rules in imported.items():
        game = registry.find_game(name)
        for field in sorted(rules.model_fields_set):
            problem = house_rules.change(game, field, getattr(rules, field))
            if problem:
                raise CommandError(f"{name}: {field}: {problem}")
        print(f"House rules of {game.title} are stored.")
