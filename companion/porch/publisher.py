"""The playing unit's side of the porch: a local Unix socket on which it writes, and never reads.

A thread of its own describes the states that the main loop hands over; a reader that falls behind is cut off. Why it is
one way: docs/design/porch-is-a-second-program.md.
"""

import contextlib
import secrets
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from pydantic import Field

from companion.config.json_store import JsonStore, StoredModel
from companion.events import DeviceLost, DeviceRestored, Event
from companion.journal.saved_game import SavedGame
from companion.log import log
from companion.porch.local_socket import open_listener
from companion.porch.messages import HelloLine, Line, ResultLine, ScoresLine, StateLine, WordsLine
from companion.porch.page_words import translate_page_words
from companion.porch.picture_sender import PictureSender
from companion.porch.public_state import describe_table, find_events, is_screen_public, make_device_event, read_scores
from companion.porch.score_history import ScoreHistory
from companion.porch.table_result import build_table_result
from companion.screen_state import CameraView, ScreenState

MAX_READERS = 8
"""Readers at once; a further one is turned away."""
BACKLOG = 128
"""Readers that wait to be accepted."""
MAX_WAITING_BYTES = 1 << 20
"""Bytes that wait for one reader; who is further behind is cut off."""
MAX_WAITING_STATES = 64
"""States that wait for the thread; of more the oldest are left out."""
MAX_WAITING_OTHERS = 256
"""Lost devices and results that wait for the thread."""
MAX_RESULTS = 200
"""Finished games whose results are kept for readers, the latest ones."""
HEARTBEAT_SECONDS = 15.0
"""Time after which an empty line is written, so that a reader notices a dead table and the table a dead reader."""
MAX_CLOCK_ERROR_SECONDS = 1.5
"""A running clock that is further from what readers count themselves is published again."""
NO_CAMERA_VIEW = CameraView()
POLL_SECONDS = 0.05
"""Time between two looks of the thread at what was handed over; spectators see it that much later."""
MEMORY_FILE = "porch.json"

Item = TypeVar("Item")


class PorchMemory(StoredModel):
    """What is kept for readers over a restart."""

    path_token: str = ""
    results: dict[str, dict[str, Any]] = Field(default_factory=dict)
    """Results by sitting, the latest last."""

    def with_token(self, token: str) -> "PorchMemory":
        """Return the memory with its own token; with `token` if it has none."""
        return self if self.path_token else self.model_copy(update={"path_token": token})


