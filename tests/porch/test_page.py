"""The spectators' page over real HTTP.

In a browser: test_page_in_browser.py; the web server below it: test_web_server_errors.py.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import re
import socket
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import aiohttp
import pytest

from companion.catalogues import use_language_folder
from companion.cli import main
from companion.porch import service as page_module
from companion.porch.page_words import PAGE_WORDS, translate_page_words
from companion.porch.publisher import PorchPublisher
from companion.porch.service import MAX_WATCHERS_OF_ADDRESS, SpectatorPage
from companion.porch.table_feed import TableFeed
from companion.screen_state import ScreenState
from companion.web_server import limits, live_page
from companion.web_server.limits import MAX_CONNECTIONS_OF_ADDRESS, REQUESTS_OF_ADDRESS, RequestLimit
from tests.porch.conftest import serve, wait_for

EVIL = "</script><img src=x onerror=document.title='taken'>"


async def get(url: str, *, read: bool = True, **options: Any) -> tuple[int, str]:
    async with aiohttp.ClientSession() as session, session.get(url, **options) as response:
        return response.status, await response.text() if read else ""


async def read_to_end(reader: asyncio.StreamReader) -> None:
    """Return when the server has closed the connection, without an answer."""
    with contextlib.suppress(ConnectionError):
        assert await reader.read() == b""


async def read_event(response: aiohttp.ClientResponse) -> Any:
    """Return the content of the next event of a stream."""
    while True:
        line = (await response.content.readline()).decode()
        assert line, "the stream has ended"
        if line.startswith("data: "):
            return json.loads(line.removeprefix("data: "))


def test_stream_follows_the_table(path: Path, publisher: PorchPublisher, playing: list[ScreenState]) -> None:
    publisher.publish(playing[0], None)

    async def use(url: str, feed: TableFeed) -> None:
        await wait_for(feed, lambda: feed.state is not None)
        async with aiohttp.ClientSession() as session, session.get(f"{url}/events") as response:
            assert (await read_event(response))["headline"] == playing[0].prompt
            for state in playing[1:]:
                publisher.publish(state, None)
                event = await read_event(response)
                assert event["headline"] == state.prompt
                assert event["connected"]
            publisher.close()
            while (await read_event(response))["connected"]:
                pass

    serve(path, use)


def test_a_page_that_is_started_later_has_the_whole_chart(
    path: Path, publisher: PorchPublisher, playing: list[ScreenState]
) -> None:
    rounds = [replace(playing[0], scores=tuple(n * seat for seat in range(len(playing[0].scores)))) for n in range(4)]
    rounds = [replace(state, view=SimpleNamespace(round_number=n)) for n, state in enumerate(rounds, 1)]

    async def use(url: str, feed: TableFeed) -> None:
        await wait_for(feed, lambda: len(feed.score_points) == 4)
        async with aiohttp.ClientSession() as session, session.get(f"{url}/events") as response:
            event = await read_event(response)
        assert event["chart"] == [[n, list(state.scores)] for n, state in enumerate(rounds, 1)]

    for state in rounds:
        publisher.publish(state, None)
    for _porch in range(2):
        serve(path, use)


def test_page_is_one_file_under_a_strict_policy(
    path: Path, publisher: PorchPublisher, playing: list[ScreenState]
) -> None:
    publisher.publish(replace(playing[0], prompt=EVIL), None)

    async def use(url: str, feed: TableFeed) -> None:
        await wait_for(feed, lambda: feed.state is not None)
        async with aiohttp.ClientSession() as session, session.get(url) as response:
            text, policy = await response.text(), response.headers["Content-Security-Policy"]
        nonce = re.search(r"script-src 'nonce-([\w-]+)'", policy)
        assert nonce
        assert policy.startswith("default-src 'none'; ")
        assert "unsafe" not in policy
        assert set(re.findall('nonce="(.*?)"', text)) == {nonce[1]}
        assert EVIL not in text
        assert not re.findall(r"https?://(?!www\.w3\.org/2000/svg)", text)
        assert not re.findall(r"\b(?:src|href)=", text.replace("\\u003cimg src=", ""))

    serve(path, use)


def test_page_has_all_its_words_from_the_table() -> None:
    used = re.findall(r"\btexts\.(\w+)", (Path(page_module.__file__).parent / "page.html").read_text(encoding="utf-8"))
    assert set(used) == set(PAGE_WORDS)
    assert translate_page_words("de")["nobody"] == "Es wird nichts gespielt"


def test_page_speaks_a_language_that_only_the_table_has(
    path: Path, tmp_path: Path, playing: list[ScreenState], request: pytest.FixtureRequest
) -> None:
    """As on a box, where the porch cannot read the data folder."""
    request.addfinalizer(lambda: use_language_folder(None))
    (tmp_path / "pl").mkdir()
    texts = 'msgid "Scores"\nmsgstr "Wyniki"\n\nmsgid "away"\nmsgstr "</script>"\n'
    (tmp_path / "pl" / "companion.po").write_text(texts, encoding="utf-8")
    use_language_folder(tmp_path)
    languages = ["pl"]
    publisher = PorchPublisher(path, "hall-1", get_language=lambda: languages[-1])
    publisher.publish(playing[0], None)

    async def use(url: str, feed: TableFeed) -> None:
        await wait_for(feed, lambda: feed.words["chart"] == "Wyniki")
        use_language_folder(None)
        status, page = await get(url)
        assert status == 200
        assert '"chart":"Wyniki","numbers":"All numbers"' in page, "what is not translated stays English"
        assert '"away":"\\u003c/script>"' in page
        languages.append("fr")
        publisher.publish(playing[1], None)
        await wait_for(feed, lambda: feed.words["nobody"] == translate_page_words("fr")["nobody"])

    try:
        serve(path, use)
    finally:
        publisher.close()


@pytest.mark.parametrize("is_cafe", [False, True])
def test_guests_of_a_cafe_do_not_see_those_before_them(path: Path, is_cafe: bool) -> None:
    feed = TableFeed(path)
    ended = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    players = [{"name": "Ada", "score": 3, "won": True, "place": 1}]
    feed.results["a"] = {"finished": True, "ended": ended, "name": "", "title": "Pig", "players": players}
    content = json.loads(SpectatorPage(feed, needs_token=False, is_cafe=is_cafe).format_content())
    assert bool(content["evening"]) is not is_cafe


def test_command_reads_whether_it_is_a_cafe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = []

    async def run(*_arguments: object, is_cafe: bool) -> None:
        found.append(is_cafe)

    monkeypatch.setattr(page_module, "run_porch", run)
    settings = tmp_path / "settings.toml"
    for value in ("true", "false"):
        settings.write_text(f"[porch]\non = true\n[cafe]\non = {value}\n")
        assert main(["porch", "--settings", str(settings)]) == 0
    assert found == [True, False]


def test_page_on_a_network_needs_the_token(path: Path, publisher: PorchPublisher) -> None:
    async def use(url: str, _feed: TableFeed) -> None:
        answers = [await get(f"{url}{where}") for where in ("/", "/events", "/wrong/", f"/{'A' * 22}/", "/a/b/c")]
        assert set(answers) == {(404, "Not found.")}
        status, text = await get(f"{url}/{publisher.path_token}/")
        assert status == 200
        assert publisher.path_token not in text, "the page itself does not tell it on"

    serve(path, use, needs_token=True)


def test_page_of_another_host_name_gets_nothing(path: Path, publisher: PorchPublisher) -> None:
    async def use(url: str, _feed: TableFeed) -> None:
        for host, status in (("evil.example", 421), ("[", 421), ("localhost:1", 200), ("[::1]:8788", 200)):
            assert (await get(url, headers={"Host": host}))[0] == status, host

    serve(path, use)


def test_nothing_but_the_two_addresses_is_answered(path: Path, publisher: PorchPublisher) -> None:
    async def use(url: str, _feed: TableFeed) -> None:
        async with aiohttp.ClientSession() as session:
            for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"):
                async with session.request(method, url, data=b"ok" * 5_000) as response:
                    assert response.status == 405, method
        for where in ("/page.html", "/../etc/passwd", "/events/x", "/%2e%2e/%2e%2e/etc/passwd", "//", "/?q=1#x"):
            assert (await get(f"{url}{where}"))[0] == (200 if where.startswith("/?") else 404), where

    serve(path, use)


def test_watchers_of_one_address_are_limited(
    path: Path, publisher: PorchPublisher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_page, "HEARTBEAT_SECONDS", 1_000.0)

    async def use(url: str, _feed: TableFeed) -> None:
        async with aiohttp.ClientSession() as session:
            streams = [await session.get(f"{url}/events") for _ in range(MAX_WATCHERS_OF_ADDRESS)]
            assert {stream.status for stream in streams} == {200}
            async with session.get(f"{url}/events") as response:
                assert response.status == 503
                assert "Retry-After" in response.headers
            for stream in streams:
                stream.close()
            while (await get(f"{url}/events", read=False))[0] != 200:
                pass  # until their going has arrived: each leaves a free place

    serve(path, use, limit=RequestLimit(itertools.count().__next__))


def test_requests_of_one_address_are_limited() -> None:
    now = [0.0]
    limit = RequestLimit(lambda: now[0])
    allowed = [limit.allow("10.0.0.1") for _ in range(int(REQUESTS_OF_ADDRESS) + 5)]
    assert allowed.count(True) == REQUESTS_OF_ADDRESS
    assert limit.allow("10.0.0.2"), "another one is not concerned"
    now[0] += 1.0  # docs/security.md: then one a second
    assert limit.allow("10.0.0.1")
    assert not limit.allow("10.0.0.1")


def test_only_the_oldest_addresses_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_ADDRESSES", 2)
    limit = RequestLimit(lambda: 0.0)
    for address in ("10.0.0.1", "10.0.0.2", "10.0.0.3"):
        assert [limit.allow(address) for _ in range(int(REQUESTS_OF_ADDRESS) + 1)].count(True) == REQUESTS_OF_ADDRESS
    assert not limit.allow("10.0.0.2"), "it has had its requests"


def test_connections_are_limited_and_idle_ones_closed(
    path: Path, publisher: PorchPublisher, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def use(url: str, _feed: TableFeed) -> None:
        host, port = url.removeprefix("http://").split(":")
        monkeypatch.setattr(limits, "REQUEST_SECONDS", 200.0)  # a busy machine may be slow to ask
        waiting = [await asyncio.open_connection(host, port) for _ in range(MAX_CONNECTIONS_OF_ADDRESS)]
        further, writer = await asyncio.open_connection(host, port)
        await asyncio.wait_for(read_to_end(further), 30.0)
        writer.close()
        for reader, writer in waiting:
            writer.write(b"GET / HTTP/1.0\r\n\r\n")
            assert (await reader.read()).startswith(b"HTTP/1.0 "), "it is within the limit"
            writer.close()
        monkeypatch.setattr(limits, "REQUEST_SECONDS", 0.2)
        for sent in (b"", b"GET / HT"):  # half a request
            idle, writer = await asyncio.open_connection(host, port)
            writer.write(sent)
            await asyncio.wait_for(read_to_end(idle), 30.0)
            writer.close()
        monkeypatch.setattr(limits, "REQUEST_SECONDS", 200.0)
        assert (await get(url))[0] == 200

    serve(path, use)


@pytest.mark.full
def test_stream_that_nobody_reads_is_dropped(
    path: Path, publisher: PorchPublisher, playing: list[ScreenState], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_page, "SEND_SECONDS", 0.05)
    monkeypatch.setattr(page_module, "MAX_WATCHERS_OF_ADDRESS", 1)

    async def use(url: str, feed: TableFeed) -> None:
        host, port = url.removeprefix("http://").split(":")
        with socket.socket() as hung:
            hung.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            hung.setblocking(False)
            await asyncio.get_running_loop().sock_connect(hung, (host, int(port)))
            hung.send(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            answers: list[int] = []
            for i in range(20_000):
                publisher.publish(replace(playing[0], prompt=f"{i} {'ä' * 290}"), None)
                start = f"{i} "
                await wait_for(
                    feed, lambda start=start: feed.state is not None and feed.state.headline.startswith(start)
                )
                if i % 100 == 0:
                    async with aiohttp.ClientSession() as session, session.get(f"{url}/events") as response:
                        answers.append(response.status)
                        if response.status == 200 and 503 in answers:
                            return
        raise AssertionError(answers)

    serve(path, use, limit=RequestLimit())
