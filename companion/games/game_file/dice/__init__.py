"""Games with dice that a file describes (G30 to G50 in `docs/rules/game_files.md`)."""

from companion.games.game_file.dice.rules import DiceGame
from companion.games.game_file.dice.scoring import DiceRules

__all__ = ["DiceGame", "DiceRules"]
