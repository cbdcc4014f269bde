"""Run command lines of the companion on a simulated macOS or Windows: `python -m tests.portability.other_system NAME`.

Standard input has a JSON list of command lines, each a list of words; standard output gets a JSON list of
[status, output, errors]. A last word "pipe:KEYS" is what a pipe as standard input gives, "console:KEYS" what is typed
at a Windows console. NAME: "linux" (nothing is changed), "darwin" or "win32".

The other system's missing names are taken out of the standard library, `sys.platform` is set, and on Windows a file
cannot be renamed or removed while it is open, a name cannot hold a colon, a folder cannot be opened, the console
has 256 letters, and a button box is at COM3. It proves what fails there, not that the rest works: no window, no camera,
no separators of paths.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import functools
import importlib
import io
import json
import os
import re
import select
import shutil
import socket
import stat
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, TextIO

from tests.portability.stub_names import MODULES_MISSING, STUB_BY_MODULE, list_missing

CHOOSE_AT_IMPORT = (
    *("asyncio", "ctypes", "getpass", "multiprocessing", "platform", "pydantic.main", "subprocess", "tempfile"),
    *("uuid", "zipfile", "zoneinfo"),
)
"""Modules that are not ours and would look for the real system's parts when they are imported: imported before."""
PLAYING_CHOOSE_AT_IMPORT = ("cv2", "numpy", "pygame", "serial", "serial.tools.list_ports")
"""Others, which take long, and which only some commands need."""
LIGHT_COMMANDS = {"--help", "history", "porch", "rules"}
KERNEL_FOLDERS = ("/proc", "/sys", "/run", "/dev/", "/etc")
OPEN_HERE = ("/dev/null", "/dev/urandom")
FORBIDDEN = re.compile(r'[<>:"|?*\x00-\x1f]|[. ]$|^(CON|PRN|AUX|NUL|COM\d|LPT\d)(\.|$)', re.IGNORECASE)
"""What Windows allows in no name of a file, or as none."""
LOCAL_FAMILY = socket.AF_UNIX
O_BINARY = 1 << 30
"""A bit that no flag of Linux has."""
OPENERS = ("_open_for_owner",)
"""Functions to which Python's own `open` gives the flags."""
LOCK_SUFFIX = ".lock"
"""Of files in which nothing is written."""
TYPED: list[bytes] = []
"""Characters that wait at the Windows console."""
MAX_DESCRIPTORS = 256
"""More than a test opens."""


class Console(io.StringIO):
    """Standard input at a Windows console."""

    def isatty(self) -> bool:
        return True


class MissingModules:
    """Finds nothing for the names of modules that a system lacks."""

    def __init__(self, names: frozenset[str]) -> None:
        self._names = names

    def find_spec(self, name: str, _path: object = None, _target: object = None) -> ModuleSpec | None:
        if name in self._names:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return None


def become(system: str, *, is_playing: bool = True) -> None:
    """Take away what `system` lacks, for the rest of this process.

    Args:
        system: "darwin" or "win32".
        is_playing: commands other than LIGHT_COMMANDS will run.
    """
    os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"  # standard output is the tests'
    for name in CHOOSE_AT_IMPORT + PLAYING_CHOOSE_AT_IMPORT * is_playing:
        importlib.import_module(name)
    importlib.import_module("platform").uname()
    tempfile._O_TMPFILE_WORKS = False  # type: ignore[attr-defined]  # Linux only
    subprocess.Popen = refuse_program  # type: ignore[assignment,misc]  # those of Linux are not there
    sys.platform = system
    for name in STUB_BY_MODULE:
        module = sys.modules[name]
        for missing in list_missing(name, system):
            if missing in vars(module):
                delattr(module, missing)
    sys.meta_path.insert(0, MissingModules(MODULES_MISSING[system]))
    for name in MODULES_MISSING[system]:
        sys.modules.pop(name, None)
    hide_kernel_folders()
    if system == "win32":
        become_windows()
        if is_playing:
            plug_in_box()


def refuse_program(command: Sequence[str], *_args: object, **_options: object) -> None:
    raise FileNotFoundError(errno.ENOENT, "not on this system", command[0])


def hide_kernel_folders() -> None:
    """Let all files of Linux's kernel be missing."""
    status = os.stat

    def stat(path: object, *args: object, **options: object) -> os.stat_result:
        if is_hidden(path):
            raise FileNotFoundError(errno.ENOENT, "not on this system", path)
        return status(path, *args, **options)  # type: ignore[arg-type]  # as it is called

    os.stat = stat  # type: ignore[assignment]  # a function like it

    def refuse(event: str, args: tuple[object, ...]) -> None:
        if event in ("open", "os.listdir", "os.scandir") and is_hidden(args[0]):
            raise FileNotFoundError(errno.ENOENT, "not on this system", args[0])

    sys.addaudithook(refuse)


def is_hidden(path: object) -> bool:
    """Return whether a path is of Linux's kernel, and no other system has it."""
    return isinstance(path, str | Path) and str(path).startswith(KERNEL_FOLDERS) and str(path) not in OPEN_HERE


