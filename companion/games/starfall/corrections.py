"""Corrections of a StarFall game: what people may correct, since the table is right, and what follows."""

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
from companion.games.starfall import transitions
from companion.games.starfall.payment_rules import ORANGE_TOKEN_DUST
from companion.games.starfall.settings import FIRST_NEBULA_INDEX, MAX_SYMBOL_COUNT, TILE_COUNT
from companion.games.starfall.state import UNKNOWN_TILE, CorrectionKind, OwnedTile, Phase, StarFallState
from companion.games.starfall.transitions import StateT
from companion.i18n import Translator

_ = Translator("starfall")

MAX_DUST = 200
"""Stardust of a player that may be entered; as much as the settings allow at the start."""
MIN_TOTAL = -99
"""Lowest total that may be entered."""
MAX_TOTAL = 999
"""Highest total that may be entered; far beyond what a game gives."""
MIN_PLAYERS = 2
"""F3: with fewer players at the table there is no game."""
TURN_PHASES = (Phase.TURN, Phase.NAMING, Phase.PAY)
"""The phases before the end of the game."""


def list_correctables(state: StarFallState) -> Iterator[Correctable]:
    """Yield everything that may be corrected in `state`, with its present value and the values that may be entered.

    The order is that of the menu: recent entries first, then totals, then what is rarely corrected.
    """
    is_turn = state.phase in TURN_PHASES
    if state.phase in (Phase.TABLE, Phase.OVER):
        yield from list_by_seat(CorrectionKind.TOTAL, state.totals, MIN_TOTAL, MAX_TOTAL)
    yield from list_by_seat(CorrectionKind.DUST, state.dust, 0, MAX_DUST)
    if is_turn:
        yield Correctable(CommonCorrection.ACTIVE, None, (state.active_seat,), ValueRange(1, 0, state.player_count - 1))
    else:
        yield from _list_page_correctables(state)
    for spaces in split_spaces(state):
        occupied = tuple(int(space in state.occupied_spaces) for space in spaces)
        value_range = ValueRange(len(spaces), 0, 1)
        yield Correctable(CorrectionKind.SPACES, None, occupied, value_range, (spaces[0], spaces[-1]))
    yield Correctable(CorrectionKind.PILE, None, (state.pile_size,), ValueRange(1, 0, TILE_COUNT))
    if is_turn:
        numbers = ValueRange(1, 0, len(state.settings.catalogue))
        for space, number in state.board if state.settings.catalogue else ():
            yield Correctable(CorrectionKind.TILE, None, (number,), numbers, (space,))
        yield from list_by_seat(CorrectionKind.TILES, map(len, state.owned_tiles), 0, TILE_COUNT)
    yield from list_by_seat(CommonCorrection.AWAY, state.away, 0, 1)


def split_spaces(state: StarFallState) -> tuple[tuple[int, ...], ...]:
    """Return the numbers of all spaces in two halves, dearest first: (9 to 5, 4 to 0).

    A line of the correction menu has at most six values.
    """
    spaces = tuple(range(state.settings.top_space, -1, -1))
    middle = (len(spaces) + 1) // 2
    return spaces[:middle], spaces[middle:]


def _list_page_correctables(state: StarFallState) -> Iterator[Correctable]:
    counts = ValueRange(FIRST_NEBULA_INDEX, 0, MAX_SYMBOL_COUNT)
    for q in state.seats_to_count:
        if state.counted[q]:
            yield Correctable(CorrectionKind.COUNTED, q, (1,), ValueRange(1, 0, 1))
    for q in state.seats_to_count:
        yield Correctable(CorrectionKind.COUNTS, q, state.symbol_counts[q][:FIRST_NEBULA_INDEX], counts)
        yield Correctable(CorrectionKind.NEBULAE, q, state.symbol_counts[q][FIRST_NEBULA_INDEX:], counts)


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
    seat = correction.seat
    after = _correct_table(state, correction) if seat is None else _correct_seat(state, correction, seat)
    if bool(state.end_reason) != bool(after.end_reason):
        after = transitions.reset_counts(_drop_payment(replace(after, naming_answers=None)))
    return transitions.open_last_count_page(after)


