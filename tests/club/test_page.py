"""The club's page over real HTTP.

In a browser: test_page_in_browser.py.
"""

from __future__ import annotations

import asyncio
import json
import re
import resource
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from socket import gethostname
from types import SimpleNamespace
from typing import Any

import aiohttp
import pytest

from companion.club import page as page_module
from companion.club.database import ClubDatabase
from companion.club.leagues import LeagueKind
from companion.club.overview import build_overview
from companion.club.page import ClubPage
from companion.club.page_words import PAGE_WORDS, format_page_words
from companion.club.receiver import LiveTables
from companion.i18n import LANGUAGES
from companion.web_server import limits, live_page
from companion.web_server.limits import MAX_CONNECTIONS_OF_ADDRESS, REQUESTS_OF_ADDRESS, ConnectionLimit
from companion.web_server.serving import serve_page
from tests.chromium import TIMEOUT_SECONDS
from tests.club.build import END, build_result, build_state


def run(page: ClubPage, use: Callable[[aiohttp.ClientSession, str], Awaitable[None]]) -> None:
    """Serve the page on loopback and use it."""

    async def serve() -> None:
        async with serve_page(page, "127.0.0.1", 0) as port, aiohttp.ClientSession() as session:
            await use(session, f"http://127.0.0.1:{port}")

    asyncio.run(serve())


async def read_event(response: aiohttp.ClientResponse) -> Any:
    """Return the content of the next event of a stream."""
    while True:
        line = await response.content.readline()
        assert line, "the stream has ended"
        if line.startswith(b"data: ") and line != b"data: {}\n":
            return json.loads(line.removeprefix(b"data: "))


def test_changes_arrive_as_events(
    tables: LiveTables, sqlite_database: ClubDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_module, "REFRESH_SECONDS", 0.0)
    page = ClubPage(lambda: build_overview(sqlite_database, tables, LeagueKind.PLACES), tables)

    async def use(session: aiohttp.ClientSession, url: str) -> None:
        async with session.get(f"{url}/events") as response:
            assert response.content_type == "text/event-stream"
            tables.set_connected(True)
            tables.update("hall-1", online=True, state=build_state())
            event = await read_event(response)
            while not event["tables"]:
                event = await read_event(response)
            (table,) = event["tables"]
            assert (table["name"], table["headline"], table["online"]) == ("By the window", "Ada: roll the dice", True)
            assert [(p["name"], p["score"], p["active"]) for p in table["players"]] == [
                ("Ada", 3, True),
                ("Bob", -1, False),
            ]
            sqlite_database.save_results([build_result()])
            tables.note_change()
            while not event["league"]["rows"]:
                event = await read_event(response)
            assert event["league"]["rows"][0] == {"rank": 1, "player": "Ada", "value": 10, "played": 1, "won": 1}
            assert "0a1b2c3d" not in json.dumps(event), "who knows the id of a sitting could publish it"
            assert event["recent"][0]["players"][1] == {"place": 2, "player": "Bob", "score": 7, "won": False}
        async with session.get(f"{url}/club.json") as response:
            assert await response.json() == event

    run(page, use)


def test_too_many_watchers_are_told_to_come_back(tables: LiveTables, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_module, "MAX_WATCHERS", 2)

    async def use(session: aiohttp.ClientSession, url: str) -> None:
        first = await session.get(f"{url}/events")
        second = await session.get(f"{url}/events")
        async with session.get(f"{url}/events") as response:
            assert response.status == 503
            assert response.headers["Retry-After"]
        async with session.get(url) as response:
            assert response.status == 200
        first.close()
        second.close()

    run(ClubPage(dict, tables), use)


def test_the_page_names_no_id_of_a_game(tables: LiveTables, sqlite_database: ClubDatabase) -> None:
    """Who knows it could send another result in its place."""
    sqlite_database.save_results([build_result("0a1b2c3d", ended=END.isoformat())])
    tables.update("hall-1", online=True, state=build_state())
    overview = build_overview(sqlite_database, tables, LeagueKind.PLACES, get_time=lambda: END)
    assert overview["recent"]
    assert "0a1b2c3d" not in json.dumps(overview)


