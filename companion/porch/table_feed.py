"""The porch's side of the socket: connects to the playing unit, checks each line, and keeps the latest of each kind."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from companion.porch.local_socket import open_stream
from companion.porch.messages import (
    LINE_ADAPTER,
    MAX_LINE_BYTES,
    EventLine,
    HelloLine,
    Line,
    ResultLine,
    ScoresLine,
    StateLine,
    WordsLine,
)
from companion.porch.page_words import PAGE_WORDS

log = logging.getLogger(__name__)

RETRY_SECONDS = 2.0
"""Wait before the socket is tried again."""
MAX_RESULTS = 200
"""Results that are kept, as the playing unit keeps them."""
SILENCE_SECONDS = 60.0
"""Time without a line, not even an empty one, after which the table counts as dead."""


class TableFeed:
    """The table as the playing unit publishes it; a lost connection is made again without end.

    Args:
        path: of the socket.
        get_time: the monotonic clock, in seconds.
    """

    def __init__(self, path: Path, get_time: Callable[[], float] = time.monotonic) -> None:
        self.path, self._get_time = path, get_time
        self._listeners: list[Callable[[Line | None], None]] = []
        self._state_at = 0.0
        self.version = 0
        """Grows with each new state, result, connection and lost connection."""
        self.hello: HelloLine | None = None
        """None: there is no connection."""
        self.state: StateLine | None = None
        """The last known state; it stays when the connection is lost."""
        self.score_points: tuple[tuple[int, tuple[int, ...]], ...] = ()
        """Those of the last `ScoresLine`: of the game in play, or of the last one."""
        self.words = PAGE_WORDS
        """The page's own words, as the table has them."""
        self.results: dict[str, dict[str, Any]] = {}
        """Results by sitting: the latest `MAX_RESULTS`."""

    def add_listener(self, listener: Callable[[Line | None], None]) -> None:
        """Let a function be called with each line, and with None when the connection is lost; in the event loop."""
        self._listeners.append(listener)

    def get_state(self) -> StateLine | None:
        """Return the last known state with its clocks as they stand now; None: there is none."""
        if self.state is None or self.hello is None:
            return self.state
        return self.state.advance_clocks(self._get_time() - self._state_at)

    async def run(self) -> None:
        """Follow the table until the task is cancelled."""
        is_complaint_due = True
        while True:
            try:
                async for line in self._read_lines():
                    is_complaint_due = True
                    self._take(line)
            except (OSError, TimeoutError) as error:
                if is_complaint_due:
                    log.warning("No table at %s (%s): trying again.", self.path, error or type(error).__name__)
                is_complaint_due = False
            if self.hello is not None:
                self.hello = None
                self._announce(None)
            await asyncio.sleep(RETRY_SECONDS)

    async def _read_lines(self) -> AsyncIterator[bytes]:
        reader, writer = await open_stream(self.path, MAX_LINE_BYTES)
        log.info("Connected to the table at %s.", self.path)
        try:
            while True:
                try:
                    async with asyncio.timeout(SILENCE_SECONDS):
                        line = await reader.readuntil(b"\n")
                except asyncio.LimitOverrunError as error:
                    raise OSError("a line is too long") from error
                except asyncio.IncompleteReadError:
                    return
                yield line
        finally:
            writer.close()

    def _take(self, text: bytes) -> None:
        if not text.strip():
            return
        try:
            line = LINE_ADAPTER.validate_json(text)
        except ValidationError as error:
            log.warning("A line of the table is not understood: %s.", error.errors()[0]["msg"])
            return
        match line:
            case HelloLine():
                self.hello = line
            case StateLine():
                self.state, self._state_at = line, self._get_time()
            case ResultLine(result={"sitting": str(sitting), "revision": int()}):
                self.results[sitting] = line.result
                while len(self.results) > MAX_RESULTS:
                    del self.results[next(iter(self.results))]
            case ScoresLine():
                self.score_points = line.points
            case WordsLine():
                self.words = PAGE_WORDS | line.words
            case EventLine():
                pass
            case _:
                return
        self._announce(line)

    def _announce(self, line: Line | None) -> None:
        self.version += not isinstance(line, EventLine)
        for listener in self._listeners:
            listener(line)
