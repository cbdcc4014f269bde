"""Turn what a button box reports into events, each once, even if its cable was unplugged.

Lamps: `session.py`.
"""

import math

from companion.events import Button, ButtonHeld, ButtonPressed, ButtonReleased, Event
from hardware.buttons.usb_box.clock_sync import ClockSync
from hardware.buttons.usb_box.messages import BUTTONS, TICK_HZ, TICK_MODULUS, EdgeMessage, LevelsMessage

EVENT_ID_MODULUS = 1 << 16
"""The box counts its events from 0 to 65535, then again from 0."""

MAX_REMEMBERED_BOOTS = 8
"""Number of boots of boxes for which the next event id is remembered.

A smaller value may count an event twice that an older boot sends again.
"""

LOST_RELEASE_SECONDS = 1.0
"""Time for which the box must report a button as up before its release counts as lost.

An event that the line dropped arrives again within half of it. A larger value keeps a lost button down for longer.
"""

HELD_AT_BOOT_TICKS = 1000
"""A button that is down before this tick was held while the box was switched on, and is not pressed now.

The firmware reports it before tick 200 (firmware_notes/protocol.md); a real press comes later, even in a simulated
chip.
"""

ARRIVAL_ERROR_SECONDS = 0.5
"""Maximum error of a stamp that is the time of arrival: an event that the line dropped arrives again within it.

A larger value makes more presses ties while the clocks have not been compared.
"""

HELD_SECONDS = 1.0
"""Time for which the box must report a button as down that was not pressed before it counts as held.

The event of a press that the line dropped arrives again within half of it.
"""

MIN_STAMP_PACE = 0.5
"""Least distance of two stamps, as a fraction of the distance of their ticks, however much the clock was corrected.

A larger value keeps the distances between presses better, a smaller one follows corrections faster.
"""


