"""The house rules of a StarFall game (`docs/rules/starfall.md`, section 3), the tiles of its box, and a timer."""

from typing import Any, Literal, Self

from pydantic import Field, field_validator, model_validator

from companion.api import PlayerCountSettings
from companion.games.starfall.tile_catalogue import TILE_COUNT, SkyTile
from companion.i18n import N_

MAX_TILES_REMOVED = TILE_COUNT - 2
"""F20: with fewer than two tiles a game would be over as soon as one is added."""
DEFAULT_TILES_REMOVED: dict[int, tuple[int, ...]] = {2: (10,), 3: (5,), 4: (0,)}
"""F2: by number of players, the number of tiles removed unseen at the start."""


OPTION_LABELS = (N_("all tied"), N_("none"), N_("as tied"), N_("star symbols"), N_("space number"))
"""The settings' values as the lobby shows them, listed here so that they are translated."""


class Settings(PlayerCountSettings):
    """House rules of one game of StarFall."""

    players_min: int = Field(2, ge=2, le=4)
    players_max: int = Field(4, ge=2, le=4)
    start_dust: int = Field(32, ge=1, le=200, title=N_("Dust at the start"))
    """F1: stardust of each player at the start."""
    tiles_removed: dict[int, tuple[int, ...]] = Field(
        DEFAULT_TILES_REMOVED, title=N_("Tiles removed unseen"), json_schema_extra={"low": 0, "high": MAX_TILES_REMOVED}
    )
    """F2: by number of players, the number of tiles removed unseen at the start."""
    board_max_tiles: int = Field(3, ge=2, le=10, title=N_("Most tiles on the board"))
    """F10, F15: most tiles on the board; at most `top_space`, so that a space is always free."""
    top_space: int = Field(9, ge=3, le=11, title=N_("Dearest space"))
    """Number and price of the dearest space; the spaces are numbered from it down to 0."""
    stars_tie: Literal["all_tied", "none"] = Field("all_tied", title=N_("Bonus where stars are tied"))
    """A1: all who are tied, or none of them."""
    stars_all_equal: Literal["none", "as_tied"] = Field("none", title=N_("Bonus if all have as many"))
    """A1: then nobody gets or loses anything, or it is a tie like any other."""
    tile_pays: Literal["star_symbols", "space_number"] = Field("star_symbols", title=N_("A tile pays"))
    """A2: the stars printed on it, or the number of the space that it was taken from."""
    token_change: bool = Field(True, title=N_("The bank gives change"))
    """F13: whether tokens may be changed. If not, a 5 paid for less is gone."""
    running_score: bool = Field(False, title=N_("Show running score"))
    """Show points while the game goes on, if the catalogue knows all tiles taken."""
    turn_seconds: float = Field(0, ge=0, le=600, title=N_("Seconds for a turn"), json_schema_extra={"step": 15})
    """House timer that reminds the active player, in seconds; 0: none."""
    catalogue: tuple[SkyTile, ...] = Field((), max_length=TILE_COUNT, title=N_("Sky tiles"))
    """The tiles of this box, as entered by its owner; as many as are known."""

    @field_validator("tiles_removed", mode="before")
    @classmethod
    def _complete_tiles_removed(cls, given: Any) -> Any:
        """Add the rules' numbers for player counts that are not given; a bare number becomes a tuple."""
        if not isinstance(given, dict):
            return given
        plain = {int(k) if isinstance(k, str) and k.isdecimal() else k: v for k, v in given.items()}
        return DEFAULT_TILES_REMOVED | {k: (v,) if isinstance(v, int) else v for k, v in plain.items()}

    @model_validator(mode="after")
    def _validate(self) -> Self:
        if not set(self.tiles_removed) <= set(DEFAULT_TILES_REMOVED):
            raise ValueError("tiles are removed for 2, 3 or 4 players")
        if any(len(v) != 1 or not 0 <= v[0] <= MAX_TILES_REMOVED for v in self.tiles_removed.values()):
            raise ValueError(f"from 0 to {MAX_TILES_REMOVED} tiles are removed, one number for each number of players")
        if self.board_max_tiles > self.top_space:
            raise ValueError("the board needs more spaces than tiles")
        return self

    def get_pile_size(self, players: int) -> int:
        """Return the number of tiles in the pile at the start (F2) for 2 to 4 players.

        Raises:
            KeyError: `players` is not 2 to 4.
        """
        return TILE_COUNT - self.tiles_removed[players][0]
