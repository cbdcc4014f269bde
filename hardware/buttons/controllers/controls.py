"""From a controller's events to its controls going down and up: keys, buttons, and the directions of sticks.

The devices are read by `driver.py`; which button a control is: `bindings.py`; Buzz! and lights: `lamps.py`.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from hardware.buttons.controllers.evdev import (
    EV_ABS,
    EV_KEY,
    EV_SYN,
    JOYSTICK_KEYS,
    KEYBOARD_KEYS,
    SYN_DROPPED,
    SYN_REPORT,
    AxisRange,
    InputDevice,
    InputEvent,
)

BOUNCE_SECONDS = 0.020
"""A control that goes down again this soon was not released: its contact bounced.

Two polls of a USB device: most arcade encoders do not debounce. A larger value joins fast presses to one.
"""

PRESS_SHARE = 0.25
"""A direction is pressed in this share of the axis' range, from its end. A larger value needs less force."""

RELEASE_SHARE = 0.35
"""A direction is released outside this share of the range; larger than `PRESS_SHARE`, so that a stick that trembles
does not press twice."""


@dataclass(frozen=True, slots=True)
class ControlChange:
    """A control went down or up.

    >>> ControlChange("axis 0 -", is_down=True, at=12.5)
    ControlChange(control='axis 0 -', is_down=True, at=12.5, max_error_seconds=0.0)

    Attributes:
        control: its name, unique in the device.
        is_down: it went down.
        at: the kernel's stamp, in seconds of CLOCK_MONOTONIC.
        max_error_seconds: how much earlier it may have been, beyond the resolution of a polled device.
    """

    control: str
    is_down: bool
    at: float
    max_error_seconds: float = 0.0


class ControlTracker:
    """Follows the controls of one open device.

    >>> from types import SimpleNamespace
    >>> pad = SimpleNamespace(keys={288}, axes={}, list_held_keys=frozenset)
    >>> tracker = ControlTracker(pad)
    >>> [change.control for change in tracker.handle([InputEvent(12.5, EV_KEY, 288, 1)])]
    ['key 288']
    >>> tracker.handle([InputEvent(12.6, EV_KEY, 288, 0)]), tracker.take_releases(13.0)[0].is_down
    ([], False)

    What is held down when it is made has not been pressed. A direction in which an axis rests (a trigger is an axis
    that rests at its end) is no control.

    Args:
        device: the open device.

    Raises:
        OSError: it was unplugged.
    """

    def __init__(self, device: InputDevice) -> None:
        self._device = device
        self._keys = {code: f"key {code}" for code in device.keys if code in KEYBOARD_KEYS or code in JOYSTICK_KEYS}
        self._directions = {
            code: tuple(sign for sign in "-+" if not _is_pushed(axis, axis.at_rest, sign, RELEASE_SHARE))
            for code, axis in device.axes.items()
        }
        self._axes: Mapping[int, AxisRange] = device.axes
        self._down = self._read_state()
        self._released_at: dict[str, float] = {}
        """Controls that went up a moment ago, and may be bouncing."""
        self._is_overrun = False
        self._last_report_at: float | None = None

    def list_controls(self) -> list[str]:
        """Return the names of all keys and buttons, in the order of their codes, without the directions of sticks."""
        return [self._keys[code] for code in sorted(self._keys)]

    @property
    def is_any_down(self) -> bool:
        """Whether any control is down now."""
        return bool(self._down)

    @property
    def due_at(self) -> float | None:
        """When `take_releases` must be called, in seconds of CLOCK_MONOTONIC; None: nothing waits."""
        return min(self._released_at.values()) + BOUNCE_SECONDS if self._released_at else None

    def handle(self, events: list[InputEvent]) -> list[ControlChange]:
        """Return the changes that the device's new events mean, by their stamps.

        After an overrun of the kernel's queue the state of all controls is compared with the known one; such a change
        has the whole time since the report before as its error.

        Args:
            events: the next events of `InputDevice.read`.

        Raises:
            OSError: the device was unplugged.
        """
        changes: list[ControlChange] = []
        for event in events:
            changes += self.take_releases(event.at)
            if event.type == EV_SYN and event.code == SYN_DROPPED:
                self._is_overrun = True
            elif event.type == EV_SYN and event.code == SYN_REPORT:
                if self._is_overrun:
                    self._is_overrun = False
                    changes += self._resynchronise(event.at)
                self._last_report_at = event.at
            elif not self._is_overrun:
                changes += self._handle_event(event)
        return changes

    def take_releases(self, now: float) -> list[ControlChange]:
        """Return the releases that did not bounce.

        Args:
            now: the time, in seconds of CLOCK_MONOTONIC.
        """
        due = [control for control, at in self._released_at.items() if now >= at + BOUNCE_SECONDS]
        return [ControlChange(control, False, self._released_at.pop(control)) for control in due]

    def _handle_event(self, event: InputEvent) -> list[ControlChange]:
        if event.type == EV_KEY and event.code in self._keys:
            # Values above 1 are the repetitions of a key that is held.
            return self._set(self._keys[event.code], event.value != 0, event.at)
        if event.type != EV_ABS or event.code not in self._axes:
            return []
        changes: list[ControlChange] = []
        # Released first: a stick that is thrown over leaves one side before it reaches the other.
        for sign in sorted(
            self._directions[event.code], key=lambda each: _name_direction(event.code, each) not in self._down
        ):
            control = _name_direction(event.code, sign)
            share = RELEASE_SHARE if control in self._down else PRESS_SHARE
            is_down = _is_pushed(self._axes[event.code], event.value, sign, share)
            changes += self._set(control, is_down, event.at)
        return changes

    def _set(self, control: str, is_down: bool, at: float, error: float = 0.0) -> list[ControlChange]:
        if is_down == (control in self._down):
            return []
        if not is_down:
            self._down.discard(control)
            self._released_at[control] = at
            return []
        self._down.add(control)
        if self._released_at.pop(control, None) is not None:
            return []
        return [ControlChange(control, True, at, error)]

    def _resynchronise(self, at: float) -> list[ControlChange]:
        state = self._read_state()
        error = at - self._last_report_at if self._last_report_at is not None else 0.0
        changes: list[ControlChange] = []
        for control in sorted(self._down | state):
            changes += self._set(control, control in state, at, error)
        return changes

    def _read_state(self) -> set[str]:
        held = self._device.list_held_keys()
        down = {name for code, name in self._keys.items() if code in held}
        for code, signs in self._directions.items():
            value = self._device.read_axis(code)
            down |= {
                _name_direction(code, sign) for sign in signs if _is_pushed(self._axes[code], value, sign, PRESS_SHARE)
            }
        return down


def _name_direction(code: int, sign: str) -> str:
    return f"axis {code} {sign}"


def _is_pushed(axis: AxisRange, value: int, sign: str, share: float) -> bool:
    margin = (axis.high - axis.low) * share
    return axis.high > axis.low and (value <= axis.low + margin if sign == "-" else value >= axis.high - margin)