def test_two_boxes_of_one_id_are_said(tables: LiveTables, sqlite_database: ClubDatabase) -> None:
    for is_duplicate in (False, True):
        tables.update("hall-1", online=True, state=build_state(duplicate=is_duplicate))
        (table,) = build_overview(sqlite_database, tables, LeagueKind.PLACES)["tables"]
        assert table["duplicate"] is is_duplicate


@pytest.mark.parametrize(("hour", "count"), [(1, 2), (4, 2), (5, 0)])
def test_the_evening_of_the_page_ends_at_five(
    tables: LiveTables, sqlite_database: ClubDatabase, hour: int, count: int
) -> None:
    sqlite_database.save_results([build_result(), build_result("ffffffff", ended="2026-11-24T00:30:00Z")])
    now = END.replace(hour=hour) + timedelta(days=1)
    evening = build_overview(sqlite_database, tables, LeagueKind.PLACES, get_time=lambda: now)["evening"]
    assert (evening["games"], len(evening["rows"])) == (count, count)


def test_a_page_that_takes_long_is_made_less_often(tables: LiveTables, monkeypatch: pytest.MonkeyPatch) -> None:
    """With many results it would take a whole core while tables play."""
    now, pauses = 0.0, list[float]()

    def build() -> dict[str, Any]:
        nonlocal now
        now += 2.0
        return {"made": now}

    async def note_pause(seconds: float) -> None:
        pauses.append(seconds)
        tables.set_connected(len(pauses) % 2 == 0)  # something happens all the time
        await asyncio.sleep(0)

    async def use(session: aiohttp.ClientSession, url: str) -> None:
        async with session.get(f"{url}/events") as response:
            while (await read_event(response))["made"] < 10.0:
                pass

    monkeypatch.setattr(page_module, "time", SimpleNamespace(monotonic=lambda: now))
    names = {name: getattr(asyncio, name) for name in ("create_task", "gather", "to_thread")}
    monkeypatch.setattr(page_module, "asyncio", SimpleNamespace(sleep=note_pause, **names))
    run(ClubPage(build, tables), use)
    made = [pause for pause in pauses if pause]
    assert made[:3] == [8.0] * 3, "four times as long as it took"


