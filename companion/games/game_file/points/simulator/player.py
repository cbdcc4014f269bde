"""Virtual players of games whose points people enter, as a file describes them: they read the rules in force from the
screen's state, think of numbers that can be, and enter them on the keys.

They have no table to act on: in every game the companion gets presses of buttons only.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from companion.api import Event, Move, NumberPress, Offer, Seat
from companion.games.game_file.points.moves import End
from companion.games.game_file.points.state import PointsGameState
from companion.games.score_keeper.simulator.player import choose_amount_key
from companion.screen_state import ScreenKind, ScreenState
from companion.simulation.kit import PlayersKit
from companion.simulation.players.base import PlayedTable, VirtualPlayers

NOTHING_SHARE = 0.2
"""Probability that somebody has nothing to enter: 0, if it is allowed."""
ALL_SHARE = 0.3
"""Probability that the number is the own score, where it can be entered: games that count down end with it."""
SMALLNESS = 2.0
"""Exponent of the random number from 0 to 1 between the lowest and the highest number: the larger, the smaller."""


@dataclass(slots=True)
class PointsPlayers(VirtualPlayers[PlayedTable]):
    """The players of a game of entered points (see `VirtualPlayers`)."""

    _amount: int = 0
    """The number that is being entered."""
    _title: str = ""
    """The heading over it."""

    def _choose_offer(
        self, state: ScreenState, offers: Sequence[Offer], bot_weight: Callable[[Offer], float]
    ) -> Offer | None:
        if state.kind is not ScreenKind.PLAY:
            return self.rng.choice(list(offers)) if offers and state.kind is not ScreenKind.RESULT else None
        if state.menu is not None and state.menu.value is None:
            return self.rng.choice([offer for offer in offers if isinstance(offer.input, NumberPress)])
        if state.menu is not None:
            if state.menu.title != self._title:  # also of a page that opened by itself, after the one before
                # French has a space before the colon.
                own = (p.seat for p in state.players if re.match(rf"{re.escape(p.name)}\s?:", state.menu.title))
                self._title, self._amount = state.menu.title, think_of_number(state.view, next(own), self.rng)
            return choose_amount_key(state.menu.value or "0", self._amount, {offer.input: offer for offer in offers})
        moves = [offer for offer in offers if isinstance(offer.action, Move) and offer.action.kind != End.kind]
        # Numbers from 1 to 6 are entered by one key.
        entries = [offer for offer in moves if offer.awaited] or [
            offer for offer in offers if isinstance(offer.input, NumberPress)
        ]
        return self.rng.choice(entries) if entries else None

    def _execute(self, offer: Offer, state: ScreenState, offers: Sequence[Offer], now: float) -> list[Event]:
        move = offer.action
        if isinstance(move, Move) and move.value_range is not None and move.seat is not None:
            self._amount = think_of_number(state.view, move.seat, self.rng)
        return self._press(offer, state, now)


def think_of_number(game: PointsGameState, seat: Seat, rng: Random) -> int:
    """Return a number that `seat` may enter next, small ones more often."""
    limits, own = game.get_allowed(seat), abs(game.totals[seat])
    assert limits is not None, "the player has something to enter"
    if (own,) in limits and rng.random() < ALL_SHARE:
        return own
    if (0,) in limits and rng.random() < NOTHING_SHARE:
        return 0
    numbers = range(limits.low, limits.high + 1, limits.step)
    chosen = int(len(numbers) * rng.random() ** SMALLNESS)
    number: int = next(n for n in (*numbers[chosen:], *numbers[:chosen]) if (n,) in limits)
    return number


KIT = PlayersKit(PointsPlayers)
