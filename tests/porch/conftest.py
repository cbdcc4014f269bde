"""A table that publishes, and the porch that follows it, for the tests."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from companion.gallery import load_sample_builders
from companion.gallery.finished_games import play_to_end, show_result
from companion.porch import publisher as publisher_module
from companion.porch.publisher import PorchPublisher
from companion.porch.service import SpectatorPage
from companion.porch.table_feed import TableFeed
from companion.screen_state import ScreenState
from companion.testing.screens import build_states
from companion.web_server.limits import RequestLimit
from companion.web_server.serving import serve_page
from tests.porch.picture_table import Table


@pytest.fixture(scope="session")
def samples() -> dict[str, ScreenState]:
    """All sample states of all games and screens; of finished games, which take long to play, one."""
    builders = load_sample_builders()
    parts = {part: build_states(build_samples) for part, build_samples in builders.items() if part != "ended"}
    return {f"{part}/{name}": state for part, states in parts.items() for name, state in states.items()} | {
        "ended/macroscope_4": show_result(play_to_end("macroscope", 4))
    }


@pytest.fixture
def playing() -> list[ScreenState]:
    """States of games in play, each with another prompt."""
    states = [state for state in build_states(load_sample_builders()["secret_number"]).values() if state.kind == "play"]
    assert len(states) > 4
    return [replace(state, prompt=f"{i}: {state.prompt}") for i, state in enumerate(states)]


@pytest.fixture(autouse=True)
def quick_publishers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Publishers that look for news every millisecond: the tests wait for each line."""
    monkeypatch.setattr(publisher_module, "POLL_SECONDS", 0.001)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Path of the socket."""
    return tmp_path / "run" / "porch.sock"


@pytest.fixture
def publisher(path: Path) -> Iterator[PorchPublisher]:
    """A publisher of the table "hall-1"."""
    made = PorchPublisher(path, "hall-1", "By the window")
    yield made
    made.close()


@pytest.fixture
def table(path: Path) -> Iterator[Table]:
    """A table that hands out its screen."""
    made = Table(path)
    yield made
    made.close()


@contextlib.asynccontextmanager
async def follow(path: Path) -> AsyncIterator[TableFeed]:
    """Follow a table."""
    feed = TableFeed(path)
    task = asyncio.create_task(feed.run())
    try:
        yield feed
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def wait_for(feed: TableFeed, condition: Callable[[], bool]) -> None:
    """Return when a condition holds, which is asked after each line."""
    changed = asyncio.Event()
    feed.add_listener(lambda _line: changed.set())
    while not condition():
        changed.clear()
        await changed.wait()


def serve(
    path: Path,
    use: Callable[[str, TableFeed], Awaitable[None]],
    *,
    needs_token: bool = False,
    limit: RequestLimit | None = None,
) -> None:
    """Serve the page of a table on loopback, and use it."""

    async def run() -> None:
        async with follow(path) as feed:
            page = SpectatorPage(feed, needs_token=needs_token, requests=limit or RequestLimit(lambda: 0.0))
            async with serve_page(page, "127.0.0.1", 0) as port:
                await wait_for(feed, lambda: feed.hello is not None)
                await use(f"http://127.0.0.1:{port}", feed)

    asyncio.run(run())
