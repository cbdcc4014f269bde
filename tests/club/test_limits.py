"""Limits of what the club reads, and the order in which it asks for results.

Also here: results from a file (history_file.py).
"""

from __future__ import annotations

import json
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from companion.club import receiver as receiver_module
from companion.club.database import ClubDatabase
from companion.club.history_file import HistoryFile, read_history_file
from companion.club.messages import BadMessage, parse_state
from companion.club.receiver import LiveTables, Receiver
from companion.porch.broker import BrokerAccess
from tests.club.build import build_result, build_result_object

SECONDS = 30.0
"""Time after which something that has not come will not come."""


def test_a_history_file_has_at_most_64_megabytes(tmp_path: Path) -> None:
    (file := tmp_path / "games.json").touch()
    with file.open("rb+") as opened:
        opened.truncate(64_000_001)
    with pytest.raises(BadMessage, match="too long: more than 64000000 bytes"):
        read_history_file(file, "hall-1")


def test_games_that_are_not_over_are_left_out(tmp_path: Path) -> None:
    (file := tmp_path / "games.json").write_text(json.dumps([{"over": False}, {"trouble": "torn"}]))
    assert read_history_file(file, "hall-1") == HistoryFile((), ())


def test_results_are_asked_for_in_the_order_of_the_index(sqlite_database: ClubDatabase) -> None:
    receiver = Receiver(BrokerAccess("localhost", 1883, tls=False), sqlite_database, LiveTables())
    asked: list[str] = []

    def note(topic: str, **_options: Any) -> None:
        asked.append(topic)

    receiver._client.subscribe = note  # type: ignore[method-assign,assignment]  # no broker is needed
    index = {"version": 1, "table": "hall-1", "results": {f"0000000{number}": 1 for number in range(1, 6)}}
    receiver._read_message("board-game-companion/hall-1/results", json.dumps(index).encode())
    receiver._fetch_more()
    assert [topic.rpartition("/")[2] for topic in asked] == [*index["results"]]


def test_fewer_results_are_asked_for_at_once_after_some_did_not_come(
    sqlite_database: ClubDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(receiver_module, "MAX_FETCHES", 4)
    now, asked, ended = [0.0], list[str](), list[str]()
    receiver = Receiver(
        BrokerAccess("localhost", 1883, tls=False), sqlite_database, LiveTables(), get_time=lambda: now[0]
    )
    monkeypatch.setattr(receiver._client, "subscribe", lambda topic, **_options: asked.append(topic[-1]))
    monkeypatch.setattr(receiver._client, "unsubscribe", lambda topic: ended.append(topic[-1]))

    def send(sitting: str) -> None:
        result = build_result_object(sitting)
        receiver._read_message(f"board-game-companion/hall-1/result/{sitting}", json.dumps(result).encode())
        receiver._fetch_more()

    index = {"version": 1, "table": "hall-1", "results": {f"0000000{number}": 1 for number in range(1, 10)}}
    receiver._read_message("board-game-companion/hall-1/results", json.dumps(index).encode())
    receiver._fetch_more()
    assert (asked, ended) == ([*"1234"], [])
    now[0] += receiver_module.FETCH_SECONDS
    receiver._fetch_more()
    assert (asked, ended) == ([*"123456"], [*"1234"]), "half as many"
    send("0000000f")  # a new one, which nobody asked for
    assert (asked, ended) == ([*"123456"], [*"1234"])
    send("00000005")
    assert (asked, ended) == ([*"12345678"], [*"12345"]), "one more for each that comes"


def test_a_table_has_at_most_so_many_results(sqlite_database: ClubDatabase, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(receiver_module, "MAX_SITTINGS_OF_TABLE", 3)
    sqlite_database.save_results([build_result("0000000a"), build_result("0000000b")])
    receiver = Receiver(BrokerAccess("localhost", 1883, tls=False), sqlite_database, LiveTables())

    def send(sitting: str, table: str = "hall-1", **changes: Any) -> None:
        result = build_result_object(sitting, table=table, **changes)
        receiver._read_message(f"board-game-companion/{table}/result/{sitting}", json.dumps(result).encode())

    send("0000000c")
    with pytest.raises(BadMessage, match='the table "hall-1" has 3 results already'):
        send("0000000d")
    send("0000000a", revision=6)
    send("0000000d", "hall-2")
    assert receiver._received.qsize() == 3, "corrections and other tables are not concerned"
    index = {"version": 1, "table": "hall-1", "results": {"0000000d": 1, "0000000a": 7}}
    receiver._read_message("board-game-companion/hall-1/results", json.dumps(index).encode())
    assert [*receiver._wanted] == ["board-game-companion/hall-1/result/0000000a"]


def test_the_receiver_ends_although_its_queue_is_full(
    sqlite_database: ClubDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database hangs for a moment when the club is told to end."""
    monkeypatch.setattr(receiver_module, "MAX_QUEUED_RESULTS", 1)
    begun, answers = Event(), Event()

    def save(_results: object) -> int:
        begun.set()
        answers.wait()
        return 0

    monkeypatch.setattr(sqlite_database, "save_results", save)
    receiver = Receiver(BrokerAccess("localhost", 1, tls=False), sqlite_database, LiveTables())
    receiver.__enter__()
    receiver._received.put(build_result("0000000a"))
    begun.wait()
    receiver._received.put(build_result("0000000b"))
    end = Thread(target=receiver.__exit__, args=(None, None, None), daemon=True)
    end.start()
    receiver._sweeper.join()  # it ends when the receiver stops
    while receiver._client._thread is not None:
        end.join(0.01)  # the network's thread is ended just before
    answers.set()
    end.join()


@pytest.mark.parametrize("number", [2**31, -(2**31) - 1, 10**4000], ids=["large", "small", "endless"])
def test_a_state_has_no_number_that_no_page_has_room_for(number: int) -> None:
    for part in ({"round": number}, {"rounds": number}, {"players": [{"name": "Ada", "score": number}]}):
        with pytest.raises(BadMessage):
            parse_state(json.dumps({"version": 1, "table": "hall-1"} | part).encode(), "hall-1")


def test_a_certificate_that_is_none_is_named(tmp_path: Path) -> None:
    (file := tmp_path / "ca.pem").write_text("no certificate")
    with pytest.raises(OSError, match="certificate"):
        BrokerAccess("localhost", 8883, ca_file=str(file)).make_tls_context()
