"""Virtual players of any game: they read the screen's offers and press buttons; what lies on the table they answer."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from companion.api import Command, CommandName, ConsolePress, Correction, Move, NumberPress, Offer, TableAction
from companion.events import Event
from companion.screen_state import Menu, ScreenState
from companion.simulation.players.base import PlayedTableT, VirtualPlayers, is_unused

AGREEING_SHARE = 0.9
"""Probability, 0 to 1, that players give an answer that the game waits for; below 1 other answers are tried as well."""


@dataclass(slots=True)
class ButtonPlayers(VirtualPlayers[PlayedTableT]):
    """Players who press buttons (see `VirtualPlayers`); a subclass acts on its table, too."""

    _in_hand: int | None = None
    """Number, 1 to 6, of the thing taken off the table last; None: nothing was taken yet."""
    _numbers_to_enter: list[int] = field(default_factory=list)
    """Numbers, 1 to 6, still to be entered by button presses, because the camera did not read them."""

    def _choose_offer(
        self, state: ScreenState, offers: Sequence[Offer], bot_weight: Callable[[Offer], float]
    ) -> Offer | None:
        if state.menu is not None and self._numbers_to_enter:
            return self._choose_line(state.menu, offers)
        answer = self._answer_from_table(state, offers) if state.uses_camera else self._answer_question(state, offers)
        if answer is not None:
            return answer
        # A move that can be made on the table is never entered by a press: the game would differ from the table.
        table_moves = [o.action for o in offers if isinstance(o.input, TableAction)]
        weights = [
            0.0
            if o.action in table_moves and not isinstance(o.input, TableAction)
            else self._weigh(state, o, bot_weight)
            for o in offers
        ]
        return self.rng.choices(offers, weights)[0] if any(weights) else None

    def _choose_line(self, menu: Menu, offers: Sequence[Offer]) -> Offer:
        """Choose the line of the number to be entered, or the step towards it."""
        is_there = menu.items[menu.selected] == str(self._numbers_to_enter[0])
        if is_there:
            self._numbers_to_enter.pop()
        button = ConsolePress.OK if is_there else ConsolePress.MINUS
        return next(offer for offer in offers if offer.input is button)

    def _answer_question(self, state: ScreenState, offers: Sequence[Offer]) -> Offer | None:
        """Choose an answer at random, mostly one that the game waits for; None: no question is asked."""
        if state.question is None:
            return None
        answers = [o for o in offers if self._weigh(state, o, lambda _offer: 1.0)]
        awaited = [o for o in answers if o.awaited]
        return self.rng.choice(awaited if awaited and self.rng.random() < AGREEING_SHARE else answers)

    def _answer_from_table(self, state: ScreenState, offers: Sequence[Offer]) -> Offer | None:
        """Choose the answer that is true of the dice and tokens on the table; None: no question is asked."""
        if state.question is None:
            return None
        numbers = {o.input.number: o for o in offers if isinstance(o.input, NumberPress)}
        if not self._numbers_to_enter and any(
            isinstance(o.action, Command) and o.action.name == CommandName.DIGIT for o in offers
        ):
            self._numbers_to_enter = list(self._list_thrown()[len(state.entered_numbers) :])
        if self._numbers_to_enter and self._numbers_to_enter[0] in numbers:
            return numbers[self._numbers_to_enter.pop(0)]
        if self._in_hand in numbers:
            return numbers[self._in_hand]
        dice = sorted(self._list_thrown())
        for offer in offers:
            if isinstance(offer.action, Move | Correction) and sorted(offer.action.value) == dice:
                return offer
        refusals = [o for o in offers if o.input in {ConsolePress.MINUS, ConsolePress.NO}] or [
            o for o in offers if o.input is ConsolePress.OK
        ]
        return refusals[0]

    @staticmethod
    def _weigh(state: ScreenState, offer: Offer, bot_weight: Callable[[Offer], float]) -> float:
        """Return the relative probability of an offer; 0 for one that players never choose."""
        is_read_by_camera = (
            state.uses_camera
            and isinstance(offer.action, Move)
            and offer.action.value_range is not None
            and not isinstance(offer.input, TableAction)
        )
        return 0.0 if is_unused(offer) or is_read_by_camera else bot_weight(offer)

    def _list_thrown(self) -> Sequence[int]:
        """Return the values of the dice on the table; here: there are none."""
        return ()

    def _execute(self, offer: Offer, state: ScreenState, offers: Sequence[Offer], now: float) -> list[Event]:
        return self._press(offer, state, now)
