"""Ways out of the service, and what root must not import, follow or copy because the service can write it.

That it neither reads files of other people nor writes outside its folders: `test_confinement_and_endless_restarts`
in test_appliance.py.

`make appliance-test` runs these.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY
from tests.systemd.machine import Machine
from tests.systemd.terminal import Shell
from tests.systemd.terminal_attack import TYPED
from tests.systemd.test_appliance import CURRENT, changed_source

pytestmark = pytest.mark.appliance
DATA = "/var/lib/companion"
AS_COMPANION = ("setpriv", "--reuid=companion", "--regid=companion", "--init-groups")
MAX_EXPOSURE = {
    "companion.service": 1.3,
    "companion-porch.service": 1.3,
    "companion-power-off.service": 1.5,
    "companion-set-clock.service": 1.5,
    "companion-stick@sda1.service": 5.0,
}
"""Highest allowed exposure level of `systemd-analyze security`."""


@pytest.fixture
def installed(box: Machine) -> Machine:
    """A machine with the companion installed and not started."""
    box.boot()
    box.install("--no-start")
    return box


def as_companion(box: Machine, script: str) -> str:
    """Run a shell script in the machine as the service's user, outside of the unit."""
    return box.run(*AS_COMPANION, "env", f"HOME={DATA}", "sh", "-c", script)


def wait_until_active(box: Machine) -> None:
    box.wait(lambda: box.show("ActiveState") == "active", "the companion")


def test_service_cannot_reach_other_programs(installed: Machine) -> None:
    """With D-Bus, polkit lets it start a user manager that runs its units outside of the sandbox, at every boot."""
    box = installed
    shutil.copy(Path(__file__).with_name("escape_probe.py"), box.root / "usr/local/lib/escape_probe.py")
    drop_in = box.root / "etc/systemd/system/companion.service.d/probe.conf"
    drop_in.parent.mkdir(exist_ok=True)
    probe = f"/usr/bin/python3 -I /usr/local/lib/escape_probe.py >{DATA}/escape.json"
    drop_in.write_text(f"[Service]\nExecStartPre=/bin/sh -c '{probe}'\n", encoding="ascii")
    box.run("systemctl", "daemon-reload")
    box.run("systemctl", "start", "companion")
    found = json.loads((box.root / f"{DATA[1:]}/escape.json").read_text(encoding="utf-8"))
    linger = box.root / "var/lib/systemd/linger/companion"
    user = box.run("id", "-u", "companion").strip()
    manager = box.run("systemctl", "is-active", f"user@{user}.service", check=False).strip()
    assert not linger.exists(), found
    assert manager == "inactive"
    assert found["linger"] != "done"
    assert found["transient unit"] != "done"
    assert found["sockets"] == ["/run/systemd/notify"], "what it tells systemd about itself"
    assert found["user unit"] is None
    assert DATA not in found["home"]
    # The socket works: systemd knows its state.
    assert box.show("StatusText")
    assert box.show("ActiveState") == "active"


PLANTED = f"import pathlib; pathlib.Path('{DATA}/imported').open('a').write(__name__)"


def test_root_imports_nothing_that_the_service_wrote(installed: Machine) -> None:
    box = installed
    version = box.run("/usr/bin/python3", "-c", "import sys; print('%d.%d' % sys.version_info[:2])").strip()
    homes = (DATA, "/var/cache/companion")
    box.run("install", "-d", "-m", "700", "-o", "companion", "-g", "companion", *homes)
    for home in homes:
        site = f"{home}/.local/lib/python{version}/site-packages"
        names = [f"{home}/{name}.py" for name in ("json", "companion", "sitecustomize", "usercustomize")]
        names += [f"{site}/{name}.py" for name in ("sitecustomize", "usercustomize")]
        as_companion(box, f'mkdir -p {site} && echo "{PLANTED}" | tee {site}/planted.pth {" ".join(names)}')
    for command in (("companion", "--version"), ("companion", "doctor"), ("companion-backup", "/root/x.tar.gz")):
        box.run(*command, check=False)
    box.run("sh", "-c", f"cd {DATA} && companion --version && {CURRENT}/bin/companion --version")
    # The environment itself ignores it, however its Python is started.
    box.run(*AS_COMPANION, "env", f"HOME={DATA}", f"{CURRENT}/bin/python", "-c", "pass")
    box.run("systemctl", "start", "companion")
    assert not Path(f"{box.root}{DATA}/imported").exists()


def test_root_command_does_not_leave_its_terminal_to_the_service(installed: Machine) -> None:
    """The program, taken over, neither types into root's shell nor reads what root types next."""
    box = installed
    program = box.root / "opt/companion" / (box.root / CURRENT[1:]).readlink() / "bin/companion"
    lines = Path(__file__).with_name("terminal_attack.py").read_text(encoding="utf-8")
    first = program.read_text(encoding="utf-8").splitlines()[0]
    program.write_text(f"{first}\n{lines}", encoding="utf-8")
    box.run("install", "-d", "-m", "777", "/var/stolen")
    with closing(Shell(box.enter())) as shell:
        output, stolen = shell.attack("companion", Path("/var/stolen"), box.root / "var/stolen")
    assert f"\n{TYPED.removeprefix('echo ').strip()}" not in output, output
    assert "password" not in stolen
    assert "\na password" in output, "the shell still has its terminal"


