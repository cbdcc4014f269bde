"""A USB stick simulated by a loop device: it is mounted for the companion, and nothing on it is executable."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY

SCRIPT = REPOSITORY / "systemd/mount-usb"
LACKING = [tool for tool in ("losetup", "mkfs.vfat", "unshare", "blkid") if shutil.which(tool) is None]
pytestmark = [
    pytest.mark.skipif(os.geteuid() != 0, reason="only root mounts"),
    pytest.mark.skipif(bool(LACKING), reason=f"not installed: {', '.join(LACKING)} (Debian: dosfstools)"),
]
KINDS = Path("/proc/filesystems").read_text(encoding="ascii").split()
"""A module may hold it as well: asked for by a mount, it would be loaded."""
needs_vfat = pytest.mark.skipif(
    "vfat" not in KINDS and not any(Path("/lib/modules").glob(f"{os.uname().release}/**/vfat.ko*")),
    reason="this kernel has no vfat",
)


@pytest.fixture
def device(tmp_path: Path) -> Iterator[Path]:
    image = tmp_path / "stick.img"
    with image.open("wb") as file:
        file.truncate(8 << 20)
    subprocess.run(["mkfs.vfat", str(image)], check=True, stdout=subprocess.DEVNULL)
    done = subprocess.run(["losetup", "--find", "--show", str(image)], capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"no loop device here: {done.stderr.strip()}")
    try:
        yield Path(done.stdout.strip())
    finally:
        with suppress(subprocess.CalledProcessError):
            subprocess.run(["losetup", "--detach", done.stdout.strip()], check=True)


def in_a_room_of_its_own(script: str) -> str:
    """Run a shell script with private mounts, a private /run and a user `companion`; return its output."""
    prelude = (
        "set -e; mount -t tmpfs none /run; cp /etc/passwd /etc/group /run/; "
        "grep -q ^companion: /run/passwd || echo companion:x:990:990::/:/bin/sh >>/run/passwd; "
        "grep -q ^companion: /run/group || echo companion:x:990: >>/run/group; "
        "mount --bind /run/passwd /etc/passwd; mount --bind /run/group /etc/group; "
    )
    done = subprocess.run(
        ["unshare", "--mount", "sh", "-c", prelude + script], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@needs_vfat
def test_stick_is_mounted_and_unmounted(device: Path) -> None:
    name = device.name
    folder = f"/run/media/companion/{name}"
    output = in_a_room_of_its_own(
        f"{SCRIPT} mount {name}; grep {folder} /proc/mounts; stat -c %U:%a {folder}; "
        f"setpriv --reuid=companion --regid=companion --clear-groups sh -c 'echo a,b >{folder}/day.csv'; "
        f"cat {folder}/day.csv; "
        f"printf '#!/bin/sh\\necho ran' >{folder}/x.sh; {folder}/x.sh 2>&1 || true; "
        f"{SCRIPT} mount {name}; {SCRIPT} unmount {name}; {SCRIPT} unmount {name}; ls /run/media/companion"
    )
    mounted, owner, written, refused, *rest = output.splitlines()
    options = set(mounted.split()[3].split(","))
    assert {"rw", "nosuid", "nodev", "noexec", "sync"} <= options
    assert owner == "companion:700"
    assert written == "a,b"
    assert "Permission denied" in refused
    assert rest == [], "no mount and no folder is left"


@pytest.mark.parametrize("name", ["", "../sda1", "sda1;reboot", "a b"])
def test_other_device_names_are_refused(name: str) -> None:
    done = subprocess.run([SCRIPT, "mount", name], capture_output=True, text=True, check=False)
    assert done.returncode != 0
