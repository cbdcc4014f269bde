"""Buttons and lamps at the pins of a Raspberry Pi: each button connects its pin to ground, with the Pi's pull-up."""

import logging
import threading
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from companion.events import Button, ButtonHeld, ButtonPressed, ButtonReleased, Event
from companion.lazy_message import LazyMessage
from hardware.buttons.gpio.debounce import EDGE_GRACE_SECONDS, DebouncedEdge, Debouncer
from hardware.buttons.gpio.lamps import PinLamp
from hardware.buttons.gpio.pin_factory import GpioMissing, Pin, PinFactory, describe_error, open_lgpio
from hardware.buttons.lamp_effects import LampEffect
from hardware.buttons.source import MAX_UNREAD_EVENTS, Clock

log = logging.getLogger(__name__)

SOURCE_NAME = "GPIO"
"""Name of this source for people and in events."""

HAT_DESCRIPTION = Path("/proc/device-tree/hat")
"""Where the firmware of a Raspberry Pi describes an expansion board (HAT) that sits on its pins."""

LEVEL_CHECK_SECONDS = 0.040
"""Time between two readings of the pins' levels, which reveal lost edges. A larger value repairs them later."""

MIN_TICK_SECONDS = 0.001
"""Least pause of the thread between two ticks without a new edge. A larger value delays presses."""

MAX_STAMP_AGE_SECONDS = 60.0
"""An edge stamped longer ago than this counts as happening now: kernels before 5.7 stamp by the time of day."""

MAX_STAMP_AHEAD_SECONDS = 0.01
"""An edge stamped further in the future than this counts as happening now."""


@dataclass(frozen=True, slots=True)
class GpioPins:
    """The pin of each wired button and each wired lamp, as a BCM number (GPIO17 is 17); others are left out.

    >>> pins = GpioPins(buttons={Button.OK: 17}, lamps={Button.OK: 27})
    >>> pins.buttons[Button.OK]
    17
    """

    buttons: Mapping[Button, int] = field(default_factory=dict)
    lamps: Mapping[Button, int] = field(default_factory=dict)


