"""How the counting tray changes: what each move does, and what then follows by itself."""

from dataclasses import replace
from typing import TypeVar

from companion.api import Move, replace_at
from companion.games.counting_tray.state import (
    NO_DICE,
    CountingTrayState,
    FaceCounts,
    MoveKind,
    count_faces,
    list_values,
)

StateT = TypeVar("StateT", bound=CountingTrayState)


def apply_move(state: StateT, move: Move) -> StateT:
    """Return the state after `move`, with `changes` as before: `BaseGame.play` computes them.

    `move` must be legal in `state`, with its value filled in. This is not checked here: another move gives a wrong
    state or any error.
    """
    match move.kind:
        case MoveKind.THRESHOLD:
            return replace(state, threshold=move.value[0])
        case MoveKind.THROW:
            state = finish_throw(state)
            return replace(state, faces=move.value, throw_number=state.throw_number + 1)
        case MoveKind.AGAIN:
            faces, count = throw_again(state.faces, move.value), sum(move.value)
            return replace(state, faces=faces, again_counts=(*state.again_counts, count))
        case MoveKind.NEXT:
            return replace(finish_throw(state), active_seat=state.find_next_seat(state.active_seat))
        case MoveKind.END:
            return replace(finish_throw(state), is_over=True)
    raise AssertionError(f"{move} is not legal")


def finish_throw(state: StateT) -> StateT:
    """Return the state after the hits of the throw in play were added to those of its player (T6, T8)."""
    seat = state.active_seat
    earlier = replace_at(state.earlier_hits, seat, state.totals[seat])
    return replace(state, earlier_hits=earlier, faces=NO_DICE, again_counts=())


def throw_again(faces: FaceCounts, thrown: FaceCounts) -> FaceCounts:
    """Return the dice after some of them were thrown again: the lowest ones (T5).

    Args:
        faces: the dice before, by face.
        thrown: the dice thrown again, as they show now; if they are more than there were, all were thrown again.
    """
    stay = list_values(faces)[sum(thrown) :]
    return tuple(a + b for a, b in zip(count_faces(stay), thrown, strict=True))
