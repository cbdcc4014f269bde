"""Serves a live page until the program is told to end."""

import asyncio
import contextlib
import errno
import logging
from collections.abc import AsyncIterator, Callable
from typing import Any

from aiohttp import web

from companion.web_server.live_page import LivePage

log = logging.getLogger(__name__)

BACKLOG = 64
"""Connections that wait to be accepted."""
SHORTAGES = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
"""Errors for which asyncio accepts no connection, and tries again a second later."""


class _ShortageLog:
    """Logs that no connection can be accepted, once until one is: asyncio itself would write 64 tracebacks a second."""

    def __init__(self) -> None:
        self._is_logged = False

    def wrap(self, make_protocol: Callable[[], asyncio.Protocol]) -> Callable[[], asyncio.Protocol]:
        """Return a factory that also notes that a connection was accepted."""

        def note_and_make() -> asyncio.Protocol:
            self._is_logged = False
            return make_protocol()

        return note_and_make

    def handle(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Handle an error that asyncio has nobody to tell about."""
        error = context.get("exception")
        if not (isinstance(error, OSError) and error.errno in SHORTAGES and "socket" in context):
            loop.default_exception_handler(context)
        elif not self._is_logged:
            self._is_logged = True
            log.warning("No browser can connect at the moment: %s.", error.strerror)


@contextlib.asynccontextmanager
async def serve_page(page: LivePage, address: str, port: int) -> AsyncIterator[int]:
    """Serve the page within its limits, and give the port.

    Args:
        page: the page.
        address: to bind.
        port: to bind; 0: any free one.

    Raises:
        OSError: it cannot be bound.
    """
    # It logs each request that cannot be read, with a traceback: a sender of many would fill the disk.
    logging.getLogger("aiohttp.server").setLevel(logging.CRITICAL)
    runner = web.AppRunner(page.make_application(), access_log=None, shutdown_timeout=1.0, handle_signals=False)
    await runner.setup()
    assert runner.server is not None
    loop, shortages = asyncio.get_running_loop(), _ShortageLog()
    loop.set_exception_handler(shortages.handle)
    try:
        make_protocol = shortages.wrap(page.connections.wrap(runner.server))
        server = await loop.create_server(make_protocol, address, port, backlog=BACKLOG)
        try:
            yield server.sockets[0].getsockname()[1]
        finally:
            server.close()
    finally:
        loop.set_exception_handler(None)
        await runner.cleanup()
