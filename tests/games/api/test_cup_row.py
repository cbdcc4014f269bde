"""Which games have a row of covered dice, and so heed the camera's readings of one."""

from __future__ import annotations

from companion.games import registry
from companion.games.api.cup_row import RowGame
from companion.games.api.game import Seat


def test_memo_dice_alone_is_a_game_with_a_row() -> None:
    found = {kit.name: kit.new(kit.players[0], Seat(0), kit.settings()) for kit in map(registry.find, registry.names())}
    assert {name for name, game in found.items() if isinstance(game, RowGame)} == {"memo_dice"}
