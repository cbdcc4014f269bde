"""Corrections of a game of entered points: what people may correct, since the table is right, and what follows."""

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
from companion.games.game_file.points.formulas import MAX_SCORE
from companion.games.game_file.points.state import CorrectionKind, PointsGameState
from companion.games.game_file.points.transitions import StateT, pass_turn, settle
from companion.i18n import Translator

_ = Translator("game_file")


def list_correctables(state: PointsGameState) -> Iterator[Correctable]:
    """Yield everything that may be corrected in `state`: numbers of this round first, rare things last."""
    for seat in state.present_seats:
        for i, number in enumerate(state.entered[seat]):
            yield Correctable(CorrectionKind.ENTRY, seat, (number,), state.get_range(i), (i + 1,))
    yield from list_by_seat(CorrectionKind.TOTAL, state.totals, -MAX_SCORE, MAX_SCORE)
    if state.has_turns and not state.is_over:
        seat_range = ValueRange(1, 0, state.player_count - 1)
        yield Correctable(CommonCorrection.ACTIVE, None, (state.active_seat,), seat_range)
    for number, points in reversed([*enumerate(state.finished_rounds, start=1)]):
        yield from list_by_seat(CommonCorrection.ROUND, points, -MAX_SCORE, MAX_SCORE, (number,))
    if not state.is_over:
        yield from list_by_seat(CommonCorrection.AWAY, state.away, 0, 1)


def apply_correction(state: StateT, correction: Correction) -> StateT:
    """Return the state after `correction`, which was checked against `list_correctables`; `changes` stays as before.

    Raises:
        BadCorrection: no table could show that; the error names the rule and the reason.
    """
    (value,) = correction.value
    match correction.kind, correction.seat:
        case CommonCorrection.ACTIVE, _:
            return _set_active(state, Seat(value))
        case CommonCorrection.AWAY, int() as seat:
            return _set_away(state, seat, bool(value))
        case CorrectionKind.ENTRY, int() as seat:
            return _set_entry(state, seat, correction.index[0] - 1, value)
        case CorrectionKind.TOTAL, int() as seat:
            extra = state.adjustments[seat] + value - state.totals[seat]
            return replace(state, adjustments=replace_at(state.adjustments, seat, extra))
        case _, int() as seat:
            i = correction.index[0] - 1
            points = replace_at(state.finished_rounds[i], seat, value)
            return replace(state, finished_rounds=replace_at(state.finished_rounds, i, points))
    raise AssertionError(f"{correction} is not listed")


def _set_entry(state: StateT, seat: Seat, index: int, value: int) -> StateT:
    """What was entered after the number may no longer be asked for, so it is entered again."""
    model = state.rules.model.entries[index]
    if value in model.impossible:
        raise BadCorrection("G61", _("{name}: {n} cannot be"), name=state.rules.translate(model.name), n=value)
    old = state.entered[seat]
    kept = old[index + 1 :] if not any(entry.when for entry in state.rules.model.entries[index + 1 :]) else ()
    entered = (*old[:index], value, *kept)
    return settle(replace(state, entered=replace_at(state.entered, seat, entered)))


def _set_active(state: StateT, seat: Seat) -> StateT:
    if state.away[seat]:
        raise BadCorrection("G60", _("{who} is away"), {"who": seat})
    if seat == state.active_seat:
        return state
    acted = replace_at(state.has_acted, seat, False)
    return replace(state, active_seat=seat, has_acted=acted, entered=((),) * state.player_count)


def _set_away(state: StateT, seat: Seat, is_away: bool) -> StateT:
    if is_away == state.away[seat]:
        return state
    if is_away and len(state.present_seats) == 1:
        raise BadCorrection("G60", _("somebody has to stay; end the game instead"))
    state = replace(state.set_away(seat, is_away), entered=replace_at(state.entered, seat, ()))
    if not is_away:
        return state
    if state.has_turns:
        return pass_turn(state, seat) if state.active_seat == seat else state
    return settle(state)
