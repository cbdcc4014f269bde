"""Before a game: who plays, in which order, what, by which house rules, and who begins."""

from companion.lobby.box import Box
from companion.lobby.cafe import Lull
from companion.lobby.first import FirstPlayer
from companion.lobby.hall import Hall, Resume
from companion.lobby.house import House
from companion.lobby.lobby import Lobby
from companion.lobby.past import Past
from companion.lobby.regulars import Regulars, regulars
from companion.lobby.setup import SetUp

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
