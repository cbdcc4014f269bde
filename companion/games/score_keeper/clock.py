"""The clock of a turn (K13 to K15, K21): the parts of its time one after the other, and what a turn takes of them."""

from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import TypeVar

from companion.api import Seat, replace_at
from companion.games.score_keeper.state import TENTHS, ScoreKeeperState

MIN_TURN_SECONDS = 5.0
"""K15: least time of a turn that the clock passes on, in seconds; of less the companion only reminds, since players
with empty banks and no overtime would never play again."""

StateT = TypeVar("StateT", bound=ScoreKeeperState)


class Part(Enum):
    """A part of a turn's time."""

    TURN = auto()  # K13
    GRACE = auto()
    DELAY = auto()  # K15
    BANK = auto()  # K14
    OVERTIME = auto()  # K15


@dataclass(frozen=True, slots=True)
class TimePart:
    """A part of the time that a turn has.

    Attributes:
        seconds: as many are left of it at the start of the turn.
        full_seconds: as many as it has at most; of overtime, as many as a period has.
    """

    part: Part
    seconds: float
    full_seconds: float


def list_time_parts(state: ScoreKeeperState) -> tuple[TimePart, ...]:
    """Return the time that the turn in play has, in the order in which it runs down; empty: any time."""
    settings, seat = state.settings, state.active_seat
    if seat is None or settings.clock == "off":
        return ()
    bank = TimePart(Part.BANK, get_bank_seconds_left(state, seat), settings.bank_seconds)
    if settings.clock == "turn":
        turn, grace = settings.turn_seconds, settings.grace_seconds if settings.time_up != "remind" else 0
        parts = [TimePart(Part.TURN, turn, turn), TimePart(Part.GRACE, grace, grace)]
    elif settings.clock == "sand_glass":
        parts = [bank]
    else:
        delay = settings.extra_seconds if settings.extra_time == "delay" else 0
        if settings.extra_time == "fischer":
            bank = replace(bank, seconds=bank.seconds + settings.extra_seconds)
        overtime = TimePart(Part.OVERTIME, get_overtime_seconds_left(state, seat), settings.overtime_seconds)
        parts = [TimePart(Part.DELAY, delay, delay), bank, overtime]
    return tuple(part for part in parts if part.seconds > 0) or (replace(bank, seconds=1.0),)


def get_turn_limit(state: ScoreKeeperState) -> float | None:
    """Return the seconds that the turn in play may take (K13 to K15); None: any number."""
    parts = list_time_parts(state)
    return max(1.0, sum(part.seconds for part in parts)) if parts else None


def ends_turn_in_time(state: ScoreKeeperState) -> bool:
    """Return whether the clock ends the turn in play: the next has it, or the player has lost (K13, K15)."""
    limit = get_turn_limit(state)
    if limit is None or state.settings.time_up == "remind":
        return False
    return state.settings.time_up == "lose" or limit >= MIN_TURN_SECONDS


def get_bank_seconds_left(state: ScoreKeeperState, seat: Seat) -> float:
    """Return the seconds in the time bank of `seat` at the start of its turn, at least 0 (K14)."""
    return max(0.0, state.settings.bank_seconds - state.bank_tenths[seat] / TENTHS)


def get_periods_left(state: ScoreKeeperState, seat: Seat) -> int:
    """Return how many periods of overtime `seat` has at the start of its turn, at least 1 (K15)."""
    return state.settings.overtime_periods - state.periods_used[seat]


def get_overtime_seconds_left(state: ScoreKeeperState, seat: Seat) -> float:
    """Return the seconds of all periods that `seat` has at the start of its turn, at least 0 (K15)."""
    all_periods = state.settings.overtime_seconds * get_periods_left(state, seat)
    return max(0.0, all_periods - state.period_tenths[seat] / TENTHS)


def count_time(state: StateT, seat: Seat, tenths: int) -> StateT:
    """Return the state after the time of a turn: it is measured (K16), and the bank pays for it (K14, K15, K21)."""
    if state.settings.clock == "chess":
        state = _pay_turn(state, seat, tenths)
    elif state.settings.clock == "sand_glass":
        state = _turn_sand_glass(state, seat, tenths)
    return replace(
        state,
        turn_counts=replace_at(state.turn_counts, seat, state.turn_counts[seat] + 1),
        turn_tenths=replace_at(state.turn_tenths, seat, state.turn_tenths[seat] + tenths),
        longest_tenths=replace_at(state.longest_tenths, seat, max(state.longest_tenths[seat], tenths)),
    )


def _pay_turn(state: StateT, seat: Seat, tenths: int) -> StateT:
    settings, full = state.settings, TENTHS * state.settings.bank_seconds
    used = state.bank_tenths[seat] + tenths - TENTHS * settings.extra_seconds
    if settings.extra_time != "fischer":  # nobody gains time
        used = max(used, state.bank_tenths[seat])
    state = replace(state, bank_tenths=replace_at(state.bank_tenths, seat, min(used, full)))
    if used < full or not settings.overtime_seconds:
        return state
    period, in_period = TENTHS * settings.overtime_seconds, state.period_tenths[seat] + used - full
    # The period in which the turn ends is not used up, and the last one never is.
    lost = min(max(0, in_period - 1) // period, get_periods_left(state, seat) - 1)
    turns = (0 if lost else state.period_turns[seat]) + 1
    if turns == settings.overtime_turns:
        turns = in_period = 0
    return replace(
        state,
        periods_used=replace_at(state.periods_used, seat, state.periods_used[seat] + lost),
        period_tenths=replace_at(state.period_tenths, seat, max(0, min(in_period - lost * period, period))),
        period_turns=replace_at(state.period_turns, seat, turns),
    )


def _turn_sand_glass(state: StateT, seat: Seat, tenths: int) -> StateT:
    """The sand that runs out of one bank runs into those of the others, to each alike (K21)."""
    others = [q for q in state.present_seats if q != seat]
    taken = min(tenths, TENTHS * state.settings.bank_seconds - state.bank_tenths[seat])
    bank = replace_at(state.bank_tenths, seat, state.bank_tenths[seat] + taken)
    for q in others:
        bank = replace_at(bank, q, bank[q] - taken // len(others))
    return replace(state, bank_tenths=bank)
