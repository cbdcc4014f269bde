"""The porch at a real broker: mosquitto with TLS and a password, and another client that listens."""

from __future__ import annotations

import asyncio
import json
import queue
import socket
import ssl
import subprocess
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import paho.mqtt.client as mqtt
import pytest
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

from companion.app.table_identity import TABLE_FILE
from companion.club.messages import parse_index, parse_result, parse_state
from companion.events import DeviceLost
from companion.journal.database import JOURNAL_FILE, Journal
from companion.porch import mqtt as mqtt_module
from companion.porch.broker import BrokerAccess, parse_broker
from companion.porch.mqtt import MqttBridge
from companion.porch.publisher import PorchPublisher
from companion.porch.table_feed import TableFeed
from companion.screen_state import ScreenKind, ScreenState
from tests.mosquitto import Mosquitto, connect_client, needs_mosquitto
from tests.porch.conftest import follow
from tests.referee.dialogs.test_score_sheet import Table

PASSWORD = "open sesame"
ROOT = "board-game-companion/hall-1"
TIMEOUT_SECONDS = 200


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an authority's ca.crt, and with server.crt and server.key for "localhost"."""
    folder = tmp_path_factory.mktemp("certificates")
    new = ("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2")
    authority = (*new, "-subj", "/CN=Club", "-keyout", "ca.key", "-out", "ca.crt")
    server = (*new, "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-addext")
    server += ("basicConstraints=critical,CA:FALSE", "-CA", "ca.crt", "-CAkey", "ca.key")
    server += ("-keyout", "server.key", "-out", "server.crt")
    for command in (authority, server):
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return folder


@pytest.fixture
def broker(tmp_path: Path, certificates: Path) -> Iterator[Mosquitto]:
    """A broker with TLS where "hall-1" may write under its own id and Home Assistant's, and "watcher" may read."""
    passwords, rights = tmp_path / "passwords", tmp_path / "rights"
    for user in ("hall-1", "watcher"):
        create = () if passwords.exists() else ("-c",)
        subprocess.run(["mosquitto_passwd", "-b", *create, passwords, user, PASSWORD], check=True, capture_output=True)
    rights.write_text(
        "user watcher\ntopic read #\n\nuser hall-1\ntopic write homeassistant/#\n"
        "pattern write board-game-companion/%u/#\npattern read board-game-companion/%u/status\n",
        encoding="ascii",
    )
    made = Mosquitto(
        tmp_path / "broker",
        f"certfile {certificates}/server.crt\nkeyfile {certificates}/server.key\nallow_anonymous false\n"
        f"password_file {passwords}\nacl_file {rights}",
    )
    made.start()
    yield made
    made.close()


class Listener:
    """Another client of the broker; the messages it gets, in their order."""

    def __init__(self, broker: Mosquitto, certificates: Path) -> None:
        self._messages: queue.Queue[mqtt.MQTTMessage] = queue.Queue()
        client = self._client = mqtt.Client(CallbackAPIVersion.VERSION2, protocol=MQTTProtocolVersion.MQTTv5)
        client.username_pw_set("watcher", PASSWORD)
        client.tls_set_context(ssl.create_default_context(cafile=str(certificates / "ca.crt")))
        client.on_message = lambda _client, _data, message: self._messages.put(message)
        client.on_connect = lambda *_: client.subscribe("#", 1)
        client.connect("localhost", broker.port)
        client.loop_start()

    async def wait_for(self, topic: str, condition: Callable[[Any], bool] = lambda _payload: True) -> Any:
        """Return the payload of the next message of a topic that meets a condition; JSON is read."""
        while True:
            message = await asyncio.to_thread(self._messages.get, timeout=TIMEOUT_SECONDS)
            if message.topic != topic:
                continue
            payload: Any = message.payload.decode()
            if payload.startswith("{"):
                payload = json.loads(payload)
            if condition(payload):
                return payload

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()


