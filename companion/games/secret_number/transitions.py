"""How a Secret Number match changes: what each move does, and what then follows by itself."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from companion.api import Move, Seat, replace_at
from companion.games.secret_number.settings import ROUNDS_PER_GAME
from companion.games.secret_number.state import REVEAL_PHASES, MoveKind, Phase, SecretNumberState

StateT = TypeVar("StateT", bound=SecretNumberState)

_NEXT_PHASES: dict[str, Phase] = {
    MoveKind.DEALT: Phase.PREPARE,
    MoveKind.WAIT: Phase.PREPARE,
    MoveKind.GO: Phase.ROUND,
    MoveKind.FIX: Phase.FIX,
}
"""Moves that do no more than begin another phase."""


def apply_move(state: StateT, move: Move) -> StateT:
    """Return the state after `move`, with `changes` as before: `BaseGame.play` computes them.

    `move` must be legal in `state`, with its value filled in. This is not checked here: another move gives a wrong
    state or any error.
    """
    cards, turned = state.cards_in_order, len(state.cards_right)
    match move.kind, move.seat:
        case kind, _ if kind in _NEXT_PHASES:
            return replace(state, phase=_NEXT_PHASES[kind])
        case MoveKind.AGAIN, _:  # S4
            return replace(state, deal_count=state.deal_count + 1)
        case MoveKind.READY, _:
            return replace(state, phase=Phase.SHOW if state.settings.show_seconds else Phase.ROUND)
        case MoveKind.END, _ if state.round_number < ROUNDS_PER_GAME:  # S23
            return replace(state, phase=Phase.PREPARE, round_number=state.round_number + 1)
        case MoveKind.END | MoveKind.BACK, _:  # S24
            return advance_reveal(replace(state, phase=Phase.REVEAL))
        case MoveKind.RIGHT | MoveKind.WRONG, _:
            return advance_reveal(replace(state, cards_right=(*state.cards_right, move.kind == MoveKind.RIGHT)))
        case MoveKind.NEXT, _:
            return _start_next_game(state)
        case MoveKind.EARLIER, _:
            return replace(state, cards_right=state.cards_right[:-1])
        case MoveKind.REMOVE, _:
            return replace(state, piles=group_cards((*cards[:turned], *cards[turned + 1 :])))
        case MoveKind.LAY, int() as seat:
            pile = (*state.current_pile, seat)
            return replace(state, piles=replace_at(state.piles, state.round_number - 1, pile))
        case MoveKind.INSERT, int() as seat:
            # S25: under the next card, in its round; at the end of the last round if all are turned.
            r = state.next_card[0] if state.next_card else ROUNDS_PER_GAME
            return replace(state, piles=group_cards((*cards[:turned], (r, seat), *cards[turned:])))
        case _, int() as seat:
            return advance_reveal(
                replace(state, display_bonuses=replace_at(state.display_bonuses, seat, move.value[0]))
            )
    raise AssertionError(f"{move} is not legal")


def advance_reveal(state: StateT) -> StateT:
    """Return the state in the phase that the reveal has reached (S30 to S35): REVEAL, BONUS or RESULT.

    Further cards of a player who was right count as wrong, without a question (S35). Outside the reveal, and in the
    phase FIX, the state is returned unchanged.
    """
    if state.phase not in REVEAL_PHASES or state.phase is Phase.FIX:
        return state
    # S35: who was right has no second right card, so nobody needs to be asked.
    while state.next_card is not None and state.next_card[1] in state.seats_right:
        state = replace(state, cards_right=(*state.cards_right, False))
    if state.next_card is not None:
        return replace(state, phase=Phase.REVEAL)
    bonuses = tuple(bonus if q in state.seats_right else 0 for q, bonus in enumerate(state.display_bonuses))
    state = replace(state, display_bonuses=bonuses, phase=Phase.BONUS)
    return state if state.bonus_seat is not None else replace(state, phase=Phase.RESULT)


def _start_next_game(state: StateT) -> StateT:
    """S6, A9: the next game, or the end; the result of this one is kept."""
    state = replace(
        state,
        earlier_scores=(*state.earlier_scores, tuple(tally.total for tally in state.tallies)),
        piles=((),) * ROUNDS_PER_GAME,
        cards_right=(),
        display_bonuses=(0,) * state.player_count,
    )
    if state.game_number == state.settings.games:
        return replace(state, phase=Phase.OVER)
    return replace(
        state,
        phase=Phase.DEAL,
        game_number=state.game_number + 1,
        round_number=1,
        deal_count=1,
        participants=state.present_seats,
    )


def group_cards(cards: Sequence[tuple[int, Seat]]) -> tuple[tuple[Seat, ...], ...]:
    """Return the owners of cards by round, in the order in which the cards lie; one tuple for each of the three rounds.

    Args:
        cards: pairs (round from 1, owner).
    """
    return tuple(tuple(seat for r, seat in cards if r == number) for number in range(1, ROUNDS_PER_GAME + 1))
