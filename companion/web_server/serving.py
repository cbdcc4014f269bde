"""Serves a live page until the program is told to end."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator

from aiohttp import web

from companion.web_server.live_page import LivePage

BACKLOG = 64
"""Connections that wait to be accepted."""


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
    try:
        server = await asyncio.get_running_loop().create_server(
            page.connections.wrap(runner.server), address, port, backlog=BACKLOG
        )
        try:
            yield server.sockets[0].getsockname()[1]
        finally:
            server.close()
    finally:
        await runner.cleanup()
