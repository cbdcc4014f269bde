"""The rows of photographs: the worst change counts by itself."""

from __future__ import annotations

from collections import Counter

import bench_photographs


def test_the_worst_change_has_rows_of_its_own() -> None:
    changes = {
        "noise": Counter(right=8, asked=2),
        "blur": Counter(right=5, asked=5),
        "shadow": Counter(right=7, wrong=3),
    }
    rows = bench_photographs.list_rows(bench_photographs.PhotographResults({}, Counter(), [], changes))
    figures = {row.name: row.figure for row in rows}
    assert figures["distorted"] == bench_photographs.HitCount(20, 30)
    assert figures["worst_right"] == bench_photographs.HitCount(5, 10)
    assert figures["worst_wrong"] == bench_photographs.HitCount(3, 10)
