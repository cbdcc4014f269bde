"""Sample screens for `companion gallery stone_race`, for documents and for the tests."""

from collections.abc import Mapping

from companion.api import Seat, Visibility
from companion.gallery.api import ScreenState, play_moves, show_game
from stone_race import GAME, Settings, StoneRace


def build_samples() -> Mapping[str, ScreenState]:
    """Return a screen of each phase of the game by its name, in the current language."""
    start = StoneRace.create(3, Seat(0), Settings())
    under_way = play_moves(start, "throw 0 4", "throw 1 6", "throw 1 3", "throw 2 4")
    full = StoneRace.create(6, Seat(5), Settings(stones=40))
    full = play_moves(full, "throw 5 5", "throw 0 4", "throw 1 3", "throw 2 2", "throw 3 1", "throw 4 6", "throw 4 6")
    camera = Visibility(dice=True)
    return {
        "start": show_game(GAME, start, visibility=camera),
        "throw": show_game(GAME, under_way, visibility=camera),
        "throw_without_camera": show_game(GAME, under_way),
        "throw_again": show_game(GAME, full, visibility=camera),
    }
