"""Fixtures of the tests of hardware."""

from __future__ import annotations

import pytest

from companion.simulation.macroscope.appearance import Appearance
from companion.simulation.macroscope.render import MacroscopeRenderer


class ManualClock:
    """A monotonic clock that advances only when a test sets `now`."""

    def __init__(self, now: float = 100.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture(scope="session")
def renderer() -> MacroscopeRenderer:
    """The default appearance; drawing its tabletop takes about a second, so all tests share it."""
    return MacroscopeRenderer(Appearance(), seed=1)
