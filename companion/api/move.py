"""Values of a game: moves, corrections, clocks and the outcome; and the errors of what the rules refuse.

Rolls, counts and times come in as moves; no game reads a clock, a file or a die. Why: docs/design/frozen-games.md.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple, NewType, Self

from companion.i18n import capitalize_first_letter, join_or

Seat = NewType("Seat", int)
"""A player's place, 0 to player count - 1, clockwise. The table's set-up knows its physical button."""


class RuleError(ValueError):
    """Base class for what the rules refuse: the rule's number and the players concerned are data.

    Its attributes have the names of its arguments.

    Args:
        rule: number of the rule in `docs/rules/<game>.md`; empty: none applies.
        message: the reason, translated, without a full stop; a template of `str.format`, each of whose {names} is a key
            of `seats` or `values`.
        seats: for each {name} that stands for players: a seat, or the seats one of whom is meant (joined by "or").
            None: there is no such {name}.
        values: for each other {name}, what is filled in.

    >>> error = IllegalMove("M23", "a challenge costs {n} crystals, {who} has {has}", {"who": Seat(1)}, n=2, has=1)
    >>> str(error)
    'M23: a challenge costs 2 crystals, seat 1 has 1'
    >>> error.describe(("Ada", "Bob"))
    'A challenge costs 2 crystals, Bob has 1'
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
        """Return the reason for the screen: with the players' names, a capital letter and without the rule's number.

        Raises:
            IndexError: the error concerns a seat that has no name.
            KeyError: `seats` or `values` are given, but not for each {name} in the message.
        """
        return capitalize_first_letter(self._fill_in(lambda seat: names[seat]))

    def _fill_in(self, get_name: Callable[[Seat], str]) -> str:
        players = {
            place: get_name(who) if isinstance(who, int) else join_or([get_name(seat) for seat in who])
            for place, who in self.seats.items()
        }
        return self.message.format(**players, **self.values) if players or self.values else self.message


class IllegalMove(RuleError):
    """The rules forbid this move now; `str()` starts with the rule's number: ``M23: ...``.

    >>> from companion.games.counting_tray import GAME
    >>> GAME.create_game(2, Seat(0), GAME.settings_model()).play(Move("next", Seat(1)))
    Traceback (most recent call last):
    ...
    companion.api.move.IllegalMove: T1: seat 0 throws now
    """


class BadCorrection(RuleError):
    """A correction that cannot be made: it is not listed now, or its value is impossible (a negative total).

    >>> Correctable("total", Seat(0), (5,), ValueRange(1, 0, 99)).make_correction(100)
    Traceback (most recent call last):
    ...
    companion.api.move.BadCorrection: total: (100,) is not within 0 to 99
    """


class Unmet(NamedTuple):
    """A condition that is not met: the rule, and the reason as a message marked with `N_`, not yet translated.

    >>> Unmet("M22", "a guess costs {n} crystals, {who} has fewer", values={"n": 2}).rule
    'M22'
    """

    rule: str
    text: str
    """{who} in it is the player who tries to move, and {other} as well, unless `seats` says who else."""
    seats: Mapping[str, Seat | Sequence[Seat]] = MappingProxyType({})
    values: Mapping[str, object] = MappingProxyType({})


Reason = Unmet | tuple[str, str]
"""Why something is not legal; a pair of rule and message where nothing but {who} is to be filled in."""


@dataclass(frozen=True, slots=True)
class ValueRange:
    """Allowed values of a move or correction: `count` whole numbers, each from `low` to `high`, both included.

    `value in value_range` tests a tuple.

    >>> (7,) in ValueRange(1, 0, 9), (7,) in ValueRange(1, 0, 9, excluded=(7,))
    (True, False)
    >>> ValueRange(1, 0, 20, excluded=(10,), step=5).numbers
    [0, 5, 15, 20]
    """

    count: int
    low: int
    high: int
    excluded: tuple[int, ...] = ()
    """Numbers between `low` and `high` that are not allowed."""
    step: int = 1
    """The numbers are multiples of it, and so are `low` and `high`."""

    @property
    def numbers(self) -> Sequence[int]:
        """The allowed numbers, ascending."""
        numbers = range(self.low, self.high + 1, self.step)
        excluded = frozenset(self.excluded)
        return [number for number in numbers if number not in excluded] if excluded else numbers

    def __contains__(self, value: object) -> bool:
        return (
            isinstance(value, tuple)
            and len(value) == self.count
            and all(isinstance(v, int) and self._allows(v) for v in value)
        )

    def _allows(self, number: int) -> bool:
        return self.low <= number <= self.high and number % self.step == 0 and number not in self.excluded


@dataclass(frozen=True, slots=True)
class Move:
    """One action that the rules allow or that somebody tries.

    A move whose value the table supplies (a roll, a card's number) is listed once by `Game.list_moves()`, as an open
    move: its `value` is empty, and `value_range` limits the value to be filled in.

    >>> roll = Move("roll", Seat(0), value_range=ValueRange(2, 1, 6))
    >>> roll.fill(2, 5)
    Move(kind='roll', seat=0, value=(2, 5), value_range=None)
    >>> roll.allows(roll.fill(2, 5)), roll.allows(Move("roll", Seat(0), (2, 7)))
    (True, False)
    """

    kind: str
    """The `kind` of one of the game's `MOVES`, as journals hold it."""
    seat: Seat | None = None
    """The player who makes the move; None: it belongs to the whole table."""
    value: tuple[int, ...] = ()
    """The values of the move (dice, a card's number); empty: it has none, or is open."""
    value_range: ValueRange | None = None
    """Allowed values of an open move; None: the move is complete."""

    @property
    def player(self) -> Seat:
        """The player who makes the move, where it does not belong to the whole table."""
        assert self.seat is not None, f"{self} belongs to the whole table"
        return self.seat

    def fill(self, *value: int) -> "Move":
        """Return this open move completed with `value`: as many numbers as `value_range.count`, each within its limits.

        Raises:
            ValueError: the move is not open, or `value` is not within `value_range`.
        """
        if self.value_range is None or value not in self.value_range:
            raise ValueError(f"{value} does not fit {self}")
        return replace(self, value=value, value_range=None)

    def allows(self, other: "Move") -> bool:
        """Whether `other` is this move or, if this is open, the same kind and seat with a value within `value_range`.

        An open `other` is allowed by no open move, not even by itself.
        """
        if self.value_range is None:
            return self == other
        same = (self.kind, self.seat) == (other.kind, other.seat)
        return same and other.value_range is None and other.value in self.value_range


