"""Buttons and lamps at the pins of a Raspberry Pi: each button from its pin to ground, with the Pi's pull-up."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from companion.events import Button, ButtonPressed, ButtonReleased, Event
from hardware.buttons.gpio.debounce import Change, Lockout
from hardware.buttons.gpio.lamps import Lamps, PinLamp
from hardware.buttons.gpio.pin_factory import Factory, GpioMissing, Pin, open_lgpio, said
from hardware.buttons.lamp_effects import Effect
from hardware.messages import Sentence

log = logging.getLogger(__name__)
Clock = Callable[[], float]
NAME = "GPIO"
LOOK = 0.040
"""Seconds between two looks at the pins' levels, against lost edges."""
EARLIEST, LATEST = 60.0, 0.01
"""Seconds before and after now between which a stamp is believed: a kernel before 5.7 stamps by the time of day."""


@dataclass(frozen=True, slots=True)
class Pins:
    """Which pin (BCM number) each button and each lamp is wired to; what is not named is not wired."""

    buttons: Mapping[Button, int] = field(default_factory=dict)
    lamps: Mapping[Button, int] = field(default_factory=dict)


class Gpio:
    """A `ButtonSource` at the pins.

    Args:
        pins: what is wired where. A pin that cannot be had is left out and named in `trouble`.
        factory: gpiozero's; this closes it.
        clock: the host's monotonic clock, in seconds.
        wake: called from gpiozero's thread when there is something to `read`.

    Raises:
        GpioMissing: not one pin can be had.
    """

    def __init__(self, pins: Pins, factory: Factory, clock: Clock, wake: Callable[[], None] = lambda: None) -> None:
        self.name = NAME
        self.trouble: tuple[str, ...] = ()
        self._factory, self._clock, self._wake = factory, clock, wake
        self._lock = threading.RLock()
        self._signals: list[Event] = []
        self._mended = 0
        self._lost: str | None = None
        self._closed = False
        self._look_at = clock()
        self._offset = _offset(clock, factory.ticks)
        self._contacts: dict[Button, _Contact] = {}
        lamps = {button: lamp for button, pin in pins.lamps.items() if (lamp := self._lamp(button, pin))}
        self._lamps = Lamps(lamps)
        for button, number in pins.buttons.items():
            self._add(button, number)
        if self.trouble and not lamps and not self._contacts:
            _quietly(factory.close)
            raise GpioMissing(self.trouble[0])

    @property
    def mended(self) -> int:
        """How many edges were lost on the way here, and made up for by looking at the pin."""
        return self._mended

    def read(self) -> list[Event]:
        """See `ButtonSource`."""
        with self._lock:
            signals, self._signals = sorted(self._signals, key=lambda signal: signal.at), []
            lost = self._lost
        if lost is not None and not signals:
            raise GpioMissing(lost)
        return signals

    def light(self, lamps: Mapping[Button, Effect]) -> None:
        """See `ButtonSource`; switched at once, and by `tick` as time goes on."""
        with self._lock:
            try:
                self._lamps.set(lamps, self._clock())
            except Exception as why:  # noqa: BLE001 - as in `tick`
                self._fail(why)
        self.tick()

    def tick(self) -> float:
        """Let the lamps blink and look for lost edges; when to come again, in seconds of the clock."""
        with self._lock:
            now = self._clock()
            if self._closed or self._lost is not None:
                return now + LOOK
            try:
                lamps = self._lamps.show(now)
                if now >= self._look_at:
                    self._look_at = now + LOOK
                    self._look()
            except Exception as why:  # noqa: BLE001 - lgpio.error is no OSError, and this thread must not die
                self._fail(why)
                return now + LOOK
            return self._look_at if lamps is None else min(lamps, self._look_at)

    def close(self) -> None:
        """See `ButtonSource`."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
        # Not under the lock: lgpio's thread may be waiting for it in a callback.
        for contact in self._contacts.values():
            _quietly(contact.stop)
        _quietly(self._lamps.close)
        if not _quietly(self._factory.close):
            # gpiozero keeps pins for whoever comes next. These no longer answer; without them the chip can be closed.
            self._factory.pins.clear()
            _quietly(self._factory.close)

    def _lamp(self, button: Button, number: int) -> PinLamp | None:
        try:
            return PinLamp(self._factory.pin(number))
        except Exception as why:  # noqa: BLE001 - gpiozero and lgpio have exceptions of their own
            self._cannot(
                Sentence(
                    "GPIO{number} cannot be had for the lamp of {button} ({why}):"
                    " something else uses it, choose another pin",
                    number=number,
                    button=button,
                    why=said(why),
                )
            )
            return None

    def _add(self, button: Button, number: int) -> None:
        try:
            pin: Pin = self._factory.pin(number)
            pin.input_with_pull("up")
            contact = _Contact(self, button, pin)
            self._contacts[button] = contact
            pin.when_changed = contact.changed
        except Exception as why:  # noqa: BLE001 - as above
            self._contacts.pop(button, None)
            self._cannot(
                Sentence(
                    "GPIO{number} cannot be had for {button} ({why}): something else uses it, choose another pin",
                    number=number,
                    button=button,
                    why=said(why),
                )
            )

    def _cannot(self, words: Sentence) -> None:
        self.trouble = (*self.trouble, words)

    def _fail(self, why: Exception) -> None:
        self._lost = Sentence("The Pi's pins no longer answer: {why}", why=said(why))
        self._wake()

    def _look(self) -> None:
        for contact in self._contacts.values():
            down = not contact.pin.state
            self._note(contact.button, contact.lockout.look(down, self._clock()))

    def _edge(self, button: Button, lockout: Lockout, ticks: float, state: int) -> None:
        with self._lock:
            now = self._clock()
            at = ticks + self._offset
            self._note(button, lockout.edge(not state, at if now - EARLIEST < at < now + LATEST else now))

    def _note(self, button: Button, changes: list[Change]) -> None:
        for change in changes:
            self._mended += change.mended
            self._signals.append((ButtonPressed if change.down else ButtonReleased)(button, change.at, NAME))
        if changes:
            self._wake()


class _Contact:
    """A button's pin. gpiozero keeps a weak reference only to what it calls, so this must live as long as the pin."""

    def __init__(self, gpio: Gpio, button: Button, pin: Pin) -> None:
        self.button, self.pin = button, pin
        # A button that is held down when the program starts has not been pressed.
        self.lockout = Lockout(down=not pin.state)
        self._gpio = gpio

    def stop(self) -> None:
        """No more edges."""
        self.pin.when_changed = None

    def changed(self, ticks: float, state: int) -> None:
        """gpiozero's `when_changed`: the edge's own stamp, and the level after it (1: open)."""
        self._gpio._edge(self.button, self.lockout, ticks, state)


