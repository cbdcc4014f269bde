"""The clocks that games ask for, run on an injected monotonic clock.

What a bank or overtime means: `companion/games/score_keeper/clock.py`. What a power cut leaves of a clock:
`GameStage.mark_clocks`. What happens when one runs out: `Referee.tick`.
All are stopped by the command PAUSE (`commands.py`); its menu is opened by `Referee.take_step`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from companion.api import GameClock
from companion.screen_state import RunningClock

MEASURING_SECONDS = 12 * 3600.0
"""A clock that is longer sets no limit: it measures. Larger: in café mode a table that was left is busy for longer."""
MAX_STOPPED_CLOCKS = 40
"""Most clocks that are stored although they stand still. Larger: undo goes further back after a power cut, and more
is written each second."""


@dataclass(slots=True)
class _Entry:
    clock: GameClock
    start: float
    """Time at which the clock had counted no seconds, by `GameClocks._now`."""
    is_expired: bool = False
    """`take_expired` has returned it."""


class GameClocks:
    """The clocks that are running now.

    Args:
        monotonic: the host's monotonic clock, in seconds.
    """

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._running: dict[str, _Entry] = {}
        self._stopped: dict[str, float] = {}
        """Seconds that clocks had counted when they were stopped, by name, the latest of each."""
        self._undone: set[str] = set()
        """Names of those that were stopped by undo, or before a restart: played again they go on."""
        self._paused_at: float | None = None
        self._paused_seconds = 0.0

    @property
    def _now(self) -> float:
        """Seconds of a clock that stands still during pauses."""
        return (self._monotonic() if self._paused_at is None else self._paused_at) - self._paused_seconds

    def set_clocks(
        self, clocks: Sequence[GameClock], marks: Mapping[str, float] | None = None, *, after_undo: bool = False
    ) -> None:
        """Run these clocks and no others: a name that runs already goes on, a new one starts, the rest stop.

        To be called whenever the game changes. A clock that goes on may have got more seconds, or another move.

        Args:
            clocks: the clocks that the game asks for now, with their total seconds; empty: all stop.
            marks: after a restart of the program, the seconds that each clock had counted, by name (see
                `counted_seconds`): a clock goes on from there, also one that stands still now and comes back later.
            after_undo: the game has just been undone, or a move has gone back: a clock that had been stopped goes on
                from where it stood. That gives no time back: one that had expired comes back with 0 seconds, and does
                not expire again.
        """
        now, before = self._now, self._running
        self._running, self._stopped = {}, self._stopped | dict(marks or {})
        # Which of them undo had stopped is not stored, and may have happened after the last mark.
        self._undone |= (marks or {}).keys()
        for clock in clocks:
            entry = before.get(clock.name)
            if entry is None:
                has_run = after_undo or clock.name in self._undone
                counted = self._stopped.get(clock.name, 0.0) if has_run else 0.0
                entry = _Entry(clock, now - counted, is_expired=after_undo and counted >= clock.seconds)
            elif clock.seconds > entry.clock.seconds:
                entry.is_expired = False
            entry.clock = clock
            self._running[clock.name] = entry
        for name, entry in before.items():
            if name not in self._running:
                self._stopped.pop(name, None)  # the latest stand last
                self._stopped[name] = now - entry.start
                if after_undo:
                    self._undone.add(name)
        self._undone -= self._running.keys()

    def counted_seconds(self) -> dict[str, float]:
        """Return the seconds that each clock has counted since it started, by name; pauses do not count.

        Those that were stopped last are among them, for undo. A clock that has expired still counts, so this may exceed
        its length.
        """
        running = {name: self._now - entry.start for name, entry in self._running.items()}
        stopped = [item for item in self._stopped.items() if item[0] not in running]
        return dict(stopped[-MAX_STOPPED_CLOCKS:]) | running

    def list_running(self) -> tuple[RunningClock, ...]:
        """List the running clocks for the screen, in the game's order, each with the seconds left (at least 0).

        A clock that has expired is listed, with 0 seconds, until the game no longer asks for it.
        """
        return tuple(
            RunningClock(
                name,
                max(0.0, entry.clock.seconds - (self._now - entry.start)),
                entry.clock.seconds,
                self.paused,
                entry.clock.label,
            )
            for name, entry in self._running.items()
        )

    @property
    def has_time_left(self) -> bool:
        """Whether a clock is running down now; one that runs for a day only measures."""
        limited = [clock for clock in self.list_running() if clock.seconds_total < MEASURING_SECONDS]
        return not self.paused and any(clock.seconds_left > 0 for clock in limited)

    def take_expired(self, patience_seconds: float = 0.0) -> list[GameClock]:
        """Return the clocks that have expired and were not returned before, the one that expired first in front.

        Empty: none has. While the clocks are paused no further one expires.

        Args:
            patience_seconds: only those that have expired that long ago.
        """
        overdue = [(self._now - entry.start - entry.clock.seconds, entry) for entry in self._running.values()]
        expired = [
            (seconds, entry) for seconds, entry in overdue if seconds >= patience_seconds and not entry.is_expired
        ]
        for _seconds, entry in expired:
            entry.is_expired = True
        return [entry.clock for _seconds, entry in sorted(expired, key=lambda item: -item[0])]

    @property
    def paused(self) -> bool:
        """Whether all clocks stand still, from `pause` until `resume`."""
        return self._paused_at is not None

    def pause(self) -> None:
        """Stop all clocks until `resume`, also those that start meanwhile; does nothing if they are stopped."""
        if self._paused_at is None:
            self._paused_at = self._monotonic()

    def resume(self) -> None:
        """Let all clocks go on; does nothing if they are not stopped."""
        if self._paused_at is not None:
            self._paused_seconds += self._monotonic() - self._paused_at
            self._paused_at = None
