"""Files from elsewhere: what is refused, byte order marks and line ends; and that nothing reads files otherwise."""

from __future__ import annotations

import ast
import errno
import os
import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from companion.file_reader import decode_text, read_file, read_password, read_text
from tests.conftest import REPOSITORY


def make_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo, make_socket, lambda path: path.symlink_to("/dev/zero")])
def test_what_is_no_file_is_refused(
    tmp_path: Path, make: Callable[[Path], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is not even opened: a watchdog starts when it is, and a tape rewinds."""
    make(path := tmp_path / "a")
    monkeypatch.delattr(os, "open")
    with pytest.raises(OSError, match="no file but a folder, a pipe or a device"):
        read_file(path, 100)


def test_a_pipe_that_takes_the_place_of_a_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (file := tmp_path / "a").touch()
    status = os.stat(file)  # noqa: PTH116 - as in the reader
    os.mkfifo(pipe := tmp_path / "b")
    monkeypatch.setattr(os, "stat", lambda _path: status)
    with pytest.raises(OSError, match="no file but a folder, a pipe or a device"):
        read_file(pipe, 100)


def test_limit_counts_what_is_read_and_what_is_announced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (file := tmp_path / "a").write_bytes(b"12345")
    assert read_file(file, 5) == b"12345"
    with pytest.raises(OSError, match="too long: more than 4 bytes"):
        read_file(file, 4)
    with pytest.raises(OSError, match="too long"):  # the kernel announces 0 bytes
        read_file(Path("/proc/self/status"), 10)
    pieces: list[bytes] = []

    def read_on(_descriptor: int, count: int) -> bytes:
        assert len(pieces) < 9, "a file without an end is read on and on"
        pieces.append(bytes(min(count, 3)))
        return pieces[-1]

    monkeypatch.setattr(os, "read", read_on)  # the file grows meanwhile
    with pytest.raises(OSError, match="too long"):
        read_file(file, 7)
    assert sum(map(len, pieces)) == 8, "no more than what shows that it is too long"
    monkeypatch.delattr(os, "read")
    with pytest.raises(OSError, match="too long"):
        read_file(file, 4)


def test_kernel_file_without_news_is_not_waited_for() -> None:
    try:
        os.close(os.open("/proc/kmsg", os.O_RDONLY | os.O_NONBLOCK))
    except OSError:
        pytest.skip("only root may open it, and not in every container")
    with suppress(OSError):  # nothing there
        read_file(Path("/proc/kmsg"), 1 << 30)


def test_a_failed_read_names_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As /proc/kmsg, which has nothing to read at times."""

    def fail(_descriptor: int, _count: int) -> bytes:
        raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")

    (file := tmp_path / "a").write_bytes(b"12345")
    monkeypatch.setattr(os, "read", fail)
    with pytest.raises(BlockingIOError) as caught:
        read_file(file, 5)
    assert (caught.value.filename, caught.value.strerror) == (str(file), "Resource temporarily unavailable")


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_text_of_windows_reads_as_any_other(tmp_path: Path, mark: bytes, end: bytes) -> None:
    (file := tmp_path / "a").write_bytes(mark + "Zoë".encode() + end + b"2" + end)
    assert read_text(file, 100) == "Zoë\n2\n"
    assert read_password(file) == "Zoë"


def test_only_one_mark_is_dropped() -> None:
    assert decode_text("\ufeff\ufeffa".encode()) == "\ufeffa"


READING_CALLS = frozenset(
    {
        *("open", "io.open", "os.open", "os.fdopen", "codecs.open", "gzip.open", "tarfile.open", "wave.open"),
        *("json.load", "tomllib.load", "np.load", "np.fromfile", "np.loadtxt", "pickle.load", "zipfile.ZipFile"),
        *("cv2.imread", "cv2.VideoCapture", "cv2.FileStorage", "shutil.copyfile", "shutil.copy", "shutil.copy2"),
    }
)
READING_METHODS = frozenset({"read_text", "read_bytes", "readlines"})
EXCEPTIONS = {
    "companion/catalogues.py": "read_bytes: files of a package",
    "companion/cli.py": "os.open: the null device, to write",
    "companion/commands/doctor/report.py": "open, zipfile.ZipFile: a new file, exclusively",
    "companion/commands/doctor/system_checks.py": "read_bytes: the packaged networks",
    "companion/commands/print_tags.py": "read_bytes: a packaged sheet",
    "companion/config/settings_text.py": "read_text: packaged",
    "companion/display/toolkit/art.py": "read_bytes: a file of a package",
    "companion/display/toolkit/package_file.py": "read_bytes: a file of a package",
    "companion/display/toolkit/text.py": "read_bytes: the packaged fonts",
    "companion/display/sound/player.py": "read_bytes: a file of a package",
    "companion/file_reader.py": "the reader",
    "companion/film/ffmpeg.py": "open: what ffmpeg says, in a new folder",
    "companion/film/writer.py": "open: the film that ffmpeg has just written",
    "companion/journal/connection.py": "os.open: the lock; shutil.copyfile: the journal itself",
    "companion/journal/integrity_check.py": "the journal itself, which has been checked to be a file and has no limit",
    "companion/journal/mirror_file.py": "os.open: to append; the journal's copy, which has no limit",
    "companion/journal/recovery.py": "the journal itself, which has been checked to be a file and has no limit",
    "companion/lobby/results_file.py": "os.open: to append",
    "companion/porch/picture_file.py": "os.open, open: a new file without a name, or the table's own",
    "companion/system/atomic_file.py": "os.open: to write, and a folder to sync",
    "companion/system/font_files.py": "open: installed fonts, of which only some tables are read",
    "companion/system/library_output.py": "open, os.fdopen: a pipe of its own, and the error output, to write",
    "companion/testing/translations.py": "open: the packaged catalogues",
    "companion/vision/dice/die_probability.py": "read_text: packaged",
    "companion/vision/cups/symbol_colour.py": "read_text: packaged",
    "companion/vision/onnx.py": "read_bytes: the packaged networks",
    "companion/web_server/live_page.py": "read_text: a packaged page",
    "hardware/buttons/controllers/evdev.py": "os.open: a device",
    "hardware/buttons/controllers/lamps.py": "os.open: a device",
    "hardware/buttons/gpio/pin_factory.py": "os.open: a device",
    "hardware/cameras/camera_opener.py": "cv2.VideoCapture: devices and addresses",
    "hardware/cameras/mains.py": "os.open: a device",
    "hardware/cameras/recordings.py": "cv2.VideoCapture: a video, checked to be a file; it has no limit",
}
"""Modules that read files, or open them to write, without `companion.file_reader`; and why."""


def list_reading_calls(source: str) -> Iterator[str]:
    """Yield the calls in a module that read a file, or open one."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        called = ast.unparse(node.func)
        arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
        if called in READING_CALLS or ("." in called and called.rpartition(".")[2] in READING_METHODS):
            yield called
        elif called.endswith(".open") and any(
            isinstance(each, ast.Constant) and isinstance(each.value, str) for each in arguments
        ):
            yield called  # Path.open with a mode or an encoding; without one it is a method of ours
        elif any(keyword.arg in ("cafile", "certfile") for keyword in node.keywords):
            yield called


def test_the_search_finds_readers() -> None:
    source = "open(a); b.open('rb'); c.open(encoding='utf-8'); d.read_text(); e(cafile=f); menu.open(); g.open(h)"
    assert [*list_reading_calls(source)] == ["open", "b.open", "c.open", "d.read_text", "e"]


def test_all_files_are_read_by_the_one_reader() -> None:
    found = {
        path.relative_to(REPOSITORY).as_posix()
        for package in ("companion", "hardware")
        for path in (REPOSITORY / package).rglob("*.py")
        if any(list_reading_calls(path.read_text(encoding="utf-8")))
    }
    assert sorted(found) == sorted(EXCEPTIONS)