def run(
    path: Path,
    access: BrokerAccess,
    use: Callable[[MqttBridge, TableFeed], Awaitable[None]],
) -> None:
    """Let a bridge publish a table, and use it."""

    async def main() -> None:
        async with follow(path) as feed:
            bridge = MqttBridge(feed, access, page_address="http://hall-1.local:8788")
            task = asyncio.create_task(bridge.run())
            try:
                await use(bridge, feed)
            finally:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)

    asyncio.run(main())


@pytest.fixture
def access(broker: Mosquitto, certificates: Path) -> BrokerAccess:
    return BrokerAccess("localhost", broker.port, "hall-1", PASSWORD, True, str(certificates / "ca.crt"))


@pytest.fixture
def listener(broker: Mosquitto, certificates: Path) -> Iterator[Listener]:
    made = Listener(broker, certificates)
    yield made
    made.close()


@needs_mosquitto
def test_table_is_at_the_broker(
    tmp_path: Path,
    path: Path,
    publisher: PorchPublisher,
    playing: list[ScreenState],
    access: BrokerAccess,
    listener: Listener,
) -> None:
    """State, events and results arrive, in the form that the club reads; and the table's end is told."""
    lobby = ScreenState(ScreenKind.LOBBY, prompt="Press your button")
    publisher.publish(lobby, None)

    async def use(_bridge: MqttBridge, _feed: TableFeed) -> None:
        assert await listener.wait_for(f"{ROOT}/status") == "online"
        await listener.wait_for(f"{ROOT}/state", lambda state: state["kind"] == "lobby")
        first = replace(playing[0], addressed=playing[0].players[0].seat)
        publisher.publish(first, None)
        assert (await listener.wait_for(f"{ROOT}/event"))["event_type"] == "game_began"
        event = await listener.wait_for(f"{ROOT}/event")
        assert (event["event_type"], event["names"]) == ("turn", [first.players[0].name])
        state = await listener.wait_for(f"{ROOT}/state", lambda state: state["kind"] == "play")
        read = parse_state(json.dumps(state).encode(), "hall-1")
        assert (read.headline, read.table_name) == (first.prompt, "By the window")
        assert [player.name for player in read.players] == [player.name for player in first.players]
        publisher.publish(first, None, [DeviceLost("camera", 0.0)])
        event = await listener.wait_for(f"{ROOT}/event")
        assert (event["event_type"], event["text"]) == ("device_lost", "camera")
        with Journal(tmp_path / JOURNAL_FILE) as journal:
            table = Table(journal)
            publisher.publish(table.shown(), table.saved_game)
            result_event = await listener.wait_for(f"{ROOT}/event", lambda event: event["event_type"] == "result")
            assert result_event["names"]
            index = await listener.wait_for(f"{ROOT}/results", lambda index: bool(index["results"]))
            (sitting,) = parse_index(json.dumps(index).encode(), "hall-1").results
            again = Listener(broker=Broker(access.port), certificates=Path(access.ca_file).parent)  # it comes late
            result = await again.wait_for(f"{ROOT}/result/{sitting}")
            again.close()
            totals = [player.score for player in parse_result(json.dumps(result).encode(), "hall-1").players]
            assert totals == list(table.saved_game.game.totals)

    run(path, access, use)
    asyncio.run(listener.wait_for(f"{ROOT}/status", lambda status: status == "offline"))


class Broker:
    """The port of a broker that runs."""

    def __init__(self, port: int) -> None:
        self.port = port


