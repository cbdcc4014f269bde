"""Virtual players of Memo Dice: they roll, cover and lift on the virtual table, and press what no camera can see.

Like people they know what lies open before them; the game is told nothing but what its camera sees and which buttons
are pressed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from companion.events import Event, MemoColour
from companion.games.api.game import Correction, Move
from companion.games.api.offers import ConsolePress, NumberPress, Offer, TableAction
from companion.screen_state import ScreenState
from companion.simulation.memo_dice.table import MemoDiceTable
from companion.simulation.players.base import VirtualPlayers, is_unused

CLEARING_SECONDS = 2.5
"""Seconds after which the next die is rolled when all was put back."""


@dataclass(slots=True)
class MemoDicePlayers(VirtualPlayers[MemoDiceTable]):
    """The people around a virtual Memo Dice table: see `Group`."""

    pressed_by_hand: int = 0
    """How often the camera did not see what was done, so that it was told by a press."""

    def _choose_offer(
        self, shown: ScreenState, offers: Sequence[Offer], likely: Callable[[Offer], float]
    ) -> Offer | None:
        if shown.question is not None:
            return self._answer_from_table(offers)
        deeds = [o for o in offers if isinstance(o.input, TableAction)]
        if deeds:
            return deeds[0]
        weights = [self._weigh(o, likely) for o in offers]
        return self.rng.choices(list(offers), weights)[0] if any(weights) else None

    def _answer_from_table(self, offers: Sequence[Offer]) -> Offer:
        """The answer to a question about the table, as people see it lying there."""
        colour = self.table.open_die
        for offer in offers:
            if colour is not None and offer.label.lower().endswith(colour.name.lower()):
                return offer
        return next((o for o in offers if o.input is ConsolePress.OK), offers[0])

    @staticmethod
    def _weigh(offer: Offer, likely: Callable[[Offer], float]) -> float:
        if is_unused(offer):
            return 0.0
        return 0.0 if isinstance(offer.action, Correction) else likely(offer)

    def _execute(self, offer: Offer, shown: ScreenState, offers: Sequence[Offer], now: float) -> list[Event]:
        match offer.input:
            case TableAction(kind="show") if self.table.open_die is None:
                self.table.roll(self.rng, now)
            case TableAction(kind="cup"):
                fitting = self.table.fitting_cup
                if fitting is not None:
                    self.table.cover(fitting, now)
            case TableAction(kind="lift"):
                self.table.lift(shown.view.next_cup_index, now)
            case TableAction(kind="show"):
                pass  # it lies there, and was not seen
            case _:
                if isinstance(offer.action, Move) and offer.action.kind == "next":
                    self.table.clear(now)
                    self._next_at = now + CLEARING_SECONDS
                return self._press(offer, shown, now)
        self._unseen_action = (offers, offer.input, now)
        return []

    def _handle_unseen(self, deed: TableAction, shown: ScreenState, offers: Sequence[Offer], now: float) -> list[Event]:
        self.pressed_by_hand += 1
        return self._press(self._find_press(deed, offers), shown, now)

    def _find_press(self, deed: TableAction, offers: Sequence[Offer]) -> Offer:
        """What is pressed where the camera did not see the deed."""
        if deed.kind == "show":
            colour = self.table.open_die or MemoColour.GOLD
            key = next((o for o in offers if o.input == NumberPress(int(colour))), None)
            if key is not None:
                return key
        return next(o for o in offers if o.input is ConsolePress.OK)
