"""Virtual players of any game with dice in a tray: they read the offers, throw, set dice aside and press buttons.

Like people they know the dice that they threw; the game receives only camera frames and button presses.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from companion.api import Command, CommandName, ConsolePress, Correction, Move, NumberPress, Offer, TableAction
from companion.events import Event
from companion.screen_state import ScreenState
from companion.simulation.dice_tray.table import MAX_DICE, DiceTrayTable, TrayDie
from companion.simulation.players.base import VirtualPlayers, is_unused

LEAVING_SHARE = 0.4
"""Probability, 0 to 1, that dice set aside stay in the tray while the others are thrown again."""
THROW, KEEP, RETURN, AGAIN = "throw", "keep", "return", "again"
"""Kinds of the table actions that these players know."""
MIN_MANY_DICE = 10
"""Fewest dice thrown where any number may be, and people enter how many show each face."""


@dataclass(slots=True)
class DiceTrayPlayers(VirtualPlayers[DiceTrayTable]):
    """The players at a simulated tray (see `VirtualPlayers`).

    Attributes:
        thrown: values of the dice that were thrown last, sorted.
    """

    thrown: tuple[int, ...] = ()
    _left: tuple[TrayDie, ...] = ()
    """Dice in the tray that are set aside."""
    _kept: tuple[int, ...] = ()
    """Values of the dice that were set aside last, sorted."""
    _has_rethrown: bool = False
    """Whether the dice were thrown a second time because the camera did not see the first throw."""
    _values_to_enter: list[int] = field(default_factory=list)
    """Values still to be entered by button presses, because the camera did not read them."""

    def _choose_offer(
        self, state: ScreenState, offers: Sequence[Offer], bot_weight: Callable[[Offer], float]
    ) -> Offer | None:
        kept = self._find_kept(state, offers)
        if kept is not None:
            return kept
        if state.question is not None and (answer := self._answer(state, offers)) is not None:
            return answer
        self._values_to_enter = []
        # A move that can be made on the table is never entered by a press: the game would differ from the table.
        # That all dice are taken out is not seen as setting them aside.
        in_play = len(self.table.planned_dice) - len(self._left)
        offers = [
            offer
            for offer in offers
            if not _is_keep(offer) or (isinstance(offer.action, Move) and len(offer.action.value) < in_play)
        ]
        table_moves = [offer.action for offer in offers if isinstance(offer.input, TableAction)]
        weights = [self._weigh(offer, table_moves, bot_weight) for offer in offers]
        return self.rng.choices(offers, weights)[0] if any(weights) else None

    @staticmethod
    def _weigh(
        offer: Offer, table_moves: Sequence[Move | Command | Correction], bot_weight: Callable[[Offer], float]
    ) -> float:
        is_mark = isinstance(offer.action, Command) and offer.action.name is CommandName.MARK_DIE
        is_by_key = offer.action in table_moves and not isinstance(offer.input, TableAction)
        return 0.0 if is_unused(offer) or is_by_key or (is_mark and table_moves) else bot_weight(offer)

    def _find_kept(self, state: ScreenState, offers: Sequence[Offer]) -> Offer | None:
        """Find the answer that names the dice set aside last; None: nobody asks for them."""
        if state.question is None and state.menu is None:
            return None
        return next(
            (
                offer
                for offer in offers
                if isinstance(offer.action, Move)
                and offer.action.kind == KEEP
                and tuple(sorted(offer.action.value)) == self._kept
            ),
            None,
        )

    def _answer(self, state: ScreenState, offers: Sequence[Offer]) -> Offer | None:
        """Choose the answer that is true of the dice on the table, or confirms a move without dice."""
        digits = {o.input.number: o for o in offers if isinstance(o.input, NumberPress)}
        if any(isinstance(o.action, Command) and o.action.name == CommandName.DIGIT for o in offers):
            if not self._values_to_enter:
                self._values_to_enter = list(self.thrown[len(state.entered_numbers) :])
            if self._values_to_enter and self._values_to_enter[0] in digits:
                return digits[self._values_to_enter.pop(0)]
        moves = [offer.action for offer in offers if isinstance(offer.action, Move | Correction)]
        if moves and not any(move.value for move in moves):  # whether the game ends here: chance has chosen it
            return next(offer for offer in offers if offer.action in moves)
        for offer in offers:
            if isinstance(offer.action, Move | Correction) and self._is_true(offer.action.value):
                return offer
        inputs = {offer.input: offer for offer in offers}
        keys: tuple[ConsolePress, ...] = (ConsolePress.NO, ConsolePress.OK)
        if any(move.kind == KEEP for move in moves):
            keys = (ConsolePress.OK, ConsolePress.NO)  # the dice were thrown again, or set aside
        elif any(len(move.value) == len(self.thrown) for move in moves):
            keys = (ConsolePress.MINUS, *keys)  # it is this throw: it is entered by hand
        return next((inputs[key] for key in keys if key in inputs), None)

    def _is_true(self, values: Sequence[int]) -> bool:
        """Return whether these are the dice thrown: their values, or how many show each face."""
        return tuple(sorted(values)) == self.thrown or tuple(values) == tuple(map(self.thrown.count, range(1, 7)))

    def _execute(self, offer: Offer, state: ScreenState, offers: Sequence[Offer], now: float) -> list[Event]:
        match offer.input, offer.action:
            case TableAction(kind="throw"), Move() as move:
                self._has_rethrown = False
                self._throw(move, now)
            case TableAction(kind="keep"), Move(value=values):
                self._set_aside(values, now)
            case TableAction(kind="return"), _:
                self._left = ()
                self.table.put_back(self.table.aside, self.rng, now)
            case TableAction(kind="again", number=int(count)), _:
                self._throw_again(count, now)
            case _:
                return self._press(offer, state, now)
        assert isinstance(offer.input, TableAction)
        self._unseen_action = (offers, offer.input, now)
        return []

    def _throw(self, move: Move, now: float) -> None:
        """Throw as many dice as the move has; those set aside may lie in the tray."""
        assert move.value_range is not None, "an open move"
        counts_faces = move.value_range.low == 0
        count = self.rng.randint(MIN_MANY_DICE, MAX_DICE) if counts_faces else move.value_range.count
        in_tray = len(self.table.planned_dice)
        if not self._left or count + len(self._left) != in_tray:
            self._left = ()
        if not self._left and count > in_tray:
            self.table.aside = ()  # a new turn: all dice are taken up again
        self.thrown = tuple(sorted(self.table.throw_dice(count, self.rng, now, leave=self._left)))
        self._note_left()

    def _throw_again(self, count: int, now: float) -> None:
        """Throw the lowest dice again; the others stay, or are taken out before."""
        dice = sorted(self.table.planned_dice, key=lambda die: die.value)
        stay: Sequence[TrayDie] = dice[count:]
        if stay and self.rng.random() >= LEAVING_SHARE:
            self.table.take(stay, now)
            stay = ()
        self.thrown = tuple(sorted(self.table.throw_dice(min(count, len(dice)), self.rng, now, leave=stay)))

    def _set_aside(self, values: Sequence[int], now: float) -> None:
        """Take dice out of the tray, or leave them in it and throw the others again."""
        wanted, chosen = list(values), []
        for die in self.table.planned_dice:
            if die not in self._left and die.value in wanted:
                wanted.remove(die.value)
                chosen.append(die)
        self._kept = tuple(sorted(die.value for die in chosen))
        others = len(self.table.planned_dice) - len(self._left) - len(chosen)
        if others and self.rng.random() < LEAVING_SHARE:
            self._left = (*self._left, *chosen)
            self.thrown = tuple(sorted(self.table.throw_dice(others, self.rng, now, leave=self._left)))
            self._note_left()
        else:
            self.table.set_aside(chosen, now)

    def _note_left(self) -> None:
        """Note the dice set aside as the table has them now."""
        self._left = tuple(die for die in self.table.planned_dice if die in self._left)

    def _handle_unseen(
        self, action: TableAction, state: ScreenState, offers: Sequence[Offer], now: float
    ) -> list[Event]:
        """Throw once more, or enter the throw by a button press; put dice back that were not seen to be taken."""
        if action.kind == KEEP:
            self._left = ()
            if self.table.aside:
                self.table.put_back(self.table.aside, self.rng, now)
            return []
        if action.kind != THROW:
            return []
        throw = next(offer.action for offer in offers if offer.input == action)
        if not self._has_rethrown and isinstance(throw, Move):
            self._has_rethrown = True
            self._throw(throw, now)
            self._unseen_action = (offers, action, now)
            return []
        by_key = next((o for o in offers if o.action == throw and not isinstance(o.input, TableAction)), None)
        return self._press(by_key, state, now) if by_key is not None else []


def _is_keep(offer: Offer) -> bool:
    """Return whether the offer is to set dice aside on the table."""
    return isinstance(offer.input, TableAction) and offer.input.kind == KEEP
