"""How a StarFall position changes: what each move does, and what then follows by itself."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from companion.games.api.game import Move, Seat
from companion.games.starfall import payment as payments
from companion.games.starfall.state import OwnedTile, Payment, Position
from companion.games.starfall.view import SYMBOLS

P = TypeVar("P", bound=Position)
T = TypeVar("T")


def apply_move(p: P, move: Move) -> P:
    """The position after a legal `move`, all but `changes`."""
    match move.kind:
        case "add" | "move" | "discover" | "pay":
            return open_last_count_page(_apply_turn(p, move))
        case "name":
            return replace(p, naming_answers=(), key_page=0)
        case "narrow":
            return replace(p, naming_answers=(*(p.naming_answers or ()), move.value[0]))
        case "back":
            return replace(p, naming_answers=p.naming_answers[:-1] if p.naming_answers else None)
        case "page":
            count = len(payments.list_key_pages(p, p.payment)) if p.payment else p.board_page_count
            return replace(p, key_page=(p.key_page + 1) % count)
        case "with" | "without" | "dust" | "cancel":
            return _change_payment(p, move)
        case _:
            return _change_counts(p, move)


def _apply_turn(p: P, move: Move) -> P:
    match move.kind:
        case "add":
            return _pass_turn(_add_tile(p, move.value[0]))
        case "move":
            return _pass_turn(_move_tile(p, move.value[0]))
        case "discover":
            space = move.value[0]
            if space == 0 or not p.owned_tiles[p.active_seat]:
                return _pass_turn(_take_tile(p, Payment(space)))
            return replace(p, payment=Payment(space), key_page=0)
        case _:
            assert p.payment is not None, "only what is being paid can be paid"
            return _pass_turn(_take_tile(p, p.payment))


def _add_tile(p: P, number: int) -> P:
    """F10."""
    board = sorted((*p.board, (p.next_free_space, number)), reverse=True)
    return replace(p, board=tuple(board), pile_size=p.pile_size - 1)


def _move_tile(p: P, space: int) -> P:
    """F11, A5, A6."""
    number, lands = p.get_tile_number(space), p.find_landing_space(space)
    others = [tile for tile in p.board if tile[0] != space]
    if lands is None:
        return replace(p, board=tuple(others), discarded=(*p.discarded, number))
    return replace(p, board=tuple(sorted((*others, (lands, number)), reverse=True)))


def _take_tile(p: P, payment: Payment) -> P:
    """F12 to F14: the payment goes, the tile comes."""
    seat, space = p.active_seat, payment.space
    dust, whites = payments.pay_tokens(p, seat, payments.get_dust(p, payment))
    own = list(p.owned_tiles[seat])
    for given in payment.tiles:
        own.remove(given.tile)
    own.append(OwnedTile(p.get_tile_number(space), space))
    return replace(
        p,
        dust=replace_at(p.dust, seat, dust),
        white_tokens=replace_at(p.white_tokens, seat, whites),
        owned_tiles=replace_at(p.owned_tiles, seat, tuple(own)),
        board=tuple(tile for tile in p.board if tile[0] != space),
        discarded=(*p.discarded, *(given.tile.tile_number for given in payment.tiles)),
    )


def _pass_turn(p: P) -> P:
    """F3: clockwise, past those who are away."""
    return replace(
        p,
        active_seat=find_next_seat(p, p.active_seat),
        turn_number=p.turn_number + 1,
        payment=None,
        naming_answers=None,
        key_page=0,
    )


def find_next_seat(p: Position, seat: int) -> Seat:
    """Whose turn follows that of `seat`."""
    clockwise = (Seat((seat + i) % p.player_count) for i in range(1, p.player_count + 1))
    return next(q for q in clockwise if not p.away[q])


def _change_payment(p: P, move: Move) -> P:
    assert p.payment is not None, "nothing is being paid"
    match move.kind:
        case "with":
            given = payments.make_paid_tile(p, *move.value)
            payment = replace(p.payment, tiles=(*p.payment.tiles, given))
            # Who says no stars goes on with the dust, on the last page.
            page = 0 if given.value is not None else len(payments.list_key_pages(p, payment)) - 1
            return replace(p, payment=payment, key_page=page)
        case "without":
            payment = replace(p.payment, tiles=p.payment.tiles[:-1])
            return replace(p, payment=payment, key_page=len(payments.list_key_pages(p, payment)) - 1)
        case "dust":
            return replace(p, payment=replace(p.payment, stated_dust=move.value[0]))
        case _:
            return replace(p, payment=None, key_page=0)


# After the end ---------------------------------------------------------------------------------------------------


def _change_counts(p: P, move: Move) -> P:
    match move.kind:
        case "finish":
            return replace(p, scores_confirmed=True)
        case "accept":
            agreed = p.seats_with_proposal
            counts = tuple(
                p.sum_known_symbols(q) if q in agreed else counts for q, counts in enumerate(p.symbol_counts)
            )
            return open_last_count_page(replace(p, symbol_counts=counts, counted=_each(p.counted, agreed, True)))
    assert move.seat is not None, f"{move.kind} belongs to a seat"
    seat, line = move.seat, p.line_index
    held = p.symbol_counts[seat]
    match move.kind:
        case "count":
            return open_count_page(p, seat)
        case "more":
            return replace(
                p, symbol_counts=replace_at(p.symbol_counts, seat, replace_at(held, line, held[line] + move.value[0]))
            )
        case "less":
            return replace(p, symbol_counts=replace_at(p.symbol_counts, seat, replace_at(held, line, held[line] - 1)))
        case "back line":
            return replace(p, line_index=line - 1)
        case "leave":
            return replace(p, counting_seat=None, line_index=0)
        case _:
            if move.kind == "next line" and line < len(SYMBOLS) - 1:
                return replace(p, line_index=line + 1)
            return open_last_count_page(
                replace(p, counting_seat=None, line_index=0, counted=replace_at(p.counted, seat, True))
            )


def open_count_page(p: P, seat: int) -> P:
    """A page is opened at its first line; if it was not filled yet, with what the catalogue knows.

    Who was counted already stays so meanwhile: one line can be put right without going through all of them.
    """
    fresh = not p.counted[seat] and not any(p.symbol_counts[seat])
    counts = replace_at(p.symbol_counts, seat, p.sum_known_symbols(seat)) if fresh else p.symbol_counts
    return replace(p, symbol_counts=counts, counting_seat=Seat(seat), line_index=0, scores_confirmed=False)


def open_last_count_page(p: P) -> P:
    """Where only one player is still to be counted, nobody need say who."""
    waiting = [q for q in p.present_seats if not p.counted[q]]
    if p.ended and p.counting_seat is None and len(waiting) == 1 and not p.seats_with_proposal:
        return open_count_page(p, waiting[0])
    return p


def reset_counts(p: P) -> P:
    """Nothing is counted yet: the game has just ended, or goes on after all."""
    return replace(
        p,
        symbol_counts=((0,) * len(SYMBOLS),) * p.player_count,
        counted=(False,) * p.player_count,
        counting_seat=None,
        line_index=0,
        total_adjustments=(0,) * p.player_count,
        scores_confirmed=False,
    )


def replace_at(values: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    """`values` with another one at `place`."""
    return (*values[:place], value, *values[place + 1 :])


def _each(values: tuple[bool, ...], places: tuple[Seat, ...], value: bool) -> tuple[bool, ...]:
    return tuple(value if i in places else v for i, v in enumerate(values))