@needs_mosquitto
def test_lost_broker_and_lost_table(
    path: Path,
    publisher: PorchPublisher,
    playing: list[ScreenState],
    access: BrokerAccess,
    broker: Mosquitto,
    certificates: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A broker that was killed gets all that is retained again; a table that is gone is offline."""
    monkeypatch.setattr(mqtt_module, "RETRY_SECONDS", (0.05, 0.1))
    publisher.publish(playing[0], None)

    async def use(bridge: MqttBridge, _feed: TableFeed) -> None:
        for state in playing[:3]:
            publisher.publish(state, None)
            first = Listener(broker, certificates)
            await first.wait_for(f"{ROOT}/state", lambda seen, text=state.prompt: seen["headline"] == text)
            first.close()
            await asyncio.to_thread(broker.kill)
            while bridge.is_connected:
                await asyncio.sleep(0.01)
            publisher.publish(playing[3], None)
            await asyncio.to_thread(broker.start)
            second = Listener(broker, certificates)
            assert await second.wait_for(f"{ROOT}/status") == "online"
            await second.wait_for(f"{ROOT}/state", lambda seen: seen["headline"] == playing[3].prompt)
            second.close()
        last = Listener(broker, certificates)
        assert await last.wait_for(f"{ROOT}/status") == "online"
        publisher.close()
        assert await last.wait_for(f"{ROOT}/status", lambda status: status == "offline")
        last.close()

    run(path, access, use)


@needs_mosquitto
# After a failed handshake paho leaves its socket to the garbage collection.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"password": "wrong"}, "the login is refused (Not authorized): check name and password (mqtt_user,"),
        ({"ca_file": ""}, "its certificate is not accepted (unable to get local issuer certificate): name the"),
        ({"tls": False, "ca_file": ""}, "does not speak MQTT without TLS: switch TLS on (mqtt_tls = true, --tls)"),
        ({"port": 1}, "nothing listens at port 1: a broker's port is mostly 8883 with TLS, 1883 without"),
    ],
    ids=["password", "certificate", "no TLS", "port"],
)
def test_broker_that_refuses_or_is_another_is_named(
    changes: dict[str, Any],
    words: str,
    path: Path,
    publisher: PorchPublisher,
    access: BrokerAccess,
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def use(bridge: MqttBridge, _feed: TableFeed) -> None:
        while "No broker at localhost" not in caplog.text:
            await asyncio.sleep(0.01)
        assert not bridge.is_connected

    run(path, replace(access, **changes), use)
    assert words in caplog.text
    assert PASSWORD not in caplog.text


@needs_mosquitto
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_tls_at_a_plain_broker_is_named(
    tmp_path: Path, path: Path, publisher: PorchPublisher, caplog: pytest.LogCaptureFixture
) -> None:
    plain = Mosquitto(tmp_path / "plain")
    plain.start()

    async def use(_bridge: MqttBridge, _feed: TableFeed) -> None:
        while "No broker at localhost" not in caplog.text:
            await asyncio.sleep(0.01)

    run(path, BrokerAccess("localhost", plain.port), use)
    plain.close()
    assert f"port {plain.port} does not speak TLS: name the broker's port with TLS, mostly 8883" in caplog.text


def test_a_broker_that_is_away_is_named_once(
    path: Path, publisher: PorchPublisher, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line for each try would be some 3,000 a day."""
    monkeypatch.setattr(mqtt_module, "RETRY_SECONDS", (0.0, 0.0))

    async def use(bridge: MqttBridge, _feed: TableFeed) -> None:
        tries = []
        make = bridge._make_client
        monkeypatch.setattr(bridge, "_make_client", lambda table: tries.append(table) or make(table))
        while len(tries) < 3:
            await asyncio.sleep(0)

    with socket.socket() as closed:  # bound, so that no other test listens there, and not listening itself
        closed.bind(("127.0.0.1", 0))
        run(path, BrokerAccess("127.0.0.1", closed.getsockname()[1], tls=False), use)
    assert caplog.text.count("No broker at 127.0.0.1") == 1


def test_a_certificate_that_is_none_is_named(tmp_path: Path) -> None:
    (file := tmp_path / "ca.pem").write_text("no certificate")
    for wrong, words in ((str(file), "certificate"), ("/dev/zero", "no file but a folder, a pipe or a device")):
        with pytest.raises(OSError, match=words):
            BrokerAccess("localhost", 8883, ca_file=wrong).make_tls_context()


@needs_mosquitto
def test_two_tables_of_one_id_are_noticed_and_said(
    tmp_path: Path,
    path: Path,
    publisher: PorchPublisher,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The copy of a box's card, at the same broker; the club's page reads it in the state."""
    monkeypatch.setattr(mqtt_module, "ANSWER_SECONDS", 0.5)
    plain = Mosquitto(tmp_path / "plain")
    plain.start()
    access = BrokerAccess("127.0.0.1", plain.port, tls=False)
    publisher.publish(ScreenState(ScreenKind.LOBBY, prompt="Press your button"), None)
    copy = PorchPublisher(tmp_path / "copy.sock", "hall-1")
    said: list[bool] = []

    def note(message: mqtt.MQTTMessage) -> None:
        said.append(parse_state(message.payload, "hall-1").duplicate)

    async def use(bridge: MqttBridge, _feed: TableFeed) -> None:
        while not bridge.is_connected:
            await asyncio.sleep(0.01)
        assert not bridge.is_duplicate
        with connect_client(plain.port, f"{ROOT}/state", note):
            while not said:
                await asyncio.sleep(0.01)
            async with follow(tmp_path / "copy.sock") as feed:
                second = MqttBridge(feed, access)
                task = asyncio.create_task(second.run())
                while not (bridge.is_duplicate and second.is_duplicate and len(said) > 1):
                    await asyncio.sleep(0.01)
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)

    run(path, access, use)
    copy.close()
    plain.close()
    assert (said[0], said[-1]) == (False, True)
    assert "Another box publishes as the table hall-1 too" in caplog.text
    assert TABLE_FILE in caplog.text


@needs_mosquitto
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_the_broker_keeps_back_what_is_too_large(
    tmp_path: Path, path: Path, publisher: PorchPublisher, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Paho reads a whole packet into memory before anybody can refuse it."""
    plain = Mosquitto(tmp_path / "plain")
    plain.start()
    received: list[bytes] = []
    monkeypatch.setattr(MqttBridge, "_take_other_status", lambda _self, payload: received.append(payload))

    async def use(bridge: MqttBridge, _feed: TableFeed) -> None:
        while not bridge.is_connected:
            await asyncio.sleep(0.01)
        with connect_client(plain.port) as stranger:
            while not received:  # the first ones come before the bridge has subscribed
                stranger.publish(f"{ROOT}/status", b"a word", 1)
                await asyncio.sleep(0.01)
            stranger.publish(f"{ROOT}/status", b" " * 5_000_000, 1)
            stranger.publish(f"{ROOT}/status", b"another", 1)
            while b"another" not in received:
                await asyncio.sleep(0.01)

    run(path, BrokerAccess("127.0.0.1", plain.port, tls=False), use)
    plain.close()
    assert set(received) == {b"a word", b"another"}


def test_hung_broker_is_left(
    path: Path, publisher: PorchPublisher, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A broker that accepts and then says nothing is given up; another try follows."""
    monkeypatch.setattr(mqtt_module, "ANSWER_SECONDS", 0.2)
    monkeypatch.setattr(mqtt_module, "RETRY_SECONDS", (0.05, 0.1))
    accepted: list[asyncio.StreamWriter] = []

    async def hang(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        accepted.append(writer)
        await reader.read(1)
        writer.write(bytes([0x20, 3, 0, 0, 0]))  # CONNACK, and nothing else
        await reader.read()

    async def use(_bridge: MqttBridge, _feed: TableFeed) -> None:
        while len(accepted) < 3:
            await asyncio.sleep(0.01)

    async def main() -> None:
        async with await asyncio.start_server(hang, "127.0.0.1", 0) as server, follow(path) as feed:
            bridge = MqttBridge(feed, BrokerAccess("127.0.0.1", server.sockets[0].getsockname()[1], tls=False))
            task = asyncio.create_task(bridge.run())
            await use(bridge, feed)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            for writer in accepted:
                writer.close()

    asyncio.run(main())
    assert "The broker does not answer" in caplog.text


@pytest.mark.parametrize(
    "text",
    ["", "a b", "mqtt://host", "host:x", "host/path", "user@host", "host:99999", "[::1", "\udcff", "a..b", "x" * 64],
)
def test_text_that_is_no_broker_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no host of a broker"):
        parse_broker(text, tls=True)
