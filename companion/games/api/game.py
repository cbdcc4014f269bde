"""Moves, corrections and the protocol of a game: a frozen value that lists its legal moves.

Everything else (buttons, lamps, soft keys, bots, tests) is derived from that list. Rolls, counts and times come in as
moves; no module of `companion.games` reads a clock, a file or a die.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, NewType, Protocol, Self

from companion.i18n import join_or

Seat = NewType("Seat", int)
"""A player's place, 0 to P-1, clockwise. The table's set-up knows the physical button that belongs to it."""


class RuleError(ValueError):
    """Base class for what the rules refuse: the rule's number and the players concerned are data.

    >>> error = IllegalMove("M23", "a challenge costs {n} crystals, {who} has {has}", {"who": Seat(1)}, n=2, has=1)
    >>> str(error)
    'M23: a challenge costs 2 crystals, seat 1 has 1'
    >>> error.describe(("Ada", "Bob"))
    'A challenge costs 2 crystals, Bob has 1'

    Args:
        rule: number of the rule in `docs/rules/<game>.md`; empty: none applies.
        message: the reason, translated, without a full stop; its {places} stand for `seats` and `values`.
        seats: by place, the player, or the players one of whom is meant.
        values: by place, anything else.
    """

    def __init__(
        self, rule: str, message: str, seats: Mapping[str, Seat | Sequence[Seat]] | None = None, **values: object
    ) -> None:
        super().__init__(rule, message)
        self.rule = rule
        self.message = message
        self.seats = seats or {}
        self.values = values

    def __str__(self) -> str:
        """Return the reason after the rule's number, with players as "seat 2": for logs."""
        reason = self._fill_in(lambda seat: f"seat {seat}")
        return f"{self.rule}: {reason}" if self.rule else reason

    def describe(self, names: Sequence[str]) -> str:
        """Return the reason for the screen: with the players' names (by seat), without the rule's number."""
        reason = self._fill_in(lambda seat: names[seat])
        return reason[:1].upper() + reason[1:]

    def _fill_in(self, get_name: Callable[[Seat], str]) -> str:
        players = {
            place: get_name(who) if isinstance(who, int) else join_or([get_name(seat) for seat in who])
            for place, who in self.seats.items()
        }
        return self.message.format(**players, **self.values) if players or self.values else self.message


class IllegalMove(RuleError):
    """The rules forbid this move now; `str()` starts with the rule's number: ``M23: ...``."""


class BadCorrection(RuleError):
    """A correction that no table could show (a negative total, a seventh side of a die), or that is not open now."""


def first_reason(*reasons: tuple[object, IllegalMove]) -> IllegalMove:
    """Return the first error whose condition holds, of pairs (condition, error); the last condition must hold."""
    return next(error for applies, error in reasons if applies)


