"""Limits of a web server: connections, how long one may take to ask for something, and requests of each address.

How many browsers may watch a page: `MAX_WATCHERS` in `companion/porch/service.py` and `companion/club/page.py`.
"""

import asyncio
import time
from collections import Counter, OrderedDict
from collections.abc import Callable

from companion.web_server.own_host import is_loopback

MAX_CONNECTIONS = 128
"""Connections at once; a further one is closed."""
MAX_CONNECTIONS_OF_ADDRESS = 24
"""Of these, connections of one address."""
REQUEST_SECONDS = 10.0
"""Time in which a connection must have sent a whole request, else it is closed."""
ANSWER_SECONDS = 30.0
"""Time in which a browser must have read the answer, else the connection is closed; a stream has its own limit."""
REQUESTS_OF_ADDRESS = 60.0
"""Requests of one address that are answered at once; `REFILL_PER_SECOND` more each second."""
REFILL_PER_SECOND = 1.0
MAX_ADDRESSES = 4_096
"""Addresses whose requests are counted; of more the oldest are forgotten."""


class RequestLimit:
    """Counts the requests of each address by a bucket of tokens.

    >>> limit = RequestLimit(lambda: 0.0)
    >>> [limit.allow("10.0.0.1") for _ in range(61)].count(True)
    60

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


class ConnectionLimit:
    """Counts the connections of a server, and closes those that ask for nothing.

    Args:
        max_connections: at once; a further one is closed.
        has_local_proxy: loopback may be a proxy of this machine, behind which all browsers have that one address: it
            may have all connections.

    Attributes:
        note_end: called when a connection has ended, before its protocol knows.
    """

    def __init__(self, max_connections: int = MAX_CONNECTIONS, *, has_local_proxy: bool = False) -> None:
        self._max_connections, self._has_local_proxy = max_connections, has_local_proxy
        self._count_by_address: Counter[str] = Counter()
        self._timers: dict[asyncio.BaseTransport, asyncio.TimerHandle] = {}
        self.note_end: Callable[[], None] = lambda: None

    def is_proxy(self, address: str) -> bool:
        """Return whether an address may stand for many browsers, so that limits for one address do not hold."""
        return self._has_local_proxy and is_loopback(address)

    def wrap(self, make_protocol: Callable[[], asyncio.Protocol]) -> Callable[[], asyncio.Protocol]:
        """Return a factory of protocols that are made by `make_protocol` and limited."""
        return lambda: _LimitedProtocol(self, make_protocol())

    def note_request(self, transport: asyncio.BaseTransport | None) -> None:
        """Note that a connection has sent a whole request: it may stay open until the answer was sent."""
        if isinstance(transport, asyncio.Transport) and transport in self._timers:
            self._set_timer(transport, ANSWER_SECONDS)

    def note_stream(self, transport: asyncio.BaseTransport | None) -> None:
        """Note that the answer is a stream: the connection may stay open."""
        if transport is not None and (timer := self._timers.pop(transport, None)):
            timer.cancel()

    def _set_timer(self, transport: asyncio.Transport, seconds: float) -> None:
        self.note_stream(transport)
        self._timers[transport] = asyncio.get_running_loop().call_later(seconds, transport.abort)

    def add(self, transport: asyncio.Transport, address: str) -> bool:
        """Count a new connection; return whether it is within the limits."""
        of_address = self._max_connections if self.is_proxy(address) else MAX_CONNECTIONS_OF_ADDRESS
        if self._count_by_address.total() >= self._max_connections or self._count_by_address[address] >= of_address:
            return False
        self._count_by_address[address] += 1
        self._set_timer(transport, REQUEST_SECONDS)
        return True

    def remove(self, transport: asyncio.Transport, address: str) -> None:
        """Count a connection no more."""
        self.note_stream(transport)
        self._count_by_address[address] -= 1
        if not self._count_by_address[address]:
            del self._count_by_address[address]
        self.note_end()


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

    def connection_lost(self, error: Exception | None) -> None:
        if self._transport is not None:
            self._limit.remove(self._transport, self._address)
            self._transport = None
            self._protocol.connection_lost(error)

    def pause_writing(self) -> None:
        self._protocol.pause_writing()

    def resume_writing(self) -> None:
        self._protocol.resume_writing()
