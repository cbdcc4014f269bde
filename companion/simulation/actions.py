"""A queue of hand actions on a simulated table: a hand comes, acts and leaves before the next one starts.

Time is passed in, in seconds, and never read from a clock.
"""

from abc import ABC, abstractmethod
from collections import deque
from dataclasses import dataclass
from typing import Generic, TypeVar

from companion.simulation.optics import Point

HAND_SPEED = 4.0
"""Growth of `SimulatedHand.reach` per second for a hand that is held over the table: it comes and goes in 1 /
HAND_SPEED seconds."""
HAND_LEAVES_SECONDS = 0.3
"""Seconds that a hand takes to leave the picture after an action; the larger, the longer it covers the table."""


class ImpossibleAction(ValueError):
    """An action that the state of the table does not allow, such as taking away what is not there."""


@dataclass(frozen=True, slots=True)
class SimulatedHand:
    """A hand on its way to a point of the table."""

    target: Point
    """The point that the hand reaches for, in mm on the table."""
    reach: float
    """Share of the way, 0 (out of view) to 1 (over the target)."""


@dataclass(frozen=True, slots=True)
class HandAction:
    """One action of a hand; all times are seconds after its start."""

    target: Point
    """The point that the hand reaches for, in mm on the table."""
    acts_after: float
    """When the hand has arrived and changes the table."""
    leaves_after: float
    """When the hand begins to leave."""
    ends_after: float
    """When the action is over and the next one may start."""


HandActionT = TypeVar("HandActionT", bound=HandAction)


class SimulatedTable(ABC, Generic[HandActionT]):
    """Base class of a table on which actions run one after the other, and over which a hand may be held.

    Attributes:
        version: grows whenever the picture of the table changes.
        now: time of the last step, in seconds.
        hand: the hand in view, if any.
    """

    def __init__(self) -> None:
        self.version = 0
        self.now = 0.0
        self.hand: SimulatedHand | None = None
        self._queue: deque[tuple[float, HandActionT]] = deque()
        """Waiting actions, each with the earliest time of its start."""
        self._action: tuple[float, HandActionT] | None = None
        """The current action with the time of its start."""
        self._acted = False
        """Whether the current action has changed the table."""
        self._held_over: Point | None = None
        """The point over which a hand is held, in mm."""

    @property
    def is_moving(self) -> bool:
        """Whether the picture keeps changing without a further action."""
        is_hand_moving = self.hand is not None and (
            self._held_over is None or self.hand != SimulatedHand(self._held_over, 1.0)
        )
        return self._action is not None or bool(self._queue) or is_hand_moving

    def is_busy(self, now: float) -> bool:
        """Return whether an action is running or waiting at `now`; a hand held over the table does not count."""
        return bool(self._queue) or (self._action is not None and now < self._action[0] + self._action[1].ends_after)

    def hold_hand_over(self, where: Point, now: float) -> None:
        """Hold a hand over a point, in mm on the table, until `withdraw_hand`."""
        self.step(now)
        self._hold_hand(where)

    def withdraw_hand(self, now: float) -> None:
        """Let the hand that is held over the table leave."""
        self.step(now)
        self._held_over = None

    def step(self, now: float) -> None:
        """Advance the table to the time `now`, in seconds; a time before the last step changes nothing."""
        before, self.now = self.now, max(now, self.now)
        was_acting = self._action is not None
        while self._action is not None or self._queue:
            if self._action is None:
                requested_at, action = self._queue[0]
                if requested_at > self.now:
                    break
                self._queue.popleft()
                self._action, self._acted = (requested_at, action), False
                self._begin_action(action)
            start, action = self._action
            self._advance_action(start, action)
            if self.now < start + action.ends_after:
                break
            self._action = None
            if self._queue and self._queue[0][0] < start + action.ends_after:
                self._queue[0] = (start + action.ends_after, self._queue[0][1])
        hand = self._find_hand(self.now - before)
        if hand != self.hand or was_acting or self._action is not None:
            self.version += 1
        self.hand = hand

    def _begin_action(self, action: HandActionT) -> None:
        """Prepare the action that starts now; the default does nothing."""

    @abstractmethod
    def _advance_action(self, start: float, action: HandActionT) -> None:
        """Advance the action that started at `start` to `now`; set `_acted` once it has changed the table."""

    def _hold_hand(self, target: Point) -> None:
        """Hold a hand over a point, in mm on the table, until `withdraw_hand`."""
        self._held_over = target
        if self._action is None:
            self.hand = SimulatedHand(target, self.hand.reach if self.hand else 0.0)
            self.version += 1

    def _queue_action(self, now: float, action: HandActionT) -> None:
        """Append an action that starts at `now` or after the actions before it."""
        self._queue.append((max(now, self.now), action))
        self.step(now)

    def _find_hand(self, elapsed: float) -> SimulatedHand | None:
        """Return the hand in view now, `elapsed` seconds after the step before."""
        if self._action is not None:
            start, action = self._action
            since = self.now - start
            reach = ease_in_out(
                min(since / action.acts_after, 1.0 - (since - action.leaves_after) / HAND_LEAVES_SECONDS)
            )
            return SimulatedHand(action.target, reach) if reach > 0.0 else None
        reach = self.hand.reach if self.hand else 0.0
        if self._held_over is not None:
            return SimulatedHand(self._held_over, min(1.0, reach + HAND_SPEED * elapsed))
        if self.hand is not None and reach > HAND_SPEED * elapsed:
            return SimulatedHand(self.hand.target, reach - HAND_SPEED * elapsed)
        return None


def ease_in_out(x: float) -> float:
    """Map 0 to 1 onto 0 to 1, slowly at both ends (smoothstep, 3x^2 - 2x^3); values outside are clamped."""
    x = min(1.0, max(0.0, x))
    return x * x * (3.0 - 2.0 * x)
