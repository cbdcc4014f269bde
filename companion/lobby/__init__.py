"""Before a game: who plays, in which order, what, by which house rules, and who begins."""

from companion.lobby.first_player_draw import FirstPlayer
from companion.lobby.house_rules import House
from companion.lobby.idle_timer import Lull
from companion.lobby.known_players import Regulars, regulars
from companion.lobby.lobby import Lobby
from companion.lobby.preferences import Box
from companion.lobby.results_cache import Past
from companion.lobby.setup_wizard import SetUp
from companion.lobby.stage import Hall, Resume

__all__ = [
    "Box",
    "FirstPlayer",
    "Hall",
    "House",
    "Lobby",
    "Lull",
    "Past",
    "Regulars",
    "Resume",
    "SetUp",
    "regulars",
]
