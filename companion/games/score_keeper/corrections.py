"""Corrections of a game of the score keeper: what people may correct, since the table is right, and what follows."""

from collections.abc import Iterator
from dataclasses import replace

from companion.api import (
    BadCorrection,
    CommonCorrection,
    Correctable,
    Correction,
    Seat,
    ValueRange,
    list_by_seat,
    replace_at,
)
from companion.games.score_keeper.state import MAX_TOTAL, CorrectionKind, Phase, ScoreKeeperState
from companion.games.score_keeper.transitions import StateT, begin_turn, pass_turn
from companion.i18n import Translator

_ = Translator("score_keeper")

MAX_ROUND = 99
"""Highest number of a round that may be entered."""


def list_correctables(state: ScoreKeeperState) -> Iterator[Correctable]:
    """Yield everything that may be corrected in `state`, with its present value and the values that may be entered.

    The order is that of the menu: totals first, then earlier rounds, then what is rarely corrected.
    """
    yield from list_by_seat(CorrectionKind.TOTAL, state.own_totals, -MAX_TOTAL, MAX_TOTAL)
    if state.active_seat is not None:
        seat_range = ValueRange(1, 0, state.player_count - 1)
        yield Correctable(CommonCorrection.ACTIVE, None, (state.active_seat,), seat_range)
    if state.settings.has_rounds:
        for number, points in reversed([*enumerate(state.finished_rounds, start=1)]):
            yield from list_by_seat(CommonCorrection.ROUND, points, -MAX_TOTAL, MAX_TOTAL, (number,))
    if state.phase is not Phase.OVER:
        if state.settings.has_rounds:
            last = max(state.settings.rounds or MAX_ROUND, state.round_number)
            yield Correctable(CorrectionKind.CURRENT_ROUND, None, (state.round_number,), ValueRange(1, 1, last))
        yield from list_by_seat(CommonCorrection.AWAY, state.away, 0, 1)


def apply_correction(state: StateT, correction: Correction) -> StateT:
    """Return the state after `correction`: the table as people see it.

    Args:
        state: state before the correction.
        correction: entry whose kind, seat, index and value have been checked against `list_correctables`, as
            `BaseGame.correct` does. An unchecked one gives a wrong state or any error.

    Returns:
        The new state, with `changes` as before: `BaseGame.correct` computes them.

    Raises:
        BadCorrection: no table could show that; the error names the rule and the reason.
    """
    (value,) = correction.value
    match correction.kind, correction.seat:
        case CorrectionKind.CURRENT_ROUND, _:
            return replace(state, round_number=value)
        case CommonCorrection.ACTIVE, _:
            return _set_active(state, Seat(value))
        case CommonCorrection.AWAY, int() as seat:
            return _set_away(state, seat, bool(value))
        case CorrectionKind.TOTAL, int() as seat:
            adjustment = state.adjustments[seat] + value - state.own_totals[seat]
            return replace(state, adjustments=replace_at(state.adjustments, seat, adjustment))
        case _, int() as seat:
            i = correction.index[0] - 1
            points = replace_at(state.finished_rounds[i], seat, value)
            return replace(state, finished_rounds=replace_at(state.finished_rounds, i, points))
    raise AssertionError(f"{correction} is not listed")


def _set_active(state: StateT, seat: Seat) -> StateT:
    if state.away[seat]:
        raise BadCorrection("K17", _("{who} is away"), {"who": seat})
    if seat == state.active_seat:
        return state
    return replace(begin_turn(state, seat), has_acted=replace_at(state.has_acted, seat, False))


def _set_away(state: StateT, seat: Seat, is_away: bool) -> StateT:
    """The turn of a player who leaves passes on without a time."""
    if is_away == state.away[seat]:
        return state
    if is_away and len(state.present_seats) == 1:
        raise BadCorrection("K1", _("somebody has to stay; end the game instead"))
    state = state.set_away(seat, is_away)
    if not is_away:
        return state
    if state.active_seat == seat:
        return pass_turn(state, seat)
    if state.phase is Phase.WAIT and len(state.seats_to_act) == 1:
        return begin_turn(state, state.seats_to_act[0])
    return state
