"""Which games have a row of covered dice, and so heed the camera's readings of one."""

from __future__ import annotations

from companion.games import registry
from companion.games.api.cup_row import CupRowGame
from companion.games.api.game import Seat


def test_memo_dice_alone_is_a_game_with_a_row() -> None:
    found = {
        kit.name: kit.create_game(kit.player_counts[0], Seat(0), kit.settings_model())
        for kit in map(registry.find_game, registry.list_game_names())
    }
    assert {name for name, game in found.items() if isinstance(game, CupRowGame)} == {"memo_dice"}
