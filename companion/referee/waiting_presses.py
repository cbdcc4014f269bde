"""Presses about what the camera has yet to read: they wait until the hand has left the table, or the dice lie.

A press that was meant for what was there before a question opened: `unmeant_presses.py`.
"""

from collections.abc import Sequence
from math import inf
from typing import NamedTuple

from companion.api import LATE_PRESS_SECONDS, Offer, Seat, SeatPress
from companion.events import Button
from companion.i18n import N_
from companion.journal.saved_game import SavedGame
from companion.referee.implied_moves import acts_after_table_action
from companion.referee.simulated_rolls import means_the_same
from companion.referee.unmeant_presses import IMPATIENT_SECONDS

TURN_BUTTONS = frozenset({Button.OK, Button.NO})
"""They act for the player whose turn it is."""
TOO_LATE = N_("The game went on before that press")
"""Shown where a press waited, and its button means something else by now."""


class WaitingPress(NamedTuple):
    """A press that waits."""

    button: Button
    at: float
    """When it was pressed, in seconds on the host's monotonic clock."""
    active_seat: Seat | None
    """Whose turn it was then."""
    offer: Offer | None
    """What it did then; None: nothing yet."""
    is_overtaken: bool
    """Whether dice rolled then, before which it does not count (`GameStage.is_overtaken`)."""


class WaitingPresses:
    """Keeps presses while a hand or dice move, until the camera has read what they are about.

    Args:
        saved_game: the game in play; it is only read.
    """

    def __init__(self, saved_game: SavedGame) -> None:
        self._saved_game = saved_game
        self._presses: list[WaitingPress] = []
        self._again_until: dict[Button, float] = {}
        """By button: until then a press is that of an impatient hand, which does not mean what comes next."""

    def __bool__(self) -> bool:
        """Return whether any press waits."""
        return bool(self._presses)

    @property
    def first(self) -> WaitingPress:
        """The press that waits longest.

        Raises:
            IndexError: none waits.
        """
        return self._presses[0]

    def keep(
        self, button: Button, at: float, buttons: Sequence[Button], offer: Offer | None, *, is_overtaken: bool
    ) -> bool:
        """Keep a press, and return whether it may be about what the camera has yet to read.

        One that does nothing yet may be if it is OK or NO, the button of the player whose turn it is, or one that does
        something after the next action at the table. While another press waits anybody's may be, since the one that
        waits may let the others guess.

        Args:
            at: stamp of the press, in seconds on the host's monotonic clock.
            buttons: the players' own buttons by seat.
            offer: what it does, if that counts only after the dice that roll now, or for the lid as it is now; None: it
                does nothing yet.
            is_overtaken: it counts only after the dice that roll now.
        """
        active_seat = self._saved_game.game.get_active_seat()
        is_again = at < self._again_until.get(button, -inf)
        if is_again:
            self._again_until[button] = max(self._again_until[button], at + IMPATIENT_SECONDS)
        if offer is not None:
            is_kept = True
        elif button not in buttons:
            is_kept = button in TURN_BUTTONS and not is_again
        elif buttons.index(button) == active_seat:
            is_kept = True  # who was right takes the first token of the next turn at once, and may guess
        else:
            is_kept = not is_again and (bool(self) or acts_after_table_action(self._saved_game, button, buttons))
        if is_kept and all(waiting.button is not button for waiting in self._presses):
            self._presses.append(WaitingPress(button, at, active_seat, offer, is_overtaken))
        return is_kept

    def take_first(self) -> WaitingPress:
        """Return the press that waits longest, which no longer waits.

        Raises:
            IndexError: none waits.
        """
        return self._presses.pop(0)

    def is_meant(self, waiting: WaitingPress, offer: Offer | None) -> bool:
        """Return whether a press that waited was meant as what it does now.

        What it did then must still be the same act. If that was nothing, a number key, which an own button may be by
        now, was not meant. Nor was OK or NO, if it is somebody else's turn by now.

        Args:
            offer: what its button does now; None: nothing.
        """
        if waiting.offer is not None:
            return means_the_same(waiting.offer, offer)
        if waiting.button in TURN_BUTTONS:
            return waiting.active_seat == self._saved_game.game.get_active_seat()
        return offer is None or isinstance(offer.input, SeatPress)

    def note_taken(self, button: Button, at: float, *, in_dialog: bool, ends_waiting: bool) -> None:
        """Note that a press has done something.

        Args:
            at: stamp of the press, in seconds on the host's monotonic clock.
            in_dialog: it was for a question or menu, after which the same button soon means something of the game.
            ends_waiting: the presses that still wait came before it, and those that did nothing then were about what
                was before it. Of the others `is_meant` knows whether they still are what they were.
        """
        self._again_until[button] = at + (IMPATIENT_SECONDS if in_dialog else LATE_PRESS_SECONDS)
        if ends_waiting:
            self._presses = [waiting for waiting in self._presses if waiting.offer is not None]

    def clear(self) -> None:
        """Forget the presses that wait."""
        self._presses.clear()
