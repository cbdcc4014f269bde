"""Schedule random faults of a device during a session, from a seed; see `soak.py`."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from random import Random

MEAN_FAULT_INTERVAL_SECONDS = 75.0
"""Mean simulated seconds between two faults."""


class Fault(StrEnum):
    """A kind of fault. Those in `DURATION_RANGE_SECONDS` end by themselves; the others happen once."""

    CAMERA_OUT = "camera unplugged"
    CAMERA_DARK = "camera covered"
    CAMERA_STALLS = "camera stalls"
    CAMERA_FORMAT = "camera of another resolution"
    BOX_OUT = "button box unplugged"
    SCREEN_OUT = "screen lost"
    VISION = "vision fails"
    SCENE = "a scene fails"
    GAME = "the game fails"
    DISK_FULL = "disk full"
    CLOCK = "wall clock jumps"
    RESTART = "ended in order, started again"
    POWER_CUT = "power cut"


DURATION_RANGE_SECONDS: dict[Fault, tuple[float, float]] = {
    Fault.CAMERA_OUT: (1.0, 40.0),
    Fault.CAMERA_DARK: (1.0, 25.0),
    Fault.CAMERA_STALLS: (0.5, 15.0),
    Fault.CAMERA_FORMAT: (10.0, 60.0),
    Fault.BOX_OUT: (0.5, 60.0),
    Fault.SCREEN_OUT: (0.5, 30.0),
    Fault.VISION: (0.1, 8.0),
    Fault.SCENE: (0.1, 20.0),
    Fault.DISK_FULL: (0.5, 15.0),
}
"""Shortest and longest duration of each lasting fault, in simulated seconds."""


@dataclass
class FaultSchedule:
    """The faults of a session, by the simulated clock.

    Args:
        random: source of all decisions; the same seed gives the same faults.
        now: simulated seconds.
        mean_interval: mean seconds between two faults.
        ends_at: when each lasting fault ends.
        count: how often each fault has started.
    """

    random: Random
    now: float
    mean_interval: float = MEAN_FAULT_INTERVAL_SECONDS
    ends_at: dict[Fault, float] = field(default_factory=dict)
    count: dict[Fault, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._next = self.now + self.random.expovariate(1 / self.mean_interval)

    def is_active(self, fault: Fault) -> bool:
        """Return whether the fault is present now."""
        return self.now < self.ends_at.get(fault, -1.0)

    def start_due(self, now: float) -> list[Fault]:
        """Advance to `now` and return the faults that start."""
        self.now = now
        begun = []
        while self._next <= now:
            self._next += self.random.expovariate(1 / self.mean_interval)
            fault = self.random.choice(list(Fault))
            self.count[fault] = self.count.get(fault, 0) + 1
            if fault in DURATION_RANGE_SECONDS:
                self.ends_at[fault] = max(
                    self.ends_at.get(fault, 0.0), now + self.random.uniform(*DURATION_RANGE_SECONDS[fault])
                )
            begun.append(fault)
        return begun