class GpioSource:
    """A `ButtonSource` at the pins; `tick` must be called regularly, see `ThreadedGpioSource`.

    >>> from gpiozero.pins.mock import MockFactory
    >>> from companion.events import Button
    >>> factory = MockFactory()
    >>> source = GpioSource(GpioPins(buttons={Button.OK: 17}, lamps={Button.OK: 27}), factory, clock=factory.ticks)
    >>> source.set_lamps({Button.OK: LampEffect.ON})
    >>> next_tick_at = source.tick()
    >>> factory.pin(27).state
    True
    >>> source.close()

    Args:
        pins: the wiring. A pin that cannot be opened is left out and named in `problems`.
        factory: gpiozero's pin factory; `close` closes it.
        clock: the host's monotonic clock, in seconds; called from several threads.
        wake: called without arguments when there is something to `read` or the pins are lost, from gpiozero's thread or
            from the one that calls `tick`; must not block.
        are_lamps_certain: make the lamps' pins outputs at once; otherwise after the first press, which shows that this
            wiring is there. An output against a foreign device may damage it.

    Attributes:
        name: name of this source for people.
        problems: one message for each pin that cannot be used; grows if the lamps are opened later.

    Raises:
        GpioMissing: there are pins, and none of those to be opened now can be; the factory has been closed.
    """

    def __init__(
        self,
        pins: GpioPins,
        factory: PinFactory,
        clock: Clock,
        wake: Callable[[], None] = lambda: None,
        *,
        are_lamps_certain: bool = True,
    ) -> None:
        self.name = SOURCE_NAME
        self.problems: tuple[str, ...] = ()
        self._factory, self._clock, self._wake = factory, clock, wake
        self._lock = threading.RLock()
        self._events: deque[Event] = deque(maxlen=MAX_UNREAD_EVENTS)
        self._has_new_edge = threading.Event()
        """Set when an edge waits for `tick` to decide it."""
        self._lost: str | None = None
        self._closed = False
        self._next_check_at = clock()
        self._tick_offset = _measure_tick_offset(clock, factory.ticks)
        self._lamps: dict[Button, PinLamp] = {}
        self._buttons: dict[Button, _PinButton] = {}
        self._are_lamps_certain, self._closed_lamps = are_lamps_certain, dict(pins.lamps)
        self._effects: Mapping[Button, LampEffect] = {}
        self._open_lamps()
        self._open_buttons(pins)
        if self.problems and not self._lamps and not self._buttons:
            _try_quietly(factory.close)
            raise GpioMissing(self.problems[0])

    def read(self) -> list[Event]:
        """Return the presses and releases since the last call, earliest first, stamped in seconds of the clock.

        The first call returns `ButtonHeld` for each button that was down when its pin was opened.

        An event is returned when it is debounced, about 5 ms after its stamp, and not before an earlier change at
        another pin is decided. At most `MAX_UNREAD_EVENTS` are stored; then the oldest are dropped.

        Raises:
            GpioMissing: the pins no longer answer, and all earlier events have been returned; from then on each call
                raises it.
        """
        with self._lock:
            waiting = sorted(self._events, key=lambda event: event.at)
            # What began earlier, though it is decided later, comes first.
            undecided = (button.debouncer.undecided_since for button in self._buttons.values())
            limit = min((since for since in undecided if since is not None), default=float("inf"))
            events = [event for event in waiting if event.at <= limit or self._lost is not None]
            self._events.clear()
            self._events.extend(waiting[len(events) :])
            lost = self._lost
        if lost is not None and not events:
            raise GpioMissing(lost)
        return events

    def set_lamps(self, lamps: Mapping[Button, LampEffect]) -> None:
        """Switch the lamps to their effects now, or as soon as their pins are opened (see `are_lamps_certain`).

        `tick` makes them blink. Raises nothing: the next `read` reports pins that no longer answer.

        Args:
            lamps: the effect of each button's lamp; a button that is missing here is dark.
        """
        with self._lock:
            self._effects = dict(lamps)
            try:
                self._set_effects()
            except Exception as error:  # noqa: BLE001 - as in `tick`
                self._report_loss(error)
        self.tick()

    def tick(self) -> float:
        """Update the lamps, decide changes that are due and look for lost edges; calls `wake` if there are events.

        Opens the lamps' pins after the first press if they were not opened at the start. Raises nothing: the next
        `read` reports pins that no longer answer. Does nothing after `close` or a loss.

        Returns:
            The time at which it must be called again, in seconds of the clock; at most `LEVEL_CHECK_SECONDS` from now.
        """
        with self._lock:
            now = self._clock()
            if self._closed or self._lost is not None:
                return now + LEVEL_CHECK_SECONDS
            try:
                self._open_lamps()
                times = [at for lamp in self._lamps.values() if (at := lamp.update(now)) is not None]
                is_check_due = now >= self._next_check_at
                self._next_check_at = now + LEVEL_CHECK_SECONDS if is_check_due else self._next_check_at
                for button in self._buttons.values():
                    due = button.debouncer.due_at
                    if is_check_due or (due is not None and now >= due):
                        is_down = not button.pin.state
                        self._add_edges(button.button, button.debouncer.check_level(is_down, self._clock()))
                if self._events:
                    self._wake()  # an event may have waited for one that was decided now
                times += [at for button in self._buttons.values() if (at := button.debouncer.due_at) is not None]
            except Exception as error:  # noqa: BLE001 - lgpio.error is no OSError, and this thread must not die
                self._report_loss(error)
                return now + LEVEL_CHECK_SECONDS
            return min([self._next_check_at, *times])

    def close(self) -> None:
        """Switch the lamps off and release the pins and the factory; may be called twice and raises nothing."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
        # Not under the lock: lgpio's thread may be waiting for it in a callback.
        for close in [*(b.close for b in self._buttons.values()), *(lamp.close for lamp in self._lamps.values())]:
            _try_quietly(close)
        if not _try_quietly(self._factory.close):
            # gpiozero keeps pins for later users. These no longer answer; without them the chip can be closed.
            self._factory.pins.clear()
            _try_quietly(self._factory.close)

    def _set_effects(self) -> None:
        for button, lamp in self._lamps.items():
            lamp.set_effect(self._effects.get(button, LampEffect.OFF), self._clock())

    def _open_lamps(self) -> None:
        """Open the lamps that are not open yet, if they are certain to be there."""
        if not self._are_lamps_certain or not self._closed_lamps:
            return
        pins, self._closed_lamps = self._closed_lamps, {}
        for button, number in pins.items():
            try:
                self._lamps[button] = PinLamp(self._factory.pin(number))
            except Exception as error:  # noqa: BLE001 - gpiozero and lgpio have exceptions of their own
                self.problems += (
                    LazyMessage(
                        "GPIO{number} is not available for the lamp of {button} ({why}):"
                        " something else uses it; choose another pin",
                        number=number,
                        button=button,
                        why=describe_error(error),
                    ),
                )
        self._set_effects()

    def _open_buttons(self, pins: GpioPins) -> None:
        for button, number in pins.buttons.items():
            try:
                pin: Pin = self._factory.pin(number)
                pin.input_with_pull("up")
                self._buttons[button] = _PinButton(self, button, pin)
                pin.when_changed = self._buttons[button].handle_change
                if self._buttons[button].debouncer.is_down:
                    self._events.append(ButtonHeld(button, self._clock(), SOURCE_NAME))
            except Exception as error:  # noqa: BLE001 - as above
                self._buttons.pop(button, None)
                self.problems += (
                    LazyMessage(
                        "GPIO{number} is not available for {button} ({why}):"
                        " something else uses it; choose another pin",
                        number=number,
                        button=button,
                        why=describe_error(error),
                    ),
                )

    def _report_loss(self, error: Exception) -> None:
        self._lost = LazyMessage("The Pi's pins no longer answer: {why}", why=describe_error(error))
        self._wake()

    def _handle_edge(self, button: Button, debouncer: Debouncer, ticks: float, state: int) -> None:
        with self._lock:
            now = self._clock()
            at, error = ticks + self._tick_offset, 0.0
            if not now - MAX_STAMP_AGE_SECONDS < at < now + MAX_STAMP_AHEAD_SECONDS:
                at, error = now, EDGE_GRACE_SECONDS
            self._add_edges(button, debouncer.handle_edge(not state, at, error))
            if debouncer.due_at is not None:
                self._has_new_edge.set()

    def _add_edges(self, button: Button, edges: list[DebouncedEdge]) -> None:
        for edge in edges:
            self._are_lamps_certain = self._are_lamps_certain or edge.is_down
            self._events.append(
                ButtonPressed(button, edge.at, SOURCE_NAME, edge.max_error_seconds)
                if edge.is_down
                else ButtonReleased(button, edge.at, SOURCE_NAME)
            )
        if edges:
            self._wake()


class _PinButton:
    """A button at its pin. gpiozero holds its callback by a weak reference, so this must live as long as the pin."""

    def __init__(self, source: GpioSource, button: Button, pin: Pin) -> None:
        self.button, self.pin = button, pin
        # A button that is held down when the program starts has not been pressed.
        self.debouncer = Debouncer(is_down=not pin.state)
        self._source = source

    def close(self) -> None:
        """Stop the edges."""
        self.pin.when_changed = None

    def handle_change(self, ticks: float, state: int) -> None:
        """Handle gpiozero's `when_changed`: the tick of the edge, in seconds, and the level after it (1: open)."""
        self._source._handle_edge(self.button, self.debouncer, ticks, state)


