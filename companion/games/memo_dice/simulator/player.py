"""Virtual players of Memo Dice: they roll, cover and lift on the simulated table, and press what no camera can see.

Like people they know the die that lies open; the game receives only camera frames and button presses.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from companion.api import ConsolePress, Correction, Move, NumberPress, Offer, TableAction
from companion.events import Event, MemoColour
from companion.games.memo_dice.simulator.table import CLEARING_SECONDS, MemoDiceTable
from companion.games.memo_dice.state import COLOUR_NUMBERS
from companion.screen_state import ScreenState
from companion.simulation.players.base import VirtualPlayers, is_unused


@dataclass(slots=True)
class MemoDicePlayers(VirtualPlayers[MemoDiceTable]):
    """The players at a simulated Memo Dice table (see `VirtualPlayers`)."""

    pressed_by_hand: int = 0
    """Number of actions that the camera did not see and that were entered by a button press."""

    def _choose_offer(
        self, state: ScreenState, offers: Sequence[Offer], bot_weight: Callable[[Offer], float]
    ) -> Offer | None:
        if state.question is not None:
            return self._answer_from_table(offers)
        table_offers = [o for o in offers if isinstance(o.input, TableAction)]
        if table_offers:
            return table_offers[0]
        weights = [self._weigh(o, bot_weight) for o in offers]
        return self.rng.choices(list(offers), weights)[0] if any(weights) else None

    def _answer_from_table(self, offers: Sequence[Offer]) -> Offer:
        """Choose the answer that names the colour of the open die, by its value or its key; otherwise OK."""
        colour = self.table.open_die
        if colour is not None:
            for offer in offers:
                has_value = isinstance(offer.action, Move | Correction) and offer.action.value == (colour,)
                if has_value or offer.input == NumberPress(COLOUR_NUMBERS[MemoColour(colour)]):
                    return offer
        return next((o for o in offers if o.input is ConsolePress.OK), offers[0])

    @staticmethod
    def _weigh(offer: Offer, bot_weight: Callable[[Offer], float]) -> float:
        """Return the relative probability of an offer; 0 for one that players never choose."""
        return 0.0 if is_unused(offer) or isinstance(offer.action, Correction) else bot_weight(offer)

    def _execute(self, offer: Offer, state: ScreenState, offers: Sequence[Offer], now: float) -> list[Event]:
        match offer.input:
            case TableAction(kind="show") if self.table.open_die is None:
                self.table.roll(self.rng, now)
            case TableAction(kind="cup"):
                fitting = self.table.fitting_cup
                if fitting is not None:
                    self.table.cover(fitting, now)
            case TableAction(kind="lift"):
                self.table.lift(state.view.next_cup_index, now)
            case TableAction(kind="show"):
                pass  # the die lies open already, and was not seen
            case _:
                if isinstance(offer.action, Move) and offer.action.kind == "next":
                    self.table.clear(now)
                    self._next_at = now + CLEARING_SECONDS
                return self._press(offer, state, now)
        self._unseen_action = (offers, offer.input, now)
        return []

    def _handle_unseen(
        self, action: TableAction, state: ScreenState, offers: Sequence[Offer], now: float
    ) -> list[Event]:
        """Enter the action by a button press: a roll by the key of its colour if there is one, all else by OK."""
        self.pressed_by_hand += 1
        colour = self.table.open_die
        colour_key = NumberPress(COLOUR_NUMBERS[MemoColour(colour)]) if colour else None
        keys = [o for o in offers if action.kind == "show" and o.input == colour_key]
        confirmations = [o for o in offers if o.input is ConsolePress.OK]
        return self._press([*keys, *confirmations][0], state, now)
