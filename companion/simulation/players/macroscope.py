"""Virtual players: they read the screen's offers and nothing else, press, and handle the things on the virtual table.

Like people they know what lies on the table before them (the dice they threw, the token in their hand); the game is
told nothing but what its camera sees and which buttons are pressed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from companion.events import Event
from companion.games.api.game import Correction, Move
from companion.games.api.offers import Command, ConsolePress, NumberPress, Offer, TableAction
from companion.screen_state import ScreenState
from companion.simulation.macroscope.board import ImpossibleAction
from companion.simulation.macroscope.table import MacroscopeTable
from companion.simulation.players.base import VirtualPlayers, is_unused

AGREEING_SHARE = 0.9
"""How often players give the answer that the table waits for."""
LID_TURN_SHARE = 0.5
"""How often the lid is turned before a throw."""


@dataclass(slots=True)
class MacroscopePlayers(VirtualPlayers[MacroscopeTable]):
    """The people around the Macroscope's virtual table: see `Group`."""

    _in_hand: int | None = None
    """The number of the token taken last."""
    _has_rethrown: bool = False
    """The dice were thrown once more already, because nobody saw them."""
    _numbers_to_enter: list[int] = field(default_factory=list)
    """Numbers still to be entered by hand, because the camera did not get them."""

    def _choose_offer(
        self, shown: ScreenState, offers: Sequence[Offer], likely: Callable[[Offer], float]
    ) -> Offer | None:
        truth = self._answer_from_table(shown, offers) if shown.uses_camera else self._answer_question(shown, offers)
        if truth is not None:
            return truth
        # Who can do it with their hands does not press for it: else the box would believe what nobody did.
        by_hand = [o.action for o in offers if isinstance(o.input, TableAction)]
        weights = [
            0.0 if o.action in by_hand and not isinstance(o.input, TableAction) else self._weigh(shown, o, likely)
            for o in offers
        ]
        return self.rng.choices(offers, weights)[0] if any(weights) else None

    def _answer_question(self, shown: ScreenState, offers: Sequence[Offer]) -> Offer | None:
        """An answer to a question where nothing on the table tells: mostly what the table waits for."""
        if shown.question is None:
            return None
        answers = [o for o in offers if self._weigh(shown, o, lambda _offer: 1.0)]
        awaited = [o for o in answers if o.awaited]
        return self.rng.choice(awaited if awaited and self.rng.random() < AGREEING_SHARE else answers)

    def _answer_from_table(self, shown: ScreenState, offers: Sequence[Offer]) -> Offer | None:
        """The answer to a question about the table, as people see it lying there."""
        if shown.question is None:
            return None
        numbers = {o.input.number: o for o in offers if isinstance(o.input, NumberPress)}
        if not self._numbers_to_enter and any(
            isinstance(o.action, Command) and o.action.name == "digit" for o in offers
        ):
            self._numbers_to_enter = list(self.table.values[len(shown.entered_numbers) :])
        if self._numbers_to_enter and self._numbers_to_enter[0] in numbers:
            return numbers[self._numbers_to_enter.pop(0)]
        if self._in_hand in numbers:
            return numbers[self._in_hand]
        dice = sorted(self.table.values)
        for offer in offers:
            if isinstance(offer.action, Move | Correction) and sorted(offer.action.value) == dice:
                return offer
        ways_out = [o for o in offers if o.input in {ConsolePress.MINUS, ConsolePress.NO}] or [
            o for o in offers if o.input is ConsolePress.OK
        ]
        return ways_out[0]

    @staticmethod
    def _weigh(shown: ScreenState, offer: Offer, likely: Callable[[Offer], float]) -> float:
        if is_unused(offer):
            return 0.0
        by_hand = (
            isinstance(offer.action, Move)
            and offer.action.value_range is not None
            and not isinstance(offer.input, TableAction)
        )
        if by_hand and shown.uses_camera:
            return 0.0  # no need to enter what the camera sees
        return likely(offer)

    def _execute(self, offer: Offer, shown: ScreenState, offers: Sequence[Offer], now: float) -> list[Event]:
        match offer.input:
            case TableAction(kind="throw"):
                self._has_rethrown = False
                if self.rng.random() < LID_TURN_SHARE:  # Macroscope M7: the arrow points away from the active player
                    self.table.turn_lid(self.rng.uniform(-180.0, 180.0), now)
                self.table.throw_dice(None, self.rng, now)
            case TableAction(kind="take", number=int(number)):
                if not (windows := self.table.board.find_windows(number)):
                    raise ImpossibleAction(f"no token {number} lies on the lid")
                self._in_hand = number
                self.table.take_token(self.rng.choice(windows), now)
            case TableAction(kind="cover"):
                self.table.cover_all(self.rng, now)
                self.table.pull_card(now)
            case _:
                return self._press(offer, shown, now)
        self._unseen_action = (offers, offer.input, now)
        return []

    def _handle_unseen(self, deed: TableAction, shown: ScreenState, offers: Sequence[Offer], now: float) -> list[Event]:
        """The box did not see what was done: throw once more, then tell it by hand."""
        if deed.kind == "throw" and not self._has_rethrown:
            self._has_rethrown = True
            self.table.throw_dice(None, self.rng, now)
            self._unseen_action = (offers, deed, now)
            return []
        if deed.kind == "throw":
            self._has_rethrown = False
            by_hand = next(o for o in offers if o.input is ConsolePress.PLUS)
            return self._press(by_hand, shown, now)
        if deed.kind == "take" and deed.number is not None:
            self._numbers_to_enter = [deed.number]
            by_hand = next(o for o in offers if o.input is ConsolePress.PLUS)
            return self._press(by_hand, shown, now)
        same = next(
            o for o in offers if isinstance(o.action, Move) and o.action.kind == "cover" and o.input is ConsolePress.OK
        )
        return self._press(same, shown, now)
