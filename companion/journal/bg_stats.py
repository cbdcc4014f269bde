"""A finished game for the app BG Stats: as JSON, and as the link that opens the app with the game filled in.

The format is the app's own, "Push plays to BG Stats from other apps or websites"
(https://www.bgstatsapp.com/support/push-plays-to-bg-stats-from-other-apps-or-websites/). Its Android app refuses a
player without `winner` or `startPlayer`, though both are called optional; so both are always there.
"""

import hashlib
import json
from datetime import UTC
from typing import Any
from urllib.parse import quote

from companion.api import Outcome
from companion.api.game_state import number_places
from companion.api.places import compute_places
from companion.journal.database import GameRecord
from companion.journal.play_time import compute_play_time, to_local_time
from companion.journal.replay import Replay
from companion.journal.timestamps import TimestampClock
from companion.names import make_name_key

LINK_START = "https://app.bgstatsapp.com/createPlay.html?data="
"""Opens the app, where it is installed, else a page that says how to get it."""
SOURCE_NAME = "Companion"
"""Name under which the app lists who sent a game."""
SAFE_IN_QUERY = "!$'()*,:;@/?"
"""Marks that stand in the query of a link as they are (RFC 3986, 3.4); "&", "=" and "+" have a meaning of their own."""
PLAYER_ID_DIGITS = 6
"""Digits of a player's id that are sent: 24 bits, enough for all whom one person plays with."""
PLAY_ID_DIGITS = 16
"""Digits of a game's unique id that are sent: 64 bits, enough for all games of all boxes."""


def get_outcome(replay: Replay) -> Outcome:
    """Return how a finished game ended.

    Raises:
        ValueError: it is not over.
    """
    outcome = replay.game.compute_outcome()
    if outcome is None:
        raise ValueError("the game is not finished: only a finished game has a result")
    return outcome


def build_play(record: GameRecord, replay: Replay, clock: TimestampClock) -> dict[str, Any]:
    """Return a finished game in the app's format: the object `data` of its link.

    Args:
        record: the game in the journal; its `uid` lets the app know a game that it has already.
        replay: the replayed game, which is over.
        clock: the journal's, for the time of its end.

    Returns:
        The keys `sourceName`, `sourcePlayId`, `playDate` (end of the game in UTC, "2026-11-23 19:30:00"),
        `durationMin` (minutes, at least 1), `game` and `players` (name, id, whether the player began, score, whether
        the player won, and the rank where it does not follow from the scores).

    Raises:
        ValueError: the game is not over.
    """
    setup, definition, outcome = replay.setup, replay.definition, get_outcome(replay)
    given_name, totals = definition.get_given_name(setup.settings), replay.game.totals
    places = compute_places(outcome, totals)
    by_score = number_places([(False, score if outcome.lowest_wins else -score) for score in totals])
    played = compute_play_time(record, [entry for entry, _step in replay.history], clock)
    return {
        "sourceName": SOURCE_NAME,
        "sourcePlayId": record.uid[:PLAY_ID_DIGITS],
        "playDate": to_local_time(played.ended, UTC).strftime("%Y-%m-%d %H:%M:%S"),
        "durationMin": max(1, round(played.seconds / 60)),
        "game": {
            "name": given_name or definition.title,
            # Rummy and Hearts are two games to the app, though the score keeper kept both.
            "sourceGameId": f"{definition.name}: {given_name}" if given_name else definition.name,
            "highestWins": not outcome.lowest_wins,
            **({"bggId": definition.bgg_id} if definition.bgg_id and not given_name else {}),
        },
        "players": [
            {
                "name": name,
                "sourcePlayerId": make_player_id(name),
                "startPlayer": definition.has_first_player and seat == setup.first,
                "score": score,
                "winner": seat in outcome.winners,
                **({"rank": place} if places != by_score else {}),
            }
            for seat, (name, score, place) in enumerate(zip(replay.players, totals, places, strict=True))
        ],
    }


def make_player_id(name: str) -> str:
    """Return a short id of a player, the same for every spelling: the name itself may need 9 bytes a letter.

    >>> make_player_id("Анна") == make_player_id("анна"), len(make_player_id("Анна"))
    (True, 6)
    """
    return hashlib.sha256(make_name_key(name).encode()).hexdigest()[:PLAYER_ID_DIGITS]


def format_link(play: dict[str, Any]) -> str:
    """Return the link that opens the app with a game filled in.

    Args:
        play: a game of `build_play`.
    """
    return LINK_START + quote(json.dumps(play, ensure_ascii=False, separators=(",", ":")), safe=SAFE_IN_QUERY)
