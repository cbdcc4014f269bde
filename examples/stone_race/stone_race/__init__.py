"""Stone Race: a game for the board game companion in a distribution of its own. The camera reads its die."""

from stone_race.definition import GAME
from stone_race.game import Settings, StoneRace

__all__ = ["GAME", "Settings", "StoneRace"]
