"""The spectators' page: one table, live. On a network it stands under a path that nobody can guess."""

import asyncio
import contextlib
import hmac
import ipaddress
import json
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from aiohttp import web

from companion.porch.messages import Line
from companion.porch.table_feed import TableFeed
from companion.web_server import HEADERS, LivePage, RequestLimit

MAX_WATCHERS = 60
"""Browsers that may follow at once."""
MAX_WATCHERS_OF_ADDRESS = 12
"""Of these, browsers behind one address."""


class SpectatorPage(LivePage):
    """The web application for spectators.

    Args:
        feed: the table.
        needs_token: the page stands under the table's secret path only, else at "/" too.
        own_address: address at which browsers reach the page besides numbers and "localhost"; empty: none.
        limit: of requests for each address.

    Attributes:
        note_request: called with the connection of each request.
    """

    def __init__(
        self,
        feed: TableFeed,
        *,
        needs_token: bool,
        own_address: str = "",
        limit: RequestLimit | None = None,
    ) -> None:
        super().__init__("companion.porch", MAX_WATCHERS, MAX_WATCHERS_OF_ADDRESS)
        self._feed, self._needs_token, self._limit = feed, needs_token, limit or RequestLimit()
        self._own_host = urlsplit(own_address).hostname
        self.note_request: Callable[[asyncio.BaseTransport | None], None] = lambda _transport: None
        feed.add_listener(self._note_change)

    @property
    def language(self) -> str:
        return self._feed.state.language if self._feed.state else "en"

    @property
    def version(self) -> int:
        return self._feed.version

    def format_content(self) -> str:
        line = self._feed.get_state()
        state: dict[str, Any] = line.model_dump(mode="json") if line else {}
        state["connected"] = self._feed.hello is not None
        return json.dumps(state, ensure_ascii=False, separators=(",", ":"))

    def find_refusal(self, request: web.Request) -> web.Response | None:
        self.note_request(request.transport)
        if not self._limit.allow(request.remote or ""):
            return web.Response(status=429, text="Too many requests.", headers=HEADERS | {"Retry-After": "60"})
        # The same answer whether the path or the token is wrong: nothing is learnt by trying.
        token = request.match_info.get("token")
        if (self._needs_token or token) and not self._is_token(token or ""):
            return web.Response(status=404, text="Not found.", headers=HEADERS)
        if not token and not self._is_own_host(request):
            return web.Response(status=421, text="Not found.", headers=HEADERS)
        return None

    def make_application(self) -> web.Application:
        """Return the application for aiohttp: the page, "events" beside it, and nothing else."""
        return self.make_application_at("/{token}", *(() if self._needs_token else ("",)))

    def _note_change(self, _line: Line | None) -> None:
        self._notifying = asyncio.ensure_future(self.notify())

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
