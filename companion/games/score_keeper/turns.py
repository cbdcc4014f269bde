"""What follows when a turn or a round ends, and what its time costs: bank, delay, periods of overtime (byo-yomi)."""

from dataclasses import replace
from typing import TypeVar

from companion.api import Seat, replace_at
from companion.games.score_keeper.state import TENTHS, Phase, ScoreKeeperState

StateT = TypeVar("StateT", bound=ScoreKeeperState)


def begin_turn(state: StateT, seat: Seat) -> StateT:
    """Return the state in which `seat` has a new turn (K5, K6)."""
    return replace(state, phase=Phase.PLAY, active_seat=seat, turn_number=state.turn_number + 1)


def pass_turn(state: StateT, seat: Seat) -> StateT:
    """Return the state after the turn of `seat`: the next player has it, or nobody (K5 to K9).

    The round ends if all at the table have had their turn.
    """
    state = replace(state, active_seat=None, has_acted=replace_at(state.has_acted, seat, True))
    if not state.seats_to_act:
        state = finish_round(state)
        if state.phase is Phase.OVER:
            return state
    waiting = state.seats_to_act
    if state.settings.turn_order == "clockwise":
        return begin_turn(state, next(q for q in (*state.list_others(seat), seat) if q in waiting))
    # K6: of one who is left nobody needs to be asked.
    return begin_turn(state, waiting[0]) if len(waiting) == 1 else replace(state, phase=Phase.WAIT)


def finish_round(state: StateT) -> StateT:
    """Return the state after the round in play: the next round, or the end of the game (K7 to K9)."""
    is_last = state.round_number == state.settings.rounds or state.has_reached_target
    state = replace(
        state,
        finished_rounds=(*state.finished_rounds, state.current_points),
        current_points=(0,) * state.player_count,
        has_acted=(False,) * state.player_count,
    )
    if is_last:
        return replace(state, phase=Phase.OVER, active_seat=None)
    return replace(state, round_number=state.round_number + 1)


def count_time(state: StateT, seat: Seat, tenths: int) -> StateT:
    """Return the state after the time of a turn (K16): the bank pays it, except for the delay (K15)."""
    settings = state.settings
    from_bank = max(0, tenths - TENTHS * settings.delay_seconds)
    overtime = from_bank - max(0, TENTHS * settings.bank_seconds - state.bank_tenths[seat])
    used = 0
    if settings.clock == "chess" and settings.overtime_seconds and overtime > 0:
        # The period in which the turn ends is not used up, and the last one never is.
        used = min((overtime - 1) // (TENTHS * settings.overtime_seconds), state.get_periods_left(seat) - 1)
    return replace(
        state,
        periods_used=replace_at(state.periods_used, seat, state.periods_used[seat] + used),
        turn_counts=replace_at(state.turn_counts, seat, state.turn_counts[seat] + 1),
        turn_tenths=replace_at(state.turn_tenths, seat, state.turn_tenths[seat] + tenths),
        longest_tenths=replace_at(state.longest_tenths, seat, max(state.longest_tenths[seat], tenths)),
        bank_tenths=replace_at(state.bank_tenths, seat, state.bank_tenths[seat] + from_bank),
    )