def _quietly(act: Callable[[], None]) -> bool:
    """Do it; False if that fails, as it does with pins that no longer answer."""
    try:
        act()
    except Exception:
        # lgpio.error is no OSError, and gpiozero has exceptions of its own.
        log.info("a pin cannot be let go", exc_info=True)
        return False
    return True


def _offset(clock: Clock, ticks: Callable[[], float]) -> float:
    """Seconds from gpiozero's ticks to our clock. Both are the kernel's monotonic clock, where that is so exactly 0."""
    before, tick, after = clock(), ticks(), clock()
    return 0.0 if before <= tick <= after else (before + after) / 2.0 - tick


class Background:
    """A `Gpio` that ticks in a thread of its own, so that lamps blink evenly while the application draws."""

    def __init__(self, gpio: Gpio, clock: Clock) -> None:
        self._gpio, self._clock = gpio, clock
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="gpio", daemon=True)
        self._thread.start()

    @property
    def name(self) -> str:
        """See `ButtonSource`."""
        return self._gpio.name

    @property
    def trouble(self) -> tuple[str, ...]:
        """Pins that cannot be had, one line each."""
        return self._gpio.trouble

    def read(self) -> list[Event]:
        """See `ButtonSource`."""
        return self._gpio.read()

    def light(self, lamps: Mapping[Button, Effect]) -> None:
        """See `ButtonSource`."""
        self._gpio.light(lamps)

    def close(self) -> None:
        """See `ButtonSource`."""
        self._stop.set()
        self._thread.join()
        self._gpio.close()

    def _run(self) -> None:
        while not self._stop.is_set():
            self._stop.wait(max(0.001, self._gpio.tick() - self._clock()))


def open_gpio(pins: Pins, clock: Clock, wake: Callable[[], None] = lambda: None) -> Background:
    """The pins of this Raspberry Pi.

    Raises:
        GpioMissing: lgpio, the rights or the pins are missing.
    """
    return Background(Gpio(pins, open_lgpio(), clock, wake), clock)
