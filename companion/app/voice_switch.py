"""PLUS and MINUS held together: everything is spoken from then on, without a look at the settings."""

from collections.abc import Callable, Sequence

from companion.events import Button, ButtonPressed, ButtonReleased, Event

PAIR = frozenset({Button.PLUS, Button.MINUS})
PAIR_SECONDS = 0.08
"""Seconds between two presses that are one. Longer: easier to do, and PLUS or MINUS alone act later if held."""
SWITCH_SECONDS = 3.0
"""Seconds for which both are held."""


class VoiceSwitch:
    """Finds the pair among the events, and holds a lone PLUS or MINUS back until it is known to be alone.

    Args:
        monotonic: the host's monotonic clock, in seconds; events are stamped by the same clock.

    >>> now = 0.0
    >>> switch = VoiceSwitch(lambda: now)
    >>> switch.take_events([ButtonPressed(Button.PLUS, 0.0), ButtonPressed(Button.MINUS, 0.05)]), switch.take_switch()
    ([], False)
    >>> now = 3.1
    >>> switch.take_switch(), switch.take_switch()
    (True, False)
    """

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._held_back: list[Event] = []
        self._down: set[Button] = set()
        """Buttons of the pair that was pressed whose release is still to come, and does nothing."""
        self._since: float | None = None
        """When the pair was pressed, as long as both are down and nothing was switched."""

    @property
    def is_holding_back(self) -> bool:
        """Whether a press waits, and is due within `PAIR_SECONDS`."""
        return bool(self._held_back)

    def take_events(self, events: Sequence[Event]) -> list[Event]:
        """Return the events without those of the pair; what follows a lone press of one of the two waits with it.

        Args:
            events: events since the last call, earliest first.
        """
        queue, self._held_back = [*self._held_back, *events], []
        passed: list[Event] = []
        while queue:
            event = queue.pop(0)
            if isinstance(event, ButtonReleased) and event.button in self._down:
                self._down.remove(event.button)
                self._since = None
            elif isinstance(event, ButtonPressed) and event.button in PAIR and not self._down:
                second = self._find_second(event, queue)
                if second is not None:
                    queue.remove(second)
                    self._down, self._since = set(PAIR), second.at
                elif self._may_follow(event, queue):
                    self._held_back = [event, *queue]
                    break
                else:
                    passed.append(event)
            else:
                passed.append(event)
        return passed

    @staticmethod
    def _find_second(first: ButtonPressed, later: Sequence[Event]) -> ButtonPressed | None:
        """Find the press that makes the pair; None: there is none yet."""
        for event in later:
            if isinstance(event, ButtonPressed) and event.button in PAIR - {first.button}:
                return event if event.at - first.at <= PAIR_SECONDS else None
        return None

    def _may_follow(self, first: ButtonPressed, later: Sequence[Event]) -> bool:
        """Return whether the press that makes the pair may still come: the first one is down, and time is left."""
        is_up = any(isinstance(event, ButtonReleased) and event.button is first.button for event in later)
        return not is_up and self._monotonic() - first.at < PAIR_SECONDS

    def take_switch(self) -> bool:
        """Return True once when both have been held for `SWITCH_SECONDS`; to be polled on every turn."""
        is_due = self._since is not None and self._monotonic() - self._since >= SWITCH_SECONDS
        if is_due:
            self._since = None
        return is_due
