"""Whether what a program holds grows over a long evening: memory and handles, looked at now and then. See `soak.py`."""

from __future__ import annotations

import gc
import math
import resource
from collections.abc import Sequence
from pathlib import Path
from typing import Any

BLOCK_HOURS = 0.25  # hours whose looks are taken together: some starts of the program fall into each
MIN_STANDARD_ERRORS = 3.0  # so many standard errors above none is growth
WARM_UP_SHARE = 0.4
"""Share of the evening after which nothing may grow any more: each game has been played, each cache is full."""
MIN_HOURS = 2.0  # hours of an evening from which on growth can be told
MAX_KB_PER_HOUR = 1500.0
"""kB an hour that memory may seem to grow, beyond what the scatter of the measured values explains."""
MAX_HANDLES_PER_HOUR = 0.5
"""Files an hour that may seem to stay open, likewise; how many there are depends on which faults last just then."""


class GrowthMonitor:
    """Looks at what this process holds, each with the simulated hours at which it was taken."""

    def __init__(self) -> None:
        self._memory: list[tuple[float, float]] = []
        self._handles: list[tuple[float, float]] = []

    @property
    def sample_count(self) -> int:
        """How many there were."""
        return len(self._memory)

    def take_sample(self, hours: float) -> str:
        """Looks, and says what there is."""
        gc.collect()
        self._memory.append((hours, read_resident_kb()))
        self._handles.append((hours, float(count_open_files())))
        return f"{hours:.2f} h: {self._memory[-1][1]:.0f} kB, {self._handles[-1][1]:.0f} handles"

    def summarize(self, hours: float) -> dict[str, Any]:
        """The figures of an evening of so many hours."""
        memory, files = (_warm(points, hours) for points in (self._memory, self._handles))
        (rise, error), (more, scatter) = (fit_slope(p) if len(p) > 2 else (0.0, 0.0) for p in (memory, files))
        counts = [n for _, n in self._handles]
        return {
            "memory kB": {"by block": [round(kb) for _, kb in memory], "an hour": round(rise), "+-": round(error)},
            "handles": {
                "least": min(counts, default=0.0),
                "most": max(counts, default=0.0),
                "by block": [round(n, 1) for _, n in files],
                "an hour": round(more, 1),
                "+-": round(scatter, 1),
            },
            # In less time the caches are not full yet.
            "grows": hours >= MIN_HOURS
            and (
                rise - MIN_STANDARD_ERRORS * error > MAX_KB_PER_HOUR
                or more - MIN_STANDARD_ERRORS * scatter > MAX_HANDLES_PER_HOUR
            ),
        }


def _warm(points: Sequence[tuple[float, float]], hours: float) -> list[tuple[float, float]]:
    return average_blocks([p for p in points if p[0] >= WARM_UP_SHARE * hours] or points, BLOCK_HOURS)


def average_blocks(points: Sequence[tuple[float, float]], width: float) -> list[tuple[float, float]]:
    """Means of the points by blocks of that width, left out where less than half a block is filled.

    What a process holds now it holds a minute later: single looks do not scatter freely about a line, which would be
    taken for surer than it is. Blocks longer than the time from one start to the next nearly do.

    >>> blocks([(0.0, 1.0), (0.1, 3.0), (0.2, 5.0), (0.3, 7.0), (0.4, 0.0)], 0.2)
    [(0.05, 2.0), (0.25, 6.0), (0.4, 0.0)]
    """
    found: dict[int, list[tuple[float, float]]] = {}
    for x, y in points:
        found.setdefault(int(x / width + 1e-9), []).append((x, y))
    most = max(map(len, found.values()), default=0)
    return [
        (sum(x for x, _ in block) / len(block), sum(y for _, y in block) / len(block))
        for block in found.values()
        if len(block) * 2 >= most
    ]


def fit_slope(points: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Rise of the line through the points by least squares, and the standard error of it.

    >>> slope([(0.0, 1.0), (1.0, 3.0), (2.0, 5.0)])
    (2.0, 0.0)
    """
    n = len(points)
    x0, y0 = sum(x for x, _ in points) / n, sum(y for _, y in points) / n
    spread = sum((x - x0) ** 2 for x, _ in points)
    rise = sum((x - x0) * (y - y0) for x, y in points) / spread
    left = sum((y - y0 - rise * (x - x0)) ** 2 for x, y in points)
    return rise, math.sqrt(left / max(1, n - 2) / spread)


def read_resident_kb() -> float:
    """kB of memory that the process has."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 1024


def count_open_files() -> int:
    """Files and devices that the process has open."""
    return len(list(Path("/proc/self/fd").iterdir()))
