"""Timestamps of journal entries, on a machine whose wall clock may be wrong and may jump: one answer to when it was.

Beginning and duration of a game as shown: `play_time.py`.
"""

import math
from collections.abc import Callable
from pathlib import Path

from companion.file_reader import read_kernel_file
from companion.journal.boot_notes import BootNote, BootNotes
from companion.journal.entry import EARLIEST_UNIX_SECONDS, LATEST_UNIX_SECONDS, Timestamp

EARLIEST_KNOWN_UNIX_SECONDS = 1_577_836_800.0
"""2020, before the first release: a clock that says less was never set."""
STEP_SECONDS = 1.0
"""A smaller jump of the wall clock is not noted; the network corrects smaller errors without a jump."""
NOTE_SECONDS = 5.0
"""Least time between two notes on a clock that jumps: one that never stops would wear the disk out."""
ASK_SECONDS = 5.0
"""Least time between two questions whether the machine knows the date by now, which reads files."""


class TimestampClock:
    """Makes timestamps from the wall clock, the boot clock and the identity of the boot, and tells when they were.

    >>> clock = TimestampClock(lambda: 1_764_000_060.0, lambda: 90.0, "b1")
    >>> clock.to_wall_time(Timestamp(wall=0.0, monotonic=30.0, boot="b1"))  # before the clock was set
    1764000000.0

    Args:
        wall: returns Unix seconds; it may jump.
        monotonic: returns seconds since the boot, those of a suspend included; it never jumps. Also an attribute.
        boot: identifies the boot; empty: unknown; None: as the kernel says, or unknown.
        notes: what was learnt about the wall clock in other boots; None: nothing, and nothing is noted.
        knows_date: whether the machine knows the date; asked again until it does.
    """

    def __init__(
        self,
        wall: Callable[[], float],
        monotonic: Callable[[], float],
        boot: str | None = None,
        notes: BootNotes | None = None,
        knows_date: Callable[[], bool] = lambda: True,
    ) -> None:
        self._wall, self.monotonic, self._notes, self._knows_date = wall, monotonic, notes, knows_date
        self._boot_id = _read_boot_id() if boot is None else boot
        self._is_known = False
        self._asked_at = self._noted_at = -math.inf

    def now(self) -> Timestamp:
        """Return the timestamp of this moment: wall clock (limited to 1970 to 9892), boot clock and boot."""
        return Timestamp(wall=_clamp(self._wall()), monotonic=float(self.monotonic()), boot=self._boot_id)

    def to_wall_time(self, stamp: Timestamp) -> float:
        """Return the timestamp as Unix seconds (1970 to 9892), by what is known now about the clock of its boot.

        A machine without a battery-backed clock starts with a past date until somebody or the network sets it. A
        timestamp of this boot is therefore converted by the wall clock as it is set now, one of an earlier boot by the
        last note on that, and one of an unknown boot is returned as stored.
        """
        note = self._get_note(stamp.boot)
        if self._boot_id and stamp.boot == self._boot_id:
            wall = self._wall() - self.monotonic() + stamp.monotonic
        elif note is not None:
            wall = note.offset + stamp.monotonic
        else:
            return stamp.wall
        # Without a jump the stored time is exact, and the same for ever.
        return stamp.wall if abs(wall - stamp.wall) < STEP_SECONDS else _clamp(wall)

    def is_date_known(self, stamp: Timestamp) -> bool:
        """Return whether the machine knew the date of this timestamp, then or later in the same boot."""
        note = self._get_note(stamp.boot)
        is_known = note.is_date_known if note else stamp.boot != self._boot_id or self._is_known_now()
        return is_known and self.to_wall_time(stamp) >= EARLIEST_KNOWN_UNIX_SECONDS

    def note_boot(self, *, is_new: bool = True) -> None:
        """Note the wall clock of this boot if it was set since the last note, or the date is known now; raises nothing.

        Args:
            is_new: also make the first note on this boot, because something was stamped in it.
        """
        old, now = self._get_note(self._boot_id), self.monotonic()
        if self._notes is None or not self._boot_id or (old is None and not is_new):
            return
        is_known = (old is not None and old.is_date_known) or self._is_known_now()
        note = BootNote(self._wall() - now, is_known)
        has_jumped = old is not None and abs(note.offset - old.offset) >= STEP_SECONDS
        is_due = has_jumped and now - self._noted_at >= NOTE_SECONDS
        if old is None or old.is_date_known != is_known or is_due:
            self._noted_at = now
            self._notes.write(self._boot_id, note)

    def confirm_date(self) -> None:
        """Note that somebody has set the date of the machine, or said that it is right."""
        self._is_known = True
        self.note_boot()

    def _is_known_now(self) -> bool:
        if not self._is_known and self.monotonic() - self._asked_at >= ASK_SECONDS:
            self._asked_at = self.monotonic()
            self._is_known = self._knows_date()
        return self._is_known

    def _get_note(self, boot: str) -> BootNote | None:
        return self._notes.get(boot) if self._notes is not None and boot else None


def _clamp(unix_seconds: float) -> float:
    """Limit Unix seconds to those that a timestamp may have."""
    return min(max(float(unix_seconds), EARLIEST_UNIX_SECONDS), LATEST_UNIX_SECONDS)


def _read_boot_id() -> str:
    """Return the kernel's random id of this boot of the machine; empty if it cannot be read."""
    try:
        return read_kernel_file(Path("/proc/sys/kernel/random/boot_id")).strip()
    except OSError:
        return ""
