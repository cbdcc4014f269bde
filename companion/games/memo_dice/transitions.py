"""How a Memo Dice game changes: what each move does, and what then follows by itself."""

from dataclasses import replace
from typing import TypeVar

from companion.api import Move, Seat, replace_at
from companion.events import MemoColour
from companion.games.memo_dice.state import Cup, MemoDiceState, MoveKind, Phase

StateT = TypeVar("StateT", bound=MemoDiceState)


def apply_move(state: StateT, move: Move) -> StateT:
    """Return the state after `move`, with `changes` as before: `BaseGame.play` computes them.

    `move` must be legal in `state`, with its value filled in. This is not checked here: another move gives a wrong
    state or any error.
    """
    colour = MemoColour(move.value[0]) if move.value else MemoColour.GOLD
    match move.kind:
        case MoveKind.DIE | MoveKind.GOLD if state.settings.memorise_seconds:
            # D10: with the house timer the die lies open for a while; else all have looked when its colour is pressed.
            return replace(state, stage=Phase.LOOK, open_colour=colour)
        case MoveKind.DIE | MoveKind.GOLD:
            return _cover_die(state, colour)
        case MoveKind.SHOW | MoveKind.SHOW_GOLD:
            return replace(state, stage=Phase.LOOK, open_colour=colour, read_by_camera=True)
        case MoveKind.COVER:
            assert state.open_colour is not None, "a die lies open"
            return _cover_die(state, state.open_colour)
        case MoveKind.CALL:
            return replace(state, symbol_named=True)
        case MoveKind.LIFT:
            return replace(state, cup_lifted=True)
        case MoveKind.RIGHT:
            return _give_cup(state, state.active_seat)
        case MoveKind.MISS:
            return _give_cup(state, state.find_next_seat(state.active_seat))
        case _:
            return replace(state, stage=Phase.COVER, cup_row=())


def _cover_die(state: StateT, colour: MemoColour) -> StateT:
    """D12 to D14; D20: who places the golden cup begins to guess."""
    cup = Cup(colour, picture_number=len(state.cup_row) + 1 if state.read_by_camera else 0)
    state = replace(state, stage=Phase.COVER, open_colour=None, read_by_camera=False, cup_row=(*state.cup_row, cup))
    if colour is MemoColour.GOLD:
        return replace(state, stage=Phase.UNCOVER)
    return replace(state, active_seat=state.find_next_seat(state.active_seat))


def _give_cup(state: StateT, seat: Seat) -> StateT:
    """D22, D23: `seat` gets the next cup and goes on; after the last cup the round is scored (D31)."""
    i = state.next_cup_index
    assert i is not None, "a cup is down"
    state = replace_cup(state, i, replace(state.cup_row[i], owner=seat))
    state = replace(state, active_seat=seat, symbol_named=False, cup_lifted=False)
    if i < len(state.cup_row) - 1:
        return state
    return set_round_starter(replace(state, stage=Phase.SCORED, round_scores=(*state.round_scores, state.round_points)))


def set_round_starter(state: StateT) -> StateT:
    """Return the state with the player who starts the next round as active player (D33).

    It is the holder of the golden cup or, if that player is away, the next present player clockwise.

    Raises:
        AssertionError: nobody holds the golden cup yet.
    """
    holder = state.gold_holder
    assert holder is not None, "all cups are won"
    return replace(state, active_seat=state.find_next_seat(holder) if state.away[holder] else holder)


def replace_cup(state: StateT, i: int, cup: Cup) -> StateT:
    """Return the state with the cup at index `i` (from 0, in range) of `cup_row` replaced by `cup`."""
    return replace(state, cup_row=replace_at(state.cup_row, i, cup))
