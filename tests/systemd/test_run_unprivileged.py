"""The companion that root starts runs on a terminal of its own, and pipes and exit status are as without it."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY
from tests.systemd.terminal import Shell
from tests.systemd.terminal_attack import TYPED

SCRIPT = REPOSITORY / "systemd/run-unprivileged"
WRAPPER = """
import importlib.machinery, importlib.util, os, pwd, sys
loader = importlib.machinery.SourceFileLoader("run_unprivileged", {script!r})
module = importlib.util.module_from_spec(importlib.util.spec_from_loader("run_unprivileged", loader))
loader.exec_module(module)
command = sys.argv[1:]
if os.geteuid() == 0:
    nobody = pwd.getpwnam("nobody")
    command = module.drop_rights(nobody.pw_uid, nobody.pw_gid, [nobody.pw_gid], command)
sys.exit(module.run_on_own_terminal(command, module.build_environment(os.environ), "/"))
"""
"""Runs any command as the script runs the companion, for root as the user nobody."""
pytestmark = pytest.mark.skipif(not Path("/usr/bin/setpriv").exists(), reason="no setpriv (Debian: util-linux)")


@pytest.fixture
def wrapper(tmp_path: Path) -> Path:
    file = tmp_path / "wrapper.py"
    file.write_text(WRAPPER.format(script=str(SCRIPT)), encoding="utf-8")
    return file


@pytest.fixture
def shell() -> Iterator[Shell]:
    with closing(Shell()) as made:
        yield made


def run(wrapper: Path, *command: str, text: str = "") -> subprocess.CompletedProcess[str]:
    arguments = [sys.executable, "-I", str(wrapper), *command]
    return subprocess.run(arguments, input=text, capture_output=True, text=True, check=False)


def test_pipes_and_exit_status_are_handed_on(wrapper: Path) -> None:
    done = run(wrapper, "/bin/sh", "-c", "tr a-z A-Z; echo wrong >&2; exit 3", text="hello\n")
    assert (done.returncode, done.stdout, done.stderr) == (3, "HELLO\n", "wrong\n")
    assert run(wrapper, "/bin/sh", "-c", "kill -KILL $$").returncode == 137
    assert run(wrapper, "/nonexistent/program").returncode == 127


def test_no_terminal_no_rights_and_no_variables_are_left(wrapper: Path) -> None:
    script = "env; grep -E '^(NoNewPrivs|CapBnd|CapEff|CapInh|Uid|Groups)' /proc/self/status; : </dev/tty"
    os.environ["SECRET"] = "root's"
    try:
        done = run(wrapper, "/bin/sh", "-c", script)
    finally:
        del os.environ["SECRET"]
    assert "SECRET" not in done.stdout
    assert "HOME=/nonexistent" in done.stdout.splitlines()
    assert "/dev/tty" in done.stderr, "there is none to open"
    if os.geteuid() == 0:
        status = dict(line.split(":\t") for line in done.stdout.splitlines() if ":\t" in line)
        nobody = pwd.getpwnam("nobody")
        assert set(status.pop("Uid").split()) == {str(nobody.pw_uid)}
        assert status.pop("Groups").split() == [str(nobody.pw_gid)]
        assert status.pop("NoNewPrivs") == "1"
        assert {int(value, 16) for value in status.values()} == {0}


def test_keys_and_size_of_the_terminal_arrive(wrapper: Path, shell: Shell) -> None:
    command = f"{sys.executable} -I {wrapper}"
    shell.type("stty cols 97 rows 31")
    shell.read()
    shell.type(f"{command} /bin/sh -c 'stty size; read line; echo got $line'; echo status $?")
    output = shell.read("31 97\r\n")
    assert output.endswith("\r\n31 97\r\n")
    shell.type("some words")
    output = shell.read()
    assert "got some words\r\n" in output
    assert "status 0\r\n" in output
    shell.type(f"{command} /bin/sh -c 'echo $((40 + 2)); read never'; echo status $?")
    shell.read("42\r\n")
    shell.type("\x03")
    assert "status 130" in shell.read()
    shell.type("stty -a | grep -c ' icanon'")
    # Up to the number: bash may prompt once more after Ctrl-C.
    assert "\r\n1\r\n" in shell.read("\r\n1\r\nready> "), "the terminal is as before"


def test_output_to_a_pipe_stays_as_it_is(wrapper: Path, shell: Shell) -> None:
    command = f"{sys.executable} -I {wrapper}"
    shell.type(f"{command} /bin/sh -c 'printf \"a\\nb\\n\"; echo seen >&2; cat' | od -c | head -1")
    output = shell.read()
    assert "a  \\n   b  \\n\r\n" in output
    assert "seen\r\n" in output


def test_signals_are_sent_on(wrapper: Path) -> None:
    # One process: a shell's own child could get the signal while it is being started.
    program = (
        "import os, signal, sys\n"
        "signal.signal(signal.SIGTERM, lambda *_: (os.write(1, b'ended\\n'), sys.exit(5)))\n"
        "os.write(1, b'up\\n')\n"
        "while True:\n    signal.pause()"
    )
    command = [sys.executable, "-I", str(wrapper), "/usr/bin/python3", "-I", "-c", program]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "up\n"
            process.send_signal(signal.SIGTERM)
            assert process.stdout.read() == "ended\n"
            assert process.wait() == 5
        finally:
            process.kill()  # a program that does not end would be waited for beyond the test's time limit


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_terminal_cannot_be_typed_into_or_read(wrapper: Path, shell: Shell) -> None:
    # pytest's folders are closed to other users.
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o777)
        shutil.copy(Path(__file__).with_name("terminal_attack.py"), folder / "attack.py")
        command = f"{sys.executable} -I {wrapper} /usr/bin/python3 -I {folder}/attack.py"
        output, stolen = shell.attack(command, folder, folder)
    assert f"\n{TYPED.removeprefix('echo ').strip()}" not in output
    assert "password" not in stolen
    assert "\na password" in output
