"""What all games share: a game is a frozen value that lists its legal moves.

Everything else (buttons, lamps, soft keys, virtual players, tests) is derived from that list.
Rolls, counts and times come in as moves; nothing in this room reads a clock, a file or a die.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NewType, Protocol, Self

Seat = NewType("Seat", int)
"""A player's place, 0 to P-1, clockwise. Which physical button belongs to it is the table's affair."""


def named(seat: Seat | None) -> str:
    """A player as messages of the rules name him, in every language; whoever shows the message puts his name there."""
    return f"seat {seat}"


class IllegalMove(ValueError):
    """The rules forbid this move now. The message starts with the rule's number: ``M23: ...``."""


class BadCorrection(ValueError):
    """A correction that no table could show (a negative total, a seventh side of a die)."""


@dataclass(frozen=True, slots=True)
class ValueRange:
    """The values that a person or the camera may supply: `count` whole numbers, each `low` to `high`."""

    count: int
    low: int
    high: int

    def __contains__(self, value: object) -> bool:
        return (
            isinstance(value, tuple)
            and len(value) == self.count
            and all(isinstance(v, int) and self.low <= v <= self.high for v in value)
        )


@dataclass(frozen=True, slots=True)
class Move:
    """One thing that the rules allow now.

    A move whose value the table supplies (a roll, a card's number) stands in `Game.moves()` once, open:
    `value` is empty and `open` says what may be filled in.

    >>> roll = Move("roll", Seat(0), open=Range(2, 1, 6))
    >>> roll.filled(2, 5)
    Move(kind='roll', seat=0, value=(2, 5), open=None)
    >>> roll.covers(roll.filled(2, 5)), roll.covers(Move("roll", Seat(0), (2, 7)))
    (True, False)
    """

    kind: str
    seat: Seat | None = None
    value: tuple[int, ...] = ()
    value_range: ValueRange | None = None

    def fill(self, *value: int) -> Move:
        """The open move with its value supplied.

        Raises:
            ValueError: the value does not fit `open`.
        """
        if self.value_range is None or value not in self.value_range:
            raise ValueError(f"{value} does not fit {self}")
        return replace(self, value=value, value_range=None)

    def allows(self, other: Move) -> bool:
        """Whether `other` is this move, or this open move with a fitting value filled in."""
        if self.value_range is None:
            return self == other
        return (
            other.value_range is None
            and (self.kind, self.seat) == (other.kind, other.seat)
            and other.value in self.value_range
        )


@dataclass(frozen=True, slots=True)
class Correction:
    """The table differs from the ledger, and the table is right.

    Journalled and undone like a move, but it stands outside `Game.moves()`: it says that the table differs
    from the rules' arithmetic, and a game's invariants are claimed for games without one.
    """

    kind: str
    seat: Seat | None = None
    value: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Correctable:
    """Something that may be corrected now: its present value, and what may be entered instead."""

    kind: str
    seat: Seat | None
    current_value: tuple[int, ...]
    value_range: ValueRange

    def make_correction(self, *value: int) -> Correction:
        """The correction that enters `value`.

        Raises:
            BadCorrection: the value is outside `range`.
        """
        if value not in self.value_range:
            raise BadCorrection(f"{self.kind}: {value} is not within {self.value_range.low} to {self.value_range.high}")
        return Correction(self.kind, self.seat, value)


@dataclass(frozen=True, slots=True)
class GameClock:
    """A clock that should be ticking now. The referee runs it; when it runs out, `then` is played.

    `name` identifies it from state to state: the same name goes on counting, a new name starts anew.
    `then` may be None for a clock that only reminds.
    """

    name: str
    seconds: float
    on_expiry: Move | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: the winners (several share the victory) and why it ended, in one sentence."""

    winners: tuple[Seat, ...]
    reason: str


class Game(Protocol):
    """A frozen value; one class per game."""

    @property
    def player_count(self) -> int:
        """Number of seats."""
        ...

    def list_moves(self) -> Sequence[Move]:
        """All that the rules allow now, and nothing else."""
        ...

    def play(self, move: Move) -> Self:
        """The game after `move`.

        Raises:
            IllegalMove: naming the rule that forbids it.
        """
        ...

    def list_correctables(self) -> Sequence[Correctable]:
        """All that people may correct now, with the present values."""
        ...

    def correct(self, correction: Correction) -> Self:
        """The game as the table shows it.

        Raises:
            BadCorrection: no table could show that.
        """
        ...

    def list_clocks(self) -> Sequence[GameClock]:
        """What should be ticking now."""
        ...

    def compute_scores(self) -> Mapping[Seat, int]:
        """Points of each seat as of now."""
        ...

    def compute_outcome(self) -> Outcome | None:
        """Winners and why it ended; None while it goes on."""
        ...

    def build_view(self) -> Any:
        """A frozen value of what may be shown to the whole table; secrets are not in it."""
        ...


def is_legal(game: Game, move: Move) -> bool:
    """Whether `move` stands in the game's list, with a fitting value where the list leaves it open."""
    return any(allowed.allows(move) for allowed in game.list_moves())
