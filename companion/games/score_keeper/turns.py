"""What follows when a turn or a round ends."""

from dataclasses import replace
from typing import TypeVar

from companion.api import Seat, replace_at
from companion.games.score_keeper.state import Phase, ScoreKeeperState

StateT = TypeVar("StateT", bound=ScoreKeeperState)


def begin_turn(state: StateT, seat: Seat) -> StateT:
    """Return the state in which `seat` has a new turn (K5, K6)."""
    first = seat if state.first_seat is None else state.first_seat
    return replace(state, phase=Phase.PLAY, active_seat=seat, turn_number=state.turn_number + 1, first_seat=first)


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
