"""Receives what the tables publish at an MQTT broker: live states for the page, results for the database.

Results arrive at least once and are saved once: the database keeps the highest revision of each table's sittings.
Nothing depends on the broker's queues, which drop what is too much: each table publishes an index of its results, and
what is in it and not in the database is fetched from its own retained topic. The indexes are read again every
`SWEEP_SECONDS`, since they too may have been dropped.
"""

import itertools
import logging
import queue
import random
import sys
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Any, Self

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
from paho.mqtt.reasoncodes import ReasonCode
from paho.mqtt.subscribeoptions import SubscribeOptions

from companion.club.database import ClubDatabase, ClubDatabaseError
from companion.club.messages import (
    BadMessage,
    TableResult,
    TableState,
    is_table_id,
    parse_index,
    parse_result,
    parse_state,
)
from companion.porch.broker import TOPIC_ROOT, BrokerAccess, describe_failure, make_connect_properties

log = logging.getLogger(__name__)

KEEPALIVE_SECONDS = 30
"""Time after which a silent connection is tested."""
RECONNECT_SECONDS = (1, 30)
"""Shortest and longest wait before a new connection; it doubles with each failure."""
MAX_TABLES = 2_000
"""Tables whose state is kept; of further ones only the results are."""
MAX_SITTINGS_OF_TABLE = 50_000
"""Results of one table; a further one is refused: at most some 100 MB of the disk. A table that plays ten games a day
comes so far in 14 years."""
MAX_WANTED = 200_000
"""Results that may wait to be asked for."""
MAX_FETCHES = 64
"""Topics that are asked for at once, at most. Each that does not come halves the number, each that does adds one."""
FETCH_SECONDS = 20.0
"""Time after which a result that did not come is given up, until its table publishes its index again."""
SWEEP_SECONDS = 30.0
"""Time after which the indexes of all tables are read again."""
SAVE_RETRY_SECONDS = 5.0
"""Wait before the database is tried again after a failure."""
MAX_QUEUED_RESULTS = 5_000
"""Results that wait for the database; while that many wait the connection is not read, and so the broker waits."""
MAX_BATCH = 200
"""Results saved in one transaction."""
LOG_SECONDS = 10.0
"""Least time between two lines of the log on refused messages: a flood of messages does not fill the disk."""


@dataclass(frozen=True, slots=True)
class LiveTable:
    """A table as it was last heard of."""

    table: str
    online: bool = False
    state: TableState | None = None
    """None: it has published none yet."""


class LiveTables:
    """The tables as they are now, for readers in other threads; each change raises `version` by one."""

    def __init__(self) -> None:
        self._condition = threading.Condition()
        self._tables: dict[str, LiveTable] = {}
        self.version = 0
        """Number of changes so far."""
        self.connected = False
        """There is a connection to the broker."""
        self.refused_count = 0
        """Number of messages that were refused."""

    def list_tables(self) -> tuple[LiveTable, ...]:
        """Return all tables by their id."""
        with self._condition:
            return tuple(self._tables[table] for table in sorted(self._tables))

    def update(self, table: str, **changes: Any) -> None:
        """Change fields of a table, which is added if it is new and there is room."""
        with self._condition:
            known = self._tables.get(table)
            if known is None and len(self._tables) >= MAX_TABLES:
                return
            after = replace(known or LiveTable(table), **changes)
            if after != known:
                self._tables[table] = after
                self.note_change()

    def set_connected(self, connected: bool) -> None:
        """Note that the connection was made or lost."""
        self.connected = connected
        self.note_change()

    def note_change(self) -> None:
        """Wake up all who wait: a table, a result or the connection changed."""
        with self._condition:
            self.version += 1
            self._condition.notify_all()

    def wait_for_change(self, version: int, seconds: float) -> int:
        """Wait until `version` differs from the given one, at most that long, and return it."""
        with self._condition:
            self._condition.wait_for(lambda: self.version != version, seconds)
            return self.version


