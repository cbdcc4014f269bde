"""Double presses: the second one does nothing, unless both are steps, digits or pages."""

import math

from companion.api import Offer
from companion.events import Button

REACTION_SECONDS = 0.4
"""Seconds within which nobody can have read a new offer and pressed for it. The larger, the slower deliberate presses
of one button may follow each other; the smaller, the more double presses do two things."""


class DoublePressGuard:
    """Finds the second press of a double press: it would take an offer that nobody can have read yet.

    One guard serves all stages of a session, for an offer may stand under the same button in the next stage.
    """

    def __init__(self) -> None:
        self._last_presses: dict[Button, tuple[float, bool]] = {}
        """By button: stamp of its last press that was accepted, and whether the offer that it took last `repeats`."""

    def accept_press(self, button: Button, at: float, offer: Offer | None) -> bool:
        """Return whether a press may take the offer under its button, and note it as the last one if it may.

        It may not within `REACTION_SECONDS` after the last accepted press of the same button, or longer where something
        is to be read first (`Offer.shown_seconds`), unless both take an offer that `repeats`: a step, a digit, a page.

        Args:
            at: stamp of the press, in seconds of the host's monotonic clock.
            offer: what the button means now; None: nothing, and the press is accepted.
        """
        if self.is_double_press(button, at, offer):
            return False
        repeats = self._last_presses.get(button, (at, False))[1] if offer is None else offer.repeats
        self._last_presses[button] = at, repeats
        return True

    def is_double_press(self, button: Button, at: float, offer: Offer | None) -> bool:
        """Return whether `accept_press` would refuse this press; notes nothing."""
        last_at, repeats = self._last_presses.get(button, (-math.inf, False))
        if offer is None or (repeats and offer.repeats):
            return False
        return abs(at - last_at) < max(REACTION_SECONDS, offer.shown_seconds)
