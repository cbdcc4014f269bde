"""The file for a bug report: versions, hardware, checks, settings and the end of the log, without private data."""

import os
import platform
import shutil
import sqlite3
import sys
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import cv2
import pygame

from companion import __version__
from companion.api import registry
from companion.commands import CommandError
from companion.commands.doctor import redaction
from companion.commands.doctor.camera_checks import PICTURE_FILE
from companion.commands.doctor.check import Check, format_checks
from companion.commands.doctor.system_checks import run_program
from companion.config.settings import Settings
from companion.config.settings_text import format_house_rules, format_toml
from companion.file_reader import read_file, read_kernel_file
from companion.journal.database import JOURNAL_FILE, Journal
from companion.journal.entry import GameSetup, InvalidSavedGame, JournalError
from companion.journal.known_players import all_shape_names
from companion.journal.renamed_players import PlayerNames
from companion.journal.seating import read_seating
from companion.system.atomic_file import open_atomic, write_atomic
from companion.vision.frames.image_io import MAX_IMAGE_FILE_BYTES

PACKAGES = (
    *("numpy", "opencv-python", "opencv-python-headless", "opencv", "pygame", "pygame-ce"),
    *("pydantic", "pydantic-core", "platformdirs", "gpiozero", "lgpio", "pyserial", "picamera2"),
)
LOG_LINES = 300
"""Number of lines from the end of the log."""
SERVICE_UNIT = "companion.service"


def write_report(file: Path, checks: Sequence[Check], settings: Settings, folder: Path, *, with_picture: bool) -> bool:
    """Write the report to a new file: a text, or a ZIP archive if its name ends in .zip or it has a picture.

    Args:
        file: the new file, readable by its owner only.
        checks: results of all checks.
        settings: the settings in force.
        folder: the data folder, with the journal and the picture of the camera check.
        with_picture: include that picture, if there is one.

    Returns:
        Whether the picture is in it.

    Raises:
        CommandError: `file` exists already and is unchanged, or cannot be written or the picture cannot be read, and it
            is not there. Status 1.
        OSError: the data folder cannot be examined; nothing was written.
        RuntimeError: the user has no home folder; nothing was written.
    """
    hide = redaction.make_local_redactor(list_player_names(folder))
    # Versions are not redacted: one of four numbers looks like an address.
    text = "\n".join([*list_versions(), hide("\n".join(build_report(checks, settings, folder)))]) + "\n"
    if os.path.lexists(file):
        raise CommandError(f"{file} is there already and stays as it is: name another.")
    try:
        if not with_picture and file.suffix != ".zip":
            write_atomic(file, text.encode())
            return False
        with open_atomic(file) as raw, zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("report.txt", text)
            picture = folder / PICTURE_FILE
            # An earlier one stays there when the camera gives none.
            is_new = any(str(picture.absolute()) in check.found for check in checks)
            has_picture = with_picture and is_new and picture.is_file()
            if has_picture:
                archive.writestr("camera.jpg", read_file(picture, MAX_IMAGE_FILE_BYTES))
    except OSError as error:
        raise CommandError(f"{file} cannot be written: {error.strerror or error}.") from error
    return has_picture


def list_player_names(folder: Path) -> list[str]:
    """Return the names of all players but those that the companion itself gives to seats, sorted.

    Args:
        folder: the data folder; without a journal in it, or if that cannot be read, only other names of players are
            found. A damaged journal is repaired.

    Raises:
        OSError: the folder cannot be examined.
    """
    names = PlayerNames(folder).list_all()
    if (folder / JOURNAL_FILE).exists():
        with suppress(JournalError), Journal(folder / JOURNAL_FILE, allow_read_only=True) as journal:
            for record in journal.list_games():
                with suppress(InvalidSavedGame):
                    names.update(GameSetup.from_json(record.setup_json).players)
                    names.update(read_seating(journal, record).players)  # who joined, or was renamed at the table
    return sorted(names - set(all_shape_names()))


def build_report(checks: Sequence[Check], settings: Settings, folder: Path) -> Iterator[str]:
    """Yield the lines of the report after the versions, private data included: pass them through a `Redactor`.

    Args:
        checks: results of all checks, at least one.
        settings: the settings in force.
        folder: the data folder, which need not exist.

    Raises:
        OSError: the data folder cannot be examined.
        ValueError: `checks` is empty.
    """
    for title, lines in (
        ("Machine", describe_machine()),
        ("Devices", list_devices()),
        ("Checks", format_checks(checks)),
        ("Settings", format_settings(settings)),
        ("Data folder", list_data_files(folder)),
        ("Service", describe_service()),
        (f"Log, the last {LOG_LINES} lines", read_service_log()),
    ):
        yield from ("", f"== {title}", *lines)


def list_versions() -> Iterator[str]:
    """Yield the versions of the companion and of the packages that it uses."""
    yield f"Companion {__version__}, report"
    venv = "in a virtual environment" if sys.prefix != sys.base_prefix else "the system's"
    yield f"Python {platform.python_version()}, {venv}"
    yield f"SDL {'.'.join(map(str, pygame.get_sdl_version()))}"
    yield f"SQLite {sqlite3.sqlite_version}, OpenCV {cv2.__version__}"
    for package in PACKAGES:
        with suppress(PackageNotFoundError):
            yield f"{package} {version(package)}"