@dataclass(frozen=True, slots=True)
class ValueRange:
    """The values that a person or the camera may supply: `count` whole numbers, each from `low` to `high`."""

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

    A move whose value the table supplies (a roll, a card's number) stands in `Game.list_moves()` once, open: `value`
    is empty, and `value_range` limits the value to be filled in.

    >>> roll = Move("roll", Seat(0), value_range=ValueRange(2, 1, 6))
    >>> roll.fill(2, 5)
    Move(kind='roll', seat=0, value=(2, 5), value_range=None)
    >>> roll.allows(roll.fill(2, 5)), roll.allows(Move("roll", Seat(0), (2, 7)))
    (True, False)
    """

    kind: str
    """A member of the game's `MoveKind`, or a string that a journal holds."""
    seat: Seat | None = None
    """Who makes it; None: it belongs to the whole table."""
    value: tuple[int, ...] = ()
    value_range: ValueRange | None = None

    def fill(self, *value: int) -> Move:
        """Return the open move with its value supplied.

        Raises:
            ValueError: the move is not open, or the value does not fit `value_range`.
        """
        if self.value_range is None or value not in self.value_range:
            raise ValueError(f"{value} does not fit {self}")
        return replace(self, value=value, value_range=None)

    def allows(self, other: Move) -> bool:
        """Whether `other` is this move, or this open move with a fitting value filled in."""
        if self.value_range is None:
            return self == other
        same = (self.kind, self.seat) == (other.kind, other.seat)
        return same and other.value_range is None and other.value in self.value_range


class CommonCorrection(StrEnum):
    """Kinds of corrections that mean the same in every game that has them."""

    ACTIVE = "active"
    """Whose turn it is; the value is a seat."""
    AWAY = "away"
    """Whether `seat` has left the table: 0 or 1."""
    ROUND = "round"
    """Points of `seat` in the earlier round `index`."""
    GAME = "game"
    """Points of `seat` in the earlier game `index` of a match."""


@dataclass(frozen=True, slots=True)
class Correction:
    """An entry by people that overrides the computed state, because the table differs from it.

    It is journalled and undone like a move but is not in `Game.list_moves()`. A game's invariants hold only in games
    without corrections.
    """

    kind: str
    """A member of `CommonCorrection` or of the game's `CorrectionKind`, or a string that a journal holds."""
    seat: Seat | None = None
    value: tuple[int, ...] = ()
    index: tuple[int, ...] = ()
    """Number of the round, of the cup, or first and last space; empty: there is only one of this kind."""

    @property
    def stored_kind(self) -> str:
        """Kind and index as journals hold them."""
        return format_kind(self.kind, self.index)

    @classmethod
    def from_stored(cls, stored_kind: str, seat: Seat | None = None, value: tuple[int, ...] = ()) -> Self:
        """Read what `stored_kind` returned.

        >>> Correction.from_stored("round 3", Seat(1), (7,))
        Correction(kind='round', seat=1, value=(7,), index=(3,))
        >>> Correction.from_stored("tiles on 9 to 5").stored_kind
        'tiles on 9 to 5'
        """
        found = re.fullmatch(r"(.+?) (\d+)(?: to (\d+))?", stored_kind)
        if found is None:
            return cls(stored_kind, seat, value)
        return cls(found[1], seat, value, tuple(int(number) for number in found.groups()[1:] if number))


@dataclass(frozen=True, slots=True)
class Correctable:
    """Something that may be corrected now, with its present value and the values that may be entered."""

    kind: str
    seat: Seat | None
    current_value: tuple[int, ...]
    value_range: ValueRange
    index: tuple[int, ...] = ()
    """As in `Correction`."""

    @property
    def stored_kind(self) -> str:
        """As in `Correction`."""
        return format_kind(self.kind, self.index)

    def is_about(self, correction: Correction) -> bool:
        """Whether `correction` corrects this."""
        return (self.kind, self.seat, self.index) == (correction.kind, correction.seat, correction.index)

    def make_correction(self, *value: int) -> Correction:
        """Return the correction that enters `value`.

        Raises:
            BadCorrection: the value is outside `value_range`.
        """
        if value not in self.value_range:
            low, high = self.value_range.low, self.value_range.high
            raise BadCorrection("", f"{self.stored_kind}: {value} is not within {low} to {high}")
        return Correction(self.kind, self.seat, value, self.index)


def format_kind(kind: str, index: tuple[int, ...]) -> str:
    """Write a correction's kind and index as journals hold them: "round 3", "tiles on 9 to 5"."""
    return f"{kind} {' to '.join(map(str, index))}" if index else str(kind)


@dataclass(frozen=True, slots=True)
class GameClock:
    """A clock that should be running now. The referee runs it; when it runs out, `on_expiry` is played.

    `name` identifies it from state to state: the same name goes on counting, a new name starts from `seconds`.
    """

    name: str
    seconds: float
    on_expiry: Move | None = None
    """None: the clock only reminds."""
    label: str = ""
    """Its translated name for the screen; empty: the scene has a name of its own for it."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: the winners (several share the victory), and why it ended, in one translated sentence."""

    winners: tuple[Seat, ...]
    reason: str


class Game(Protocol):
    """A frozen value; one class per game. `companion.games.api.base_game.BaseGame` implements most of it."""

    @property
    def player_count(self) -> int:
        """Number of seats."""

    def list_moves(self) -> Sequence[Move]:
        """Return all that the rules allow now, and nothing else."""

    def play(self, move: Move) -> Self:
        """Return the game after `move`.

        Raises:
            IllegalMove: the rules forbid it; with the rule's number.
        """

    def list_correctables(self) -> Sequence[Correctable]:
        """Return all that people may correct now, with the present values."""

    def correct(self, correction: Correction) -> Self:
        """Return the game as the table shows it.

        Raises:
            BadCorrection: no table could show that.
        """

    def list_clocks(self) -> Sequence[GameClock]:
        """Return the clocks that should be running now."""

    def compute_scores(self) -> Mapping[Seat, int]:
        """Return the points of each seat as of now."""

    def compute_outcome(self) -> Outcome | None:
        """Return the winners and why the game ended; None while it goes on."""

    def build_view(self) -> Any:
        """Return a frozen value of what may be shown to the whole table; secrets are not in it."""


def is_legal(game: Game, move: Move) -> bool:
    """Whether `move` stands in the game's list, with a fitting value where the list leaves it open."""
    return any(allowed.allows(move) for allowed in game.list_moves())
