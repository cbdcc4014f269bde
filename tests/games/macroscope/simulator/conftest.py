"""Fixtures of the tests of Macroscope's virtual table."""

import pytest

from companion.games.macroscope.simulator.appearance import MacroscopeAppearance
from companion.games.macroscope.simulator.render import MacroscopeRenderer
from tests.hardware.conftest import clock

__all__ = ["clock"]


@pytest.fixture(scope="session")
def renderer() -> MacroscopeRenderer:
    """The default appearance; drawing its tabletop takes about a second, so all tests share it."""
    return MacroscopeRenderer(MacroscopeAppearance(), seed=1)
