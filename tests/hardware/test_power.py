"""A supply that is too weak, with the kernel's sensor files."""

from __future__ import annotations

from pathlib import Path

from companion.events import DeviceLost, DeviceRestored
from companion.testing.table import ManualClock
from hardware.power import CHECK_SECONDS, POWER_NAME, SHOWN_SECONDS, PowerMonitor


def make_sensor(folder: Path, number: int, name: str) -> Path:
    sensor = folder / f"hwmon{number}"
    sensor.mkdir()
    (sensor / "name").write_text(f"{name}\n")
    alarm = sensor / "in0_lcrit_alarm"
    alarm.write_text("0\n")
    return alarm


def test_a_dip_is_reported_once_and_for_five_minutes(tmp_path: Path, clock: ManualClock) -> None:
    make_sensor(tmp_path, 0, "cpu_thermal").write_text("1\n")
    alarm, started_at = make_sensor(tmp_path, 1, "rpi_volt"), clock.now
    monitor = PowerMonitor(clock, tmp_path)
    assert monitor.poll() == []
    alarm.write_text("1\n")
    assert monitor.poll() == [], "it asks every two seconds"
    clock.now += CHECK_SECONDS
    (lost,) = monitor.poll()
    assert isinstance(lost, DeviceLost)
    assert (lost.name, lost.at) == (POWER_NAME, started_at + CHECK_SECONDS)
    assert lost.message.startswith("The power supply is too weak")
    clock.now += SHOWN_SECONDS
    assert monitor.poll() == []
    alarm.write_text("0\n")
    clock.now += SHOWN_SECONDS - CHECK_SECONDS
    assert monitor.poll() == []
    clock.now += CHECK_SECONDS
    assert monitor.poll() == [DeviceRestored(POWER_NAME, clock.now)]
    clock.now += CHECK_SECONDS
    assert monitor.poll() == []


def test_a_machine_without_the_sensor_reports_nothing(tmp_path: Path, clock: ManualClock) -> None:
    monitor = PowerMonitor(clock, tmp_path / "nothing")
    assert monitor.poll() == []
    alarm = make_sensor(tmp_path, 1, "rpi_volt")
    monitor = PowerMonitor(clock, tmp_path)
    alarm.unlink()
    assert monitor.poll() == []
