"""MINUS and PLUS held together: everything is spoken from then on, without a look at the settings."""

from collections.abc import Callable, Sequence

from companion.events import Button, ButtonPressed, ButtonReleased, Event

PAIR = frozenset({Button.PLUS, Button.MINUS})
PAIR_SECONDS = 0.5
"""Seconds between the two presses at most. Shorter than the help's: it must not open in between."""
SWITCH_SECONDS = 3.0
"""Seconds for which both are held."""


class VoiceSwitch:
    """Finds the pair among the events. A press alone passes at once; only the second of two that are held waits.

    If one of them comes up, or another button is pressed, within `PAIR_SECONDS`, they were two presses and pass.

    Args:
        monotonic: the host's monotonic clock, in seconds; events are stamped by the same clock.

    >>> now = 0.6
    >>> switch = VoiceSwitch(lambda: now)
    >>> events = switch.take_events([ButtonPressed(Button.MINUS, 0.0), ButtonPressed(Button.PLUS, 0.1)])
    >>> [(type(event).__name__, event.button.value) for event in events]
    [('ButtonPressed', 'minus'), ('ButtonReleased', 'minus')]
    >>> now = 3.2
    >>> switch.take_switch(), switch.take_switch()
    (True, False)
    """

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._first: ButtonPressed | None = None
        """The last press of the pair's buttons that has passed, as long as the button is down."""
        self._second: ButtonPressed | None = None
        """The press that waits."""
        self._ignored: set[Button] = set()
        """Buttons of a pair that was found whose release is still to come, and does nothing."""
        self._since: float | None = None
        """When the pair was pressed, as long as both are down and nothing was switched."""

    @property
    def is_pair_held(self) -> bool:
        """Whether both are held for the switch: what the first press has begun is to end."""
        return self._since is not None

    def take_events(self, events: Sequence[Event]) -> list[Event]:
        """Return the events without those of the pair; to be called in each turn of the loop.

        Once the pair is certain the button that passed first comes up for all others: nothing repeats.

        Args:
            events: events since the last call, earliest first.
        """
        passed: list[Event] = []
        for event in events:
            match event:
                case ButtonReleased() if event.button in self._ignored:
                    self._ignored.remove(event.button)
                    self._since = None
                case ButtonPressed() if self._is_second(event):
                    self._second = event
                case ButtonPressed():
                    passed += [*self._take_second(), event]
                    self._first = event if event.button in PAIR else self._first
                case ButtonReleased() if event.button in PAIR:
                    passed += [*self._take_second(), event]
                    if self._first is not None and self._first.button is event.button:
                        self._first = None
                case _:
                    passed.append(event)
        now = self._monotonic()
        if self._first is not None and self._second is not None and now - self._second.at >= PAIR_SECONDS:
            passed.append(ButtonReleased(self._first.button, now))
            self._since, self._ignored = self._second.at, set(PAIR)
            self._first = self._second = None
        return passed

    def _is_second(self, press: ButtonPressed) -> bool:
        """Return whether a press may make the pair with the one before it."""
        first = self._first
        if first is None or self._second is not None or press.button not in PAIR - {first.button}:
            return False
        return press.at - first.at <= PAIR_SECONDS

    def _take_second(self) -> list[Event]:
        second, self._second = self._second, None
        return [] if second is None else [second]

    def take_switch(self) -> bool:
        """Return True once when both have been held for `SWITCH_SECONDS`; to be polled on every turn."""
        is_due = self._since is not None and self._monotonic() - self._since >= SWITCH_SECONDS
        if is_due:
            self._since = None
        return is_due
