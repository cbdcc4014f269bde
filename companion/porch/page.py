"""The spectators' page: one table, live by server-sent events. It reads nothing that a browser sends but the path.

The page is one file without any outside address; a Content Security Policy with a new nonce for each answer allows its
own script and style and nothing else. On a network it stands under a path that nobody can guess.
"""

import asyncio
import contextlib
import hmac
import ipaddress
import json
import logging
import secrets
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from importlib.resources import files
from typing import Any
from urllib.parse import urlsplit

from aiohttp import web

from companion.porch.messages import Line
from companion.porch.table_feed import TableFeed

LOG = logging.getLogger(__name__)

MAX_WATCHERS = 60
"""Browsers that may follow at once; a further one is told to come back later."""
MAX_WATCHERS_OF_ADDRESS = 12
"""Of these, browsers behind one address."""
REQUESTS_OF_ADDRESS = 60.0
"""Requests of one address that are answered at once; `REFILL_PER_SECOND` more each second."""
REFILL_PER_SECOND = 1.0
MAX_ADDRESSES = 4_096
"""Addresses whose requests are counted; of more the oldest are forgotten."""
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
    "Server": "companion",
}

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class RequestLimit:
    """Counts the requests of each address by a bucket of tokens.

    Args:
        get_time: the monotonic clock, in seconds.
    """

    def __init__(self, get_time: Callable[[], float] = time.monotonic) -> None:
        self._get_time = get_time
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()  # tokens, and when they were counted

    def allow(self, address: str) -> bool:
        """Return whether a request of this address is answered now, and count it."""
        now = self._get_time()
        tokens, counted = self._buckets.pop(address, (REQUESTS_OF_ADDRESS, now))
        tokens = min(REQUESTS_OF_ADDRESS, tokens + (now - counted) * REFILL_PER_SECOND)
        self._buckets[address] = (max(0.0, tokens - 1.0), now)
        if len(self._buckets) > MAX_ADDRESSES:
            self._buckets.popitem(last=False)
        return tokens >= 1.0


