"""Timestamps on a machine whose wall clock jumps."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.journal.boot_notes import BootNotes
from companion.journal.entry import Timestamp
from companion.journal.timestamps import NOTE_SECONDS, STEP_SECONDS, TimestampClock

STAMP = Timestamp(wall=1000.0, monotonic=50.0, boot="now")


def test_a_timestamp_has_both_clocks_and_the_boot() -> None:
    clock = TimestampClock(lambda: 1000, lambda: 50, "now")
    assert clock.now() == STAMP
    assert TimestampClock(lambda: 1000, lambda: 50, "").now().boot == ""


def test_the_boot_is_the_kernels_unless_it_is_given() -> None:
    kernels = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    assert TimestampClock(lambda: 0.0, lambda: 0.0).now().boot == kernels


@pytest.mark.parametrize(
    ("wall", "stored"), [(-5.0, 0.0), (0.0, 0.0), (250e9, 250e9), (250e9 + 1, 250e9), (float("inf"), 250e9)]
)
def test_the_wall_clock_is_limited_to_what_can_be_stored(wall: float, stored: float) -> None:
    assert TimestampClock(lambda: wall, lambda: 0.0, "").now().wall == stored


@pytest.mark.parametrize(
    ("boot", "stamped_at", "wall_time"),
    [
        ("now", "now", 7970.0),  # 30 s ago by the clock that never jumps; the wall clock does not count
        ("now", "before", 1000.0),
        ("now", "", 1000.0),
        ("", "", 1000.0),
        ("", "before", 1000.0),
    ],
)
def test_times_of_this_boot_follow_the_wall_clock_as_it_is_set_now(
    boot: str, stamped_at: str, wall_time: float
) -> None:
    clock = TimestampClock(lambda: 8000.0, lambda: 80.0, boot)
    assert clock.to_wall_time(STAMP.model_copy(update={"boot": stamped_at})) == wall_time


@pytest.mark.parametrize(("jump", "is_noted"), [(STEP_SECONDS, True), (STEP_SECONDS * 0.99, False)])
@pytest.mark.parametrize("direction", [1, -1])
def test_the_jumps_that_move_a_timestamp_are_noted(tmp_path: Path, jump: float, is_noted: bool, direction: int) -> None:
    now = [8000.0, 50.0]
    notes = BootNotes(tmp_path / "journal")
    clock = TimestampClock(lambda: now[0], lambda: now[1], "now", notes)
    stamp = clock.now()
    clock.note_boot()
    before = notes.get("now")
    now[:] = [8000.0 + NOTE_SECONDS + jump * direction, 50.0 + NOTE_SECONDS]
    assert (clock.to_wall_time(stamp) != stamp.wall) is is_noted
    clock.note_boot()
    assert (notes.get("now") != before) is is_noted
