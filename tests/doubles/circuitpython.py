"""Stand-ins for CircuitPython's modules, so that `firmware_notes/circuitpython` runs here.

They behave and fail as the real ones (docs.circuitpython.org, "Core Modules"; adafruit/circuitpython, shared-module).

Time passes by a clock that the test chooses. Buttons follow edges that are planned ahead, and are scanned 1024 times a
second as the supervisor does, however late the program looks.
"""

from __future__ import annotations

import bisect
import os
import random
import select
import sys
import threading
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

CODE = Path(__file__).parents[2] / "firmware_notes" / "circuitpython" / "code.py"
SCANS_PER_SECOND = 1024
FIRST_TICKS_MS = 0x1FFF0000
"""`supervisor.ticks_ms` at the start of the board: it wraps after 65 s, so that programs meet that early."""
TICKS_MS_PERIOD = 1 << 29
USB_FIFO_BYTES = 64
PICO_PINS = tuple(f"GP{number}" for number in (*range(23), 26, 27, 28))


class Unplugged(BaseException):
    """The board has lost its power: ends the program, which catches no such thing."""


class Pin:
    """A pin, used by one object at a time."""

    def __init__(self, name: str) -> None:
        self.name, self.is_used = name, False
        self.edges: list[tuple[float, bool]] = []
        """(seconds, is down), in their order; the button is up before the first."""

    def claim(self) -> None:
        if self.is_used:
            raise ValueError(f"{self.name} in use")
        self.is_used = True

    def is_down(self, at: float) -> bool:
        """Return whether the button connects the pin to ground at that time."""
        place = bisect.bisect_right(self.edges, at, key=lambda edge: edge[0])
        return place > 0 and self.edges[place - 1][1]


