"""A table as the porch publishes it: a real MQTT client that sends all its results again after each connection."""

from __future__ import annotations

import json
import threading
from typing import Any

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

from companion.porch.broker import TOPIC_ROOT


class TablePublisher:
    """Publishes one table's status, state, results and index of results.

    Args:
        port: of the broker on loopback.
        table: id of the table.
    """

    def __init__(self, port: int, table: str) -> None:
        self._topic = f"{TOPIC_ROOT}/{table}"
        self._table = table
        self.results: dict[str, dict[str, Any]] = {}
        self._connected = threading.Event()
        self._client = mqtt.Client(CallbackAPIVersion.VERSION2, protocol=MQTTProtocolVersion.MQTTv5)
        self._client.will_set(f"{self._topic}/status", "offline", 1, retain=True)
        self._client.on_connect = self._on_connect
        self._client.reconnect_delay_set(1, 1)
        self._client.connect_async("127.0.0.1", port)
        self._client.loop_start()

    def wait_until_connected(self) -> None:
        self._connected.wait()

    def _on_connect(self, client: mqtt.Client, *_rest: object) -> None:
        client.publish(f"{self._topic}/status", "online", 1, retain=True)
        for result in list(self.results.values()):
            self._publish_result(result)
        self._publish_index()
        self._connected.set()

    def add_result(self, result: dict[str, Any]) -> None:
        """Publish a finished game, or a new revision of one."""
        result = result | {"table": self._table}
        self.results[result["sitting"]] = result
        self._publish_result(result)
        self._publish_index()

    def _publish_result(self, result: dict[str, Any]) -> None:
        self._client.publish(f"{self._topic}/result/{result['sitting']}", json.dumps(result), 1, retain=True)

    def _publish_index(self) -> None:
        index = {sitting: result["revision"] for sitting, result in list(self.results.items())}
        message = {"version": 1, "table": self._table, "results": index}
        self._client.publish(f"{self._topic}/results", json.dumps(message), 1, retain=True)

    def publish(self, name: str, payload: bytes | str) -> None:
        """Publish anything under one of the table's topics, and return when the broker has it."""
        self._client.publish(f"{self._topic}/{name}", payload, 1, retain=True).wait_for_publish()

    def close(self) -> None:
        """Leave without a word, so that the broker publishes the last will."""
        self._client.loop_stop()
        self._client.on_connect = None  # no cycle: when the client is deleted, it closes what woke its thread
        socket = self._client.socket()
        if socket is not None:
            socket.close()
