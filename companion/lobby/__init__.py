"""Before a game: who plays, in which order, what, by which house rules, and who begins."""

from companion.lobby.first import FirstPlayer
from companion.lobby.hall import Hall, Resume
from companion.lobby.house import House
from companion.lobby.lobby import Lobby
from companion.lobby.regulars import Regulars, regulars

__all__ = ["FirstPlayer", "Hall", "House", "Lobby", "Regulars", "Resume", "regulars"]
