"""Sample screens for `companion gallery`."""

from collections.abc import Mapping

from companion.events import SEAT_BUTTONS
from companion.games.api.game import Move, Seat
from companion.referee.screen import build_players
from companion.screen_state import ScreenKind, ScreenState
from race_to_ten import GAME, Settings

NAMES = ("Ada", "Bob")


def build_samples() -> Mapping[str, ScreenState]:
    """Return a screen of the game by the name of its phase."""
    game = GAME.create_game(2, Seat(0), Settings()).play(Move("add", Seat(0), (4,)))
    players = build_players(GAME, NAMES, SEAT_BUTTONS[:2])
    state = ScreenState(
        ScreenKind.PLAY,
        game_name=GAME.name,
        title=GAME.title,
        uses_camera=False,
        prompt=GAME.prompt(game, NAMES),
        players=players,
        scores=game.totals,
    )
    return {"turn": state}
