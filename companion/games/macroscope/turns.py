"""Take a token, stop, start the next turn, pay crystals (M10, M13, M16, M46, M50).

Which tokens the dice allow, and which dice are free (M11): `takeable_tokens` in `state.py`.
"""

from dataclasses import replace

from companion.api import Seat, replace_at
from companion.games.macroscope.state import AskingReason, Phase, StateT, get_start_phase


def take_token(state: StateT, number: int) -> StateT:
    """Return the state after the active player takes a token `number` (1 to 6) off the device (M10, M13).

    What others wished before lapses. The last token makes the round void (M50): the turn goes to the next player, in
    the phase COVER. At least one token of that number must be on the device; this is not checked.
    """
    # One more window is open now: who wished to guess before (M30) wished at another price and another picture.
    state = replace(
        state,
        phase=Phase.OPEN,
        asking_reason=None,
        called_seat=None,
        wishes=(),
        tokens=replace_at(state.tokens, number - 1, state.tokens[number - 1] - 1),
        taken_tokens=(*state.taken_tokens, number),
    )
    return state if state.covered_windows else _void_round(state)


def _void_round(state: StateT) -> StateT:
    """M50, A9: the last token is off and nobody has guessed. The card is spent, the round's number stays.

    The active player is paid as for declining (M16): by the window, or V4's two in the easier variant (V7).
    """
    if state.settings.void_round_pays_opener:
        state = pay(state, state.active_seat, state.stop_crystals)
    return replace(start_next_turn(state), phase=Phase.COVER, cards_used=state.cards_used + 1)


def stop_turn(state: StateT) -> StateT:
    """Return the state after the active player declines (M16, V4): crystals are paid, then the others may guess (M30).

    If nobody else could guess, the next player's turn begins. Wishes made before stay valid, as the open windows are
    the same.
    """
    state = pay(state, state.active_seat, state.stop_crystals)
    if not state.eligible_seats:
        return start_next_turn(state)
    return replace(state, phase=Phase.ASKING, asking_reason=AskingReason.DECLINED, called_seat=None)


def start_next_turn(state: StateT) -> StateT:
    """Return the state at the start of the next present player's turn (M46); open windows stay open (M17).

    Roll, taken tokens, wishes and guesses of the turn before are forgotten. Crystals and round number stay.
    """
    return replace(
        state,
        active_seat=state.find_next_seat(state.active_seat),
        phase=get_start_phase(state.settings),
        turn_number=state.turn_number + 1,
        dice=(),
        taken_tokens=(),
        others_asked=False,
        asking_reason=None,
        wishes=(),
        called_seat=None,
        guessers=(),
        frozen_value=None,
    )


def pay(state: StateT, seat: Seat, amount: int) -> StateT:
    """Return the state after a player got `amount` crystals, or paid them if it is negative."""
    return replace(state, crystals=replace_at(state.crystals, seat, state.crystals[seat] + amount))
