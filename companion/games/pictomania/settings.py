"""The house rules of a Pictomania game: section 3 of the rules file, the variants, and timers of our own."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from companion.i18n import N_

FEWEST, MOST = 3, 6
"""P1: players."""
NUMBERS = 7
"""P1, P11: guess cards of a player, clues on a word card."""
START_SECONDS = 3.0
"""P14: the start signal, 3, 2, 1."""

Colour = Literal["red", "blue", "black", "gold", "white", "purple", "orange", "green", "yellow"]
COLOUR_WORDS = (
    *(N_("red"), N_("blue"), N_("black"), N_("gold"), N_("white")),
    *(N_("purple"), N_("orange"), N_("green"), N_("yellow")),
)
"""The colours as they are said: their own names."""
OPTIONS = (N_("basic"), N_("only green"), N_("one card"))
"""What the lobby says of a choice: its value, with spaces."""
Stars = dict[int, tuple[int, ...]]
"""Stars of each token, by number of players."""

LEAST_STARS, MOST_STARS = 1, 9
"""Of one token."""
_USUAL: Stars = {3: (2, 1), 4: (2, 1, 1), 5: (3, 2, 1, 1), 6: (3, 2, 1, 1, 1)}


class Settings(BaseModel):
    """Frozen; unknown names are refused.

    Raises:
        pydantic.ValidationError: a value that no table could play with.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    edition: Literal["first"] = "first"
    """A1: the second edition's scoring is another game."""
    variant: Literal["basic", "only_green", "one_card"] = Field("basic", title=N_("Variant"))
    """V1: only the easiest cards; V2: one word card, from which all draw."""
    rounds: int = Field(5, ge=1, le=10, title=N_("Rounds"))
    """P40."""
    bonus_tokens: Stars = Field(
        _USUAL, title=N_("Bonus tokens"), json_schema_extra={"low": LEAST_STARS, "high": MOST_STARS}
    )
    """P2: stars of the tokens in the middle. Which ones, no source says: the owner is asked once."""
    scoring_tokens: Stars = Field(
        _USUAL, title=N_("Scoring tokens"), json_schema_extra={"low": LEAST_STARS, "high": MOST_STARS}
    )
    """P1: stars of each player's own tokens."""
    reading_seconds: int = Field(0, ge=0, le=600, title=N_("Reading time"), json_schema_extra={"step": 15})
    """House timer that gives the start signal; 0: none."""
    drawing_seconds: int = Field(0, ge=0, le=1800, title=N_("Drawing time"), json_schema_extra={"step": 30})
    """House timer that says stop; 0: none."""
    difficulty_colours: tuple[Colour, ...] = Field(("green", "orange", "blue", "purple"), min_length=1, max_length=9)
    """P3: the decks, easy to hard."""
    word_cards: int = Field(6, ge=1, le=6, title=N_("Word cards a round"))
    """P11: how many lie on the racks; V2: one."""

    @field_validator("bonus_tokens", "scoring_tokens")
    @classmethod
    def _a_token_for_every_other_player(cls, tokens: Stars) -> Stars:
        if set(tokens) != set(range(FEWEST, MOST + 1)):
            raise ValueError(f"tokens are needed for {FEWEST} to {MOST} players, and for no others")
        for players, stars in tokens.items():
            if len(stars) != players - 1:
                raise ValueError(f"{players} players need {players - 1} tokens, not {len(stars)}")
            if not all(LEAST_STARS <= star <= MOST_STARS for star in stars):
                raise ValueError(f"a token has {LEAST_STARS} to {MOST_STARS} stars")
        return {players: tuple(sorted(tokens[players], reverse=True)) for players in sorted(tokens)}

    @field_validator("difficulty_colours")
    @classmethod
    def _each_deck_its_colour(cls, colours: tuple[Colour, ...]) -> tuple[Colour, ...]:
        if len(set(colours)) != len(colours):
            raise ValueError("each difficulty has a colour of its own")
        return colours

    @property
    def cards(self) -> int:
        """Word cards of a round."""
        return 1 if self.variant == "one_card" else self.word_cards
