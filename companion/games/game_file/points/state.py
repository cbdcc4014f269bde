"""One state of a game of entered points: what is stored, and what follows from it without a move."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache

from companion.api import BaseGame, GameSettings, Seat, ValueRange
from companion.games.game_file.points.formulas import Entered, PointsRules

CACHED_STATES = 32
"""States and seats whose allowed numbers are kept: to check thousands of numbers takes a Pi half a second."""


class Phase(StrEnum):
    """Phases of a game; the values are the names of samples."""

    ENTER = "enter"  # G60: numbers are entered
    OVER = "over"  # G67, G68


class MoveKind(StrEnum):
    """Kinds of moves; journals hold the values."""

    ENTER = "enter"  # G61: the next number of the seat
    AGAIN = "again"  # G61: the seat enters its numbers of this round again
    END = "end"  # G68: people end the game


class CorrectionKind(StrEnum):
    """Kinds of corrections besides `CommonCorrection`; journals hold the values."""

    ENTRY = "entry"  # a number of `seat` in the round or turn in play; the index is that of the entry, from 1
    TOTAL = "total"  # the score of a seat


@dataclass(frozen=True, slots=True)
class PointsGameState(BaseGame):
    """Stored state of a game of entered points; rule numbers (G60) are those of `docs/rules/game_files.md`."""

    rules: PointsRules
    """The game's file."""
    settings: GameSettings = field(hash=False)
    active_seat: Seat
    """Whose turn it is (order = "turns")."""
    first_seat: Seat
    """Who begins each round (order = "turns")."""
    is_over: bool = False
    round_number: int = 1
    """Number of the round in play, from 1."""
    entered: tuple[Entered, ...] = ()
    """By seat: the numbers entered in this round, or turn; what was not asked for in between is 0."""
    has_acted: tuple[bool, ...] = ()
    """By seat: whether its turn of this round is over (order = "turns")."""
    finished_rounds: tuple[tuple[int, ...], ...] = ()
    """Points of the finished rounds, by round and seat."""
    current_points: tuple[int, ...] = ()
    """Points of the turns of this round that are over, by seat."""
    adjustments: tuple[int, ...] = ()
    """By seat: what corrections add to start and rounds."""
    is_bust: bool = False
    """G65: the turn that ended last added nothing."""

    @property
    def phase(self) -> Phase:
        """The phase of the game."""
        return Phase.OVER if self.is_over else Phase.ENTER

    @property
    def has_turns(self) -> bool:
        """Whether players have turns (G60)."""
        return self.rules.model.order == "turns"

    @property
    def totals(self) -> tuple[int, ...]:
        """Score by seat."""
        rounds = (*self.finished_rounds, self.current_points)
        start = self.rules.model.start
        return tuple(start + extra + sum(points[q] for points in rounds) for q, extra in enumerate(self.adjustments))

    @property
    def leaders(self) -> tuple[Seat, ...]:
        """All seats with the best score, ascending (G69); players who are away included."""
        best = min(self.totals) if self.rules.model.lowest_wins else max(self.totals)
        return tuple(Seat(q) for q, total in enumerate(self.totals) if total == best)

    def find_next_entry(self, seat: Seat) -> int | None:
        """Return the index of the entry that `seat` is asked for next; None: nothing is to be entered by it now."""
        if self.is_over or self.away[seat] or (self.has_turns and seat != self.active_seat):
            return None
        players = len(self.present_seats)
        return self.rules.find_next_entry(self.entered[seat], self.totals[seat], self.round_number, players)

    def is_question(self, entry: int) -> bool:
        """Return whether an entry, by its index, is answered by yes (1) or no (0) (G61)."""
        model = self.rules.model.entries[entry]
        return self.has_turns and (model.low, model.high) == (0, 1)

    def may_enter_again(self, seat: Seat) -> bool:
        """Return whether `seat` has entered all its numbers in a round that is not over, so that it may do so again."""
        is_done = bool(self.entered[seat]) and self.find_next_entry(seat) is None
        return is_done and not (self.has_turns or self.is_over or self.away[seat])

    def get_range(self, entry: int) -> ValueRange:
        """Return the limits of the numbers of an entry, by its index."""
        model = self.rules.model.entries[entry]
        return ValueRange(1, model.low, model.high)

    def list_allowed(self, seat: Seat) -> tuple[int, ...]:
        """Return the numbers that `seat` may enter next, ascending (G61); empty: nothing is to be entered.

        Of the last number of a round only those are allowed with which the round is right (G64), if there are any.
        """
        return _find_allowed(self, seat)

    def is_right_with(self, seat: Seat, entry: int, number: int) -> bool:
        """Return whether the numbers of the round are right (G64) if `seat` enters `number` as its last one.

        Args:
            seat: the only one that has something to enter.
            entry: index of the entry.
            number: within the limits of the entry.
        """
        own = (*self.rules.pad(self.entered[seat], entry), number)
        players = len(self.present_seats)
        if self.rules.find_next_entry(own, self.totals[seat], self.round_number, players) is not None:
            return True
        everybody = [self.rules.pad(own if q == seat else self.entered[q]) for q in self.present_seats]
        return not self.rules.find_mistake(everybody, self.round_number)

    @property
    def seats_to_enter(self) -> tuple[Seat, ...]:
        """Seats that have something to enter now."""
        return tuple(q for q in self.present_seats if self.find_next_entry(q) is not None)


@lru_cache(maxsize=CACHED_STATES)
def _find_allowed(state: PointsGameState, seat: Seat) -> tuple[int, ...]:
    entry = state.find_next_entry(seat)
    if entry is None:
        return ()
    limits, impossible = state.get_range(entry), state.rules.model.entries[entry].impossible
    possible = tuple(n for n in range(limits.low, limits.high + 1) if n not in impossible)
    if state.has_turns or not state.rules.model.checks or state.seats_to_enter != (seat,):
        return possible
    return tuple(n for n in possible if state.is_right_with(seat, entry, n)) or possible
