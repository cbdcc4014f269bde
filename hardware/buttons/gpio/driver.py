"""Buttons and lamps at the pins of a Raspberry Pi: each button from its pin to ground, with the Pi's pull-up."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from companion.events import Button, ButtonPressed, ButtonReleased, Event
from hardware.buttons.gpio.debounce import DebouncedEdge, Debouncer
from hardware.buttons.gpio.lamps import PinLamp, PinLamps
from hardware.buttons.gpio.pin_factory import GpioMissing, Pin, PinFactory, describe_error, open_lgpio
from hardware.buttons.lamp_effects import LampEffect
from hardware.messages import LazyMessage

log = logging.getLogger(__name__)
Clock = Callable[[], float]
SOURCE_NAME = "GPIO"
LEVEL_CHECK_SECONDS = 0.040
"""Seconds between two looks at the pins' levels, against lost edges."""
MAX_STAMP_AGE_SECONDS, MAX_STAMP_AHEAD_SECONDS = 60.0, 0.01
"""Seconds before and after now between which a stamp is believed: a kernel before 5.7 stamps by the time of day."""


@dataclass(frozen=True, slots=True)
class GpioPins:
    """Which pin (BCM number) each button and each lamp is wired to; what is not named is not wired."""

    buttons: Mapping[Button, int] = field(default_factory=dict)
    lamps: Mapping[Button, int] = field(default_factory=dict)


class GpioSource:
    """A `ButtonSource` at the pins.

    Args:
        pins: what is wired where. A pin that cannot be had is left out and named in `trouble`.
        factory: gpiozero's; this closes it.
        clock: the host's monotonic clock, in seconds.
        wake: called from gpiozero's thread when there is something to `read`.

    Raises:
        GpioMissing: not one pin can be had.
    """

    def __init__(
        self, pins: GpioPins, factory: PinFactory, clock: Clock, wake: Callable[[], None] = lambda: None
    ) -> None:
        self.name = SOURCE_NAME
        self.problems: tuple[str, ...] = ()
        self._factory, self._clock, self._wake = factory, clock, wake
        self._lock = threading.RLock()
        self._events: list[Event] = []
        self._inferred_edges = 0
        self._lost: str | None = None
        self._closed = False
        self._next_check_at = clock()
        self._tick_offset = _measure_tick_offset(clock, factory.ticks)
        self._buttons: dict[Button, _PinButton] = {}
        lamps = {button: lamp for button, pin in pins.lamps.items() if (lamp := self._open_lamp(button, pin))}
        self._lamps = PinLamps(lamps)
        for button, number in pins.buttons.items():
            self._open_button(button, number)
        if self.problems and not lamps and not self._buttons:
            _try_quietly(factory.close)
            raise GpioMissing(self.problems[0])

    @property
    def inferred_edges(self) -> int:
        """How many edges were lost on the way here, and made up for by looking at the pin."""
        return self._inferred_edges

    def read(self) -> list[Event]:
        """See `ButtonSource`."""
        with self._lock:
            signals, self._events = sorted(self._events, key=lambda signal: signal.at), []
            lost = self._lost
        if lost is not None and not signals:
            raise GpioMissing(lost)
        return signals

    def set_lamps(self, lamps: Mapping[Button, LampEffect]) -> None:
        """See `ButtonSource`; switched at once, and by `tick` as time goes on."""
        with self._lock:
            try:
                self._lamps.set_effects(lamps, self._clock())
            except Exception as why:  # noqa: BLE001 - as in `tick`
                self._report_loss(why)
        self.tick()

    def tick(self) -> float:
        """Let the lamps blink and look for lost edges; when to come again, in seconds of the clock."""
        with self._lock:
            now = self._clock()
            if self._closed or self._lost is not None:
                return now + LEVEL_CHECK_SECONDS
            try:
                lamps = self._lamps.update(now)
                if now >= self._next_check_at:
                    self._next_check_at = now + LEVEL_CHECK_SECONDS
                    self._check_levels()
            except Exception as why:  # noqa: BLE001 - lgpio.error is no OSError, and this thread must not die
                self._report_loss(why)
                return now + LEVEL_CHECK_SECONDS
            return self._next_check_at if lamps is None else min(lamps, self._next_check_at)

    def close(self) -> None:
        """See `ButtonSource`."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
        # Not under the lock: lgpio's thread may be waiting for it in a callback.
        for contact in self._buttons.values():
            _try_quietly(contact.stop)
        _try_quietly(self._lamps.close)
        if not _try_quietly(self._factory.close):
            # gpiozero keeps pins for whoever comes next. These no longer answer; without them the chip can be closed.
            self._factory.pins.clear()
            _try_quietly(self._factory.close)

    def _open_lamp(self, button: Button, number: int) -> PinLamp | None:
        try:
            return PinLamp(self._factory.pin(number))
        except Exception as why:  # noqa: BLE001 - gpiozero and lgpio have exceptions of their own
            self._add_problem(
                LazyMessage(
                    "GPIO{number} cannot be had for the lamp of {button} ({why}):"
                    " something else uses it, choose another pin",
                    number=number,
                    button=button,
                    why=describe_error(why),
                )
            )
            return None

    def _open_button(self, button: Button, number: int) -> None:
        try:
            pin: Pin = self._factory.pin(number)
            pin.input_with_pull("up")
            contact = _PinButton(self, button, pin)
            self._buttons[button] = contact
            pin.when_changed = contact.handle_change
        except Exception as why:  # noqa: BLE001 - as above
            self._buttons.pop(button, None)
            self._add_problem(
                LazyMessage(
                    "GPIO{number} cannot be had for {button} ({why}): something else uses it, choose another pin",
                    number=number,
                    button=button,
                    why=describe_error(why),
                )
            )

    def _add_problem(self, words: LazyMessage) -> None:
        self.problems = (*self.problems, words)

    def _report_loss(self, why: Exception) -> None:
        self._lost = LazyMessage("The Pi's pins no longer answer: {why}", why=describe_error(why))
        self._wake()

    def _check_levels(self) -> None:
        for contact in self._buttons.values():
            down = not contact.pin.state
            self._add_edges(contact.button, contact.debouncer.check_level(down, self._clock()))

    def _handle_edge(self, button: Button, lockout: Debouncer, ticks: float, state: int) -> None:
        with self._lock:
            now = self._clock()
            at = ticks + self._tick_offset
            self._add_edges(
                button,
                lockout.handle_edge(
                    not state, at if now - MAX_STAMP_AGE_SECONDS < at < now + MAX_STAMP_AHEAD_SECONDS else now
                ),
            )

    def _add_edges(self, button: Button, changes: list[DebouncedEdge]) -> None:
        for change in changes:
            self._inferred_edges += change.is_inferred
            self._events.append((ButtonPressed if change.is_down else ButtonReleased)(button, change.at, SOURCE_NAME))
        if changes:
            self._wake()


class _PinButton:
    """A button's pin. gpiozero keeps a weak reference only to what it calls, so this must live as long as the pin."""

    def __init__(self, gpio: GpioSource, button: Button, pin: Pin) -> None:
        self.button, self.pin = button, pin
        # A button that is held down when the program starts has not been pressed.
        self.debouncer = Debouncer(is_down=not pin.state)
        self._gpio = gpio

    def stop(self) -> None:
        """No more edges."""
        self.pin.when_changed = None

    def handle_change(self, ticks: float, state: int) -> None:
        """gpiozero's `when_changed`: the edge's own stamp, and the level after it (1: open)."""
        self._gpio._handle_edge(self.button, self.debouncer, ticks, state)


