"""A Debian root with systemd, booted for a test: debootstrap once, an overlay for each test, systemd-nspawn.

Layers are kept between runs below $COMPANION_ROOTS (/var/cache/companion-roots): `SUITE` as debootstrap made it, and
over it `SUITE-packages-HASH` with the Debian packages that the installer asks for and those of the tests. Each machine
has a layer of its own above these, which is thrown away. The machine shares this one's network and kernel, nothing
else.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import pytest

from tests.conftest import REPOSITORY

Answer = TypeVar("Answer")
ROOTS = Path(os.environ.get("COMPANION_ROOTS", "/var/cache/companion-roots"))
TOOLS = ("debootstrap", "systemd-nspawn", "nsenter", "mount")
MIRROR = "http://deb.debian.org/debian"
BASE = "systemd,systemd-sysv,dbus,udev,ca-certificates,sudo"
TEST_PACKAGES = (
    *("xvfb", "xdotool", "polkitd", "libpam-systemd", "dbus-user-session"),
    *("python3-aiohttp", "python3-paho-mqtt"),
)
"""Packages beyond those of the companion: a screen, what every Raspberry Pi OS has (polkit, users' sessions), and the
libraries of the porch."""
WHEELS = ("gpiozero", "colorzero")
"""Packages that trixie lacks; they are copied in, so that the machine needs no PyPI. bookworm lacks all that are
locked."""
LOCK = REPOSITORY / "systemd/requirements.txt"
PARTS = ("companion", "hardware", "systemd", "docs", "tools", "pyproject.toml", "README.md", "LICENSE")
"""The parts of the repository that an installation needs."""
FOR_BPF = "CAP_BPF,CAP_SYS_ADMIN,CAP_NET_ADMIN,CAP_PERFMON"
"""Without these (and the call) systemd in a container leaves DevicePolicy= and IPAddressDeny= out, and says nothing."""
PATIENCE = 570.0
"""Time limit for a machine in seconds, generous for a busy host."""
ENVIRONMENT = {
    "PATH": "/usr/local/bin:/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin",
    "HOME": "/root",
    "LANG": "C.UTF-8",
    "PIP_NO_INDEX": "1",
}
CONSOLE = """
[Unit]
Description=A console where there is none: containers have no /dev/tty1
Before=companion.service
StartLimitIntervalSec=0
[Service]
Type=notify
NotifyAccess=main
ExecStart=/usr/bin/python3 /usr/local/lib/console.py
Restart=always
RestartSec=1
[Install]
WantedBy=multi-user.target
"""
CONSOLE_PROGRAM = """
import os, socket, time
master, slave = os.openpty()
if os.path.lexists("/dev/tty1"):
    os.unlink("/dev/tty1")
os.symlink(os.ttyname(slave), "/dev/tty1")
with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as door:
    door.sendto(b"READY=1", os.environ["NOTIFY_SOCKET"])
while True:
    try:
        os.read(master, 4096)
    except OSError:  # hung up (TTYVHangup=): the next to open it finds it in order
        time.sleep(0.2)
"""
SCREEN = """
[Unit]
Description=A screen where there is none
Before=companion.service
[Service]
ExecStart=/usr/bin/Xvfb :7 -ac -screen 0 1280x720x24 -noreset
[Install]
WantedBy=multi-user.target
"""


def missing() -> str | None:
    """Return why no machine can be booted here, or None if it can."""
    if os.geteuid() != 0:
        return "a machine can be booted by root only"
    lacking = [tool for tool in TOOLS if shutil.which(tool) is None]
    if lacking:
        return f"not installed: {', '.join(lacking)} (Debian: debootstrap systemd-container)"
    if "overlay" not in Path("/proc/filesystems").read_text(encoding="ascii"):
        return "this kernel has no overlay file system"
    return None


@dataclass
class Machine:
    """One machine. `folder`: its overlay and its boot messages."""

    folder: Path
    lower: tuple[Path, ...]
    capabilities: str = FOR_BPF
    process: subprocess.Popen[bytes] | None = field(default=None, repr=False)
    leader: int = 0

    @property
    def root(self) -> Path:
        """Return its root folder, also while it is off."""
        return self.folder / "root"

    def mount(self) -> None:
        for name in ("up", "work", "root"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        layers = ":".join(map(str, self.lower))
        options = f"lowerdir={layers},upperdir={self.folder / 'up'},workdir={self.folder / 'work'}"
        _do("mount", "-t", "overlay", "overlay", "-o", options, str(self.root))

    def carry_in(self, folder: str = "src") -> Path:
        """Copy the repository's installable part into the machine; return that folder as seen from the host."""
        there = self.root / folder
        shutil.rmtree(there, ignore_errors=True)
        there.mkdir(parents=True)
        for part in PARTS:
            here = REPOSITORY / part
            if here.is_dir():
                shutil.copytree(here, there / part, ignore=shutil.ignore_patterns("__pycache__", "*.pyc"))
            else:
                shutil.copy(here, there / part)
        return there

    def nspawn(self, *arguments: str) -> list[str]:
        return [
            *("systemd-nspawn", "--quiet", "--register=no", "--keep-unit", "--resolv-conf=copy-host"),
            *("--hostname=box", f"--capability={self.capabilities}", "--system-call-filter=bpf"),
            *("-D", str(self.root), *arguments),
        ]

    def without_boot(self, *command: str) -> str:
        """Run a command in the switched-off machine (as when an image is built); return its output."""
        settings = [f"--setenv={name}={value}" for name, value in ENVIRONMENT.items()]
        return _do(*self.nspawn(*settings, "--pipe", *command))

    def boot(self) -> None:
        """Switch it on; returns when systemd has started everything."""
        log = (self.folder / "boot.log").open("ab")
        # All of cgroup 2, also where this machine's own systemd is older: systemd 257 takes nothing else.
        environ = {**os.environ, "SYSTEMD_NSPAWN_UNIFIED_HIERARCHY": "1"}
        self.process = subprocess.Popen(
            self.nspawn("--boot"), stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environ, start_new_session=True
        )
        log.close()
        self.leader = self.wait(self._first_process, "the first process")
        self.wait(
            lambda: self.run("systemctl", "is-system-running", check=False).strip() in {"running", "degraded"}, "boot"
        )

    def _first_process(self) -> int:
        assert self.process is not None
        assert self.process.poll() is None, (self.folder / "boot.log").read_text(errors="replace")
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text(encoding="ascii")
        # nspawn's own children come first and go; the machine's is number 1 in there, and systemd by now.
        for child in map(int, children.split()):
            status = Path(f"/proc/{child}/status").read_text(encoding="ascii").splitlines()
            numbers = next((line.split() for line in status if line.startswith("NSpid:")), [])
            if status[0].endswith("systemd") and numbers[-1] == "1" and len(numbers) > 2:
                return child
        return 0

    def enter(self, *command: str, environ: Mapping[str, str] | None = None) -> list[str]:
        """Return the command line that runs a command in the machine as root."""
        words = [f"{name}={value}" for name, value in {**ENVIRONMENT, **(environ or {})}.items()]
        spaces = ("-m", "-u", "-i", "-n", "-p", "-C")
        return ["nsenter", "-t", str(self.leader), *spaces, "--", "env", "-i", *words, *command]

    def run(self, *command: str, check: bool = True, environ: Mapping[str, str] | None = None) -> str:
        """Run a command; return its output with stderr. With `check` it must succeed."""
        return _do(*self.enter(*command, environ=environ), check=check, timeout=PATIENCE)

    def wait(self, done: Callable[[], Answer], what: str) -> Answer:
        """Wait until `done` returns a true value, and return it."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            with suppress(subprocess.SubprocessError, FileNotFoundError, ProcessLookupError):
                answer = done()
                if answer:
                    return answer
            time.sleep(0.1)
        tail = self.run("journalctl", "-n", "60", "--no-pager", check=False) if self.leader else ""
        pytest.fail(f"waited {PATIENCE:.0f} s for {what}\n{tail}")

    def show(self, name: str, unit: str = "companion.service") -> str:
        """Return a property of the unit from `systemctl show`."""
        return self.run("systemctl", "show", "--value", "--property", name, unit).strip()

    def log(self, *options: str) -> str:
        """Return the companion's journal of this boot."""
        return self.run("journalctl", "--boot", "--no-pager", "--output=cat", "--unit=companion", *options)

    def screen(self) -> None:
        """Add a screen and a console, which a container lacks; used from the next start of the companion."""
        units = self.root / "etc/systemd/system"
        (units / "console.service").write_text(CONSOLE, encoding="utf-8")
        library = self.root / "usr/local/lib"
        library.mkdir(parents=True, exist_ok=True)
        (library / "console.py").write_text(CONSOLE_PROGRAM, encoding="utf-8")
        (units / "screen.service").write_text(SCREEN, encoding="utf-8")
        wants = units / "multi-user.target.wants"
        wants.mkdir(exist_ok=True)
        for name in ("console.service", "screen.service"):
            (wants / name).symlink_to(f"../{name}")
        etc = self.root / "etc/companion"
        etc.mkdir(exist_ok=True)
        # The unit reads further settings from here.
        (etc / "environment").write_text("SDL_VIDEODRIVER=x11\nDISPLAY=:7\nSDL_AUDIODRIVER=dummy\n", encoding="ascii")

    @staticmethod
    def installer(source: str = "/src") -> list[str]:
        """The installer's command line in the machine; the packages are there, PyPI's come from a folder."""
        return ["sh", f"{source}/systemd/install.sh", "--offline", "--wheels", "/wheels"]

    def install(self, *options: str, source: str = "/src") -> str:
        """Run the installer in the machine."""
        try:
            return self.run(*self.installer(source), *options)
        except AssertionError as why:
            raise AssertionError(f"{why}\n{self.run('journalctl', '--boot', '-n', '40', '--no-pager')}") from why

    def press(self, *keys: str) -> None:
        """Press keys, given by their X names, one after the other, as fast as people who read what each has done."""
        for key in keys:
            self.run("xdotool", "key", "--delay", "60", key, "sleep", "0.5", environ={"DISPLAY": ":7"})

    def press_off(self, key: str) -> None:
        """Press a key that switches the machine off, and wait until it is off: the press may not outlive it."""
        command = self.enter("xdotool", "key", "--delay", "60", key, environ={"DISPLAY": ":7"})
        with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as pressing:
            self.off()
            pressing.kill()

    def cut(self) -> None:
        """Cut the power: kill all processes of the machine at once, without a shutdown."""
        if self.process is None:
            return
        with suppress(ProcessLookupError):
            os.kill(self.leader, signal.SIGKILL)  # the first process: the kernel takes all others with it
        self.process.kill()
        self.process.wait()
        self.process, self.leader = None, 0

    def off(self) -> None:
        """Wait until the machine has switched itself off."""
        assert self.process is not None
        self.process.wait(timeout=PATIENCE)
        self.process, self.leader = None, 0

    def remove(self) -> None:
        self.cut()
        if os.path.ismount(self.root):
            _do("umount", "--lazy", str(self.root))
        shutil.rmtree(self.folder, ignore_errors=True)


def _do(*command: str, check: bool = True, timeout: float | None = None) -> str:
    """Run a command; return its output with stderr. With `check` it must succeed."""
    done = subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
        timeout=timeout,
    )
    assert done.returncode == 0 or not check, f"{' '.join(command)}: {done.returncode}\n{done.stdout}"
    return done.stdout


