"""StarFall. For the rule numbers (F1 to F37, A1 to A14) see `docs/rules/starfall.md`."""

from companion.games.starfall.definition import GAME
from companion.games.starfall.game import StarFall
from companion.games.starfall.settings import Settings
from companion.games.starfall.tile_catalogue import SkyTile

__all__ = ["GAME", "Settings", "SkyTile", "StarFall"]
