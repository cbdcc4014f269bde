"""How far the movements on the stage have come: fractions and values that scenes draw with, by the display's clock.

A scene asks for each movement by a name: the timeline notes when its key or target changed and answers how far it has
come. The state that is shown is always the end state: nothing waits for a movement, and a press ends it.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from math import inf


@dataclass(frozen=True, slots=True)
class _Movement:
    key: Hashable
    begins_at: float
    seconds: float
    start: float = 0.0
    end: float = 1.0

    def value_at(self, now: float) -> float:
        part = (now - self.begins_at) / self.seconds if self.seconds else 1.0
        eased = ease(part)
        return self.start + (self.end - self.start) * eased


def ease(part: float) -> float:
    """Ease a movement at both ends.

    Args:
        part: share of its time that has passed; less than 0 counts as 0, more than 1 as 1.

    >>> ease(0.0), ease(0.5), ease(2.0)
    (0.0, 0.5, 1.0)
    """
    part = min(1.0, max(0.0, part))
    return part * part * (3.0 - 2.0 * part)


class Timeline:
    """The movements of one picture.

    Args:
        monotonic: the display's clock, in seconds.

    Attributes:
        is_enabled: movements are shown; False: every movement is at its end at once.
    """

    def __init__(self, monotonic: Callable[[], float] = lambda: 0.0) -> None:
        self.is_enabled = False
        self._monotonic = monotonic
        self._now = 0.0
        self._movements: dict[str, _Movement] = {}
        self._asked: set[str] = set()

    @property
    def is_running(self) -> bool:
        """Whether a movement that the last picture showed has not reached its end in that picture."""
        return any(self._now < each.begins_at + each.seconds for each in self._movements.values())

    def begin_frame(self) -> None:
        """Take the time for the next picture."""
        self._now = self._monotonic()
        self._asked.clear()

    def end_frame(self) -> None:
        """Forget the movements that the picture did not show."""
        self._movements = {name: each for name, each in self._movements.items() if name in self._asked}

    def finish(self) -> None:
        """End all movements: the next picture shows their ends."""
        self._movements = {name: replace(each, begins_at=-inf, seconds=0.0) for name, each in self._movements.items()}

    def seek(self, name: str, passed: float, seconds: float) -> None:
        """Let a movement that the last picture showed be under way: `measure` then returns `passed`.

        Args:
            name: the movement's name.
            passed: seconds since it began.
            seconds: duration.
        """
        self._movements[name] = replace(self._movements[name], begins_at=self._monotonic() - passed, seconds=seconds)

    def progress(self, name: str, key: Hashable, seconds: float, *, delay: float = 0.0) -> float:
        """Return how far a movement has come that begins whenever its key changes, and when it is first shown.

        Args:
            name: unique among the movements of a picture.
            key: what is shown: another key begins the movement again. None: there is nothing to move.
            seconds: duration.
            delay: seconds before it begins.

        Returns:
            0 to 1, eased at both ends; 1 if movements are switched off or the key is None.
        """
        if not self.is_enabled or key is None:
            return 1.0
        self._asked.add(name)
        known = self._movements.get(name)
        if known is None or known.key != key:
            known = self._movements[name] = _Movement(key, self._now + delay, seconds)
        return known.value_at(self._now)

    def measure(self, name: str, key: Hashable, seconds: float) -> float:
        """Return the seconds since a key changed; what the first picture shows was there already.

        >>> clock = iter((0.0, 5.0, 5.0))
        >>> timeline = Timeline(lambda: next(clock))
        >>> timeline.is_enabled = True
        >>> timeline.begin_frame(), timeline.measure("act", 1, 4.0)
        (None, 4.0)
        >>> timeline.begin_frame(), timeline.measure("act", 2, 4.0)
        (None, 0.0)

        Args:
            name: unique among the movements of a picture.
            key: what is shown: another key begins the movement again. None: there is nothing to move.
            seconds: duration.

        Returns:
            0 to `seconds`; `seconds` if movements are switched off, were ended, or the key is the first one.
        """
        if not self.is_enabled:
            return seconds
        self._asked.add(name)
        known = self._movements.get(name)
        if known is None or known.key != key:
            is_new = known is not None and key is not None
            known = _Movement(key, self._now if is_new else -inf, seconds if is_new else 0.0)
            self._movements[name] = known
        # The same comparison as in `is_running`: the last picture must be that of the end.
        return seconds if self._now >= known.begins_at + known.seconds else self._now - known.begins_at

    def follow(self, name: str, target: float, seconds: float) -> float:
        """Return a value that moves to its target whenever that changes; the first target is reached at once.

        Args:
            name: unique among the movements of a picture.
            target: where the value goes: a score, a place in pixels.
            seconds: duration of a movement.

        Returns:
            The value now; the target if movements are switched off.
        """
        if not self.is_enabled:
            return target
        self._asked.add(name)
        known = self._movements.get(name)
        if known is None:
            known = self._movements[name] = _Movement(target, self._now, 0.0, target, target)
        elif known.key != target:
            known = _Movement(target, self._now, seconds, known.value_at(self._now), target)
            self._movements[name] = known
        return known.value_at(self._now)
