"""Presses about what the camera has yet to read: they wait until the hand has left the table."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from companion.api import LATE_PRESS_SECONDS, Offer, Seat, SeatPress
from companion.events import Button
from companion.journal.saved_game import SavedGame


class EarlyPress(NamedTuple):
    """A press that waits."""

    button: Button
    at: float
    """When it was pressed, in seconds on the host's monotonic clock."""
    active_seat: Seat | None
    """Whose turn it was then."""


class EarlyPresses:
    """Keeps presses that mean nothing yet, while a hand moves, until the camera has read what they are about.

    Args:
        saved_game: the game in play; it is only read.
    """

    def __init__(self, saved_game: SavedGame) -> None:
        self._saved_game = saved_game
        self._presses: list[EarlyPress] = []
        self._last_ok_at = -LATE_PRESS_SECONDS

    def __bool__(self) -> bool:
        """Return whether any press waits."""
        return bool(self._presses)

    def keep(self, button: Button, at: float, buttons: Sequence[Button]) -> bool:
        """Keep a press that does nothing yet, and return whether it may be about what the camera has yet to read.

        It is OK, or the own button of whose turn it is; after OK, which may let the others guess, that of anybody.

        Args:
            at: stamp of the press, in seconds on the host's monotonic clock.
            buttons: the players' own buttons by seat.
        """
        active_seat, waiting = self._saved_game.game.get_active_seat(), {early.button for early in self._presses}
        if button is Button.OK:
            is_kept = at - self._last_ok_at >= LATE_PRESS_SECONDS  # an impatient hand does not mean the next throw
        else:
            is_kept = button in buttons and (Button.OK in waiting or buttons.index(button) == active_seat)
        if is_kept and button not in waiting:
            self._presses.append(EarlyPress(button, at, active_seat))
        return is_kept

    def take_first(self, find_offer: Callable[[Button], Offer | None]) -> EarlyPress | None:
        """Return the press that waits longest, which no longer waits; None: it was not meant as what it does now.

        A number key, which an own button may be by now, was not meant, and OK not in the turn of somebody else.

        Args:
            find_offer: finds what a button does now.

        Raises:
            IndexError: none waits.
        """
        early = self._presses.pop(0)
        if early.button is Button.OK:
            is_meant = early.active_seat == self._saved_game.game.get_active_seat()
        else:
            offer = find_offer(early.button)
            is_meant = offer is None or isinstance(offer.input, SeatPress)
        return early if is_meant else None

    def note_taken(self, button: Button, at: float, *, is_answer: bool) -> None:
        """Note that a press has done something: those before it were about what was before it, unless it answers."""
        if button is Button.OK:
            self._last_ok_at = at
        if not is_answer:
            self._presses = [early for early in self._presses if early.at > at]

    def clear(self) -> None:
        """Forget the presses that wait."""
        self._presses.clear()