class PorchPublisher:
    """Publishes the table on a local Unix socket, from a thread of its own.

    Nothing here raises into the game: a socket that cannot be made is logged, and nothing is published.

    Args:
        path: of the socket; its folder is made if it is missing. An old socket there is replaced.
        table: id of the table.
        table_name: its name for people; empty: none.
        memory_file: file with the results that readers get; None: they are kept in memory only.
        get_language: returns the language of the screen, as "en"; called in the thread that publishes.
        get_time: the monotonic clock, in seconds.
        page_address: address at which phones reach the spectators' page, without its secret path; empty: they do not.

    Attributes:
        pictures: hands out what the screen shows.
    """

    def __init__(
        self,
        path: Path,
        table: str,
        table_name: str = "",
        memory_file: Path | None = None,
        get_language: Callable[[], str] = lambda: "en",
        get_time: Callable[[], float] = time.monotonic,
        page_address: str = "",
    ) -> None:
        self._page_address = page_address.rstrip("/")
        self._path, self._table, self._table_name = path, table, table_name
        self._get_language, self._get_time = get_language, get_time
        self._memory = JsonStore(memory_file, PorchMemory, "The results for the porch")
        if not self._memory.value.path_token:
            token = secrets.token_urlsafe(16)
            # Phones know the old one: it comes back if the file can be read later.
            self._memory.update(lambda memory: memory.with_token(token))
        if self._memory.problem:
            log.warning("%s", self._memory.problem)
        self._states: deque[tuple[ScreenState, bool] | ScoreHistory] = deque(maxlen=MAX_WAITING_STATES)
        """States, and whether each screen may be seen; before the first state of a game its scores."""
        self._others: deque[Event | dict[str, Any]] = deque(maxlen=MAX_WAITING_OTHERS)
        self._last_handed: tuple[ScreenState, bool] | None = None
        self._known_game: tuple[int, int] = (0, 0)
        """Number of the game that was handed over last, and of its last entry."""
        self._is_result_out = False
        """Readers hold that game for finished."""
        self._shown_game = 0
        """Number of the game whose scores were handed over; 0: there is no game now."""
        self._scores, self._sent_points = ScoreHistory(), ScoreHistory().points
        self._words_language = ""
        self._state: StateLine | None = None
        self._state_at = 0.0
        self._readers: dict[socket.socket, bytearray] = {}
        self._closing = False
        self._listener = self._listen()
        self.pictures = PictureSender(path, get_time)
        self._thread = threading.Thread(target=self._run, name="porch", daemon=True)
        if self._listener is not None:
            self._thread.start()

    @property
    def path_token(self) -> str:
        """Secret part of the address of the spectators' page."""
        return self._memory.value.path_token

    @property
    def page_address(self) -> str:
        """Whole address of the spectators' page, for phones; empty: none is known."""
        return f"{self._page_address}/{self.path_token}/" if self._page_address and self._listener else ""

    # The main loop's thread ----------------------------------------------------------------------------------------

    def publish(self, state: ScreenState, saved_game: SavedGame | None, events: Sequence[Event] = ()) -> None:
        """Hand over the present state; it returns at once and waits for no reader.

        Args:
            state: of the screen.
            saved_game: the game in play, or whose result is shown; None: there is none.
            events: of this turn of the main loop; lost and restored devices are published.
        """
        if self._listener is None:
            return
        devices = [event for event in events if isinstance(event, (DeviceLost, DeviceRestored))]
        result = self._find_result(saved_game)
        # Pictures stay here: they are large, and some are secret.
        handed = replace(state, camera_view=NO_CAMERA_VIEW, die_picture=None), is_screen_public(state)
        if handed == self._last_handed and not devices and result is None:
            return
        self._last_handed = handed
        if (shown := saved_game.id if saved_game else 0) != self._shown_game:
            self._shown_game = shown
            self._states.append(read_scores(saved_game.replay) if saved_game else ScoreHistory())
        self._states.append(handed)
        self._others.extend(devices)
        if result is not None:
            self._others.append(result)

    def close(self) -> None:
        """End the thread, and remove the sockets. A second call does nothing."""
        if self._closing:
            return
        self._closing = True
        if self._listener is not None:
            self._thread.join()
        self.pictures.close()

    def _find_result(self, saved_game: SavedGame | None) -> dict[str, Any] | None:
        """Return the result of a game that has just ended, or of one whose end was just taken back."""
        if saved_game is None or (saved_game.id, saved_game.last_seq) == self._known_game:
            return None
        is_new, self._known_game = saved_game.id != self._known_game[0], (saved_game.id, saved_game.last_seq)
        is_over = saved_game.game.compute_outcome() is not None
        if not (is_new or is_over or self._is_result_out):
            return None
        record = saved_game.record
        if is_new:
            self._is_result_out = self._memory.value.results.get(record.uid, {}).get("finished", False)
        if record.imported or not (is_over or self._is_result_out):
            return None
        self._is_result_out = is_over
        return build_table_result(record, saved_game.replay, saved_game.journal.clock, self._table)

    # The porch's own thread ----------------------------------------------------------------------------------------

    def _listen(self) -> socket.socket | None:
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            return open_listener(self._path, BACKLOG)
        except OSError as error:
            log.warning("Nothing is published: the socket %s cannot be made (%s).", self._path, error.strerror or error)
            return None

    def _run(self) -> None:
        assert self._listener is not None
        heartbeat_at = self._get_time() + HEARTBEAT_SECONDS
        while not self._closing:
            # Not woken by the main loop: a system call for it would let this thread run before the turn has ended.
            time.sleep(POLL_SECONDS)
            self.pictures.accept()
            self._take_over()
            if self._get_time() >= heartbeat_at:
                heartbeat_at = self._get_time() + HEARTBEAT_SECONDS
                self._queue(None)
            for reader in list(self._readers):
                self._send(reader)
        for reader in list(self._readers):
            self._drop(reader)
        self._listener.close()
        self._path.unlink(missing_ok=True)

    def _take_over(self) -> None:
        others = _take_all(self._others)  # first: each comes with a state, which is there by then
        states = _take_all(self._states)
        self._accept()  # only now: a reader that connected before an event gets that event
        for state in states:
            match state:
                case ScoreHistory() as scores:
                    self._scores = scores
                case screen, is_public:
                    self._publish_state(screen, has_picture=is_public)
        for other in others:
            match other:
                case DeviceLost() | DeviceRestored() as device if self._state is not None:
                    is_lost = isinstance(device, DeviceLost)
                    self._queue(make_device_event(self._state, device.name, is_lost=is_lost))
                case dict() as result:
                    self._remember(result)
                    self._queue(ResultLine(table=self._table, result=result))

    def _publish_state(self, screen: ScreenState, *, has_picture: bool) -> None:
        try:
            language = self._get_language()
            state = describe_table(screen, self._table, self._table_name, language, has_picture=has_picture)
            events = find_events(self._state, state)
        except Exception:  # a game of another package may have any texts and numbers
            log.exception("A state of the table is not published.")
            return
        if self._is_news(state):
            for event in events:
                self._queue(event)
            self._queue(state)
            self._state, self._state_at = state, self._get_time()
            self._scores.note_state(state)
            if self._scores.points != self._sent_points:
                self._sent_points = self._scores.points
                self._queue(self._describe_scores())
            if state.language != self._words_language:
                self._words_language = state.language
                self._queue(self._describe_words(state))

    def _is_news(self, state: StateLine) -> bool:
        """Return whether readers need a state: running clocks alone are told once in a while, since readers count."""
        if self._state is None or not state.is_same_but_clocks(self._state):
            return True
        expected = self._state.advance_clocks(self._get_time() - self._state_at)
        return any(
            abs(now.seconds_left - then.seconds_left) > MAX_CLOCK_ERROR_SECONDS
            for now, then in zip(state.clocks, expected.clocks, strict=True)
        )

    def _remember(self, result: dict[str, Any]) -> None:
        def add(memory: PorchMemory) -> PorchMemory:
            results = {sitting: old for sitting, old in memory.results.items() if sitting != result["sitting"]}
            results = dict(list(results.items())[1 - MAX_RESULTS :]) | {result["sitting"]: result}
            return memory.model_copy(update={"results": results})

        if problem := self._memory.update(add):
            log.warning("A result is published, and not kept for later readers: %s", problem)

    def _accept(self) -> None:
        assert self._listener is not None
        with contextlib.suppress(OSError):  # there is no further one, or it has gone again
            for _ in range(BACKLOG):
                self._add_reader(self._listener.accept()[0])

    def _add_reader(self, reader: socket.socket) -> None:
        if len(self._readers) >= MAX_READERS:
            reader.close()
            return
        reader.setblocking(False)
        with contextlib.suppress(OSError):
            reader.shutdown(socket.SHUT_RD)  # the kernel refuses what a reader writes
        hello = HelloLine(
            table=self._table,
            table_name=self._table_name,
            path_token=self._memory.value.path_token,
        )
        # Under the present id, whatever it was when they were played.
        results = (
            ResultLine(table=self._table, result=result | {"table": self._table})
            for result in self._memory.value.results.values()
        )
        state: tuple[Line, ...] = ()
        if self._state is not None:
            now = self._state.advance_clocks(self._get_time() - self._state_at)
            state = (now, self._describe_scores(), self._describe_words(now))
        self._readers[reader] = bytearray(b"".join(map(_encode, (hello, *results, *state))))

    def _describe_scores(self) -> ScoresLine:
        return ScoresLine(table=self._table, points=self._scores.points)

    def _describe_words(self, state: StateLine) -> WordsLine:
        return WordsLine(table=self._table, words=translate_page_words(state.language))

    def _queue(self, line: Line | None) -> None:
        """Let a line wait for every reader; None: an empty one."""
        text = b"\n" if line is None else _encode(line)
        for waiting in self._readers.values():
            waiting += text

    def _send(self, reader: socket.socket) -> None:
        """Write what waits for a reader, as far as there is room."""
        waiting = self._readers[reader]
        try:
            while waiting:
                del waiting[: reader.send(waiting)]
        except BlockingIOError:
            if len(waiting) > MAX_WAITING_BYTES:
                log.warning("A reader of %s is too slow and was cut off.", self._path)
                self._drop(reader)
        except OSError:
            self._drop(reader)  # it has gone

    def _drop(self, reader: socket.socket) -> None:
        del self._readers[reader]
        reader.close()


def _take_all(queue: deque[Item]) -> list[Item]:
    """Take out all that waits; the main loop may add to it meanwhile."""
    return [queue.popleft() for _ in range(len(queue))]


def _encode(line: Line) -> bytes:
    return line.model_dump_json().encode() + b"\n"
