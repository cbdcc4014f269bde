"""Find buttons that are stuck, and mute them: no finger presses so fast, or holds one down for so long."""

from collections import deque

from companion.events import Button

UNMUTE_SECONDS = 2.0
"""Seconds for which a muted button must not be pressed before it counts again."""
STUCK_SECONDS = 6.0
"""Seconds for which a button is held down before the screen reports it as stuck."""
MAX_SEAT_PRESSES = (8, 0.5)
"""A seat button is muted after this many presses within this many seconds, 14 a second: a finger taps 7."""
MAX_CONSOLE_PRESSES = (12, 1.5)
"""The same of a console button; it may be pressed faster, for it steps through menus."""


class StuckButtonFilter:
    """Mutes buttons that are pressed much too fast, and finds those that are held down for long.

    A press of a muted button counts for nothing until the button was not pressed for `UNMUTE_SECONDS`. All times are
    seconds of the clock that stamps the presses.
    """

    def __init__(self) -> None:
        self._recent_presses: dict[Button, deque[float]] = {}
        self._muted: set[Button] = set()
        self._pressed_since: dict[Button, float] = {}
        self._unpressed: set[Button] = set()
        """Buttons that are held down without having been pressed."""

    def accept_press(self, button: Button, at: float) -> bool:
        """Note that a button went down, and return whether the press counts: it does not while the button is muted.

        A press that makes too many within too short a time (`MAX_SEAT_PRESSES`, `MAX_CONSOLE_PRESSES`) mutes the
        button, and does not count itself.

        Args:
            at: stamp of the press, in seconds of the host's monotonic clock.
        """
        self._pressed_since[button] = at
        self._unpressed.discard(button)
        most, seconds = MAX_SEAT_PRESSES if button.seat_number else MAX_CONSOLE_PRESSES
        recent = self._recent_presses.setdefault(button, deque(maxlen=most))
        if recent and at - recent[-1] > UNMUTE_SECONDS:
            self._muted.discard(button)
            recent.clear()
        recent.append(at)
        if len(recent) == most and at - recent[0] <= seconds:
            self._muted.add(button)
        return button not in self._muted

    def note_held(self, button: Button, at: float) -> None:
        """Note that a button is down that nobody was seen to press."""
        self._pressed_since[button] = at
        self._unpressed.add(button)

    def was_pressed(self, button: Button) -> bool:
        """Return False for a button that is down and was so from the beginning."""
        return button not in self._unpressed

    def note_release(self, button: Button) -> None:
        """Note that a button came up, so that it is no longer reported as held down."""
        self._pressed_since.pop(button, None)
        self._unpressed.discard(button)

    def list_stuck_buttons(self, now: float) -> tuple[Button, ...]:
        """List the buttons that are muted, or held down for more than `STUCK_SECONDS`, in the order of `Button`.

        A button that is not held down and was not pressed for `UNMUTE_SECONDS` is no longer muted.

        Args:
            now: the present time, in seconds of the clock that stamps the presses.
        """
        self._muted = {
            b for b in self._muted if b in self._pressed_since or now - self._recent_presses[b][-1] <= UNMUTE_SECONDS
        }
        stuck = {b for b, since in self._pressed_since.items() if now - since > STUCK_SECONDS}
        return tuple(b for b in Button if b in self._muted or b in stuck)
