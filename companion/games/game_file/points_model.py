"""The part `[points]` of a game's file: points that people enter by buttons, round by round or turn by turn (G60 to G69
in `docs/rules/game_files.md`)."""

from typing import Literal, Self

from pydantic import Field, model_validator

from companion.games.game_file.dice_model import (
    MAX_EXPRESSION_LENGTH,
    RESERVED_IDS,
    ExpressionText,
    FilePart,
    IdText,
)

MAX_ENTRIES = 4
"""Most numbers that a player enters in a round or turn."""
MAX_NUMBER = 9999
"""Highest number that can be entered, and with a minus sign the lowest."""
MAX_TEXT_LENGTH = 120
"""Characters of a sentence in the file."""


class EntryModel(FilePart):
    """G61: a number that each player enters in a round or turn."""

    id: str = IdText
    """Its name in expressions: the player's own number; `all_` before it: those of all players."""
    name: str = Field(min_length=1, max_length=48)
    """Its name on the screen."""
    low: int = Field(0, ge=-MAX_NUMBER, le=MAX_NUMBER)
    """Lowest number."""
    high: int = Field(999, ge=-MAX_NUMBER, le=MAX_NUMBER)
    """Highest number."""
    impossible: tuple[int, ...] = Field((), max_length=100)
    """Numbers within these limits that cannot be."""
    when: str = ExpressionText
    """G62: condition under which it is asked for, else it is 0; empty: always."""
    before_play: bool = False
    """G70: all enter it before the round is played, such as a bid."""

    @model_validator(mode="after")
    def _validate_limits(self) -> Self:
        if self.low > self.high:
            raise ValueError(f"low {self.low} is above high {self.high}")
        return self


class CheckModel(FilePart):
    """G64: a condition that the numbers of a whole round fulfil."""

    when: str = Field(min_length=1, max_length=MAX_EXPRESSION_LENGTH)
    text: str = Field(min_length=1, max_length=MAX_TEXT_LENGTH)
    """What is wrong if it does not hold, in a sentence."""
    ask: bool = False
    """G64: it may be so all the same: people are asked."""


class PointsModel(FilePart):
    """The whole part `[points]`."""

    order: Literal["together", "turns"] = "together"
    """G60: all enter their numbers at the end of a round, or each at the end of their turn, clockwise."""
    entries: tuple[EntryModel, ...] = Field(min_length=1, max_length=MAX_ENTRIES)
    score: str = ExpressionText
    """G63: what is added to a player's score; empty: the sum of the entries."""
    bust: str = ExpressionText
    """G65: condition under which a turn adds nothing."""
    checks: tuple[CheckModel, ...] = Field((), max_length=4)
    start: int = Field(0, ge=-MAX_NUMBER, le=MAX_NUMBER)
    """G66: everybody's score at the start."""
    end: str = ExpressionText
    """G67: condition on the score of a player under which the game ends."""
    end_at: Literal["once", "round"] = "round"
    """G67: at once, or when all have had as many turns."""
    rounds: int = Field(0, ge=0, le=99)
    """G68: rounds after which the game ends; 0: any number."""
    ties: Literal["shared", "play_on"] = "shared"
    """G69: equal best scores share the victory, or another round is played."""
    lowest_wins: bool = False
    """G69: the fewest points win."""
    late_joiners: Literal["no", "from_start", "as_last"] = "no"
    """G7: whether people may join a running game, and with how many points: those of the start, or those of
    the last player."""

    @model_validator(mode="after")
    def _validate_together(self) -> Self:
        ids = [entry.id for entry in self.entries]
        if len(set(ids)) != len(ids):
            raise ValueError("entries: two have the same id")
        wrong = next((word for word in ids if word in RESERVED_IDS or word.startswith("all_")), None)
        if wrong:
            raise ValueError(f"entries: {wrong!r} cannot be an id")
        before = [entry.before_play for entry in self.entries]
        if before != sorted(before, reverse=True):
            raise ValueError("entries: those before play come first")
        if self.order == "turns" and any(before):
            raise ValueError('before_play: it is for order = "together"')
        if self.order == "turns" and self.checks:
            raise ValueError('checks: they are for order = "together", where a round is entered as a whole')
        if self.order == "together" and self.bust:
            raise ValueError('bust: it is for order = "turns"')
        if self.end_at == "once" and self.order == "together":
            raise ValueError('end_at: with order = "together" a game ends with a round')
        if not self.end and not self.rounds:
            raise ValueError('end: the game needs an end, such as end = "score >= 100", or a number of rounds')
        return self