class CommonCorrection(StrEnum):
    """Kinds of corrections that mean the same in every game that has them.

    >>> Correction(CommonCorrection.ROUND, Seat(0), (7,), index=(3,)).stored_kind
    'round 3'
    """

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

    >>> Correction("total", Seat(1), (12,))
    Correction(kind='total', seat=1, value=(12,), index=())
    >>> Correction("round", Seat(1), (7,), index=(3,)).stored_kind
    'round 3'

    It is journalled and undone like a move but is not in `Game.list_moves()`. A game's invariants hold only in games
    without corrections.
    """

    kind: str
    """The `kind` of one of the game's `CORRECTIONS`, as journals hold it."""
    seat: Seat | None = None
    """The player concerned; None: it belongs to the whole table."""
    value: tuple[int, ...] = ()
    """The new value, as many numbers as the `value_range` of its `Correctable` has."""
    index: tuple[int, ...] = ()
    """Number of the round or of the cup from 1, or the first and last space; empty: there is only one of this kind."""

    @property
    def player(self) -> Seat:
        """The player concerned, where it does not belong to the whole table."""
        assert self.seat is not None, f"{self} belongs to the whole table"
        return self.seat

    @property
    def stored_kind(self) -> str:
        """Kind and index in one string, as journals hold them: "round 3", "tiles on 9 to 5"."""
        return f"{self.kind} {' to '.join(map(str, self.index))}" if self.index else str(self.kind)

    @classmethod
    def from_stored(cls, stored_kind: str, seat: Seat | None = None, value: tuple[int, ...] = ()) -> Self:
        """Return the correction whose `stored_kind` is the string given.

        A string without numbers is a kind without index.

        Nothing is checked and nothing is raised: kind and value may be of no game.

        Args:
            stored_kind: kind and index as `Correction.stored_kind` formats them.
            seat: the player concerned; None: the whole table.
            value: the new value.

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
    """Something that may be corrected now, with its present value and the values that may be entered.

    >>> total = Correctable("total", Seat(1), current_value=(5,), value_range=ValueRange(1, 0, 99))
    >>> total.make_correction(12)
    Correction(kind='total', seat=1, value=(12,), index=())
    >>> total.is_about(Correction("total", Seat(0), (12,)))
    False

    `kind`, `seat` and `index` are those of the `Correction` that corrects it; `current_value` has `value_range.count`
    numbers.
    """

    kind: str
    seat: Seat | None
    current_value: tuple[int, ...]
    value_range: ValueRange
    index: tuple[int, ...] = ()
    """Number of the round or of the cup from 1, or the first and last space; empty: there is only one of this kind."""

    @property
    def stored_kind(self) -> str:
        """Kind and index in one string, as journals hold them: "round 3", "tiles on 9 to 5"."""
        return Correction(self.kind, index=self.index).stored_kind

    def is_about(self, correction: Correction) -> bool:
        """Whether `correction` has the kind, seat and index of this entry; its value is not checked."""
        return (self.kind, self.seat, self.index) == (correction.kind, correction.seat, correction.index)

    def make_correction(self, *value: int) -> Correction:
        """Return the correction that enters `value`: as many numbers as `value_range.count`, each within its limits.

        It is not applied: `Game.correct` does that. A value equal to the present one is allowed.

        Raises:
            BadCorrection: `value` is not within `value_range`.
        """
        if value not in self.value_range:
            low, high = self.value_range.low, self.value_range.high
            raise BadCorrection("", f"{self.stored_kind}: {value} is not within {low} to {high}")
        return Correction(self.kind, self.seat, value, self.index)


@dataclass(frozen=True, slots=True)
class GameClock:
    """A clock that should run now, for `seconds`. When it runs out, the referee plays `on_expiry`.

    >>> clock = GameClock("round 2", 180.0, on_expiry=Move("end_round"))
    >>> clock.seconds, clock.on_expiry.kind
    (180.0, 'end_round')

    `name` identifies the clock from state to state: under the same name it goes on counting, and a new name starts it
    again from `seconds`.
    """

    name: str
    seconds: float
    on_expiry: Move | None = None
    """None: the clock only reminds."""
    label: str = ""
    """Its translated name for the screen; empty: the scene has a name of its own for it."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: the winners (several share the victory), and why it ended, in one translated sentence.

    >>> Outcome((Seat(0), Seat(2)), "All ten rounds are scored.").winners
    (0, 2)
    """

    winners: tuple[Seat, ...]
    reason: str
    lowest_wins: bool = False
    """The fewer points, the better: the ranking is by the lowest score."""
    places: tuple[int, ...] = ()
    """The place of each seat, from 1, if something else than the score decides; empty: the scores make the ranking."""
