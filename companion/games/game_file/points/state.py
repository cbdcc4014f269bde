"""One state of a game of entered points: what is stored, and what follows from it without a move."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise

from companion.api import GameClock, Seat, Translator, ValueRange, format_number
from companion.games.game_file.file_game import FileGame, Victory
from companion.games.game_file.points.formulas import Entered, Memory, PointsRules, RoundInfo, Side
from companion.games.game_file.points.ranking import PointsRanking
from companion.games.game_file.points_model import CheckModel

_ = Translator("game_file")

MAX_TRIED = 1001
"""Most numbers of which each is tried whether the round can be right with it; with more people are told afterwards."""
TEAM_PLAYER_COUNTS = (4, 6)
"""G74: numbers of players with whom teams of two are possible, each with a seat of the other teams between them."""
CACHED_STATES = 64
"""States and seats whose allowed numbers are kept: to check thousands of numbers takes a Pi half a second."""


class Phase(StrEnum):
    """Phases of a game; the values are the names of samples."""

    ENTER = "enter"  # G60: numbers are entered
    OVER = "over"  # G67, G68


@dataclass(frozen=True, slots=True)
class MemoryChange:
    """What people have corrected in `Memory` while a round was played.

    Attributes:
        turns_over: number of turns of the round that were over; 0 where there are no turns.
    """

    turns_over: int
    seat: Seat
    index: int
    value: int


@dataclass(frozen=True, slots=True)
class ScoreChange:
    """What people have corrected in the score of a player while a round was played.

    Attributes:
        turns_over: as in `MemoryChange`.
        by: what was added.
    """

    turns_over: int
    seat: Seat
    by: int


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """A round, or of the round in play what is over.

    Attributes:
        numbers: by seat, the numbers entered, in two turns those of the last; empty: the player has entered nothing.
        points: by seat; those of a team stand at its first seat.
        memory: by seat, what the players kept before it.
        turns: who had them, with the numbers (order = "turns"); two of a player, or another order, if people said so.
        changes: what people have corrected in what is kept while it was played.
        score_changes: the same of scores.
    """

    numbers: tuple[Entered, ...]
    points: tuple[int, ...]
    memory: tuple[Memory, ...]
    turns: tuple[tuple[Seat, Entered], ...] = ()
    changes: tuple[MemoryChange, ...] = ()
    score_changes: tuple[ScoreChange, ...] = ()

    @property
    def turns_over(self) -> int:
        """Number of turns of the round that are over; 0 before the numbers of a round that is entered together."""
        return len(self.turns)

    def list_gains(self, turns_over: int | None = None) -> tuple[int, ...]:
        """Return by seat the points, and what people have added to the score.

        Args:
            turns_over: number of turns after which the latest of these corrections was made; None: any.
        """
        gains = list(self.points)
        for change in self.score_changes:
            if turns_over is None or change.turns_over <= turns_over:
                gains[change.seat] += change.by
        return tuple(gains)


@dataclass(frozen=True, slots=True, kw_only=True)
class PointsGameState(FileGame):
    """Stored state of a game of entered points; `active_seat` and `has_acted` are used with order = "turns"."""

    rules: PointsRules
    first_seat: Seat
    """Who began the game, and begins each round unless a flag says otherwise (order = "turns", G73)."""
    entered: tuple[Entered, ...] = ()
    """By seat: the numbers entered in this round, or turn; what was not asked for in between is 0."""
    finished: tuple[PlayedRound, ...] = field(default=(), hash=False)
    """The finished rounds; the others tell states apart as well, and quicker."""
    current: PlayedRound
    """The round in play; of turns those that are over."""
    adjustments: tuple[int, ...] = ()
    """By seat: with how many points more than the start a player has begun who joined late (G7)."""
    is_bust: bool = False
    """G65: the turn that ended last added nothing."""
    restart_count: int = 0
    """G78: how often everybody has begun again."""

    @property
    def phase(self) -> Phase:
        """The phase of the game."""
        return Phase.OVER if self.is_over else Phase.ENTER

    @property
    def has_turns(self) -> bool:
        """Whether players have turns (G60)."""
        return self.rules.model.order == "turns"

    @property
    def turn_name(self) -> str:
        """Name of the turn in play, other than that of any before: a restart counts the rounds anew (G78)."""
        name = f"turn of seat {self.active_seat + 1} in round {self.round_number}"
        return f"{name} after restart {self.restart_count}" if self.restart_count else name

    def list_clocks(self) -> Sequence[GameClock]:
        clocks = FileGame.list_clocks(self)
        return () if clocks and self.waits_for_absent else clocks

    @property
    def start_score(self) -> int:
        """Score of everybody at the start (G66)."""
        start: int = self.rules.model.start
        return start

    @property
    def has_teams(self) -> bool:
        """Whether teams of two play (G74)."""
        return self.rules.model.teams and self.player_count in TEAM_PLAYER_COUNTS

    @property
    def teams(self) -> tuple[tuple[Seat, ...], ...]:
        """The seats of each team; without teams of each player (G74)."""
        count = self.player_count // 2 if self.has_teams else self.player_count
        return tuple(tuple(Seat(q) for q in range(first, self.player_count, count)) for first in range(count))

    def list_team(self, seat: Seat) -> tuple[Seat, ...]:
        """Return the seats that play together with `seat`, itself included, ascending."""
        return self.teams[seat % len(self.teams)]

    @property
    def totals(self) -> tuple[int, ...]:
        """Score by seat (G76); the players of a team have the same."""
        rounds = (*self.finished, self.current)
        return self.list_totals([played.list_gains() for played in rounds], self.memory, self.round_number)

    def list_totals(
        self, rounds: Sequence[tuple[int, ...]], memory: Sequence[Memory], round_number: int
    ) -> tuple[int, ...]:
        """Return the score by seat.

        Args:
            rounds: by round and seat, the points with what people have added.
            memory: what the players keep, by seat.
            round_number: the round in play.
        """
        own = [extra + sum(points[q] for points in rounds) for q, extra in enumerate(self.adjustments)]
        info = RoundInfo(round_number, len(self.present_seats))
        totals = [
            self.rules.compute_total(Side((), memory[team[0]], self.start_score + sum(own[q] for q in team)), info)
            for team in self.teams
        ]
        return tuple(totals[q % len(totals)] for q in range(self.player_count))

    def list_round_points(self) -> Sequence[Sequence[int]]:
        """Return by how much the scores changed in each round, not what was entered in it (G63, G76)."""
        rounds = (*self.finished, self.current)
        gains = [played.list_gains() for played in rounds]
        before = [self.list_totals(gains[:i], played.memory, i + 1) for i, played in enumerate(rounds)]
        scores = pairwise([*before, self.totals])
        points = [tuple(now - then for then, now in zip(*pair, strict=True)) for pair in scores]
        return points if any(points[-1]) else points[:-1]

    @property
    def info(self) -> RoundInfo:
        """The round in play, with the number of players at the table."""
        return RoundInfo(self.round_number, len(self.present_seats))

    def list_sides(self, numbers: Mapping[Seat, Entered]) -> tuple[Side, ...]:
        """Return all sides with the numbers that some players have entered."""
        return self.make_sides(numbers, self.memory, self.totals)

    def make_sides(
        self, numbers: Mapping[Seat, Entered], memory: Sequence[Memory], totals: Sequence[int]
    ) -> tuple[Side, ...]:
        """Return all sides.

        Args:
            numbers: one for each entry, of those who have entered them.
            memory: what the players keep, by seat.
            totals: the scores by seat.
        """
        return tuple(
            Side(tuple(numbers[q] for q in team if q in numbers), memory[team[0]], totals[team[0]])
            for team in self.teams
        )

    def is_out(self, seat: Seat) -> bool:
        """Return whether a player is out of the game (G77)."""
        if not self.rules.model.out:
            return False
        return self.rules.is_out(Side((), self.memory[seat], self.totals[seat]), self.info)

    @property
    def playing_seats(self) -> tuple[Seat, ...]:
        """Seats at the table that are not out of the game, ascending."""
        return tuple(q for q in self.present_seats if not self.is_out(q))

    @property
    def leaders(self) -> tuple[Seat, ...]:
        """All seats that are best (G76), ascending; players who are away included, those who are out left out."""
        return self._ranking.list_leaders()

    @property
    def places(self) -> tuple[int, ...]:
        """By seat: place now by rank (G76), those who are out last (G77)."""
        return self._ranking.list_places()

    def explain_victory(self) -> Victory:
        return self._ranking.explain(FileGame.explain_victory(self))

    @property
    def _ranking(self) -> PointsRanking:
        sides = [Side((), *each) for each in zip(self.memory, self.totals, strict=True)]
        return PointsRanking(self.rules, sides, self.info)

    def find_next_entry(self, seat: Seat) -> int | None:
        """Return the index of the entry that `seat` is asked next; None: nothing is to be entered by it now."""
        return _find_next_entries(self)[seat]

    def enters_for_team(self, seat: Seat) -> bool:
        """Return whether a player enters what is entered once by each team (G74): the first one at the table."""
        return next((q for q in self.list_team(seat) if not self.away[q]), seat) == seat

    @property
    def is_before_play(self) -> bool:
        """Whether somebody has something to enter before the round is played (G70)."""
        count = self.rules.before_play_count
        return count > 0 and any(entry is not None and entry < count for entry in _find_next_entries(self))

    @property
    def is_round_played(self) -> bool:
        """Whether the round is played now: all have entered what comes before it, and nothing after it (G70)."""
        count = self.rules.before_play_count
        has_begun = not self.is_before_play and not self.is_over
        return count > 0 and has_begun and all(len(self.entered[q]) <= count for q in self.playing_seats)

    def is_question(self, entry: int) -> bool:
        """Return whether an entry, by its index, is answered by yes (1) or no (0) (G61)."""
        model = self.rules.model.entries[entry]
        return model.range == (0, 1) and not model.choices

    def format_entered(self, entry: int, number: int) -> str:
        """Format a number that was entered, by the index of its entry: "26", "yes", the name of a choice."""
        if self.is_question(entry):
            return _("yes") if number else _("no")
        choices = self.rules.model.entries[entry].choices
        name = next((choice.name for choice in choices if choice.number == number), "")
        return self.rules.translate(name) if name else format_number(number)

    @property
    def asks_question(self) -> bool:
        """Whether the player whose turn it is answers a question now."""
        if not self.has_turns:
            return False
        entry = self.find_next_entry(self.active_seat)
        return entry is not None and self.is_question(entry)

    def get_range(self, entry: int, seat: Seat | None = None) -> ValueRange:
        """Return the limits of the numbers of an entry, by its index; with a seat those of its player now."""
        model = self.rules.model.entries[entry]
        low, high = model.range
        if model.most and seat is not None:
            side = Side((), self.memory[seat], self.totals[seat])
            most = self.rules.find_most(entry, self.rules.pad(self.entered[seat], entry), side, self.info)
            least = next((n for n in range(low, high, model.step) if n not in model.impossible), high)
            high = max(least, min(high, most // model.step * model.step))
        if model.choices:
            named = {choice.number for choice in model.choices}
            return ValueRange(1, low, high, tuple(n for n in range(low, high + 1) if n not in named))
        return ValueRange(1, low, high, model.impossible, model.step)

    def get_allowed(self, seat: Seat) -> ValueRange | None:
        """Return the numbers that `seat` may enter next (G61); None: nothing is to be entered.

        Of the last number of a round only those are allowed with which the round is right (G64), if there are any.
        """
        return _find_allowed(self, seat)

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
        entered = {q: self.entered[q] for q in self.playing_seats} | dict(tried or {})
        return self.rules.find_broken_check(
            self.list_sides({q: self.rules.pad(own) for q, own in entered.items()}), self.info
        )

    @property
    def waits_for_absent(self) -> bool:
        """Whether only players who are away may have something to enter, now or in a later round (G62)."""
        return not (self.is_over or self.seats_to_enter or any(self.entered))

    @property
    def can_be_confirmed(self) -> bool:
        """Whether all numbers are there, and only people can say that the round was so (G64)."""
        if self.is_over or self.seats_to_enter or self.waits_for_absent:
            return False
        check = self.find_broken_check()
        return check is not None and check.ask

    @property
    def seats_to_enter(self) -> tuple[Seat, ...]:
        """Seats that have something to enter now."""
        return tuple(Seat(q) for q, entry in enumerate(_find_next_entries(self)) if entry is not None)


@lru_cache(maxsize=CACHED_STATES)
def _find_next_entries(state: PointsGameState) -> tuple[int | None, ...]:
    """Return by seat the index of the entry that it is asked next (G62, G70, G74); None: nothing now."""
    found: list[int | None] = [None] * state.player_count
    if state.is_over:
        return tuple(found)
    totals, info, count = state.totals, state.info, state.rules.before_play_count
    seats = (state.active_seat,) if state.has_turns else state.present_seats
    for q in seats:
        side = Side((), state.memory[q], totals[q])
        if not (state.away[q] or state.rules.is_out(side, info)):
            found[q] = state.rules.find_next_entry(state.entered[q], side, info, is_first=state.enters_for_team(q))
    if any(entry is not None and entry < count for entry in found):
        return tuple(entry if entry is not None and entry < count else None for entry in found)
    return tuple(found)


@lru_cache(maxsize=CACHED_STATES)
def _find_allowed(state: PointsGameState, seat: Seat) -> ValueRange | None:
    entry = state.find_next_entry(seat)
    if entry is None:
        return None
    limits = state.get_range(entry, seat)
    is_last = state.seats_to_enter == (seat,) and entry >= state.rules.before_play_count
    numbers = range(limits.low, limits.high + 1, limits.step)
    is_checked = not state.has_turns and not all(check.ask for check in state.rules.model.checks)
    if not is_checked or not is_last or len(numbers) > MAX_TRIED:
        return limits
    possible = limits.numbers
    allowed = [*_find_right_numbers(state, seat, entry, possible)] or possible
    low, high = allowed[0], allowed[-1]
    return ValueRange(1, low, high, tuple(sorted({*range(low, high + 1, limits.step)} - {*allowed})), limits.step)


def _find_right_numbers(state: PointsGameState, seat: Seat, entry: int, possible: Sequence[int]) -> Iterator[int]:
    """Yield the numbers with which the round can be right (G64) if `seat`, the last one, enters them."""
    rules, totals, info = state.rules, state.totals, state.info
    side = Side((), state.memory[seat], totals[seat])
    is_first, before = state.enters_for_team(seat), rules.pad(state.entered[seat], entry)
    entered = {q: rules.pad(state.entered[q]) for q in state.playing_seats}
    for number in possible:
        own = (*before, number)
        if rules.find_next_entry(own, side, info, is_first=is_first) is not None:
            yield number
            continue
        sides = state.make_sides({**entered, seat: rules.pad(own)}, state.memory, totals)
        check = rules.find_broken_check(sides, info)
        if check is None or check.ask:
            yield number
