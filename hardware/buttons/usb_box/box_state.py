"""What is known of a box, whatever port it is at: its clock, which events it has sent, what is held down."""

from __future__ import annotations

import math

from companion.events import Button, ButtonPressed, ButtonReleased, Event
from hardware.buttons.usb_box.clock_sync import ClockSync
from hardware.buttons.usb_box.messages import BUTTONS, TICK_HZ, TICK_MODULUS, Levels
from hardware.buttons.usb_box.messages import Event as EdgeMessage

IDS = 1 << 16
BOOTS = 8
"""So many of a box's lives are remembered."""
MEND = 1.0
"""Seconds for which a button that is held down here must be up there before its release counts as lost: an event
that the line dropped comes again within half of it."""
HELD_AT_BOOT = 1000
"""Ticks: a button that is down so soon after the box was switched on was held all the while, and not pressed now.
The firmware tells of it below 200 (firmware_notes/protocol.md); a real press comes later, even in a simulated chip."""
LEAST_PACE = 0.5
"""Of two events' stamps, the least part of the time between their ticks, however much the clock was put right."""


class Memory:
    """Turns a box's events into stamped signals, each one once and in order.

    Args:
        name: the source that signals carry.
        began: what was pressed before this time counts for nothing.
    """

    def __init__(self, name: str, began: float) -> None:
        self.sync = ClockSync()
        self.events = self.doubled = self.lost = self.stale = self.restarts = self.mended = 0
        self._name, self._began = name, began
        self._boot: int | None = None
        self._next_id: dict[int, int] = {}
        self._down: dict[Button, float] = {}
        self._up_since: dict[Button, float] = {}
        self._last: tuple[int, float] | None = None
        self._latest = -math.inf
        self._signals: list[Event] = []

    def signals(self) -> list[Event]:
        """The signals since the last call."""
        signals, self._signals = self._signals, []
        return signals

    def booted(self, boot: int, at: float, delays: tuple[float, float]) -> None:
        """A box said which of its lives this is. In a new one its clock, its ids and what is held begin anew."""
        if boot == self._boot:
            return
        if self._boot is not None:
            self.restarts += 1
        self._boot = boot
        self.sync = ClockSync(*delays)
        self._last = None
        self.let_go(at)

    def let_go(self, at: float) -> None:
        """Whatever is held down counts as released: a box that is gone holds nothing."""
        for button in tuple(self._down):
            self._release(button, max(at, self._latest))

    def is_new(self, event: EdgeMessage) -> bool:
        """Whether this event has not been had; it counts as had from now on."""
        boot = -1 if self._boot is None else self._boot
        expected = self._next_id.pop(boot, event.id)
        new = (event.id - expected) % IDS < IDS // 2
        self._next_id[boot] = (event.id + 1) % IDS if new else expected
        while len(self._next_id) > BOOTS:
            del self._next_id[next(iter(self._next_id))]
        if new:
            self.events += 1
        else:
            self.doubled += 1
        return new

    def happened(self, event: EdgeMessage, received: float) -> None:
        """An event that is new, in its turn."""
        button, at = BUTTONS[event.button], self._stamp(event.tick, received)
        self._up_since.pop(button, None)
        if button in self._down:
            self._release(button, at)
        if not event.down or (event.tick < HELD_AT_BOOT and event.id < len(BUTTONS)):
            return
        if at < self._began:
            self.stale += 1
            return
        self._down[button] = at
        self._signals.append(ButtonPressed(button, at, self._name))

    def levels(self, levels: Levels, at: float, *, quiet: bool) -> None:
        """Which buttons are down there, to mend a release that was lost. `quiet`: no event is being held back here.

        A press is never made of it: whoever pressed will press again.
        """
        for number, button in enumerate(BUTTONS):
            if button not in self._down or levels.levels >> number & 1:
                self._up_since.pop(button, None)
            elif quiet and at - self._up_since.setdefault(button, at) >= MEND:
                del self._up_since[button]
                self.mended += 1
                self._release(button, self._stamp(levels.tick, at))

    def strange(self, tick: int, at: float, most: float) -> bool:
        """Whether the box's clock stands elsewhere at `at` than its life so far lets expect, by more than `most`."""
        return self.sync.ready and abs(self.sync.host_time(tick, at) - at) > most

    def error(self, now: float) -> float | None:
        """Seconds that a stamp of now can be off at most."""
        return self.sync.error_at(now) if self.sync.ready else None

    def _release(self, button: Button, at: float) -> None:
        del self._down[button]
        self._signals.append(ButtonReleased(button, at, self._name))

    def _stamp(self, tick: int, received: float) -> float:
        """A tick's host time: not after it was heard of, and never so early that a box's own order is lost.

        The line through the round trips moves a little with each of them; the order of one box's events is known
        for certain and does not.
        """
        at = self.sync.host_time(tick, received) if self.sync.known else received
        if self._last is not None:
            last_tick, last_at = self._last
            apart = (tick - last_tick) % TICK_MODULUS
            if apart < TICK_MODULUS // 2:
                at = max(at, last_at + LEAST_PACE * apart / TICK_HZ)
        at = max(self._latest, min(at, received))
        self._last, self._latest = (tick, at), at
        return at
