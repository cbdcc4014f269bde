"""The lights of controllers as lamps of buttons: lights that the kernel knows, and the four of a Buzz! receiver."""

import errno
import logging
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from companion.events import Button
from hardware.buttons.controllers.evdev import InputDevice
from hardware.buttons.lamp_effects import LampEffect, compute_brightness, compute_next_change

log = logging.getLogger(__name__)

BUZZ_IDS = ((0x054C, 0x0002), (0x054C, 0x1000))
"""Vendor and product of the receivers of Buzz! controllers, wired and wireless."""
BUZZ_BUTTONS = 5
"""Buttons of one Buzz! controller: the large red one, which has the light, and four small ones."""
BUZZ_LIGHTS = 4
BRIGHT = 0.5
"""Brightness from 0 to 1 above which a light that cannot be dimmed is on."""
SYSTEM_FOLDER = Path("/sys/class/input")
DEVICE_FOLDER = Path("/dev")


class ControllerLamps:
    """The lights of one open controller.

    >>> from types import SimpleNamespace
    >>> from companion.events import ControllerId
    >>> pad = SimpleNamespace(id=ControllerId(1, 2, "Pad"), is_joystick=True, leds=(0,))
    >>> pad.write_leds = lambda lit: print(*lit)
    >>> lamps = ControllerLamps(pad, ["key 288", "key 289"])
    >>> lamps.set_effects({"key 288": Button.OK}, {Button.OK: LampEffect.ON})
    >>> next_call_at = lamps.update(now=5.0)
    0

    A Buzz! controller's light is lit if one of its own five buttons is. Of other devices the first light belongs to the
    first button, and so on. The lights of keyboards (Caps Lock) are left alone.

    Args:
        device: the open device.
        controls: its buttons in their order.
        system_folder: where the kernel says which raw device belongs to an input device.
    """

    def __init__(self, device: InputDevice, controls: Sequence[str], system_folder: Path = SYSTEM_FOLDER) -> None:
        self._device = device
        self._raw: int | None = None
        self._controls_by_light: list[Sequence[str]] = []
        self._effects: list[LampEffect] = []
        self._lit: tuple[bool, ...] | None = None
        if (device.id.vendor, device.id.product) in BUZZ_IDS:
            self._raw = _open_raw(device, system_folder)
            if self._raw is not None:
                self._controls_by_light = [
                    controls[n * BUZZ_BUTTONS : (n + 1) * BUZZ_BUTTONS] for n in range(BUZZ_LIGHTS)
                ]
        elif device.is_joystick:
            self._controls_by_light = [controls[n : n + 1] for n in range(len(device.leds))]
        self._effects = [LampEffect.OFF] * len(self._controls_by_light)

    @property
    def count(self) -> int:
        """Number of lights that can be switched."""
        return len(self._controls_by_light)

    def set_effects(self, button_by_control: Mapping[str, Button], lamps: Mapping[Button, LampEffect]) -> None:
        """Set the effects of the lights; `update` switches them.

        Args:
            button_by_control: what each taught control of the device stands for.
            lamps: the effect of each button's lamp; a button that is missing here is dark.
        """
        self._effects = [
            max(
                (lamps.get(button_by_control[each], LampEffect.OFF) for each in controls if each in button_by_control),
                default=LampEffect.OFF,
            )
            for controls in self._controls_by_light
        ]

    def update(self, now: float) -> float | None:
        """Switch the lights that change now.

        Returns:
            When it must be called again, in seconds of the clock of `now`; None: when the effects change.

        Raises:
            OSError: the device was unplugged.
        """
        if not self._effects:
            return None
        lit = tuple(compute_brightness(effect, now) > BRIGHT for effect in self._effects)
        if lit != self._lit:
            try:
                self._write(lit)
            except OSError as error:
                if error.errno == errno.ENODEV:
                    raise
                log.warning("the lights of %s cannot be switched: %s", self._device.id.name, error.strerror)
                self._controls_by_light, self._effects = [], []
                return None
            self._lit = lit
        return min(
            (at for effect in self._effects if (at := compute_next_change(effect, now)) is not None), default=None
        )

    def close(self) -> None:
        """Switch all lights off; raises nothing."""
        with suppress(OSError):
            if self._effects and any(self._lit or ()):
                self._write((False,) * self.count)
        if self._raw is not None:
            with suppress(OSError):
                os.close(self._raw)
            self._raw = None

    def _write(self, lit: Sequence[bool]) -> None:
        if self._raw is not None:
            # Report number 0, then the report as in buzz_set_leds of Linux' drivers/hid/hid-sony.c.
            os.write(self._raw, bytes([0, 0, *(0xFF if each else 0 for each in lit), 0, 0]))
        else:
            self._device.write_leds(code for code, is_lit in zip(self._device.leds, lit, strict=True) if is_lit)


def _open_raw(device: InputDevice, system_folder: Path) -> int | None:
    """Open the raw HID device behind an input device; None if there is none, or it may not be written."""
    for node in sorted((system_folder / device.path.name / "device" / "device" / "hidraw").glob("hidraw*")):
        with suppress(OSError):
            return os.open(DEVICE_FOLDER / node.name, os.O_WRONLY | os.O_NONBLOCK)
    return None