class BoxEvents:
    """Turns the edges that a box reports into stamped events, each once and in order.

    >>> box = BoxEvents("button box", started_at=0.0)
    >>> box.handle_boot(7, at=1.0)
    >>> edge = EdgeMessage(id=0, button=0, is_down=True, tick=2_000_000, levels=1)
    >>> box.accept_event(edge), box.accept_event(edge)
    (True, False)

    Args:
        name: name of the source in the events.
        started_at: time in seconds of the host's monotonic clock; presses before it are dropped.

    Attributes:
        clock_sync: converts the box's ticks to host time; the caller adds the round trips.
        events: what happened and was not taken yet, earliest first, stamped in seconds of the host's monotonic clock.
            The caller takes the list and puts an empty one in its place.
        resolution_seconds: how far a stamp of the box may be from its edge, as the box states it.
    """

    def __init__(self, name: str, started_at: float) -> None:
        self.clock_sync = ClockSync()
        self.events: list[Event] = []
        self.resolution_seconds = 0.0
        self._name, self._started_at = name, started_at
        self._boot: int | None = None
        self._next_id: dict[int | None, int] = {}
        self._pressed_at: dict[Button, float] = {}
        self._up_since: dict[Button, float] = {}
        self._down_since: dict[Button, float] = {}
        """By button that is down without a press: since when the box has reported it."""
        self._last_stamp: tuple[int, float] | None = None
        self._latest_at = -math.inf

    def handle_boot(self, boot_number: int, at: float) -> None:
        """Handle a box that says which of its boots this is.

        If it is another boot than before, its clock has restarted, so its round trips are forgotten (the least delays
        of the line are not), and buttons that are held down are released. The same boot again changes nothing.

        Args:
            boot_number: the box's random number of this boot, 0 to 65535.
            at: time of the message, in seconds of the host's monotonic clock.
        """
        if boot_number == self._boot:
            return
        self._boot = boot_number
        self.clock_sync = ClockSync(self.clock_sync.min_delays)
        self._last_stamp = None
        self.release_all(at)

    def release_all(self, at: float) -> None:
        """Add a release of each button that is held down to `events`, because the box is gone or has restarted.

        Args:
            at: stamp of the releases, in seconds of the host's monotonic clock; if it is earlier than the last event,
                that event's stamp is used.
        """
        for button in tuple(self._pressed_at):
            self._release(button, max(at, self._latest_at))

    def accept_event(self, event: EdgeMessage) -> bool:
        """Note the id of a received event and return whether it is new; call `handle_edge` for a new one only.

        New are the first event of a boot, and each with the expected id (the last one plus 1) or up to 32,767 after it;
        other ids are repetitions. Ids are compared within one boot (see `handle_boot`); the last
        `MAX_REMEMBERED_BOOTS` boots are remembered.

        Args:
            event: the message; only its `id` is read.
        """
        expected = self._next_id.pop(self._boot, event.id)
        is_new = (event.id - expected) % EVENT_ID_MODULUS < EVENT_ID_MODULUS // 2
        self._next_id[self._boot] = (event.id + 1) % EVENT_ID_MODULUS if is_new else expected
        while len(self._next_id) > MAX_REMEMBERED_BOOTS:
            del self._next_id[next(iter(self._next_id))]
        return is_new

    def handle_edge(self, event: EdgeMessage, received: float) -> None:
        """Turn a new edge into a press or a release, stamped in host time, and add it to `events`.

        No press is added if it is stamped before `started_at`, or if the button was held while the box was switched on.
        A second press without a release between adds that release too; a release of a button that is up adds nothing.
        If no round trip is known, the stamp is `received`, with an error of `ARRIVAL_ERROR_SECONDS`.

        Args:
            event: the edge; edges come in the order of their ids, each once (see `accept_event`).
            received: time of its arrival, in seconds of the host's monotonic clock. The stamp is never later than that
                and never earlier than the last event's, which wins if they contradict.

        Raises:
            IndexError: `event.button` is no index of `BUTTONS`; a message from `EdgeMessage.unpack` has one.
        """
        button = BUTTONS[event.button]
        at, error = self._compute_stamp(event.tick, received)
        self._up_since.pop(button, None)
        self._down_since.pop(button, None)
        if button in self._pressed_at:
            self._release(button, at)
        if not event.is_down or (event.tick < HELD_AT_BOOT_TICKS and event.id < len(BUTTONS)):
            return
        if at >= self._started_at:
            self._pressed_at[button] = at
            resolution = self.resolution_seconds
            self.events.append(ButtonPressed(button, at, self._name, error + resolution, resolution))

    def check_levels(self, levels: LevelsMessage, at: float, *, is_quiet: bool) -> None:
        """Add a release to `events` for each held button that the box has reported as up for `LOST_RELEASE_SECONDS`.

        The time counts from the first such report without a report of "down" or an edge between. A lost press is not
        inferred: people press again. A button that is down for `HELD_SECONDS` without a press is added as `ButtonHeld`.

        Args:
            levels: the levels that the box reports.
            at: time of their arrival, in seconds of the host's monotonic clock.
            is_quiet: no received event is waiting to be handled; otherwise reports of "up" do not count.
        """
        for number, button in enumerate(BUTTONS):
            is_down, is_known = bool(levels.levels >> number & 1), button in self._pressed_at
            if not is_down or is_known:
                self._down_since.pop(button, None)
            elif is_quiet and at - self._down_since.setdefault(button, at) >= HELD_SECONDS:
                del self._down_since[button]
                self._pressed_at[button] = at
                self.events.append(ButtonHeld(button, at, self._name))
            if is_down or not is_known:
                self._up_since.pop(button, None)
            elif is_quiet and at - self._up_since.setdefault(button, at) >= LOST_RELEASE_SECONDS:
                del self._up_since[button]
                self._release(button, self._compute_stamp(levels.tick, at)[0])

    def has_clock_jumped(self, tick: int, at: float, tolerance: float) -> bool:
        """Return whether a tick's host time is further from its time of arrival than a tolerance.

        False while fewer than `MIN_ROUND_TRIPS` round trips are known.

        Args:
            tick: the box's clock, in microseconds modulo 2**32.
            at: time at which its report arrived, in seconds of the host's monotonic clock.
            tolerance: largest difference in seconds that is no jump.
        """
        return self.clock_sync.is_ready and abs(self.clock_sync.to_host_time(tick, at) - at) > tolerance

    def get_stamp_error(self, now: float) -> float | None:
        """Return the maximum error of the stamp of an event that happens now.

        Args:
            now: the present time, in seconds of the host's monotonic clock.

        Returns:
            Seconds; None while fewer than `MIN_ROUND_TRIPS` round trips are known.
        """
        return self.clock_sync.compute_error(now) + self.resolution_seconds if self.clock_sync.is_ready else None

    def _release(self, button: Button, at: float) -> None:
        del self._pressed_at[button]
        self.events.append(ButtonReleased(button, at, self._name))

    def _compute_stamp(self, tick: int, received: float) -> tuple[float, float]:
        """Return a tick's host time, not after it was received and in the order of the box's events, and its error.

        Each round trip corrects the clock a little; the order of one box's events is certain and must not change.
        """
        clock = self.clock_sync
        estimate = clock.to_host_time(tick, received) if clock.has_estimate else received
        error = clock.compute_error(estimate) if clock.has_estimate else ARRIVAL_ERROR_SECONDS
        at = estimate
        if self._last_stamp is not None:
            last_tick, last_at = self._last_stamp
            apart = (tick - last_tick) % TICK_MODULUS
            if apart < TICK_MODULUS // 2:
                at = max(at, last_at + MIN_STAMP_PACE * apart / TICK_HZ)
        at = max(self._latest_at, min(at, received))
        self._last_stamp, self._latest_at = (tick, at), at
        return at, error + abs(at - estimate)
