"""Whether the machine knows the date."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from companion.system.system_clock import is_clock_set

MONDAY = datetime(2026, 11, 23, 20, 0, tzinfo=UTC).timestamp()


@pytest.mark.parametrize(
    ("synchronized", "rtc", "is_set"),
    [
        (False, {}, False),
        (True, {}, True),
        (False, {"rtc0": str(int(MONDAY - 7200))}, True),
        (False, {"rtc0": "35"}, False),  # a Raspberry Pi 5 without a battery
        (False, {"rtc0": "none", "rtc1": str(int(MONDAY))}, True),
    ],
)
def test_the_network_or_a_battery_backed_clock_know_the_date(
    tmp_path: Path, synchronized: bool, rtc: dict[str, str], is_set: bool
) -> None:
    if synchronized:
        (tmp_path / "synchronized").touch()
    for name, text in rtc.items():
        (tmp_path / "rtc" / name).mkdir(parents=True)
        (tmp_path / "rtc" / name / "since_epoch").write_text(text, encoding="ascii")
    assert is_clock_set(MONDAY, tmp_path / "synchronized", tmp_path / "rtc") is is_set


def test_a_battery_backed_clock_that_is_wrong_does_not_know_the_date(tmp_path: Path) -> None:
    """One whose battery is empty begins at the same date at each start, and the wall clock is set by it."""
    wrong = datetime(2016, 11, 3, 17, 18, tzinfo=UTC).timestamp()
    (tmp_path / "rtc" / "rtc0").mkdir(parents=True)
    (tmp_path / "rtc" / "rtc0" / "since_epoch").write_text(str(int(wrong)), encoding="ascii")
    assert not is_clock_set(wrong, tmp_path / "synchronized", tmp_path / "rtc")
