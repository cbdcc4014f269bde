"""Bounce: the first edge counts, at once and with its own stamp; what follows within the lock-out does not.

Waiting for a contact to come to rest (gpiozero's `bounce_time`) would let the switch that bounces less win. A function
of stamped edges alone: the same edges give the same events, however late they are heeded.
"""

from __future__ import annotations

from dataclasses import dataclass

LOCKOUT = 0.020
"""Seconds after a counted edge in which none counts. Arcade switches bounce for less than 10 ms."""
GRACE = 0.030
"""Seconds in which an edge reaches us: only then is what a pin reads taken for more than an edge on its way."""


@dataclass(frozen=True, slots=True)
class Change:
    """The contact closed (`down`) or opened at `at`, in seconds. `mended`: no edge said so, the pin's level did."""

    down: bool
    at: float
    mended: bool = False


class Lockout:
    """One contact. `down` is what was told last."""

    def __init__(self, down: bool = False) -> None:
        self.down = down
        self._raw = down
        self._raw_at = float("-inf")
        self._until = float("-inf")
        self._odd_since: float | None = None

    def edge(self, down: bool, at: float) -> list[Change]:
        """An edge came; edges of one contact come in the order of their stamps. What is to be told, earliest first.

        A lock-out that ended before this edge with the contact elsewhere than told is told first, as of its end.
        """
        changes = self._settle(at)
        if at >= self._raw_at:
            self._raw, self._raw_at = down, at
        self._odd_since = None
        if down != self.down and at >= self._until:
            changes.append(self._tell(down, at))
        return changes

    def look(self, down: bool, now: float) -> list[Change]:
        """The pin was read at `now`. What is to be told.

        A level that differs from all that the edges said counts when two looks, `GRACE` apart, agree: it then has the
        first look's time.
        """
        changes = self._settle(now - GRACE)
        if down == self._raw:
            self._odd_since = None
        elif self._odd_since is None:
            self._odd_since = now
        elif now - self._odd_since >= GRACE:
            self._raw, self._raw_at = down, self._odd_since
            if down != self.down:
                changes.append(self._tell(down, max(self._odd_since, self._until), mended=True))
            self._odd_since = None
        return changes

    def _settle(self, now: float) -> list[Change]:
        """What the end of the lock-out brings to light, if that is over."""
        if now < self._until or self._raw == self.down:
            return []
        return [self._tell(self._raw, self._until)]

    def _tell(self, down: bool, at: float, *, mended: bool = False) -> Change:
        self.down = down
        self._until = at + LOCKOUT
        return Change(down, at, mended)
