"""How a Memo Dice position changes: what each move does, and what then follows by itself."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from companion.games.api.game import Move, Seat
from companion.games.memo_dice.state import Position
from companion.games.memo_dice.view import Colour, Cup, Phase

P = TypeVar("P", bound=Position)


def step(p: P, move: Move) -> P:
    """The position after a legal `move`."""
    match move.kind:
        case "die":
            return _rolled(p, Colour(move.value[0]))
        case "gold":
            return _rolled(p, Colour.GOLD)
        case "show":
            return replace(p, stage=Phase.LOOK, looking=Colour(move.value[0]), seen=True)
        case "show gold":
            return replace(p, stage=Phase.LOOK, looking=Colour.GOLD, seen=True)
        case "cover":
            assert p.looking is not None, "a die lies open"
            return _cover(p, p.looking)
        case "call":
            return replace(p, called=True)
        case "lift":
            return replace(p, lifted=True)
        case "right":
            return _take(p, p.active, then=p.active)
        case "miss":
            left = p.left_of(p.active)
            return _take(p, left, then=left)
        case _:
            return replace(p, stage=Phase.COVER, row=(), looking=None, called=False, lifted=False)


def _rolled(p: P, cup: Colour) -> P:
    """D10: with the house timer the die lies open for a while; else all have looked when its colour is pressed."""
    if p.settings.memorise_seconds:
        return replace(p, stage=Phase.LOOK, looking=cup)
    return _cover(p, cup)


def _cover(p: P, colour: Colour) -> P:
    """D12 to D14; D20: who places the golden cup begins to guess."""
    face = len(p.row) + 1 if p.seen else 0
    p = replace(p, stage=Phase.COVER, looking=None, seen=False, row=(*p.row, Cup(colour, face=face)))
    if colour is Colour.GOLD:
        return replace(p, stage=Phase.UNCOVER, called=False)
    return replace(p, active=p.left_of(p.active))


def _take(p: P, seat: Seat, then: Seat) -> P:
    """D22, D23: the next cup is `seat`'s, and `then` goes on; after the last cup the round is scored."""
    i = p.next_cup
    assert i is not None, "a cup is down"
    p = with_cup(p, i, replace(p.row[i], taker=seat))
    p = replace(p, active=then, called=False, lifted=False)
    return _score(p) if i == len(p.row) - 1 else p


def _score(p: P) -> P:
    """D31; D33: who holds the golden cup starts the next round."""
    return starting(replace(p, stage=Phase.SCORED, rounds=(*p.rounds, p.points)))


def starting(p: P) -> P:
    """D33: the holder of the golden cup is on turn, or whoever sits next to him if he has left."""
    holder = p.gold_holder
    assert holder is not None, "all cups are won"
    return replace(p, active=p.left_of(holder) if p.away[holder] else holder)


def with_cup(p: P, i: int, cup: Cup) -> P:
    """The position with cup `i` of the row replaced."""
    return replace(p, row=(*p.row[:i], cup, *p.row[i + 1 :]))
