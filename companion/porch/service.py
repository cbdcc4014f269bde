"""`companion porch` as a whole: follows the table, serves the page, publishes at a broker."""

import asyncio
import base64
import contextlib
import hmac
import json
import logging
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from aiohttp import web

from companion.config.settings import PorchSettings
from companion.file_reader import read_password
from companion.i18n import DEFAULT_LANGUAGE, format_language_tag
from companion.porch.broker import BrokerAccess, parse_broker
from companion.porch.messages import Line, StateLine
from companion.porch.picture_feed import PictureFeed
from companion.porch.score_history import list_evening
from companion.porch.table_feed import TableFeed
from companion.system.systemd_notify import SystemdNotifier
from companion.system.termination import handle_signals_in_loop
from companion.web_server.limits import RequestLimit
from companion.web_server.live_page import HEADERS, NO_PICTURE, LivePage
from companion.web_server.own_host import is_loopback
from companion.web_server.serving import serve_page

MAX_WATCHERS = 60
"""Browsers that may follow at once."""
MAX_WATCHERS_OF_ADDRESS = 12
"""Of these, browsers behind one address."""
log = logging.getLogger(__name__)
HEARTBEAT_SECONDS = 2.0
"""Time between two signs of life for systemd."""


class SpectatorPage(LivePage):
    """The web application for spectators.

    Args:
        feed: the table.
        needs_token: the page stands under the table's secret path only, else at "/" too.
        own_address: address at which browsers reach the page besides numbers and the machine's name; empty: none.
        is_cafe: guests come and go: names of earlier ones are not shown.
        requests: limit of requests for each address; None: the usual one.
    """

    def __init__(
        self,
        feed: TableFeed,
        *,
        needs_token: bool,
        own_address: str = "",
        is_cafe: bool = False,
        requests: RequestLimit | None = None,
    ) -> None:
        super().__init__(
            "companion.porch", MAX_WATCHERS, MAX_WATCHERS_OF_ADDRESS, own_address=own_address, requests=requests
        )
        self._feed, self._needs_token, self._is_cafe = feed, needs_token, is_cafe
        self._evening: list[dict[str, Any]] | None = None
        self._pictures = PictureFeed(feed.path, self._take_picture)
        self._picture, self._picture_number = "", 0
        self._is_watched = False
        feed.add_listener(self._note_change)

    @property
    def language(self) -> str:
        return format_language_tag(self._feed.state.language if self._feed.state else DEFAULT_LANGUAGE)

    @property
    def version(self) -> int:
        return self._feed.version

    def format_content(self) -> str:
        line = self._feed.get_state()
        state: dict[str, Any] = line.model_dump(mode="json") if line else {}
        state["words"] = self._feed.words
        state["connected"] = self._feed.hello is not None
        state["chart"] = self._feed.score_points
        if self._evening is None:
            results = () if self._is_cafe else self._feed.results.values()
            self._evening = list_evening(results, datetime.now(UTC).astimezone())
        state["evening"] = self._evening
        return json.dumps(state, ensure_ascii=False, separators=(",", ":"))

    def find_refusal(self, request: web.Request) -> web.Response | None:
        token = request.match_info.get("token")
        if not (self._needs_token or token):
            return super().find_refusal(request)
        # The same answer whether the path or the token is wrong: nothing is learnt by trying. Who knows the token may
        # ask by any name of this machine.
        return None if self._is_token(token or "") else web.Response(status=404, text="Not found.", headers=HEADERS)

    def make_application(self) -> web.Application:
        """Return the application for aiohttp: the page, "events" beside it, and nothing else."""
        return self.make_application_at("/{token}", *(() if self._needs_token else ("",)))

    @property
    def picture_version(self) -> int:
        return self._picture_number if self._picture else NO_PICTURE

    def format_picture(self) -> str:
        return self._picture

    def note_watchers(self, count: int) -> None:
        self._is_watched = count > 0
        self._start_or_stop_pictures()

    def _start_or_stop_pictures(self) -> None:
        """Fetch pictures while a game is watched; one that is kept longer would be shown at the next game."""
        if self._is_watched and self._feed.state is not None and self._feed.state.is_game:
            self._pictures.start()
        else:
            self._pictures.stop()
            self._picture = ""

    def _take_picture(self, picture: bytes) -> None:
        self._picture, self._picture_number = base64.b64encode(picture).decode("ascii"), self._picture_number + 1
        self._notifying = asyncio.ensure_future(self.notify())

    def _note_change(self, line: Line | None) -> None:
        if not isinstance(line, StateLine) or line.screen != "play":
            self._evening = None
        self._start_or_stop_pictures()
        self._notifying = asyncio.ensure_future(self.notify())

    def _is_token(self, text: str) -> bool:
        hello = self._feed.hello
        token = hello.path_token if hello else ""
        return bool(token) and hmac.compare_digest(text.encode(), token.encode())


def make_access(settings: PorchSettings) -> BrokerAccess:
    """Make the access to the broker that the settings name.

    Raises:
        ValueError: the name of the broker is none, or the password is no text.
        OSError: the file of the password cannot be read.
    """
    host, port = parse_broker(settings.mqtt, tls=settings.mqtt_tls)
    password = read_password(Path(settings.mqtt_password_file)) if settings.mqtt_password_file else ""
    if password and not settings.mqtt_tls and not is_loopback(host):
        log.warning("The password goes to the broker unencrypted: see mqtt_tls in the settings.")
    return BrokerAccess(host, port, settings.mqtt_user, password, settings.mqtt_tls, settings.mqtt_ca)


async def run_porch(
    settings: PorchSettings,
    socket_path: Path,
    note_page: Callable[[str, int], None] = lambda _address, _port: None,
    *,
    is_cafe: bool = False,
) -> None:
    """Run until SIGTERM or SIGINT.

    Args:
        settings: section [porch].
        socket_path: of the playing unit.
        note_page: called with the address and the port of the page once it is served.
        is_cafe: as in `SpectatorPage`.

    Raises:
        OSError: the address cannot be bound, or the file of the password cannot be read.
        ValueError: a setting cannot be used.
    """
    feed, notifier, stop = TableFeed(socket_path), SystemdNotifier(), asyncio.Event()
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
            needs_token = not is_loopback(settings.bind)
            page = SpectatorPage(feed, needs_token=needs_token, own_address=settings.address, is_cafe=is_cafe)
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
