"""Timestamps of journal entries, on a machine whose wall clock may be wrong and may jump."""

from collections.abc import Callable
from pathlib import Path

from companion.file_reader import read_kernel_file
from companion.journal.entry import EARLIEST_UNIX_SECONDS, LATEST_UNIX_SECONDS, Timestamp


class TimestampClock:
    """Makes timestamps from the wall clock, the monotonic clock and the identity of the boot.

    Args:
        wall: returns Unix seconds; it may jump.
        monotonic: returns seconds since some fixed point of the boot; it never jumps. Also an attribute.
        boot: identifies the boot; empty: unknown; None: as the kernel says, or unknown.
    """

    def __init__(self, wall: Callable[[], float], monotonic: Callable[[], float], boot: str | None = None) -> None:
        self._wall, self.monotonic = wall, monotonic
        self._boot_id = _read_boot_id() if boot is None else boot

    def now(self) -> Timestamp:
        """Return the timestamp of this moment: wall clock (limited to 1970 to 9892), monotonic clock and boot."""
        return Timestamp(wall=_clamp(self._wall()), monotonic=float(self.monotonic()), boot=self._boot_id)

    def to_wall_time(self, stamp: Timestamp) -> float:
        """Return the timestamp as Unix seconds (1970 to 9892) by the wall clock as it is set now.

        A Pi without a battery-backed clock starts with a past date until the network sets it. A timestamp of this
        boot is therefore converted by the monotonic clock; one of another or an unknown boot is returned as stored.
        """
        if not self._boot_id or stamp.boot != self._boot_id:
            return stamp.wall
        return _clamp(self._wall() - (self.monotonic() - stamp.monotonic))


def _clamp(unix_seconds: float) -> float:
    """Limit Unix seconds to those that a timestamp may have."""
    return min(max(float(unix_seconds), EARLIEST_UNIX_SECONDS), LATEST_UNIX_SECONDS)


def _read_boot_id() -> str:
    """Return the kernel's random id of this boot of the machine; empty if it cannot be read."""
    try:
        return read_kernel_file(Path("/proc/sys/kernel/random/boot_id")).strip()
    except OSError:
        return ""
