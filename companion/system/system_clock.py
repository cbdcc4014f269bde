"""The machine's clocks: the time since its boot, and whether its wall clock was ever set."""

import sys
import time
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from companion.file_reader import read_kernel_file

SYNCHRONIZED_FILE = Path("/run/systemd/timesync/synchronized")
"""systemd-timesyncd makes it when the network has set the clock."""
RTC_FOLDER = Path("/sys/class/rtc")
"""The kernel's battery-backed clocks, a folder each."""
EARLIEST_WALL = datetime(2026, 11, 1, tzinfo=UTC).timestamp()
"""Unix seconds before which a wall clock is wrong: this version was made later."""
MAX_RTC_ERROR_SECONDS = 86_400.0
"""Largest difference between a battery-backed clock that runs and the wall clock: it may be in local time. One without
a battery (Raspberry Pi 5) starts in 1970."""


def read_boot_time() -> float:
    """Return the seconds since the boot, those in which the machine was suspended included."""
    if sys.platform == "linux":
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    if sys.platform == "darwin":
        return time.clock_gettime(time.CLOCK_MONOTONIC)  # goes on in a suspend, unlike `time.monotonic` there
    return time.monotonic()


def is_clock_set(wall: float, synchronized_file: Path = SYNCHRONIZED_FILE, rtc_folder: Path = RTC_FOLDER) -> bool:
    """Return whether the network or a battery-backed clock has set the wall clock; raises nothing.

    Without either, a Raspberry Pi goes on where it was switched off.

    Args:
        wall: Unix seconds by the wall clock.
        synchronized_file: exists if the network has set the clock.
        rtc_folder: has a folder for each battery-backed clock, with its time in the file `since_epoch`.
    """
    with suppress(OSError):
        if synchronized_file.exists():
            return True
        if wall < EARLIEST_WALL:
            return False
        for file in rtc_folder.glob("*/since_epoch"):
            with suppress(OSError, ValueError):
                if abs(int(read_kernel_file(file)) - wall) <= MAX_RTC_ERROR_SECONDS:
                    return True
    return False
