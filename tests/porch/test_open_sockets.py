"""What the playing unit opens with everything switched on, and what a plain install imports."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.commands import format_install_command
from companion.porch.picture_file import find_picture_path
from tests.porch.client import SocketReader

NETWORK = ("tcp", "tcp6", "udp", "udp6", "udplite", "udplite6", "raw", "raw6", "icmp", "icmp6", "packet")
SETTINGS = """
[table]
kind = "keyboard"
[porch]
on = true
table = "hall-1"
bind = "0.0.0.0"
address = "http://box.local:8788"
mqtt = "broker.example"
mqtt_user = "hall-1"
"""
WITHOUT_EXTRAS = """
import importlib, pkgutil, sys
sys.modules.update(dict.fromkeys(("aiohttp", "paho", "openskill", "sqlalchemy", "jinja2", "selenium")))  # not installed
import companion
NEED_EXTRAS = ("web_server", "porch.mqtt", "porch.service", "club", "testing")
EXTRAS = tuple(f"companion.{name}" for name in NEED_EXTRAS)
count = 0
for module in pkgutil.walk_packages(companion.__path__, "companion."):
    if not module.name.startswith(EXTRAS) and module.name != "companion.__main__":
        importlib.import_module(module.name)
        count += 1
assert count > 100
from companion.cli import build_parser
build_parser()
from companion.cli import main
sys.exit(main(["porch"]))
"""
PLAYING = """
import sys
from companion.app import main_loop, composition, session
from companion.commands import run
print(*sorted(name for name in sys.modules if name.startswith(("companion.porch", "aiohttp", "paho"))))
"""


def list_socket_inodes(process: int) -> set[str]:
    """Return the inodes of a process's sockets."""
    found = set()
    for link in Path(f"/proc/{process}/fd").iterdir():
        try:
            target = str(link.readlink())
        except FileNotFoundError:
            continue
        if target.startswith("socket:["):
            found.add(target[8:-1])
    return found


def list_sockets(process: int, kind: str) -> list[list[str]]:
    """Return the lines of a process's sockets of a kind, in words, as /proc/net/KIND has them."""
    file, inodes = Path(f"/proc/{process}/net/{kind}"), list_socket_inodes(process)
    lines = [line.split() for line in file.read_text(encoding="ascii").splitlines()] if file.exists() else []
    return [words for words in lines if inodes & set(words)]


@pytest.fixture
def screen() -> Iterator[str]:
    """A screen of its own; yields its name."""
    if (program := shutil.which("Xvfb")) is None:
        pytest.skip("Xvfb is not installed (Debian: xvfb)")
    command = [program, "-displayfd", "1", "-screen", "0", "800x480x24", "-nolisten", "tcp"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        yield f":{process.stdout.readline().strip()}"
        process.terminate()


@pytest.mark.full
def test_playing_unit_has_no_socket_but_its_own(tmp_path: Path, screen: str) -> None:
    """With everything switched on: neither a port nor a connection, in the process or a child of it."""
    (tmp_path / "companion.toml").write_text(SETTINGS, encoding="utf-8")
    path = tmp_path / "porch.sock"
    environ = os.environ | {"COMPANION_PORCH_SOCKET": str(path), "DISPLAY": screen}
    environ |= {"SDL_VIDEODRIVER": "x11", "SDL_AUDIODRIVER": "dummy"}
    command = [sys.executable, "-m", "companion", "run", "--settings", tmp_path / "companion.toml", "--data", tmp_path]
    with subprocess.Popen(command, env=environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            while not path.exists():
                assert process.poll() is None, "it ended"
                time.sleep(0.1)
            with SocketReader(path) as reader:
                assert reader.read("state")["screen"] in ("lobby", "setup")
                assert {kind: list_sockets(process.pid, kind) for kind in NETWORK} == {kind: [] for kind in NETWORK}
                own = [words[-1] for words in list_sockets(process.pid, "unix") if words[-1].startswith("/")]
                assert set(own) == {str(path), str(find_picture_path(path))}
                children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text(encoding="ascii")
                assert children == ""
            process.send_signal(signal.SIGTERM)
            assert process.wait() == 0
        finally:
            process.kill()
    assert not path.exists()
    assert not find_picture_path(path).exists()


@pytest.mark.full
def test_plain_install_works_without_the_extra() -> None:
    """Every module of the program but the porch's own imports without its libraries, and `companion porch` says why."""
    done = subprocess.run([sys.executable, "-c", WITHOUT_EXTRAS], capture_output=True, text=True, check=False)
    assert format_install_command("porch") in done.stderr, done.stderr
    assert done.returncode == 1


def test_play_loads_nothing_of_the_porch_unless_it_is_on() -> None:
    done = subprocess.run([sys.executable, "-c", PLAYING], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == ""
