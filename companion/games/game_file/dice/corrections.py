"""Corrections of a game with dice: what people may correct, since the table is right, and what follows."""

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
from companion.games.game_file.dice.scoring import MAX_POINTS
from companion.games.game_file.dice.state import MAX_TOTAL, CorrectionKind, DiceGameState, Phase
from companion.games.game_file.dice.transitions import StateT, begin_turn, pass_turn, settle_throw
from companion.i18n import Translator

_ = Translator("game_file")

OPEN_BOX = -1
"""Value of an open box in a correction."""
MAX_BOX_POINTS = 100
"""Highest points of a box that may be entered; the points of the file's boxes are seldom more."""
MAX_ROUND = 99
"""Highest number of a round that may be entered."""
MAX_DICE_TO_CORRECT = 6
"""Most dice of a throw that can be corrected one by one: each has a number key."""


def list_correctables(state: DiceGameState) -> Iterator[Correctable]:
    """Yield everything that may be corrected in `state`, with its present value and the values that may be entered.

    The order is that of the menu: the dice first, then points, then what is rarely corrected.
    """
    model = state.rules.model
    if state.phase in (Phase.DECIDE, Phase.CHOOSE) and 0 < len(state.table) <= MAX_DICE_TO_CORRECT:
        limits = ValueRange(len(state.table), 1, model.sides)
        yield Correctable(CorrectionKind.DICE, None, state.table, limits)
    if model.keep != "any" and not state.has_sheet and state.throw_count > 0 and not state.is_over:
        limits = ValueRange(1, min(0, state.turn_points), MAX_POINTS)
        yield Correctable(CorrectionKind.TURN_POINTS, None, (state.turn_points,), limits)
    if state.has_sheet:
        for q in (state.active_seat, *state.list_others(state.active_seat)):
            yield from _list_boxes(state, q)
    else:
        if model.rounds.points:
            yield from list_by_seat(CorrectionKind.ROUND_POINTS, state.round_points, 0, MAX_POINTS)
        yield from list_by_seat(CorrectionKind.TOTAL, state.points, -MAX_TOTAL, MAX_TOTAL)
    if state.is_over:
        return
    yield Correctable(CommonCorrection.ACTIVE, None, (state.active_seat,), ValueRange(1, 0, state.player_count - 1))
    last = max(model.rounds.count or MAX_ROUND, state.round_number)
    yield Correctable(CorrectionKind.CURRENT_ROUND, None, (state.round_number,), ValueRange(1, 1, last))
    yield from list_by_seat(CommonCorrection.AWAY, state.away, 0, 1)


def _list_boxes(state: DiceGameState, seat: Seat) -> Iterator[Correctable]:
    for i, points in enumerate(state.boxes[seat], 1):
        value = OPEN_BOX if points is None else points
        limits = ValueRange(1, min(OPEN_BOX, value), max(MAX_BOX_POINTS, value))
        yield Correctable(CorrectionKind.BOX, seat, (value,), limits, (i,))


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
    value = correction.value[0]
    match correction.kind, correction.seat:
        case CorrectionKind.DICE, _:
            same = sorted(correction.value) == sorted(state.table)
            return state if same else settle_throw(replace(state, table=correction.value))
        case CorrectionKind.TURN_POINTS, _:
            return replace(state, turn_points=value)
        case CorrectionKind.CURRENT_ROUND, _:
            return replace(state, round_number=value)
        case CommonCorrection.ACTIVE, _:
            return _set_active(state, Seat(value))
        case CommonCorrection.AWAY, int() as seat:
            return _set_away(state, seat, bool(value))
        case CorrectionKind.TOTAL, int() as seat:
            return replace(state, points=replace_at(state.points, seat, value))
        case CorrectionKind.ROUND_POINTS, int() as seat:
            return replace(state, round_points=replace_at(state.round_points, seat, value))
        case CorrectionKind.BOX, int() as seat:
            return _set_box(state, seat, correction.index[0] - 1, None if value == OPEN_BOX else value)
    raise AssertionError(f"{correction} is not listed")


def _set_active(state: StateT, seat: Seat) -> StateT:
    if seat == state.active_seat:
        return state
    if state.away[seat]:
        raise BadCorrection("G50", _("{who} is away"), {"who": seat})
    if state.has_sheet and not state.list_open_boxes(seat):
        raise BadCorrection("G42", _("{who} has filled all boxes"), {"who": seat})
    return replace(begin_turn(state, seat), has_acted=replace_at(state.has_acted, seat, False))


def _set_box(state: StateT, seat: Seat, index: int, points: int | None) -> StateT:
    """A player whose last open box is filled by a correction in the own turn has no turn left."""
    if points == state.boxes[seat][index]:
        return state
    state = replace(state, boxes=replace_at(state.boxes, seat, replace_at(state.boxes[seat], index, points)))
    if not state.is_over and seat == state.active_seat and not state.open_boxes:
        return pass_turn(replace(state, has_acted=replace_at(state.has_acted, seat, True)), seat)
    return state


def _set_away(state: StateT, seat: Seat, is_away: bool) -> StateT:
    """G50: the turn of a player who leaves passes on without points."""
    if is_away == state.away[seat]:
        return state
    if is_away and len(state.present_seats) == 1:
        raise BadCorrection("G50", _("somebody has to stay"))
    state = state.set_away(seat, is_away)
    return pass_turn(state, seat) if is_away and state.active_seat == seat else state
