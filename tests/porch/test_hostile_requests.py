"""100,000 hostile requests to the page, and 100,000 hostile messages of a broker: no crash, no hang, no leak.

Names and texts with HTML: test_page and test_page_in_browser.
"""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest

from companion.porch import mqtt as mqtt_module
from companion.porch.broker import BrokerAccess
from companion.porch.mqtt import MqttBridge
from companion.porch.publisher import PorchPublisher
from companion.porch.table_feed import TableFeed
from companion.screen_state import ScreenState
from companion.web_server import limits
from companion.web_server.limits import RequestLimit
from tests.porch.conftest import follow, serve
from tests.process_memory import measure_memory_kib

pytestmark = pytest.mark.proof
COUNT = 100_000
MAX_GROWTH_KIB = 24_000
"""Most that the memory may grow by; the rest of the process, such as the test's own clients, is in it."""


def count_descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def make_request(rng: random.Random) -> bytes:
    """Return a request as attackers send it: odd methods, paths, headers, sizes, or plain noise."""
    path = rng.choice(
        [
            "/",
            "/events/x",
            "/" + "a" * rng.randrange(9_000),
            "/../../etc/passwd",
            "/%00",
            "/%ff%fe",
            "//evil",
            "*",
            "/?" + "q" * 99,
        ]
    )
    method = rng.choice(
        ["GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "TRACE", "CONNECT", "PRI", "G\0T", "X" * 50]
    )
    headers = rng.choice(
        [
            "Host: localhost\r\n",
            "Host: evil.example\r\n",
            "",
            "Host: a\r\nHost: b\r\n",
            "Host: localhost\r\nContent-Length: -1\r\n",
            "Host: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n",
            "Host: localhost\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n",
            "Host: localhost\r\nContent-Length: 99999999999\r\n",
            "Host: localhost\r\n" + "X: y\r\n" * 300,
            "Host: localhost\r\nX: " + "z" * 20_000 + "\r\n",
            "Host: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n",
            "Host: localhost\r\nRange: bytes=0-\r\nIf-None-Match: *\r\n",
        ]
    )
    text = f"{method} {path} HTTP/{rng.choice(['1.1', '1.0', '2.0', '9', ''])}\r\n{headers}\r\n".encode()
    if rng.random() < 0.1:
        text = rng.randbytes(rng.randrange(1, 2_000))
    if rng.random() < 0.1:
        text = text[: rng.randrange(len(text))]
    return text


def test_hostile_requests(
    path: Path, publisher: PorchPublisher, playing: list[ScreenState], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "REQUEST_SECONDS", 0.05)
    publisher.publish(playing[0], None)
    rng = random.Random(1)

    async def attack(host: str, port: int) -> None:
        try:
            reader, writer = await asyncio.open_connection(host, port)
            writer.write(make_request(rng))
            if rng.random() < 0.9:
                await reader.read(2_000)
            writer.transport.abort()
        except ConnectionError:
            pass

    async def use(url: str, _feed: TableFeed) -> None:
        host, port = url.removeprefix("http://").split(":")
        numbers = iter(range(COUNT))
        before = (0, 0)
        memory: list[int] = []

        async def attack_again() -> None:
            nonlocal before
            for i in numbers:
                await attack(host, int(port))
                if i % (COUNT // 5) == COUNT // 10:
                    memory.append(measure_memory_kib())
                if i == COUNT // 2:
                    before = measure_memory_kib(), count_descriptors()

        await asyncio.gather(*(attack_again() for _ in range(20)))
        monkeypatch.setattr(limits, "REQUEST_SECONDS", 200.0)  # a busy machine may be slow to ask
        while count_descriptors() > before[1] + 20:
            await asyncio.sleep(0.01)  # until the last connections are closed
        print("Memory in KiB along the way:", memory)
        assert measure_memory_kib() - before[0] < MAX_GROWTH_KIB
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert (await reader.read()).startswith(b"HTTP/1.1 200 OK")
        writer.close()
        print(f"{COUNT} requests: {measure_memory_kib() - before[0]} KiB more")

    times = iter(range(10**9))
    serve(path, use, limit=RequestLimit(lambda: float(next(times))))


def make_message(rng: random.Random) -> bytes:
    """Return a packet of a broker: a message that nobody asked for, a wrong answer, or noise in a right frame."""
    topic = rng.choice([b"board-game-companion/hall-1/state", b"#", b"", b"\xff\xfe", b"homeassistant/status"])
    body = rng.randbytes(rng.randrange(200))
    kind = rng.random()
    if kind < 0.6:  # PUBLISH, quality 0: well formed
        content = len(topic).to_bytes(2) + topic + b"\0" + body
        head = 0x30
    elif kind < 0.9:  # answers to what was never sent
        head, content = rng.choice([0x40, 0x50, 0x62, 0x70, 0x90, 0xB0, 0xD0]), rng.randbytes(rng.randrange(2, 6))
    else:
        head, content = rng.randrange(256), body
    length = bytearray()
    rest = len(content)
    while True:
        rest, digit = divmod(rest, 128)
        length.append(digit | (0x80 if rest else 0))
        if not rest:
            break
    return bytes([head]) + bytes(length) + content


def test_hostile_messages_of_a_broker(
    path: Path, publisher: PorchPublisher, playing: list[ScreenState], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mqtt_module, "RETRY_SECONDS", (0.001, 0.01))
    publisher.publish(playing[0], None)
    rng = random.Random(2)
    sent = connections = 0
    done = asyncio.Event()

    async def lie(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal sent, connections
        connections += 1
        try:
            await reader.read(1_000)
            writer.write(bytes([0x20, 3, 0, 0, 0]))  # CONNACK
            while sent < COUNT:
                writer.write(make_message(rng))
                sent += 1
                await writer.drain()
                if rng.random() < 0.05:
                    await asyncio.sleep(0)
                if writer.is_closing():
                    break
        except (ConnectionError, TimeoutError):
            pass
        finally:
            writer.transport.abort()
            if sent >= COUNT:
                done.set()

    async def main() -> None:
        async with await asyncio.start_server(lie, "127.0.0.1", 0) as server, follow(path) as feed:
            bridge = MqttBridge(feed, BrokerAccess("127.0.0.1", server.sockets[0].getsockname()[1], tls=False))
            task = asyncio.create_task(bridge.run())
            before = measure_memory_kib(), count_descriptors()
            await done.wait()
            assert not task.done()
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            assert measure_memory_kib() - before[0] < MAX_GROWTH_KIB
            assert count_descriptors() <= before[1] + 5
            print(f"{sent} messages in {connections} connections: {measure_memory_kib() - before[0]} KiB more")

    asyncio.run(main())
