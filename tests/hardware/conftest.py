"""Fixtures of the tests of hardware."""

from __future__ import annotations

import pytest

from companion.games.macroscope.simulator.appearance import MacroscopeAppearance
from companion.games.macroscope.simulator.render import MacroscopeRenderer
from companion.testing.table import ManualClock


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture(scope="session")
def renderer() -> MacroscopeRenderer:
    """The default appearance; drawing its tabletop takes about a second, so all tests share it."""
    return MacroscopeRenderer(MacroscopeAppearance(), seed=1)
