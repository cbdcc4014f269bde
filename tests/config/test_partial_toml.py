"""Settings that are not TOML as a whole: a wrong line costs that line, and a wrong heading its section."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest

from companion.config.partial_toml import MAX_WRONG_LINES, parse_toml_partly


@pytest.mark.parametrize(
    ("text", "values", "lines"),
    [
        ("a = 1\n", {"a": 1}, []),
        ("[t]\na = \nb = 2\n[u]\nc = 3\n", {"t": {"b": 2}, "u": {"c": 3}}, [2]),
        ("[t]\na = yes\nb = 'x\nc = 3\n", {"t": {"c": 3}}, [2, 3]),
        ("[t\na = 1\n[u]\nb = 2\n", {"u": {"b": 2}}, [1]),
        ("[t]\na = 1\nu]\nb = 2\n[v]\nc = 3\n", {"t": {"a": 1}, "v": {"c": 3}}, [3]),
        ("[t]\na = 1\n=u]\nb = 2\n[v]\nc = 3\n", {"t": {"a": 1}, "v": {"c": 3}}, [3]),
        ("[t]\na = 1\n[u\non = true\n[v]\nc = 3\n", {"t": {"a": 1}, "v": {"c": 3}}, [3]),
        ("[t]\na = 1\na = 2\nb = 3\n", {"t": {"a": 1, "b": 3}}, [3]),
        ("[t]\na = 1\n[t]\nb = 2\n[u]\nc = 3\n", {"t": {"a": 1}, "u": {"c": 3}}, [3]),
        ("[t]\na = [\n  1,\n  2,\n]\nb = no\n", {"t": {"a": [1, 2]}}, [6]),
        ("[t]\na = [1, 2\nb = 3\n[u]\nc = 4\n", {"t": {"b": 3}, "u": {"c": 4}}, [2]),
        ("[t]\na = '''x\ny'''\nb = ?\n", {"t": {"a": "x\ny"}}, [4]),
        ("= 1\n", {}, [1]),
        ("x = " + "[" * 5000, {}, [1]),
        ("x = " + "9" * 5000 + "\ny = 1\n", {"y": 1}, [1]),
    ],
)
def test_a_wrong_line_costs_that_line(text: str, values: dict[str, Any], lines: list[int]) -> None:
    found, faults = parse_toml_partly(text)
    assert found == values
    assert [int(fault.split()[1]) for fault in faults] == lines


def test_no_key_moves_into_another_section() -> None:
    """What stands under a heading that cannot be read belongs to no other section."""
    text = "[porch]\non = false\n[cafe\non = true\n"
    for cut in (at for at, letter in enumerate(text) if letter != "\n"):
        found, _faults = parse_toml_partly(text[:cut] + text[cut + 1 :])
        assert found.get("porch", {}).get("on") is not True


def test_a_file_of_nothing_but_mistakes_is_given_up() -> None:
    assert parse_toml_partly("a = ?\n" * (MAX_WRONG_LINES + 5)) == ({}, ["too many lines are not TOML"])


def test_a_valid_document_is_what_the_standard_library_makes_of_it() -> None:
    text = 'a = 1\n[t]\nb = """\n[no heading]\n"""\n[[u]]\nc = 1\n[[u]]\nc = 2\n'
    assert parse_toml_partly(text) == (tomllib.loads(text), [])
