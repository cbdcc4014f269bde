"""The frequency of the mains: of which country, and how a camera is told."""

from __future__ import annotations

import errno
import fcntl
import struct
from pathlib import Path
from typing import Any

import pytest

from hardware.cameras.mains import find_mains_hz, set_power_line_frequency

ZONES = """# a comment
DE\t+5230+01322\tEurope/Berlin
US\t+404251-0740023\tAmerica/New_York\tEastern
JP\t+353916+1394441\tAsia/Tokyo
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "usr/share/zoneinfo").mkdir(parents=True)
    (tmp_path / "usr/share/zoneinfo/zone.tab").write_text(ZONES)
    (tmp_path / "etc").mkdir()
    return tmp_path


@pytest.mark.parametrize(
    ("zone", "environ", "mains_hz"),
    [
        ("Europe/Berlin", {"LANG": "en_US.UTF-8"}, 50),
        ("America/New_York", {"LANG": "de_DE.UTF-8"}, 60),
        ("Europe/Berlin", {"TZ": "America/New_York"}, 60),
        ("Asia/Tokyo", {"LANG": "ja_JP.UTF-8"}, 0),
        ("Etc/UTC", {"LANG": "en_US.UTF-8"}, 60),
        ("Etc/UTC", {"LANG": "en_US.UTF-8", "LC_ALL": "it_IT"}, 50),
        ("Etc/UTC", {"LANG": "C.UTF-8"}, 0),
        ("", {}, 0),
    ],
)
def test_country_is_that_of_the_time_zone_or_the_locale(
    root: Path, zone: str, environ: dict[str, str], mains_hz: int
) -> None:
    if zone:
        (root / "etc/localtime").symlink_to(f"/usr/share/zoneinfo/{zone}")
    assert find_mains_hz(root, environ) == mains_hz


def test_camera_is_told_by_the_kernels_control(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers as a C compiler gives them for linux/videodev2.h."""
    calls: list[tuple[int, bytes]] = []
    monkeypatch.setattr(fcntl, "ioctl", lambda _file, request, argument: calls.append((request, argument)))
    device = tmp_path / "video0"
    device.touch()
    assert set_power_line_frequency(device, 50)
    assert set_power_line_frequency(device, 60)
    assert calls == [(0xC008561C, struct.pack("Ii", 0x980918, 1)), (0xC008561C, struct.pack("Ii", 0x980918, 2))]
    assert not set_power_line_frequency(device, 0)
    assert len(calls) == 2


def test_camera_without_the_control_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_arguments: Any) -> None:
        raise OSError(errno.EINVAL, "Invalid argument")

    monkeypatch.setattr(fcntl, "ioctl", refuse)
    (tmp_path / "video0").touch()
    assert not set_power_line_frequency(tmp_path / "video0", 50)
    assert not set_power_line_frequency(tmp_path / "video1", 50)
