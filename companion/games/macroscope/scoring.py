"""M41 to M45: what a round brings the one who was right, and costs those who were not.

How much a guess is worth: `MacroscopeState.guess_value` in `state.py`.
"""

from dataclasses import replace
from operator import sub

from companion.api import Seat
from companion.games.macroscope.state import MacroscopeState, Phase, StateT
from companion.games.macroscope.turns import start_next_turn


def score_round(state: StateT, right: Seat | None) -> StateT:
    """Pay out the crystals, record the round, and begin the next turn or end the game (M60).

    Args:
        state: state in the phase REVEAL; the phase is not checked.
        right: seat that was right, one of `state.guessers`; None: nobody was.
    """
    crystals = _compute_crystals(state, right)
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


def _compute_crystals(state: MacroscopeState, right: Seat | None) -> tuple[int, ...]:
    """Return each player's crystals after a round is scored, by seat (M41 to M45, A1).

    Who was right wins the value of a guess. All other guessers lose as much, but never more than they hold; by house
    rule A1 (`silent_players_lose`) everybody else at the table loses it, too.
    """
    losers: tuple[Seat, ...] = state.guessers
    if state.settings.silent_players_lose:
        losers += tuple(Seat(q) for q, is_away in enumerate(state.away) if not is_away)
    value = state.guess_value
    return tuple(
        held + value if seat == right else held - min(value, held) if seat in losers else held
        for seat, held in enumerate(state.crystals)
    )
