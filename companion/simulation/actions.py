"""Deeds on a virtual table: a hand comes, acts, leaves; the next deed waits until it is gone. Time is passed in."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from dataclasses import dataclass
from typing import Generic, TypeVar

from companion.simulation.macroscope.lid import Point

HAND_SPEED = 4.0
"""A hand that is held over the table comes and goes in 1 / HAND_SPEED seconds."""
LEAVING = 0.3
"""Seconds in which a hand is gone after a deed."""


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand over the point `over` on the table, mm. `reach`: 0 out of view, 1 there."""

    over: Point
    reach: float


@dataclass(frozen=True, slots=True)
class Deed:
    """A hand comes to `over`, acts `acts` seconds after its start, leaves at `leaves`, and all is done at `ends`."""

    over: Point
    acts: float
    leaves: float
    ends: float


AnyDeed = TypeVar("AnyDeed", bound=Deed)


class DeedTable(ABC, Generic[AnyDeed]):
    """A table on which deeds are done one after the other, and over which a hand may be held.

    `version` grows whenever the picture would change; `moving` says that it will go on changing by itself.
    """

    def __init__(self) -> None:
        self.version = 0
        self.now = 0.0
        self.hand: Hand | None = None
        self._queue: deque[tuple[float, AnyDeed]] = deque()
        self._deed: tuple[float, AnyDeed] | None = None
        self._acted = False
        self._held: Point | None = None

    @property
    def moving(self) -> bool:
        """Whether the picture goes on changing without a further deed."""
        gliding = self.hand is not None and (self._held is None or self.hand != Hand(self._held, 1.0))
        return self._deed is not None or bool(self._queue) or gliding

    def busy(self, now: float) -> bool:
        """Whether a deed is under way or waiting at `now`; a hand that is merely held over the table is none."""
        return bool(self._queue) or (self._deed is not None and now < self._deed[0] + self._deed[1].ends)

    def hand_away(self, now: float) -> None:
        """Takes the held hand away."""
        self.step(now)
        self._held = None

    def step(self, now: float) -> None:
        """Brings everything to the time `now`, seconds; it never goes back."""
        before, self.now = self.now, max(now, self.now)
        was_doing = self._deed is not None
        while self._deed is not None or self._queue:
            if self._deed is None:
                asked, deed = self._queue[0]
                if asked > self.now:
                    break
                self._queue.popleft()
                self._deed, self._acted = (asked, deed), False
                self._begins(deed)
            start, deed = self._deed
            self._act(start, deed)
            if self.now < start + deed.ends:
                break
            self._deed = None
            if self._queue and self._queue[0][0] < start + deed.ends:
                self._queue[0] = (start + deed.ends, self._queue[0][1])
        hand = self._hand(self.now - before)
        if hand != self.hand or was_doing or self._deed is not None:
            self.version += 1
        self.hand = hand

    def _begins(self, deed: AnyDeed) -> None:
        """A deed's turn has come."""

    @abstractmethod
    def _act(self, start: float, deed: AnyDeed) -> None:
        """Brings the things on the table to `now` in a deed that began at `start`; sets `_acted` when it is done."""

    def _hold(self, over: Point) -> None:
        """Holds a hand over a point, mm, until `hand_away`."""
        self._held = over
        if self._deed is None:
            self.hand = Hand(over, self.hand.reach if self.hand else 0.0)
            self.version += 1

    def _do(self, now: float, deed: AnyDeed) -> None:
        self._queue.append((max(now, self.now), deed))
        self.step(now)

    def _hand(self, passed: float) -> Hand | None:
        if self._deed is not None:
            start, deed = self._deed
            since = self.now - start
            reach = eased(min(since / deed.acts, 1.0 - (since - deed.leaves) / LEAVING))
            return Hand(deed.over, reach) if reach > 0.0 else None
        reach = self.hand.reach if self.hand else 0.0
        if self._held is not None:
            return Hand(self._held, min(1.0, reach + HAND_SPEED * passed))
        if self.hand is not None and reach > HAND_SPEED * passed:
            return Hand(self.hand.over, reach - HAND_SPEED * passed)
        return None


def eased(x: float) -> float:
    """From 0 to 1, slow at both ends."""
    x = min(1.0, max(0.0, x))
    return x * x * (3.0 - 2.0 * x)