def _fetched(name: str, make: Callable[[Path], object], cannot: str) -> Path:
    """Return a cached folder; create it atomically if it is missing, and skip the test if that is impossible."""
    folder, part = ROOTS / name, ROOTS / f"{name}.part"
    if not folder.is_dir():
        shutil.rmtree(part, ignore_errors=True)
        try:
            make(part)
        except AssertionError as why:
            pytest.skip(f"{cannot}: {str(why)[-300:]}")
        part.rename(folder)
    return folder


def base(suite: str) -> Path:
    """Return the folder of the suite as debootstrap creates it."""
    command = ("debootstrap", "--variant=minbase", f"--include={BASE}", suite)
    return _fetched(suite, lambda part: _do(*command, str(part), MIRROR), f"{suite} cannot be had")


def wheels(suite: str) -> Path:
    """Return a folder with the wheels that pip would load from PyPI there, in the locked versions."""
    pins = re.findall(r"(?m)^([\w.-]+)==(\S+)", LOCK.read_text(encoding="utf-8"))
    names = [f"{name}=={version}" for name, version in pins if suite != "trixie" or name in WHEELS]
    version = "3.13" if suite == "trixie" else "3.11"
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
    pip += ["--python-version", version]
    digest = hashlib.sha256(" ".join(names).encode()).hexdigest()[:8]
    folder = f"wheels-{suite}-{digest}"
    return _fetched(folder, lambda part: _do(*pip, "--dest", str(part), *names), "PyPI cannot be reached")


