"""Fixtures of the tests of hardware."""

from __future__ import annotations

import pytest

from companion.testing.table import ManualClock


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()
