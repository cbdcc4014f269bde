"""How a Memo Dice position changes: what each move does, and what then follows by itself."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from companion.games.api.game import Move, Seat
from companion.games.memo_dice.state import MemoDiceState
from companion.games.memo_dice.view import Cup, CupColour, Phase

StateT = TypeVar("StateT", bound=MemoDiceState)


def apply_move(p: StateT, move: Move) -> StateT:
    """The position after a legal `move`."""
    match move.kind:
        case "die":
            return _rolled(p, CupColour(move.value[0]))
        case "gold":
            return _rolled(p, CupColour.GOLD)
        case "show":
            return replace(p, stage=Phase.LOOK, open_colour=CupColour(move.value[0]), read_by_camera=True)
        case "show gold":
            return replace(p, stage=Phase.LOOK, open_colour=CupColour.GOLD, read_by_camera=True)
        case "cover":
            assert p.open_colour is not None, "a die lies open"
            return _cover(p, p.open_colour)
        case "call":
            return replace(p, symbol_named=True)
        case "lift":
            return replace(p, cup_lifted=True)
        case "right":
            return _take(p, p.active_seat, then=p.active_seat)
        case "miss":
            left = p.left_of(p.active_seat)
            return _take(p, left, then=left)
        case _:
            return replace(p, stage=Phase.COVER, cup_row=(), open_colour=None, symbol_named=False, cup_lifted=False)


def _rolled(p: StateT, cup: CupColour) -> StateT:
    """D10: with the house timer the die lies open for a while; else all have looked when its colour is pressed."""
    if p.settings.memorise_seconds:
        return replace(p, stage=Phase.LOOK, open_colour=cup)
    return _cover(p, cup)


def _cover(p: StateT, colour: CupColour) -> StateT:
    """D12 to D14; D20: who places the golden cup begins to guess."""
    face = len(p.cup_row) + 1 if p.read_by_camera else 0
    p = replace(
        p,
        stage=Phase.COVER,
        open_colour=None,
        read_by_camera=False,
        cup_row=(*p.cup_row, Cup(colour, picture_number=face)),
    )
    if colour is CupColour.GOLD:
        return replace(p, stage=Phase.UNCOVER, symbol_named=False)
    return replace(p, active_seat=p.left_of(p.active_seat))


def _take(p: StateT, seat: Seat, then: Seat) -> StateT:
    """D22, D23: the next cup is `seat`'s, and `then` goes on; after the last cup the round is scored."""
    i = p.next_cup_index
    assert i is not None, "a cup is down"
    p = replace_cup(p, i, replace(p.cup_row[i], owner=seat))
    p = replace(p, active_seat=then, symbol_named=False, cup_lifted=False)
    return _score(p) if i == len(p.cup_row) - 1 else p


def _score(p: StateT) -> StateT:
    """D31; D33: who holds the golden cup starts the next round."""
    return set_round_starter(replace(p, stage=Phase.SCORED, round_scores=(*p.round_scores, p.points)))


def set_round_starter(p: StateT) -> StateT:
    """D33: the holder of the golden cup is on turn, or whoever sits next to him if he has left."""
    holder = p.gold_holder
    assert holder is not None, "all cups are won"
    return replace(p, active_seat=p.left_of(holder) if p.away[holder] else holder)


def replace_cup(p: StateT, i: int, cup: Cup) -> StateT:
    """The position with cup `i` of the row replaced."""
    return replace(p, cup_row=(*p.cup_row[:i], cup, *p.cup_row[i + 1 :]))
