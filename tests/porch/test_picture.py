"""The picture of the table's screen: who gets it, and how often.

Pictures that must not leave the table: test_picture_privacy.py; sockets: test_open_sockets.py.
"""

from __future__ import annotations

import asyncio
import base64
import os
import socket
import threading
from pathlib import Path
from typing import cast

import aiohttp
import cv2
import numpy as np
import pygame
import pytest

from companion.porch import picture_feed
from companion.porch.messages import StateLine
from companion.porch.picture_feed import PictureFeed, follow_pictures
from companion.porch.picture_file import SLOTS, find_offset, find_picture_path
from companion.porch.picture_sender import MAX_READERS, MAX_SHARE, MIN_SECONDS
from companion.porch.publisher import PorchPublisher
from companion.porch.service import SpectatorPage
from companion.porch.table_feed import TableFeed
from companion.screen_state import ScreenState
from companion.web_server.live_page import NO_PICTURE
from tests.porch.conftest import serve, wait_for
from tests.porch.picture_table import Table, make_surface


def test_without_a_reader_the_screen_is_not_touched(table: Table, caplog: pytest.LogCaptureFixture) -> None:
    table.sender.note_drawn(cast("pygame.Surface", object()))
    table.hand_out()
    assert not caplog.records
    table.connect()
    table.hand_out()
    assert "not handed out" in caplog.text, "with one it is"


def test_each_change_once_and_no_more_than_fifteen_a_second(table: Table) -> None:
    table.draw(1)
    reader = table.connect()
    table.hand_out()
    reader.receive_file()
    assert reader.read_numbers() == [1], "who comes gets the present picture"
    for _ in range(30):
        table.hand_out(MIN_SECONDS)
    assert reader.read_numbers() == [], "nothing has changed"
    for shade in range(100):
        table.draw(shade)
        table.hand_out(0.01)
    assert 13 <= len(reader.read_numbers()) <= 15
    table.draw(200)
    table.hand_out()
    table.hand_out(MIN_SECONDS)
    (last,) = reader.read_numbers()
    assert os.pread(reader.file, 4, find_offset(last))[:3] == bytes((0, 0, 200)), "the last change is not lost"


def test_costly_pictures_come_less_often(table: Table) -> None:
    table.cpu_seconds = 0.02
    reader = table.connect()
    numbers = []
    for shade in range(100):
        table.draw(shade)
        table.hand_out(0.02)
    reader.receive_file()
    numbers = reader.read_numbers()
    assert len(numbers) * table.cpu_seconds <= MAX_SHARE * 2.0 + table.cpu_seconds
    assert len(numbers) >= 3, "within half a second still"


def test_a_reader_that_hangs_or_has_gone_holds_nothing_up(table: Table) -> None:
    hung, gone, good = table.connect(), table.connect(), table.connect()
    hung.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
    table.draw(0)
    table.hand_out()
    good.receive_file()
    gone.close()
    table.readers.remove(gone)
    count = 0
    for i in range(3_000):
        table.draw(i % 256)
        table.hand_out(1.0)
        count += len(good.read_numbers())
    assert count == 3_001
    hung.receive_file()
    while hung.socket.recv(1 << 16):
        pass  # it was cut off


def test_a_reader_that_has_gone_before_its_turn_is_no_fault(table: Table, caplog: pytest.LogCaptureFixture) -> None:
    table.connect().close()
    table.readers.clear()
    table.draw(1)
    table.hand_out()
    assert not caplog.records
    assert not table.sender.is_watched


