"""Past games as JSON objects: what the history, the statistics and the pages say about each."""

import json
from collections.abc import Callable
from datetime import tzinfo
from hashlib import sha256
from typing import Any

from companion.api import AnyGameDefinition
from companion.api.places import compute_places
from companion.journal.database import GameRecord, Journal
from companion.journal.dice_luck import count_faces
from companion.journal.entry import EntryKind, GameSetup, InvalidSavedGame, Timestamp
from companion.journal.exported_game import replay_game
from companion.journal.play_time import compute_play_time, to_local_time
from companion.journal.replay import Replay
from companion.journal.statistics import compute_rounds
from companion.journal.timestamps import TimestampClock


def summarise_record(
    record: GameRecord, clock: TimestampClock, zone: tzinfo | None, ended: Timestamp | None = None
) -> dict[str, Any]:
    """Return the part of a game's summary that needs no replay, as a JSON object.

    Args:
        record: the game.
        clock: the journal's.
        zone: time zone of `begun` and `ended`; None: local time.
        ended: when its last entry that counts was made; None: it has none.

    Returns:
        The keys `id` (its number in the journal), `uid` (32 hexadecimal digits), `imported` (bool), `begun` and `ended`
        (ISO 8601 with seconds and the offset of the time zone), `date_known` (bool; false: the machine had no date, and
        the day of `begun` and `ended` is wrong).
    """

    def format_time(stamp: Timestamp) -> str:
        return to_local_time(clock.to_wall_time(stamp), zone).isoformat(timespec="seconds")

    return {
        "id": record.id,
        "uid": record.uid,
        "imported": record.imported,
        "begun": format_time(record.started),
        "ended": format_time(ended or record.started),
        "date_known": clock.is_date_known(record.started),
    }


def summarise_game(
    journal: Journal, record: GameRecord, find_game: Callable[[str], AnyGameDefinition], zone: tzinfo | None
) -> dict[str, Any]:
    """Replay one game and return its summary as a JSON object.

    Args:
        journal: where the game is.
        record: the game.
        find_game: returns the definition of a game by name, or raises `registry.UnknownGame`.
        zone: time zone of `begun` and `ended`; None: local time.

    Returns:
        The keys of `summarise_record`, and, if it can be replayed, `duration_s` (seconds, as `compute_play_time`),
        `game`, `title`, `rules` (equal for equal house rules), `players` (names by seat), `moves` (number of those that
        count), `scores` (by seat), `rounds` (points of each round, by seat), `over`, `winners` (seats), `places` (by
        seat), `reason` (null, or how it ended), `dice` (by seat, number of dice that showed each face), `put_away` (set
        aside); `trouble` says what cannot be read or replayed, else null.

    Raises:
        JournalUnwritable: the journal cannot be read.
        Exception: any other error of `find_game` or of the game's own code is passed on, such as ImportError.
    """
    try:
        setup = GameSetup.from_json(record.setup_json)
        entries = journal.read_entries(record.id)
        replay = replay_game(setup, entries, find_game)
    except InvalidSavedGame as error:
        return summarise_record(record, journal.clock, zone) | {"trouble": str(error)}
    valid = [entry for entry, _step in replay.history]
    return (
        summarise_record(record, journal.clock, zone, valid[-1].stamp if valid else None)
        | {
            "game": setup.game,
            "title": format_game_title(replay.definition, setup),
            "rules": digest_rules(setup),
            "duration_s": round(compute_play_time(record, valid, journal.clock).seconds, 1),
            "players": list(replay.players),
            "moves": len(replay.steps),
        }
        | summarise_result(replay)
        | {"put_away": bool(entries) and entries[-1].what.kind is EntryKind.SET_ASIDE, "trouble": replay.problem}
    )


def format_game_title(definition: AnyGameDefinition, setup: GameSetup) -> str:
    """Return the name of what was played: the one that people gave to it, else the game's title, in English."""
    return definition.get_given_name(setup.settings) or definition.title


def digest_rules(setup: GameSetup) -> str:
    """Return a digest of a game's house rules, of 16 hexadecimal digits."""
    return sha256(json.dumps(setup.settings, sort_keys=True).encode()).hexdigest()[:16]


def summarise_result(replay: Replay) -> dict[str, Any]:
    """Return how the game stands or ended, as a JSON object.

    Returns:
        The keys `scores` (by seat), `rounds` (points of each round, by seat), `over` (bool), `winners` (seats, from 0)
        and `places` (by seat, from 1; both empty while it is not over), `lowest_wins` (bool), `reason` (translated
        sentence; None while it is not over) and `dice` (by seat, number of dice that showed each face from face 1 up;
        empty: none are known).
    """
    outcome = replay.game.compute_outcome()
    return {
        "scores": list(replay.game.totals),
        "rounds": [list(points) for points in compute_rounds(replay)],
        "over": outcome is not None,
        "winners": list(outcome.winners) if outcome else [],
        "places": list(compute_places(outcome, replay.game.totals)) if outcome else [],
        "lowest_wins": outcome is not None and outcome.lowest_wins,
        "reason": outcome.reason if outcome else None,
        "dice": [list(counts) for counts in count_faces(replay)],
    }
