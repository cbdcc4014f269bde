"""M41 to M45: crystals won and lost when a card is revealed."""

from companion.api import Seat
from companion.games.macroscope.state import MacroscopeState


def compute_crystals_after_reveal(state: MacroscopeState, right: Seat | None) -> tuple[int, ...]:
    """Return each player's crystals after a round is scored, by seat (M41 to M45, A1); the state itself stays as it is.

    Who was right wins the value of a guess. All other guessers lose as much, but never more than they hold; by house
    rule A1 (`silent_players_lose`) everybody else at the table loses it, too.

    Args:
        state: state in the phase REVEAL; the phase is not checked.
        right: seat that was right, one of `state.guessers`; None: nobody was.
    """
    losers: tuple[Seat, ...] = state.guessers
    if state.settings.silent_players_lose:
        losers += state.present_seats
    value = state.guess_value
    return tuple(
        held + value if seat == right else held - min(value, held) if seat in losers else held
        for seat, held in enumerate(state.crystals)
    )
