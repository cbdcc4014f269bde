"""Corrections of the counting tray: what people may correct, since the table is right, and what follows."""

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
from companion.games.counting_tray.state import MAX_DICE_OF_A_FACE, MAX_HITS, CorrectionKind, Phase
from companion.games.counting_tray.transitions import StateT, finish_throw
from companion.i18n import Translator

_ = Translator("counting_tray")


def list_correctables(state: StateT) -> Iterator[Correctable]:
    """Yield everything that may be corrected in `state`, with its present value and the values that may be entered.

    The order is that of the menu: the dice first, then hits, then what is rarely corrected.
    """
    if state.phase is Phase.COUNTED:
        for face, count in enumerate(state.faces, 1):
            dice_range = ValueRange(1, 0, max(MAX_DICE_OF_A_FACE, count))
            yield Correctable(CorrectionKind.FACE, None, (count,), dice_range, (face,))
    yield from list_by_seat(CorrectionKind.TOTAL, state.earlier_hits, 0, MAX_HITS)
    if state.phase is not Phase.OVER:
        seat_range = ValueRange(1, 0, state.player_count - 1)
        yield Correctable(CommonCorrection.ACTIVE, None, (state.active_seat,), seat_range)
        yield from list_by_seat(CommonCorrection.AWAY, state.away, 0, 1)


def apply_correction(state: StateT, correction: Correction) -> StateT:
    """Return the state after `correction`: the table as people see it.

    Args:
        state: state before the correction.
        correction: entry that has been checked against `list_correctables`, as `BaseGame.correct` does.

    Raises:
        BadCorrection: no table could show that; the error names the rule and the reason.
    """
    (value,) = correction.value
    match correction.kind, correction.seat:
        case CorrectionKind.FACE, _:
            return replace(state, faces=replace_at(state.faces, correction.index[0] - 1, value))
        case CorrectionKind.TOTAL, int() as seat:
            return replace(state, earlier_hits=replace_at(state.earlier_hits, seat, value))
        case CommonCorrection.ACTIVE, _:
            if state.away[value]:
                raise BadCorrection("T7", _("{who} is away"), {"who": Seat(value)})
            return replace(state, active_seat=Seat(value))
        case CommonCorrection.AWAY, int() as seat:
            return _set_away(state, Seat(seat), bool(value))
    raise AssertionError(f"{correction} is not listed")


def _set_away(state: StateT, seat: Seat, is_away: bool) -> StateT:
    """T7: the throw of a player who leaves is over."""
    if is_away and state.present_seats == (seat,):
        raise BadCorrection("T7", _("somebody has to stay; end the game instead"))
    if is_away and seat == state.active_seat:
        state = finish_throw(state)
        return replace(state.set_away(seat, True), active_seat=state.find_next_seat(seat))
    return state.set_away(seat, is_away)
