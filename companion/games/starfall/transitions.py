"""How a StarFall position changes: what each move does, and what then follows by itself."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from companion.games.api.game import Move, Seat
from companion.games.starfall import payment as payments
from companion.games.starfall.state import Owned, Payment, Position
from companion.games.starfall.view import LINES

P = TypeVar("P", bound=Position)
T = TypeVar("T")


def step(p: P, move: Move) -> P:
    """The position after a legal `move`, all but `changes`."""
    match move.kind:
        case "add" | "move" | "discover" | "pay":
            return opened(_turn(p, move))
        case "name":
            return replace(p, naming=(), page=0)
        case "narrow":
            return replace(p, naming=(*(p.naming or ()), move.value[0]))
        case "back":
            return replace(p, naming=p.naming[:-1] if p.naming else None)
        case "page":
            count = len(payments.pages(p, p.payment)) if p.payment else p.board_pages
            return replace(p, page=(p.page + 1) % count)
        case "with" | "without" | "dust" | "cancel":
            return _payment(p, move)
        case _:
            return _counting(p, move)


def _turn(p: P, move: Move) -> P:
    match move.kind:
        case "add":
            return _next_turn(_add(p, move.value[0]))
        case "move":
            return _next_turn(_move(p, move.value[0]))
        case "discover":
            space = move.value[0]
            if space == 0 or not p.tiles[p.active]:
                return _next_turn(_take(p, Payment(space)))
            return replace(p, payment=Payment(space), page=0)
        case _:
            assert p.payment is not None, "only what is being paid can be paid"
            return _next_turn(_take(p, p.payment))


def _add(p: P, number: int) -> P:
    """F10."""
    board = sorted((*p.board, (p.next_free, number)), reverse=True)
    return replace(p, board=tuple(board), pile=p.pile - 1)


def _move(p: P, space: int) -> P:
    """F11, A5, A6."""
    number, lands = p.number_at(space), p.lands(space)
    others = [tile for tile in p.board if tile[0] != space]
    if lands is None:
        return replace(p, board=tuple(others), gone=(*p.gone, number))
    return replace(p, board=tuple(sorted((*others, (lands, number)), reverse=True)))


def _take(p: P, payment: Payment) -> P:
    """F12 to F14: the payment goes, the tile comes."""
    seat, space = p.active, payment.space
    dust, whites = payments.tokens(p, seat, payments.dust_of(p, payment))
    own = list(p.tiles[seat])
    for given in payment.tiles:
        own.remove(given.tile)
    own.append(Owned(p.number_at(space), space))
    return replace(
        p,
        dust=put(p.dust, seat, dust),
        whites=put(p.whites, seat, whites),
        tiles=put(p.tiles, seat, tuple(own)),
        board=tuple(tile for tile in p.board if tile[0] != space),
        gone=(*p.gone, *(given.tile.number for given in payment.tiles)),
    )


def _next_turn(p: P) -> P:
    """F3: clockwise, past those who are away."""
    return replace(p, active=after(p, p.active), turn=p.turn + 1, payment=None, naming=None, page=0)


def after(p: Position, seat: int) -> Seat:
    """Whose turn follows that of `seat`."""
    clockwise = (Seat((seat + i) % p.players) for i in range(1, p.players + 1))
    return next(q for q in clockwise if not p.away[q])


def _payment(p: P, move: Move) -> P:
    assert p.payment is not None, "nothing is being paid"
    match move.kind:
        case "with":
            given = payments.paid(p, *move.value)
            payment = replace(p.payment, tiles=(*p.payment.tiles, given))
            # Who says no stars goes on with the dust, on the last page.
            page = 0 if given.worth is not None else len(payments.pages(p, payment)) - 1
            return replace(p, payment=payment, page=page)
        case "without":
            payment = replace(p.payment, tiles=p.payment.tiles[:-1])
            return replace(p, payment=payment, page=len(payments.pages(p, payment)) - 1)
        case "dust":
            return replace(p, payment=replace(p.payment, said=move.value[0]))
        case _:
            return replace(p, payment=None, page=0)


# After the end ---------------------------------------------------------------------------------------------------


def _counting(p: P, move: Move) -> P:
    match move.kind:
        case "finish":
            return replace(p, settled=True)
        case "accept":
            agreed = p.proposals
            counts = tuple(p.proposed(q) if q in agreed else counts for q, counts in enumerate(p.counts))
            return opened(replace(p, counts=counts, counted=_each(p.counted, agreed, True)))
    assert move.seat is not None, f"{move.kind} belongs to a seat"
    seat, line = move.seat, p.line
    held = p.counts[seat]
    match move.kind:
        case "count":
            return open_page(p, seat)
        case "more":
            return replace(p, counts=put(p.counts, seat, put(held, line, held[line] + move.value[0])))
        case "less":
            return replace(p, counts=put(p.counts, seat, put(held, line, held[line] - 1)))
        case "back line":
            return replace(p, line=line - 1)
        case "leave":
            return replace(p, counting=None, line=0)
        case _:
            if move.kind == "next line" and line < len(LINES) - 1:
                return replace(p, line=line + 1)
            return opened(replace(p, counting=None, line=0, counted=put(p.counted, seat, True)))


def open_page(p: P, seat: int) -> P:
    """A page is opened at its first line; if it was not filled yet, with what the catalogue knows.

    Who was counted already stays so meanwhile: one line can be put right without going through all of them.
    """
    fresh = not p.counted[seat] and not any(p.counts[seat])
    counts = put(p.counts, seat, p.proposed(seat)) if fresh else p.counts
    return replace(p, counts=counts, counting=Seat(seat), line=0, settled=False)


def opened(p: P) -> P:
    """Where only one player is still to be counted, nobody need say who."""
    waiting = [q for q in p.present if not p.counted[q]]
    if p.ended and p.counting is None and len(waiting) == 1 and not p.proposals:
        return open_page(p, waiting[0])
    return p


def uncounted(p: P) -> P:
    """Nothing is counted yet: the game has just ended, or goes on after all."""
    return replace(
        p,
        counts=((0,) * len(LINES),) * p.players,
        counted=(False,) * p.players,
        counting=None,
        line=0,
        put_right=(0,) * p.players,
        settled=False,
    )


def put(values: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    """`values` with another one at `place`."""
    return (*values[:place], value, *values[place + 1 :])


def _each(values: tuple[bool, ...], places: tuple[Seat, ...], value: bool) -> tuple[bool, ...]:
    return tuple(value if i in places else v for i, v in enumerate(values))
