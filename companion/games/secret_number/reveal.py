"""What follows by itself when the cards of a game are turned."""

from collections.abc import Sequence
from dataclasses import replace

from companion.api import Seat
from companion.games.secret_number.settings import ROUNDS_PER_GAME
from companion.games.secret_number.state import REVEAL_PHASES, Phase, SecretNumberState


def advance_reveal(state: SecretNumberState) -> SecretNumberState:
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


def group_cards(cards: Sequence[tuple[int, Seat]]) -> tuple[tuple[Seat, ...], ...]:
    """Return the owners of cards by round, in the order in which the cards lie; one tuple for each of the three rounds.

    Args:
        cards: pairs (round from 1, owner).
    """
    return tuple(tuple(seat for r, seat in cards if r == number) for number in range(1, ROUNDS_PER_GAME + 1))
