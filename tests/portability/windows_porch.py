"""Publish a table, follow it and serve its page on a simulated Windows: `python -m tests.portability.windows_porch`.

Standard output gets a JSON object: what a browser was sent, and the files that lay beside each other meanwhile.
"""

from __future__ import annotations

import asyncio
import base64
import functools
import json
import selectors
import tempfile
from pathlib import Path
from typing import Any
from unittest import mock

import aiohttp
import aiohttp.web  # it looks for the system's parts when it is imported

from tests.portability.other_system import become

SILENCE_SECONDS = 0.2
"""Time after which a stranger is held for silent."""
SIZE = (64, 36)


async def follow_stranger(path: Path, line: bytes) -> bool:
    """Return whether the port file of a killed program leads to a program that has its port now.

    Args:
        path: of the socket.
        line: what that program says to whoever connects.
    """
    from companion.app.simulated_table_porch import is_answered
    from companion.porch.local_socket import open_listener, open_stream

    def greet(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(line)

    with open_listener(path, 1) as killed:
        port = killed.getsockname()[1]
    async with await asyncio.start_server(greet, "127.0.0.1", port):
        is_misled = await asyncio.to_thread(is_answered, path)
        try:
            (await open_stream(path, 1000))[1].close()
        except OSError:
            return is_misled
    return True


async def watch(folder: Path) -> dict[str, Any]:
    """Return what a browser gets of a game, and of the same after another program has taken the table over."""
    import pygame

    from companion.porch import local_socket
    from companion.porch.publisher import PorchPublisher
    from companion.porch.service import SpectatorPage
    from companion.porch.table_feed import TableFeed
    from companion.screen_state import ScreenKind, ScreenState
    from companion.web_server.serving import serve_page

    found: dict[str, Any] = {}
    path, state = folder / "run" / "porch.sock", ScreenState(ScreenKind.PLAY, "secret_number", prompt="Choose a card")
    path.parent.mkdir()
    with mock.patch.object(local_socket, "CONNECT_SECONDS", SILENCE_SECONDS):
        found["misled"] = [await follow_stranger(path, line) for line in (b"", b"220 ready\n" * 9)]
    surface = pygame.Surface(SIZE, 0, 32)
    surface.fill((200, 100, 50))
    publisher = PorchPublisher(path, "hall-1")
    feed = TableFeed(path)
    page = SpectatorPage(feed, needs_token=False)
    following = asyncio.create_task(feed.run())
    try:
        async with asyncio.timeout(200), serve_page(page, "127.0.0.1", 0) as port, aiohttp.ClientSession() as session:
            publisher.publish(state, None)
            while feed.state is None:
                await asyncio.sleep(0.01)
            found["headline"] = feed.state.headline
            async with session.get(f"http://127.0.0.1:{port}/events") as response:
                is_picture = False
                while "picture" not in found:
                    publisher.pictures.note_drawn(surface)
                    publisher.pictures.hand_out(state)
                    try:
                        async with asyncio.timeout(0.05):
                            line = await response.content.readline()
                    except TimeoutError:
                        continue
                    if is_picture:
                        found["picture"] = base64.b64decode(line[6:])[8:12].decode()
                    is_picture = line.startswith(b"event: picture")
            found["files"] = sorted(file.name for file in path.parent.iterdir())
    finally:
        following.cancel()
        publisher.close()
    return found


if __name__ == "__main__":
    become("win32")
    # All that `select` has on Windows; asyncio would take Linux's own.
    make_loop = functools.partial(asyncio.SelectorEventLoop, selectors.SelectSelector())
    with tempfile.TemporaryDirectory() as name, asyncio.Runner(loop_factory=make_loop) as runner:
        print(json.dumps(runner.run(watch(Path(name)))))
