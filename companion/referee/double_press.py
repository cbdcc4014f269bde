"""Double presses: the second one does nothing, unless both are steps, digits or pages.

Pressing on does not skip what is to be read: after a press that was refused a pause is needed.
"""

import math
from dataclasses import replace

from companion.api import Offer
from companion.events import Button

REACTION_SECONDS = 0.4
"""Seconds within which nobody can have read a new offer and pressed for it. The larger, the slower deliberate presses
of one button may follow each other; the smaller, the more double presses do two things."""

IMPATIENT_SECONDS = 1.0
"""Presses of one button so soon one after the other are of an impatient hand, which presses twice a second or more.

Larger: presses are ignored that are meant for what is new; smaller: who presses once more passes over it."""


class DoublePressGuard:
    """Finds the second press of a double press: it would take an offer that nobody can have read yet.

    One guard serves all stages of a session, for an offer may stand under the same button in the next stage.
    """

    def __init__(self) -> None:
        self._last_presses: dict[Button, tuple[float, bool]] = {}
        """By button: stamp of its last press that was accepted, and whether the offer that it took last `repeats`."""
        self._refused_at: dict[Button, float] = {}
        """By button: stamp of its last press that was refused."""

    def accept_press(self, button: Button, at: float, offer: Offer | None) -> bool:
        """Return whether a press may take the offer under its button, and note it as the last one if it may.

        It may not within `REACTION_SECONDS` after the last accepted press of the same button, or longer where something
        is to be read first (`Offer.shown_seconds`), unless both take an offer that `repeats`: a step, a digit, a page.
        Where something is to be read a press that was refused begins another pause, of at most `IMPATIENT_SECONDS`.

        Args:
            at: stamp of the press, in seconds of the host's monotonic clock.
            offer: what the button means now; None: nothing, and the press is accepted.
        """
        if self.is_double_press(button, at, offer):
            self._refused_at[button] = at
            return False
        repeats = self._last_presses.get(button, (at, False))[1] if offer is None else offer.repeats
        self._last_presses[button] = at, repeats
        return True

    def note_new_screen(self, at: float) -> None:
        """Note that something appears which all are to read first, such as a result."""
        for button in Button:
            self.accept_press(button, at, None)

    def is_double_press(self, button: Button, at: float, offer: Offer | None) -> bool:
        """Return whether `accept_press` would refuse this press; notes nothing."""
        last_at, repeats = self._last_presses.get(button, (-math.inf, False))
        if offer is None or (repeats and offer.repeats):
            return False
        pause = abs(at - self._refused_at.get(button, -math.inf))
        is_mashing = pause < min(offer.shown_seconds, IMPATIENT_SECONDS)
        return is_mashing or abs(at - last_at) < max(REACTION_SECONDS, offer.shown_seconds)

    def is_too_fast(self, button: Button, at: float, offer: Offer | None) -> bool:
        """Return whether `accept_press` refuses this press only because something is to be read first."""
        unread = offer and replace(offer, shown_seconds=0.0)
        return self.is_double_press(button, at, offer) and not self.is_double_press(button, at, unread)
