"""The receiver at a real mosquitto: every result once, whatever was off when it was played."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from companion.club import receiver as receiver_module
from companion.club.database import ClubDatabase, ClubDatabaseError
from companion.club.messages import MAX_MESSAGE_BYTES
from companion.club.receiver import LiveTables, Receiver
from companion.porch.broker import BrokerAccess
from tests.club.build import build_result_object
from tests.club.publisher import TablePublisher
from tests.mosquitto import Mosquitto, needs_mosquitto

pytestmark = needs_mosquitto

SECONDS = 200.0
"""Time after which something that has not come will not come."""


def wait_until(tables: LiveTables, condition: Callable[[], bool]) -> None:
    """Return when the condition holds; it is looked at after each change of the tables."""
    version = -1
    while not condition():
        new = tables.wait_for_change(version, SECONDS)
        assert new != version or condition(), "it never came"
        version = new


@pytest.fixture
def join(make_broker: Callable[..., Mosquitto]) -> Iterator[Callable[[Mosquitto, str], TablePublisher]]:
    """Return a function that connects a table to a broker."""
    publishers = []

    def connect(broker: Mosquitto, table: str) -> TablePublisher:
        publisher = TablePublisher(broker.port, table)
        publishers.append(publisher)
        publisher.wait_until_connected()
        return publisher

    yield connect
    for publisher in publishers:
        publisher.close()


@contextmanager
def note_log(words: str) -> Iterator[threading.Event]:
    """Yield an event that is set once a line of the receiver's log has these words."""
    said = threading.Event()

    class Listener(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if words in record.getMessage():
                said.set()

    handler = Listener()
    receiver_module.log.addHandler(handler)
    try:
        yield said
    finally:
        receiver_module.log.removeHandler(handler)


def get_access(broker: Mosquitto) -> BrokerAccess:
    return BrokerAccess("127.0.0.1", broker.port, tls=False)


def count_sittings(database: ClubDatabase) -> int:
    return len(database.read_sittings())


Join = Callable[[Mosquitto, str], TablePublisher]


def test_results_from_before_and_after_the_start_arrive_once(
    sqlite_database: ClubDatabase, make_broker: Callable[..., Mosquitto], join: Join
) -> None:
    broker, tables = make_broker(), LiveTables()
    table = join(broker, "hall-1")
    for n in range(150):  # more than are asked for at once
        table.add_result(build_result_object(f"{n:08x}"))
    with Receiver(get_access(broker), sqlite_database, tables):
        wait_until(tables, lambda: count_sittings(sqlite_database) == 150)
        table.add_result(build_result_object("ffffffff"))
        wait_until(tables, lambda: count_sittings(sqlite_database) == 151)
        table.add_result(build_result_object("ffffffff", revision=9, scores=(("Ada", 1), ("Bob", 2))))
        wait_until(tables, lambda: sqlite_database.read_revisions()["hall-1", "ffffffff"] == 9)
        table.add_result(build_result_object("ffffffff", revision=10, finished=False))
        wait_until(tables, lambda: count_sittings(sqlite_database) == 150)


def test_nothing_is_lost_or_doubled_when_broker_and_club_are_cut_off(
    sqlite_database: ClubDatabase, make_broker: Callable[..., Mosquitto], join: Join
) -> None:
    broker, tables = make_broker(), LiveTables()
    table = join(broker, "hall-1")
    with Receiver(get_access(broker), sqlite_database, tables):
        table.add_result(build_result_object("00000001"))
        wait_until(tables, lambda: count_sittings(sqlite_database) == 1)
        broker.kill()  # it forgets everything
        wait_until(tables, lambda: not tables.connected)
        table.add_result(build_result_object("00000002"))
        broker.start()
        wait_until(tables, lambda: count_sittings(sqlite_database) == 2)
    table.add_result(build_result_object("00000003"))
    broker.kill()
    broker.start()
    with Receiver(get_access(broker), sqlite_database, tables):
        wait_until(tables, lambda: count_sittings(sqlite_database) == 3)
    assert len({sitting.id for sitting in sqlite_database.read_sittings()}) == 3


def test_a_broker_that_drops_messages_loses_no_result(
    sqlite_database: ClubDatabase, make_broker: Callable[..., Mosquitto], join: Join, monkeypatch: pytest.MonkeyPatch
) -> None:
    """mosquitto drops what does not fit into a client's queue: here all but a few of the results, and most indexes."""
    monkeypatch.setattr(receiver_module, "SWEEP_SECONDS", 0.2)
    monkeypatch.setattr(receiver_module, "FETCH_SECONDS", 0.5)
    queue = "allow_anonymous true\nmax_queued_messages 6\nmax_inflight_messages 2"
    broker, tables = make_broker(settings=queue), LiveTables()
    publishers = [join(broker, f"hall-{n}") for n in range(6)]
    with Receiver(get_access(broker), sqlite_database, tables):
        wait_until(tables, lambda: len(tables.list_tables()) >= 1)
        for n in range(20):
            for k, publisher in enumerate(publishers):
                publisher.add_result(build_result_object(f"{k:04x}{n:04x}"))
        wait_until(tables, lambda: count_sittings(sqlite_database) == 120)


def test_the_page_s_tables_follow(
    sqlite_database: ClubDatabase, make_broker: Callable[..., Mosquitto], join: Join
) -> None:
    broker, tables = make_broker(), LiveTables()
    table = join(broker, "hall-1")
    state = {
        "version": 1,
        "table": "hall-1",
        "table_name": "By the window",
        "headline": "Ada: roll the dice",
        "players": [{"name": "Ada", "score": 3, "colour": "blue"}, {"name": "Bob", "score": 0, "colour": "orange"}],
        "active_seats": [0],
        "further": {"fields": "of the porch"},
    }
    table.publish("state", json.dumps(state))
    with Receiver(get_access(broker), sqlite_database, tables):
        wait_until(tables, lambda: [t.online for t in tables.list_tables() if t.state] == [True])
        (live,) = tables.list_tables()
        assert (live.table, live.state.table_name, live.state.headline) == (
            "hall-1",
            "By the window",
            "Ada: roll the dice",
        )
        assert [(p.name, p.score) for p in live.state.players] == [("Ada", 3), ("Bob", 0)]
        table.close()  # without a word: its last will tells
        wait_until(tables, lambda: not tables.list_tables()[0].online)
        assert tables.list_tables()[0].state is not None


def test_wrong_messages_are_refused_and_nothing_else_suffers(
    sqlite_database: ClubDatabase,
    make_broker: Callable[..., Mosquitto],
    join: Join,
    caplog: pytest.LogCaptureFixture,
) -> None:
    broker, tables = make_broker(), LiveTables()
    evil, good = join(broker, "evil"), join(broker, "good")
    with Receiver(get_access(broker), sqlite_database, tables, get_time=lambda: 0.0):
        wait_until(tables, lambda: len(tables.list_tables()) == 2)
        evil.publish("result/00000001", json.dumps(build_result_object("00000001", table="good")))
        evil.publish("result/00000002", json.dumps(build_result_object("00000003", table="evil")))
        evil.publish("result/00000004", b"\xff" * 60_000)
        evil.publish("results", json.dumps({"version": 1, "table": "evil", "results": {"00000009": 3}}))
        evil.publish("state", b"[" * 50_000)
        good.add_result(build_result_object("00000005"))
        wait_until(tables, lambda: count_sittings(sqlite_database) == 1)
        assert [sitting.table for sitting in sqlite_database.read_sittings()] == ["good"]
        assert tables.refused_count == 4
    refusals = [record.getMessage() for record in caplog.records if "refused" in record.getMessage()]
    assert refusals == [
        "A message at 'board-game-companion/evil/result/00000001' is refused: "
        'it names the table "good" under the topic of "evil".'
    ], "one line in ten seconds, however many are sent"


@pytest.mark.parametrize("is_retained", [False, True], ids=["live", "retained"])
def test_the_broker_keeps_back_what_is_too_large(
    sqlite_database: ClubDatabase,
    make_broker: Callable[..., Mosquitto],
    join: Join,
    monkeypatch: pytest.MonkeyPatch,
    is_retained: bool,
) -> None:
    """Paho reads a whole packet into memory before anybody can refuse it."""
    broker, tables, sizes = make_broker(), LiveTables(), []
    read = Receiver._read_message
    monkeypatch.setattr(
        Receiver, "_read_message", lambda self, topic, data: (sizes.append(len(data)), read(self, topic, data))
    )
    state = json.dumps({"version": 1, "table": "hall-1"}).encode()
    evil, table = join(broker, "evil"), join(broker, "hall-1")

    def publish() -> None:
        for name in ("state", "results", "result/00000001"):
            evil.publish(name, b" " * 5_000_000)
        evil.publish("state", b" " * 67_584)
        table.publish("state", state.ljust(MAX_MESSAGE_BYTES))

    if is_retained:
        publish()
    with Receiver(get_access(broker), sqlite_database, tables):
        wait_until(tables, lambda: len(tables.list_tables()) == 2)
        if not is_retained:
            publish()
        wait_until(tables, lambda: any(live.state for live in tables.list_tables()))
        table.add_result(build_result_object())
        wait_until(tables, lambda: count_sittings(sqlite_database) == 1)
    assert max(sizes) == MAX_MESSAGE_BYTES, "the largest message that is read arrives"


def test_a_result_waits_until_the_database_answers_again(
    sqlite_database: ClubDatabase, make_broker: Callable[..., Mosquitto], join: Join, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(receiver_module, "SAVE_RETRY_SECONDS", 0.0)
    broker, tables, tries = make_broker(), LiveTables(), threading.Semaphore(0)
    save, failures = sqlite_database.save_results, iter([True] * 3)

    def save_or_fail(results: object) -> int:
        tries.release()
        if next(failures, False):
            raise ClubDatabaseError("the club's database: database is locked", is_temporary=True)
        return save(results)

    monkeypatch.setattr(sqlite_database, "save_results", save_or_fail)
    table = join(broker, "hall-1")
    with Receiver(get_access(broker), sqlite_database, tables):
        table.add_result(build_result_object())
        wait_until(tables, lambda: count_sittings(sqlite_database) == 1)
    assert all(tries.acquire(blocking=False) for _ in range(4))


def test_a_result_that_the_database_refuses_does_not_hold_up_others(
    sqlite_database: ClubDatabase,
    make_broker: Callable[..., Mosquitto],
    join: Join,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    broker, tables, save = make_broker(), LiveTables(), sqlite_database.save_results

    def refuse_one(results: list[object]) -> int:
        if any(getattr(result, "sitting", "") == "00000002" for result in results):
            raise ClubDatabaseError("the club's database: value too long")
        return save(results)

    monkeypatch.setattr(sqlite_database, "save_results", refuse_one)
    table = join(broker, "hall-1")
    for n in range(1, 5):
        table.add_result(build_result_object(f"{n:08x}"))
    with Receiver(get_access(broker), sqlite_database, tables):
        wait_until(tables, lambda: count_sittings(sqlite_database) == 3)
    assert "The result 00000002 cannot be saved: the club's database: value too long." in caplog.text


def test_a_table_cannot_take_the_result_of_another(
    sqlite_database: ClubDatabase, make_broker: Callable[..., Mosquitto], join: Join
) -> None:
    broker, tables = make_broker(), LiveTables()
    good, evil = join(broker, "good"), join(broker, "evil")
    with Receiver(get_access(broker), sqlite_database, tables):
        good.add_result(build_result_object(revision=5))
        wait_until(tables, lambda: count_sittings(sqlite_database) == 1)
        evil.add_result(build_result_object(revision=100_000, finished=False))
        wait_until(tables, lambda: len(sqlite_database.read_revisions()) == 2)
        good.add_result(build_result_object(revision=11, scores=(("Ada", 1), ("Bob", 2))))
        wait_until(tables, lambda: sqlite_database.read_revisions()["good", "0a1b2c3d"] == 11)
        (sitting,) = sqlite_database.read_sittings()
        assert (sitting.table, [place.score for place in sitting.players]) == ("good", [1, 2])
        good.add_result(build_result_object(revision=11, ended="2026-11-23T22:00:00Z"))  # the clock was set
        wait_until(tables, lambda: sqlite_database.read_sittings()[0].ended.hour == 22)


# After a failed handshake paho leaves its socket to the garbage collection.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_wrong_port_and_tls_at_a_plain_broker_are_named(
    sqlite_database: ClubDatabase, make_broker: Callable[..., Mosquitto]
) -> None:
    broker = make_broker()
    for access, words in (
        (replace(get_access(broker), tls=True), "does not speak TLS"),
        (replace(get_access(broker), port=1), "nothing listens at port 1"),
    ):
        with note_log(words) as said, Receiver(access, sqlite_database, LiveTables()):
            assert said.wait(SECONDS), words


def test_a_password_is_asked_for(
    sqlite_database: ClubDatabase, make_broker: Callable[..., Mosquitto], tmp_path: object
) -> None:
    broker, tables = make_broker(settings="allow_anonymous false"), LiveTables()
    access = replace(get_access(broker), user="club", password="wrong")
    words = "the login is refused (Not authorized): check name and password"
    with note_log(words) as said, Receiver(access, sqlite_database, tables):
        assert said.wait(SECONDS), words
    assert not tables.connected
    assert "wrong" not in repr(BrokerAccess("localhost", 1883, password="wrong"))
