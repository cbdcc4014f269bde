"""A disk with simulated power cuts: a log of a program's calls, and the possible states after a cut.

`disk.c` is preloaded into a program and writes down every change to a folder, and every fsync. `states` then gives what
a cut behind any of these calls may leave: what was synced stands for certain; of the rest each 512-byte sector may be
as before, as written, or garbage, in any order of the calls; names (made, renamed, removed) are kept in order, as
journalling file systems do, and for certain only where their folder was synced. That is the model of Pillai et al.,
"All File Systems Are Not Created Equal" (OSDI 2014), a little harsher: a file's fsync does not save its name.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import struct
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import Protocol

import pytest

from tests.conftest import REPOSITORY

SECTOR = 512
HEAD = struct.Struct("=cQQQ")
SHORT = -1
"""In place of an errno: writes take half of the data, and say so."""


@dataclass(frozen=True, slots=True)
class Call:
    """One record of the log; `kind` is a letter of `disk.c`."""

    kind: str
    inode: int
    number: int
    data: bytes


@dataclass(slots=True)
class File:
    """A file's synced content, and the changes since (offset and bytes, or a length)."""

    stable: bytearray = field(default_factory=bytearray)
    pending: list[tuple[int, bytes] | int] = field(default_factory=list)

    def sync(self) -> None:
        for change in self.pending:
            _apply(self.stable, change)
        self.pending.clear()

    def left(self, random: Random | None) -> bytes:
        """Return what a power cut leaves; `random` None: all that was written."""
        content = bytearray(self.stable)
        for change in self.pending:
            if random is None:
                _apply(content, change)
            elif isinstance(change, int):
                if random.random() < 0.5:
                    _apply(content, change)
            else:
                for part in _sectors(*change):
                    fate = random.random()
                    if fate < 0.55:
                        _apply(content, part)
                    elif fate < 0.65:
                        _apply(content, (part[0], random.randbytes(len(part[1]))))
        return bytes(content)


def _apply(content: bytearray, change: tuple[int, bytes] | int) -> None:
    length = change if isinstance(change, int) else change[0]
    if len(content) < length:
        content.extend(bytes(length - len(content)))
    if isinstance(change, int):
        del content[change:]
    else:
        content[length : length + len(change[1])] = change[1]


def _sectors(at: int, data: bytes) -> Iterator[tuple[int, bytes]]:
    start = 0
    while start < len(data):
        end = min(len(data), start + SECTOR - (at + start) % SECTOR)
        yield at + start, data[start:end]
        start = end


def _do(names: dict[str, File], call: Call, files: Mapping[int, File]) -> None:
    match call.kind:
        case "C":
            names[call.data.decode()] = files[call.inode]
        case "R" | "L":
            source, target = call.data.decode().split("\0")
            if source in names:
                names[target] = names.pop(source) if call.kind == "R" else names[source]
        case "U":
            names.pop(call.data.decode(), None)


@dataclass(slots=True)
class Disk:
    """The state of a folder after each call."""

    now: dict[str, File] = field(default_factory=dict)
    """The files as the program sees them."""
    stable: dict[str, File] = field(default_factory=dict)
    pending: list[tuple[Call, Mapping[int, File]]] = field(default_factory=list)
    """Names created, changed and removed since their folder was synced."""
    files: dict[int, File] = field(default_factory=dict)
    """Files that are or were open, by inode."""

    def take(self, call: Call) -> None:
        match call.kind:
            case "C":
                path = call.data.decode()
                if path not in self.now:
                    self.files[call.inode] = File()
                    self._name(call)
            case "R" | "L" | "U":
                self._name(call)
            case "W":
                self.files[call.inode].pending.append((call.number, call.data))
            case "T":
                self.files[call.inode].pending.append(call.number)
            case "S":
                self.files[call.inode].sync()
            case "D":
                for earlier, files in self.pending:
                    _do(self.stable, earlier, files)
                self.pending.clear()

    def _name(self, call: Call) -> None:
        files = dict(self.files)
        _do(self.now, call, files)
        self.pending.append((call, files))

    def left(self, random: Random | None) -> dict[str, bytes]:
        """Return the files that a power cut now leaves; `random` None: only the program is killed."""
        names = dict(self.stable)
        for call, files in self.pending[: None if random is None else random.randint(0, len(self.pending))]:
            _do(names, call, files)
        return {path: file.left(random) for path, file in names.items()}