class CircuitPythonBoard:
    """A board with CircuitPython.

    >>> board = CircuitPythonBoard(clock=lambda: 1.0)
    >>> with board.installed():
    ...     import supervisor
    ...
    >>> hex(supervisor.ticks_ms())
    '0x1fff03e8'

    Args:
        clock: seconds since the board was plugged in, times that never go back.
        pins: names in its module `board`.
        has_pixels: it has `neopixel_write`.
        pwm_channels: number of pins that can be dimmed at once.
        version: of CircuitPython; up to 8 `keypad` reports a key that is pressed at its start.
        master: descriptor of its end of a pty that stands for its serial port; None: no computer.

    Attributes:
        is_booting: boot.py runs, so that USB can be set up.
        identification: what boot.py has called the board.
        disabled: USB devices that boot.py has switched off.
        pixels: red, green and blue of the WS2812 as written last.
        is_unplugged: end the program.
        scanning: held while the buttons are scanned; who plans edges from now on holds it, or a scan may be past them.
    """

    def __init__(
        self,
        clock: Callable[[], float],
        pins: tuple[str, ...] = PICO_PINS,
        *,
        has_pixels: bool = True,
        pwm_channels: int = 16,
        version: int = 9,
        master: int | None = None,
    ) -> None:
        self.clock, self.has_pixels, self.pwm_channels, self.version = clock, has_pixels, pwm_channels, version
        self.pins = {name: Pin(name) for name in pins}
        self.is_booting = False
        self.identification: tuple[str, str] | None = None
        self.disabled: list[str] = []
        self.outputs: dict[str, float] = {}
        """Brightness of each plain lamp by its pin, 0.0 to 1.0."""
        self.pixels: list[tuple[int, int, int]] = []
        self.is_unplugged = False
        self.scanning = threading.Lock()
        self.data: Serial | None = None if master is None else Serial(self, master)
        self._modules = self._make_modules()

    def read_ticks_ms(self) -> int:
        """Return `supervisor.ticks_ms()`: whole milliseconds of the last scan."""
        scans = int(self.clock() * SCANS_PER_SECOND)
        return (FIRST_TICKS_MS + scans * 1000 // SCANS_PER_SECOND) % TICKS_MS_PERIOD

    @contextmanager
    def installed(self) -> Iterator[None]:
        """Put the stand-ins in the place of modules while the program is imported."""
        before = {name: sys.modules.get(name) for name in self._modules}
        sys.modules.update(self._modules)  # type: ignore[arg-type]  # None: there is no such module
        try:
            yield
        finally:
            for name, module in before.items():
                if module is None:
                    del sys.modules[name]
                else:
                    sys.modules[name] = module

    def run(self, *, as_boot: bool) -> dict[str, Any]:
        """Run the program as boot.py or code.py; return its names. As code.py it runs until the board is unplugged."""
        self.is_booting = as_boot
        names: dict[str, Any] = {"__name__": "__main__"}
        with self.installed(), suppress(Unplugged):
            exec(compile(CODE.read_text(encoding="utf-8"), str(CODE), "exec"), names)
        return names

    def load(self) -> dict[str, Any]:
        """Return the program's names without running the box; then it may be run step by step."""
        names = self.run(as_boot=True)
        self.is_booting = False
        sleeps = types.SimpleNamespace(monotonic_ns=lambda: int(self.clock() * 1e9), sleep=lambda seconds: None)
        return names | {"time": sleeps}

    def _make_modules(self) -> dict[str, types.ModuleType | None]:
        board = self

        class DigitalInOut:
            def __init__(self, pin: Pin) -> None:
                pin.claim()
                self._pin, self._is_output, self._value = pin, False, False

            def switch_to_output(self, value: bool = False) -> None:
                self._is_output = True
                self.value = value

            def switch_to_input(self, pull: str | None = None) -> None:
                if pull != "up":
                    raise NotImplementedError("these buttons connect their pin to ground")
                self._is_output = False

            @property
            def is_output(self) -> bool:
                return self._is_output

            @property
            def value(self) -> bool:
                return self._value if self._is_output else not self._pin.is_down(board.clock())

            @value.setter
            def value(self, value: bool) -> None:
                if not self._is_output:
                    raise AttributeError("Cannot set value when direction is input.")
                self._value = bool(value)
                board.outputs[self._pin.name] = float(self._value)

            def deinit(self) -> None:
                self._pin.is_used = False

        class PWMOut:
            used = 0

            def __init__(self, pin: Pin, *, duty_cycle: int = 0, frequency: int = 500) -> None:
                if PWMOut.used >= board.pwm_channels:
                    raise RuntimeError("All timers in use")
                pin.claim()
                PWMOut.used += 1
                self._pin = pin
                self.duty_cycle = duty_cycle

            @property
            def duty_cycle(self) -> int:
                return round(65535 * board.outputs[self._pin.name])

            @duty_cycle.setter
            def duty_cycle(self, value: int) -> None:
                if not 0 <= value <= 65535:
                    raise ValueError("PWM duty_cycle must be between 0 and 65535 inclusive (16 bit resolution)")
                board.outputs[self._pin.name] = value / 65535

            def deinit(self) -> None:
                PWMOut.used -= 1
                self._pin.is_used = False

        def neopixel_write(gpio: Any, buf: bytes) -> None:
            if not isinstance(gpio, DigitalInOut):
                raise TypeError("Expected a DigitalInOut")
            if not gpio.is_output:
                raise ValueError("GPIO must be an output")
            if not isinstance(buf, bytearray | bytes):
                raise TypeError("object with buffer protocol required")
            board.pixels = [(buf[at + 1], buf[at], buf[at + 2]) for at in range(0, len(buf), 3)]

        def enable(*, console: bool = True, data: bool = False) -> None:
            if not board.is_booting:
                raise RuntimeError("Cannot change USB devices now")

        def set_usb_identification(manufacturer: str | None = None, product: str | None = None) -> None:
            if board.is_booting and manufacturer and product:
                board.identification = (manufacturer, product)

        def module(name: str, **names: Any) -> types.ModuleType:
            made = types.ModuleType(name)
            made.__dict__.update(names)
            return made

        return {
            "board": module("board", **self.pins),
            "digitalio": module("digitalio", DigitalInOut=DigitalInOut, Pull=types.SimpleNamespace(UP="up")),
            "keypad": module("keypad", Keys=lambda *pins, **options: Keys(board, *pins, **options), Event=Event),
            "pwmio": module("pwmio", PWMOut=PWMOut),
            "neopixel_write": module("neopixel_write", neopixel_write=neopixel_write) if self.has_pixels else None,
            "supervisor": module(
                "supervisor",
                ticks_ms=self.read_ticks_ms,
                set_usb_identification=set_usb_identification,
                runtime=types.SimpleNamespace(autoreload=True),
            ),
            "usb_cdc": module("usb_cdc", enable=enable, data=self.data),
            "usb_hid": module("usb_hid", disable=lambda: board.disabled.append("usb_hid")),
            "usb_midi": module("usb_midi", disable=lambda: board.disabled.append("usb_midi")),
        }


class Event:
    """`keypad.Event`."""

    def __init__(self, key_number: int = 0, pressed: bool = True, timestamp: int | None = None) -> None:
        self.key_number, self.pressed, self.timestamp = key_number, pressed, timestamp


class Keys:
    """`keypad.Keys` with its `EventQueue` in `events`."""

    def __init__(
        self,
        board: CircuitPythonBoard,
        pins: list[Pin],
        *,
        value_when_pressed: bool,
        pull: bool = True,
        interval: float = 0.020,
        max_events: int = 64,
    ) -> None:
        if interval < 0:
            raise ValueError("interval must be 0 or greater")
        if value_when_pressed or not pull:
            raise NotImplementedError("these buttons connect their pin to ground")
        for pin in pins:
            pin.claim()
        self._board, self._pins, self._max_events = board, list(pins), max_events
        self._scans_apart = max(1, int(interval * SCANS_PER_SECOND))
        self._scan = int(board.clock() * SCANS_PER_SECOND)
        now = board.clock()
        self._is_pressed = [board.version > 8 and pin.is_down(now) for pin in pins]
        self._queue: list[tuple[int, bool, int]] = []
        self._overflowed = False
        self.events = self

    def deinit(self) -> None:
        """Stop scanning and release the pins."""
        for pin in self._pins:
            pin.is_used = False

    def get_into(self, event: Event) -> bool:
        """Take the oldest event; return whether there was one."""
        self._scan_up_to_now()
        if not self._queue:
            return False
        event.key_number, event.pressed, event.timestamp = self._queue.pop(0)
        return True

    @property
    def overflowed(self) -> bool:
        """Whether an event was dropped."""
        self._scan_up_to_now()
        return self._overflowed

    def _scan_up_to_now(self) -> None:
        with self._board.scanning:
            last = int(self._board.clock() * SCANS_PER_SECOND)
            while self._scan + self._scans_apart <= last:
                self._scan += self._scans_apart
                self._scan_once()

    def _scan_once(self) -> None:
        at = self._scan / SCANS_PER_SECOND
        timestamp = (FIRST_TICKS_MS + self._scan * 1000 // SCANS_PER_SECOND) % TICKS_MS_PERIOD
        for number, pin in enumerate(self._pins):
            is_down = pin.is_down(at)
            if is_down == self._is_pressed[number]:
                continue
            self._is_pressed[number] = is_down
            if len(self._queue) >= self._max_events:
                self._overflowed = True
            else:
                self._queue.append((number, is_down, timestamp))


class Serial:
    """`usb_cdc.Serial` at a pty: never more than a FIFO at once, and nothing while no program has the port open."""

    def __init__(self, board: CircuitPythonBoard, master: int) -> None:
        self._board, self._master = board, master
        self.timeout: float | None = None
        self.write_timeout: float | None = None
        self._received = b""
        self._room = random.Random(1)  # what earlier bytes leave of the FIFO
        self._poll = select.poll()
        self._poll.register(master, select.POLLIN)
        os.set_blocking(master, False)

    @property
    def connected(self) -> bool:
        """Whether a program on the host has the port open (DTR)."""
        if self._board.is_unplugged:
            raise Unplugged
        # A board has nothing better to do than to look again; a computer with two cores has.
        is_open = not any(state & select.POLLHUP for _, state in self._poll.poll(0.3))
        if not is_open:
            select.select([], [], [], 0.001)
        return is_open

    @property
    def in_waiting(self) -> int:
        """Number of bytes that `read` returns at once."""
        if len(self._received) < USB_FIFO_BYTES:
            with suppress(BlockingIOError, OSError):
                self._received += os.read(self._master, USB_FIFO_BYTES - len(self._received))
        return len(self._received)

    def read(self, size: int = 1) -> bytes:
        """Return at most that many bytes."""
        if self.timeout != 0:
            raise AssertionError("the program would wait here")
        data, self._received = self._received[:size], self._received[size:]
        return data

    def write(self, data: bytes) -> int:
        """Write as many bytes as the FIFO takes; return their number."""
        if self.write_timeout != 0:
            raise AssertionError("the program would wait here")
        try:
            return os.write(self._master, data[: self._room.randint(1, USB_FIFO_BYTES)])
        except BlockingIOError:
            return 0

    def reset_output_buffer(self) -> None:
        """Drop what was not sent."""
