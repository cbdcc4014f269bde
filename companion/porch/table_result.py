"""How a game stands or ended, as the table publishes it (docs/porch.md)."""

from datetime import UTC
from typing import Any

from companion.api.places import compute_places
from companion.journal.database import GameRecord
from companion.journal.play_time import compute_play_time, to_local_time
from companion.journal.replay import Replay
from companion.journal.timestamps import TimestampClock

RESULT_VERSION = 1
"""Version of the object; it changes when a reader of the old one would be wrong."""


def build_table_result(record: GameRecord, replay: Replay, clock: TimestampClock, table: str) -> dict[str, Any]:
    """Return how a game stands or ended, for publication.

    Args:
        record: the game in the journal.
        replay: the replayed game.
        clock: the journal's, for its times.
        table: id of the table.

    Returns:
        The keys `version`, `table`, `sitting` (the game's unique id), `revision` (number of its last entry: who
        gets two versions keeps the higher one), `finished` (false: the result was taken back, or there is none yet),
        `game`, `title`, `name` (given by the players, or empty), `started` and `ended` (ISO 8601, UTC), `duration_s`,
        `lowest_wins`, and `players` by seat with `name`, `seat` from 0, `score`, `won`, `place` (from 1; 0
        while the game goes on) and `began`.
    """
    setup, definition, outcome = replay.setup, replay.definition, replay.game.compute_outcome()
    totals = replay.game.totals
    places = compute_places(outcome, totals) if outcome else (0,) * len(totals)
    played = compute_play_time(record, [entry for entry, _step in replay.history], clock)
    return {
        "version": RESULT_VERSION,
        "table": table,
        "sitting": record.uid,
        "revision": replay.last_seq,
        "finished": outcome is not None,
        "game": definition.name,
        "title": definition.title,
        "name": definition.get_given_name(setup.settings),
        "started": _format_time(played.begun),
        "ended": _format_time(played.ended),
        "duration_s": round(played.seconds, 1),
        "lowest_wins": outcome is not None and outcome.lowest_wins,
        "players": [
            {
                "name": name,
                "seat": seat,
                "score": score,
                "won": outcome is not None and seat in outcome.winners,
                "place": place,
                "began": definition.has_first_player and seat == setup.first,
            }
            for seat, (name, score, place) in enumerate(zip(replay.players, totals, places, strict=True))
        ],
    }


def _format_time(unix_seconds: float) -> str:
    return to_local_time(unix_seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
