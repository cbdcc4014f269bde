"""The part `[points]` of a game's file: points that people enter by buttons, round by round or turn by turn (G60 to G78
in `docs/rules/game_files.md`)."""

from itertools import pairwise
from typing import Literal, Self

from pydantic import Field, model_validator

from companion.games.game_file.expressions import MAX_LENGTH
from companion.games.game_file.file_part import (
    MAX_CHOICES,
    MAX_KEPT,
    MAX_NUMBER,
    ExpressionText,
    FilePart,
    KeptModel,
    NamedPart,
    NameText,
    PartWithOptions,
    check_ids,
    make_id_error,
)
from companion.names import NormalName

MAX_ENTRIES = 10
"""Most numbers that a player enters in a round or turn."""
MAX_FLAGS = 4
"""Most things of which one player at a time has each."""
MAX_TEXT_LENGTH = 120
"""Characters of a sentence in the file."""


class ChoiceModel(FilePart):
    """G75: a number with a name."""

    name: NormalName = NameText
    number: int = Field(ge=-MAX_NUMBER, le=MAX_NUMBER)


class FlagModel(NamedPart):
    """G73: something that one player at a time has, such as the longest road; 1 for that player in expressions."""

    start: Literal["nobody", "first"] = "nobody"
    """Who has it at the start: nobody, or the first player."""
    takes: str = ExpressionText
    """Condition under which a player takes it, after a round or the own turn."""
    passes: str = ExpressionText
    """Condition on its owner under which it goes to the next player after a round."""


class EntryModel(NamedPart, PartWithOptions):
    """G61: a number that each player enters in a round or turn."""

    name: NormalName = Field(min_length=1, max_length=48)
    """Its name on the screen."""
    low: int = Field(0, ge=-MAX_NUMBER, le=MAX_NUMBER)
    """Lowest number."""
    high: int = Field(999, ge=-MAX_NUMBER, le=MAX_NUMBER)
    """Highest number."""
    most: str = ExpressionText
    """G61: highest number for this time, if that is below `high`; corrections go up to `high`."""
    impossible: tuple[int, ...] = Field((), max_length=100)
    """Numbers within these limits that cannot be."""
    when: str = ExpressionText
    """G62: condition under which it is asked for, else it is 0; empty: always."""
    before_play: bool = False
    """G70: all enter it before the round is played, such as a bid."""
    step: int = Field(1, ge=1, le=MAX_NUMBER)
    """G75: the number is a multiple of it."""
    choices: tuple[ChoiceModel, ...] = Field((), max_length=MAX_CHOICES)
    """G75: named numbers, of which one is entered; empty: each from `low` to `high`."""
    team: bool = False
    """G74: one player of each team enters it for both."""

    @model_validator(mode="after")
    def _validate_limits(self) -> Self:
        if self.low > self.high:
            raise ValueError(f"low {self.low} is above high {self.high}")
        if self.low % self.step or self.high % self.step:
            raise ValueError(f"step: low and high are multiples of {self.step}")
        if self.choices and self.model_fields_set & {"low", "high", "step", "impossible"}:
            raise ValueError("choices: they are in place of low, high, step and impossible")
        numbers = [choice.number for choice in self.choices]
        if self.choices and len(set(numbers)) < max(2, len(numbers)):
            raise ValueError("choices: at least two, each with its own number")
        return self

    @property
    def range(self) -> tuple[int, int]:
        """The lowest and the highest number."""
        numbers = [choice.number for choice in self.choices] or [self.low, self.high]
        return min(numbers), max(numbers)


class CheckModel(FilePart):
    """G64: a condition that the numbers of a whole round fulfil."""

    when: str = Field(min_length=1, max_length=MAX_LENGTH)
    text: str = Field(min_length=1, max_length=MAX_TEXT_LENGTH)
    """What is wrong if it does not hold, in a sentence."""
    ask: bool = False
    """G64: it may be so all the same: people are asked."""


class PointsModel(PartWithOptions):
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
    total: str = ExpressionText
    """G76: the score that counts, from what was added up (`score`); empty: that sum."""
    restart: str = ExpressionText
    """G78: condition on a player under which everybody begins again, such as in a new leg of darts."""
    rank: str = ExpressionText
    """G76: whoever has most of it wins; empty: the score."""
    out: str = ExpressionText
    """G77: condition under which a player is out of the game."""
    kept: tuple[KeptModel, ...] = Field((), max_length=MAX_KEPT)
    flags: tuple[FlagModel, ...] = Field((), max_length=MAX_FLAGS)
    begins: str = Field("", max_length=24)
    """G73: the flag whose owner begins each round (order = "turns"); empty: the first player."""
    teams: bool = False
    """G74: players who sit opposite each other play together, if they are 4 or 6."""
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
        check_ids([*self.entries, *self.kept, *self.flags], "entries, kept and flags")
        if self.begins and self.begins not in [flag.id for flag in self.flags]:
            raise ValueError(f"begins: there is no flag {self.begins!r}")
        if self.restart and self.rounds:
            raise ValueError("rounds: with restart, end says when the game is over, such as after three legs")
        if (lasting := [kept.id for kept in self.kept if kept.lasting]) and not self.restart:
            raise make_id_error(lasting[0], "kept: lasting = true needs restart")
        if (shared := [entry.id for entry in self.entries if entry.team]) and not self.teams:
            raise make_id_error(shared[0], "entries: team = true needs teams = true")
        if self.teams and (self.order == "turns" or self.late_joiners != "no" or self.out):
            raise ValueError('teams: not with order = "turns", late_joiners and out')
        pairs = pairwise(self.entries)
        if late := [entry.id for earlier, entry in pairs if entry.before_play and not earlier.before_play]:
            raise make_id_error(late[0], "entries: those before play come first")
        if self.order == "turns" and self.entries[0].before_play:
            raise make_id_error(self.entries[0].id, 'before_play: it is for order = "together"')
        if self.order == "turns" and self.checks:
            raise ValueError('checks: they are for order = "together", where a round is entered as a whole')
        if self.order == "together" and self.bust:
            raise ValueError('bust: it is for order = "turns"')
        if self.end_at == "once" and self.order == "together":
            raise ValueError('end_at: with order = "together" a game ends with a round')
        if not (self.end or self.rounds or self.out):
            raise ValueError('end: the game needs an end, such as end = "score >= 100", or a number of rounds')
        return self
