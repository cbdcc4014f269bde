"""`companion porch` as a whole: follows the table, serves the page, publishes at a broker."""

import asyncio
import contextlib
import hmac
import ipaddress
import json
import logging
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from aiohttp import web

from companion.config.settings import PorchSettings
from companion.file_reader import read_password
from companion.porch.connections import ConnectionLimit
from companion.porch.messages import Line
from companion.porch.table_feed import TableFeed
from companion.system.systemd_notify import SystemdNotifier
from companion.system.termination import handle_signals_in_loop
from companion.web_server import HEADERS, LivePage, RequestLimit

MAX_WATCHERS = 60
"""Browsers that may follow at once."""
MAX_WATCHERS_OF_ADDRESS = 12
"""Of these, browsers behind one address."""
log = logging.getLogger(__name__)
BACKLOG = 64
"""Connections that wait to be accepted."""
HEARTBEAT_SECONDS = 2.0
"""Time between two signs of life for systemd."""


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


if TYPE_CHECKING:
    from companion.porch.mqtt import MqttAccess


def is_loopback(address: str) -> bool:
    """Return whether an address that is bound can be reached from this machine only."""
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return address == "localhost"


def make_access(settings: PorchSettings) -> "MqttAccess":
    """Make the access to the broker that the settings name.

    Raises:
        ValueError: the name of the broker is none.
        OSError: the file of the password cannot be read.
    """
    from companion.porch.mqtt import MqttAccess, parse_broker

    host, port = parse_broker(settings.mqtt, tls=settings.mqtt_tls)
    password = ""
    if settings.mqtt_password_file:
        password = read_password(Path(settings.mqtt_password_file))
    if password and not settings.mqtt_tls and not is_loopback(host):
        log.warning("The password goes to the broker unencrypted: see mqtt_tls in the settings.")
    return MqttAccess(host, port, settings.mqtt_user, password, settings.mqtt_tls, settings.mqtt_ca)


@contextlib.asynccontextmanager
async def serve_page(page: SpectatorPage, address: str, port: int) -> AsyncIterator[int]:
    """Serve the page, and give the port.

    Args:
        page: the page.
        address: to bind.
        port: to bind; 0: any free one.

    Raises:
        OSError: it cannot be bound.
    """
    # It logs each request that cannot be read, with a traceback: a sender of many would fill the disk.
    logging.getLogger("aiohttp.server").setLevel(logging.CRITICAL)
    limit = ConnectionLimit()
    page.note_request = limit.note_request
    runner = web.AppRunner(page.make_application(), access_log=None, shutdown_timeout=1.0, handle_signals=False)
    await runner.setup()
    assert runner.server is not None
    try:
        server = await asyncio.get_running_loop().create_server(
            limit.wrap(runner.server), address, port, backlog=BACKLOG
        )
        try:
            yield server.sockets[0].getsockname()[1]
        finally:
            server.close()
    finally:
        await runner.cleanup()


async def run_porch(
    settings: PorchSettings, socket_path: Path, note_page: Callable[[str, int], None] = lambda _address, _port: None
) -> None:
    """Run until SIGTERM or SIGINT.

    Args:
        settings: section [porch].
        socket_path: of the playing unit.
        note_page: called with the address and the port of the page once it is served.

    Raises:
        OSError: the address cannot be bound, or the file of the password cannot be read.
        ValueError: a setting cannot be used.
    """
    feed, notifier = TableFeed(socket_path), SystemdNotifier()
    stop = asyncio.Event()
    jobs = [feed.run]
    if settings.mqtt:
        from companion.porch.mqtt import MqttBridge  # the page alone does without its library

        bridge = MqttBridge(
            feed, make_access(settings), home_assistant=settings.home_assistant, page_address=settings.address
        )
        jobs.append(bridge.run)
    async with contextlib.AsyncExitStack() as stack:
        stack.enter_context(handle_signals_in_loop(stop.set))
        if settings.port:
            page = SpectatorPage(feed, needs_token=not is_loopback(settings.bind), own_address=settings.address)
            port = await stack.enter_async_context(serve_page(page, settings.bind, settings.port))
            note_page(settings.bind, port)
        tasks = [asyncio.create_task(job()) for job in jobs]
        try:
            while not stop.is_set():
                notifier.notify_ready("follows the table" if feed.hello else "waits for the table")
                notifier.feed_watchdog()
                for task in tasks:
                    if task.done():
                        task.result()  # raises: nothing but a bug ends one
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(HEARTBEAT_SECONDS):
                        await stop.wait()
        finally:
            notifier.notify_stopping()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
