"""Past sittings as plain objects and as CSV: for the terminal, for a USB stick."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, tzinfo
from typing import IO, Any

from companion.games.api.offers import Kit
from companion.journal.database import Journal, Record
from companion.journal.entry import Kind, Setup
from companion.journal.errors import BadSitting
from companion.journal.import_export import replay_of
from companion.journal.replay import Replay
from companion.journal.statistics import rounds_of

CSV_HEADS = ("sitting", "begun", "game", "player", "seat", "score", "won", "over", "rounds")


def local_time(wall: float, zone: tzinfo | None) -> datetime:
    """Unix seconds as local time, or as that of `zone`."""
    return datetime.fromtimestamp(wall, tz=UTC).astimezone(zone)


def head(record: Record, zone: tzinfo | None) -> dict[str, Any]:
    """What `told` says of a sitting without a look at its moves."""
    return {
        "id": record.id,
        "uid": record.uid,
        "imported": record.imported,
        "begun": local_time(record.begun.wall, zone).isoformat(timespec="seconds"),
    }


def told(journal: Journal, record: Record, find: Callable[[str], Kit], zone: tzinfo | None) -> dict[str, Any]:
    """One sitting as a JSON object.

    Keys: `id`, `uid`, `imported`, `begun` (ISO 8601), and, where it can be replayed, `game`, `title`, `players`
    (names by seat), `moves` (those that count), `scores` (by seat), `rounds` (points of each round, by seat), `over`,
    `winners` (seats), `reason`, `put_away`; `trouble` says what cannot be read or replayed, else null.
    """
    found = head(record, zone)
    try:
        setup = Setup.from_json(record.setup)
        entries = journal.entries(record.id)
        replay = replay_of(setup, entries, find)
    except BadSitting as error:
        return found | {"trouble": str(error)}
    return (
        found
        | {"game": setup.game, "title": replay.kit.title, "players": list(setup.players), "moves": len(replay.steps)}
        | result(replay)
        | {"put_away": bool(entries) and entries[-1].what.kind is Kind.AWAY, "trouble": replay.trouble}
    )


def result(replay: Replay) -> dict[str, Any]:
    """How the game stands or ended: `scores` by seat, `over`, `winners` (seats), `reason`."""
    outcome, scores = replay.game.outcome(), replay.game.scores()
    return {
        "scores": [scores[seat] for seat in sorted(scores)],
        "rounds": [list(points) for points in rounds_of(replay)],
        "over": outcome is not None,
        "winners": list(outcome.winners) if outcome else [],
        "reason": outcome.reason if outcome else None,
    }


def write_csv(sittings: Sequence[dict[str, Any]], file: IO[str]) -> None:
    """Sittings, each as `told`, as CSV: `rounds` are points round by round, with spaces between."""
    out = csv.writer(file, lineterminator="\n")
    out.writerow(CSV_HEADS)
    for sitting in sittings:
        for seat, player in enumerate(sitting.get("players", ())):
            points = " ".join(str(each[seat]) for each in sitting["rounds"])
            won = int(seat in sitting["winners"])
            begun, game, score = sitting["begun"], sitting["game"], sitting["scores"][seat]
            out.writerow(
                [sitting["id"], begun, game, _inert(player), seat + 1, score, won, int(sitting["over"]), points]
            )


def _inert(text: str) -> str:
    """A name that a spreadsheet would take for a formula is only a name (OWASP, "CSV Injection")."""
    return f"'{text}" if text[:1] in "=+-@" else text
