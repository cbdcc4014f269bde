"""Checks of the program's needs on this machine: each function returns what it found, with the remedy in one line.

If a check fails the companion cannot run; if it warns, something is missing that the companion can do without.
"""

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
from datetime import UTC, datetime
from pathlib import Path

import cv2
import numpy as np
import pygame

import companion
from companion.api import registry
from companion.app.stored_data import StoredData
from companion.app.table_identity import TableIdentity
from companion.commands.doctor.check import Check, CheckMark
from companion.config.settings_file import SettingsError, find_settings_file, load_settings
from companion.config.taught_buttons import TaughtButtons
from companion.config.taught_dice_store import TaughtDice
from companion.display.sound.speech import SPEECH_PROGRAM
from companion.journal.renamed_players import PlayerNames
from companion.lobby import HouseRules, Preferences
from companion.os_compat import sync_file
from hardware.cameras.live_camera import Clock
from hardware.console_screen import silence_wayland
from hardware.power import find_voltage_alarm, is_voltage_low

PACKAGE_FOLDER = Path(companion.__file__).parent
BYTES_PER_MB = 1_000_000
MIN_FREE_BYTES = 10 * BYTES_PER_MB
"""Free space below which the companion cannot run."""
LOW_FREE_BYTES = 200 * BYTES_PER_MB
"""Free space below which a warning is given."""
SLOW_WRITE_MS = 250.0
"""Median time of a synced write above which a warning is given, since a press then seems to lag."""
TEST_WRITES = 12
"""Number of synced writes that are timed."""
COMMAND_TIMEOUT_SECONDS = 10
"""Longest time to wait for another program's output; then the checks and the report go on without it."""
EARLIEST_YEAR = 2026
"""Year of the program's first version: a clock that shows an earlier one is wrong."""


def check_python(version: tuple[int, int] = sys.version_info[:2]) -> Check:
    """Check that a version of Python is supported.

    Args:
        version: major and minor number.
    """
    found = f"{version[0]}.{version[1]}"
    if (3, 11) <= version <= (3, 14):
        return Check("Python", CheckMark.OK, found)
    return Check("Python", CheckMark.FAIL, found, "use Python 3.11 to 3.13: remove .venv, then make run")


def check_settings(path: Path | None, environ: Mapping[str, str] = os.environ) -> Check:
    """Check that the settings file can be used: warn if a part of it cannot. That there is none is right too.

    Args:
        path: the file named on the command line; None: none was named.
        environ: the environment, in which $COMPANION_SETTINGS may name a file.

    Raises:
        Exception: an error while a game with a section in the file is loaded is passed on, such as ImportError.
    """
    try:
        problems = load_settings(path, environ).problems
    except SettingsError as error:
        return Check("settings", CheckMark.FAIL, str(error), "correct the file, or remove it")
    if problems:
        return Check("settings", CheckMark.WARN, "; ".join(problems), "correct that: until then it has its default")
    file = find_settings_file(path, environ)
    return Check("settings", CheckMark.OK, f"from {file}" if file else "the defaults, no file")


def find_display_driver() -> str:
    """Return the name of the video driver that SDL chooses, such as "x11". pygame's display is closed afterwards.

    Raises:
        pygame.error: there is none.
    """
    with silence_wayland():
        pygame.display.init()
    try:
        return pygame.display.get_driver()
    finally:
        pygame.display.quit()


