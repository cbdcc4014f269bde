"""How a StarFall game changes: what each move does, and what then follows by itself."""

from dataclasses import replace
from typing import TypeVar

from companion.api import Move, Seat, replace_at
from companion.games.starfall import payment_rules
from companion.games.starfall.settings import SYMBOLS
from companion.games.starfall.state import MoveKind, OwnedTile, Payment, StarFallState

StateT = TypeVar("StateT", bound=StarFallState)


def apply_move(state: StateT, move: Move) -> StateT:
    """Return the state after `move`, with `changes` as before: `BaseGame.play` computes them.

    `move` must be legal in `state`, with its value filled in. This is not checked here: another move gives a wrong
    state or any error.
    """
    answers = state.naming_answers
    match move.kind:
        case MoveKind.ADD | MoveKind.MOVE | MoveKind.DISCOVER | MoveKind.PAY:
            return open_last_count_page(_apply_turn(state, move))
        case MoveKind.NAME:
            return replace(state, naming_answers=(), key_page=0)
        case MoveKind.NARROW:
            return replace(state, naming_answers=(*(answers or ()), move.value[0]))
        case MoveKind.BACK:
            return replace(state, naming_answers=answers[:-1] if answers else None)
        case MoveKind.PAGE:
            count = state.board_page_count
            if state.payment is not None:
                count = len(payment_rules.list_key_pages(state, state.payment))
            return replace(state, key_page=(state.key_page + 1) % count)
        case MoveKind.CANCEL:
            return replace(state, payment=None, key_page=0)
        case MoveKind.WITH | MoveKind.WITHOUT | MoveKind.DUST if state.payment is not None:
            return _change_payment(state, move, state.payment)
        case MoveKind.FINISH:
            return replace(state, scores_confirmed=True)
        case MoveKind.ACCEPT:
            return _accept_proposals(state)
    assert move.seat is not None, f"{move} belongs to a seat"
    return _change_counts(state, move, move.seat)


def _apply_turn(state: StateT, move: Move) -> StateT:
    space = move.value[0] if move.value else 0
    match move.kind:
        case MoveKind.ADD:  # F10
            board = sorted((*state.board, (state.next_free_space, move.value[0])), reverse=True)
            state = replace(state, board=tuple(board), pile_size=state.pile_size - 1)
        case MoveKind.MOVE:
            state = _move_tile(state, space)
        case MoveKind.DISCOVER if space and state.owned_tiles[state.active_seat]:
            return replace(state, payment=Payment(space), key_page=0)
        case _:
            state = _take_tile(state, state.payment or Payment(space))
    # F3: clockwise, past those who are away.
    return replace(
        state,
        active_seat=state.find_next_seat(state.active_seat),
        turn_number=state.turn_number + 1,
        payment=None,
        naming_answers=None,
        key_page=0,
    )


def _move_tile(state: StateT, space: int) -> StateT:
    """F11, A5, A6."""
    number, landing_space = dict(state.board)[space], state.find_landing_space(space)
    others = tuple(tile for tile in state.board if tile[0] != space)
    if landing_space is None:
        return replace(state, board=others, discarded=(*state.discarded, number))
    return replace(state, board=tuple(sorted((*others, (landing_space, number)), reverse=True)))


def _take_tile(state: StateT, payment: Payment) -> StateT:
    """F12 to F14: the payment goes, the tile comes."""
    seat, space = state.active_seat, payment.space
    dust, whites = payment_rules.pay_tokens(state, seat, payment_rules.get_dust(state, payment))
    own = list(state.owned_tiles[seat])
    for given in payment.tiles:
        own.remove(given.tile)
    own.append(OwnedTile(dict(state.board)[space], space))
    return replace(
        state,
        dust=replace_at(state.dust, seat, dust),
        white_tokens=replace_at(state.white_tokens, seat, whites),
        owned_tiles=replace_at(state.owned_tiles, seat, tuple(own)),
        board=tuple(tile for tile in state.board if tile[0] != space),
        discarded=(*state.discarded, *(given.tile.tile_number for given in payment.tiles)),
    )


