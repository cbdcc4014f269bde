"""One file for a bug report: versions, hardware, settings, the last lines of the log; nothing private."""

from __future__ import annotations

import os
import platform
import shutil
import sqlite3
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import cv2
import pygame

from companion import __version__
from companion.commands.doctor import redaction
from companion.commands.doctor.camera_checks import PICTURE_FILE
from companion.commands.doctor.system_checks import Check
from companion.config.settings import Settings, format_house_rules, format_toml
from companion.games import registry
from companion.journal.database import JOURNAL_FILE, Journal
from companion.journal.entry import GameSetup
from companion.journal.errors import InvalidSavedGame, JournalError
from companion.lobby.known_players import all_shape_names

PACKAGES = (
    *("numpy", "opencv-python", "opencv", "pygame", "pygame-ce", "pydantic", "pydantic-core", "platformdirs"),
    *("gpiozero", "lgpio", "pyserial", "picamera2"),
)
LOG_LINES = 300
"""Of the log, the last."""
SERVICE_UNIT = "companion.service"
COMMAND_TIMEOUT_SECONDS = 10
"""Seconds that another program gets for its answer."""


class ReportUnwritable(OSError):
    """The report could not be written; the message says why."""


def write_report(file: Path, checks: Sequence[Check], settings: Settings, folder: Path, *, with_picture: bool) -> None:
    """Write the report to `file`: a text, or, where its name ends so or a picture is wished, a ZIP archive.

    Args:
        found: what the checks said.
        settings: those in force.
        folder: with the journal, and with what the camera check saw.
        picture: put that picture in.

    Raises:
        ReportUnwritable: nothing was written.
    """
    hide = redaction.make_local_redactor(list_player_names(folder))
    # A version of four numbers looks like an address.
    text = "\n".join([*list_versions(), hide("\n".join(build_report(checks, settings, folder)))]) + "\n"
    try:
        if not with_picture and file.suffix != ".zip":
            with open(file, "x", encoding="utf-8", opener=_open_for_owner) as stream:
                stream.write(text)
            return
        with (
            open(file, "xb", opener=_open_for_owner) as raw,
            zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as archive,
        ):
            archive.writestr("report.txt", text)
            seen = folder / PICTURE_FILE
            if with_picture and seen.is_file():
                archive.writestr("camera.jpg", seen.read_bytes())
    except FileExistsError as error:
        raise ReportUnwritable(f"{file} is there already and stays as it is: name another.") from error
    except OSError as error:
        raise ReportUnwritable(f"{file} cannot be written: {error.strerror or error}.") from error


