"""Results and sittings for the club's tests."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from companion.club.messages import TableResult, parse_result, parse_state
from companion.club.sitting import PlacedPlayer, Sitting

END = datetime(2026, 11, 23, 21, 0, tzinfo=UTC)


def build_result_object(
    sitting: str = "0a1b2c3d", scores: Sequence[tuple[str, int]] = (("Ada", 12), ("Bob", 7)), **changes: Any
) -> dict[str, Any]:
    """Return a result as a table publishes it; the highest score wins."""
    values = [score for _name, score in scores]
    best = max(values, default=0)
    return {
        "version": 1,
        "table": "hall-1",
        "sitting": sitting,
        "revision": 5,
        "finished": True,
        "game": "pig",
        "title": "Pig",
        "name": "",
        "started": "2026-11-23T20:00:00Z",
        "ended": "2026-11-23T21:00:00Z",
        "duration_s": 3000.5,
        "lowest_wins": False,
        "players": [
            {
                "name": name,
                "seat": seat,
                "score": score,
                "won": score == best,
                "place": 1 + sum(other > score for other in values),
                "began": seat == 0,
            }
            for seat, (name, score) in enumerate(scores)
        ],
    } | changes


def build_result(*args: Any, **changes: Any) -> TableResult:
    """Return a result; arguments as for `build_result_object`."""
    return parse_result(json.dumps(build_result_object(*args, **changes)).encode())


def build_sitting(
    *scores: tuple[str, int], places: Sequence[int] = (), lowest_wins: bool = False, ended: datetime = END
) -> Sitting:
    """Return a finished game of the club; without `places` the scores make them."""
    values = [score if lowest_wins else -score for _name, score in scores]
    places = places or [1 + sum(other < value for other in values) for value in values]
    return Sitting(
        "0a1b2c3d",
        "hall-1",
        "pig",
        "Pig",
        ended,
        600.0,
        lowest_wins,
        tuple(
            PlacedPlayer(name, score, place == 1, place, seat)
            for seat, ((name, score), place) in enumerate(zip(scores, places, strict=True))
        ),
    )


def build_state(table: str = "hall-1", **changes: Any) -> Any:
    """Return a state as a table publishes it."""
    state = {
        "version": 1,
        "table": table,
        "table_name": "By the window",
        "title": "Pig",
        "headline": "Ada: roll the dice",
        "players": [{"name": "Ada", "score": 3}, {"name": "Bob", "score": -1}],
        "active_seats": [0],
        "round": 2,
        "rounds": 10,
    } | changes
    return parse_state(json.dumps(state).encode(), table)
