"""Buttons that are held: presses shown at once, long ones, steps that repeat. Stuck ones: `stuck_buttons.py`.

What a held button does: `Referee._handle_hold`.
"""

from collections.abc import Callable

from companion.events import Button
from companion.referee.stuck_buttons import STUCK_SECONDS

HOLD_SECONDS = 1.0
"""Seconds for which NO is held to undo, and OK for what the whole table agrees on."""
HOLD_STEPS = 10
"""Steps in which the screen shows how long a button has been held. More steps: smoother, and more to draw."""
HIDDEN_HOLD_STEPS = 2
"""First steps that are not shown, because most presses are short."""
REPEAT_DELAY_SECONDS = 0.5
"""Seconds after which a step of PLUS or MINUS repeats while the button is held."""
SLOW_REPEAT_SECONDS = 0.2
"""Seconds between the first `SLOW_REPEATS` repeats."""
SLOW_REPEATS = 8
"""Number of slow repeats; those after them are fast."""
FAST_REPEAT_SECONDS = 0.07
"""Seconds between the repeats after the slow ones. Shorter: large changes are quicker, and overshoot more."""
FEEDBACK_SECONDS = 0.25
"""Seconds for which a press stays visible on the screen."""


class PressFeedback:
    """Acknowledges presses on the screen at once, before it is known what they will do, and detects long presses.

    Args:
        monotonic: the host's monotonic clock, in seconds; presses are stamped by the same clock.
    """

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._pressed_at: dict[Button, float] = {}
        self._down_since: dict[Button, float] = {}
        self._repeat_counts: dict[Button, int] = {}
        """Repeats so far, by button that repeats while it is held."""

    def note_press(self, button: Button, at: float) -> None:
        """Note that a button went down: `recent_presses` shows it, and `take_hold` measures how long it is held.

        Args:
            at: stamp of the press, in seconds of the host's monotonic clock.
        """
        self._pressed_at[button] = self._down_since[button] = at
        self._repeat_counts.clear()  # another press may open what the held button must not step through

    def note_release(self, button: Button, at: float) -> float | None:
        """Note that a button came up, and return for how many seconds it was down.

        Args:
            at: stamp of the release, in seconds of the host's monotonic clock.

        Returns:
            Seconds; None if `take_hold` has returned True for this press, or if no press of the button is known.
        """
        down = self._down_since.pop(button, None)
        self._repeat_counts.pop(button, None)
        return None if down is None else at - down

    def take_hold(self, button: Button) -> bool:
        """Detect a long press: return True once per press, as soon as the button was held for `HOLD_SECONDS`.

        To be polled on every tick. After True, `note_release` no longer knows this press.

        Args:
            button: the button, such as NO, which is held to undo.
        """
        down = self._down_since.get(button)
        if down is None or self._monotonic() - down < HOLD_SECONDS:
            return False
        del self._down_since[button]
        self._repeat_counts.pop(button, None)
        return True

    def measure_hold(self, button: Button) -> float:
        """Return the share (0 to 1) of `HOLD_SECONDS` for which a button has been held, in steps, for the screen.

        It is 0 for short presses, and again after `take_hold` has returned True.
        """
        down = self._down_since.get(button)
        steps = 0 if down is None else int((self._monotonic() - down) / HOLD_SECONDS * HOLD_STEPS)
        return min(steps, HOLD_STEPS) / HOLD_STEPS if steps > HIDDEN_HOLD_STEPS else 0.0

    def begin_repeat(self, button: Button) -> None:
        """Let a button that is down now repeat its step while it is held; a button that is up does not."""
        if button in self._down_since:
            self._repeat_counts.setdefault(button, 0)

    def take_repeat(self, button: Button) -> bool:
        """Return whether a step of a held button is to be repeated now; to be polled until it is False.

        It repeats slowly at first and then faster, and no longer once the button counts as stuck (`STUCK_SECONDS`).

        Args:
            button: a button for which `begin_repeat` may have been called.
        """
        count = self._repeat_counts.get(button)
        if count is None:
            return False
        slow, fast = min(count, SLOW_REPEATS), max(0, count - SLOW_REPEATS)
        due = REPEAT_DELAY_SECONDS + SLOW_REPEAT_SECONDS * slow + FAST_REPEAT_SECONDS * fast
        if not due <= self._monotonic() - self._down_since[button] < STUCK_SECONDS:
            return False
        self._repeat_counts[button] = count + 1
        return True

    def recent_presses(self) -> frozenset[Button]:
        """Return the buttons pressed within the last `FEEDBACK_SECONDS`: their press is visible on the screen."""
        now = self._monotonic()
        self._pressed_at = {b: at for b, at in self._pressed_at.items() if now - at < FEEDBACK_SECONDS}
        return frozenset(self._pressed_at)
