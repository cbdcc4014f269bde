"""Pages that state how many can play a game say so as the game itself."""

from __future__ import annotations

import re

import pytest

from companion.api import registry
from tests.conftest import REPOSITORY

ROW = re.compile(r"^\| ([^|\n]+) \|(?: [^|\n]+ \|)? (\d) to (\d) \|", re.MULTILINE)
HEADING = re.compile(r"^## (.*), (\d) to (\d) players$", re.MULTILINE)
"""Titles, least and most players."""


@pytest.mark.parametrize("page", ["README.md", "docs/playing.md", "docs/rules/README.md"])
def test_players_are_those_of_the_games(page: str) -> None:
    counts = {str(game.title): game.player_counts for game in registry.load_games()}
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", (REPOSITORY / page).read_text("utf-8"))
    found = 0
    for titles, *stated in ROW.findall(text) + HEADING.findall(text):
        if set(titles.split(", ")) <= counts.keys():
            all_counts = [count for title in titles.split(", ") for count in counts[title]]
            assert [*map(int, stated)] == [min(all_counts), max(all_counts)], f"{page}: {titles}"
            found += 1
    assert found > 3, f"{page} states players of games"
