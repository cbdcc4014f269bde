"""Presses that nobody can have meant: the second one of a double press, and any within moments of a new question.

A double press does one thing, unless both presses are steps, digits or pages. Pressing on does not skip what is to be
read: after a press that was refused a pause is needed.
"""

from math import inf

from companion.api import Move, Offer
from companion.events import Button

REACTION_SECONDS = 0.4
"""Seconds within which nobody can have read a new offer and pressed for it. The larger, the slower deliberate presses
of one button may follow each other; the smaller, the more double presses do two things."""

IMPATIENT_SECONDS = 1.0
"""Presses of one button so soon one after the other are of an impatient hand, which presses twice a second or more.

Larger: presses are ignored that are meant for what is new; smaller: who presses once more passes over it."""

QUESTION_SECONDS = 0.8
"""Seconds within which nobody has read a question that opens by itself and pressed for it.

Larger: quick readers must press again; smaller: who presses for what was shown before answers the question."""


class PressGuard:
    """Finds presses, such as the second one of a double press, that would take an offer that nobody can have read yet.

    One guard serves all stages of a session, for an offer may stand under the same button in the next stage.
    """

    def __init__(self) -> None:
        self._last_presses: dict[Button, tuple[float, bool]] = {}
        """By button: stamp of its last press that was accepted, and whether the offer that it took last `repeats`."""
        self._refused_at: dict[Button, float] = {}
        """By button: stamp of its last press that was refused."""
        self._screen_at, self._screen_seconds = -inf, inf
        """Since when that is shown which appeared by itself last, and for how long at most no press counts."""

    def accept_press(self, button: Button, at: float, offer: Offer | None, *, has_waited: bool = False) -> bool:
        """Return whether a press may take the offer under its button, and note it as the last one if it may.

        It may not within `REACTION_SECONDS` after the last accepted press of the same button, or after a new screen, or
        longer where something is to be read first (`Offer.shown_seconds`), unless both presses take an offer that
        `repeats`: a step, a digit, a page. Where something is to be read a press that was refused begins another pause,
        of at most `IMPATIENT_SECONDS`.

        Args:
            at: stamp of the press, in seconds of the host's monotonic clock.
            offer: what the button means now; None: nothing, and the press is accepted.
            has_waited: it waited for a reading, and its move was meant before any new screen.
        """
        if self.must_refuse(button, at, offer, has_waited=has_waited):
            self._refused_at[button] = at
            return False
        repeats = self._last_presses.get(button, (at, False))[1] if offer is None else offer.repeats
        self._last_presses[button] = at, repeats
        return True

    def note_new_screen(self, at: float) -> None:
        """Note that something appears by itself that all are to read, such as a result.

        No button counts until it can have been read, also one that was not pressed before.
        """
        self._screen_at, self._screen_seconds = at, inf

    def note_question(self, at: float) -> None:
        """Note that a question opens by itself: as of `note_new_screen`, but for at most `QUESTION_SECONDS`."""
        self._screen_at, self._screen_seconds = at, QUESTION_SECONDS

    def must_refuse(self, button: Button, at: float, offer: Offer | None, *, has_waited: bool = False) -> bool:
        """Return whether `accept_press` would refuse this press; notes nothing."""
        last_at, repeats = self._last_presses.get(button, (-inf, False))
        if offer is None or (repeats and offer.repeats):
            return False
        pause = abs(at - self._refused_at.get(button, -inf))
        is_mashing = pause < min(offer.shown_seconds, IMPATIENT_SECONDS)
        is_again = abs(at - last_at) < max(REACTION_SECONDS, offer.shown_seconds)
        unread_seconds = max(REACTION_SECONDS, min(offer.shown_seconds, self._screen_seconds))
        is_unread = abs(at - self._screen_at) < unread_seconds and not (has_waited and isinstance(offer.action, Move))
        return is_mashing or is_again or is_unread

    def is_too_fast(self, button: Button, at: float, offer: Offer | None) -> bool:
        """Return whether `accept_press` refuses this press because something is to be read, not as a second press."""
        last_at, _repeats = self._last_presses.get(button, (-inf, False))
        return self.must_refuse(button, at, offer) and abs(at - last_at) >= REACTION_SECONDS
