"""Run the build's commands: here, or in a root file system of another processor."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

_MOUNTS = (
    'mount -t proc proc "$0/proc"; mount --rbind /dev "$0/dev"; mount -t tmpfs tmpfs "$0/tmp"; '
    'mount -t tmpfs tmpfs "$0/run"; exec chroot "$0" "$@"'
)


def run(*command: str | Path, environment: Mapping[str, str] = {}) -> None:
    """Run a command with its output on the terminal.

    Raises:
        subprocess.CalledProcessError: it fails.
    """
    subprocess.run([str(word) for word in command], check=True, env=os.environ | environment)


def build_root_command(root: Path, *command: str) -> list[str]:
    """Return what runs a command in a root file system, by qemu-user on another processor.

    It has /proc, /dev, /run and /tmp of its own, and no network for pip.
    """
    environment = ("env", "-i", "HOME=/root", "LC_ALL=C.UTF-8", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "PIP_NO_INDEX=1")
    epoch = f"SOURCE_DATE_EPOCH={os.environ['SOURCE_DATE_EPOCH']}"
    fixed = ("DEBIAN_FRONTEND=noninteractive", epoch)  # nobody answers a package's questions
    private = ("unshare", "--mount", "--propagation", "private", "sh", "-ec", _MOUNTS, str(root))
    return [*private, *environment, *fixed, *command]


def run_in_root(root: Path, *command: str) -> None:
    """Run a command as `build_root_command` says; its output comes on the terminal.

    Raises:
        subprocess.CalledProcessError: it fails.
    """
    run(*build_root_command(root, *command))


def install_packages(root: Path, names: Iterable[str]) -> None:
    """Install Debian's packages in a root; unpacked by this machine's own dpkg, which is much faster.

    Raises:
        subprocess.CalledProcessError: they cannot be fetched or installed.
    """
    run_in_root(root, "apt-get", "install", "-q", "-y", "--no-install-recommends", "--download-only", *names)
    packages = sorted((root / "var/cache/apt/archives").glob("*.deb"))
    # Packages for all architectures count as this machine's, and lack their dependencies for it.
    force = ("--force-architecture", "--force-depends", "--force-unsafe-io")
    run("dpkg", f"--root={root}", *force, "--unpack", *packages)
    run_in_root(root, "dpkg", "--force-unsafe-io", "--configure", "--pending")


@contextmanager
def replace_slow_programs(root: Path) -> Iterator[None]:
    """Install packages without compiling Python and making RAM disks, which is slow and can be done once at the end.

    Nor is udev's database of devices made again: packages add only photo cameras and drawing tablets, and a second
    writing fails in qemu-user.
    """
    places = [root / name for name in ("usr/bin/py3compile", "usr/bin/systemd-hwdb", "usr/sbin/update-initramfs")]
    for place in places:
        place.rename(f"{place}.real")
        place.write_text("#!/bin/sh\n", encoding="utf-8")
        place.chmod(0o755)
    yield
    for place in places:
        Path(f"{place}.real").rename(place)