def test_upgrade_copies_the_journal_without_following_links(installed: Machine) -> None:
    box = installed
    box.run("systemctl", "start", "companion")
    wait_until_active(box)
    source = changed_source(box, "a newer one")
    new = next(
        line.split()[2] for line in box.install("--dry-run", source=source).splitlines() if line.startswith("Building")
    )
    box.run("install", "-d", "-m", "755", "/etc/victim")
    box.run("sh", "-c", "echo kept >/etc/victim/planted.sqlite")
    plant = (
        f"cd {DATA} && ln -s /etc/shadow shadow.sqlite && ln -s /etc/victim before-{new}.new && mkfifo pipe.sqlite3 "
        "&& echo spoilt >planted.sqlite && mkdir folder.sqlite && ln -s /etc/victim before-older"
    )
    as_companion(box, plant)
    output = box.install("--upgrade", source=source)
    wait_until_active(box)
    assert box.run("readlink", CURRENT).strip() == f"versions/{new}", output
    assert box.run("stat", "-c", "%U %a", "/etc/victim").split() == ["root", "755"]
    assert box.run("sh", "-c", "ls /etc/victim; cat /etc/victim/*").split() == ["planted.sqlite", "kept"]
    kept = box.run("find", f"{DATA}/before-{new}", "-printf", "%f %y %U\n").splitlines()
    user = box.run("id", "-u", "companion").strip()
    assert f"journal.sqlite3 f {user}" in kept
    assert {line.split()[2] for line in kept} == {user}
    assert {line.split()[1] for line in kept} == {"f", "d"}, "no link and no FIFO"
    assert "shadow" not in " ".join(kept)
    assert "pipe.sqlite3" in output, "it says what it left out"


def test_upgrade_takes_the_home_of_older_versions(installed: Machine) -> None:
    """A service that was taken over may have left a user manager there, with units that start with the machine."""
    box = installed
    box.run("usermod", "--home", DATA, "companion")
    as_companion(box, f"mkdir -p {DATA}/.config/systemd/user")
    box.run("loginctl", "enable-linger", "companion")
    manager = f"user@{box.run('id', '-u', 'companion').strip()}.service"
    box.wait(lambda: box.run("systemctl", "is-active", manager, check=False).strip() == "active", "the manager")
    box.install("--upgrade", source=changed_source(box, "a newer one"))
    wait_until_active(box)
    assert box.run("getent", "passwd", "companion").split(":")[5] == "/nonexistent"
    assert box.run("systemctl", "is-active", manager, check=False).strip() == "inactive"
    assert box.run("ls", "/var/lib/systemd/linger") == ""


SECRET = """
import sqlite3
with sqlite3.connect("/root/secret.sqlite3") as secret:
    secret.execute("CREATE TABLE moves (n)")
    secret.execute("INSERT INTO moves VALUES ('secret of root')")
"""


def test_backup_follows_no_link_of_the_service(installed: Machine) -> None:
    box = installed
    box.run("python3", "-c", SECRET)
    as_companion(
        box, f"cd {DATA} && ln -s /root/secret.sqlite3 journal.sqlite3 && mkfifo pipe && echo {{}} >house.json"
    )
    as_companion(box, f"cd {DATA} && mkdir faces && ln -s /etc/shadow faces/1.png && ln -s /root/secret.sqlite3 x.json")
    # Nothing behind the service's back: another user's file that the service may not read.
    box.run("sh", "-c", f"echo secret >{DATA}/closed.json && chmod 600 {DATA}/closed.json")
    output = box.run("companion-backup", "/root/kept.tar.gz", check=False)
    assert "closed.json" in output, "it is named, not read"
    box.run("rm", f"{DATA}/closed.json")
    output = box.run("companion-backup", "/root/kept.tar.gz")
    assert "pipe" in output
    listing = box.run("tar", "-tvf", "/root/kept.tar.gz").splitlines()
    assert {line[0] for line in listing} == {"-"}
    assert "secret of root" not in box.run("sh", "-c", "zcat /root/kept.tar.gz | tr -c '[:print:]' ' '")
    assert any(line.endswith(" data/house.json") for line in listing)
    box.run("companion-backup", "--restore", "/root/kept.tar.gz")
    found = box.run("find", DATA, "-name", "house.json", "-printf", "%u %m")
    assert found == "companion 600"
    assert box.run("stat", "-c", "%U %a", DATA).split() == ["companion", "700"]


def upgrade_in_vain(box: Machine, source: str) -> str:
    done = subprocess.run(box.enter(*box.installer(source)), capture_output=True, text=True, check=False)
    assert done.returncode != 0, done.stdout
    return done.stdout + done.stderr


