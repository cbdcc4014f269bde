"""When to try again after a failure: at once, then after pauses that double up to a limit."""

import math


class Backoff:
    """Exponential back-off with injected times: it reads no clock and never sleeps.

    Before the first failure, and after each success, an attempt is due at once. After the first failure in a row the
    next attempt is due in `first_seconds`; each further failure doubles the pause, up to `most_seconds`. If both are
    equal the pause is constant.

    Args:
        first_seconds: pause after the first failure in a row, above 0.
        most_seconds: longest pause, at least `first_seconds`.

    >>> backoff = Backoff(1.0, 3.0)
    >>> backoff.note_failure(10.0)
    >>> backoff.is_due(10.9), backoff.is_due(11.0)
    (False, True)
    >>> backoff.note_failure(11.0)
    >>> backoff.pause_seconds
    2.0
    """

    def __init__(self, first_seconds: float, most_seconds: float) -> None:
        self._first_seconds, self._most_seconds = first_seconds, most_seconds
        self._due_at = -math.inf
        self.failures = 0
        """Failures in a row; 0 after a success."""
        self.pause_seconds = 0.0
        """Pause after the last failure; 0 after a success."""

    def is_due(self, now: float) -> bool:
        """Return whether the next attempt may be made at `now`: always, but for the pause after a failed attempt.

        Args:
            now: present time in seconds, on the clock whose times `note_failure` gets.
        """
        return now >= self._due_at

    def note_failure(self, now: float) -> None:
        """Note that an attempt failed: count it in `failures`, and set `pause_seconds` until the next attempt is due.

        Args:
            now: time of the failure in seconds, on any monotonic clock, but always the same one.
        """
        self.failures += 1
        self.pause_seconds = min(self._most_seconds, 2 * self.pause_seconds or self._first_seconds)
        self._due_at = now + self.pause_seconds

    def note_success(self) -> None:
        """Note that an attempt succeeded: `failures` and `pause_seconds` are 0 again, and an attempt is due at once."""
        self.failures, self.pause_seconds, self._due_at = 0, 0.0, -math.inf
