"""`companion replay`: print a past game move by move."""

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from datetime import tzinfo
from pathlib import Path
from typing import Any

from companion.api import AnyGameDefinition, registry
from companion.commands.common import add_data_option, add_settings_option, open_journal, report_errors
from companion.commands.history import format_result, parse_game_number
from companion.i18n import replace_unprintable
from companion.journal.entry import EntryKind, JournalEntry
from companion.journal.exported_game import ExportedGame, build_export, read_exported_game, replay_game
from companion.journal.game_summary import format_game_title, summarise_result
from companion.journal.play_time import to_local_time
from companion.journal.replay import PlayedStep, Replay
from companion.names import normalize_name

DESCRIPTION = "Print a past game move by move, with the final scores."

NOTE_BY_KIND = {
    EntryKind.SET_ASIDE: "(set aside)",
    EntryKind.RESUMED: "(the companion was started again)",
    EntryKind.TRUNCATED: "(moves before this could not be replayed and do not count)",
    EntryKind.GAP_ACCEPTED: "(the disk has lost moves before this; what came after them was played again)",
}
PREFIX_BY_KIND = {EntryKind.UNDO: "Undone: ", EntryKind.REDO: "Played again: ", EntryKind.CORRECTION: "Corrected: "}


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of `companion replay` (`game`, `data`, `settings`, `json`) to its parser."""
    add_data_option(parser)
    add_settings_option(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of sentences")
    parser.add_argument(
        "game",
        metavar="ID|FILE",
        type=_parse_game,
        help="its number in `companion history`, or a file that its export wrote",
    )


def _parse_game(text: str) -> int | Path:
    return parse_game_number(text) if text.isdecimal() else Path(text)


def run(args: Namespace) -> int:
    """Print a game of the journal or of an exported file, move by move.

    Args:
        args: `game` (a game's number in the journal, or the path of a file), `data` (folder or None),
            `settings` (file or None), `json` (print one JSON object).

    Returns:
        Exit status 0, or 1 if only a part of the game could be replayed; that part is printed.

    Raises:
        CommandError: status 1: the settings, the journal or the file cannot be read, there is no such game, or the
            game is not installed or its setup is not valid.
        Exception: an error of the game's own code is passed on, such as ImportError.
    """
    if isinstance(args.game, int):
        with open_journal(args) as journal:
            started = journal.get_game(args.game).started
            replay = build_replay(
                build_export(journal, args.game),
                is_date_known=journal.clock.is_date_known(started),
                resolve=journal.player_names.resolve,
            )
    else:
        with report_errors():
            replay = build_replay(read_exported_game(args.game))
    print(json.dumps(replay, indent=1) if args.json else "\n".join(format_lines(replay)))
    return 0 if replay["trouble"] is None else 1


def build_replay(
    exported: ExportedGame,
    find_game: Callable[[str], AnyGameDefinition] = registry.find_game,
    zone: tzinfo | None = None,
    *,
    is_date_known: bool = True,
    resolve: Callable[[str], str] = normalize_name,
) -> dict[str, Any]:
    """Replay an exported game and return it as a JSON object.

    Args:
        exported: the game's setup and entries.
        find_game: returns the definition of a game by name, or raises `registry.UnknownGame`.
        zone: time zone of `begun` and `at`; None: local time.
        is_date_known: the machine on which it was played knew the date.
        resolve: returns the name that a player has now.

    Returns:
        These keys: `uid`, `game`, `title`, `players` (names by seat), `begun` (ISO 8601), `date_known`, `entries` (each
        `seq`, `kind`, `at` (ISO 8601), `words`, and `played`: null or `kind`, `seat`, `value`), `moves` (number of
        those that count), `scores` (by seat), `rounds` (points of each round, by seat), `over`, `winners` (seats),
        `reason` (null, or how it ended), `trouble` (null, or why it could be replayed only in part).

    Raises:
        InvalidSavedGame: the game is not installed, or its setup is not valid.
        Exception: any other error of `find_game` or of the game's own code is passed on, such as ImportError.
    """
    replay = replay_game(exported.setup, exported.entries, find_game).with_names(resolve)
    return (
        {
            "uid": exported.uid,
            "game": exported.setup.game,
            "title": format_game_title(replay.definition, exported.setup),
            "players": list(replay.players),
            "begun": to_local_time(exported.begun.wall, zone).isoformat(timespec="seconds"),
            "date_known": is_date_known,
            "entries": [_convert_entry(replay, entry, step, zone) for entry, step in replay.history],
            "moves": len(replay.steps),
        }
        | summarise_result(replay)
        | {"trouble": replay.problem}
    )


def _convert_entry(replay: Replay, entry: JournalEntry, step: PlayedStep | None, zone: tzinfo | None) -> dict[str, Any]:
    return {
        "seq": entry.seq,
        "kind": entry.what.kind.value,
        "at": to_local_time(entry.stamp.wall, zone).isoformat(timespec="seconds"),
        "words": _describe_entry(replay, entry, step),
        "played": entry.what.played.model_dump(mode="json") if entry.what.played else None,
    }


def _describe_entry(replay: Replay, entry: JournalEntry, step: PlayedStep | None) -> str:
    if step is None:
        return NOTE_BY_KIND[entry.what.kind]
    return PREFIX_BY_KIND.get(entry.what.kind, "") + replay.describe(step)


def format_lines(replay: dict[str, Any]) -> Iterator[str]:
    """Yield the lines that are printed: title, one line per entry, trouble and reason if there are any, the result.

    Args:
        replay: the JSON object that `build_replay` returned. Control characters in its texts become spaces.
    """
    begun = replay["begun"][:16].replace("T", " ") if replay["date_known"] else "date unknown"
    yield replace_unprintable(f"{replay['title']}, {begun}: {', '.join(replay['players'])}")
    for entry in replay["entries"]:
        yield replace_unprintable(f"{entry['seq']:4}  {entry['words']}")
    if replay["trouble"]:
        yield replace_unprintable(replay["trouble"])
    if replay["reason"]:
        yield replace_unprintable(replay["reason"])
    yield replace_unprintable(f"{format_result(replay)}.")
