"""Virtual players of Macroscope: they read the screen's offers, press buttons, and move the simulated lid and dice.

Like people they know the objects on their table (the dice they threw, the token in their hand); the game receives only
camera frames and button presses.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from companion.api import ConsolePress, Event, Move, Offer, TableAction
from companion.games.macroscope.simulator.table import MacroscopeTable
from companion.screen_state import ScreenState
from companion.simulation.actions import ImpossibleAction
from companion.simulation.players.button_players import ButtonPlayers

LID_TURN_SHARE = 0.5
"""Probability, 0 to 1, that the lid is turned before a throw; the larger, the more often tokens are read rotated."""


@dataclass(slots=True)
class MacroscopePlayers(ButtonPlayers[MacroscopeTable]):
    """The players at a simulated Macroscope table (see `VirtualPlayers`)."""

    _has_rethrown: bool = False
    """Whether the dice were thrown a second time because the camera did not see the first throw."""

    def _list_thrown(self) -> Sequence[int]:
        return self.table.values

    def _execute(self, offer: Offer, state: ScreenState, offers: Sequence[Offer], now: float) -> list[Event]:
        match offer.input:
            case TableAction(kind="throw"):
                self._has_rethrown = False
                if self.rng.random() < LID_TURN_SHARE:  # M7: the arrow points away from the active player
                    self.table.turn_lid(self.rng.uniform(-180.0, 180.0), now)
                self._throw_dice(offer, now)
            case TableAction(kind="take", number=int(number)):
                if not (windows := self.table.board.find_windows(number)):
                    raise ImpossibleAction(f"no token {number} lies on the lid")
                self._in_hand = number
                self.table.take_token(self.rng.choice(windows), now)
            case TableAction(kind="cover"):
                self.table.cover_all(self.rng, now)
                self.table.pull_card(now)
            case _:
                return self._press(offer, state, now)
        self._unseen_action = (offers, offer.input, now)
        return []

    def _throw_dice(self, offer: Offer, now: float) -> None:
        """Throw as many dice as the move of the offer asks for."""
        wanted = offer.action.value_range if isinstance(offer.action, Move) else None
        assert wanted is not None, offer
        self.table.throw_dice([self.rng.randint(1, 6) for _ in range(wanted.count)], self.rng, now)

    def _handle_unseen(
        self, action: TableAction, state: ScreenState, offers: Sequence[Offer], now: float
    ) -> list[Event]:
        """Throw once more; enter any other action, or a second unseen throw, by a button press."""
        if action.kind == "throw" and not self._has_rethrown:
            self._has_rethrown = True
            self._throw_dice(next(offer for offer in offers if offer.input == action), now)
            self._unseen_action = (offers, action, now)
            return []
        button = ConsolePress.OK if action.kind == "cover" else ConsolePress.PLUS
        if action.kind == "take" and action.number is not None:
            self._numbers_to_enter = [action.number]
        return self._press(next(o for o in offers if o.input is button), state, now)
