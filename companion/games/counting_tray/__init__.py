"""The counting tray for wargames: how many of the dice in the tray count, with re-rolls. For the rule numbers (T1 to
T9) see `docs/rules/counting_tray.md`."""

from companion.games.counting_tray.definition import GAME
from companion.games.counting_tray.game import CountingTray
from companion.games.counting_tray.settings import Settings

__all__ = ["GAME", "CountingTray", "Settings"]