def test_a_picture_for_which_there_is_no_room_is_left_out(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.draw(1)
    reader = table.connect()
    write = os.pwrite
    with monkeypatch.context() as full:
        full.setattr(os, "pwrite", lambda file, pixels, at: write(file, bytes(pixels)[:100], at))
        table.hand_out()
    reader.receive_file()
    assert reader.read_numbers() == []
    table.draw(2)
    table.hand_out(2.0)
    assert reader.read_numbers() == [1]


def test_readers_beyond_the_limit_are_turned_away(table: Table) -> None:
    readers = [table.connect() for _ in range(MAX_READERS + 1)]
    table.hand_out()
    assert readers[-1].socket.recv(1) == b""
    readers[0].receive_file()


def test_a_reader_can_neither_write_nor_press(table: Table) -> None:
    table.draw(7)
    reader = table.connect()
    table.hand_out()
    reader.receive_file()
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.pwrite(reader.file, b"x", 0)
    with pytest.raises(OSError, match="Invalid argument"):
        os.ftruncate(reader.file, 0)
    with pytest.raises(BrokenPipeError):
        reader.socket.send(b"ok")
    assert os.fstat(reader.file).st_nlink == 0
    assert os.fstat(reader.file).st_mode & 0o777 == 0o600
    assert [each.name for each in table.path.parent.iterdir()] == [find_picture_path(table.path).name]


@pytest.mark.parametrize("depth", [24, 32])
def test_the_porch_makes_webp_of_it(table: Table, depth: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(picture_feed, "MAX_WIDTH", 40)
    reader = table.connect()
    surface = pygame.Surface((80, 48), 0, depth)
    surface.fill((200, 100, 50))
    surface.fill((0, 0, 255), (0, 0, 40, 48))
    table.sender.note_drawn(surface)
    table.hand_out()
    table.sender.close()
    pictures: list[bytes] = []
    follow_pictures(reader.socket, table.path, pictures.append)
    (picture,) = [cv2.imdecode(np.frombuffer(each, np.uint8), cv2.IMREAD_COLOR) for each in pictures]
    assert picture is not None
    assert picture.shape == (24, 40, 3)
    assert np.abs(picture[12, 5].astype(int) - (255, 0, 0)).max() < 12
    assert np.abs(picture[12, 35].astype(int) - (50, 100, 200)).max() < 12


@pytest.mark.parametrize(("later", "shown"), [(SLOTS - 2, [1, SLOTS - 1]), (SLOTS - 1, [SLOTS])])
def test_a_picture_that_may_be_overwritten_is_left_out(
    table: Table, monkeypatch: pytest.MonkeyPatch, later: int, shown: list[int]
) -> None:
    """While the porch reads one, later ones arrive: only one that none of them can have touched is shown."""
    table.draw(1)
    reader = table.connect()
    table.hand_out()
    shades: list[int] = []
    preadv, waiting = os.preadv, list(range(2, 2 + later))

    def read_slowly(*arguments: object) -> int:
        count = preadv(*arguments)
        while waiting:
            table.draw(waiting.pop(0))
            table.hand_out(1.0)
            if not waiting:
                table.sender.close()
        return count

    def encode(pixels: bytearray, _width: int, _height: int) -> bytes:
        shades.append(pixels[2])
        return b""

    monkeypatch.setattr(os, "preadv", read_slowly)
    monkeypatch.setattr(picture_feed, "encode_picture", encode)
    follow_pictures(reader.socket, table.path, lambda _picture: None)
    assert shades == shown


def test_browsers_get_it_while_they_watch(path: Path, publisher: PorchPublisher, playing: list[ScreenState]) -> None:
    sender = publisher.pictures
    publisher.publish(playing[0], None)

    async def hand_out_until_read(response: aiohttp.ClientResponse) -> bytes:
        """Return the first picture of a stream; the main loop goes on meanwhile."""
        while True:
            sender.hand_out(playing[0])
            try:
                async with asyncio.timeout(0.02):
                    line = await response.content.readline()
            except TimeoutError:
                continue
            if line.startswith(b"data: ") and not line.startswith(b"data: {"):
                return base64.b64decode(line[6:])

    async def use(url: str, feed: TableFeed) -> None:
        await wait_for(feed, lambda: feed.state is not None)
        sender.note_drawn(make_surface(90))
        sender.hand_out(playing[0])
        assert not sender._readers, "nobody watches"
        async with aiohttp.ClientSession() as session:
            async with session.get(f"{url}/events") as response:
                picture = await hand_out_until_read(response)
            assert cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR) is not None
            while sender._readers:  # until the browser's going has arrived
                sender.note_drawn(make_surface(91))
                sender.hand_out(playing[0])
                await asyncio.sleep(0.01)
            async with session.get(f"{url}/events") as response:
                assert (await hand_out_until_read(response)) != picture, "who comes back gets the present one"

    serve(path, use)


def test_a_picture_does_not_outlive_its_game(path: Path) -> None:
    async def use() -> None:
        feed = TableFeed(path)
        page = SpectatorPage(feed, needs_token=False)

        def note(screen: str) -> bool:
            """Note a state; return whether pictures are fetched then."""
            feed._take(StateLine(table="hall-1", screen=screen).model_dump_json().encode())
            return page._pictures._fetcher is not None

        page.note_watchers(1)
        assert not note("lobby"), "nothing is to be seen"
        assert note("play")
        page._take_picture(b"picture")
        assert note("result")
        assert page.picture_version != NO_PICTURE
        assert not note("lobby")
        assert note("play")
        assert page.picture_version == NO_PICTURE, "it is of the game before"
        page.note_watchers(0)
        assert not note("play")

    asyncio.run(use())


def test_a_fetcher_ends_although_too_many_wait_at_the_socket(tmp_path: Path) -> None:
    async def use() -> None:
        feed, others = PictureFeed(tmp_path / "porch.sock", lambda _picture: None), set(threading.enumerate())
        feed.start()
        (thread,) = set(threading.enumerate()) - others
        feed.stop()
        thread.join()

    picture_path = find_picture_path(tmp_path / "porch.sock")
    with socket.socket(socket.AF_UNIX) as listener, socket.socket(socket.AF_UNIX) as waiting:
        listener.bind(str(picture_path))
        listener.listen(0)
        waiting.connect(str(picture_path))
        asyncio.run(use())
