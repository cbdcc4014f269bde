"""The club's page: all tables, the league and tournaments, live."""

import asyncio
import json
import logging
import time
from collections.abc import Callable
from typing import Any

from aiohttp import web

from companion.club.page_words import format_page_words
from companion.club.receiver import LiveTables
from companion.web_server.limits import ConnectionLimit
from companion.web_server.live_page import HEADERS, LivePage

log = logging.getLogger(__name__)

MAX_WATCHERS = 200
"""Browsers that may follow at once."""
MAX_CONNECTIONS = 256
"""Connections at once: a proxy on this machine may have all of them, another address as many as at the porch."""
REFRESH_SECONDS = 1.0
"""Least time between two pictures of the whole club, however much happens."""
QUIET_SECONDS = 20.0
"""Time after which the tables, or a database that failed, are asked again."""
BUILD_SHARE = 4.0
"""Pause after a picture, in times that it took: with many results it takes at most a fifth of the processor."""


class ClubPage(LivePage):
    """The web application of the club.

    Args:
        build: returns what the page shows, as a JSON object; called in a thread, one call at a time.
        tables: the live tables: each change of them refreshes the page.
        own_address: address at which browsers reach the page besides numbers and the machine's name; empty: none.
    """

    def __init__(self, build: Callable[[], dict[str, Any]], tables: LiveTables, own_address: str = "") -> None:
        connections = ConnectionLimit(MAX_CONNECTIONS, has_local_proxy=True)
        super().__init__("companion.club", MAX_WATCHERS, own_address=own_address, connections=connections)
        self._page = self._page.replace("WORDS", format_page_words(), 1)
        self._build, self._tables = build, tables
        self._overview, self._version = "{}", 0

    @property
    def version(self) -> int:
        return self._version

    def format_content(self) -> str:
        return self._overview

    def make_application(self) -> web.Application:
        """Return the application for aiohttp: "/" is the page, "/club.json" its content, "/events" the live stream."""
        application = self.make_application_at("")
        application.add_routes([web.get("/club.json", self._send_overview)])
        application.cleanup_ctx.append(self._refresh)
        return application

    async def _refresh(self, _application: web.Application) -> Any:
        task = asyncio.create_task(self._follow())
        await asyncio.sleep(0)
        yield
        task.cancel()
        self._tables.note_change()  # the thread that waits for one ends
        await asyncio.gather(task, return_exceptions=True)

    async def _follow(self) -> None:
        seen = -1
        while True:
            new = await asyncio.to_thread(self._tables.wait_for_change, seen, QUIET_SECONDS)
            if new == seen:
                continue
            seen, began = new, time.monotonic()
            try:
                content = await asyncio.to_thread(self._build)
                overview = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
            except Exception as error:  # noqa: BLE001 - whatever is wrong with one of the results
                log.error("The page shows what was last known: %s.", str(error) or type(error).__name__)
                seen = -1  # so that it is tried again
                await asyncio.sleep(QUIET_SECONDS)
                continue
            self._version += overview != self._overview
            self._overview = overview
            await self.notify()
            await asyncio.sleep(max(REFRESH_SECONDS, BUILD_SHARE * (time.monotonic() - began)))

    async def _send_overview(self, _request: web.Request) -> web.Response:
        return web.Response(text=self._overview, content_type="application/json", headers=HEADERS)
