"""Every game that comes with the companion can be drawn: samples show only some of those in files."""

from __future__ import annotations

import pytest

from companion.api import Seat
from companion.api.registry import find_game, list_game_names
from companion.gallery import fixtures
from companion.testing.screens import check_screen


@pytest.mark.parametrize("size", [(800, 480), (480, 800)], ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", list_game_names())
def test_the_first_screen_of_every_game(name: str, size: tuple[int, int]) -> None:
    definition = find_game(name)
    game = definition.create_game(definition.player_counts[-1], Seat(0), definition.settings_model())
    check_screen(fixtures.show_game(definition, game), size, note=name)
