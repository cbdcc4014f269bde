"""`companion history`: list past games and players' records, and export or import a game."""

import json
from argparse import SUPPRESS, ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from companion.api import FairDice, registry
from companion.commands import CommandError
from companion.commands.argument_values import parse_output_file, parse_whole_number
from companion.commands.common import add_action, add_data_option, add_settings_option, open_journal, prepare_csv_output
from companion.dice_statistics import Share
from companion.i18n import replace_unprintable
from companion.journal.bg_stats import build_play
from companion.journal.database import Journal
from companion.journal.dice_luck import DiceRecord, compute_dice_records
from companion.journal.entry import MAX_WHOLE_NUMBER, GameSetup, InvalidSavedGame
from companion.journal.exported_game import export_game, import_game, replay_game
from companion.journal.highlights import describe_streaks
from companion.journal.history_csv import write_csv
from companion.journal.statistics import PlayerRecord, compute_player_records
from companion.names import has_name, make_name_key
from companion.system.progress import show_progress

DESCRIPTION = "List past games with their results."

GAME_COLUMNS = ("No", "Begun", "Game", "Players", "Result")
RECORD_COLUMNS = ("Game", "Player", "Played", "Won", "Average", "Best", "Best round")
DICE_COLUMNS = ("Game", "Player", "Dice", "Mean", "Fair", "Faces", "Luck")


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options of `companion history`, and its actions `export` and `import`, to its parser."""
    add_data_option(parser)
    add_settings_option(parser)
    parser.add_argument("--game", metavar="GAME", choices=registry.list_game_names(), help="only games of this kind")
    parser.add_argument("--player", metavar="NAME", help="only games with this player")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print one JSON array instead of tables")
    form.add_argument("--csv", action="store_true", help="print CSV, one line per player of each game")
    form.add_argument("--bgstats", metavar="ID", type=parse_game_number, help="print one game in BG Stats' JSON")
    parser.set_defaults(action=None)
    actions = parser.add_subparsers(dest="action", metavar="export|import")
    export = add_action(actions, "export", "write one game to a JSON file")
    export.add_argument("number", metavar="ID", type=parse_game_number, help="its number in the list")
    export.add_argument("file", metavar="FILE", type=parse_output_file, help="the file to write")
    take_in = add_action(actions, "import", "add a game from a JSON file")
    take_in.add_argument("file", metavar="FILE", type=Path, help="a file that export wrote")
    for action in (export, take_in):
        add_data_option(action, default=SUPPRESS)
        add_settings_option(action, default=SUPPRESS)


def parse_game_number(text: str) -> int:
    """Parse an argument of the command line as the number of a game in the journal, 1 to MAX_WHOLE_NUMBER.

    Whether there is such a game is not checked.

    Raises:
        ArgumentTypeError: it is no whole number in that range.
    """
    return parse_whole_number(text, 1, MAX_WHOLE_NUMBER)


def run(args: Namespace) -> None:
    """List past games and players' records, or export or import one game.

    Games that cannot be replayed are listed with the reason and are no failure. The list stores results beside the
    journal, so that the next one is faster.

    Args:
        args: `action` (None: list, "export", "import"); `data` (folder or None) and `settings` (file or None); for the
            list `game` and `player` (names; None: all), `json` and `csv` (bool), and `bgstats` (number of the one game
            that is printed for the app BG Stats, or None); for "export" `number` (the game's number in the journal) and
            `file` (path to write); for "import" `file` (path to read).

    Raises:
        CommandError: status 2: an option of the list beside an action, names beside `bgstats`, or nothing in the
            settings file can be used. Status 1: the journal cannot be used (for "import" also if another process has it
            open), there is no such game, it is not finished (`bgstats`), or the file cannot be read, is no game or
            cannot be written.
    """
    if args.action and (args.game or args.player or args.json or args.csv or args.bgstats):
        raise CommandError(
            f"--game, --player, --json, --csv and --bgstats are for the list, not for {args.action}", status=2
        )
    if args.bgstats and (args.game or args.player):
        raise CommandError("--bgstats prints the one game of that number: leave out --game and --player", status=2)
    with open_journal(args, write=args.action == "import") as journal:
        if args.action == "export":
            export_game(journal, args.number, args.file)
            print(f"Game {args.number} is now in {args.file}.")
        elif args.action == "import":
            print(f"It is now game {import_game(journal, args.file)}.")
        elif args.bgstats:
            print(json.dumps(_build_play(journal, args.bgstats), indent=1))
        else:
            # Here, because it loads the whole lobby, which no other action needs.
            from companion.lobby.history import list_ended_games
            from companion.lobby.results_cache import ResultsCache

            results = ResultsCache(journal, journal.path.parent)
            results.restart()
            for _ in show_progress(range(results.unread_count), "Reading games"):
                results.read_more(0, reasons=args.json)
            games = [
                game for game in results.player_names.unify(results.summaries) if _matches(game, args.game, args.player)
            ]
            # Not of the games that are listed: a row goes over all that two have played.
            _print_games(games, describe_streaks(list_ended_games(results)), args)


def _build_play(journal: Journal, number: int) -> dict[str, Any]:
    try:
        record = journal.get_game(number)
        replay = replay_game(GameSetup.from_json(record.setup_json), journal.read_entries(number))
        return build_play(record, replay.with_names(journal.player_names.resolve), journal.clock)
    except (InvalidSavedGame, ValueError) as error:
        raise CommandError(f"Game {number}: {error}.") from error


def _print_games(games: Sequence[dict[str, Any]], streaks: Mapping[str, str], args: Namespace) -> None:
    if args.json:
        print(json.dumps(games, indent=1))
    elif args.csv:
        write_csv(games, prepare_csv_output())
    elif not games and (args.game or args.player):
        print("No such game has been played yet.")
    else:
        print(format_games(games))
        shown = None if args.player is None else make_name_key(args.player)
        records = [record for record in compute_player_records(games) if shown in {None, make_name_key(record.player)}]
        if records:
            print("", format_records(records), sep="\n")
        names = dict.fromkeys(record.player for record in records if record.player in streaks)
        lines = [replace_unprintable(f"{name}: {streaks[name]}") for name in names]
        if lines:
            print("", *lines, sep="\n")
        luck = [row for row in compute_dice_records(games) if shown in {None, make_name_key(row.player)}]
        if luck:
            print("", format_dice_records(luck), sep="\n")


def _matches(saved_game: dict[str, Any], game: str | None, player: str | None) -> bool:
    return game in {None, saved_game.get("game")} and (
        player is None or has_name(saved_game.get("players", ()), player)
    )


def format_games(games: Sequence[dict[str, Any]]) -> str:
    """Return games as a table of text with the columns GAME_COLUMNS, or one sentence if there are none.

    Args:
        games: JSON objects of `companion.journal.game_summary.summarise_game`. `begun` is ISO 8601; a game without the
            key `game` could not be read, and its row has `trouble` as the result.
    """
    if not games:
        return "Nothing has been played yet."
    return _align_columns([GAME_COLUMNS, *(_format_row(game) for game in games)], right={0})


def format_records(records: Sequence[PlayerRecord]) -> str:
    """Return players' records (points) as a table of text with the columns RECORD_COLUMNS; no record: headings only."""
    rows = [
        (
            record.game_title,
            record.player,
            str(record.played),
            str(record.won),
            _format_number(record.average_score),
            _format_number(record.best_score),
            _format_number(record.best_round),
        )
        for record in records
    ]
    return _align_columns([RECORD_COLUMNS, *rows], right={2, 3, 4, 5, 6})


def format_dice_records(records: Sequence[DiceRecord]) -> str:
    """Return players' dice against fair ones as a table of text with the columns DICE_COLUMNS."""
    rows = [
        (
            record.game_title,
            record.player,
            str(sum(record.counts)),
            _format_mean(record.counts, record.dice.worth),
            _format_mean((1,) * record.dice.sides, record.dice.worth),
            " ".join(map(str, record.counts)),
            format_luck(record.luck, record.dice),
        )
        for record in records
    ]
    return _align_columns([DICE_COLUMNS, *rows], right={2, 3, 4})


def _format_mean(counts: Sequence[int], worth: Sequence[int]) -> str:
    if not worth:
        return ""
    return f"{sum(count * value for count, value in zip(counts, worth, strict=True)) / sum(counts):.2f}"


def format_luck(luck: Share | None, dice: FairDice) -> str:
    """Return luck in words: "higher than 83 of 100 (76 to 89)", "too few dice to tell"."""
    if luck is None:
        return "too few dice to tell"
    pips = tuple(range(1, dice.sides + 1))
    measure = "more uneven" if not dice.worth else "higher" if dice.worth == pips else "luckier"
    value, low, high = luck.percents
    return f"{measure} than {value} of 100 ({low} to {high})"


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
    begun = saved_game["begun"][:16].replace("T", " ") if saved_game["date_known"] else "date unknown"
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
    """Return winners and scores of a game in one line: "Ada won (Ada 12, Bob 7)", "set aside after 3 moves (...)".

    A game that neither ended nor was set aside is "not finished".

    Args:
        saved_game: with the keys `players`, `scores` (both by seat), `over`, `winners` (seats), `moves`, and optionally
            `put_away`, as `companion.journal.game_summary.summarise_game` and `companion.commands.replay.build_replay`
            return them for a game that could be replayed.
    """
    names = saved_game["players"]
    scores = ", ".join(f"{name} {score}" for name, score in zip(names, saved_game["scores"], strict=True))
    if saved_game["over"]:
        return f"{' and '.join(names[seat] for seat in saved_game['winners'])} won ({scores})"
    state = "set aside" if saved_game.get("put_away") else "not finished"
    moves = "1 move" if saved_game["moves"] == 1 else f"{saved_game['moves']} moves"
    return f"{state} after {moves} ({scores})"
