"""Which cases of a `sampled` test run in `make test`."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tests.conftest import choose_cases


def make_cases(wanted: int | str, *names: str) -> list[Any]:
    marker = pytest.mark.sampled(wanted).mark
    return [
        SimpleNamespace(nodeid=name, callspec=SimpleNamespace(id=name), get_closest_marker=lambda _name: marker)
        for name in names
    ]


@pytest.mark.parametrize(
    ("wanted", "chosen"),
    [(1, ["a-de"]), (2, ["a-de", "b-de"]), (r"-en$", ["a-en", "b-en"]), ("a", ["a-de", "a-en"])],
)
def test_cases_are_evenly_chosen_or_by_their_ids(wanted: int | str, chosen: list[str]) -> None:
    cases = make_cases(wanted, "a-de", "a-en", "b-de", "b-en")
    assert [case.nodeid for case in choose_cases(cases)] == chosen


def test_a_pattern_without_a_case_is_an_error() -> None:
    with pytest.raises(AssertionError, match="no case"):
        choose_cases(make_cases("-it$", "a-de"))
