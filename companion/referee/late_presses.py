"""Presses that still count for a few seconds after the table, or an impatient hand on OK, has made them needless.

For how long: `LATE_PRESS_SECONDS` (`companion/api/offers.py`); it begins in `Referee.take_step`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from companion.api import LATE_PRESS_SECONDS, ConsolePress, Move, NumberPress, Offer, SeatPress, TableAction, Visibility
from companion.events import Button, Event
from companion.journal.saved_game import SavedGame
from companion.referee.button_mapping import find_offer
from companion.referee.dialogs.base import Action


def ends_chance_of_others(saved_game: SavedGame, offer: Offer) -> bool:
    """Return whether a press of OK says what going on at the table would say, while others may still press.

    An impatient hand on OK takes nobody's chance away: as after an implied move, they may press for a few seconds.
    """
    move, game = offer.action, saved_game.game
    if offer.input is not ConsolePress.OK or not isinstance(move, Move) or offer.confirm_question:
        return False
    if game.find_refusal(move) is not None:
        return False

    def list_offers(game: Any) -> Sequence[Offer]:
        return saved_game.definition.list_offers(game, saved_game.players, Visibility(dice=True, tokens=True))

    may_others_press = any(
        isinstance(other.input, SeatPress)
        and other.awaited
        and isinstance(other.action, Move)
        and other.action.seat != move.seat
        for other in list_offers(game)
    )
    return may_others_press and any(
        isinstance(following.input, TableAction)
        and game.get_move_kind(move.kind).is_implied(game, following.input.kind)
        for following in list_offers(game.play(move))
    )


@dataclass(slots=True)
class LateChance:
    """The chance to press, for a few seconds, what could be pressed before moves that the table implied, or OK said.

    It begins once these moves are played: something may be asked about first.

    Args:
        moves: these moves.
        first_step: index in `Replay.steps` of the first of them; until it begins, the lower bound of this.

    Attributes:
        until: end of the chance, in seconds on the host's monotonic clock; None: it has not begun, or a question has
            stopped it.
        readings: of the camera since then, which are read again if the moves are taken back.
    """

    moves: Sequence[Action]
    first_step: int
    until: float | None = None
    readings: list[Event] = field(default_factory=list)

    @property
    def has_begun(self) -> bool:
        """Whether its moves have been played, and no question has stopped it."""
        return self.until is not None

    def update(self, saved_game: SavedGame, now: float, *, is_asked: bool) -> None:
        """Begin the chance once its moves are played, which a question may delay; stop it while a question is open.

        Args:
            now: in seconds on the host's monotonic clock.
            is_asked: a question is open, which takes the players' buttons: all the time counts after its answer.
        """
        if is_asked:
            self.until = self.until if self.is_over(now) else None
        elif not self.has_begun:
            played = [step.played for step in saved_game.replay.steps]
            for first in range(self.first_step, len(played) - len(self.moves) + 1):
                if played[first : first + len(self.moves)] == list(self.moves):
                    self.first_step, self.until = first, now + LATE_PRESS_SECONDS
                    break

    def is_over(self, now: float) -> bool:
        """Return whether it has begun, and has ended."""
        return self.until is not None and now > self.until

    def add_reading(self, reading: Event) -> None:
        """Note a reading; one that is read again stands there once."""
        if reading not in self.readings:
            self.readings.append(reading)

    def is_usable(self, saved_game: SavedGame, buttons: Sequence[Button], offers: Sequence[Offer]) -> bool:
        """Return whether any player's own button would do something, and none enters numbers in the offers of now."""
        enters_numbers = any(isinstance(offer.input, NumberPress) for offer in offers)
        return not enters_numbers and any(self.find_offer(saved_game, button, buttons) for button in buttons)

    def find_offer(self, saved_game: SavedGame, button: Button, buttons: Sequence[Button]) -> tuple[int, Offer] | None:
        """Find what a player's own button would have played before one of the implied moves, the earliest first.

        Returns:
            The number of steps to be undone first, and the offer of a move; None: it would have done nothing.
        """
        steps = saved_game.replay.steps
        if button not in buttons or not self.has_begun:
            return None
        for index in range(self.first_step, min(self.first_step + len(self.moves), len(steps))):
            before = steps[index].before
            offers = saved_game.definition.list_offers(before, saved_game.players, Visibility(True, True))
            offer = find_offer(offers, button, buttons)
            if offer is not None and isinstance(offer.action, Move):
                return len(steps) - index, offer
        return None
