"""Find the frequency of the mains, at which lamps flicker, and tell it to a USB camera, so that it shows no bands."""

import logging
import os
import struct
import sys
from collections.abc import Mapping
from pathlib import Path

from companion.file_reader import read_file

if sys.platform != "win32":
    import fcntl

log = logging.getLogger(__name__)

COUNTRIES_WITH_60_HZ = (
    "AG AI AS AW BM BR BS BZ CA CO CR CU DO EC FM GT GU GY HN HT KN KR KY LR MH MP MS MX NI PA PE PH PR PW SA SR SV TC "
    "TT TW UM US VE VG VI"
)
"""ISO 3166 codes; all others have 50 Hz (IEC, "World Plugs")."""

COUNTRIES_WITH_BOTH = "JP"
"""There the settings must say it."""

_SET_CONTROL = 0xC008561C
"""Linux: VIDIOC_S_CTRL."""

_POWER_LINE_FREQUENCY = 0x00980918
"""Linux: V4L2_CID_POWER_LINE_FREQUENCY."""

_MAX_ZONE_BYTES = 1 << 20
"""Largest list of time zones that is read; it has 20 KB."""

_MENU = {50: 1, 60: 2}
"""Its values: V4L2_CID_POWER_LINE_FREQUENCY_50HZ and _60HZ."""


def find_mains_hz(root: Path = Path("/"), environ: Mapping[str, str] = os.environ) -> int:
    """Return the frequency of the mains where this machine stands, 50 or 60; 0: unknown, or a country has both.

    The country is that of the time zone, else that of the locale.

    >>> find_mains_hz(Path("/nowhere"), {"LANG": "en_US.UTF-8"})
    60

    Args:
        root: of the file system with /etc/localtime and /usr/share/zoneinfo.
        environ: has $TZ, $LC_ALL and $LANG, if they are set.
    """
    country = _find_country_by_zone(root, environ.get("TZ", "")) or _find_country_by_locale(environ)
    if not country or country in COUNTRIES_WITH_BOTH.split():
        return 0
    return 60 if country in COUNTRIES_WITH_60_HZ.split() else 50


def set_power_line_frequency(device: Path, mains_hz: int) -> bool:
    """Tell a V4L2 camera the frequency of the mains, and return whether it took it; raises nothing.

    OpenCV has no name for this control. V4L2 lets a second program set it while the device is open.

    Args:
        device: as in /dev/video0.
        mains_hz: 50 or 60; at any other value nothing is done.
    """
    if mains_hz not in _MENU:
        return False
    try:
        opened = os.open(device, os.O_RDWR | os.O_NONBLOCK)
        try:
            fcntl.ioctl(opened, _SET_CONTROL, struct.pack("Ii", _POWER_LINE_FREQUENCY, _MENU[mains_hz]))
        finally:
            os.close(opened)
    except OSError as error:  # most often EINVAL: it has no such control
        log.debug("%s: no mains frequency: %s", device, error)
        return False
    return True


def _find_country_by_zone(root: Path, zone: str) -> str:
    """Return the ISO 3166 code of the machine's time zone, "" if it has none (UTC) or is unknown."""
    folder = root / "usr/share/zoneinfo"
    try:
        if not zone:
            zone = str((root / "etc/localtime").readlink()).partition("zoneinfo/")[2]
        lines = read_file(folder / "zone.tab", _MAX_ZONE_BYTES).decode("utf-8", "replace").splitlines()
    except OSError:
        return ""
    rows = (line.split("\t") for line in lines if not line.startswith("#"))
    return next((row[0] for row in rows if len(row) > 2 and row[2] == zone), "")


def _find_country_by_locale(environ: Mapping[str, str]) -> str:
    """Return the territory of the locale: "DE" of "de_DE.UTF-8"; "" if it has none."""
    name = environ.get("LC_ALL") or environ.get("LANG") or ""
    return name.partition(".")[0].partition("_")[2][:2]
