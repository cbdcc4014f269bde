"""The house rules of a Secret Number match (`docs/rules/secret_number.md`, section 3), and timers of our own."""

from typing import Literal, Self

from pydantic import Field, model_validator

from companion.api import N_, PlayerCountSettings

ROUNDS_PER_GAME = 3
"""S10: rounds in a game."""
DISPLAY_BONUSES = (1, 2, 3)
"""S34: the bonuses that a display card may give."""
MAX_LINE_POINTS = 9
"""Highest value of a house rule that gives or takes points; far beyond the printed rules."""


class Settings(PlayerCountSettings):
    """House rules of one match of Secret Number."""

    players_min: int = Field(2, ge=2, le=5)
    players_max: int = Field(5, ge=2, le=5)
    games: int = Field(3, ge=1, le=9, title=N_("Games in a match"))
    """S6: games in a match."""
    round_seconds: int = Field(180, ge=15, le=900, title=N_("Seconds for a round"), json_schema_extra={"step": 15})
    """S23, A14: length of a round in seconds."""
    show_seconds: int = Field(3, ge=0, le=10, title=N_("Seconds of the countdown"))
    """S11 to S13: length of the countdown before a round in seconds; 0: the round starts at once."""
    fastest_bonus: int = Field(2, ge=0, le=MAX_LINE_POINTS, title=N_("Bonus for the fastest"))
    """S32: points for the first right card of a game."""
    round_bonus: tuple[int, ...] = Field((2, 1, 0), title=N_("Bonus in rounds 1, 2, 3"))
    """S33: points for a right card laid in round 1, 2 and 3."""
    card_points: tuple[int, ...] = Field(
        (1, -1),
        title=N_("Points: right card, wrong card"),
        json_schema_extra={"low": -MAX_LINE_POINTS, "high": MAX_LINE_POINTS},
    )
    """S31: points for a right card, and for a wrong card (negative: points are lost)."""
    display_bonus: Literal["ask"] | dict[int, Literal[1, 2, 3]] = "ask"
    """S34: "ask": the bonus is read off the display card. A table (result on the card to bonus) is for cards on which
    it cannot be read: it is shown when the bonus is asked for."""
    choose_seconds: int = Field(0, ge=0, le=3600, title=N_("Seconds to choose"), json_schema_extra={"step": 15})
    """House timer that reminds players who still choose what to show, in seconds; 0: none."""

    @property
    def bonus_table(self) -> tuple[tuple[int, tuple[int, ...]], ...]:
        """Pairs of a bonus and the results that give it (S34), ascending; empty: the bonus stands on the card."""
        results = {} if self.display_bonus == "ask" else self.display_bonus
        return tuple(
            (bonus, tuple(sorted(result for result in results if results[result] == bonus)))
            for bonus in DISPLAY_BONUSES
            if results
        )

    @model_validator(mode="after")
    def _validate(self) -> Self:
        if len(self.round_bonus) != ROUNDS_PER_GAME or not all(
            0 <= bonus <= MAX_LINE_POINTS for bonus in self.round_bonus
        ):
            raise ValueError(f"round_bonus is {ROUNDS_PER_GAME} numbers from 0 to {MAX_LINE_POINTS}, one a round")
        if len(self.card_points) != 2 or not all(
            -MAX_LINE_POINTS <= points <= MAX_LINE_POINTS for points in self.card_points
        ):
            raise ValueError(
                f"card_points is 2 numbers from {-MAX_LINE_POINTS} to {MAX_LINE_POINTS}: right card, wrong card"
            )
        return self
