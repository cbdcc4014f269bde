"""Debounce a contact: the first edge sets the stamp, and the contact must stay for a moment; then bounces do not count.

The button box does it itself: `firmware_notes/firmware/debounce.c`, with its times in `debounce.h`.

lgpio has a debounce of its own (gpiozero: `bounce`, `bounce_time`): it stamps the end of the bouncing, so that a worn
switch would lose against a new one. Here the first edge counts, with its own stamp; later ones do not change it.
The result depends on the stamped edges alone: the same edges give the same events, however late they are handled.
"""

from dataclasses import dataclass

CONFIRM_SECONDS = 0.005
"""Time after the first edge at which it is decided whether the contact changed, or the wire picked up a glitch.

A bouncing switch is open for long parts of the first milliseconds, and its first edge must still count. It is the same
for all contacts, so that presses are decided in the order of their first edges. A larger value delays presses.
"""

MIN_CONTACT_SECONDS = 0.000_35
"""Least time within `CONFIRM_SECONDS` that the contact must have been in its new state.

A bouncing switch is closed for about half of the time; glitches on long wires last for tens of microseconds. A larger
value rejects longer glitches and stamps the presses of a worn switch later.
"""

DEBOUNCE_SECONDS = 0.020
"""Lockout: time after an accepted edge in which no other edge counts.

Arcade switches bounce for less than 10 ms. A larger value loses fast presses, a smaller one counts bounces.
"""

EDGE_GRACE_SECONDS = 0.030
"""Longest time that an edge takes to reach the program.

A pin whose level contradicts the edges for this long has lost an edge. A larger value repairs lost edges later.
"""

MAX_LEVEL_ERROR_SECONDS = 0.1
"""Largest error of the stamp of an edge that was lost and inferred from the pin's level."""


@dataclass(frozen=True, slots=True)
class DebouncedEdge:
    """The contact closed (`is_down`) or opened at `at`, in seconds; `max_error_seconds`: how far `at` may be off.

    >>> DebouncedEdge(is_down=True, at=1.5).max_error_seconds
    0.0
    """

    is_down: bool
    at: float
    max_error_seconds: float = 0.0


class Debouncer:
    """Debounces one contact. All times are in seconds of one clock, the caller's.

    >>> debouncer = Debouncer()
    >>> for is_down, at in ((True, 1.000), (False, 1.001), (True, 1.002)):
    ...     edges = debouncer.handle_edge(is_down, at)
    ...
    >>> debouncer.check_level(True, now=1.1)
    [DebouncedEdge(is_down=True, at=1.0, max_error_seconds=0.0)]

    Args:
        is_down: whether the contact is closed at the start; that is not reported as a press.

    Attributes:
        is_down: whether the contact was closed at the last reported edge.
        undecided_since: time of the first edge of a change that is not decided yet; None: there is none.
    """

    def __init__(self, is_down: bool = False) -> None:
        self.is_down = is_down
        self.undecided_since: float | None = None
        self._raw_down = is_down
        self._raw_at = self._raw_error = float("-inf")
        self._locked_until = float("-inf")
        self._contact_seconds = self._counted_until = self._undecided_error = 0.0
        self._agreed_at = float("-inf")
        self._mismatch_since: float | None = None

    @property
    def due_at(self) -> float | None:
        """Time in seconds at which `check_level` must be called to decide a change; None: no change is undecided.

        Then the change has become a debounced edge, or has been rejected as a glitch.
        """
        if self.undecided_since is not None:
            return self.undecided_since + CONFIRM_SECONDS
        return None if self._raw_down == self.is_down else self._locked_until + CONFIRM_SECONDS

    def handle_edge(self, is_down: bool, at: float, max_error_seconds: float = 0.0) -> list[DebouncedEdge]:
        """Handle an edge of the contact, and return the debounced edges that are certain by its time.

        The edge itself is decided later, at `due_at`, by the next call of this or of `check_level`. Raises nothing.

        Args:
            is_down: whether the contact is closed after the edge.
            at: time of the edge in seconds; an edge that is earlier than the one before is ignored.
            max_error_seconds: how far `at` may be off, from 0.

        Returns:
            Edges that were not returned before, earliest first, stamped with the first raw edge of each change; mostly
            empty.
        """
        edges = self._decide_until(at)
        if at >= self._raw_at:
            self._raw_down, self._raw_at, self._raw_error = is_down, at, max_error_seconds
        self._mismatch_since = None
        return edges + self._decide_until(at)

    def check_level(self, is_down: bool, now: float) -> list[DebouncedEdge]:
        """Handle a reading of the pin's level, and return the debounced edges that are certain by now.

        A level that contradicts the last edge counts as a lost edge if all readings for `EDGE_GRACE_SECONDS` agree; it
        is stamped with the time of the first of them, and debounced like any other. Raises nothing.

        Args:
            is_down: whether the contact is closed.
            now: time of the reading in seconds, of the clock that stamps the edges; never earlier than in the last
                call.

        Returns:
            Edges that were not returned before, earliest first; mostly empty.
        """
        if is_down == self._raw_down:
            self._mismatch_since, self._agreed_at = None, now
            return self._decide_until(now)
        # The edge that explains the level may be on its way.
        edges = self._decide_until(now - EDGE_GRACE_SECONDS)
        if self._mismatch_since is None:
            self._mismatch_since = now
        elif now - self._mismatch_since >= EDGE_GRACE_SECONDS:
            at = self._mismatch_since
            error = min(MAX_LEVEL_ERROR_SECONDS, at - max(self._raw_at, self._agreed_at))
            edges += self.handle_edge(is_down, at, error) + self._decide_until(now)
        return edges

    def _decide_until(self, now: float) -> list[DebouncedEdge]:
        """Return the edges that are certain if the contact stayed as it is until `now`."""
        edges: list[DebouncedEdge] = []
        while True:
            if self.undecided_since is None:
                since = max(self._raw_at, self._locked_until)
                if self._raw_down == self.is_down or now < since:
                    return edges
                self.undecided_since = self._counted_until = since
                self._contact_seconds, self._undecided_error = 0.0, self._raw_error
            end = self.undecided_since + CONFIRM_SECONDS
            until = max(self._counted_until, min(now, end))
            if self._raw_down != self.is_down:
                self._contact_seconds += until - self._counted_until
            self._counted_until = until
            if now < end:
                return edges
            if self._contact_seconds >= MIN_CONTACT_SECONDS:
                self.is_down = not self.is_down
                self._locked_until = self.undecided_since + DEBOUNCE_SECONDS
                edges.append(DebouncedEdge(self.is_down, self.undecided_since, self._undecided_error))
            self.undecided_since = None
