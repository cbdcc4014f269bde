"""Summaries of games: how a game stands. As a table: test_history_csv.py; points of the rounds: test_statistics.py."""

from __future__ import annotations

from datetime import UTC, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from companion.api import Seat
from companion.journal.database import GameRecord, Journal
from companion.journal.entry import Timestamp
from companion.journal.game_summary import summarise_game, summarise_record
from companion.journal.saved_game import SavedGame
from companion.journal.timestamps import TimestampClock
from tests.journal.test_statistics import correct
from tests.journal.toy import GAME, SETUP, add

A, B = Seat(0), Seat(1)


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ("", {"put_away": False, "over": False, "moves": 0, "winners": [], "reason": None, "rounds": []}),
        ("a", {"put_away": True, "over": False, "moves": 0, "rounds": []}),
        ("mar", {"put_away": False, "moves": 1, "scores": [6, 0]}),
        ("mra", {"put_away": True, "moves": 1}),
        ("marw", {"put_away": False, "over": True, "moves": 2, "winners": [1], "reason": "the goal is reached"}),
    ],
)
def test_a_summary_says_how_the_game_stands(tmp_path: Path, steps: str, expected: dict[str, Any]) -> None:
    with Journal(tmp_path / "j") as journal:
        saved_game = SavedGame.begin(journal, SETUP, GAME)
        for step in steps:
            match step:
                case "m":
                    saved_game.play_move(add(A, 6))
                case "a":
                    saved_game.set_aside()
                case "r":
                    saved_game.note_resumed()
                case "w":
                    saved_game.correct(correct(B, 30))
        found = summarise_game(journal, journal.get_game(1), lambda _name: GAME, UTC)
    assert {key: found[key] for key in expected} == expected


def test_the_beginning_is_in_the_given_time_zone() -> None:
    record = GameRecord(3, "a" * 32, "{}", True, Timestamp(wall=1_800_000_000.9, monotonic=0.0, boot=""))
    clock = TimestampClock(lambda: 0.0, lambda: 0.0, "")
    for zone, begun in ((UTC, "08:00:00+00:00"), (timezone(timedelta(hours=-5)), "03:00:00-05:00")):
        assert summarise_record(record, clock, zone) == {
            "id": 3,
            "uid": "a" * 32,
            "imported": True,
            "begun": f"2027-01-15T{begun}",
            "ended": f"2027-01-15T{begun}",
            "date_known": True,
        }
