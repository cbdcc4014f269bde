"""`companion rules`: the house rules in force, as a file takes them; and such a file taken in."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace, _SubParsersAction
from pathlib import Path

from companion.config.settings import SettingsError, format_house_rules, load_settings, parse_settings
from companion.games import registry
from companion.lobby import HouseRules


def add_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    """Add the command to the program's."""
    parser = subparsers.add_parser(
        "rules",
        help="print the house rules, or take them in",
        description="Print the house rules in force (StarFall's catalogue of tiles among them) as sections of a "
        "settings file, or take in such a file as if it had been entered in the lobby.",
    )
    parser.add_argument("--data", metavar="FOLDER", type=Path, help="where they are kept, beside the journal")
    parser.add_argument("--game", choices=registry.list_game_names(), help="only this game's")
    parser.add_argument("--settings", metavar="FILE", type=Path, help="settings instead of the usual file")
    parser.add_argument("--import", dest="file", metavar="FILE", type=Path, help="take in the sections of this file")
    parser.set_defaults(run=run)


def run(args: Namespace) -> int:
    """Do what the command line says; the exit status."""
    try:
        settings = load_settings(args.settings)
        taken = None if args.file is None else parse_settings(args.file.read_bytes(), str(args.file))
    except (SettingsError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    folder = settings.find_data_folder(args.data)
    house = HouseRules(settings.games, folder)
    if taken is not None:
        return _import_rules(house, taken.games, folder)
    names = [args.game] if args.game else registry.list_game_names()
    sections = ["\n".join(format_house_rules(kit, house.rules_of(kit))) for kit in map(registry.find_game, names)]
    print("\n\n".join(sections))
    if house.problem:
        print(house.problem, file=sys.stderr)
    return 0


def _import_rules(house: HouseRules, games: object, folder: Path) -> int:
    assert isinstance(games, dict)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for name, rules in games.items():
        for field in sorted(rules.model_fields_set):
            problem = house.change(registry.find_game(name), field, getattr(rules, field))
            if problem:
                print(f"{name}: {field}: {problem}", file=sys.stderr)
                return 1
        print(f"House rules of {registry.find_game(name).title} are kept.")
    return 0
