"""How a Pictomania game changes: what each move does, and what then follows by itself."""

from dataclasses import replace
from typing import TypeVar

from companion.api import Move, Seat, replace_at
from companion.games.pictomania.state import UNKNOWN_NUMBER, GuessCard, MoveKind, Phase, PictomaniaState

StateT = TypeVar("StateT", bound=PictomaniaState)

_NEXT_PHASES: dict[str, Phase] = {
    MoveKind.DEAL: Phase.READING,
    MoveKind.START: Phase.START,
    MoveKind.STOP: Phase.STOP,
    MoveKind.SCORE: Phase.SCORING,
}
"""Moves that do no more than begin another phase."""


def apply_move(state: StateT, move: Move) -> StateT:
    """Return the state after `move`, with `changes` as before: `BaseGame.play` computes them.

    `move` must be legal in `state`, with its value filled in. This is not checked here: another move gives a wrong
    state or any error.
    """
    match move.kind, move.seat:
        case kind, _ if kind in _NEXT_PHASES:
            return replace(state, phase=_NEXT_PHASES[kind])
        case MoveKind.COLOUR, _:
            return replace(state, difficulty_index=(state.difficulty_index + 1) % len(state.available_colours))
        case MoveKind.GO, _:
            return _start_drawing(state)
        case MoveKind.NEXT, _ if state.pile_index + 1 == len(state.participants):
            return _score_round(state)
        case MoveKind.NEXT, _:  # P30: one pile after the other
            return open_pile(state, state.pile_index + 1)
        case MoveKind.BACK, _:
            return open_pile(state, state.pile_index - (state.phase is Phase.SCORING))
        case MoveKind.NEXT_ROUND, _:
            return _start_next_round(state)
        case MoveKind.TAKE, int() as seat:
            return end_drawing_if_done(
                replace(state, bonus_stars=replace_at(state.bonus_stars, seat, state.tokens_left[0]))
            )
        case (MoveKind.MISDRAWN | MoveKind.DRAWN) as kind, int() as seat:
            is_wrong = kind == MoveKind.MISDRAWN
            piles = replace_at(state.piles, seat, ()) if is_wrong else state.piles  # P31: all cards go back
            return replace(state, piles=piles, drew_wrong_clue=replace_at(state.drew_wrong_clue, seat, is_wrong))
        case MoveKind.NUMBER, int() as seat:
            return _reveal_number(state, Seat(seat), move.value[0])
        case _, int() as seat:
            return _change_card(state, move, Seat(seat))
    raise AssertionError(f"{move} is not legal")


def end_drawing_if_done(state: StateT) -> StateT:
    """Return the state in the phase STOP if the drawing is over (P25), else `state` itself.

    It is over with the last bonus token, or when nobody is left who could take one.
    """
    is_done = state.phase is Phase.DRAWING and not (state.tokens_left and state.seats_drawing)
    return replace(state, phase=Phase.STOP) if is_done else state


def open_pile(state: StateT, pile_index: int) -> StateT:
    """Return the state with one pile open for scoring; from the phase ROUND, the scores of the round are removed.

    Args:
        state: state in the phase SCORING or ROUND.
        pile_index: index of the pile's owner in `state.participants`.
    """
    round_scores = state.round_scores[:-1] if state.phase is Phase.ROUND else state.round_scores
    return replace(state, phase=Phase.SCORING, pile_index=pile_index, round_scores=round_scores)


def rescore_round(state: StateT) -> StateT:
    """Return the state with the scores of the round computed again; outside the phase ROUND, `state` itself."""
    return _score_round(open_pile(state, state.pile_index)) if state.phase is Phase.ROUND else state


def _start_drawing(state: StateT) -> StateT:
    count = state.player_count
    return replace(
        state,
        phase=Phase.DRAWING,
        participants=state.round_seats,
        bonus_stars=(0,) * count,
        piles=((),) * count,
        drew_wrong_clue=(False,) * count,
        owner_numbers=(UNKNOWN_NUMBER,) * count,
        pile_index=0,
    )


def _score_round(state: StateT) -> StateT:
    """P36. Who did not take part has nothing to write down."""
    totals = {line.seat: line.total for line in state.score_lines}
    scores = tuple(totals.get(Seat(q), state.round_adjustments[q]) for q in range(state.player_count))
    return replace(state, phase=Phase.ROUND, round_scores=(*state.round_scores, scores))


def _start_next_round(state: StateT) -> StateT:
    """P40: all tokens and cards go back."""
    phase = Phase.OVER if len(state.round_scores) >= state.settings.rounds else Phase.DIFFICULTY
    return replace(
        state,
        phase=phase,
        round_adjustments=(0,) * state.player_count,
        participants=(),
        bonus_stars=(),
        piles=(),
        drew_wrong_clue=(),
        owner_numbers=(),
        pile_index=0,
    )


def _reveal_number(state: StateT, owner: Seat, number: int) -> StateT:
    """P30: the number card comes up; cards that were right had that number."""
    pile = tuple(replace(card, number=number) if card.is_right else card for card in state.piles[owner])
    return replace(
        state,
        owner_numbers=replace_at(state.owner_numbers, owner, number),
        piles=replace_at(state.piles, owner, pile),
    )


def _change_card(state: StateT, move: Move, guesser: Seat) -> StateT:
    """P32: a card is entered, changed in its place, or taken off."""
    owner = state.participants[state.pile_index]
    owner_number = state.owner_numbers[owner]
    card, pile = GuessCard(guesser, is_right=False), state.piles[owner]
    if move.kind == MoveKind.RIGHT:
        card = GuessCard(guesser, is_right=True, number=owner_number)
    elif move.kind == MoveKind.CARD:  # P22
        card = GuessCard(guesser, move.value[0] == owner_number, move.value[0])
    if move.kind == MoveKind.OFF:
        pile = tuple(other for other in pile if other.guesser != guesser)
    elif state.find_card(guesser) is None:
        pile = (*pile, card)
    else:
        pile = tuple(card if other.guesser == guesser else other for other in pile)
    return replace(state, piles=replace_at(state.piles, owner, pile))
