"""`companion history`: past sittings, their results and the players' records; one sitting as a file, out and in."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace, _SubParsersAction
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from companion.commands.common import add_data_option, with_journal
from companion.games import registry
from companion.i18n import printable
from companion.journal.database import Journal
from companion.journal.import_export import export_sitting, import_sitting
from companion.journal.statistics import Record as PlayersRecord
from companion.journal.statistics import records
from companion.journal.summary import write_csv
from companion.lobby.results_cache import Past

HEADS = ("No", "Begun", "Game", "Players", "Result")
RECORD_HEADS = ("Game", "Player", "Played", "Won", "Average", "Best", "Best round")


def add_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    """Add the command to the program's."""
    parser = subparsers.add_parser(
        "history", help="list past sittings; export or import one", description="List past sittings with their results."
    )
    add_data_option(parser)
    parser.add_argument("--game", choices=registry.names(), help="only sittings of this game")
    parser.add_argument("--player", metavar="NAME", help="only sittings with this player")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print one JSON array instead of tables")
    form.add_argument("--csv", action="store_true", help="print CSV, a line for each player of each sitting")
    parser.set_defaults(run=run, action=None)
    actions = parser.add_subparsers(dest="action", metavar="export|import")
    export = actions.add_parser("export", help="write one sitting to a JSON file")
    export.add_argument("sitting", metavar="ID", type=int, help="its number in the list")
    export.add_argument("file", metavar="FILE", type=Path, help="the file to write")
    take_in = actions.add_parser("import", help="add a sitting from a JSON file")
    take_in.add_argument("file", metavar="FILE", type=Path, help="a file that export wrote")


def run(args: Namespace) -> int:
    """Do what the command line says; the exit status."""

    def act(journal: Journal) -> int:
        if args.action == "export":
            export_sitting(journal, args.sitting, args.file)
            print(f"Sitting {args.sitting} is now in {args.file}.")
        elif args.action == "import":
            print(f"It is now sitting {import_sitting(journal, args.file)}.")
        else:
            past = Past(journal, journal.path.parent)
            past.open()
            past.read(reasons=args.json)
            sittings = [s for s in past.sittings if _wanted(s, args.game, args.player)]
            if args.json:
                print(json.dumps(sittings, indent=1, ensure_ascii=False))
            elif args.csv:
                write_csv(sittings, sys.stdout)
            else:
                print(table(sittings))
                found = [r for r in records(sittings) if args.player in {None, r.player}]
                if found:
                    print("", records_table(found), sep="\n")
        return 0

    return with_journal(args, act, writing=args.action == "import")


def _wanted(sitting: dict[str, Any], game: str | None, player: str | None) -> bool:
    return game in {None, sitting.get("game")} and (player is None or player in sitting.get("players", ()))


def table(sittings: Sequence[dict[str, Any]]) -> str:
    """The sittings of `Past` as lines of text."""
    if not sittings:
        return "Nothing has been played yet."
    return _aligned([HEADS, *(_row(sitting) for sitting in sittings)], right={0})


def records_table(found: Sequence[PlayersRecord]) -> str:
    """Players' records as lines of text; averages and bests are of finished games."""
    rows = [
        (r.title, r.player, str(r.played), str(r.won), _number(r.average), _number(r.best), _number(r.best_round))
        for r in found
    ]
    return _aligned([RECORD_HEADS, *rows], right={2, 3, 4, 5, 6})


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.1f}" if isinstance(value, float) else str(value)


def _aligned(rows: Sequence[Sequence[str]], right: set[int]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            printable(text.rjust(width) if column in right else text.ljust(width))
            for column, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def _row(sitting: dict[str, Any]) -> tuple[str, ...]:
    begun = sitting["begun"][:16].replace("T", " ")
    if "game" not in sitting:
        return str(sitting["id"]), begun, "", "", sitting["trouble"]
    return str(sitting["id"]), begun, sitting["title"], ", ".join(sitting["players"]), result_words(sitting)


def result_words(sitting: dict[str, Any]) -> str:
    """Winners and scores in one line, from the keys of `companion.journal.summary.told`."""
    names = sitting["players"]
    scores = ", ".join(f"{name} {score}" for name, score in zip(names, sitting["scores"], strict=True))
    if sitting["over"]:
        return f"{' and '.join(names[seat] for seat in sitting['winners'])} won ({scores})"
    state = "put away" if sitting.get("put_away") else "not finished"
    moves = "1 move" if sitting["moves"] == 1 else f"{sitting['moves']} moves"
    return f"{state} after {moves} ({scores})"
