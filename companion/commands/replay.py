"""`companion replay`: tell a past sitting move by move."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace, _SubParsersAction
from collections.abc import Callable, Iterator
from datetime import tzinfo
from pathlib import Path
from typing import Any

from companion.commands.common import add_data_option, in_words, with_journal
from companion.commands.history import result_words
from companion.games import registry
from companion.games.api.offers import Kit
from companion.i18n import printable
from companion.journal.entry import Entry, Kind
from companion.journal.import_export import SittingFile, content, read_sitting
from companion.journal.replay import Replay, Step
from companion.journal.summary import local_time, result

ASIDE = {
    Kind.AWAY: "(put away)",
    Kind.RESUMED: "(the companion was started again)",
    Kind.CUT: "(what came before could not be replayed and does not count)",
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

    def show(sitting: SittingFile) -> int:
        told = replay(sitting)
        print(json.dumps(told, indent=1, ensure_ascii=False) if args.json else "\n".join(lines(told)))
        return 0 if told["trouble"] is None else 1

    if args.sitting.isdecimal():
        return with_journal(args, lambda journal: show(content(journal, int(args.sitting))))
    return in_words(lambda: show(read_sitting(Path(args.sitting))))


def replay(
    sitting: SittingFile, find: Callable[[str], Kit] = registry.find, zone: tzinfo | None = None
) -> dict[str, Any]:
    """The sitting as a JSON object.

    Keys: `uid`, `game`, `title`, `players` (names by seat), `begun` (ISO 8601), `entries` (each `seq`, `kind`, `at`
    (ISO 8601), `words`, and `played`: null or `kind`, `seat`, `value`), `moves` (those that count), `scores` (by
    seat), `over`, `winners` (seats), `reason`, `trouble` (null, or why it could be replayed only so far).

    Raises:
        BadSitting: the game is not installed, or its setup does not fit.
    """
    done = sitting.replay(find)
    return (
        {
            "uid": sitting.uid,
            "game": sitting.setup.game,
            "title": done.kit.title,
            "players": list(sitting.setup.players),
            "begun": local_time(sitting.begun.wall, zone).isoformat(timespec="seconds"),
            "entries": [_entry(done, entry, step, zone) for entry, step in done.happened],
            "moves": len(done.steps),
        }
        | result(done)
        | {"trouble": done.trouble}
    )


def _entry(done: Replay, entry: Entry, step: Step | None, zone: tzinfo | None) -> dict[str, Any]:
    return {
        "seq": entry.seq,
        "kind": entry.what.kind.value,
        "at": local_time(entry.stamp.wall, zone).isoformat(timespec="seconds"),
        "words": _words(done, entry, step),
        "played": entry.what.played.model_dump(mode="json") if entry.what.played else None,
    }


def _words(done: Replay, entry: Entry, step: Step | None) -> str:
    if step is None:
        return ASIDE[entry.what.kind]
    before = {Kind.UNDO: "Taken back: ", Kind.REDO: "Played again: ", Kind.CORRECTION: "Corrected: "}
    return before.get(entry.what.kind, "") + done.words(step)


def lines(told: dict[str, Any]) -> Iterator[str]:
    """What `replay` gave, in sentences that do nothing to a terminal, whatever players of elsewhere are called."""
    yield printable(f"{told['title']}, {told['begun'][:16].replace('T', ' ')}: {', '.join(told['players'])}")
    for entry in told["entries"]:
        yield printable(f"{entry['seq']:4}  {entry['words']}")
    if told["trouble"]:
        yield printable(told["trouble"])
    if told["reason"]:
        yield printable(told["reason"])
    yield printable(f"{result_words(told)}.")
