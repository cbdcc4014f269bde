"""When and how long a game was played: the one answer for the history, exports, films and all who are told.

Not the clocks of a running game: `companion/referee/clocks.py`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from itertools import pairwise

from companion.evening import get_evening
from companion.journal.database import GameRecord
from companion.journal.entry import EntryKind, JournalEntry, Timestamp
from companion.journal.timestamps import TimestampClock

CONTINUING_KINDS = frozenset({EntryKind.RESUMED, EntryKind.TRUNCATED, EntryKind.GAP_ACCEPTED})
"""Kinds of entries with which a game goes on: before them nobody was playing."""
MAX_PAUSE_SECONDS = 3600.0
"""Seconds between two entries from which on nobody was playing: such a pause is no part of the duration."""


@dataclass(frozen=True, slots=True)
class PlayTime:
    """When a game began and ended (Unix seconds), and for how many seconds it was played."""

    begun: float
    ended: float
    seconds: float


def compute_play_time(record: GameRecord, entries: Sequence[JournalEntry], clock: TimestampClock) -> PlayTime:
    """Return when and how long a game was played, from its begin to its last entry.

    Time in which it was set aside or the device was off is no part of `seconds`, nor is a pause of `MAX_PAUSE_SECONDS`
    or more.

    Args:
        record: the game.
        entries: its entries that count, in order: those of `Replay.history`.
        clock: the journal's.
    """
    stamps = [record.started, *(entry.stamp for entry in entries)]
    seconds = 0.0
    for (earlier, later), entry in zip(pairwise(stamps), entries, strict=True):
        pause = _measure_pause(earlier, later)
        if entry.what.kind not in CONTINUING_KINDS and 0 <= pause < MAX_PAUSE_SECONDS:
            seconds += pause
    return PlayTime(clock.to_wall_time(stamps[0]), clock.to_wall_time(stamps[-1]), seconds)


def _measure_pause(earlier: Timestamp, later: Timestamp) -> float:
    """Return the seconds between two entries; infinite: the device was off in between."""
    if earlier.boot != later.boot:
        return float("inf")
    # The wall clock may have been set in between; it counts only where the boot is unknown.
    return later.monotonic - earlier.monotonic if later.boot else later.wall - earlier.wall


def to_local_time(unix_seconds: float, zone: tzinfo | None) -> datetime:
    """Return Unix seconds as a datetime with its time zone.

    Args:
        unix_seconds: from the years 1970 to 9892, as in the journal's timestamps.
        zone: the time zone; None: the machine's local one.
    """
    return datetime.fromtimestamp(unix_seconds, tz=UTC).astimezone(zone)


def find_begin(record: GameRecord, clock: TimestampClock, zone: tzinfo | None) -> datetime | None:
    """Return when a game began, in local time; None: the machine did not know the date.

    Args:
        record: the game.
        clock: the journal's.
        zone: the time zone; None: the machine's local one.
    """
    if not clock.is_date_known(record.started):
        return None
    return to_local_time(clock.to_wall_time(record.started), zone)


def is_of_evening(stamp: Timestamp, now: float, clock: TimestampClock) -> bool:
    """Return whether a timestamp belongs to this evening, in local time; where a date is unknown: to this boot.

    Args:
        stamp: the timestamp.
        now: Unix seconds of the evening.
        clock: the journal's.
    """
    here = clock.now()
    if not (clock.is_date_known(stamp) and clock.is_date_known(here)):
        return stamp.boot == here.boot
    return get_evening(to_local_time(clock.to_wall_time(stamp), None)) == get_evening(to_local_time(now, None))
