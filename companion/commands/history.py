"""`companion history`: past sittings, their results and the players' records; one sitting as a file, out and in."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace, _SubParsersAction
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from companion.commands.common import add_data_option, run_with_journal
from companion.games import registry
from companion.i18n import replace_unprintable
from companion.journal.database import Journal
from companion.journal.import_export import export_game, import_game
from companion.journal.statistics import PlayerRecord as PlayersRecord
from companion.journal.statistics import compute_player_records
from companion.journal.summary import write_csv
from companion.lobby.results_cache import ResultsCache

GAME_COLUMNS = ("No", "Begun", "Game", "Players", "Result")
RECORD_COLUMNS = ("Game", "Player", "Played", "Won", "Average", "Best", "Best round")


def add_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    """Add the command to the program's."""
    parser = subparsers.add_parser(
        "history", help="list past sittings; export or import one", description="List past sittings with their results."
    )
    add_data_option(parser)
    parser.add_argument("--game", choices=registry.list_game_names(), help="only sittings of this game")
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
            export_game(journal, args.sitting, args.file)
            print(f"Sitting {args.sitting} is now in {args.file}.")
        elif args.action == "import":
            print(f"It is now sitting {import_game(journal, args.file)}.")
        else:
            past = ResultsCache(journal, journal.path.parent)
            past.restart()
            past.read_more(reasons=args.json)
            sittings = [s for s in past.summaries if _matches(s, args.game, args.player)]
            if args.json:
                print(json.dumps(sittings, indent=1, ensure_ascii=False))
            elif args.csv:
                write_csv(sittings, sys.stdout)
            else:
                print(format_games(sittings))
                found = [r for r in compute_player_records(sittings) if args.player in {None, r.player}]
                if found:
                    print("", format_records(found), sep="\n")
        return 0

    return run_with_journal(args, act, write=args.action == "import")


def _matches(saved_game: dict[str, Any], game: str | None, player: str | None) -> bool:
    return game in {None, saved_game.get("game")} and (player is None or player in saved_game.get("players", ()))


def format_games(games: Sequence[dict[str, Any]]) -> str:
    """The sittings of `Past` as lines of text."""
    if not games:
        return "Nothing has been played yet."
    return _align_columns([GAME_COLUMNS, *(_format_row(sitting) for sitting in games)], right={0})


def format_records(records: Sequence[PlayersRecord]) -> str:
    """Players' records as lines of text; averages and bests are of finished games."""
    rows = [
        (
            r.game_title,
            r.player,
            str(r.played),
            str(r.won),
            _format_number(r.average_score),
            _format_number(r.best_score),
            _format_number(r.best_round),
        )
        for r in records
    ]
    return _align_columns([RECORD_COLUMNS, *rows], right={2, 3, 4, 5, 6})


def _format_number(value: float | None) -> str:
    return "" if value is None else f"{value:.1f}" if isinstance(value, float) else str(value)


def _align_columns(rows: Sequence[Sequence[str]], right: set[int]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            replace_unprintable(text.rjust(width) if column in right else text.ljust(width))
            for column, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def _format_row(saved_game: dict[str, Any]) -> tuple[str, ...]:
    begun = saved_game["begun"][:16].replace("T", " ")
    if "game" not in saved_game:
        return str(saved_game["id"]), begun, "", "", saved_game["trouble"]
    return (
        str(saved_game["id"]),
        begun,
        saved_game["title"],
        ", ".join(saved_game["players"]),
        format_result(saved_game),
    )


def format_result(saved_game: dict[str, Any]) -> str:
    """Winners and scores in one line, from the keys of `companion.journal.summary.told`."""
    names = saved_game["players"]
    scores = ", ".join(f"{name} {score}" for name, score in zip(names, saved_game["scores"], strict=True))
    if saved_game["over"]:
        return f"{' and '.join(names[seat] for seat in saved_game['winners'])} won ({scores})"
    state = "put away" if saved_game.get("put_away") else "not finished"
    moves = "1 move" if saved_game["moves"] == 1 else f"{saved_game['moves']} moves"
    return f"{state} after {moves} ({scores})"
