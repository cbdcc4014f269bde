"""`companion replay`: tell a past sitting move by move."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace, _SubParsersAction
from collections.abc import Callable, Iterator
from datetime import tzinfo
from pathlib import Path
from typing import Any

from companion.commands.common import add_data_option, run_reporting_errors, run_with_journal
from companion.commands.history import format_result
from companion.games import registry
from companion.games.api.offers import GameDefinition
from companion.i18n import replace_unprintable
from companion.journal.entry import EntryKind, JournalEntry
from companion.journal.import_export import ExportedGame, build_export, read_exported_game
from companion.journal.replay import PlayedStep, Replay
from companion.journal.summary import summarise_result, to_local_time

NOTE_BY_KIND = {
    EntryKind.SET_ASIDE: "(put away)",
    EntryKind.RESUMED: "(the companion was started again)",
    EntryKind.TRUNCATED: "(what came before could not be replayed and does not count)",
}


def add_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    """Add the command to the program's."""
    parser = subparsers.add_parser(
        "replay",
        help="tell a past sitting move by move",
        description="Tell a past sitting move by move, with the final scores.",
    )
    add_data_option(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of sentences")
    parser.add_argument(
        "sitting", metavar="ID|FILE", help="its number in `companion history`, or a file that its export wrote"
    )
    parser.set_defaults(run=run)


def run(args: Namespace) -> int:
    """Do what the command line says; the exit status, 1 if not all of the sitting could be replayed."""

    def show(sitting: ExportedGame) -> int:
        told = build_replay(sitting)
        print(json.dumps(told, indent=1, ensure_ascii=False) if args.json else "\n".join(format_lines(told)))
        return 0 if told["trouble"] is None else 1

    if args.sitting.isdecimal():
        return run_with_journal(args, lambda journal: show(build_export(journal, int(args.sitting))))
    return run_reporting_errors(lambda: show(read_exported_game(Path(args.sitting))))


def build_replay(
    exported: ExportedGame, find_game: Callable[[str], GameDefinition] = registry.find_game, zone: tzinfo | None = None
) -> dict[str, Any]:
    """The sitting as a JSON object.

    Keys: `uid`, `game`, `title`, `players` (names by seat), `begun` (ISO 8601), `entries` (each `seq`, `kind`, `at`
    (ISO 8601), `words`, and `played`: null or `kind`, `seat`, `value`), `moves` (those that count), `scores` (by
    seat), `over`, `winners` (seats), `reason`, `trouble` (null, or why it could be replayed only so far).

    Raises:
        BadSitting: the game is not installed, or its setup does not fit.
    """
    done = exported.replay(find_game)
    return (
        {
            "uid": exported.uid,
            "game": exported.setup.game,
            "title": done.definition.title,
            "players": list(exported.setup.players),
            "begun": to_local_time(exported.begun.wall, zone).isoformat(timespec="seconds"),
            "entries": [_convert_entry(done, entry, step, zone) for entry, step in done.history],
            "moves": len(done.steps),
        }
        | summarise_result(done)
        | {"trouble": done.problem}
    )


def _convert_entry(done: Replay, entry: JournalEntry, step: PlayedStep | None, zone: tzinfo | None) -> dict[str, Any]:
    return {
        "seq": entry.seq,
        "kind": entry.what.kind.value,
        "at": to_local_time(entry.stamp.wall, zone).isoformat(timespec="seconds"),
        "words": _describe_entry(done, entry, step),
        "played": entry.what.played.model_dump(mode="json") if entry.what.played else None,
    }


def _describe_entry(done: Replay, entry: JournalEntry, step: PlayedStep | None) -> str:
    if step is None:
        return NOTE_BY_KIND[entry.what.kind]
    before = {EntryKind.UNDO: "Taken back: ", EntryKind.REDO: "Played again: ", EntryKind.CORRECTION: "Corrected: "}
    return before.get(entry.what.kind, "") + done.describe(step)


def format_lines(replay: dict[str, Any]) -> Iterator[str]:
    """What `replay` gave, in sentences that do nothing to a terminal, whatever players of elsewhere are called."""
    yield replace_unprintable(
        f"{replay['title']}, {replay['begun'][:16].replace('T', ' ')}: {', '.join(replay['players'])}"
    )
    for entry in replay["entries"]:
        yield replace_unprintable(f"{entry['seq']:4}  {entry['words']}")
    if replay["trouble"]:
        yield replace_unprintable(replay["trouble"])
    if replay["reason"]:
        yield replace_unprintable(replay["reason"])
    yield replace_unprintable(f"{format_result(replay)}.")
