"""The presses of a turn in docs/results.json are those that the turns take now."""

from pathlib import Path

import pytest
from bench_turns import TURNS, count_presses
from results import load_results


@pytest.mark.parametrize("name", TURNS)
def test_a_turn_takes_as_many_presses_as_the_results_say(tmp_path: Path, name: str) -> None:
    assert count_presses(name, tmp_path) == load_results()[name.replace(" ", "_")]["value"]