def _try_quietly(act: Callable[[], None]) -> bool:
    """Do it; False if that fails, as it does with pins that no longer answer."""
    try:
        act()
    except Exception:
        # lgpio.error is no OSError, and gpiozero has exceptions of its own.
        log.info("a pin cannot be let go", exc_info=True)
        return False
    return True


def _measure_tick_offset(clock: Clock, ticks: Callable[[], float]) -> float:
    """Seconds from gpiozero's ticks to our clock. Both are the kernel's monotonic clock, where that is so exactly 0."""
    before, tick, after = clock(), ticks(), clock()
    return 0.0 if before <= tick <= after else (before + after) / 2.0 - tick


class ThreadedGpioSource:
    """A `Gpio` that ticks in a thread of its own, so that lamps blink evenly while the application draws."""

    def __init__(self, gpio: GpioSource, clock: Clock) -> None:
        self._gpio, self._clock = gpio, clock
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="gpio", daemon=True)
        self._thread.start()

    @property
    def name(self) -> str:
        """See `ButtonSource`."""
        return self._gpio.name

    @property
    def problems(self) -> tuple[str, ...]:
        """Pins that cannot be had, one line each."""
        return self._gpio.problems

    def read(self) -> list[Event]:
        """See `ButtonSource`."""
        return self._gpio.read()

    def set_lamps(self, lamps: Mapping[Button, LampEffect]) -> None:
        """See `ButtonSource`."""
        self._gpio.set_lamps(lamps)

    def close(self) -> None:
        """See `ButtonSource`."""
        self._stop.set()
        self._thread.join()
        self._gpio.close()

    def _run(self) -> None:
        while not self._stop.is_set():
            self._stop.wait(max(0.001, self._gpio.tick() - self._clock()))


def open_gpio(pins: GpioPins, clock: Clock, wake: Callable[[], None] = lambda: None) -> ThreadedGpioSource:
    """The pins of this Raspberry Pi.

    Raises:
        GpioMissing: lgpio, the rights or the pins are missing.
    """
    return ThreadedGpioSource(GpioSource(pins, open_lgpio(), clock, wake), clock)
