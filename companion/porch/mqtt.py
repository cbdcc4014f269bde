"""Publishes the table at an MQTT broker: topics and payloads of docs/porch.md.

Only the table's own status is subscribed to, so that another table of the same id is noticed. Each connection has a
client of its own and begins with everything that is retained: nothing depends on queues, and no old state can follow a
newer one.
"""

import asyncio
import contextlib
import json
import logging
import socket
import time
from collections.abc import Callable
from typing import Any

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode, MQTTProtocolVersion
from paho.mqtt.reasoncodes import ReasonCode
from paho.mqtt.subscribeoptions import SubscribeOptions

from companion.porch.broker import TOPIC_ROOT, BrokerAccess, describe_failure, make_connect_properties
from companion.porch.home_assistant import build_discovery
from companion.porch.messages import EventLine, HelloLine, Line, ResultLine, StateLine
from companion.porch.table_feed import TableFeed

log = logging.getLogger(__name__)

KEEPALIVE_SECONDS = 30
"""Time after which a silent connection is tested."""
CONNECT_SECONDS = 10.0
"""Time that a broker may take to answer."""
ANSWER_SECONDS = 60.0
"""Time that a broker may take to acknowledge a message; then the connection is made again."""
RETRY_SECONDS = (1.0, 30.0)
"""Shortest and longest wait before a new connection; it doubles with each failure."""
LASTING_SECONDS = 10.0
"""Time after which a connection counts as one: a broker that ends each at once is not asked each second for ever."""
PACKET_BYTES = 16
"""Length of a packet beside its topic and payload, at most."""
MAX_QUEUED_MESSAGES = 1_000
"""Messages that wait for the broker; more are left out until the next connection, when all is sent again."""
DUPLICATE_SECONDS = 600.0
"""Time in which another table of the same id counts as present after it was heard of."""
ENDED_AT_ONCE = "it ends each connection at once: perhaps a message is too large for it, or a topic is not allowed"
"""Why a connection did not last, for the log."""
STATE_SECONDS = 0.2
"""Least time between two states: lamps and databases need no more."""


class _Client(mqtt.Client):
    """A client whose thread says when it has ended, also by a message of the broker that cannot be read."""

    end_thread: Callable[[], None] = staticmethod(lambda: None)

    def loop_forever(self, timeout: float = 1.0, retry_first_connection: bool = False) -> MQTTErrorCode:
        try:
            return super().loop_forever(timeout, retry_first_connection)
        except Exception as error:  # noqa: BLE001 - a broker may send anything
            log.warning("The broker sent something that cannot be read (%s).", type(error).__name__)
            return MQTTErrorCode.MQTT_ERR_PROTOCOL
        finally:
            self.end_thread()