def packages(suite: str) -> Path:
    """The layer with the Debian packages: the installer itself puts them in, and is taken away again."""
    # A layer from before the installer wanted another package would lack it.
    wanted = re.findall(r'(?m)^ +wanted="(.*)"$', (REPOSITORY / "systemd/install.sh").read_text(encoding="utf-8"))
    digest = hashlib.sha256(" ".join([*TEST_PACKAGES, *wanted]).encode()).hexdigest()[:8]
    folder = ROOTS / f"{suite}-packages-{digest}"
    if not folder.is_dir():
        machine = Machine(ROOTS / f"{suite}-making", (base(suite),))
        machine.remove()
        machine.mount()
        try:
            machine.carry_in()
            shutil.copytree(wheels(suite), machine.root / "wheels")
            machine.without_boot("sh", "/src/systemd/install.sh", "--wheels", "/wheels")
            machine.without_boot("sh", "/src/systemd/install.sh", "--uninstall", "--purge")
            machine.without_boot("apt-get", "install", "-q", "-y", "--no-install-recommends", *TEST_PACKAGES)
            machine.without_boot("apt-get", "clean")
            shutil.rmtree(machine.root / "wheels")
            shutil.rmtree(machine.root / "src")
            _do("umount", str(machine.root))
            (machine.folder / "up").rename(folder)
        finally:
            machine.remove()
    return folder


@contextmanager
def machine(suite: str, folder: Path) -> Iterator[Machine]:
    """Yield a fresh machine of that suite, switched off, with Debian's packages and the wheels."""
    ROOTS.mkdir(parents=True, exist_ok=True)
    with (ROOTS / "lock").open("w", encoding="ascii") as lock:
        # Another run waits: it would take this machine, or a layer in the making, for what a killed run left; and the
        # screens of two would be one, for X listens in the network that machines share.
        fcntl.flock(lock, fcntl.LOCK_EX)
        # The kernel allows an overlay no layer that is itself one, nor a name with a colon.
        made = Machine(ROOTS / f"machine-{folder.name}", (packages(suite), base(suite)))
        made.remove()
        made.mount()
        try:
            made.carry_in()
            shutil.copytree(wheels(suite), made.root / "wheels")
            yield made
        finally:
            made.remove()
