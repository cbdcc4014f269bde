"""The score keeper: points, turns and clocks of any game. For the rule numbers (K1 to K23) see
`docs/rules/score_keeper.md`."""

from companion.games.score_keeper.definition import GAME, ScoreKeeperDefinition
from companion.games.score_keeper.game import ScoreKeeper
from companion.games.score_keeper.settings import Settings

__all__ = ["GAME", "ScoreKeeper", "ScoreKeeperDefinition", "Settings"]
