"""Detect growth of memory and open files over a long session from samples; see `soak.py`."""

from __future__ import annotations

import gc
import math
import resource
from collections.abc import Sequence
from pathlib import Path
from typing import Any

BLOCK_HOURS = 0.25
"""Hours whose samples are averaged: long enough that the program is restarted several times in each."""
MIN_STANDARD_ERRORS = 3.0
"""Standard errors that a slope must exceed to count as growth."""
WARM_UP_SHARE = 0.4
"""Share of the session after which nothing may grow: each game has been played, each cache is full."""
MIN_HOURS = 2.0
"""Shortest session in which growth can be detected, in hours."""
MAX_KB_PER_HOUR = 1500.0
"""kB per hour that memory may grow beyond the scatter of the samples."""
MAX_HANDLES_PER_HOUR = 0.5
"""Open files per hour that may be added, likewise; their number depends on the faults present at a sample."""


class GrowthMonitor:
    """Samples of memory and open files of this process, each with its time in simulated hours."""

    def __init__(self) -> None:
        self._memory: list[tuple[float, float]] = []
        self._handles: list[tuple[float, float]] = []

    @property
    def sample_count(self) -> int:
        """Number of samples taken."""
        return len(self._memory)

    def take_sample(self, hours: float) -> str:
        """Take a sample at that simulated hour; return it as a line of text."""
        gc.collect()
        self._memory.append((hours, read_resident_kb()))
        self._handles.append((hours, float(count_open_files())))
        return f"{hours:.2f} h: {self._memory[-1][1]:.0f} kB, {self._handles[-1][1]:.0f} handles"

    def summarize(self, hours: float) -> dict[str, Any]:
        """Return the figures of a session of `hours` hours; `grows` is the verdict."""
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
            # In shorter sessions the caches are still filling.
            "grows": hours >= MIN_HOURS
            and (
                rise - MIN_STANDARD_ERRORS * error > MAX_KB_PER_HOUR
                or more - MIN_STANDARD_ERRORS * scatter > MAX_HANDLES_PER_HOUR
            ),
        }


def _warm(points: Sequence[tuple[float, float]], hours: float) -> list[tuple[float, float]]:
    return average_blocks([p for p in points if p[0] >= WARM_UP_SHARE * hours] or points, BLOCK_HOURS)


def average_blocks(points: Sequence[tuple[float, float]], width: float) -> list[tuple[float, float]]:
    """Average the points (x, y) by blocks of `width`; blocks that are less than half full are left out.

    Successive samples of a process are correlated, which would make the standard error of a slope too small. Means over
    blocks that are longer than the time between two restarts are nearly independent.

    >>> average_blocks([(0.0, 1.0), (0.1, 3.0), (0.2, 5.0), (0.3, 7.0), (0.4, 0.0)], 0.2)
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
    """Fit a line to the points by least squares; return its slope and the standard error of the slope.

    >>> fit_slope([(0.0, 1.0), (1.0, 3.0), (2.0, 5.0)])
    (2.0, 0.0)
    """
    n = len(points)
    x0, y0 = sum(x for x, _ in points) / n, sum(y for _, y in points) / n
    spread = sum((x - x0) ** 2 for x, _ in points)
    rise = sum((x - x0) * (y - y0) for x, y in points) / spread
    left = sum((y - y0 - rise * (x - x0)) ** 2 for x, y in points)
    return rise, math.sqrt(left / max(1, n - 2) / spread)


def read_resident_kb() -> float:
    """Return the resident memory of this process in kB."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 1024


def count_open_files() -> int:
    """Return the number of files and devices that this process has open."""
    return len(list(Path("/proc/self/fd").iterdir()))
