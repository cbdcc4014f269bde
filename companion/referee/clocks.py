"""Clocks that games ask for as data, run on an injected monotonic clock."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from companion.games.api.game import GameClock
from companion.screen_state import RunningClock


@dataclass
class _RunningEntry:
    clock: GameClock
    counted_seconds: float
    """Seconds until `since`."""
    since: float
    expiry_reported: bool = False


class GameClocks:
    """The clocks that are running now. All times are seconds of `monotonic`."""

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._running: dict[str, _RunningEntry] = {}
        self._marks: dict[str, float] = {}
        self._stopped: dict[str, float] = {}
        self._paused = False

    def set_clocks(self, clocks: Sequence[GameClock], *, after_undo: bool = False) -> None:
        """Run these and no others: a name that runs already goes on counting, a new one starts, the rest stop.

        To be called whenever the game changes. A clock that goes on may have got more seconds, or another move.

        Args:
            again: something was taken back: a clock that was stopped by it goes on from where it stood, unless it had
                run out, for then it could only run out again.
        """
        now = self._monotonic()
        before, self._running = self._running, {}
        for clock in clocks:
            known = before.get(clock.name)
            if known is None:
                counted = self._marks.get(clock.name, 0.0)
                stopped = self._stopped.get(clock.name, 0.0)
                if after_undo and stopped < clock.seconds:
                    counted = stopped
                known = _RunningEntry(clock, counted, now)
            elif clock.seconds > known.clock.seconds:
                known.expiry_reported = False
            known.clock = clock
            self._running[clock.name] = known
        self._marks = {}
        for name in before.keys() - self._running.keys():
            self._stopped[name] = self._count_elapsed(before[name], now)

    def restore_marks(self, marks: Mapping[str, float]) -> None:
        """Let the clocks of the next `want` go on from these seconds counted (`marks()` before the restart)."""
        self._marks = dict(marks)

    def counted_seconds(self) -> dict[str, float]:
        """Seconds that each running clock has counted; pauses do not count."""
        now = self._monotonic()
        return {name: self._count_elapsed(running, now) for name, running in self._running.items()}

    def list_running(self) -> tuple[RunningClock, ...]:
        """For the screen, in the game's order."""
        now = self._monotonic()
        return tuple(
            RunningClock(
                name,
                max(0.0, entry.clock.seconds - self._count_elapsed(entry, now)),
                entry.clock.seconds,
                self._paused,
                entry.clock.label,
            )
            for name, entry in self._running.items()
        )

    def take_expired(self) -> list[GameClock]:
        """The clocks that have run out and were not told yet, the one that ran out first in front."""
        now = self._monotonic()
        out = [
            entry
            for entry in self._running.values()
            if not entry.expiry_reported and self._count_elapsed(entry, now) >= entry.clock.seconds
        ]
        for entry in out:
            entry.expiry_reported = True
        out.sort(key=lambda entry: entry.clock.seconds - self._count_elapsed(entry, now))
        return [entry.clock for entry in out]

    @property
    def paused(self) -> bool:
        """Whether all clocks stand still."""
        return self._paused

    def pause(self) -> None:
        """Stop all clocks until `resume`."""
        if not self._paused:
            self._update_counts()
            self._paused = True

    def resume(self) -> None:
        """Let all clocks go on."""
        if self._paused:
            self._update_counts()
            self._paused = False

    def _update_counts(self) -> None:
        now = self._monotonic()
        for entry in self._running.values():
            entry.counted_seconds, entry.since = self._count_elapsed(entry, now), now

    def _count_elapsed(self, entry: _RunningEntry, now: float) -> float:
        return entry.counted_seconds if self._paused else entry.counted_seconds + (now - entry.since)