def _try_quietly(action: Callable[[], None]) -> bool:
    """Call `action` and return whether it succeeded; it fails if the pins no longer answer."""
    try:
        action()
    except Exception:
        # lgpio.error is no OSError, and gpiozero has exceptions of its own.
        log.info("a pin cannot be released", exc_info=True)
        return False
    return True


def _measure_tick_offset(clock: Clock, ticks: Callable[[], float]) -> float:
    """Return the seconds to add to gpiozero's ticks to get the time of `clock`; 0 if both are the same clock."""
    before, tick, after = clock(), ticks(), clock()
    return 0.0 if before <= tick <= after else (before + after) / 2.0 - tick


class ThreadedGpioSource(GpioSource):
    """A `GpioSource` that ticks in its own thread, so that lamps blink evenly while the application draws.

    >>> from gpiozero.pins.mock import MockFactory
    >>> from companion.events import Button
    >>> factory = MockFactory()
    >>> pins = GpioPins(buttons={Button.OK: 17})
    >>> source = ThreadedGpioSource(pins, factory, clock=factory.ticks, are_lamps_certain=False)
    >>> source.read()
    []
    >>> source.close()

    Args:
        pins: BCM numbers of the buttons' and lamps' pins. A pin that cannot be opened is left out and named in
            `problems`.
        factory: gpiozero's pin factory; `close` closes it.
        clock: the host's monotonic clock, in seconds; called from several threads.
        wake: called without arguments from gpiozero's thread, from this source's own or within `set_lamps`, when there
            is something to `read` or the pins are lost; must not block.
        are_lamps_certain: see `GpioSource`.

    Raises:
        GpioMissing: there are pins, and none of those to be opened now can be; the factory has been closed.
    """

    def __init__(
        self,
        pins: GpioPins,
        factory: PinFactory,
        clock: Clock,
        wake: Callable[[], None] = lambda: None,
        *,
        are_lamps_certain: bool,
    ) -> None:
        super().__init__(pins, factory, clock, wake, are_lamps_certain=are_lamps_certain)
        self._is_stopping = False
        self._thread = threading.Thread(target=self._run, name="gpio", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the thread, switch the lamps off, release the pins and the factory; may be called twice.

        Raises nothing, but must not be called by `wake`: it waits for the thread.
        """
        self._is_stopping = True
        self._has_new_edge.set()
        self._thread.join()
        super().close()

    def _run(self) -> None:
        while not self._is_stopping:
            self._has_new_edge.wait(max(MIN_TICK_SECONDS, self.tick() - self._clock()))
            self._has_new_edge.clear()


def check_no_hat() -> None:
    """Check that no expansion board sits on the pins, which may use any of them.

    Raises:
        GpioMissing: one does: `HAT_DESCRIPTION` exists.
    """
    if HAT_DESCRIPTION.exists():
        raise GpioMissing(LazyMessage('A HAT is on the pins: for buttons beside it set buttons = "gpio" in [table]'))


def open_gpio(
    pins: GpioPins,
    clock: Clock,
    wake: Callable[[], None] = lambda: None,
    *,
    is_required: bool = True,
    is_proven: bool = False,
) -> ThreadedGpioSource:
    """Open the buttons and lamps at the pins of this Raspberry Pi (model 3, 4 or 5), and start their thread.

    The first call loads lgpio; meanwhile the working folder and $LG_WD of the whole process are changed.

    Args:
        pins: BCM numbers of the buttons' and lamps' pins. A pin that cannot be opened is left out and named in
            `problems` of the result.
        clock: the host's monotonic clock, returns seconds; presses and releases are stamped with it. Called from
            several threads.
        wake: called without arguments when there is something to `read`, from gpiozero's thread or the source's own;
            must not block.
        is_required: the settings say that something is wired; otherwise the pins are left alone where a HAT is, and
            no lamp is driven before the first press.
        is_proven: the lamps are driven from the start: there was a press earlier, or the wiring is being tested.

    Raises:
        GpioMissing: this is no Raspberry Pi, lgpio or the permission is missing, $LG_WD is no writable folder, none of
            the pins can be opened, or a HAT is on the pins and `is_required` is not set.
    """
    if not is_required:
        check_no_hat()
    return ThreadedGpioSource(pins, open_lgpio(), clock, wake, are_lamps_certain=is_required or is_proven)
