"""Actions on a virtual table: a hand comes, acts, leaves; the next action waits until it is gone. Time is passed in."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from dataclasses import dataclass
from typing import Generic, TypeVar

from companion.simulation.macroscope.lid import Point

HAND_SPEED = 4.0
"""A hand that is held over the table comes and goes in 1 / HAND_SPEED seconds."""
HAND_LEAVES_SECONDS = 0.3
"""Seconds in which a hand is gone after a action."""


@dataclass(frozen=True, slots=True)
class SimulatedHand:
    """A hand over the point `over` on the table, mm. `reach`: 0 out of view, 1 there."""

    target: Point
    reach: float


@dataclass(frozen=True, slots=True)
class HandAction:
    """A hand comes to `over`, acts `acts` seconds after its start, leaves at `leaves`, and all is done at `ends`."""

    target: Point
    acts_after: float
    leaves_after: float
    ends_after: float


HandActionT = TypeVar("HandActionT", bound=HandAction)


class SimulatedTable(ABC, Generic[HandActionT]):
    """A table on which actions are done one after the other, and over which a hand may be held.

    `version` grows whenever the picture would change; `moving` says that it will go on changing by itself.
    """

    def __init__(self) -> None:
        self.version = 0
        self.now = 0.0
        self.hand: SimulatedHand | None = None
        self._queue: deque[tuple[float, HandActionT]] = deque()
        self._action: tuple[float, HandActionT] | None = None
        self._acted = False
        self._held_over: Point | None = None

    @property
    def is_moving(self) -> bool:
        """Whether the picture goes on changing without a further action."""
        gliding = self.hand is not None and (
            self._held_over is None or self.hand != SimulatedHand(self._held_over, 1.0)
        )
        return self._action is not None or bool(self._queue) or gliding

    def is_busy(self, now: float) -> bool:
        """Whether a action is under way or waiting at `now`; a hand that is merely held over the table is none."""
        return bool(self._queue) or (self._action is not None and now < self._action[0] + self._action[1].ends_after)

    def withdraw_hand(self, now: float) -> None:
        """Takes the held hand away."""
        self.step(now)
        self._held_over = None

    def step(self, now: float) -> None:
        """Brings everything to the time `now`, seconds; it never goes back."""
        before, self.now = self.now, max(now, self.now)
        was_doing = self._action is not None
        while self._action is not None or self._queue:
            if self._action is None:
                asked, action = self._queue[0]
                if asked > self.now:
                    break
                self._queue.popleft()
                self._action, self._acted = (asked, action), False
                self._begin_action(action)
            start, action = self._action
            self._advance_action(start, action)
            if self.now < start + action.ends_after:
                break
            self._action = None
            if self._queue and self._queue[0][0] < start + action.ends_after:
                self._queue[0] = (start + action.ends_after, self._queue[0][1])
        hand = self._find_hand(self.now - before)
        if hand != self.hand or was_doing or self._action is not None:
            self.version += 1
        self.hand = hand

    def _begin_action(self, action: HandActionT) -> None:
        """A action's turn has come."""

    @abstractmethod
    def _advance_action(self, start: float, action: HandActionT) -> None:
        """Brings the things on the table to `now` in a action that began at `start`; sets `_acted` when it is done."""

    def _hold_hand(self, over: Point) -> None:
        """Holds a hand over a point, mm, until `withdraw_hand`."""
        self._held_over = over
        if self._action is None:
            self.hand = SimulatedHand(over, self.hand.reach if self.hand else 0.0)
            self.version += 1

    def _queue_action(self, now: float, action: HandActionT) -> None:
        self._queue.append((max(now, self.now), action))
        self.step(now)

    def _find_hand(self, passed: float) -> SimulatedHand | None:
        if self._action is not None:
            start, action = self._action
            since = self.now - start
            reach = ease_in_out(
                min(since / action.acts_after, 1.0 - (since - action.leaves_after) / HAND_LEAVES_SECONDS)
            )
            return SimulatedHand(action.target, reach) if reach > 0.0 else None
        reach = self.hand.reach if self.hand else 0.0
        if self._held_over is not None:
            return SimulatedHand(self._held_over, min(1.0, reach + HAND_SPEED * passed))
        if self.hand is not None and reach > HAND_SPEED * passed:
            return SimulatedHand(self.hand.target, reach - HAND_SPEED * passed)
        return None


def ease_in_out(x: float) -> float:
    """From 0 to 1, slow at both ends."""
    x = min(1.0, max(0.0, x))
    return x * x * (3.0 - 2.0 * x)
