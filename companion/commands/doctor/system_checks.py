"""What works on this machine and what does not: one check a function, each with the fix in one line.

A check that fails keeps the companion from running; one that warns names something that it can do without.
"""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

import cv2
import numpy as np
import pygame

import companion
from companion.config.settings import SettingsError, find_settings_file, load_settings
from hardware.cameras.sources import Clock

PACKAGE_FOLDER = Path(companion.__file__).parent
BYTES_PER_MB = 1_000_000
MIN_FREE_BYTES, LOW_FREE_BYTES = 10 * BYTES_PER_MB, 200 * BYTES_PER_MB
SLOW_WRITE_MS = 250.0
"""Milliseconds: above, a press is felt to lag behind."""
TEST_WRITES = 12
EARLIEST_YEAR = 2026
"""Of this program: a clock that shows an earlier one is wrong."""


class CheckMark(StrEnum):
    """How a check came out."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True, slots=True)
class Check:
    """What was looked at, how it is, what was found, and what to do about it."""

    name: str
    mark: CheckMark
    found: str
    fix: str = ""


def check_python(version: tuple[int, int] = sys.version_info[:2]) -> Check:
    """Whether this Python is one that the companion is made for."""
    found = f"{version[0]}.{version[1]}"
    if (3, 11) <= version <= (3, 13):
        return Check("Python", CheckMark.OK, found)
    return Check("Python", CheckMark.FAIL, found, "use Python 3.11, 3.12 or 3.13: remove .venv, then make run")


def check_settings(path: Path | None, environ: Mapping[str, str] = os.environ) -> Check:
    """Whether the settings that would be used can be."""
    try:
        load_settings(path, environ)
    except SettingsError as error:
        first, *rest = str(error).splitlines()
        return Check("settings", CheckMark.FAIL, first, rest[-1] if rest else "correct the file, or take it away")
    file = find_settings_file(path, environ)
    return Check("settings", CheckMark.OK, f"from {file}" if file else "the defaults, no file")


def find_display_driver() -> str:
    """The driver that SDL takes here.

    Raises:
        pygame.error: there is none.
    """
    pygame.display.init()
    try:
        return pygame.display.get_driver()
    finally:
        pygame.display.quit()


def check_display(
    find_driver: Callable[[], str] = find_display_driver, environ: Mapping[str, str] = os.environ
) -> Check:
    """Whether a window can be opened. SDL takes a driver that draws into nothing where it finds no screen."""
    asked = environ.get("SDL_VIDEODRIVER", "")
    fix = (
        "start it on a desktop; on a Pi's console a companion that runs, or a desktop, may hold the screen, and only "
        "the SDL of Debian's python3-pygame draws there"
    )
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        if environ.get(name):
            fix = f"{name}={environ[name]} does not answer: is that screen on, and may this user draw on it?"
    if asked:
        fix = f"SDL_VIDEODRIVER={asked} is set: unset it"
    try:
        name = find_driver()
    except pygame.error as error:
        return Check("display", CheckMark.WARN, f"no screen ({error})", fix)
    if name in {"offscreen", "dummy"}:
        return Check("display", CheckMark.WARN, f"no screen (SDL driver {name} draws into nothing)", fix)
    return Check("display", CheckMark.OK, f"SDL driver {name}")


REINSTALL_FIX = "the installation is not whole: remove .venv, then make run"


def check_fonts(folder: Path = PACKAGE_FOLDER / "display" / "fonts") -> Check:
    """Whether the fonts that come with the companion can be used."""
    files = sorted(folder.glob("*.ttf"))
    if not files:
        return Check("fonts", CheckMark.FAIL, f"none in {folder}", REINSTALL_FIX)
    pygame.font.init()
    for file in files:
        try:
            pygame.font.Font(file, 16).size("A8")
        except (pygame.error, OSError) as error:
            return Check("fonts", CheckMark.FAIL, f"{file.name}: {error}", REINSTALL_FIX)
    return Check("fonts", CheckMark.OK, ", ".join(file.stem for file in files))


def check_models(folder: Path = PACKAGE_FOLDER / "vision" / "models") -> Check:
    """Whether the networks that read dice and tokens can be loaded."""
    files = sorted(folder.glob("*.onnx"))
    if not files:
        return Check("vision", CheckMark.FAIL, f"no networks in {folder}", REINSTALL_FIX)
    for file in files:
        try:
            cv2.dnn.readNetFromONNX(np.frombuffer(file.read_bytes(), np.uint8))
        except (cv2.error, OSError):
            return Check("vision", CheckMark.FAIL, f"{file.name} does not load", REINSTALL_FIX)
    return Check("vision", CheckMark.OK, f"{', '.join(file.stem for file in files)}; OpenCV {cv2.__version__}")


def check_disk(
    folder: Path,
    measure_free_bytes: Callable[[Path], int] = lambda folder: shutil.disk_usage(folder).free,
    sync: Callable[[int], None] = os.fsync,
    clock: Clock = time.perf_counter,
) -> Check:
    """Whether the data folder has room, and how long until something written there is safe."""
    name = "data folder"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        room = measure_free_bytes(folder)
        with tempfile.TemporaryFile(dir=folder) as file:
            took = []
            for _ in range(TEST_WRITES):
                start = clock()
                file.write(bytes(4096))
                file.flush()
                sync(file.fileno())
                took.append((clock() - start) * 1000)
    except OSError as error:
        fix = (
            "make room there"
            if error.errno == errno.ENOSPC
            else "make it yours and writable, or name another with --data"
        )
        return Check(name, CheckMark.FAIL, f"{folder}: {error.strerror or error}", fix)
    median = statistics.median(took)
    found = f"{folder}: {room / BYTES_PER_MB:.0f} MB free, a write is safe after {median:.1f} ms"
    if room < MIN_FREE_BYTES:
        return Check(name, CheckMark.FAIL, found, "the disk is full: make room there")
    if room < LOW_FREE_BYTES:
        return Check(name, CheckMark.WARN, found, "make room there before the disk is full")
    if median > SLOW_WRITE_MS:
        return Check(name, CheckMark.WARN, found, "the disk is slow: perhaps the SD card is worn; try another")
    return Check(name, CheckMark.OK, found)


def check_journal(file: Path) -> Check:
    """Whether the journal can be read. It is looked at only: mending is for the start of a game."""
    try:
        if not file.exists():
            return Check("journal", CheckMark.OK, "none yet, the first game begins it")
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
            (sittings,) = connection.execute("SELECT count(*) FROM sittings").fetchone()
    except (OSError, sqlite3.OperationalError) as error:
        return Check("journal", CheckMark.FAIL, f"{file}: {error}", "make the file and its folder yours and readable")
    except sqlite3.DatabaseError as error:
        verdict, sittings = str(error), 0
    if verdict != "ok":
        fix = "start the companion: it puts the file aside and keeps what can be read"
        return Check("journal", CheckMark.WARN, f"{file} is damaged ({verdict})", fix)
    return Check("journal", CheckMark.OK, f"{file}: {sittings} sitting{'s' * (sittings != 1)}")


def read_ntp_state() -> str:
    """ "yes" or "no", as systemd says whether the time came from the network; empty where it says nothing."""
    command = ["timedatectl", "show", "--property=NTPSynchronized", "--value"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=5).stdout.strip()
    except (OSError, subprocess.TimeoutExpired):
        return ""


def check_clocks(
    monotonic: Clock = time.monotonic, wall: Callable[[], float] = time.time, ntp: Callable[[], str] = read_ntp_state
) -> Check:
    """Whether time goes forward, and the date is not that of a Pi which has just been switched on."""
    if sorted(stamps := [monotonic() for _ in range(100)]) != stamps:
        return Check("clock", CheckMark.FAIL, "the monotonic clock goes backwards", "restart the machine")
    today = datetime.fromtimestamp(wall(), UTC)
    if today.year < EARLIEST_YEAR:
        return Check(
            "clock", CheckMark.WARN, f"the date is {today:%Y-%m-%d}", "connect to a network once, or: sudo date -s"
        )
    if ntp() == "no":
        fix = "only the dates in the history depend on it: connect to a network once"
        return Check("clock", CheckMark.WARN, f"{today:%Y-%m-%d %H:%M} UTC, not set from the network", fix)
    return Check("clock", CheckMark.OK, f"{today:%Y-%m-%d %H:%M} UTC")
