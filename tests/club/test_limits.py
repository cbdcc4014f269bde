"""Limits of what the club reads, and the order in which it asks for results."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.club.database import ClubDatabase
from companion.club.history_file import read_history_file
from companion.club.messages import BadMessage
from companion.club.receiver import LiveTables, Receiver
from companion.porch.broker import BrokerAccess


def test_a_history_file_has_at_most_64_megabytes(tmp_path: Path) -> None:
    (file := tmp_path / "games.json").touch()
    with file.open("rb+") as opened:
        opened.truncate(64_000_001)
    with pytest.raises(BadMessage, match="too long: more than 64000000 bytes"):
        read_history_file(file, "hall-1")


def test_games_that_are_not_over_are_left_out(tmp_path: Path) -> None:
    (file := tmp_path / "games.json").write_text(json.dumps([{"over": False}, {"trouble": "torn"}]))
    assert read_history_file(file, "hall-1") == ()


def test_results_are_asked_for_in_the_order_of_the_index(sqlite_database: ClubDatabase) -> None:
    receiver = Receiver(BrokerAccess("localhost", 1883, tls=False), sqlite_database, LiveTables())
    asked: list[str] = []

    def note(topic: str, **_options: Any) -> None:
        asked.append(topic)

    receiver._client.subscribe = note  # type: ignore[method-assign,assignment]  # no broker is needed
    index = {"version": 1, "table": "hall-1", "results": {f"0000000{number}": 1 for number in range(1, 6)}}
    receiver._read_message("board-game-companion/hall-1/results", json.dumps(index).encode())
    receiver._fetch_more()
    assert [topic.rpartition("/")[2] for topic in asked] == [*index["results"]]  # type: ignore[misc]


def test_a_certificate_that_is_none_is_named(tmp_path: Path) -> None:
    (file := tmp_path / "ca.pem").write_text("no certificate")
    with pytest.raises(OSError, match="certificate"):
        BrokerAccess("localhost", 8883, ca_file=str(file)).make_tls_context()