def _open_for_owner(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def list_player_names(folder: Path) -> list[str]:
    """Everybody's name that stands in the journal, but for those that the companion itself gives to seats."""
    names: set[str] = set()
    if not (folder / JOURNAL_FILE).exists():
        return []
    try:
        with Journal(folder / JOURNAL_FILE, allow_read_only=True) as journal:
            for record in journal.list_games():
                try:
                    names.update(GameSetup.from_json(record.setup_json).players)
                except InvalidSavedGame:
                    continue
    except JournalError:
        return []
    return sorted(names - set(all_shape_names()))


def build_report(checks: Sequence[Check], settings: Settings, folder: Path) -> Iterator[str]:
    """The report's further lines, private things and all."""
    for title, lines in (
        ("Machine", describe_machine()),
        ("Devices", list_devices()),
        ("Checks", _format_checks(checks)),
        ("Settings", format_settings(settings)),
        ("Data folder", list_data_files(folder)),
        ("Service", describe_service()),
        (f"Log, the last {LOG_LINES} lines", read_service_log()),
    ):
        yield from ("", f"== {title}", *lines)


def list_versions() -> Iterator[str]:
    """Of the companion, and of everything that it is made of."""
    yield f"Companion {__version__}, report"
    venv = "in a virtual environment" if sys.prefix != sys.base_prefix else "the system's"
    yield f"Python {platform.python_version()}, {venv}"
    yield f"SDL {'.'.join(map(str, pygame.get_sdl_version()))}"
    yield f"SQLite {sqlite3.sqlite_version}, OpenCV {cv2.__version__}"
    for package in PACKAGES:
        try:
            yield f"{package} {version(package)}"
        except PackageNotFoundError:
            continue


def describe_machine() -> Iterator[str]:
    """The computer and its system."""
    for file in ("/proc/device-tree/model", "/sys/class/dmi/id/product_name"):
        if model := _read_text(Path(file)):
            yield f"model: {model}"
    try:
        yield f"system: {platform.freedesktop_os_release()['PRETTY_NAME']}"
    except OSError:
        yield "system: unknown"
    yield f"kernel: {platform.release()} {platform.machine()}, {os.cpu_count()} processors"
    memory = [
        line for line in _read_text(Path("/proc/meminfo")).splitlines() if line.startswith(("MemTotal", "MemAvailable"))
    ]
    yield f"memory: {', '.join(' '.join(line.split()) for line in memory)}"
    for zone in sorted(Path("/sys/class/thermal").glob("thermal_zone*/temp")):
        if (degrees := _read_text(zone)).lstrip("-").isdigit():
            yield f"temperature: {int(degrees) / 1000:.0f} degrees"
    if throttled := _run_command(
        "vcgencmd", "get_throttled"
    ):  # a weak power supply is behind many a strange fault on a Pi
        yield f"power: {throttled}"
    yield f"up for {_read_text(Path('/proc/uptime')).split('.')[0]} s"


def list_devices(sys_folder: Path = Path("/sys"), dev: Path = Path("/dev")) -> Iterator[str]:
    """What is plugged in, by kind and ids; no serial numbers."""
    for node in sorted((sys_folder / "class/video4linux").glob("*")):
        yield f"{node.name}: {_read_text(node / 'name')}"
    for status in sorted((sys_folder / "class/drm").glob("card*-*/status")):
        yield f"screen {status.parent.name}: {_read_text(status)}"
    for device in sorted((sys_folder / "bus/usb/devices").glob("*")):
        if ids := _read_text(device / "idVendor"):
            yield f"USB {ids}:{_read_text(device / 'idProduct')} {_read_text(device / 'product')}"
    for pattern in ("gpiochip*", "ttyACM*", "ttyUSB*"):
        yield from (f"{node.name}" for node in sorted(dev.glob(pattern)))


def _format_checks(checks: Sequence[Check]) -> Iterator[str]:
    for check in checks:
        yield f"{check.mark:4}  {check.name}: {check.found}{f' -> {check.fix}' if check.fix else ''}"


def format_settings(settings: Settings) -> Iterator[str]:
    """All settings, as a settings file would have them."""
    for section, values in settings.model_dump(mode="json", exclude={"games"}).items():
        if not isinstance(values, dict):
            yield f"{section} = {format_toml(values)}"
            continue
        yield f"[{section}]"
        yield from (f"{name} = {format_toml(value)}" for name, value in values.items() if value is not None)
    for name, rules in settings.games.items():
        yield from format_house_rules(registry.find_game(name), rules)


def list_data_files(folder: Path) -> Iterator[str]:
    """Files of the data folder, by size and rights; what is in them stays there."""
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
    """What systemd says of the companion, where it runs as a service."""
    wanted = "--property=LoadState,ActiveState,SubState,NRestarts,Result,ExecMainStatus"
    yield from (_run_command("systemctl", "show", SERVICE_UNIT, wanted) or "no systemd here").splitlines()


def read_service_log(run_command: Callable[..., str] | None = None) -> Iterator[str]:
    """The last lines of the service's log."""
    ask = run_command or _run_command
    lines = ask(
        "journalctl",
        "--unit",
        SERVICE_UNIT,
        "--lines",
        str(LOG_LINES),
        "--no-pager",
        "--quiet",
        "--output=short-iso",
        "--no-hostname",
    )
    yield from lines.splitlines() or ["none: the companion is no service here, or this user may not read its log"]


def _read_text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="replace").strip("\0 \n")
    except OSError:
        return ""


def _run_command(*command: str) -> str:
    """What a program printed; empty where it is not there or does not answer."""
    program = shutil.which(command[0])
    if program is None:
        return ""
    try:
        done = subprocess.run(
            [program, *command[1:]],
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=COMMAND_TIMEOUT_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip()
