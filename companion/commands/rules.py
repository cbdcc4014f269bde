"""`companion rules`: print the house rules as a settings file has them, or import such a file."""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from pathlib import Path

from pydantic import BaseModel

from companion.commands import CommandError
from companion.commands.common import add_data_option, add_settings_option, report_errors
from companion.config.settings import format_house_rules, load_settings
from companion.games import registry
from companion.lobby import HouseRules

HELP = "print or import house rules"
DESCRIPTION = (
    "Print the house rules in force (StarFall's catalogue of tiles among them) as sections of a settings file, or "
    "import such a file as if its values had been entered in the lobby."
)


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options of `companion rules` (`data`, `game`, `settings`, `file`) to its parser."""
    add_data_option(parser)
    parser.add_argument("--game", choices=registry.list_game_names(), help="only the rules of this game")
    add_settings_option(parser)
    parser.add_argument("--import", dest="file", metavar="FILE", type=Path, help="import the sections of this file")


def run(args: Namespace) -> None:
    """Print the house rules in force, or store those of a settings file as if they were entered in the lobby.

    A stored file of rules that is damaged is reported on stderr and is no failure.

    Args:
        args: `file` (path to import; None: print), `game` (name; None: all installed games), `settings` and `data`
            (path or None).

    Raises:
        CommandError: the settings or the imported file cannot be used (status 2), or a rule is refused or cannot be
            stored (status 1); rules imported before it stay.
        Exception: an error while a game is loaded is passed on, such as ImportError.
    """
    with report_errors(status=2):
        settings = load_settings(args.settings)
        imported = None if args.file is None else load_settings(args.file)
    folder = settings.find_data_folder(args.data)
    house_rules = HouseRules(settings.games, folder)
    if imported is not None:
        _import_rules(house_rules, imported.games, folder)
        return
    with report_errors():
        games = [registry.find_game(args.game)] if args.game else registry.load_games()
    print("\n\n".join("\n".join(format_house_rules(game, house_rules.rules_of(game))) for game in games))
    if house_rules.problem:
        print(house_rules.problem, file=sys.stderr)


def _import_rules(house_rules: HouseRules, imported: Mapping[str, BaseModel], folder: Path) -> None:
    with report_errors():
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for name, rules in imported.items():
        game = registry.find_game(name)
        for field in sorted(rules.model_fields_set):
            problem = house_rules.change(game, field, getattr(rules, field))
            if problem:
                raise CommandError(f"{name}: {field}: {problem}")
        print(f"House rules of {game.title} are stored.")