class Receiver:
    """The connection to the broker, in threads of its own: one reads it, one saves results, one looks for missing ones.

    Use it as a context manager; a lost connection is made again, with longer and longer waits.

    Args:
        broker: where to connect to.
        database: where results are saved; only the receiver's own thread writes to it.
        tables: the live tables, which it keeps up to date.
        get_time: the monotonic clock, seconds.

    Raises:
        ClubDatabaseError: the results that are there already cannot be read.
        OSError: `ca_file` cannot be read, or holds no certificate.
    """

    def __init__(
        self,
        broker: BrokerAccess,
        database: ClubDatabase,
        tables: LiveTables,
        get_time: Callable[[], float] = time.monotonic,
    ) -> None:
        self._broker, self._database, self._tables, self._get_time = broker, database, tables, get_time
        # Used by the connection's thread only.
        self._revisions = database.read_revisions()
        self._counts = Counter(table for table, _sitting in self._revisions)
        self._hashes: dict[tuple[str, str], int] = {}  # of the results that were saved last
        self._lock = threading.Lock()  # for the three below
        self._wanted: OrderedDict[str, None] = OrderedDict()  # topics that are still to be asked for, without doubles
        self._asked: OrderedDict[str, float] = OrderedDict()  # topics that were asked for, and when they are given up
        self._fetch_count = MAX_FETCHES
        self._received: queue.Queue[TableResult | None] = queue.Queue(MAX_QUEUED_RESULTS)
        self._stopping = threading.Event()
        self._logged_at = float("-inf")
        self._logged_reason = ""
        self._is_refused = False  # the broker has just refused the login, and will end the connection
        self._client = mqtt.Client(CallbackAPIVersion.VERSION2, protocol=MQTTProtocolVersion.MQTTv5)
        self._client.on_connect = self._on_connect
        self._client.on_connect_fail = self._on_connect_fail
        self._client.on_disconnect = self._on_disconnect
        self._client.on_message = self._on_message
        self._client.reconnect_delay_set(*RECONNECT_SECONDS)
        if broker.user:
            self._client.username_pw_set(broker.user, broker.password)
        if context := broker.make_tls_context():
            self._client.tls_set_context(context)
        self._writer = threading.Thread(target=self._save_results, name="club-database", daemon=True)
        self._sweeper = threading.Thread(target=self._sweep, name="club-sweep", daemon=True)

    def __enter__(self) -> Self:
        """Start; the first connection is made in the background, so that a broker that is still off is no error."""
        self._writer.start()
        self._sweeper.start()
        self._client.connect_async(
            self._broker.host, self._broker.port, KEEPALIVE_SECONDS, properties=make_connect_properties()
        )
        self._client.loop_start()
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        """Close the connection and save what was received."""
        self._stopping.set()
        self._client.disconnect()
        self._client.loop_stop()
        # The client closes the sockets that woke its thread when it is deleted: no cycle may hold it until then.
        self._client.on_connect = self._client.on_connect_fail = self._client.on_disconnect = None
        self._client.on_message = None
        self._received.put(None)  # waits while it is full: the writer, which is told to stop, does not wait
        self._writer.join()
        self._sweeper.join()

    # The connection's thread ---------------------------------------------------------------------------------------

    def _on_connect(
        self, client: mqtt.Client, _data: object, _flags: object, reason: ReasonCode, _properties: object
    ) -> None:
        if reason.is_failure:
            self._warn(reason)
            return
        with self._lock:
            self._asked.clear()
        client.subscribe(
            [(f"{TOPIC_ROOT}/+/{name}", SubscribeOptions(qos=1)) for name in ("status", "state", "results")]
        )
        # Old results are fetched one by one from the index: all of them at once would overflow the broker's queue.
        new_only = SubscribeOptions(qos=1, retainHandling=SubscribeOptions.RETAIN_DO_NOT_SEND)
        client.subscribe(f"{TOPIC_ROOT}/+/result/+", options=new_only)
        self._logged_reason = ""
        log.info("Connected to the broker %s:%d.", self._broker.host, self._broker.port)
        self._tables.set_connected(True)
        self._fetch_more()

    def _on_connect_fail(self, _client: mqtt.Client, _data: object) -> None:
        self._warn(sys.exc_info()[1])  # it is called where the error is handled

    def _on_disconnect(
        self, _client: mqtt.Client, _data: object, _flags: object, reason: ReasonCode, _properties: object
    ) -> None:
        if self._tables.connected and not self._stopping.is_set():
            log.warning("The connection to the broker was lost: %s. Trying again.", reason)
        elif not self._is_refused and not self._stopping.is_set():
            self._warn(None)
        self._is_refused = False
        self._tables.set_connected(False)

    def _warn(self, failure: "BaseException | ReasonCode | None") -> None:
        """Log why there is no connection, once until there is one or the reason is another."""
        self._is_refused = isinstance(failure, ReasonCode)
        reason = describe_failure(self._broker, failure)
        if reason != self._logged_reason:
            log.error("No broker at %s: %s. Trying again.", self._broker.host, reason)
        self._logged_reason = reason

    def _on_message(self, _client: mqtt.Client, _data: object, message: mqtt.MQTTMessage) -> None:
        try:
            self._read_message(message.topic, bytes(message.payload))
        except BadMessage as error:
            self._tables.refused_count += 1
            if self._get_time() >= self._logged_at + LOG_SECONDS:
                self._logged_at = self._get_time()
                log.warning("A message at %r is refused: %s.", message.topic[:120], error)
        self._fetch_more()

    def _read_message(self, topic: str, payload: bytes) -> None:
        _root, table, kind, *rest = topic.split("/")
        if not is_table_id(table):
            raise BadMessage("that is no id of a table")
        match kind, rest:
            case "status", []:
                self._tables.update(table, online=payload == b"online")
            case "state", []:
                self._tables.update(table, state=parse_state(payload, table) if payload else None)
            case "results", []:
                self._finish_fetch(topic)
                for sitting, revision in parse_index(payload, table).results.items() if payload else ():
                    if self._has_room((table, sitting)) and self._revisions.get((table, sitting), -1) < revision:
                        self._want(f"{TOPIC_ROOT}/{table}/result/{sitting}")
            case "result", [sitting]:
                self._finish_fetch(topic)
                if not payload:
                    return  # the table has deleted it there; here it stays
                result = parse_result(payload, table)
                if result.sitting != sitting:
                    raise BadMessage(f'it names the sitting "{result.sitting}" under the topic of another')
                key = (table, sitting)
                if not self._has_room(key):
                    raise BadMessage(f'the table "{table}" has {MAX_SITTINGS_OF_TABLE} results already')
                self._counts[table] += key not in self._revisions
                if self._revisions.get(key, -1) <= result.revision and self._hashes.get(key) != hash(result):
                    self._received.put(result)
                    self._revisions[key], self._hashes[key] = result.revision, hash(result)

    def _has_room(self, key: tuple[str, str]) -> bool:
        """Return whether a result of a table and a sitting is known, or may be added."""
        return key in self._revisions or self._counts[key[0]] < MAX_SITTINGS_OF_TABLE

    # Fetching what is missing --------------------------------------------------------------------------------------

    def _want(self, topic: str) -> None:
        with self._lock:
            if len(self._wanted) < MAX_WANTED and topic not in self._asked:
                self._wanted[topic] = None

    def _finish_fetch(self, topic: str) -> None:
        with self._lock:
            self._wanted.pop(topic, None)
            was_asked = self._asked.pop(topic, None) is not None
            self._fetch_count = min(MAX_FETCHES, self._fetch_count + was_asked)
        if was_asked:
            self._client.unsubscribe(topic)

    def _fetch_more(self) -> None:
        now = self._get_time()
        with self._lock:
            late = [topic for topic, end in self._asked.items() if end <= now]
            for topic in late:
                del self._asked[topic]
            if late:
                self._fetch_count = max(1, self._fetch_count // 2)
            count = min(len(self._wanted), max(0, self._fetch_count - len(self._asked)))
            new = [self._wanted.popitem(last=False)[0] for _ in range(count)]
            self._asked.update(dict.fromkeys(new, now + FETCH_SECONDS))
        for topic in late:
            self._client.unsubscribe(topic)
        for topic in new:
            self._client.subscribe(topic, options=SubscribeOptions(qos=1))

    def _sweep(self) -> None:
        for number in itertools.count():
            if self._stopping.wait(SWEEP_SECONDS):
                return
            if not self._tables.connected:
                continue
            if number % 8 == 7:  # tables whose every message was dropped
                self._client.subscribe(f"{TOPIC_ROOT}/+/status", options=SubscribeOptions(qos=1))
            else:
                # In another order each time: what a short queue drops is not always the same.
                topics = [f"{TOPIC_ROOT}/{table.table}/results" for table in self._tables.list_tables()]
                for topic in random.sample(topics, len(topics)):
                    self._want(topic)
                self._fetch_more()

    # The database's thread -----------------------------------------------------------------------------------------

    def _save_results(self) -> None:
        while True:
            batch = [self._received.get()]
            while len(batch) < MAX_BATCH and batch[-1] is not None:
                try:
                    batch.append(self._received.get_nowait())
                except queue.Empty:
                    break
            self._save_batch([result for result in batch if result is not None])
            if batch[-1] is None:
                return

    def _save_batch(self, results: list[TableResult]) -> None:
        while results:
            try:
                changed = self._database.save_results(results)
            except ClubDatabaseError as error:
                if not error.is_temporary:
                    if len(results) == 1:
                        log.error("The result %s cannot be saved: %s.", results[0].sitting, error)
                        return
                    for result in results:
                        self._save_batch([result])
                    return
                log.error("%s. Trying again.", error)
                if self._stopping.wait(SAVE_RETRY_SECONDS):
                    log.error("%d results were not saved; the tables send them again.", len(results))
                    return
            else:
                if changed:
                    self._tables.note_change()
                return
