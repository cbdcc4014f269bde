"""Bounce: the first edge counts, at once and with its own stamp; what follows within the lock-out does not.

Waiting for a contact to come to rest (gpiozero's `bounce_time`) would let the switch that bounces less win. A function
of stamped edges alone: the same edges give the same events, however late they are heeded.
"""

from __future__ import annotations

from dataclasses import dataclass

DEBOUNCE_SECONDS = 0.020
"""Seconds after a counted edge in which none counts. Arcade switches bounce for less than 10 ms."""
EDGE_GRACE_SECONDS = 0.030
"""Seconds in which an edge reaches us: only then is what a pin reads taken for more than an edge on its way."""


@dataclass(frozen=True, slots=True)
class DebouncedEdge:
    """The contact closed (`down`) or opened at `at`, in seconds. `mended`: no edge said so, the pin's level did."""

    is_down: bool
    at: float
    is_inferred: bool = False


class Debouncer:
    """One contact. `down` is what was told last."""

    def __init__(self, is_down: bool = False) -> None:
        self.is_down = is_down
        self._raw_down = is_down
        self._raw_at = float("-inf")
        self._locked_until = float("-inf")
        self._mismatch_since: float | None = None

    def handle_edge(self, is_down: bool, at: float) -> list[DebouncedEdge]:
        """An edge came; edges of one contact come in the order of their stamps. What is to be told, earliest first.

        A lock-out that ended before this edge with the contact elsewhere than told is told first, as of its end.
        """
        changes = self._end_lockout(at)
        if at >= self._raw_at:
            self._raw_down, self._raw_at = is_down, at
        self._mismatch_since = None
        if is_down != self.is_down and at >= self._locked_until:
            changes.append(self._accept(is_down, at))
        return changes

    def check_level(self, is_down: bool, now: float) -> list[DebouncedEdge]:
        """The pin was read at `now`. What is to be told.

        A level that differs from all that the edges said counts when two looks, `GRACE` apart, agree: it then has the
        first look's time.
        """
        changes = self._end_lockout(now - EDGE_GRACE_SECONDS)
        if is_down == self._raw_down:
            self._mismatch_since = None
        elif self._mismatch_since is None:
            self._mismatch_since = now
        elif now - self._mismatch_since >= EDGE_GRACE_SECONDS:
            self._raw_down, self._raw_at = is_down, self._mismatch_since
            if is_down != self.is_down:
                changes.append(self._accept(is_down, max(self._mismatch_since, self._locked_until), is_inferred=True))
            self._mismatch_since = None
        return changes

    def _end_lockout(self, now: float) -> list[DebouncedEdge]:
        """What the end of the lock-out brings to light, if that is over."""
        if now < self._locked_until or self._raw_down == self.is_down:
            return []
        return [self._accept(self._raw_down, self._locked_until)]

    def _accept(self, is_down: bool, at: float, *, is_inferred: bool = False) -> DebouncedEdge:
        self.is_down = is_down
        self._locked_until = at + DEBOUNCE_SECONDS
        return DebouncedEdge(is_down, at, is_inferred)
