"""One state of a game of the score keeper: what is stored, and what follows from it without a move."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from companion.api import Game, Seat, Translator, ValueRange
from companion.games.score_keeper.settings import TEAM_PLAYER_COUNTS, Settings

_ = Translator("score_keeper")

TENTHS = 10
"""Parts of a second in which times are stored."""
MAX_TURN_TENTHS = 24 * 60 * 60 * TENTHS
"""Longest turn that is measured, in tenths of a second: a day."""
MIN_MAX_AMOUNT = 999
"""K3: most points that are entered at once unless the target is higher, and with a minus sign the fewest."""
MAX_TOTAL = 999_999
"""K3: highest total of a player or team, and with a minus sign the lowest."""


class Phase(StrEnum):
    """Phases of a game; the values are the names of samples."""

    WAIT = "wait"  # K5, K6: nobody has the turn: who begins, or who is next?
    PLAY = "play"  # K2: points are entered, and a turn may run
    OVER = "over"  # K8 to K10


@dataclass(frozen=True, slots=True)
class ScoreKeeperState(Game):
    """Stored state of a game of the score keeper; rule numbers (K1) are those of `docs/rules/score_keeper.md`."""

    settings: Settings = field(hash=False)
    phase: Phase = Phase.PLAY
    round_number: int = 1
    """Number of the round in play, from 1; without rounds (K7) it stays 1."""
    turn_number: int = 0
    """Number of turns begun so far."""
    active_seat: Seat | None = None
    """Who has the turn; None: nobody."""
    has_acted: tuple[bool, ...] = ()
    """By seat: whether its turn of this round is over."""
    finished_rounds: tuple[tuple[int, ...], ...] = ()
    """Points of the finished rounds, by round and seat."""
    current_points: tuple[int, ...] = ()
    """Points of the round in play, by seat."""
    adjustments: tuple[int, ...] = ()
    """By seat: what corrections add to the sum of the rounds."""
    turn_counts: tuple[int, ...] = ()
    """By seat: number of turns that are over."""
    turn_tenths: tuple[int, ...] = ()
    """By seat: time of all turns that are over, in tenths of a second (K16)."""
    longest_tenths: tuple[int, ...] = ()
    """By seat: time of the longest turn, in tenths of a second (K16)."""
    bank_tenths: tuple[int, ...] = ()
    """By seat: time taken from the bank, in tenths of a second; less than 0: it was given more (K14, K15, K21)."""
    periods_used: tuple[int, ...] = ()
    """By seat: periods of overtime that are used up (K15)."""
    period_tenths: tuple[int, ...] = ()
    """By seat: time used of the present period of overtime, in tenths of a second (K15)."""
    period_turns: tuple[int, ...] = ()
    """By seat: turns ended within it (K15)."""
    first_seat: Seat | None = None
    """Who had the first turn; None: nobody yet."""
    lost_on_time: Seat | None = None
    """Whose time was up, so that the game ended (K13); None: it goes on, or ended otherwise."""

    @property
    def has_teams(self) -> bool:
        """Whether teams of two play (K12)."""
        return self.settings.teams and self.player_count in TEAM_PLAYER_COUNTS

    def list_team(self, seat: Seat) -> tuple[Seat, ...]:
        """Return the seats whose points count together with those of `seat`, itself included, ascending (K12)."""
        if not self.has_teams:
            return (seat,)
        half = self.player_count // 2
        return (Seat(seat % half), Seat(seat % half + half))

    def sum_teams(self, points: Sequence[int]) -> list[int]:
        """Return points by seat, in teams those of both partners together (K12)."""
        return [sum(points[q] for q in self.list_team(Seat(seat))) for seat in range(self.player_count)]

    @property
    def own_totals(self) -> tuple[int, ...]:
        """Points by seat, without those of partners (K12)."""
        rounds = (*self.finished_rounds, self.current_points)
        return tuple(adjustment + sum(points[q] for points in rounds) for q, adjustment in enumerate(self.adjustments))

    @property
    def totals(self) -> tuple[int, ...]:
        """Points by seat; in teams those of both partners together (K12)."""
        totals = self.sum_teams(self.own_totals)
        if self.komi_seat is not None:
            totals[self.komi_seat] += self.settings.komi_halves // 2
        return tuple(totals)

    @property
    def komi_seat(self) -> Seat | None:
        """Who has points besides for not having begun (K22); None: nobody, or the game of two is not over."""
        if self.phase is not Phase.OVER or self.player_count != 2 or self.first_seat is None:
            return None
        return Seat(1 - self.first_seat)

    @property
    def lowest_wins(self) -> bool:
        """K11."""
        return self.settings.lowest_wins

    @property
    def leaders(self) -> tuple[Seat, ...]:
        """All seats with the best total, ascending (K11), also who is away; not who lost on time (K13)."""
        lost = () if self.lost_on_time is None else self.list_team(self.lost_on_time)
        able = [seat for seat in range(self.player_count) if seat not in lost] or range(self.player_count)
        totals = {Seat(seat): self.totals[seat] for seat in able}
        best = min(totals.values()) if self.settings.lowest_wins else max(totals.values())
        leaders = tuple(Seat(q) for q, total in totals.items() if total == best)
        has_half_more = self.settings.komi_halves % 2 and self.komi_seat in leaders
        return tuple(q for q in leaders if q == self.komi_seat) if has_half_more else leaders

    @property
    def has_reached_target(self) -> bool:
        """Whether somebody has as many points as the game is played for (K8)."""
        return 0 < self.settings.target_points <= max(self.totals)

    @property
    def seats_to_act(self) -> tuple[Seat, ...]:
        """Seats at the table that have had no turn in this round (K5, K6)."""
        return tuple(q for q in self.present_seats if not self.has_acted[q])

    @property
    def max_amount(self) -> int:
        """Most points that are entered at once, and with a minus sign the fewest (K3)."""
        return max(MIN_MAX_AMOUNT, self.settings.target_points)

    def get_amount_range(self, seat: Seat) -> ValueRange:
        """Return the points that may be entered at once for `seat`: the total stays within `MAX_TOTAL` (K3)."""
        total, most = self.totals[seat], self.max_amount
        low, high = max(-most, -MAX_TOTAL - total), min(most, MAX_TOTAL - total)
        return ValueRange(1, min(0, low), max(0, high))

    @property
    def turn_clock_name(self) -> str:
        """Name of the clock that measures the turn in play."""
        seat = self.active_seat
        return f"turn {self.turn_number}" if seat is None else f"turn {self.turn_number}, seat {seat + 1}"


def format_time(tenths: int) -> str:
    """Return a time for the screen: minutes and seconds, or hours, minutes and seconds.

    Args:
        tenths: tenths of a second, 0 or more; they are rounded to seconds.

    >>> format_time(0), format_time(754), format_time(36_125)
    ('0:00', '1:15', '1:00:13')
    """
    minutes, seconds = divmod((tenths + TENTHS // 2) // TENTHS, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def format_halves(halves: int) -> str:
    """Return a number of half points, 0 or more, for the screen.

    >>> format_halves(13), format_halves(1), format_halves(12)
    ('6½', '½', '6')
    """
    whole, half = divmod(halves, 2)
    return (str(whole) if whole or not half else "") + "½" * half