class MqttBridge:
    """Publishes what a feed reads.

    Args:
        feed: the table.
        access: to the broker.
        home_assistant: publish for Home Assistant, too; if not, what was published for it before is removed.
        page_address: address of the spectators' page without its path, for a link in Home Assistant; empty: none.
        get_time: the monotonic clock, in seconds.
    """

    def __init__(
        self,
        feed: TableFeed,
        access: BrokerAccess,
        *,
        home_assistant: bool = True,
        page_address: str = "",
        get_time: Callable[[], float] = time.monotonic,
    ) -> None:
        self._feed, self._access, self._get_time = feed, access, get_time
        self._home_assistant, self._page_address = home_assistant, page_address
        self._client: _Client | None = None
        """The client while it is connected, else None."""
        self._logged_reason = ""
        self._max_bytes: int | None = None
        """Largest packet that the broker takes; None: any."""
        self._left_out: set[str] = set()
        """Topics of messages that were too large for the broker, each logged once."""
        self._other_heard_at = float("-inf")
        self._state_timer: asyncio.TimerHandle | None = None
        self._last_info: mqtt.MQTTMessageInfo | None = None
        self._is_removed = False
        """What was published for Home Assistant before has been removed, or there is nothing to remove."""
        feed.add_listener(self._take)

    @property
    def is_connected(self) -> bool:
        """Whether the broker has accepted the connection."""
        return self._client is not None

    @property
    def is_duplicate(self) -> bool:
        """Whether another box has published under this table's id lately."""
        return self._get_time() < self._other_heard_at + DUPLICATE_SECONDS

    async def run(self) -> None:
        """Stay connected until the task is cancelled; then the table is reported offline."""
        delay = RETRY_SECONDS[0]
        while True:
            while self._feed.hello is None:  # the topics have the table's id
                await asyncio.sleep(STATE_SECONDS)
            if await self._connect():
                delay = RETRY_SECONDS[0]
            await asyncio.sleep(delay)
            delay = min(2 * delay, RETRY_SECONDS[1])

    async def _connect(self) -> bool:
        """Connect, and return when the connection is lost: whether there was one that lasted."""
        assert self._feed.hello is not None
        loop = asyncio.get_running_loop()
        ended = asyncio.Event()
        answer: asyncio.Future[tuple[ReasonCode | None, int | None]] = loop.create_future()
        client = self._make_client(self._feed.hello.table)

        def call(function: Callable[[], object]) -> None:
            with contextlib.suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(function)

        def note_answer(_client: object, _data: object, _flags: object, code: ReasonCode, more: object) -> None:
            max_bytes: int | None = getattr(more, "MaximumPacketSize", None)
            call(lambda: None if answer.done() else answer.set_result((code, max_bytes)))

        def note_end() -> None:
            ended.set()
            if not answer.done():
                answer.set_result((None, None))

        client.on_connect = note_answer
        client.on_message = lambda _client, _data, message: call(
            lambda: self._take_other_status(bytes(message.payload))
        )
        client.end_thread = lambda: call(note_end)
        is_started = False
        try:
            await asyncio.to_thread(
                client.connect,
                self._access.host,
                self._access.port,
                KEEPALIVE_SECONDS,
                properties=make_connect_properties(),
            )
            client.loop_start()
            is_started = True
            # Not wait_for: in Python 3.11 it loses a cancellation that comes together with the answer.
            async with asyncio.timeout(CONNECT_SECONDS):
                code, self._max_bytes = await answer
            if code is None or code.is_failure:
                self._warn(describe_failure(self._access, code))
                return False
            if self._logged_reason != ENDED_AT_ONCE:
                self._log_connection()
            self._client, connected_at = client, self._get_time()
            # Only what others publish there: it is not read but for the one word.
            others = SubscribeOptions(qos=1, noLocal=True, retainHandling=SubscribeOptions.RETAIN_DO_NOT_SEND)
            client.subscribe(f"{TOPIC_ROOT}/{self._table}/status", options=others)
            self._publish_all()
            await self._watch(ended)
            if self._get_time() - connected_at >= LASTING_SECONDS:
                return True
            self._warn(ENDED_AT_ONCE)
            return False
        except (OSError, TimeoutError, ValueError) as error:
            self._warn(describe_failure(self._access, error))
            return False
        finally:
            if self._client is not None:
                self._say_goodbye()
            self._client = None
            if is_started:
                await asyncio.shield(_end(client, ended))

    def _log_connection(self) -> None:
        log.info("Connected to the broker %s as the table %s.", self._access.host, self._table)
        self._logged_reason = ""

    def _warn(self, reason: str) -> None:
        """Log why there is no connection, once until there is one or the reason is another."""
        if reason != self._logged_reason:
            log.warning("No broker at %s: %s. Trying again.", self._access.host, reason)
        self._logged_reason = reason

    def _take_other_status(self, payload: bytes | bytearray) -> None:
        """Note another table of the same id; "offline" may be the last will of an earlier connection of this one."""
        if payload != b"online":
            self._publish_status()
            return
        was_known, self._other_heard_at = self.is_duplicate, self._get_time()
        if not was_known:
            log.error(
                "Another box publishes as the table %s too. Give one of them another id (table in section [porch] of "
                "its settings), or delete table-id.json in its data folder.",
                self._table,
            )
            self._publish_state()

    def _make_client(self, table: str) -> _Client:
        client = _Client(CallbackAPIVersion.VERSION2, protocol=MQTTProtocolVersion.MQTTv5, reconnect_on_failure=False)
        client.connect_timeout = CONNECT_SECONDS
        client.max_queued_messages_set(MAX_QUEUED_MESSAGES)
        client.will_set(f"{TOPIC_ROOT}/{table}/status", "offline", 1, retain=True)
        if self._access.user:
            client.username_pw_set(self._access.user, self._access.password)
        if context := self._access.make_tls_context():
            client.tls_set_context(context)
        return client

    async def _watch(self, ended: asyncio.Event) -> None:
        """Return when the connection has ended, or the broker does not acknowledge what was sent."""
        while True:
            info = self._last_info
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(ANSWER_SECONDS):
                    await ended.wait()
                if self._logged_reason != ENDED_AT_ONCE:
                    log.warning("The connection to the broker was lost: trying again.")
                return
            if info is not None and not info.is_published():
                log.warning("The broker does not answer: trying again.")
                return
            if self._logged_reason:  # now it lasts
                self._log_connection()
            self._publish_status()

    def _say_goodbye(self) -> None:
        self._publish("status", "offline", retain=True)
        if self._client is not None:
            self._client.disconnect()

    # Messages --------------------------------------------------------------------------------------------------

    def _take(self, line: Line | None) -> None:
        if self._client is None:
            return
        match line:
            case EventLine():
                self._publish("event", line.model_dump(exclude={"kind"}), retain=False)
            case ResultLine():
                self._publish_result(line.result)
                self._publish_index()
            case StateLine() if self._state_timer is None:
                self._publish_state()
                self._state_timer = asyncio.get_running_loop().call_later(STATE_SECONDS, self._end_pause, line)
            case HelloLine():
                self._publish_all()
            case None:
                self._publish_status()

    def _end_pause(self, sent: StateLine) -> None:
        self._state_timer = None
        if self._feed.state is not sent and self._feed.state is not None:
            self._take(self._feed.state)

    def _publish_all(self) -> None:
        self._publish_status()
        if not self._is_removed:  # only once: a broker may end the connection of who writes where it must not
            self._publish_discovery()
        for result in self._feed.results.values():
            self._publish_result(result)
        self._publish_index()
        self._publish_state()

    def _publish_status(self) -> None:
        """Publish whether the table answers; each time again, so that the broker has something to acknowledge."""
        self._publish("status", "online" if self._feed.hello else "offline", retain=True)

    def _publish_state(self) -> None:
        state = self._feed.get_state()
        if state is not None:
            content = state.model_dump() | {"kind": state.screen, "duplicate": self.is_duplicate}
            self._publish("state", content, retain=True)

    def _publish_result(self, result: dict[str, Any]) -> None:
        self._publish(f"result/{result['sitting']}", result, retain=True)

    def _publish_index(self) -> None:
        revisions = {sitting: result["revision"] for sitting, result in self._feed.results.items()}
        self._publish("results", {"version": 1, "table": self._table, "results": revisions}, retain=True)

    def _publish_discovery(self) -> None:
        name = self._feed.hello.table_name if self._feed.hello else ""
        for topic, payload in build_discovery(self._table, name, self._page_address).items():
            # Empty: Home Assistant forgets a table that was published before.
            self._publish_at(topic, payload if self._home_assistant else "", retain=True)
        self._is_removed = not self._home_assistant

    @property
    def _table(self) -> str:
        line = self._feed.hello or self._feed.state
        assert line is not None, "there was a connection to the table"
        return line.table

    def _publish(self, name: str, payload: dict[str, Any] | str, *, retain: bool) -> None:
        self._publish_at(f"{TOPIC_ROOT}/{self._table}/{name}", payload, retain=retain)

    def _publish_at(self, topic: str, payload: dict[str, Any] | str, *, retain: bool) -> None:
        if self._client is None:
            return
        text = payload if isinstance(payload, str) else json.dumps(payload, ensure_ascii=False, separators=(",", ":"))
        size = len(topic.encode()) + len(text.encode()) + PACKET_BYTES
        if self._max_bytes is not None and size > self._max_bytes:  # the broker would end the connection
            if topic not in self._left_out:
                log.error(
                    "The broker takes at most %d bytes (mosquitto: max_packet_size): %s is left out, which has %d.",
                    self._max_bytes,
                    topic,
                    size,
                )
            self._left_out.add(topic)
            return
        self._last_info = self._client.publish(topic, text, 1, retain=retain)


async def _end(client: _Client, ended: asyncio.Event) -> None:
    """End the client's thread: after a moment for what is on its way, also if the broker hangs."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(1.0):
            await ended.wait()
        return
    connection = client.socket()
    if isinstance(connection, socket.socket):
        with contextlib.suppress(OSError):
            connection.shutdown(socket.SHUT_RDWR)
