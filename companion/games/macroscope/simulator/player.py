"""Virtual players of Macroscope: they read the screen's offers, press buttons, and move the simulated lid and dice.

Like people they know the objects on their table (the dice they threw, the token in their hand); the game receives only
camera frames and button presses.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from companion.api import Command, CommandName, ConsolePress, Correction, Move, NumberPress, Offer, TableAction
from companion.events import Event
from companion.games.macroscope.simulator.board import ImpossibleAction
from companion.games.macroscope.simulator.table import MacroscopeTable
from companion.screen_state import Menu, ScreenState
from companion.simulation.players.base import VirtualPlayers, is_unused

AGREEING_SHARE = 0.9
"""Probability, 0 to 1, that players give an answer that the game waits for; below 1 other answers are tried as well."""
LID_TURN_SHARE = 0.5
"""Probability, 0 to 1, that the lid is turned before a throw; the larger, the more often tokens are read rotated."""


@dataclass(slots=True)
class MacroscopePlayers(VirtualPlayers[MacroscopeTable]):
    """The players at a simulated Macroscope table (see `VirtualPlayers`)."""

    _in_hand: int | None = None
    """Number, 1 to 6, of the token taken last; None: no token was taken yet."""
    _has_rethrown: bool = False
    """Whether the dice were thrown a second time because the camera did not see the first throw."""
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
            self._numbers_to_enter = list(self.table.values[len(state.entered_numbers) :])
        if self._numbers_to_enter and self._numbers_to_enter[0] in numbers:
            return numbers[self._numbers_to_enter.pop(0)]
        if self._in_hand in numbers:
            return numbers[self._in_hand]
        dice = sorted(self.table.values)
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
