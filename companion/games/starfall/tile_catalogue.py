"""The sky tiles and what is printed on them (`docs/rules/starfall.md`, section 1)."""

from typing import Annotated

from pydantic import Field

from companion.api import GameSettings
from companion.i18n import N_

TILE_COUNT = 27
"""Sky tiles in the box."""
MAX_SYMBOL_COUNT = 99
"""Highest number of one symbol that may be counted for a player; more than any box holds."""

SYMBOLS = (
    *(N_("stars"), N_("planets"), N_("moons"), N_("black holes"), N_("comets")),
    *(N_("red nebulae"), N_("blue nebulae"), N_("green nebulae"), N_("yellow nebulae"), N_("purple nebulae")),
)
"""F30 to F35: what is printed on tiles; `symbol_counts` have this order, too."""
NEBULA_COLOURS = (N_("red"), N_("blue"), N_("green"), N_("yellow"), N_("purple"))
"""The five nebula colours in the order of `SYMBOLS`. Which is which makes no difference to the points."""
FIRST_NEBULA_INDEX = 5
"""Index of the first nebula in `SYMBOLS`."""

SymbolCount = Annotated[int, Field(ge=0, le=20)]


class SkyTile(GameSettings):
    """What is printed on one sky tile. Nebulae have five colours; which colour is which makes no difference."""

    stars: SymbolCount = Field(0, title=N_("Stars"))
    planets: SymbolCount = Field(0, title=N_("Planets"))
    moons: SymbolCount = Field(0, title=N_("Moons"))
    black_holes: SymbolCount = Field(0, title=N_("Black holes"))
    comets: SymbolCount = Field(0, title=N_("Comets"))
    red: SymbolCount = Field(0, title=N_("Red nebulae"))
    blue: SymbolCount = Field(0, title=N_("Blue nebulae"))
    green: SymbolCount = Field(0, title=N_("Green nebulae"))
    yellow: SymbolCount = Field(0, title=N_("Yellow nebulae"))
    purple: SymbolCount = Field(0, title=N_("Purple nebulae"))

    @property
    def symbol_counts(self) -> tuple[int, ...]:
        """Number of each symbol on the tile, in the order of `SYMBOLS` (10 entries)."""
        return (
            *(self.stars, self.planets, self.moons, self.black_holes, self.comets),
            *(self.red, self.blue, self.green, self.yellow, self.purple),
        )