def calls(log: Path) -> Iterator[Call]:
    """Yield the calls in the log."""
    data = log.read_bytes()
    at = 0
    while at < len(data):
        kind, inode, number, length = HEAD.unpack_from(data, at)
        at += HEAD.size
        yield Call(kind.decode(), inode, number, data[at : at + length])
        at += length


def lay(folder: Path, root: Path, content: Mapping[str, bytes]) -> None:
    """Write the files of a state into a folder; SQLite's shared memory is garbage after a cut."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700)
    for path, data in content.items():
        file = folder / Path(path).relative_to(root)
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file.write_bytes(b"\xa5" * len(data) if path.endswith("-shm") else data)


class Promises(Protocol):
    """What a program has acknowledged as stored."""

    def acknowledge(self, call: Call) -> None:
        """Take down an acknowledgement."""

    def check(self, folder: Path) -> None:
        """Check that all that was acknowledged is in the folder, and nothing is damaged."""


def cut_everywhere(
    made: Iterable[Call], root: Path, into: Path, promises: Promises, random: Random, times: int, every: int = 1
) -> Counter[str]:
    """Cut the power behind every call (or every few), `times` times; return the counts.

    The first cut is only a kill, which keeps all written data; the others cut the power.
    """
    disk, counts = Disk(), Counter[str]()
    for number, call in enumerate(made):
        disk.take(call)
        if call.kind == "A":
            promises.acknowledge(call)
            counts["acknowledged"] += 1
        for turn in range(0 if number % every else times):
            lay(into, root, disk.left(random if turn else None))
            try:
                promises.check(into)
            except BaseException as error:
                error.add_note(f"behind call {number} ({call.kind}), turn {turn}, {counts}, files kept in {into}")
                raise
            counts["cuts"] += 1
    return counts


@cache
def library(folder: Path) -> Path:
    """Compile `disk.c` into the folder; skip the test if there is no compiler."""
    if shutil.which("gcc") is None:
        # CI installs a compiler, so a missing one is a failure there.
        assert not os.environ.get("CI"), "not installed: gcc"
        pytest.skip("not installed: gcc")
    made = folder / "disk.so"
    source = Path(__file__).with_name("disk.c")
    subprocess.run(
        ["gcc", "-shared", "-fPIC", "-O2", "-Wall", "-Wextra", "-Werror", "-o", made, source, "-ldl", "-lpthread"],
        check=True,
    )
    return made


def run(made: Path, root: Path, log: Path | None, module: str, *arguments: str) -> str:
    """Run the module as a program on the watched disk; return its output."""
    done = subprocess.run(
        [sys.executable, "-m", module, *arguments],
        env={
            **os.environ,
            "PYTHONPATH": str(REPOSITORY),
            "LD_PRELOAD": str(made),
            "DISK_ROOT": str(root),
            **({"DISK_LOG": str(log)} if log else {}),
        },
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


class Control:
    """The controls of the library, for the program that it is loaded into."""

    def __init__(self) -> None:
        self._library = ctypes.CDLL(None)
        self._library.disk_fail.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_int]
        self._library.disk_fail_reads.argtypes = [ctypes.c_long]
        self._library.disk_ack.argtypes = [ctypes.c_uint64, ctypes.c_char_p]

    def fail(self, behind: int, count: int, error: int) -> None:
        """Let `count` changes of the disk fail after `behind` others; 0: all further ones.

        Args:
            error: the errno, or SHORT.
        """
        self._library.disk_fail(behind, count, error)

    def fail_reads(self, count: int) -> None:
        """Let the next `count` reads of files fail with EIO."""
        self._library.disk_fail_reads(count)

    def heal(self) -> None:
        """Let no further call fail."""
        self._library.disk_fail(-1, 0, 0)
        self._library.disk_fail_reads(0)

    def ack(self, number: int, text: str) -> None:
        """Note in the log that something is believed to be stored."""
        self._library.disk_ack(number, text.encode())
