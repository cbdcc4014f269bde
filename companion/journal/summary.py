"""Past sittings as plain objects and as CSV: for the terminal, for a USB stick."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, tzinfo
from typing import IO, Any

from companion.games.api.offers import GameDefinition
from companion.journal.database import GameRecord, Journal
from companion.journal.entry import EntryKind, GameSetup
from companion.journal.errors import InvalidSavedGame
from companion.journal.import_export import replay_game
from companion.journal.replay import Replay
from companion.journal.statistics import compute_rounds

CSV_COLUMNS = ("sitting", "begun", "game", "player", "seat", "score", "won", "over", "rounds")


def to_local_time(unix_seconds: float, zone: tzinfo | None) -> datetime:
    """Unix seconds as local time, or as that of `zone`."""
    return datetime.fromtimestamp(unix_seconds, tz=UTC).astimezone(zone)


def summarise_record(record: GameRecord, zone: tzinfo | None) -> dict[str, Any]:
    """What `told` says of a sitting without a look at its moves."""
    return {
        "id": record.id,
        "uid": record.uid,
        "imported": record.imported,
        "begun": to_local_time(record.started.wall, zone).isoformat(timespec="seconds"),
    }


def summarise_game(
    journal: Journal, record: GameRecord, find_game: Callable[[str], GameDefinition], zone: tzinfo | None
) -> dict[str, Any]:
    """One sitting as a JSON object.

    Keys: `id`, `uid`, `imported`, `begun` (ISO 8601), and, where it can be replayed, `game`, `title`, `players`
    (names by seat), `moves` (those that count), `scores` (by seat), `rounds` (points of each round, by seat), `over`,
    `winners` (seats), `reason`, `put_away`; `trouble` says what cannot be read or replayed, else null.
    """
    found = summarise_record(record, zone)
    try:
        setup = GameSetup.from_json(record.setup_json)
        entries = journal.read_entries(record.id)
        replay = replay_game(setup, entries, find_game)
    except InvalidSavedGame as error:
        return found | {"trouble": str(error)}
    return (
        found
        | {
            "game": setup.game,
            "title": replay.definition.title,
            "players": list(setup.players),
            "moves": len(replay.steps),
        }
        | summarise_result(replay)
        | {"put_away": bool(entries) and entries[-1].what.kind is EntryKind.SET_ASIDE, "trouble": replay.problem}
    )


def summarise_result(replay: Replay) -> dict[str, Any]:
    """How the game stands or ended: `scores` by seat, `over`, `winners` (seats), `reason`."""
    outcome, scores = replay.game.compute_outcome(), replay.game.compute_scores()
    return {
        "scores": [scores[seat] for seat in sorted(scores)],
        "rounds": [list(points) for points in compute_rounds(replay)],
        "over": outcome is not None,
        "winners": list(outcome.winners) if outcome else [],
        "reason": outcome.reason if outcome else None,
    }


def write_csv(games: Sequence[dict[str, Any]], file: IO[str]) -> None:
    """Sittings, each as `told`, as CSV: `rounds` are points round by round, with spaces between."""
    out = csv.writer(file, lineterminator="\n")
    out.writerow(CSV_COLUMNS)
    for sitting in games:
        for seat, player in enumerate(sitting.get("players", ())):
            points = " ".join(str(each[seat]) for each in sitting["rounds"])
            won = int(seat in sitting["winners"])
            begun, game, score = sitting["begun"], sitting["game"], sitting["scores"][seat]
            out.writerow(
                [
                    sitting["id"],
                    begun,
                    game,
                    _escape_formula(player),
                    seat + 1,
                    score,
                    won,
                    int(sitting["over"]),
                    points,
                ]
            )


def _escape_formula(text: str) -> str:
    """A name that a spreadsheet would take for a formula is only a name (OWASP, "CSV Injection")."""
    return f"'{text}" if text[:1] in "=+-@" else text
