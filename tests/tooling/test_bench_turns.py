"""The presses of a turn in docs/results.json are those that the turns take now, and no more than they should be."""

from pathlib import Path

import pytest
from bench_turns import TURNS, count_presses
from results import load_results

AIMS = {
    "turn presses macroscope pass": 0,
    "turn presses macroscope guess": 2,
    "turn presses macroscope challenge": 4,
    "turn presses macroscope by hand": 5,
    "turn presses memo dice die": 0,
    "turn presses memo dice cup": 1,
    "turn presses yacht": 1,
    "turn presses pig": 1,
    "turn presses starfall count": 40,
}
"""What nobody can see must be pressed, and nothing else."""


@pytest.mark.parametrize("name", TURNS)
def test_a_turn_takes_as_many_presses_as_the_results_say(tmp_path: Path, name: str) -> None:
    presses = count_presses(name, tmp_path)
    assert presses == load_results()[name.replace(" ", "_")]["value"]
    assert presses <= AIMS[name]
