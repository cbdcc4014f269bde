"""Limit the events that a box may send, so that a broken one cannot keep the companion busy."""

EVENTS_PER_SECOND = 250.0
"""Events a second that a box may send for as long as it likes; ten fingers make fewer.

A larger value lets a broken box disturb more.
"""

MAX_EVENT_BURST = 512
"""Events that a box may send at once: those of its queue after a cut cable, and of ten fingers meanwhile.

A larger value delays the moment at which a broken box is ignored.
"""


class EventLimiter:
    """A token bucket: each event takes one of the events that are allowed, and time brings them back.

    >>> limiter = EventLimiter(0.0)
    >>> sum(limiter.count_event(0.0) for _ in range(MAX_EVENT_BURST + 10)) == MAX_EVENT_BURST, limiter.is_flooding
    (True, True)

    Args:
        now: the present time, in seconds of a monotonic clock.

    Attributes:
        is_flooding: more events came than people can make; it stays so.
    """

    def __init__(self, now: float) -> None:
        self.is_flooding = False
        self._allowance, self._counted_at = float(MAX_EVENT_BURST), now

    def count_event(self, at: float) -> bool:
        """Count an event that arrived at `at`, in seconds of the clock; return whether it is allowed."""
        refill = EVENTS_PER_SECOND * (at - self._counted_at)
        self._allowance = min(MAX_EVENT_BURST, self._allowance + refill) - 1.0
        self._counted_at = at
        self.is_flooding = self.is_flooding or self._allowance < 0.0
        return not self.is_flooding