def check_display(
    find_driver: Callable[[], str] = find_display_driver, environ: Mapping[str, str] = os.environ
) -> Check:
    """Check that a window can be opened: warn if SDL finds no screen or chooses a driver that draws nowhere.

    Args:
        find_driver: returns the name of the video driver that SDL chooses, or raises pygame.error.
        environ: the environment, in which $SDL_VIDEODRIVER, $DISPLAY and $WAYLAND_DISPLAY choose the remedy.
    """
    asked = environ.get("SDL_VIDEODRIVER", "")
    fix = (
        "start it on a desktop; on a Pi's console a running companion or a desktop may use the screen, and only "
        "Debian's python3-pygame or pygame-ce can draw there"
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
        return Check("display", CheckMark.WARN, f"no screen (SDL driver {name} draws nowhere)", fix)
    return Check("display", CheckMark.OK, f"SDL driver {name}")


REINSTALL_FIX = "the installation is incomplete: install the companion again"


def check_fonts(folder: Path = PACKAGE_FOLDER / "display" / "fonts") -> Check:
    """Check that the companion's fonts, the files in `folder`, can be loaded."""
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
    """Check that the neural networks that read dice and tokens, the ONNX files in `folder`, can be loaded."""
    files = sorted(folder.glob("*.onnx"))
    if not files:
        return Check("vision", CheckMark.FAIL, f"no networks in {folder}", REINSTALL_FIX)
    for file in files:
        try:
            cv2.dnn.readNetFromONNX(np.frombuffer(file.read_bytes(), np.uint8))
        except (cv2.error, OSError):
            return Check("vision", CheckMark.FAIL, f"{file.name} does not load", REINSTALL_FIX)
    return Check("vision", CheckMark.OK, f"{', '.join(file.stem for file in files)}; OpenCV {cv2.__version__}")


SPEECH_FIXES = {
    "darwin": f"brew install {SPEECH_PROGRAM}",
    "win32": f"install {SPEECH_PROGRAM} (github.com/espeak-ng), and add its folder to PATH",
}
"""By `sys.platform`; elsewhere a package of the system has it."""


def check_speech(find_program: Callable[[str], str | None] = shutil.which, platform: str = sys.platform) -> Check:
    """Check that the companion can speak.

    Args:
        find_program: returns the path of a program; None: it is not installed.
        platform: of this machine, as `sys.platform`.
    """
    if find_program(SPEECH_PROGRAM) is None:
        found = f"{SPEECH_PROGRAM} is missing: nothing is spoken, all is shown"
        return Check("speech", CheckMark.WARN, found, SPEECH_FIXES.get(platform, f"sudo apt install {SPEECH_PROGRAM}"))
    return Check("speech", CheckMark.OK, f"{SPEECH_PROGRAM}, unless the settings switch speech off")


def check_games() -> Check:
    """Check that all games can be loaded: those of other distributions and of files too."""
    count, problems = len(registry.list_game_names()), registry.list_load_problems()
    if problems:
        found = "; ".join(f"{name} is left out: {str(error) or repr(error)}" for name, error in problems.items())
        fix = "correct the file of the game, or install a version of the game for this companion"
        return Check("games", CheckMark.WARN, found.replace("\n", " "), fix)
    return Check("games", CheckMark.OK, f"all {count} can be played")


def check_disk(
    folder: Path,
    measure_free_bytes: Callable[[Path], int] = lambda folder: shutil.disk_usage(folder).free,
    sync: Callable[[int], None] = sync_file,
    clock: Clock = time.perf_counter,
) -> Check:
    """Check that the data folder has room, and measure how long a synced write takes there (TEST_WRITES of 4 kB).

    Args:
        folder: the data folder; it is created if necessary.
        measure_free_bytes: returns the free space of a folder's disk, in bytes.
        sync: syncs an open file, given by its descriptor, to the disk.
        clock: returns seconds.

    Returns:
        The check "data folder": FAIL if it cannot be written or has less than MIN_FREE_BYTES, WARN below LOW_FREE_BYTES
        or if the median time is above SLOW_WRITE_MS, else OK.
    """
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
            else "make it writable for this user, or name another with --data"
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
    """Check that the journal `file` can be read; that there is none yet is right too.

    It is not changed: a damaged one is repaired at the start of a game.
    """
    try:
        if not file.exists():
            return Check("journal", CheckMark.OK, "none yet, the first game creates it")
        if not file.is_file():
            fix = "start the companion: it sets it aside and begins a new journal"
            return Check("journal", CheckMark.WARN, f"{file} is not a plain file", fix)
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
            (games,) = connection.execute("SELECT count(*) FROM sittings").fetchone()
    except (OSError, sqlite3.OperationalError) as error:
        return Check(
            "journal", CheckMark.FAIL, f"{file}: {error}", "make the file and its folder readable for this user"
        )
    except sqlite3.DatabaseError as error:
        verdict, games = str(error), 0
    if verdict != "ok":
        fix = "start the companion: it sets the file aside and keeps what can be read"
        return Check("journal", CheckMark.WARN, f"{file} is damaged ({verdict})", fix)
    return Check("journal", CheckMark.OK, f"{file}: {games} game{'s' * (games != 1)}")


def check_choices(folder: Path) -> Check:
    """Check that what people set and taught can be read: the files beside the journal.

    Args:
        folder: the data folder; it need not exist.
    """
    table, preferences = TableIdentity(folder, can_make=False), Preferences(folder=folder)
    rules, names = HouseRules(folder=folder), PlayerNames(folder)
    data = StoredData(TaughtButtons(folder), TaughtDice(folder), rules, names, table, preferences)
    if found := "; ".join(data.list_problems()):
        return Check("choices", CheckMark.WARN, found, "set or teach that again, or restore a backup")
    return Check("choices", CheckMark.OK, "all that was set and taught can be used")


def run_program(*command: str) -> str:
    """Run a program and return what it prints on stdout, without spaces and line breaks at both ends. Never raises.

    Args:
        command: the program and its arguments; no shell is used.

    Returns:
        The output, also of a program that fails; empty if it is missing or runs longer than COMMAND_TIMEOUT_SECONDS.
    """
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=False,
            timeout=COMMAND_TIMEOUT_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip()


LOW_VOLTAGE_BITS = {0: "now", 16: "since it was switched on"}
"""Bits of `vcgencmd get_throttled` for too little voltage."""
HEAT_BITS = {3: "now", 19: "since it was switched on"}
"""Bits of the same for a processor that slows down because it is hot."""


def check_power(
    run_command: Callable[..., str] = run_program, find_alarm: Callable[[], Path | None] = find_voltage_alarm
) -> Check:
    """Check that a Raspberry Pi gets enough voltage and stays cool: ask the firmware, or without it the kernel.

    Args:
        run_command: runs a program and returns what it prints; "" if there is none.
        find_alarm: returns the kernel's file of the voltage alarm; None: there is none.
    """
    printed, alarm = run_command("vcgencmd", "get_throttled"), find_alarm()
    try:
        bits = int(printed.partition("=")[2], 16)
    except ValueError:
        if alarm is None:
            return Check("power", CheckMark.OK, "no Raspberry Pi that measures it")
        bits = int(is_voltage_low(alarm))
    low = [when for bit, when in LOW_VOLTAGE_BITS.items() if bits >> bit & 1]
    hot = [when for bit, when in HEAT_BITS.items() if bits >> bit & 1]
    if low:
        fix = "use the Pi's own power supply (3 A for a Pi 4, 5 A for a Pi 5) and a short cable, no hub"
        return Check("power", CheckMark.WARN, f"too little voltage {' and '.join(low)}", fix)
    if hot:
        return Check("power", CheckMark.WARN, f"too hot {' and '.join(hot)}", "let air to it, or give it a cooler")
    return Check("power", CheckMark.OK, "enough voltage")


def read_ntp_state() -> str:
    """Return systemd's answer whether the clock is set from the network, "yes" or "no"; empty if it is unknown."""
    return run_program("timedatectl", "show", "--property=NTPSynchronized", "--value")


def check_clocks(
    monotonic: Clock = time.monotonic, wall: Callable[[], float] = time.time, ntp: Callable[[], str] = read_ntp_state
) -> Check:
    """Check that time goes forward, and that the date is not that of a Pi whose clock was never set.

    Args:
        monotonic: returns seconds on the monotonic clock.
        wall: returns Unix seconds.
        ntp: returns whether the clock is set from the network: "yes", "no", or empty if it is unknown.
    """
    if sorted(stamps := [monotonic() for _ in range(100)]) != stamps:
        return Check("clock", CheckMark.FAIL, "the monotonic clock goes backwards", "restart the machine")
    today = datetime.fromtimestamp(wall(), UTC)
    if today.year < EARLIEST_YEAR:
        return Check(
            "clock",
            CheckMark.WARN,
            f"the date is {today:%Y-%m-%d}",
            "connect to a network once, or set it under Settings",
        )
    if ntp() == "no":
        fix = "only the dates in the history depend on it: connect to a network once, or set it under Settings"
        return Check("clock", CheckMark.WARN, f"{today:%Y-%m-%d %H:%M} UTC, not set from the network", fix)
    return Check("clock", CheckMark.OK, f"{today:%Y-%m-%d %H:%M} UTC")
