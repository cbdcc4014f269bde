"""Base classes of the games' house rules, which games import from `companion.api`.

They stand here since the check of a game's file needs them without the rest of the contract. The menu of house rules:
`companion.lobby.house_rules_menu`; those in force: `companion.lobby.house_rules`.
"""

from typing import Self

from pydantic import BaseModel, ConfigDict, model_validator
from pydantic.config import JsonDict

JOURNAL_ONLY: JsonDict = {"journal_only": True}
"""`json_schema_extra` of a field that each game stores with its other settings, and that no settings file names."""


def list_settings(model: type[BaseModel]) -> tuple[str, ...]:
    """Return the names of the settings that a settings file may name: all fields of a model but `JOURNAL_ONLY` ones.

    >>> class Rules(GameSettings):
    ...     goal: int = 21
    ...
    >>> list_settings(Rules)
    ('goal',)
    """
    return tuple(name for name, info in model.model_fields.items() if info.json_schema_extra != JOURNAL_ONLY)


class GameSettings(BaseModel):
    """Base class of house rules; instances are frozen, and unknown names are refused.

    >>> class Rules(GameSettings):
    ...     goal: int = 21
    ...
    >>> Rules(goal=30)
    Rules(goal=30)

    Raises:
        pydantic.ValidationError: a name is unknown, or a value is out of its range.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")


class PlayerCountSettings(GameSettings):
    """House rules that may narrow the number of players; each game gives both fields their limits and defaults.

    >>> PlayerCountSettings(players_min=2, players_max=4).player_counts
    range(2, 5)

    Raises:
        pydantic.ValidationError: `players_min` is above `players_max`, a name is unknown, or a value is out of range.
    """

    players_min: int
    players_max: int

    @model_validator(mode="after")
    def _validate_player_counts(self) -> Self:
        if self.players_min > self.players_max:
            raise ValueError(f"players_min {self.players_min} is above players_max {self.players_max}")
        return self

    @property
    def player_counts(self) -> range:
        """Allowed numbers of players, from `players_min` to `players_max`, both included."""
        return range(self.players_min, self.players_max + 1)
