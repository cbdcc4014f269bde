"""How a Secret Number position changes: what each move does, and what then follows by itself."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from companion.games.api.game import Move, Seat
from companion.games.secret_number.settings import ROUNDS
from companion.games.secret_number.state import AT_REVEAL, Position
from companion.games.secret_number.view import Phase

P = TypeVar("P", bound=Position)


def step(p: P, move: Move) -> P:
    """The position after a legal `move`, all but `changes`."""
    match move.kind:
        case "again":  # S4
            return replace(p, deals=p.deals + 1)
        case "dealt" | "wait":
            return replace(p, phase=Phase.PREPARE)
        case "ready":
            return replace(p, phase=Phase.SHOW if p.settings.show_seconds else Phase.ROUND)
        case "go":
            return replace(p, phase=Phase.ROUND)
        case "end":  # S23, S24
            if p.round < ROUNDS:
                return replace(p, phase=Phase.PREPARE, round=p.round + 1)
            return settle(replace(p, phase=Phase.REVEAL))
        case "right" | "wrong":
            return settle(replace(p, marks=(*p.marks, move.kind == "right")))
        case "next":
            return _next(p)
        case _:
            return _fixed(p, move)


def _fixed(p: P, move: Move) -> P:
    """S25, and what else belongs to one player."""
    match move.kind:
        case "fix":
            return replace(p, phase=Phase.FIX)
        case "back":
            return settle(replace(p, phase=Phase.REVEAL))
        case "earlier":
            return replace(p, marks=p.marks[:-1])
        case "remove":
            return replace(p, piles=without(p.piles, len(p.marks)))
    assert move.seat is not None, f"{move.kind} belongs to a seat"
    match move.kind:
        case "lay":
            return replace(p, piles=on_top(p, p.round, move.seat))
        case "insert":
            return replace(p, piles=_inserted(p, move.seat))
        case _:
            bonuses = tuple(move.value[0] if q == move.seat else b for q, b in enumerate(p.bonuses))
            return settle(replace(p, bonuses=bonuses))


def settle(p: P) -> P:
    """S30 to S35: how far the reveal has come, and what is to be done next."""
    if p.phase not in AT_REVEAL or p.phase is Phase.FIX:
        return p
    # S35: who was right has no second right card, so nobody needs to be asked.
    while p.next_card is not None and p.next_card[1] in p.right:
        p = replace(p, marks=(*p.marks, False))
    if p.next_card is not None:
        return replace(p, phase=Phase.REVEAL)
    bonuses = tuple(b if q in p.right else 0 for q, b in enumerate(p.bonuses))
    p = replace(p, bonuses=bonuses, phase=Phase.BONUS)
    return p if p.asked is not None else replace(p, phase=Phase.RESULT)


def _next(p: P) -> P:
    """S6, A9: the next game, or the end; the result of this one is kept."""
    p = replace(p, earlier=(*p.earlier, tuple(tally.total for tally in p.tallies)))
    p = replace(p, piles=((),) * ROUNDS, marks=(), bonuses=(0,) * p.players)
    if p.game == p.settings.games:
        return replace(p, phase=Phase.OVER)
    return replace(p, phase=Phase.DEAL, game=p.game + 1, round=1, deals=1, playing=p.present)


def on_top(p: Position, round_: int, seat: Seat) -> tuple[tuple[Seat, ...], ...]:
    """The piles with one card more on that of a round."""
    return tuple((*pile, seat) if r == round_ else pile for r, pile in enumerate(p.piles, start=1))


def _inserted(p: Position, seat: Seat) -> tuple[tuple[Seat, ...], ...]:
    """The piles with a card under the next one, in its round; at the end of the last round if all are turned."""
    if p.next_card is None:
        return on_top(p, ROUNDS, seat)
    place = len(p.marks)
    piles = []
    for pile in p.piles:
        piles.append((*pile[:place], seat, *pile[place:]) if 0 <= place < len(pile) else pile)
        place -= len(pile)
    return tuple(piles)


def without(piles: tuple[tuple[Seat, ...], ...], place: int) -> tuple[tuple[Seat, ...], ...]:
    """The piles without the card at `place`, counted over all rounds from 0."""
    left = []
    for pile in piles:
        left.append((*pile[:place], *pile[place + 1 :]) if 0 <= place < len(pile) else pile)
        place -= len(pile)
    return tuple(left)
