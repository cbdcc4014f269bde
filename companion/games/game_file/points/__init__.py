"""Games whose points people enter, as a file describes them (G60 to G69 in `docs/rules/game_files.md`)."""

from companion.games.game_file.points.formulas import PointsRules
from companion.games.game_file.points.rules import PointsGame

__all__ = ["PointsGame", "PointsRules"]
