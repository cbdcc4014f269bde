"""What follows in a game of entered points from the numbers: the end of a turn, of a round, of the game."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from companion.api import Seat, replace_at
from companion.games.game_file.points.formulas import Entered
from companion.games.game_file.points.state import PointsGameState

StateT = TypeVar("StateT", bound=PointsGameState)


def settle(state: StateT) -> StateT:
    """Return the state after what follows from the numbers: the end of a turn, of a round, of the game."""
    if state.seats_to_enter or state.is_over:
        return state
    if state.has_turns:
        return _end_turn(state)
    return state if state.find_broken_check() else end_round(state)  # G64: until somebody enters again


def end_round(state: StateT) -> StateT:
    """Return the state after a round whose numbers have been entered together."""
    numbers = tuple(() if state.away[q] else state.rules.pad(own) for q, own in enumerate(state.entered))
    points = _score_numbers(state, numbers, state.totals, state.round_number)
    return _end_round(replace(state, turn_numbers=numbers, current_points=points))


def correct_numbers(state: StateT, place: int, numbers: tuple[Entered, ...]) -> StateT:
    """Return the state with other numbers in an earlier round or turn; its points, and those after it, follow (G71).

    Args:
        place: index of the round, from 0; the number of finished rounds for the turns of the round in play.
        numbers: by seat.
    """
    rounds = replace_at((*state.finished_numbers, state.turn_numbers), place, numbers)
    points = [*state.finished_rounds[:place]]
    for number in range(place, len(rounds)):
        totals = state.list_totals(points)
        points.append(_score_numbers(state, rounds[number], totals, number + 1))
    return replace(
        state,
        finished_numbers=rounds[:-1],
        turn_numbers=rounds[-1],
        finished_rounds=tuple(points[:-1]),
        current_points=points[-1],
    )


def _score_numbers(
    state: PointsGameState, numbers: tuple[Entered, ...], totals: Sequence[int], round_number: int
) -> tuple[int, ...]:
    """Return the points of a round by seat; who has entered nothing has none (G60)."""
    entered = [own for own in numbers if own]
    return tuple(
        state.rules.compute_points(own, [own] if state.has_turns else entered, total, round_number)[0] if own else 0
        for own, total in zip(numbers, totals, strict=True)
    )


def pass_turn(state: StateT, seat: Seat) -> StateT:
    """Return the state after the turn of `seat`: the next player at the table has it, or the round ends (G60)."""
    state = replace(state, has_acted=replace_at(state.has_acted, seat, True))
    waiting = [q for q in state.list_others(seat) if not (state.away[q] or state.has_acted[q])]
    return replace(state, active_seat=waiting[0]) if waiting else _end_round(state)


def _end_turn(state: StateT) -> StateT:
    seat = state.active_seat
    own = state.rules.pad(state.entered[seat])
    points, is_bust = state.rules.compute_points(own, [own], state.totals[seat], state.round_number)
    state = replace(
        state,
        current_points=replace_at(state.current_points, seat, state.current_points[seat] + points),
        entered=replace_at(state.entered, seat, ()),
        turn_numbers=replace_at(state.turn_numbers, seat, own),
        is_bust=is_bust,
    )
    if state.rules.model.end_at == "once" and state.rules.is_end(state.totals, state.round_number):
        return replace(state, is_over=True)
    return pass_turn(state, seat)


def _end_round(state: StateT) -> StateT:
    model = state.rules.model
    is_last = state.round_number == model.rounds or state.rules.is_end(state.totals, state.round_number)
    if model.ties == "play_on" and len(state.leaders) > 1:
        # G69: also after the last round; then each further round may be the last.
        is_last = False
    elif model.rounds and state.round_number > model.rounds:
        is_last = True
    nothing = (0,) * state.player_count
    state = replace(
        state,
        finished_rounds=(*state.finished_rounds, state.current_points),
        finished_numbers=(*state.finished_numbers, state.turn_numbers),
        turn_numbers=((),) * state.player_count,
        current_points=nothing,
        entered=((),) * state.player_count,
        has_acted=(False,) * state.player_count,
        is_over=is_last,
    )
    if is_last:
        return state
    first = state.first_seat if not state.away[state.first_seat] else state.find_next_seat(state.first_seat)
    return replace(state, round_number=state.round_number + 1, active_seat=first)
