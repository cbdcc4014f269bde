"""Security: no listening sockets, no shell, private files.

The porch's sockets: tests/porch/test_open_sockets.py; the confined service: tests/systemd/test_security.py.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.cli import main
from tests.conftest import REPOSITORY

DANGEROUS = (
    *("S102", "S103", "S104", "S108", "S301", "S302", "S306", "S307", "S312", "S321", "S323"),
    *("S501", "S506", "S601", "S602", "S604", "S605", "S606", "S609", "S701"),
)
"""ruff's rules of flake8-bandit: exec and eval, pickle, shells, sockets on all addresses, loose file modes."""
PROGRAMS = {
    "app/film_export.py",
    "commands/doctor/system_checks.py",
    "display/sound/speech.py",
    "film/ffmpeg.py",
}
"""The only modules that start other programs; no text that people enter is among the arguments."""
STARTING = ("subprocess.", "os.exec", "os.spawn", "os.posix_spawn", "pty.")
"""Begin the names of functions that start programs."""
LISTENING = "0A"
"""State in /proc/net/tcp."""
SOURCES = [path for room in ("companion", "hardware") for path in sorted((REPOSITORY / room).rglob("*.py"))]


def test_no_shell_no_eval_and_no_pickle() -> None:
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--select", ",".join(DANGEROUS)]
    done = subprocess.run(
        [*command, "companion", "hardware"], cwd=REPOSITORY, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def calls(path: Path) -> Iterator[str]:
    text = path.read_text(encoding="utf-8")
    if any(word in text for word in STARTING):  # to parse them all takes long
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call):
                yield ast.unparse(node.func)


def test_other_programs_are_started_in_few_places() -> None:
    starting = {
        str(path.relative_to(REPOSITORY / "companion"))
        for path in SOURCES
        if any(name.startswith(STARTING) for name in calls(path))
    }
    assert starting == PROGRAMS


def sockets(process: int) -> list[tuple[str, str]]:
    """Return the program's sockets as the kernel lists them: kind and state."""
    inodes = set()
    for link in Path(f"/proc/{process}/fd").iterdir():
        try:
            target = str(link.readlink())
        except OSError:
            continue  # just closed
        if target.startswith("socket:["):
            inodes.add(target[len("socket:[") : -1])
    found = []
    for kind, state, inode in (
        ("tcp", 3, 9),
        ("tcp6", 3, 9),
        ("udp", 3, 9),
        ("udp6", 3, 9),
        ("raw", 3, 9),
        ("unix", 3, 6),
    ):
        try:
            lines = Path(f"/proc/{process}/net/{kind}").read_text(encoding="ascii").splitlines()[1:]
        except OSError:
            continue  # a kernel without it
        found += [
            (kind, words[state]) for line in lines if len(words := line.split()) > inode and words[inode] in inodes
        ]
    return found


def test_nothing_listens(tmp_path: Path) -> None:
    """The running program at a real table has no network socket and no listening socket."""
    environment = {k: v for k, v in os.environ.items() if k not in {"DISPLAY", "WAYLAND_DISPLAY"}}
    command = [sys.executable, "-m", "companion", "run", "--table", "real", "--camera", "77", "--data", str(tmp_path)]
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as program:
        try:
            assert program.stderr is not None
            # It logs that it waits for a screen in its first turn, when buttons and camera are open.
            for line in program.stderr:
                if "Waiting for one" in line:
                    break
            assert program.poll() is None
            assert Path(f"/proc/{program.pid}/net/tcp").exists()
            found = sockets(program.pid)
        finally:
            program.kill()
    assert [(kind, state) for kind, state in found if kind != "unix"] == []
    # A UNIX socket that listens has the flag 00010000 (include/uapi/linux/net.h, __SO_ACCEPTCON).
    assert not any(int(state, 16) & 0x10000 for _, state in found)


def test_listening_socket_is_detected() -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)):
        assert ("tcp", LISTENING) in sockets(os.getpid())


@pytest.mark.full
def test_stored_files_are_private(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With any umask of the user: files 0600, folders 0700."""
    data = tmp_path / "data"
    before = os.umask(0)
    try:
        command = ["run", "--headless", "--game", "secret_number", "--seed", "1", "--data", str(data)]
        assert main([*command, "--shots", str(data / "shots")]) == 0
        assert main(["history", "--data", str(data), "export", "1", str(data / "out.json")]) == 0
        assert main(["doctor", "--data", str(data), "--report", str(data / "report.txt")]) in (0, 1)
    finally:
        os.umask(before)
    capsys.readouterr()
    made = [data, *data.rglob("*")]
    assert len(made) > 5
    assert [(str(path), oct(path.stat().st_mode & 0o777)) for path in made if path.stat().st_mode & 0o077] == []
