"""How a Macroscope game changes: what each move does, and what then follows by itself."""

from dataclasses import replace
from operator import sub
from typing import TypeVar

from companion.api import Move, Seat, replace_at
from companion.games.macroscope.scoring import compute_crystals_after_reveal
from companion.games.macroscope.state import AskingReason, MacroscopeState, MoveKind, Phase, get_start_phase

StateT = TypeVar("StateT", bound=MacroscopeState)


def apply_move(state: StateT, move: Move) -> StateT:
    """Return the state after `move`, with `changes` as before: `BaseGame.play` computes them.

    `move` must be legal in `state`, with its value filled in. This is not checked here: another move gives a wrong
    state or any error.
    """
    seat = state.active_seat if move.seat is None else move.seat
    match move.kind:
        case MoveKind.ROLL:
            return replace(state, phase=Phase.OPEN, dice=move.value)
        case MoveKind.RENEW:
            return replace(state, cards_at_renewal=state.cards_used)
        case MoveKind.REMOVE:
            return take_token(state, move.value[0])
        case MoveKind.GUESS:
            return _guess(state, seat)
        case MoveKind.STOP:
            return stop_turn(state)
        case MoveKind.ASK:
            return replace(state, phase=Phase.ASKING, asking_reason=AskingReason.MEANWHILE, others_asked=True)
        case MoveKind.WISH:
            return update_queue(replace(state, wishes=(*state.wishes, seat)))
        case MoveKind.WITHDRAW:
            return update_queue(_remove_wish(state, seat))
        case MoveKind.CLOSE:
            return _call_next(state) if state.wishes else _end_asking(state)
        case MoveKind.PICK:
            return replace(state, phase=Phase.CALLED, called_seat=Seat(move.value[0]))
        case MoveKind.NAME:
            return _guess_as_called(state, seat)
        case MoveKind.COVER:
            return _cover_windows(state)
        case MoveKind.RIGHT:
            return _score_round(state, right=seat)
        case _:
            return _score_round(state, right=None)


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


def update_queue(state: StateT) -> StateT:
    """Return the state with the queue of guessers worked out again after a wish or crystals changed (M24, M33).

    Wishes of players who are away, have guessed or can no longer pay are dropped. A player already called stays called
    while the wish stands; else the next one is called.
    """
    state = replace(state, wishes=tuple(q for q in state.wishes if q in state.eligible_seats))
    call_has_lapsed = state.phase is Phase.CALLED and state.called_seat not in state.wishes
    return _call_next(state) if state.phase is Phase.PICK or call_has_lapsed else state


def _call_next(state: StateT) -> StateT:
    """M24: call the next of those who wish; with none left the asking goes on, if anybody could still guess."""
    first = state.first_in_queue
    if not first:
        state = replace(state, phase=Phase.ASKING, called_seat=None)
        return state if state.eligible_seats else _end_asking(state)
    if len(first) > 1:
        return replace(state, phase=Phase.PICK, called_seat=None)
    return replace(state, phase=Phase.CALLED, called_seat=first[0])


def _end_asking(state: StateT) -> StateT:
    """The asking is over, and nobody is left who wishes to guess."""
    meanwhile = state.asking_reason is AskingReason.MEANWHILE
    state = replace(state, asking_reason=None, called_seat=None, wishes=())
    if state.guessers:
        return replace(state, phase=Phase.COVER)
    return replace(state, phase=Phase.OPEN) if meanwhile else start_next_turn(state)


def _guess(state: StateT, seat: Seat) -> StateT:
    """M21: V is frozen; M23: then the others are asked. Who already wished to guess (M30) now wishes to challenge.

    V3: in the easier variant nobody may challenge.
    """
    state = replace(state, guessers=(seat,), frozen_value=state.covered_windows, called_seat=None)
    if state.settings.is_easy or not state.eligible_seats:
        return replace(state, phase=Phase.COVER, asking_reason=None, wishes=())
    return replace(state, phase=Phase.ASKING, asking_reason=AskingReason.CHALLENGE)


def stop_turn(state: StateT) -> StateT:
    """Return the state after the active player declines (M16, V4): crystals are paid, then the others may guess (M30).

    If nobody else could guess, the next player's turn begins. Wishes made before stay valid, as the open windows are
    the same.
    """
    state = _pay(state, state.active_seat, state.stop_crystals)
    if not state.eligible_seats:
        return start_next_turn(state)
    return replace(state, phase=Phase.ASKING, asking_reason=AskingReason.DECLINED, called_seat=None)


def _guess_as_called(state: StateT, seat: Seat) -> StateT:
    """M23, M30, V5: the called player pays and has guessed; M31: the first guess freezes V."""
    state = _pay(_pay(state, state.payee, state.guess_cost), seat, -state.guess_cost)
    if state.asking_reason is AskingReason.MEANWHILE:
        # M30: the active player declined for the moment, and now that is final.
        state = replace(_pay(state, state.active_seat, state.opened_windows), asking_reason=AskingReason.DECLINED)
    return _call_next(
        replace(_remove_wish(state, seat), guessers=(*state.guessers, seat), frozen_value=state.guess_value)
    )


def _cover_windows(state: StateT) -> StateT:
    """M40: every window has a token again. After a void round nothing is to be revealed (M50)."""
    phase = Phase.REVEAL if state.guessers else get_start_phase(state.settings)
    return replace(state, tokens=(state.settings.tokens_per_number,) * len(state.tokens), phase=phase)


def _score_round(state: StateT, right: Seat | None) -> StateT:
    """M41 to M45: pay out the crystals, record the round, and begin the next turn or end the game (M60)."""
    crystals = compute_crystals_after_reveal(state, right)
    scores = tuple(map(sub, crystals, state.crystals_at_round_start))
    state = replace(
        state,
        crystals=crystals,
        cards_used=state.cards_used + 1,
        round_scores=(*state.round_scores, scores),
        crystals_at_round_start=crystals,
    )
    if state.round_number == state.settings.rounds:
        return replace(state, phase=Phase.OVER)
    return start_next_turn(replace(state, round_number=state.round_number + 1))


def _void_round(state: StateT) -> StateT:
    """M50, A9: the last token is off and nobody has guessed. The card is spent, the round's number stays.

    The active player is paid as for declining (M16): by the window, or V4's two in the easier variant (V7).
    """
    if state.settings.void_round_pays_opener:
        state = _pay(state, state.active_seat, state.stop_crystals)
    return replace(start_next_turn(state), phase=Phase.COVER, cards_used=state.cards_used + 1)


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


def _pay(state: StateT, seat: Seat, amount: int) -> StateT:
    return replace(state, crystals=replace_at(state.crystals, seat, state.crystals[seat] + amount))


def _remove_wish(state: StateT, seat: Seat) -> StateT:
    return replace(state, wishes=tuple(q for q in state.wishes if q != seat))
