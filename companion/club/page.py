"""The club's page: all tables, the league and tournaments, live by server-sent events; it reads nothing that is sent.

The page is one file without any outside address; a Content Security Policy with a new nonce for each answer allows its
own script and style and nothing else.
"""

import asyncio
import json
import logging
import secrets
from collections.abc import Callable
from importlib.resources import files
from typing import Any

from aiohttp import web

from companion.club.database import ClubDatabaseError
from companion.club.receiver import LiveTables

LOG = logging.getLogger(__name__)

MAX_LISTENERS = 200
"""Browsers that may follow at once; further ones are told to come back later."""
REFRESH_SECONDS = 1.0
"""Least time between two pictures of the whole club, however much happens."""
HEARTBEAT_SECONDS = 20.0
"""Time after which a silent stream gets a comment, so that a browser that went away is noticed."""
SEND_SECONDS = 10.0
"""Time that a browser may take to read what was sent; a slower one is dropped."""
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class ClubPage:
    """The web application of the club.

    Args:
        build: returns what the page shows, as a JSON object; called in a thread, one call at a time.
        tables: the live tables: each change of them refreshes the page.
    """

    def __init__(self, build: Callable[[], dict[str, Any]], tables: LiveTables) -> None:
        self._build, self._tables = build, tables
        self._page = files("companion.club").joinpath("page.html").read_text(encoding="utf-8")
        self._overview = "{}"
        self._changed = asyncio.Condition()
        self._listener_count = 0
        self._is_closing = False

    def make_application(self) -> web.Application:
        """Return the application for aiohttp: "/" is the page, "/club.json" its content, "/events" the live stream."""
        application = web.Application(client_max_size=1024)
        application.add_routes(
            [
                web.get("/", self._send_page),
                web.get("/club.json", self._send_overview),
                web.get("/events", self._stream),
            ]
        )
        application.cleanup_ctx.append(self._refresh)
        application.on_shutdown.append(self._end_streams)
        return application

    async def _refresh(self, _application: web.Application) -> Any:
        task = asyncio.create_task(self._follow())
        await asyncio.sleep(0)
        yield
        task.cancel()
        self._tables.note_change()  # the thread that waits for one ends
        await asyncio.gather(task, return_exceptions=True)

    async def _end_streams(self, _application: web.Application) -> None:
        async with self._changed:
            self._is_closing = True
            self._changed.notify_all()

    async def _follow(self) -> None:
        version = -1
        while True:
            new = await asyncio.to_thread(self._tables.wait_for_change, version, HEARTBEAT_SECONDS)
            if new == version:
                continue
            version = new
            try:
                content = await asyncio.to_thread(self._build)
            except ClubDatabaseError as error:
                LOG.error("The page shows what was last known: %s.", error)
                version = -1  # so that it is tried again
                await asyncio.sleep(HEARTBEAT_SECONDS)
                continue
            overview = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
            async with self._changed:
                self._overview = overview
                self._changed.notify_all()
            await asyncio.sleep(REFRESH_SECONDS)

    async def _send_page(self, _request: web.Request) -> web.Response:
        nonce = secrets.token_urlsafe(16)
        policy = (
            f"default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; connect-src 'self'; "
            "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        )
        return web.Response(
            # "<" as an escape of JSON: no text can end the element.
            text=self._page.replace("NONCE", nonce).replace("OVERVIEW", self._overview.replace("<", r"\u003c")),
            content_type="text/html",
            headers=HEADERS | {"Content-Security-Policy": policy},
        )

    async def _send_overview(self, _request: web.Request) -> web.Response:
        return web.Response(text=self._overview, content_type="application/json", headers=HEADERS)

    async def _stream(self, request: web.Request) -> web.StreamResponse:
        if self._listener_count >= MAX_LISTENERS:
            raise web.HTTPServiceUnavailable(
                text="Too many are watching: try again later.", headers={"Retry-After": "60"}
            )
        self._listener_count += 1
        response = web.StreamResponse(headers=HEADERS | {"Content-Type": "text/event-stream; charset=utf-8"})
        try:
            await response.prepare(request)
            sent = ""
            while not self._is_closing:
                if sent == self._overview:
                    async with self._changed:
                        try:
                            await asyncio.wait_for(self._changed.wait(), HEARTBEAT_SECONDS)
                        except TimeoutError:
                            await asyncio.wait_for(response.write(b": still here\n\n"), SEND_SECONDS)
                            continue
                if sent != self._overview:
                    sent = self._overview
                    await asyncio.wait_for(response.write(f"data: {sent}\n\n".encode()), SEND_SECONDS)
        except (ConnectionError, TimeoutError):
            pass  # the browser has gone, or does not read
        finally:
            self._listener_count -= 1
        return response
