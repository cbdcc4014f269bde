"""Proof: 100,000 hostile messages to the club through a real broker: no crash, no hang, no leak.

Texts of strangers on the page: test_page_in_browser.py.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random

import paho.mqtt.client as mqtt
import pytest
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

from companion.club.database import ClubDatabase
from companion.club.receiver import MAX_TABLES, LiveTables, Receiver
from companion.porch.broker import TOPIC_ROOT, BrokerAccess
from tests.club.build import build_result_object
from tests.club.publisher import TablePublisher
from tests.club.test_receiver import wait_until
from tests.mosquitto import Mosquitto, needs_mosquitto
from tests.process_memory import measure_memory_kib

pytestmark = [pytest.mark.proof, needs_mosquitto]

COUNT = 100_000
MAX_GROWTH_KIB = 64_000
"""Most that the memory may grow by: the states of `MAX_TABLES` tables, and the test's own client."""


def make_message(random: Random) -> tuple[str, bytes]:
    """Return a topic below ours and a payload: noise, torn or mangled messages, wrong types, other tables' results."""
    table = random.choice(("good", f"evil-{random.randrange(5_000)}", "", "a/b", "Ä", "x" * 60, "evil"))
    kind = random.choice(
        ("state", "status", "results", "event", f"result/{random.randrange(10**8):08x}", "result", "x")
    )
    text = json.dumps(build_result_object(f"{random.randrange(10**8):08x}", table=table, revision=random.randrange(9)))
    payload = random.choice(
        (
            lambda: random.randbytes(random.randrange(200)),
            lambda: text.encode()[: random.randrange(len(text))],
            lambda: text.replace(random.choice('":,{}[]0127'), random.choice('":,{}[]0127x'), 1).encode(),
            lambda: json.dumps({"version": 1, "table": table, "results": {f"{n:08x}": 7 for n in range(50)}}).encode(),
            lambda: json.dumps({"version": 1, "table": table, "headline": "x" * 200, "players": [{}] * 3}).encode(),
            lambda: b"[" * random.randrange(1, 3000),
            lambda: b"online",
            lambda: b"",
        )
    )()
    return f"{TOPIC_ROOT}/{table}/{kind}", payload


def test_hostile_messages(sqlite_database: ClubDatabase, make_broker: Callable[..., Mosquitto]) -> None:
    random, tables = Random(7), LiveTables()
    broker = make_broker(settings="allow_anonymous true\nmax_queued_messages 0")
    good = TablePublisher(broker.port, "good")
    good.wait_until_connected()
    evil = mqtt.Client(CallbackAPIVersion.VERSION2, protocol=MQTTProtocolVersion.MQTTv5)
    evil.connect("127.0.0.1", broker.port)
    evil.loop_start()
    with Receiver(BrokerAccess("127.0.0.1", broker.port, tls=False), sqlite_database, tables):
        wait_until(tables, lambda: tables.connected)
        before = 0
        for number in range(COUNT):
            topic, payload = make_message(random)
            info = evil.publish(topic, payload, qos=1, retain=random.random() < 0.05)
            if number % 1000 == 999:
                info.wait_for_publish(60)  # so that the broker keeps up
            if number == COUNT // 2:
                before = measure_memory_kib()
        info.wait_for_publish(60)
        good.add_result(build_result_object("ffffffff", table="good", revision=99))
        wait_until(tables, lambda: sqlite_database.read_revisions().get(("good", "ffffffff")) == 99)
        growth = measure_memory_kib() - before
        shown = tables.list_tables()
        print(f"{COUNT} messages, {tables.refused_count} refused; {len(shown)} tables; second half: +{growth} KiB")
        assert len(shown) <= MAX_TABLES
        assert growth < MAX_GROWTH_KIB
        for sitting in sqlite_database.read_sittings():
            assert sitting.table == "good" or sitting.table.startswith("evil")
    evil.loop_stop()
    evil.disconnect()
    good.close()