class SpectatorPage:
    """The web application for spectators.

    Args:
        feed: the table.
        needs_token: the page stands under the table's secret path only, else at "/" too.
        own_address: address at which browsers reach the page besides numbers and "localhost"; empty: none.
        limit: of requests for each address.
    """

    def __init__(
        self, feed: TableFeed, *, needs_token: bool, own_address: str = "", limit: RequestLimit | None = None
    ) -> None:
        self._feed, self._needs_token, self._limit = feed, needs_token, limit or RequestLimit()
        self._own_host = urlsplit(own_address).hostname
        self._note_request: Callable[[asyncio.BaseTransport | None], None] = lambda _transport: None
        self._page = files("companion.porch").joinpath("page.html").read_text(encoding="utf-8")
        self._changed = asyncio.Condition()
        self._watchers: dict[str, int] = {}
        self._is_closing = False
        feed.add_listener(self._note_change)

    def make_application(
        self, note_request: Callable[[asyncio.BaseTransport | None], None] = lambda _transport: None
    ) -> web.Application:
        """Return the application for aiohttp: the page, "events" beside it, and nothing else.

        Args:
            note_request: called with the connection of each request.
        """
        self._note_request = note_request
        application = web.Application(client_max_size=1024, middlewares=[self._check_request])
        for prefix in ("/{token}", *(() if self._needs_token else ("",))):
            application.add_routes([web.get(f"{prefix}/", self._send_page), web.get(f"{prefix}/events", self._stream)])
        application.on_shutdown.append(self._end_streams)
        return application

    def _note_change(self, _line: Line | None) -> None:
        async def notify() -> None:
            async with self._changed:
                self._changed.notify_all()

        self._notifying = asyncio.ensure_future(notify())

    async def _end_streams(self, _application: web.Application) -> None:
        async with self._changed:
            self._is_closing = True
            self._changed.notify_all()

    @web.middleware
    async def _check_request(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        self._note_request(request.transport)
        response = await self._answer(request, handler)
        response.force_close()  # so that a connection is for one request, which has a time limit
        return response

    async def _answer(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        if not self._limit.allow(request.remote or ""):
            return web.Response(status=429, text="Too many requests.", headers=HEADERS | {"Retry-After": "60"})
        # The same answer whether the path or the token is wrong: nothing is learnt by trying.
        token = request.match_info.get("token")
        if (self._needs_token or token) and not self._is_token(token or ""):
            return web.Response(status=404, text="Not found.", headers=HEADERS)
        if not token and not self._is_own_host(request):
            return web.Response(status=421, text="Not found.", headers=HEADERS)
        try:
            return await handler(request)
        except web.HTTPException as error:
            return web.Response(status=error.status, text=f"{error.reason}.", headers=HEADERS)
        except Exception:
            LOG.exception("A request could not be answered.")
            raise

    def _is_own_host(self, request: web.Request) -> bool:
        """Return whether the browser asked for this machine, and not for a page elsewhere that let its name point here.

        (DNS rebinding: without a secret path such a page could read the answer.)
        """
        try:
            host = urlsplit(f"//{request.headers.get('Host', '')}").hostname or ""
        except ValueError:
            return False
        if host in ("localhost", self._own_host):
            return True
        with contextlib.suppress(ValueError):
            ipaddress.ip_address(host)
            return True
        return False

    def _is_token(self, text: str) -> bool:
        hello = self._feed.hello
        token = hello.path_token if hello else ""
        return bool(token) and hmac.compare_digest(text.encode(), token.encode())

    async def _send_page(self, _request: web.Request) -> web.Response:
        nonce = secrets.token_urlsafe(16)
        policy = (
            f"default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; connect-src 'self'; "
            "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        )
        # "<" as an escape of JSON: no text can end the element.
        content = self._format_state().replace("<", r"\u003c")
        language = self._feed.state.language if self._feed.state else "en"
        return web.Response(
            text=self._page.replace("NONCE", nonce).replace("LANGUAGE", language).replace("STATE", content, 1),
            content_type="text/html",
            headers=HEADERS | {"Content-Security-Policy": policy},
        )

    def _format_state(self) -> str:
        line = self._feed.get_state()
        state: dict[str, Any] = line.model_dump(mode="json") if line else {}
        state["connected"] = self._feed.hello is not None
        return json.dumps(state, ensure_ascii=False, separators=(",", ":"))

    async def _wait_for_change(self, sent: int) -> None:
        """Return when there is news, or after a while."""
        async with self._changed:
            with contextlib.suppress(TimeoutError):
                has_news = self._changed.wait_for(lambda: self._feed.version != sent or self._is_closing)
                await asyncio.wait_for(has_news, HEARTBEAT_SECONDS)

    async def _stream(self, request: web.Request) -> web.StreamResponse:
        address = request.remote or ""
        if sum(self._watchers.values()) >= MAX_WATCHERS or self._watchers.get(address, 0) >= MAX_WATCHERS_OF_ADDRESS:
            return web.Response(status=503, text="Too many are watching.", headers=HEADERS | {"Retry-After": "60"})
        self._watchers[address] = self._watchers.get(address, 0) + 1
        response = web.StreamResponse(headers=HEADERS | {"Content-Type": "text/event-stream; charset=utf-8"})
        try:
            await response.prepare(request)
            sent = -1
            while not self._is_closing:
                is_news, sent = sent != self._feed.version, self._feed.version
                text = f"data: {self._format_state()}\n\n" if is_news else ": still here\n\n"
                await asyncio.wait_for(response.write(text.encode()), SEND_SECONDS)
                await self._wait_for_change(sent)
        except (ConnectionError, TimeoutError):
            pass  # the browser has gone, or does not read
        finally:
            self._watchers[address] -= 1
            if not self._watchers[address]:
                del self._watchers[address]
        return response
