"""Which cases of a `sampled` test run in `make test`, and which in `make full`."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tests.conftest import choose_cases, leave_cases


def make_cases(*names: str) -> list[Any]:
    return [SimpleNamespace(nodeid=name, callspec=SimpleNamespace(id=name)) for name in names]


@pytest.mark.parametrize(
    ("wanted", "chosen"),
    [
        (0, []),
        (1, ["a-de"]),
        (2, ["a-de", "b-de"]),
        (9, ["a-de", "a-en", "b-de", "b-en"]),
        (r"-en$", ["a-en", "b-en"]),
        ("a", ["a-de", "a-en"]),
    ],
)
def test_cases_are_evenly_chosen_or_by_their_ids(wanted: int | str, chosen: list[str]) -> None:
    cases = make_cases("a-de", "a-en", "b-de", "b-en")
    assert [case.nodeid for case in choose_cases(cases, wanted)] == chosen


def test_a_pattern_without_a_case_is_an_error() -> None:
    with pytest.raises(AssertionError, match="no case"):
        choose_cases(make_cases("a-de"), "-it$")


def test_what_is_left_out_is_full_or_proof() -> None:
    cases = make_cases("a", "b", "c", "d", "e")
    names = [[case.nodeid for case in left] for left in leave_cases(cases, 1, full=2)]
    assert names == [["b", "d"], ["c", "e"]]
    assert leave_cases(cases, 1) == (cases[1:], [])
