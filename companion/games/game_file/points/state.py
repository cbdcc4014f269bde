"""One state of a game of entered points: what is stored, and what follows from it without a move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from companion.api import Seat, Translator, ValueRange
from companion.games.game_file.file_game import FileGame
from companion.games.game_file.points.formulas import Entered, PointsRules
from companion.games.game_file.points_model import CheckModel

_ = Translator("game_file")

CACHED_STATES = 32
"""States and seats whose allowed numbers are kept: to check thousands of numbers takes a Pi half a second."""


class Phase(StrEnum):
    """Phases of a game; the values are the names of samples."""

    ENTER = "enter"  # G60: numbers are entered
    OVER = "over"  # G67, G68


@dataclass(frozen=True, slots=True, kw_only=True)
class PointsGameState(FileGame):
    """Stored state of a game of entered points; `active_seat` and `has_acted` are used with order = "turns"."""

    rules: PointsRules
    first_seat: Seat
    """Who begins each round (order = "turns")."""
    entered: tuple[Entered, ...] = ()
    """By seat: the numbers entered in this round, or turn; what was not asked for in between is 0."""
    finished_rounds: tuple[tuple[int, ...], ...] = ()
    """Points of the finished rounds, by round and seat."""
    finished_numbers: tuple[tuple[Entered, ...], ...] = ()
    """The numbers of the finished rounds, by round and seat; empty: the player entered nothing."""
    turn_numbers: tuple[Entered, ...] = ()
    """By seat: the numbers of the turn of this round that is over; empty: it is not."""
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
    def start_score(self) -> int:
        """Score of everybody at the start (G66)."""
        start: int = self.rules.model.start
        return start

    @property
    def totals(self) -> tuple[int, ...]:
        """Score by seat."""
        return self.list_totals((*self.finished_rounds, self.current_points))

    def list_totals(self, rounds: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
        """Return the score by seat after rounds: their points by round and seat."""
        start = self.rules.model.start
        return tuple(start + extra + sum(points[q] for points in rounds) for q, extra in enumerate(self.adjustments))

    def find_next_entry(self, seat: Seat) -> int | None:
        """Return the index of the entry that `seat` is asked for next; None: nothing is to be entered by it now."""
        if self.is_over or self.away[seat] or (self.has_turns and seat != self.active_seat):
            return None
        entry = self._find_own_entry(seat)
        is_later = entry is not None and entry >= self.rules.before_play_count
        return None if is_later and self.is_before_play else entry

    def _find_own_entry(self, seat: Seat) -> int | None:
        players = len(self.present_seats)
        return self.rules.find_next_entry(self.entered[seat], self.totals[seat], self.round_number, players)

    @property
    def is_before_play(self) -> bool:
        """Whether somebody has something to enter before the round is played (G70)."""
        count = self.rules.before_play_count
        entries = (self._find_own_entry(q) for q in self.present_seats) if count and not self.is_over else ()
        return any(entry is not None and entry < count for entry in entries)

    @property
    def is_round_played(self) -> bool:
        """Whether the round is played now: all have entered what comes before it, and nothing after it (G70)."""
        count = self.rules.before_play_count
        has_begun = not self.is_before_play and not self.is_over
        return count > 0 and has_begun and all(len(self.entered[q]) <= count for q in self.present_seats)

    def is_question(self, entry: int) -> bool:
        """Return whether an entry, by its index, is answered by yes (1) or no (0) (G61)."""
        model = self.rules.model.entries[entry]
        return (model.low, model.high) == (0, 1)

    @property
    def asks_question(self) -> bool:
        """Whether the player whose turn it is answers a question now."""
        if not self.has_turns:
            return False
        entry = self.find_next_entry(self.active_seat)
        return entry is not None and self.is_question(entry)

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
        """Return whether the numbers of the round can be right (G64) if `seat` enters `number` as its last one.

        Args:
            seat: the only one that has something to enter.
            entry: index of the entry.
            number: within the limits of the entry.
        """
        own = (*self.rules.pad(self.entered[seat], entry), number)
        players = len(self.present_seats)
        if self.rules.find_next_entry(own, self.totals[seat], self.round_number, players) is not None:
            return True
        check = self.find_broken_check({seat: own})
        return check is None or check.ask

    def find_mistake(self, tried: Mapping[Seat, Entered] | None = None) -> str:
        """Return what is wrong with the numbers of the round (G64), translated; empty: nothing.

        Args:
            tried: see `find_broken_check`.
        """
        check = self.find_broken_check(tried)
        return self.rules.translate(check.text) if check else ""

    def find_broken_check(self, tried: Mapping[Seat, Entered] | None = None) -> CheckModel | None:
        """Return the check that the numbers of the round do not fulfil (G64); None: it is right, or there are turns.

        Args:
            tried: numbers in place of those that these players have entered.
        """
        if self.has_turns:
            return None
        entered = {q: self.entered[q] for q in self.present_seats} | dict(tried or {})
        return self.rules.find_broken_check([*map(self.rules.pad, entered.values())], self.round_number)

    def find_earlier_mistake(self) -> tuple[int, str] | None:
        """Return number and mistake of the last finished round that is wrong since it was corrected (G71)."""
        if self.has_turns:
            return None
        for n in range(len(self.finished_numbers), 0, -1):
            check = self.rules.find_broken_check([own for own in self.finished_numbers[n - 1] if own], n)
            if check is not None and not check.ask:
                return n, self.rules.translate(check.text)
        return None

    @property
    def can_be_confirmed(self) -> bool:
        """Whether all numbers are there, and only people can say that the round was so (G64)."""
        if self.is_over or self.seats_to_enter:
            return False
        check = self.find_broken_check()
        return check is not None and check.ask

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
    is_last = state.seats_to_enter == (seat,) and entry >= state.rules.before_play_count
    if state.has_turns or not state.rules.model.checks or not is_last:
        return possible
    return tuple(n for n in possible if state.is_right_with(seat, entry, n)) or possible