def _change_payment(state: StateT, move: Move, payment: Payment) -> StateT:
    """F13. When no stars are stated, or a tile must go back, the keys go on with the dust, on the last page."""
    if move.kind == MoveKind.DUST:
        return replace(state, payment=replace(payment, stated_dust=move.value[0]))
    tiles, is_stated = payment.tiles[:-1], False
    if move.kind == MoveKind.WITH:
        given = payment_rules.make_paid_tile(state, *move.value)
        tiles, is_stated = (*payment.tiles, given), given.value is not None
    payment = replace(payment, tiles=tiles)
    is_unneeded = payment_rules.find_unneeded_tile(state, payment) is not None
    page = 0 if is_stated and not is_unneeded else len(payment_rules.list_key_pages(state, payment)) - 1
    return replace(state, payment=payment, key_page=page)


# After the end ---------------------------------------------------------------------------------------------------


def _accept_proposals(state: StateT) -> StateT:
    seats = state.seats_with_proposal
    counts = tuple(state.sum_known_symbols(q) if q in seats else held for q, held in enumerate(state.symbol_counts))
    counted = tuple(is_counted or q in seats for q, is_counted in enumerate(state.counted))
    return open_last_count_page(replace(state, symbol_counts=counts, counted=counted))


def _change_counts(state: StateT, move: Move, seat: Seat) -> StateT:
    """F30: a player's page is filled line by line."""
    line, counts = state.line_index, state.symbol_counts
    match move.kind:
        case MoveKind.COUNT:
            return open_count_page(state, seat)
        case MoveKind.MORE | MoveKind.LESS:
            change = move.value[0] if move.kind == MoveKind.MORE else -1
            page = replace_at(counts[seat], line, counts[seat][line] + change)
            return replace(state, symbol_counts=replace_at(counts, seat, page))
        case MoveKind.BACK_LINE:
            return replace(state, line_index=line - 1)
        case MoveKind.LEAVE:
            return replace(state, counting_seat=None, line_index=0)
        case MoveKind.NEXT_LINE if line < len(SYMBOLS) - 1:
            return replace(state, line_index=line + 1)
        case _:
            counted = replace_at(state.counted, seat, True)
            return open_last_count_page(replace(state, counting_seat=None, line_index=0, counted=counted))


def open_count_page(state: StateT, seat: Seat) -> StateT:
    """Return the state with the counting page of `seat` open at its first line.

    If nothing is counted yet, the page starts with the symbols that the catalogue knows. A player who was counted stays
    counted, so that one line can be corrected without going through all of them.
    """
    counts = state.symbol_counts
    if not state.counted[seat] and not any(counts[seat]):
        counts = replace_at(counts, seat, state.sum_known_symbols(seat))
    return replace(state, symbol_counts=counts, counting_seat=seat, line_index=0, scores_confirmed=False)


def open_last_count_page(state: StateT) -> StateT:
    """Return the state with the page of the only player still to be counted open.

    With several or none, `state` itself.
    """
    waiting = [q for q in state.seats_to_count if not state.counted[q]]
    is_clear = state.end_reason and state.counting_seat is None and len(waiting) == 1
    return open_count_page(state, waiting[0]) if is_clear and not state.seats_with_proposal else state


def reset_counts(state: StateT) -> StateT:
    """Return the state with nothing counted and no corrected totals, for a game that has just ended.

    The same for one that goes on after a correction.
    """
    return replace(
        state,
        symbol_counts=((0,) * len(SYMBOLS),) * state.player_count,
        counted=(False,) * state.player_count,
        counting_seat=None,
        line_index=0,
        total_adjustments=(0,) * state.player_count,
        scores_confirmed=False,
    )
