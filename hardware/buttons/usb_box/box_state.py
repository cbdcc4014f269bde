"""What is known of a box, whatever port it is at: its clock, which events it has sent, what is held down."""

from __future__ import annotations

import math

from companion.events import Button, ButtonPressed, ButtonReleased, Event
from hardware.buttons.usb_box.clock_sync import ClockSync
from hardware.buttons.usb_box.messages import BUTTONS, TICK_HZ, TICK_MODULUS, EdgeMessage, LevelsMessage

EVENT_ID_MODULUS = 1 << 16
MAX_REMEMBERED_BOOTS = 8
"""So many of a box's lives are remembered."""
LOST_RELEASE_SECONDS = 1.0
"""Seconds for which a button that is held down here must be up there before its release counts as lost: an event
that the line dropped comes again within half of it."""
HELD_AT_BOOT_TICKS = 1000
"""Ticks: a button that is down so soon after the box was switched on was held all the while, and not pressed now.
The firmware tells of it below 200 (firmware_notes/protocol.md); a real press comes later, even in a simulated chip."""
MIN_STAMP_PACE = 0.5
"""Of two events' stamps, the least part of the time between their ticks, however much the clock was put right."""


class BoxState:
    """Turns a box's events into stamped signals, each one once and in order.

    Args:
        name: the source that signals carry.
        began: what was pressed before this time counts for nothing.
    """

    def __init__(self, name: str, started_at: float) -> None:
        self.clock_sync = ClockSync()
        self.events = self.duplicates = self.lost = self.stale = self.restarts = self.inferred_releases = 0
        self._name, self._started_at = name, started_at
        self._boot: int | None = None
        self._next_id: dict[int, int] = {}
        self._pressed_at: dict[Button, float] = {}
        self._up_since: dict[Button, float] = {}
        self._last_stamp: tuple[int, float] | None = None
        self._latest_at = -math.inf
        self._events: list[Event] = []

    def take_events(self) -> list[Event]:
        """The signals since the last call."""
        signals, self._events = self._events, []
        return signals

    def handle_boot(self, boot_number: int, at: float, delays: tuple[float, float]) -> None:
        """A box said which of its lives this is. In a new one its clock, its ids and what is held begin anew."""
        if boot_number == self._boot:
            return
        if self._boot is not None:
            self.restarts += 1
        self._boot = boot_number
        self.clock_sync = ClockSync(*delays)
        self._last_stamp = None
        self.release_all(at)

    def release_all(self, at: float) -> None:
        """Whatever is held down counts as released: a box that is gone holds nothing."""
        for button in tuple(self._pressed_at):
            self._release(button, max(at, self._latest_at))

    def accept_event(self, event: EdgeMessage) -> bool:
        """Whether this event has not been had; it counts as had from now on."""
        boot = -1 if self._boot is None else self._boot
        expected = self._next_id.pop(boot, event.id)
        new = (event.id - expected) % EVENT_ID_MODULUS < EVENT_ID_MODULUS // 2
        self._next_id[boot] = (event.id + 1) % EVENT_ID_MODULUS if new else expected
        while len(self._next_id) > MAX_REMEMBERED_BOOTS:
            del self._next_id[next(iter(self._next_id))]
        if new:
            self.events += 1
        else:
            self.duplicates += 1
        return new

    def handle_edge(self, event: EdgeMessage, received: float) -> None:
        """An event that is new, in its turn."""
        button, at = BUTTONS[event.button], self._compute_stamp(event.tick, received)
        self._up_since.pop(button, None)
        if button in self._pressed_at:
            self._release(button, at)
        if not event.is_down or (event.tick < HELD_AT_BOOT_TICKS and event.id < len(BUTTONS)):
            return
        if at < self._started_at:
            self.stale += 1
            return
        self._pressed_at[button] = at
        self._events.append(ButtonPressed(button, at, self._name))

    def check_levels(self, levels: LevelsMessage, at: float, *, quiet: bool) -> None:
        """Which buttons are down there, to mend a release that was lost. `quiet`: no event is being held back here.

        A press is never made of it: whoever pressed will press again.
        """
        for number, button in enumerate(BUTTONS):
            if button not in self._pressed_at or levels.levels >> number & 1:
                self._up_since.pop(button, None)
            elif quiet and at - self._up_since.setdefault(button, at) >= LOST_RELEASE_SECONDS:
                del self._up_since[button]
                self.inferred_releases += 1
                self._release(button, self._compute_stamp(levels.tick, at))

    def has_clock_jumped(self, tick: int, at: float, tolerance: float) -> bool:
        """Whether the box's clock stands elsewhere at `at` than its life so far lets expect, by more than `most`."""
        return self.clock_sync.is_ready and abs(self.clock_sync.to_host_time(tick, at) - at) > tolerance

    def get_stamp_error(self, now: float) -> float | None:
        """Seconds that a stamp of now can be off at most."""
        return self.clock_sync.compute_error_at(now) if self.clock_sync.is_ready else None

    def _release(self, button: Button, at: float) -> None:
        del self._pressed_at[button]
        self._events.append(ButtonReleased(button, at, self._name))

    def _compute_stamp(self, tick: int, received: float) -> float:
        """A tick's host time: not after it was heard of, and never so early that a box's own order is lost.

        The line through the round trips moves a little with each of them; the order of one box's events is known
        for certain and does not.
        """
        at = self.clock_sync.to_host_time(tick, received) if self.clock_sync.has_estimate else received
        if self._last_stamp is not None:
            last_tick, last_at = self._last_stamp
            apart = (tick - last_tick) % TICK_MODULUS
            if apart < TICK_MODULUS // 2:
                at = max(at, last_at + MIN_STAMP_PACE * apart / TICK_HZ)
        at = max(self._latest_at, min(at, received))
        self._last_stamp, self._latest_at = (tick, at), at
        return at