def test_one_fault_does_not_stop_the_page(
    tables: LiveTables, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(page_module, "QUIET_SECONDS", 0.0)
    monkeypatch.setattr(page_module, "REFRESH_SECONDS", 0.0)
    faults = iter([ValueError("year 0 is out of range"), KeyError("hall-1")])

    def build() -> dict[str, Any]:
        if (fault := next(faults, None)) is not None:
            raise fault
        return {"tables": []}

    async def use(session: aiohttp.ClientSession, url: str) -> None:
        async with session.get(f"{url}/events") as response:
            assert await read_event(response) == {"tables": []}

    run(ClubPage(build, tables), use)
    assert "The page shows what was last known: year 0 is out of range." in caplog.text


def test_a_page_of_another_host_name_gets_nothing(tables: LiveTables) -> None:
    async def use(session: aiohttp.ClientSession, url: str) -> None:
        answers = {}
        for host in ("evil.example", "[", "localhost:1", "[::1]:8790", "club.example", gethostname(), "box.local"):
            async with session.get(f"{url}/club.json", headers={"Host": host}) as response:
                answers[host] = response.status
        assert answers == dict.fromkeys(answers, 200) | {"evil.example": 421, "[": 421, "box.local": 421}

    run(ClubPage(dict, tables, "https://club.example/"), use)


def test_idle_connections_are_limited_and_closed(
    tables: LiveTables, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """As at the porch; only a proxy of this machine may have more of them, and as many requests as it likes."""
    monkeypatch.setattr(page_module, "MAX_CONNECTIONS", 30)
    monkeypatch.setattr(limits, "REQUEST_SECONDS", 0.5)

    async def use(session: aiohttp.ClientSession, url: str) -> None:
        host, port = url.removeprefix("http://").split(":")
        idle = [await asyncio.open_connection(host, port) for _ in range(31)]
        for i, (_reader, writer) in enumerate(idle):
            writer.write(b"GET / HT" if i % 2 else b"")  # half a request
        for reader, writer in idle:
            with suppress(ConnectionError):
                assert await reader.read() == b""
            writer.close()
        monkeypatch.setattr(limits, "REQUEST_SECONDS", TIMEOUT_SECONDS)  # a busy machine may be slow to ask
        for _ in range(int(REQUESTS_OF_ADDRESS) + 2):
            async with session.get(f"{url}/club.json") as response:
                assert response.status == 200
        reader, writer = await asyncio.open_connection(host, port)
        writer.write(b"\x00\xff\r\n\r\n")
        await reader.read()
        writer.close()

    run(ClubPage(dict, tables), use)
    assert "Traceback" not in caplog.text


def test_too_many_open_files_are_logged_once(
    tables: LiveTables, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """asyncio itself would fill the disk: 64 tracebacks at each try."""
    monkeypatch.setattr("asyncio.constants.ACCEPT_RETRY_DELAY", 0.0)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)

    async def use(_session: aiohttp.ClientSession, url: str) -> None:
        address = ("127.0.0.1", int(url.rpartition(":")[2]))
        loop = asyncio.get_running_loop()
        for time in (1, 2):
            with socket.socket() as client:
                client.setblocking(False)
                resource.setrlimit(resource.RLIMIT_NOFILE, (3, hard))  # nothing more can be opened
                try:
                    await loop.sock_connect(client, address)
                    while len(caplog.records) < time:
                        await asyncio.sleep(0)
                    for _ in range(100):  # it is tried again meanwhile
                        await asyncio.sleep(0)
                finally:
                    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
                await loop.sock_sendall(client, b"GET /club.json HTTP/1.1\r\nHost: localhost\r\n\r\n")
                assert (await loop.sock_recv(client, 1000)).startswith(b"HTTP/1.1 200 OK")

    run(ClubPage(dict, tables), use)
    assert [record.getMessage() for record in caplog.records] == [
        "No browser can connect at the moment: Too many open files."
    ] * 2


@pytest.mark.parametrize("path", ["/", "/club.json", "/events"])
def test_an_answer_that_nobody_reads_is_dropped(tables: LiveTables, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    """It would hold one of the connections for ever."""
    monkeypatch.setattr(limits, "ANSWER_SECONDS", 0.3)
    monkeypatch.setattr(live_page, "SEND_SECONDS", 0.3)
    page = ClubPage(lambda: {"tables": [], "long": "x" * 8_000_000}, tables)

    async def use(_session: aiohttp.ClientSession, url: str) -> None:
        while len(page.format_content()) < 1_000:
            await asyncio.sleep(0)
        host, port = url.removeprefix("http://").split(":")
        with socket.socket() as hung:
            hung.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            hung.setblocking(False)
            await asyncio.get_running_loop().sock_connect(hung, (host, int(port)))
            hung.send(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            while not page.connections._count_by_address:
                await asyncio.sleep(0)
            while page.connections._count_by_address:
                await asyncio.sleep(0)

    run(page, use)


def test_a_phone_has_as_many_connections_as_at_the_porch() -> None:
    async def connect() -> int:
        limit = ClubPage(dict, LiveTables()).connections
        return [limit.add(asyncio.Transport(), "192.168.1.7") for _ in range(40)].count(True)

    assert asyncio.run(connect()) == MAX_CONNECTIONS_OF_ADDRESS
    assert not ConnectionLimit().is_proxy("127.0.0.1")


def test_the_page_has_its_words_in_every_language() -> None:
    words = json.loads(format_page_words())
    assert set(words) == set(LANGUAGES)
    source = (Path(page_module.__file__).parent / "page.html").read_text(encoding="utf-8")
    used = re.findall(r'\btexts\.(\w+)|data-text="(\w+)"', source)
    assert {name or heading for name, heading in used} == set(PAGE_WORDS)
    prose = re.sub(r"(?s)<style.*?</style>|<script.*</script>|<[^>]*>", " ", source).split()
    assert prose == ["Companion"], "all other words come from the catalogues"
