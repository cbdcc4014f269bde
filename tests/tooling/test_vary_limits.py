"""The table of the dice reader's limits, and how a limit is moved to measure what it costs."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from train_dice import vary_limits
from train_dice.evaluate import ASKED, RIGHT
from train_dice.vary_limits import Limit, format_row, judge_photographs, list_limits, set_limit

from companion.vision.dice import assembly, reader
from tests.conftest import REPOSITORY
from tests.vision.dice.test_reader import draw_single_die

TABLE = REPOSITORY / "tools/training/train_dice/limits.txt"


def list_rows(file: Path) -> list[str]:
    return [line for line in file.read_text("utf-8").splitlines() if re.match(r"\| `\w+` \| `\w+` \|", line)]


def test_the_table_lists_each_limit_with_its_present_value() -> None:
    rows = list_rows(TABLE)
    cells = [tuple(cell.strip() for cell in row.split(" | ")) for row in rows]
    assert [" | ".join(row[:3]) for row in cells] == [
        format_row(limit, ["", ""]).removesuffix(" |  |  |") for limit in list_limits()
    ]
    for row in cells:
        assert all(re.fullmatch(r"=|in trays|[+-]\d+ / [+-]\d+", cell.removesuffix(" |")) for cell in row[3:]), row


def test_the_page_says_how_many_limits_there_are() -> None:
    page = (REPOSITORY / "docs" / "vision.md").read_text("utf-8")
    assert re.findall(r"have (\d+) limits with names", page) == [str(len(list_limits()))]


@pytest.mark.parametrize(
    ("value", "meaning", "less", "more"),
    [
        (32, "Most candidates", 26, 38),
        (2, "Number of views", 1, 3),
        (1.5, "Largest ratio of edges", 1.2, 1.8),
        (0.35, "P(die) below which a face is left out", 0.28, 0.42),
        (0.9, "P(tilted) from which the net's word is final", 0.88, 0.92),
    ],
)
def test_a_limit_moves_by_a_fifth_and_a_probability_stays_one(
    value: float, meaning: str, less: float, more: float
) -> None:
    limit = Limit("assembly", "NAME", value, meaning)
    assert (limit.move(-0.2), limit.move(0.2)) == pytest.approx((less, more))


@pytest.mark.parametrize(("name", "value"), [("MAX_CANDIDATES", 1), ("_MIN_SCORE", 0.9999)])
def test_a_limit_of_the_detector_changes_what_is_read(
    name: str, value: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Six dice: three places are searched at most, or none is a candidate."""
    image = np.hstack([draw_single_die(one) for one in range(1, 7)])
    monkeypatch.setattr(vary_limits, "_load_photographs", lambda _folder, _every: [(image, (1, 2, 3, 4, 5, 6))])
    limit = next(one for one in list_limits() if one.name == name)
    assert judge_photographs(limit, limit.value, tmp_path, 1) == {RIGHT: 1}
    assert judge_photographs(limit, value, tmp_path, 1) == {ASKED: 1}


def test_a_limit_is_set_in_each_module_that_imports_it() -> None:
    limit = next(limit for limit in list_limits() if limit.name == "CERTAIN_FACE_CONFIDENCE")
    try:
        set_limit(limit, 0.5)
        assert assembly.CERTAIN_FACE_CONFIDENCE == reader.CERTAIN_FACE_CONFIDENCE == 0.5
    finally:
        set_limit(limit, limit.value)
    assert assembly.CERTAIN_FACE_CONFIDENCE == reader.CERTAIN_FACE_CONFIDENCE == limit.value
