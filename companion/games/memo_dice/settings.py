"""The house rules of a Memo Dice game: `docs/rules/memo_dice.md`, section 3."""

from typing import Self

from pydantic import Field, model_validator

from companion.api import N_, PlayerCountSettings


class Settings(PlayerCountSettings):
    """House rules of one game of Memo Dice."""

    players_min: int = Field(2, ge=2, le=4)
    players_max: int = Field(4, ge=2, le=4)
    start_square: int = Field(1, ge=0, le=99, title=N_("Pieces start on square"))
    """D2; A1: from 0 the target square stands for as many points of cups."""
    target_square: int = Field(20, ge=1, le=100, title=N_("Target square"))
    """D32: a piece on or beyond it ends the game."""
    gold_value: int = Field(2, ge=0, le=10, title=N_("Points of the golden cup"))
    """D30: points of the golden cup."""
    cup_value: int = Field(1, ge=1, le=10, title=N_("Points of other cups"))
    """D30: points of any other cup."""
    cups_per_colour: int = Field(3, ge=1, le=3, title=N_("Cups of each colour"))
    """D1: cups of each colour that are used; the game has three."""
    dice: int = Field(9, ge=2, le=9, title=N_("Dice"))
    """D1: dice that are used, so cups in a row; the game has nine."""
    memorise_seconds: float = Field(
        0, ge=0, le=120, title=N_("Seconds to look at a die"), json_schema_extra={"step": 1}
    )
    """A8: house timer; 0: a die is covered when all have looked, and one press enters its colour."""
    answer_seconds: float = Field(0, ge=0, le=600, title=N_("Seconds to answer"), json_schema_extra={"step": 5})
    """House timer in which a symbol must be named (D23: no answer is a miss); 0: none."""

    @model_validator(mode="after")
    def _validate(self) -> Self:
        if self.start_square >= self.target_square:
            raise ValueError(f"start_square {self.start_square} is not before target_square {self.target_square}")
        return self
