"""The house rules of a Pictomania game (`docs/rules/pictomania.md`, section 3), its variants, and timers of our own."""

from typing import Literal

from pydantic import Field, field_validator

from companion.api import N_, GameSettings

MIN_PLAYERS = 3
"""P1: fewest players of a game."""
MAX_PLAYERS = 6
"""P1: most players of a game."""
CLUE_COUNT = 7
"""P1, P11: number of guess cards of each player, and of clues on a word card."""
COUNTDOWN_SECONDS = 3.0
"""P14: length of the start signal (3, 2, 1)."""

DifficultyColour = Literal["red", "blue", "black", "gold", "white", "purple", "orange", "green", "yellow"]
COLOUR_LABELS = (
    *(N_("red"), N_("blue"), N_("black"), N_("gold"), N_("white")),
    *(N_("purple"), N_("orange"), N_("green"), N_("yellow")),
)
"""The names of the colours, listed here so that they are translated."""
OPTION_LABELS = (N_("basic"), N_("only green"), N_("one card"))
"""The settings' values as the lobby shows them, listed here so that they are translated."""
StarsByPlayers = dict[int, tuple[int, ...]]
"""By number of players: the stars of each token, highest first."""

MIN_TOKEN_STARS = 1
"""Fewest stars on one token."""
MAX_TOKEN_STARS = 9
"""Most stars on one token; more than any edition has."""
_DEFAULT_TOKENS: StarsByPlayers = {3: (2, 1), 4: (2, 1, 1), 5: (3, 2, 1, 1), 6: (3, 2, 1, 1, 1)}
"""P1, P2."""


class Settings(GameSettings):
    """House rules of one game of Pictomania."""

    edition: Literal["first"] = "first"
    """A1: the second edition's scoring is another game."""
    variant: Literal["basic", "only_green", "one_card"] = Field("basic", title=N_("Variant"))
    """V1: only the easiest cards; V2: one word card, from which all draw."""
    rounds: int = Field(5, ge=1, le=10, title=N_("Rounds"))
    """P40: rounds in a game."""
    bonus_tokens: StarsByPlayers = Field(
        _DEFAULT_TOKENS,
        title=N_("Bonus tokens"),
        json_schema_extra={
            "low": MIN_TOKEN_STARS,
            "high": MAX_TOKEN_STARS,
            "question": N_("How many stars are on the black bonus tokens for {n} players?"),
            "line": N_("Stars on bonus token {n}"),
        },
    )
    """P2: stars of the tokens in the middle. No source lists them, so the owner is asked on first use."""
    scoring_tokens: StarsByPlayers = Field(
        _DEFAULT_TOKENS, title=N_("Scoring tokens"), json_schema_extra={"low": MIN_TOKEN_STARS, "high": MAX_TOKEN_STARS}
    )
    """P1: stars of each player's own tokens."""
    reading_seconds: int = Field(0, ge=0, le=600, title=N_("Reading time"), json_schema_extra={"step": 15})
    """House timer that gives the start signal, in seconds; 0: none."""
    drawing_seconds: int = Field(0, ge=0, le=1800, title=N_("Drawing time"), json_schema_extra={"step": 30})
    """House timer that ends the drawing, in seconds; 0: none."""
    difficulty_colours: tuple[DifficultyColour, ...] = Field(
        ("green", "orange", "blue", "purple"), min_length=1, max_length=9
    )
    """P3: the decks, easy to hard."""
    word_cards: int = Field(6, ge=1, le=6, title=N_("Word cards a round"))
    """P11: how many lie on the racks; V2: one."""

    @field_validator("bonus_tokens", "scoring_tokens")
    @classmethod
    def _validate_tokens(cls, tokens: StarsByPlayers) -> StarsByPlayers:
        if set(tokens) != set(range(MIN_PLAYERS, MAX_PLAYERS + 1)):
            raise ValueError(f"tokens are needed for {MIN_PLAYERS} to {MAX_PLAYERS} players, and for no others")
        for players, stars in tokens.items():
            if len(stars) != players - 1:
                raise ValueError(f"{players} players need {players - 1} tokens, not {len(stars)}")
            if not all(MIN_TOKEN_STARS <= star <= MAX_TOKEN_STARS for star in stars):
                raise ValueError(f"a token has {MIN_TOKEN_STARS} to {MAX_TOKEN_STARS} stars")
        return {players: tuple(sorted(tokens[players], reverse=True)) for players in sorted(tokens)}

    @field_validator("difficulty_colours")
    @classmethod
    def _validate_colours(cls, colours: tuple[DifficultyColour, ...]) -> tuple[DifficultyColour, ...]:
        if len(set(colours)) != len(colours):
            raise ValueError("each difficulty has a colour of its own")
        return colours

    @property
    def word_cards_per_round(self) -> int:
        """Number of word cards on the racks in a round (P11); 1 in the variant with one card (V2)."""
        return 1 if self.variant == "one_card" else self.word_cards