def become_windows() -> None:
    """Behave like Windows where it is not a matter of missing names."""
    import ctypes

    folders = importlib.import_module("platformdirs.windows")
    folders._RESOLVE_WIN_FOLDER = folders.get_win_folder_from_env_vars
    german = SimpleNamespace(GetUserDefaultUILanguage=lambda: 0x0407)
    ctypes.windll = SimpleNamespace(kernel32=german)  # type: ignore[attr-defined]  # Windows only
    sys.modules["msvcrt"] = make_msvcrt()
    select.select = functools.partial(select_sockets, select.select)
    shutil._use_fd_functions = False  # type: ignore[attr-defined]  # as on Windows
    shutil.disk_usage = lambda _path: SimpleNamespace(free=1 << 40)  # type: ignore[assignment,misc]  # it would ask Linux
    tempfile.TemporaryFile = tempfile.NamedTemporaryFile  # type: ignore[assignment]  # as on Windows
    shutil.which = lambda *_args, **_options: None  # type: ignore[assignment]  # it would ask Windows
    # Windows has them by way of the network.
    socket.socketpair = functools.partial(socket.socketpair, LOCAL_FAMILY)  # type: ignore[assignment]  # as on Windows
    os.O_BINARY = O_BINARY  # type: ignore[attr-defined]  # Windows only
    open_really = os.open

    def open_file(path: str | Path, flags: int, mode: int = 0o777, **options: int) -> int:
        frame = sys._getframe(1)
        caller = frame.f_globals["__name__"]
        if Path(path).is_dir():
            raise PermissionError(errno.EACCES, "a folder cannot be opened", path)
        is_ours = caller.startswith(("companion", "hardware")) and frame.f_code.co_name not in OPENERS
        if is_ours and not str(path).endswith(LOCK_SUFFIX):
            assert flags & O_BINARY, f"{caller} opens {path} as a text: it writes two bytes for a line break"
        return open_really(path, flags & ~O_BINARY, mode, **options)

    os.open = open_file
    sys.addaudithook(refuse_as_windows)


def select_sockets(really: Callable[..., object], *lists: Any) -> object:
    """Select as Windows does, where all but sockets are refused."""
    for each in (each for group in lists[:3] for each in group):
        if not stat.S_ISSOCK(os.fstat(each if isinstance(each, int) else each.fileno()).st_mode):
            raise OSError(errno.ENOTSOCK, "An operation was attempted on something that is not a socket")
    return really(*lists)


def plug_in_box() -> None:
    """Let a button box be at COM3."""
    import serial
    from serial.tools import list_ports

    from tests.doubles.simulated_box import BoxSpec, SimulatedBox
    from tests.doubles.windows_port import WindowsPort, list_windows_ports

    WindowsPort.box = SimulatedBox(BoxSpec(), time.monotonic())
    WindowsPort.clock, WindowsPort.wait = staticmethod(time.monotonic), staticmethod(time.sleep)
    serial.Serial, list_ports.comports = WindowsPort, list_windows_ports


def refuse_as_windows(event: str, args: tuple[object, ...]) -> None:
    """Refuse names of files that Windows does not allow, and to rename or remove a file that is open.

    Args:
        event: name of Python's audit event.
        args: its arguments.
    """
    count = {"open": 1, "os.mkdir": 1, "os.remove": 1, "os.rename": 2, "os.link": 2}.get(event, 0)
    paths = [Path(os.fsdecode(path)).absolute() for path in args[:count] if isinstance(path, str | bytes | Path)]
    for path in paths:
        if any(FORBIDDEN.search(part) for part in path.parts[1:]):
            raise OSError(errno.EINVAL, "Windows allows no such name", str(path))
    if event in ("os.rename", "os.remove"):
        opened = set(list_open_files())
        for path in paths:
            if path in opened:
                raise PermissionError(errno.EACCES, "the file is open", str(path))


def list_open_files() -> Iterator[Path]:
    """Yield the paths of the files that this process has open."""
    for number in range(MAX_DESCRIPTORS):
        with contextlib.suppress(OSError):
            yield Path(f"/proc/self/fd/{number}").readlink()


def make_msvcrt() -> ModuleType:
    """Make the module of Windows' C library: locks, by those of Linux, and the console's keys."""
    module = ModuleType("msvcrt")

    def lock(descriptor: int, mode: int, count: int) -> None:
        assert (mode, count) == (2, 1)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise PermissionError(errno.EACCES, "Permission denied") from error

    vars(module).update(LK_NBLCK=2, locking=lock, kbhit=lambda: bool(TYPED), getch=lambda: TYPED.pop(0))
    return module


def open_pipe(text: str) -> TextIO:
    """Return the end of a pipe that gives a text and then ends."""
    reading, writing = os.pipe()
    os.write(writing, text.encode())
    os.close(writing)
    return os.fdopen(reading, encoding="utf-8")


def run(words: Sequence[str]) -> tuple[int, str, str]:
    """Run one command line; return its status, output and errors."""
    from companion.cli import main

    kind, colon, keys = words[-1].partition(":")
    if colon and kind in ("pipe", "console"):
        words, sys.stdin = words[:-1], Console() if kind == "console" else open_pipe(keys)
        TYPED[:] = [bytes([key]) for key in keys.encode()] if kind == "console" else []
    output, errors = (io.TextIOWrapper(io.BytesIO(), encoding="cp1252") for _ in range(2))
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
        try:
            status = main(words)
        except SystemExit as ended:
            status = ended.code if isinstance(ended.code, int) else 1
    texts = []
    for stream in (output, errors):
        stream.flush()
        assert isinstance(stream.buffer, io.BytesIO)
        texts.append(stream.buffer.getvalue().decode("cp1252"))
    return status, texts[0], texts[1]


if __name__ == "__main__":
    warnings.filterwarnings("error", category=EncodingWarning, module=r"(companion|hardware)\b")
    lines = json.load(sys.stdin)
    if sys.argv[1] != "linux":
        become(sys.argv[1], is_playing=not {words[0] for words in lines} <= LIGHT_COMMANDS)
    print(json.dumps([run(words) for words in lines]))
