"""What the room's tests share."""

from __future__ import annotations

import pytest

from companion.simulation.macroscope.appearance import Appearance
from companion.simulation.macroscope.render import MacroscopeRenderer


class ManualClock:
    """A monotonic clock that stands still until it is moved."""

    def __init__(self, now: float = 100.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture(scope="session")
def renderer() -> MacroscopeRenderer:
    """The default look; drawing its tabletop takes about a second, so all tests share it."""
    return MacroscopeRenderer(Appearance(), seed=1)
