"""PLUS and MINUS pressed together: what can be done now is spoken; held on, the voice is switched on or off.

No button is free in every state, this pair is: nothing else is done with both.
"""

from collections.abc import Callable, Sequence

from companion.events import Button, ButtonPressed, ButtonReleased, Event

CHORD_SECONDS = 0.08
"""Seconds between two presses that count as one. Longer: easier to do, and PLUS or MINUS alone act later if held."""
SWITCH_SECONDS = 3.0
"""Seconds for which both are held to switch the voice on or off."""
CHORD = frozenset({Button.PLUS, Button.MINUS})


class HelpChord:
    """Finds the pair among the events, and holds a lone PLUS or MINUS back until it is known to be alone.

    Args:
        monotonic: the host's monotonic clock, in seconds; events are stamped by the same clock.

    Attributes:
        requests: how often the pair was pressed.

    >>> chord = HelpChord(lambda: 0.0)
    >>> chord.take_events([ButtonPressed(Button.PLUS, 0.0), ButtonPressed(Button.MINUS, 0.05)]), chord.requests
    ([], 1)
    """

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self.requests = 0
        self._held_back: list[Event] = []
        self._down: set[Button] = set()
        """Buttons of the pair that was pressed whose release is still to come, and does nothing."""
        self._since: float | None = None
        """When the pair was pressed, as long as both are down and the voice was not switched."""

    @property
    def is_holding_back(self) -> bool:
        """Whether a press waits, and is due within `CHORD_SECONDS`."""
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
                self._down.discard(event.button)
                self._since = None
            elif isinstance(event, ButtonPressed) and event.button in CHORD and not self._down:
                partner = self._find_partner(event, queue)
                if isinstance(partner, ButtonPressed) and partner is not event:
                    queue.remove(partner)
                    self._down, self._since = set(CHORD), partner.at
                    self.requests += 1
                elif partner is None and self._monotonic() - event.at < CHORD_SECONDS:
                    self._held_back = [event, *queue]
                    break
                else:
                    passed.append(event)
            else:
                passed.append(event)
        return passed

    @staticmethod
    def _find_partner(press: ButtonPressed, later: Sequence[Event]) -> Event | None:
        """Find the press that makes the pair, or the release that shows that there will be none; None: neither yet."""
        for event in later:
            if isinstance(event, ButtonReleased) and event.button is press.button:
                return event
            if isinstance(event, ButtonPressed) and event.button in CHORD - {press.button}:
                return event if event.at - press.at <= CHORD_SECONDS else press
        return None

    def take_switch(self) -> bool:
        """Return True once if both are held for `SWITCH_SECONDS`; to be polled on every turn."""
        is_due = self._since is not None and self._monotonic() - self._since >= SWITCH_SECONDS
        if is_due:
            self._since = None
        return is_due
