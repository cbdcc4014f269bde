"""A page that shows something live, by server-sent events.

The server reads nothing that a browser sends but the path and the host. The page is one file without any outside
address; a Content Security Policy with a new nonce for each answer allows its own script and style and nothing else.
"""

import asyncio
import contextlib
import logging
import secrets
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Awaitable, Callable
from importlib.resources import files
from urllib.parse import urlsplit

from aiohttp import web

from companion.web_server.limits import ConnectionLimit, RequestLimit
from companion.web_server.own_host import is_own_host

log = logging.getLogger(__name__)

HEARTBEAT_SECONDS = 20.0
"""Time after which a silent stream says that it is alive, so that a browser that went away is noticed."""
SILENCE_SECONDS = 50.0
"""Time without a word after which a page asks again: after a sleep a browser waits at a connection that is no more."""
SEND_SECONDS = 10.0
"""Time that a browser may take to read what was sent; a slower one is dropped."""
RETRY_SECONDS = 20.0
"""Least time after which a page that was refused asks again; at most twice as long."""
NO_PICTURE = -1
"""Version of a picture that there is none."""
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Server": "companion",
}

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class LivePage(ABC):
    """Base class of the web applications: a page, and the stream of its content.

    In `page.html` of the package NONCE and LANGUAGE are replaced, CONTENT by the JSON that it shows first, and FOLLOW
    by `follow.js`, which reads the stream.

    Args:
        package: where the page is.
        max_watchers: browsers that may follow at once; a further one is told to come back later.
        max_watchers_of_address: of these, browsers behind one address; None: as many.
        own_address: address at which browsers reach the page besides numbers and the machine's name; empty: none.
        connections: limit of connections; None: the usual one.
        requests: limit of requests for each address; None: the usual one.
    """

    def __init__(
        self,
        package: str,
        max_watchers: int,
        max_watchers_of_address: int | None = None,
        own_address: str = "",
        connections: ConnectionLimit | None = None,
        requests: RequestLimit | None = None,
    ) -> None:
        follow = files("companion.web_server").joinpath("follow.js").read_text(encoding="utf-8")
        page = files(package).joinpath("page.html").read_text(encoding="utf-8")
        for name, seconds in (("RETRY_SECONDS", RETRY_SECONDS), ("SILENCE_SECONDS", SILENCE_SECONDS)):
            follow = follow.replace(name, f"{seconds:g}")
        self._page = page.replace("FOLLOW", follow, 1)
        self.connections = connections or ConnectionLimit()
        self.connections.note_end = self._note_end
        self._requests = requests or RequestLimit()
        self._own_host = urlsplit(own_address).hostname
        self._max_watchers = max_watchers
        self._max_watchers_of_address = max_watchers_of_address or max_watchers
        self._watchers: Counter[str] = Counter()
        self._changed = asyncio.Condition()
        self._is_closing = False

    @property
    def language(self) -> str:
        """Tag of the page's language, as "pt-BR"."""
        return "en"

    @property
    @abstractmethod
    def version(self) -> int:
        """A number that changes with the content, 0 or more."""

    @abstractmethod
    def format_content(self) -> str:
        """Return what the page shows now, as JSON on one line."""

    @property
    def picture_version(self) -> int:
        """A number that changes with the picture; NO_PICTURE: there is none."""
        return NO_PICTURE

    def format_picture(self) -> str:
        """Return the picture as WebP in base64; only called while `picture_version` says that there is one."""
        raise NotImplementedError

    def note_watchers(self, count: int) -> None:  # noqa: B027 - a page without pictures has nothing to do
        """Note how many browsers follow now."""

    def find_refusal(self, request: web.Request) -> web.Response | None:
        """Return the answer to a request whose path or host is refused; None: it is answered."""
        if is_own_host(request.headers.get("Host", ""), self._own_host):
            return None
        return web.Response(status=421, text="Not found.", headers=HEADERS)

    @abstractmethod
    def make_application(self) -> web.Application:
        """Return the application for aiohttp."""

    def make_application_at(self, *prefixes: str) -> web.Application:
        """Return an application that has at each prefix of paths the page ("/") and "/events", and nothing else."""
        application = web.Application(client_max_size=1024, middlewares=[self._answer])
        for prefix in prefixes:
            application.add_routes([web.get(f"{prefix}/", self._send_page), web.get(f"{prefix}/events", self._stream)])
        application.on_shutdown.append(self._end_streams)
        return application

    async def notify(self) -> None:
        """Let all streams look for another version."""
        async with self._changed:
            self._changed.notify_all()

    def _note_end(self) -> None:
        # A stream that is silent would keep the place of a browser that has gone until its next comment.
        self._notifying_end = asyncio.ensure_future(self.notify())

    async def _end_streams(self, _application: web.Application) -> None:
        self._is_closing = True
        await self.notify()

    @web.middleware
    async def _answer(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        self.connections.note_request(request.transport)
        address = request.remote or ""
        response: web.StreamResponse | None
        if self.connections.is_proxy(address) or self._requests.allow(address):
            response = self.find_refusal(request)
        else:
            response = web.Response(status=429, text="Too many requests.", headers=HEADERS | {"Retry-After": "60"})
        if response is None:
            try:
                response = await handler(request)
            except web.HTTPException as error:
                response = web.Response(status=error.status, text=f"{error.reason}.", headers=HEADERS)
            except Exception:
                log.exception("A request could not be answered.")
                raise
        response.force_close()  # so that a connection is for one request, which has a time limit
        return response

    async def _send_page(self, _request: web.Request) -> web.Response:
        nonce = secrets.token_urlsafe(16)
        policy = (
            f"default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; connect-src 'self'; "
            "img-src data:; "
            "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        )
        # "<" as an escape of JSON: no text can end the element.
        content = self.format_content().replace("<", r"\u003c")
        return web.Response(
            text=self._page.replace("NONCE", nonce).replace("LANGUAGE", self.language).replace("CONTENT", content, 1),
            content_type="text/html",
            headers=HEADERS | {"Content-Security-Policy": policy},
        )

    async def _stream(self, request: web.Request) -> web.StreamResponse:
        address = request.remote or ""
        if self._watchers.total() >= self._max_watchers or self._watchers[address] >= self._max_watchers_of_address:
            return web.Response(status=503, text="Too many are watching.", headers=HEADERS | {"Retry-After": "60"})
        self._watchers[address] += 1
        self.note_watchers(self._watchers.total())
        self.connections.note_stream(request.transport)
        response = web.StreamResponse(headers=HEADERS | {"Content-Type": "text/event-stream; charset=utf-8"})
        try:
            await response.prepare(request)
            sent = (-1, NO_PICTURE)
            while not self._is_closing:
                before, sent = sent, self._versions
                text = self._format_news(before)
                async with asyncio.timeout(SEND_SECONDS):
                    await response.write(text.encode())
                await self._wait_for_change(request, sent)
        except (ConnectionError, TimeoutError):  # the browser has gone, or does not read
            if request.transport is not None:
                request.transport.abort()  # closing it would wait until all is read
        finally:
            self._watchers[address] -= 1
            self._watchers += Counter()  # forget addresses without watchers
            self.note_watchers(self._watchers.total())
        return response

    @property
    def _versions(self) -> tuple[int, int]:
        return self.version, self.picture_version

    def _format_news(self, sent: tuple[int, int]) -> str:
        """Return the events for a browser that has got `sent`: what it missed in between is left out."""
        version, picture_version = sent
        text = f"data: {self.format_content()}\n\n" if version != self.version else ""
        if self.picture_version not in (picture_version, NO_PICTURE):
            text += f"event: picture\ndata: {self.format_picture()}\n\n"
        return text or "event: alive\ndata: {}\n\n"

    async def _wait_for_change(self, request: web.Request, sent: tuple[int, int]) -> None:
        """Return when there is news, the connection has ended, or after a while."""

        def is_due() -> bool:
            return self._versions != sent or self._is_closing or request.transport is None

        async with self._changed:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(HEARTBEAT_SECONDS):
                    await self._changed.wait_for(is_due)