def describe_machine() -> Iterator[str]:
    """Yield lines about the computer and its operating system; nothing is raised for what cannot be read."""
    for file in ("/proc/device-tree/model", "/sys/class/dmi/id/product_name"):
        if model := _read_text(Path(file)):
            yield f"model: {model}"
    try:
        yield f"system: {platform.freedesktop_os_release()['PRETTY_NAME']}"
    except OSError:
        yield f"system: {platform.platform()}"
    yield f"kernel: {platform.release()} {platform.machine()}, {os.cpu_count()} processors"
    memory = [
        line for line in _read_text(Path("/proc/meminfo")).splitlines() if line.startswith(("MemTotal", "MemAvailable"))
    ]
    if memory:
        yield f"memory: {', '.join(' '.join(line.split()) for line in memory)}"
    for zone in sorted(Path("/sys/class/thermal").glob("thermal_zone*/temp")):
        if (degrees := _read_text(zone)).lstrip("-").isdigit():
            yield f"temperature: {int(degrees) / 1000:.0f} degrees"
    if throttled := run_program("vcgencmd", "get_throttled"):  # a weak power supply causes many strange faults on a Pi
        yield f"power: {throttled}"
    if uptime := _read_text(Path("/proc/uptime")):
        yield f"up for {uptime.split('.')[0]} s"


def list_devices(sys_folder: Path = Path("/sys"), dev: Path = Path("/dev")) -> Iterator[str]:
    """Yield lines on the connected devices, by kind and ids, without serial numbers.

    Args:
        sys_folder: the kernel's folder of devices.
        dev: folder of the device files.
    """
    for node in sorted((sys_folder / "class/video4linux").glob("*")):
        yield f"{node.name}: {_read_text(node / 'name')}"
    for status in sorted((sys_folder / "class/drm").glob("card*-*/status")):
        yield f"screen {status.parent.name}: {_read_text(status)}"
    for device in sorted((sys_folder / "bus/usb/devices").glob("*")):
        if ids := _read_text(device / "idVendor"):
            yield f"USB {ids}:{_read_text(device / 'idProduct')} {_read_text(device / 'product')}"
    for pattern in ("gpiochip*", "ttyACM*", "ttyUSB*"):
        yield from (f"{node.name}" for node in sorted(dev.glob(pattern)))


def format_settings(settings: Settings) -> Iterator[str]:
    """Yield all settings as lines of a settings file; those without a value (None) are left out."""
    for section, values in settings.model_dump(mode="json", exclude={"games"}).items():
        if not isinstance(values, dict):
            yield f"{section} = {format_toml(values)}"
            continue
        yield f"[{section}]"
        yield from (f"{name} = {format_toml(value)}" for name, value in values.items() if value is not None)
    for name, rules in settings.games.items():
        yield from format_house_rules(registry.find_game(name), rules)


def list_data_files(folder: Path) -> Iterator[str]:
    """Yield lines about the data folder: free space in MB, its disk, and its files with permissions and size in bytes.

    Args:
        folder: the data folder; if there is none, no files are listed.

    Raises:
        OSError: it cannot be examined.
    """
    yield f"{folder}: {shutil.disk_usage(folder).free // 1_000_000 if folder.is_dir() else 0} MB free"
    mounts = [line.split() for line in _read_text(Path("/proc/self/mounts")).splitlines()]
    on = [m for m in mounts if len(m) > 3 and folder.absolute().is_relative_to(m[1])]
    if on:
        _, place, kind, options, *_ = max(on, key=lambda m: len(m[1]))
        yield f"on {place}, {kind}, {options}"
    for path in sorted(folder.glob("*")) if folder.is_dir() else ():
        about = path.lstat()
        yield f"{about.st_mode & 0o777:04o} {about.st_size:9} {path.name}{'/' if path.is_dir() else ''}"


def describe_service() -> Iterator[str]:
    """Yield what systemd knows about the companion's service, as lines NAME=VALUE; one sentence without systemd."""
    wanted = "--property=LoadState,ActiveState,SubState,NRestarts,Result,ExecMainStatus"
    yield from (run_program("systemctl", "show", SERVICE_UNIT, wanted) or "no systemd here").splitlines()


def read_service_log(run_command: Callable[..., str] | None = None) -> Iterator[str]:
    """Yield the last LOG_LINES lines of the service's log in systemd's journal.

    Args:
        run_command: runs a program with arguments and returns its output, empty if it fails; None: `run_program`.

    Yields:
        The lines, oldest first; without systemd, or without the right to read the log, one line that says so.
    """
    options = ("--no-pager", "--quiet", "--output=short-iso", "--no-hostname")
    lines = (run_command or run_program)("journalctl", "--unit", SERVICE_UNIT, "--lines", str(LOG_LINES), *options)
    yield from lines.splitlines() or ["none: the companion is no service here, or this user may not read its log"]


def _read_text(file: Path) -> str:
    try:
        return read_kernel_file(file).encode("utf-8", "replace").decode().strip("\0 \n")
    except OSError:
        return ""