def test_failed_upgrade_runs_the_old_version(installed: Machine) -> None:
    """If anything fails after the companion was stopped, the version before is started again, with its journal."""
    box = installed
    box.run("mount", "-t", "tmpfs", "-o", "size=2M,mode=700,uid=companion,gid=companion", "tmpfs", DATA)
    box.run("systemctl", "start", "companion")
    wait_until_active(box)
    first = box.run("readlink", CURRENT).strip()

    # No room for the copy of the journal.
    as_companion(box, f"cat /dev/zero >{DATA}/filler.sqlite 2>/dev/null || true")
    source = changed_source(box, "a newer one")
    output = upgrade_in_vain(box, source)
    assert "No space left" in output
    assert box.run("readlink", CURRENT).strip() == first
    wait_until_active(box)
    assert box.run("sh", "-c", f"ls -d {DATA}/before-* 2>/dev/null", check=False) == "", "no half copy"

    # The copy never ends: it is given up.
    as_companion(box, f"rm {DATA}/filler.sqlite")
    script = box.root / source[1:] / "systemd/copy-journal-before-upgrade"
    good = script.read_text(encoding="utf-8")
    script.write_text("#!/bin/sh\nkill -STOP $$\n", encoding="utf-8")
    output = upgrade_in_vain(box, source)
    assert box.run("readlink", CURRENT).strip() == first
    wait_until_active(box)

    script.write_text(good, encoding="utf-8")

    # A step fails between the switch of the version and the start: the companion is not even stopped.
    main = box.show("MainPID")
    folder = box.root / "etc/tmpfiles.d"
    shutil.rmtree(folder)
    folder.touch()
    upgrade_in_vain(box, source)
    folder.unlink()
    assert box.run("readlink", CURRENT).strip() == first
    assert box.show("MainPID") == main

    output = box.install("--upgrade", source=source)
    assert box.run("readlink", CURRENT).strip() != first, output
    wait_until_active(box)


def test_exposure_of_all_units(installed: Machine) -> None:
    box = installed
    for unit, most in MAX_EXPOSURE.items():
        output = box.run("systemd-analyze", "security", "--no-pager", unit)
        exposure = float(output.rsplit(f"{unit}: ", 1)[1].split()[0])
        assert exposure <= most, output


def test_odd_request_switches_the_machine_off(installed: Machine) -> None:
    """A folder cannot be removed like the usual file; it is the service's own request all the same."""
    installed.run("systemctl", "start", "companion")
    # The connection may end before the answer.
    installed.run(*AS_COMPANION, "mkdir", "/run/companion/power-off", check=False)
    installed.off()


@pytest.fixture
def stick(tmp_path: Path) -> Iterator[Path]:
    """A loop device with a file system that every kernel has."""
    image = tmp_path / "stick.img"
    with image.open("wb") as file:
        file.truncate(8 << 20)
    subprocess.run(["mkfs.ext2", "-q", str(image)], check=True)
    done = subprocess.run(["losetup", "--find", "--show", str(image)], capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"no loop device here: {done.stderr.strip()}")
    yield Path(done.stdout.strip())
    subprocess.run(["losetup", "--detach", done.stdout.strip()], check=False)


def test_confined_unit_mounts_a_stick_for_all(installed: Machine, stick: Path) -> None:
    """The unit with all its restrictions; only the kind of the device and of its file system differ from a stick's."""
    box = installed
    number = stick.stat().st_rdev
    box.run("mknod", "/dev/sdz1", "b", str(os.major(number)), str(os.minor(number)))
    link = box.root / "etc/systemd/system/companion-stick@.service"
    script = box.root / "opt/companion" / (box.root / CURRENT[1:]).readlink() / "systemd/mount-usb"
    text = (REPOSITORY / "systemd/companion-stick@.service").read_text(encoding="utf-8")
    # There is no udev in a container, so no unit of the device.
    text = text.replace("BindsTo=", "#").replace("After=dev", "#").replace("block-sd ", "block-loop ")
    link.unlink()
    link.write_text(text, encoding="utf-8")
    shell = script.read_text(encoding="utf-8")
    assert "vfat) options=$options,$owner,utf8" in shell
    script.write_text(shell.replace("vfat) options=$options,$owner,utf8", "ext2) options=$options"), encoding="utf-8")
    box.run("systemctl", "daemon-reload")
    box.run("systemctl", "start", "companion-stick@sdz1.service")
    folder = "/run/media/companion/sdz1"
    (mount,) = [line for line in box.run("cat", "/proc/mounts").splitlines() if folder in line]
    assert {"rw", "nosuid", "nodev", "noexec", "sync"} <= set(mount.split()[3].split(","))
    box.run("systemctl", "stop", "companion-stick@sdz1.service")
    assert folder not in box.run("cat", "/proc/mounts")
    assert box.run("ls", "/run/media/companion") == ""

    # What its restrictions are for: in a unit with a view of its own nobody else would see the stick.
    link.write_text(text.replace("[Service]", "[Service]\nPrivateTmp=yes"), encoding="utf-8")
    box.run("systemctl", "daemon-reload")
    box.run("systemctl", "start", "companion-stick@sdz1.service")
    assert folder not in box.run("cat", "/proc/mounts")
