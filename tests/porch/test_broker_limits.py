"""Brokers that take less than the porch sends: the rest arrives, and the log says what is left out."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from companion.porch import mqtt as mqtt_module
from companion.porch.broker import BrokerAccess
from companion.porch.mqtt import MqttBridge
from companion.porch.publisher import PorchPublisher
from companion.porch.table_feed import TableFeed
from companion.screen_state import ScreenState
from tests.mosquitto import Mosquitto, connect_client, needs_mosquitto
from tests.porch.test_mqtt import ROOT, run


@needs_mosquitto
def test_a_message_too_large_for_the_broker_is_left_out(
    tmp_path: Path,
    path: Path,
    publisher: PorchPublisher,
    playing: list[ScreenState],
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The discovery of Home Assistant has 2.4 kB. A broker ends the connection of who sends more than it takes."""
    small = Mosquitto(tmp_path / "small", "allow_anonymous true\nmax_packet_size 2000")
    small.start()
    publisher.publish(playing[0], None)
    received: set[str] = set()

    async def use(_bridge: MqttBridge, _feed: TableFeed) -> None:
        with connect_client(small.port, "#", lambda message: received.add(message.topic)):
            while f"{ROOT}/state" not in received:
                await asyncio.sleep(0.01)

    run(path, BrokerAccess("127.0.0.1", small.port, tls=False), use)
    small.close()
    assert caplog.text.count("The broker takes at most 2000 bytes") == 1
    assert "homeassistant/device/board-game-companion-hall-1/config is left out" in caplog.text
    assert not any(topic.startswith("homeassistant/") for topic in received)


@needs_mosquitto
def test_a_broker_that_ends_each_connection_is_named_once(
    tmp_path: Path,
    path: Path,
    publisher: PorchPublisher,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It is asked less and less often, and the log is not filled."""
    caplog.set_level("INFO")
    monkeypatch.setattr(mqtt_module, "RETRY_SECONDS", (0.01, 0.1))
    small = Mosquitto(tmp_path / "small", "allow_anonymous true\nmax_packet_size 200")
    small.start()
    lasted: list[bool] = []

    async def use(bridge: MqttBridge, _feed: TableFeed) -> None:
        # It takes more than it says, as a broker with a limit of its own does.
        monkeypatch.setattr(mqtt_module, "PACKET_BYTES", -100_000)
        connect = bridge._connect

        async def note() -> bool:
            lasted.append(await connect())
            return lasted[-1]

        monkeypatch.setattr(bridge, "_connect", note)
        while len(lasted) < 4:
            await asyncio.sleep(0.01)

    run(path, BrokerAccess("127.0.0.1", small.port, tls=False), use)
    small.close()
    assert not any(lasted)
    assert caplog.text.count("it ends each connection at once") == 1
    assert caplog.text.count("Connected to the broker") == 1
