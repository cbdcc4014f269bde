"""The five games with dice that come along, at a table with a camera."""

from __future__ import annotations

import pytest

from companion.api.registry import find_game
from tests.games.game_file.dice.presses import Tables


@pytest.fixture
def sit_down(table: Tables) -> Tables:
    """Sit down to one of the five games, with a camera that sees the dice."""
    return lambda name, players=2: table(players, definition=find_game(name))
