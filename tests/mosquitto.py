"""A real MQTT broker on loopback: Debian's mosquitto, started, killed and started again by tests."""

from __future__ import annotations

import shutil
import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import paho.mqtt.client as mqtt
import pytest
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

MOSQUITTO = shutil.which("mosquitto", path="/usr/sbin:/usr/bin:/usr/local/sbin")
needs_mosquitto = pytest.mark.skipif(MOSQUITTO is None, reason="mosquitto is not installed (Debian: mosquitto)")


class Mosquitto:
    """mosquitto on a free port of the loopback address.

    Args:
        folder: for its configuration and its log.
        settings: further lines of its configuration.
        is_persistent: it keeps retained messages on disk, and so over `restart`; not over `kill` as a rule.
    """

    def __init__(self, folder: Path, settings: str = "allow_anonymous true", *, is_persistent: bool = False) -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            self.port: int = server.getsockname()[1]
        folder.mkdir(parents=True, exist_ok=True)
        self._config = folder / "mosquitto.conf"
        persistence = f"persistence true\npersistence_location {folder}/\n" if is_persistent else "persistence false\n"
        self._config.write_text(
            f"listener {self.port} 127.0.0.1\nuser root\nlog_dest stderr\nlog_type all\n{persistence}{settings}\n",
            encoding="utf-8",
        )
        self._log = folder / "mosquitto.log"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, and return when it answers."""
        assert MOSQUITTO is not None
        with self._log.open("ab") as log:
            process = subprocess.Popen([MOSQUITTO, "-c", str(self._config)], stderr=log)
        self._process = process
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=5).close()
            except ConnectionRefusedError:
                assert process.poll() is None, self._log.read_text(encoding="utf-8")
            else:
                return

    def stop(self) -> None:
        """End it in order: what is to be kept is written."""
        assert self._process is not None
        self._process.terminate()
        self._process.wait()
        self._process = None

    def kill(self) -> None:
        """End it as a power cut does."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()
        self._process = None

    def close(self) -> None:
        """End it if it runs."""
        if self._process is not None:
            self.kill()


@contextmanager
def connect_client(
    port: int, topic: str = "", on_message: Callable[[mqtt.MQTTMessage], object] = lambda _message: None
) -> Iterator[mqtt.Client]:
    """Yield another client of a broker on loopback, which reads the messages of a topic, if one is given."""
    client = mqtt.Client(CallbackAPIVersion.VERSION2, protocol=MQTTProtocolVersion.MQTTv5)
    client.on_message = lambda _client, _data, message: on_message(message)
    if topic:
        client.on_connect = lambda *_: client.subscribe(topic, 1)
    client.connect("127.0.0.1", port)
    client.loop_start()
    try:
        yield client
    finally:
        client.disconnect()
        client.loop_stop()
