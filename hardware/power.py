"""Watch whether a Raspberry Pi gets enough voltage: a weak supply loses cameras and boxes, and damages SD cards.

Switching the device off: `companion.system.appliance`.
"""

from collections.abc import Callable
from pathlib import Path

from companion.events import DeviceLost, DeviceRestored, Event
from companion.file_reader import read_kernel_file
from companion.lazy_message import LazyMessage

POWER_NAME = "power supply"
"""Name of the supply in `DeviceLost` and `DeviceRestored`."""

CHECK_SECONDS = 2.0
"""Time between two checks; the kernel asks the firmware every two seconds."""

SHOWN_SECONDS = 300.0
"""Time after the last dip for which the supply is reported as weak. A larger value is seen by more people."""

HWMON = Path("/sys/class/hwmon")
"""Folder of the kernel's sensors."""


def find_voltage_alarm(folder: Path = HWMON) -> Path | None:
    """Return the kernel's file that says "1" if the voltage was too low in the last seconds; None: it has none."""
    for name in sorted(folder.glob("hwmon*/name")):
        try:
            is_supply = read_kernel_file(name).strip() == "rpi_volt"
        except OSError:
            continue
        if is_supply:
            return name.with_name("in0_lcrit_alarm")
    return None


def is_voltage_low(alarm: Path | None) -> bool:
    """Return whether the kernel's file says so; False if it cannot be read."""
    try:
        return alarm is not None and read_kernel_file(alarm).strip() == "1"
    except OSError:
        return False


class PowerMonitor:
    """Reports a weak supply as events: lost at a dip, restored if there was none for `SHOWN_SECONDS` (5 minutes).

    >>> PowerMonitor(lambda: 5.0, Path("/nowhere")).poll()
    []

    Args:
        clock: the host's monotonic clock, in seconds.
        folder: of the kernel's sensors.
    """

    def __init__(self, clock: Callable[[], float], folder: Path = HWMON) -> None:
        self._clock, self._alarm = clock, find_voltage_alarm(folder)
        self._next_check_at = self._low_at = clock()
        self._is_reported = False

    def poll(self) -> list[Event]:
        """Check the voltage if that is due, and return the event if its state has changed; raises nothing."""
        now = self._clock()
        if self._alarm is None or now < self._next_check_at:
            return []
        self._next_check_at = now + CHECK_SECONDS
        if is_voltage_low(self._alarm):
            self._low_at = now
            if not self._is_reported:
                self._is_reported = True
                text = LazyMessage("The power supply is too weak: use the Pi's own, with a short cable")
                return [DeviceLost(POWER_NAME, now, text)]
        elif self._is_reported and now - self._low_at >= SHOWN_SECONDS:
            self._is_reported = False
            return [DeviceRestored(POWER_NAME, now)]
        return []
