"""The score keeper: points, turns and clocks of any game. For the rule numbers (K1 to K23) see
`docs/rules/score_keeper.md`."""

from typing import TYPE_CHECKING

from companion.games.score_keeper.settings import Settings

if TYPE_CHECKING:
    from companion.games.score_keeper.definition import GAME, ScoreKeeperDefinition
    from companion.games.score_keeper.game import ScoreKeeper

__all__ = ["GAME", "ScoreKeeper", "ScoreKeeperDefinition", "Settings"]


def __getattr__(name: str) -> object:
    """Import the game when it is used: the check of a game's file needs the settings alone."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from companion.games.score_keeper import definition

    return getattr(definition, name)
