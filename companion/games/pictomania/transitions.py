"""How a Pictomania position changes: what each move does, and what then follows by itself."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from companion.games.api.game import Move, Seat
from companion.games.pictomania.state import UNKNOWN, Card, Position
from companion.games.pictomania.view import Phase

P = TypeVar("P", bound=Position)


def step(p: P, move: Move) -> P:
    """The position after a legal `move`, all but `changes`."""
    match move.kind:
        case "colour":
            return replace(p, difficulty=(p.difficulty + 1) % len(p.colours))
        case "deal":
            return replace(p, phase=Phase.READING)
        case "start":
            return replace(p, phase=Phase.START)
        case "go":
            return _go(p)
        case "stop":
            return replace(p, phase=Phase.STOP)
        case "score":
            return replace(p, phase=Phase.SCORING, at=0)
        case "next":
            return _next_pile(p)
        case "back":
            return open_pile(p, p.at - (p.phase is Phase.SCORING))
        case "next_round":
            return _next_round(p)
    assert move.seat is not None, f"{move.kind} belongs to a seat"
    match move.kind:
        case "take":
            return settle(replace(p, bonus=_put(p.bonus, move.seat, p.left[0])))
        case "misdrawn":
            cleared = _put(p.piles, move.seat, ())  # P31: all cards go back
            return replace(p, piles=cleared, misdrawn=_put(p.misdrawn, move.seat, True))
        case "drawn":
            return replace(p, misdrawn=_put(p.misdrawn, move.seat, False))
        case "number":
            return _number(p, move.seat, move.value[0])
        case _:
            return _card(p, move, move.seat)


def settle(p: P) -> P:
    """P25: with the last token, or with nobody left who could take one, the drawing ends."""
    return p if p.phase is not Phase.DRAWING or (p.left and p.drawing) else replace(p, phase=Phase.STOP)


def open_pile(p: P, at: int) -> P:
    """Back to a pile; from the round's page that takes the round's scores off again."""
    finished = p.finished[:-1] if p.phase is Phase.ROUND else p.finished
    return replace(p, phase=Phase.SCORING, at=at, finished=finished)


def rescored(p: P) -> P:
    """On the round's page: its scores worked out again."""
    return _scored(open_pile(p, p.at)) if p.phase is Phase.ROUND else p


def _go(p: P) -> P:
    return replace(
        p,
        phase=Phase.DRAWING,
        taking_part=p.present,
        bonus=(0,) * p.players,
        piles=((),) * p.players,
        misdrawn=(False,) * p.players,
        numbers=(UNKNOWN,) * p.players,
        at=0,
    )


def _next_pile(p: P) -> P:
    """P30: one pile after the other, then the round's page."""
    return replace(p, at=p.at + 1) if p.at + 1 < len(p.taking_part) else _scored(p)


def _scored(p: P) -> P:
    """P36. Who did not take part has nothing to write down."""
    totals = {line.seat: line.total for line in p.lines}
    scores = tuple(totals.get(Seat(q), 0) for q in range(p.players))
    return replace(p, phase=Phase.ROUND, finished=(*p.finished, scores))


def _next_round(p: P) -> P:
    """P40: all tokens and cards go back."""
    phase = Phase.OVER if len(p.finished) >= p.settings.rounds else Phase.DIFFICULTY
    return replace(p, phase=phase, taking_part=(), bonus=(), piles=(), misdrawn=(), numbers=(), at=0)


def _number(p: P, owner: Seat, number: int) -> P:
    """P30: the number card comes up; cards that were right had that number."""
    pile = tuple(replace(card, number=number) if card.right else card for card in p.piles[owner])
    return replace(p, numbers=_put(p.numbers, owner, number), piles=_put(p.piles, owner, pile))


def _card(p: P, move: Move, guesser: Seat) -> P:
    """P32: a card is entered, changed in its place, or taken off."""
    owner = p.taking_part[p.at]
    number = p.numbers[owner]
    match move.kind:
        case "right":
            card = Card(guesser, True, number)
        case "wrong":
            card = Card(guesser, False)
        case "card":
            card = Card(guesser, move.value[0] == number, move.value[0])  # P22
        case _:
            rest = tuple(c for c in p.piles[owner] if c.guesser != guesser)
            return replace(p, piles=_put(p.piles, owner, rest))
    pile = p.piles[owner]
    known = tuple(card if c.guesser == guesser else c for c in pile)
    return replace(p, piles=_put(p.piles, owner, known if known != pile else (*pile, card)))


T = TypeVar("T")


def _put(by_seat: tuple[T, ...], seat: Seat, value: T) -> tuple[T, ...]:
    return (*by_seat[:seat], value, *by_seat[seat + 1 :])
