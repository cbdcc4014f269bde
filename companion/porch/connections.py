"""Limits of a web server's connections: how many there are, and how long one may take to ask for something."""

import asyncio
from collections import Counter
from collections.abc import Callable

MAX_CONNECTIONS = 128
"""Connections at once; a further one is closed."""
MAX_CONNECTIONS_OF_ADDRESS = 24
"""Of these, connections of one address."""
REQUEST_SECONDS = 10.0
"""Time in which a connection must have sent a whole request, else it is closed."""


class ConnectionLimit:
    """Counts the connections of a server, and closes those that ask for nothing."""

    def __init__(self) -> None:
        self._count_by_address: Counter[str] = Counter()
        self._timers: dict[asyncio.BaseTransport, asyncio.TimerHandle] = {}

    def wrap(self, make_protocol: Callable[[], asyncio.Protocol]) -> Callable[[], asyncio.Protocol]:
        """Return a factory of protocols that are made by `make_protocol` and limited."""
        return lambda: _LimitedProtocol(self, make_protocol())

    def note_request(self, transport: asyncio.BaseTransport | None) -> None:
        """Note that a connection has sent a whole request: it may stay open now."""
        if transport is not None and (timer := self._timers.pop(transport, None)):
            timer.cancel()

    def add(self, transport: asyncio.Transport, address: str) -> bool:
        """Count a new connection; return whether it is within the limits."""
        if (
            self._count_by_address.total() >= MAX_CONNECTIONS
            or self._count_by_address[address] >= MAX_CONNECTIONS_OF_ADDRESS
        ):
            return False
        self._count_by_address[address] += 1
        self._timers[transport] = asyncio.get_running_loop().call_later(REQUEST_SECONDS, transport.abort)
        return True

    def remove(self, transport: asyncio.Transport, address: str) -> None:
        """Count a connection no more."""
        self.note_request(transport)
        self._count_by_address[address] -= 1
        if not self._count_by_address[address]:
            del self._count_by_address[address]


class _LimitedProtocol(asyncio.Protocol):
    """Hands everything on to a protocol once the connection is accepted."""

    def __init__(self, limit: ConnectionLimit, protocol: asyncio.Protocol) -> None:
        self._limit, self._protocol = limit, protocol
        self._transport: asyncio.Transport | None = None
        self._address = ""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        peer = transport.get_extra_info("peername")
        self._address = str(peer[0]) if peer else ""
        if not self._limit.add(transport, self._address):
            transport.abort()
            return
        self._transport = transport
        self._protocol.connection_made(transport)

    def data_received(self, data: bytes) -> None:
        if self._transport is not None:
            self._protocol.data_received(data)

    def eof_received(self) -> bool | None:
        return self._protocol.eof_received() if self._transport is not None else None

    def connection_lost(self, error: Exception | None) -> None:
        if self._transport is not None:
            self._limit.remove(self._transport, self._address)
            self._transport = None
            self._protocol.connection_lost(error)

    def pause_writing(self) -> None:
        self._protocol.pause_writing()

    def resume_writing(self) -> None:
        self._protocol.resume_writing()
