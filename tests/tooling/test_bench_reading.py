"""The intervals of the published figures."""

from __future__ import annotations

import pytest
from bench_reading import HitCount


def test_wilson_interval_of_none_wrong_reaches_above_nothing() -> None:
    low, high = HitCount(0, 100).interval()
    assert low == 0
    assert high == pytest.approx(0.037, abs=0.001)
    assert HitCount(50, 100).interval() == pytest.approx((0.4038, 0.5962), abs=1e-4)