def _correct_table(state: StateT, correction: Correction) -> StateT:
    value = correction.value
    match correction.kind:
        case CommonCorrection.ACTIVE:
            seat = Seat(value[0])
            if state.away[seat]:
                raise BadCorrection("F3", _("{who} is away"), {"who": seat})
            return _drop_payment(replace(state, active_seat=seat, naming_answers=None))
        case CorrectionKind.PILE:
            return replace(state, pile_size=value[0], naming_answers=None)
        case CorrectionKind.TILE:
            board = tuple(
                (space, value[0] if space == correction.index[0] else number) for space, number in state.board
            )
            # Other tiles are in the pile than those that were asked about.
            return replace(state, board=board, naming_answers=None)
    first, last = correction.index
    return _set_board(state, dict(zip(range(first, last - 1, -1), map(bool, value), strict=True)))


def _correct_seat(state: StateT, correction: Correction, seat: Seat) -> StateT:
    value, counts = correction.value[0], state.symbol_counts
    match correction.kind:
        case CorrectionKind.DUST:
            # Which tokens make it up is not entered: as many orange ones as before, if they fit.
            orange_tokens = (state.dust[seat] - state.white_tokens[seat]) // ORANGE_TOKEN_DUST
            whites = value - ORANGE_TOKEN_DUST * min(orange_tokens, value // ORANGE_TOKEN_DUST)
            state = replace(state, white_tokens=replace_at(state.white_tokens, seat, whites))
            return _keep_payment(replace(state, dust=replace_at(state.dust, seat, value)))
        case CorrectionKind.TILES:
            own = state.owned_tiles[seat][:value]
            own += (OwnedTile(UNKNOWN_TILE, None),) * (value - len(own))
            return _drop_payment(
                replace(state, owned_tiles=replace_at(state.owned_tiles, seat, own), naming_answers=None)
            )
        case CorrectionKind.TOTAL:
            adjustment = state.total_adjustments[seat] + value - state.totals[seat]
            return replace(state, total_adjustments=replace_at(state.total_adjustments, seat, adjustment))
        case CorrectionKind.COUNTED:
            return state if value else transitions.open_count_page(state, seat)
        case CorrectionKind.COUNTS:
            page = (*correction.value, *counts[seat][FIRST_NEBULA_INDEX:])
            return replace(state, symbol_counts=replace_at(counts, seat, page))
        case CorrectionKind.NEBULAE:
            page = (*counts[seat][:FIRST_NEBULA_INDEX], *correction.value)
            return replace(state, symbol_counts=replace_at(counts, seat, page))
        case _:
            return _set_away(state, seat, bool(value))


def _set_away(state: StateT, seat: Seat, is_away: bool) -> StateT:
    """A player who is away is not asked and does not prevent the end (F21); tiles and stardust still count (F37)."""
    state = state.set_away(seat, is_away)
    if is_away and len(state.present_seats) < MIN_PLAYERS:
        raise BadCorrection("F3", _("{n} players must stay: set the game aside instead"), n=MIN_PLAYERS)
    if state.away[state.active_seat]:
        next_seat = state.find_next_seat(state.active_seat)
        state = _drop_payment(replace(state, active_seat=next_seat, naming_answers=None))
    if state.counting_seat is not None and state.counting_seat not in state.seats_to_count:
        state = replace(state, counting_seat=None, line_index=0)
    return state


def _set_board(state: StateT, occupied: dict[int, bool]) -> StateT:
    """Tiles stand elsewhere, or more or fewer of them. As many as before are thought to be the same ones."""
    lost = [number for space, number in state.board if not occupied.get(space, True)]
    found = [space for space, is_occupied in occupied.items() if is_occupied and space not in state.occupied_spaces]
    numbers = lost if len(lost) == len(found) else [UNKNOWN_TILE] * len(found)
    kept = [tile for tile in state.board if occupied.get(tile[0], True)]
    board = tuple(sorted((*kept, *zip(found, numbers, strict=True)), reverse=True))
    if len(board) > state.settings.top_space:
        raise BadCorrection("F10", _("one space at least is empty"))
    return _keep_payment(replace(state, board=board, naming_answers=None))


def _keep_payment(state: StateT) -> StateT:
    """A payment goes on if its tile is still there and can be paid."""
    payment = state.payment
    if payment and payment.space in state.occupied_spaces and state.can_pay_for(payment.space):
        return state
    return _drop_payment(state)


def _drop_payment(state: StateT) -> StateT:
    return replace(state, payment=None, key_page=0)
