"""Debounce a contact: the first edge counts at once, with its own stamp; edges within the lockout after it do not.

Waiting for a contact to settle (gpiozero's `bounce_time`) would delay a press by the time its switch bounces. The
result depends on the stamped edges alone: the same edges give the same events, however late they are handled.
"""

from dataclasses import dataclass

DEBOUNCE_SECONDS = 0.020
"""Lockout: time after an accepted edge in which no other edge counts.

Arcade switches bounce for less than 10 ms. A larger value loses fast presses, a smaller one counts bounces.
"""

EDGE_GRACE_SECONDS = 0.030
"""Longest time that an edge takes to reach the program.

A pin whose level contradicts the edges for this long has lost an edge. A larger value repairs lost edges later.
"""


@dataclass(frozen=True, slots=True)
class DebouncedEdge:
    """The contact closed (`is_down`) or opened at `at`, in seconds."""

    is_down: bool
    at: float


class Debouncer:
    """Debounces one contact. All times are in seconds of one clock, the caller's.

    Args:
        is_down: whether the contact is closed at the start; that is not reported as a press.

    Attributes:
        is_down: whether the contact was closed at the last reported edge.
    """

    def __init__(self, is_down: bool = False) -> None:
        self.is_down = is_down
        self._raw_down = is_down
        self._raw_at = float("-inf")
        self._locked_until = float("-inf")
        self._mismatch_since: float | None = None

    def handle_edge(self, is_down: bool, at: float) -> list[DebouncedEdge]:
        """Handle an edge of the contact, and return the debounced edges that it reveals: none to two, earliest first.

        If the last lockout ended before this edge with the contact in the other state, that comes first, stamped with
        the end of the lockout.

        Args:
            is_down: whether the contact is closed after the edge.
            at: time of the edge in seconds; edges of one contact must come in the order of their stamps.
        """
        edges = self._end_lockout(at)
        if at >= self._raw_at:
            self._raw_down, self._raw_at = is_down, at
        self._mismatch_since = None
        if is_down != self.is_down and at >= self._locked_until:
            edges.append(self._accept(is_down, at))
        return edges

    def check_level(self, is_down: bool, now: float) -> list[DebouncedEdge]:
        """Handle a level of the pin, and return the debounced edges that it reveals: none to two, earliest first.

        A level that contradicts all edges counts if two readings, `EDGE_GRACE_SECONDS` apart, agree; it is stamped with
        the time of the first of them.

        Args:
            is_down: whether the contact is closed.
            now: time of the reading in seconds, of the clock that stamps the edges.
        """
        edges = self._end_lockout(now - EDGE_GRACE_SECONDS)
        if is_down == self._raw_down:
            self._mismatch_since = None
        elif self._mismatch_since is None:
            self._mismatch_since = now
        elif now - self._mismatch_since >= EDGE_GRACE_SECONDS:
            self._raw_down, self._raw_at = is_down, self._mismatch_since
            if is_down != self.is_down:
                edges.append(self._accept(is_down, max(self._mismatch_since, self._locked_until)))
            self._mismatch_since = None
        return edges

    def _end_lockout(self, now: float) -> list[DebouncedEdge]:
        """Return the edge that the end of the lockout reveals, if the lockout is over at `now`."""
        if now < self._locked_until or self._raw_down == self.is_down:
            return []
        return [self._accept(self._raw_down, self._locked_until)]

    def _accept(self, is_down: bool, at: float) -> DebouncedEdge:
        self.is_down = is_down
        self._locked_until = at + DEBOUNCE_SECONDS
        return DebouncedEdge(is_down, at)
