"""The scripts of the card image, run with stand-ins for RAUC and GRUB; nothing of the machine is changed.

That RAUC refuses foreign and unsigned upgrades: test_card_image.py.
"""

from __future__ import annotations

import itertools
import os
import re
import signal
import subprocess
from pathlib import Path

import pytest

from companion.app.session import UPGRADE_NOTICES
from companion.system.appliance import UpgradeState
from tests.conftest import REPOSITORY
from tests.systemd.upgrade_sticks import BACK, BROKEN, GOOD

SCRIPTS = REPOSITORY / "systemd" / "image"
GRUB_EDITENV = """#!/bin/sh
# As GRUB's own: it empties the file before it writes it, and refuses one that is not 1024 bytes long.
file=$1 command=$2
shift 2
if [ "$command" != create ] && [ "$(wc -c <"$file")" -ne 1024 ]; then echo "invalid environment block" >&2; exit 1; fi
case $command in
    create) lines="" ;;
    list) sed '1d;/^#/d' "$file"; exit 0 ;;
    set)
        lines=$(sed '1d;/^#/d' "$file")
        for word; do lines=$(printf '%s\\n' "$lines" | sed "/^${word%%=*}=/d"; echo "$word"); done
        ;;
esac
{ echo "# GRUB Environment Block"; printf '%s\\n' "$lines" | sed '/^$/d'; head -c 1024 /dev/zero | tr '\\0' '#'; } |
    head -c 1024 >"$file"
"""
RAUC = """#!/bin/sh
case $1 in
    info) for last; do :; done; echo "$last" >>$ASKED; echo '{"version": "'$BUNDLE_VERSION'"}' ;;
    install) echo >$READY; exec sleep 60 ;;
esac
"""

LOCK_PROBE = """#!/bin/sh
if flock --nonblock "$DISK" true; then lock=free; else lock=locked; fi
for file in /proc/$$/fd/*; do if [ "$(readlink -f "$file")" = "$PARTITION" ]; then lock="$lock open"; fi; done
echo "${0##*/} $lock" >>"$CALLS"
"""


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    folder = tmp_path / "bin"
    folder.mkdir()
    for name, text in (("grub-editenv", GRUB_EDITENV), ("rauc", RAUC), ("mount", "#!/bin/sh\nexit 1\n")):
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    return folder


class GrubMachine:
    """A machine with UEFI whose start partition is a folder."""

    def __init__(self, folder: Path, programs: Path) -> None:
        self.environment_file = folder / "start/grub/grubenv"
        self.environment_file.parent.mkdir(parents=True)
        self._command_line = folder / "cmdline"
        self._environment = {
            "PATH": f"{programs}:{os.environ['PATH']}",
            "COMPANION_START": str(folder / "start"),
            "COMPANION_COMMAND_LINE": str(self._command_line),
        }
        self.environment_file.write_bytes(b"# GRUB Environment Block\ndefault=A\ntry=\n".ljust(1024, b"#"))
        self.run_slot("A")

    def run_slot(self, slot: str) -> None:
        self._command_line.write_text(f"root=PARTLABEL=root rauc.slot={slot} ro\n")

    def call(self, *arguments: str) -> tuple[int, str]:
        done = subprocess.run(
            ["sh", SCRIPTS / "boot-slot", *arguments],
            env=self._environment,
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout.strip()

    def read_settings(self) -> list[str]:
        lines = self.environment_file.read_text().splitlines()
        return sorted(line for line in lines if not line.startswith("#"))


@pytest.fixture
def machine(tmp_path: Path, programs: Path) -> GrubMachine:
    return GrubMachine(tmp_path, programs)


def test_an_upgrade_is_tried_and_kept(machine: GrubMachine) -> None:
    assert machine.call("set-state", "B", "bad")[0] == 0
    assert machine.call("set-primary", "B")[0] == 0
    assert machine.read_settings() == ["default=A", "try=B"]
    assert machine.call("get-primary") == (0, "B")
    machine.run_slot("B")
    assert machine.call("is-trial")[0] == 0
    assert machine.call("set-state", "B", "good")[0] == 0
    assert machine.read_settings() == ["default=B", "try="]
    assert machine.call("is-trial")[0] == 1


def test_the_environment_is_never_written_in_place(machine: GrubMachine) -> None:
    """A power cut during the write leaves the old file, not an empty one."""
    with machine.environment_file.open("rb") as before:
        assert machine.call("set-primary", "B")[0] == 0
        assert b"try=\n" in before.read()
    assert [place.name for place in machine.environment_file.parent.iterdir()] == ["grubenv"]


def test_an_environment_that_cannot_be_read_is_slot_a_and_is_written_again(machine: GrubMachine) -> None:
    machine.environment_file.write_bytes(b"")
    assert machine.call("is-trial")[0] == 1, "the machine would be restarted every five minutes"
    assert machine.call("set-primary", "B")[0] == 0
    assert machine.read_settings() == ["default=A", "try=B"]


def test_the_version_before_is_not_overwritten_during_a_trial(machine: GrubMachine) -> None:
    machine.run_slot("B")
    before = machine.environment_file.read_bytes()
    assert machine.call("set-state", "A", "bad")[0] != 0
    assert machine.environment_file.read_bytes() == before


class Stick:
    """A USB stick in a machine whose installation of an upgrade takes for ever."""

    def __init__(self, folder: Path, programs: Path) -> None:
        self.folder, self.run, self.asked, self.ready = (folder / name for name in ("stick", "run", "asked", "ready"))
        self.folder.mkdir()
        self.run.mkdir()
        os.mkfifo(self.ready)
        (folder / "rauc.conf").write_text("[system]\ncompatible=board-game-companion-pi\n")
        self.environment = {
            "PATH": f"{programs}:{os.environ['PATH']}",
            "RUNTIME_DIRECTORY": str(self.run),
            "COMPANION_RAUC_CONF": str(folder / "rauc.conf"),
            "COMPANION_BOOT_SLOT": "false",
            "ASKED": str(self.asked),
            "READY": str(self.ready),
            "BUNDLE_VERSION": "9.1",
        }

    def upgrade_from(self, running: str, version: str) -> None:
        """Put the upgrade to a version on the stick of a machine that runs another one."""
        (self.folder / f"board-game-companion-{version}-pi.raucb").touch()
        self.environment["BUNDLE_VERSION"] = version
        (self.run / "os-release").write_text(f'IMAGE_VERSION="{running}"\n')
        self.environment["COMPANION_OS_RELEASE"] = str(self.run / "os-release")

    def plug_in(self, uptime: float) -> None:
        """Plug in the stick at this uptime of the machine, in seconds; nothing is installed."""
        self.set_uptime(uptime)
        subprocess.run(["sh", SCRIPTS / "apply-upgrade", self.folder], env=self.environment, check=True)

    def set_uptime(self, seconds: float) -> None:
        (self.run / "uptime").write_text(f"{seconds:.2f} 4711.08\n")
        self.environment["COMPANION_UPTIME"] = str(self.run / "uptime")

    def upgrade_until_installing(self) -> subprocess.Popen[bytes]:
        # A group of its own: systemd ends all processes of the unit.
        upgrade = subprocess.Popen(
            ["sh", SCRIPTS / "apply-upgrade", self.folder],
            env=self.environment,
            stdout=subprocess.DEVNULL,
            process_group=0,
        )
        assert self.ready.read_text() == "\n"
        return upgrade

    @property
    def note(self) -> str:
        return (self.run / "upgrade").read_text().strip()


@pytest.fixture
def stick(tmp_path: Path, programs: Path) -> Stick:
    return Stick(tmp_path, programs)


def test_the_highest_version_for_this_machine_is_installed_and_a_pulled_stick_is_announced(stick: Stick) -> None:
    for name in ("0.9.0-pi", "0.10.0-pi", "0.10.0-virt"):
        (stick.folder / f"board-game-companion-{name}.raucb").touch()
    upgrade = stick.upgrade_until_installing()
    assert stick.note == "installing 9.1"
    os.killpg(upgrade.pid, signal.SIGTERM)
    assert upgrade.wait() == 1
    assert stick.note == "failed 9.1"
    assert stick.asked.read_text().split() == [str(stick.folder / "board-game-companion-0.10.0-pi.raucb")]


@pytest.mark.parametrize(
    "versions",
    [
        ("0.9.9", "1.0.0.dev2", "1.0.0a9", "1.0.0a10", "1.0.0b1", "1.0.0rc1.dev3", "1.0.0rc1", "1.0.0rc2", "1.0.0"),
        ("1.0.0", "1.0.0.post1", "1.0.1b1", "1.0.1", "1.0.10"),
    ],
)
def test_versions_have_the_order_of_python_packages(stick: Stick, versions: tuple[str, ...]) -> None:
    """PEP 440; the highest one is looked at, and those below it are older."""
    for count, version in enumerate(versions, 1):
        stick.upgrade_from("99", version)
        stick.plug_in(100 * count)
        assert stick.note == f"older {version}"
        assert stick.asked.read_text().split()[-1] == str(stick.folder / f"board-game-companion-{version}-pi.raucb")
    for older, newer in itertools.pairwise(versions):
        stick.upgrade_from(newer, older)
        stick.plug_in(1000)
        assert stick.note == f"older {older}"
        stick.upgrade_from(older, newer)
        end_upgrade(stick.upgrade_until_installing())
        assert stick.note == f"failed {newer}"


def test_a_bundle_with_a_tilde_in_its_name_is_found(stick: Stick) -> None:
    stick.upgrade_from("99", "1.0.0")
    stick.upgrade_from("99", "1.0.1~test")
    stick.plug_in(100)
    assert stick.note == "older 1.0.1~test"


def end_upgrade(upgrade: subprocess.Popen[bytes]) -> None:
    os.killpg(upgrade.pid, signal.SIGTERM)
    upgrade.wait()


def test_a_stick_that_reconnects_by_itself_is_not_plugged_in_twice(stick: Stick) -> None:
    stick.upgrade_from("1.0.0", "0.9.0")
    for uptime in (8.0, 8.4, 10.5, 12.99, 14.0, 16.5, 18.0):  # a contact that comes and goes
        stick.plug_in(uptime)
        assert stick.note == "older 0.9.0"
    stick.set_uptime(21.0)  # people take longer
    end_upgrade(stick.upgrade_until_installing())
    assert stick.note == "failed 0.9.0"


def test_the_wait_ends_when_the_stick_is_plugged_in_not_when_it_has_been_read(stick: Stick, programs: Path) -> None:
    stick.upgrade_from("1.0.0", "0.9.0")
    stick.plug_in(8.0)
    stick.set_uptime(10.0)
    (programs / "rauc").write_text(RAUC.replace("    info) ", '    info) echo "20.00 4711.08" >$COMPANION_UPTIME; '))
    subprocess.run(["sh", SCRIPTS / "apply-upgrade", stick.folder], env=stick.environment, check=True, timeout=30)
    assert stick.note == "older 0.9.0"


def test_people_are_told_the_wait_of_the_script() -> None:
    assert "\nSECONDS_TO_CONFIRM=5 " in (SCRIPTS / "apply-upgrade").read_text()
    assert "5 s" in UPGRADE_NOTICES[UpgradeState.OLDER]
    for page in ("security.md", "build/card-image.md"):
        assert "five seconds" in (REPOSITORY / "docs" / page).read_text(encoding="utf-8")


def test_an_upgrade_waits_until_the_running_version_is_kept(stick: Stick, tmp_path: Path) -> None:
    (stick.folder / "board-game-companion-9.1-pi.raucb").touch()
    trial, slept = tmp_path / "trial", tmp_path / "slept"
    trial.touch()
    boot_slot, sleep = tmp_path / "boot-slot", tmp_path / "kept-meanwhile"
    boot_slot.write_text(f'#!/bin/sh\n[ "$1" = is-trial ] && [ -e {trial} ]\n')
    sleep.write_text(f"#!/bin/sh\ncp {stick.run}/upgrade {slept} 2>/dev/null || echo none >{slept}\nrm {trial}\n")
    for script in (boot_slot, sleep):
        script.chmod(0o755)
    stick.environment |= {"COMPANION_BOOT_SLOT": str(boot_slot), "COMPANION_SLEEP": str(sleep)}
    upgrade = stick.upgrade_until_installing()
    os.killpg(upgrade.pid, signal.SIGTERM)
    upgrade.wait()
    assert slept.read_text() == "none\n", "nothing was installed during the trial"


@pytest.mark.parametrize(
    ("running", "version", "is_older"),
    [
        *(("9.2", "9.1", True), ("10.0+a", "9.1", True), ("9.0", "9.1", False), ("0.9.1", "9.1", False)),
        # The proof of the card image changes between these.
        *((GOOD, BACK, False), (BACK, GOOD, False), (GOOD, BROKEN, False)),
    ],
)
def test_an_older_version_is_installed_only_if_people_plug_it_in_twice(
    stick: Stick, running: str, version: str, is_older: bool
) -> None:
    stick.upgrade_from(running, version)
    if is_older:
        stick.plug_in(100)
        assert stick.note == f"older {version}"
    stick.set_uptime(110)
    upgrade = stick.upgrade_until_installing()
    assert stick.note == f"installing {version}"
    end_upgrade(upgrade)


@pytest.mark.parametrize(
    ("serial", "kept", "name"),
    [
        ("10000000abcdef12\0", "", "companion-cdef12"),
        ("10000000abcdef12\0", "attic\n", "attic"),
        ("", "", "companion-[0-9a-f]{6}"),
        ("0000000000000000\0", "", "companion-[0-9a-f]{6}"),
    ],
)
def test_each_box_names_itself_and_keeps_its_name(serial: str, kept: str, name: str, tmp_path: Path) -> None:
    place, hostname = tmp_path / "name", tmp_path / "hostname"
    if kept:
        place.write_text(kept)
    if serial:
        (tmp_path / "serial-number").write_text(serial)
    names = {"COMPANION_NAME": place, "COMPANION_TREE": tmp_path, "COMPANION_HOSTNAME": hostname}
    found = []
    for _ in range(2):
        subprocess.run(["sh", SCRIPTS / "name-machine"], check=True, env=os.environ | names)
        found.append(hostname.read_text())
    assert re.fullmatch(f"{name}\n", found[0])
    assert found[0] == found[1]


@pytest.mark.parametrize(("number", "chosen"), [(2, "root-a"), (3, "root-b")])
def test_the_root_is_that_of_the_partition_that_started(number: int, chosen: str, tmp_path: Path) -> None:
    (tmp_path / "chosen/bootloader").mkdir(parents=True)
    (tmp_path / "chosen/bootloader/partition").write_bytes(number.to_bytes(4, "big"))
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/cat").symlink_to("/bin/cat")  # the RAM disk has few programs, neither od nor tr
    parameters = tmp_path / "param.conf"
    names = {"PATH": tmp_path / "bin", "COMPANION_TREE": tmp_path, "COMPANION_PARAMETERS": parameters}
    made = subprocess.run(["/bin/sh", SCRIPTS / "choose-root", ""], check=True, env=names, capture_output=True)
    assert (parameters.read_text(), made.stderr) == (f"ROOT=@{chosen}@\n", b"")


@pytest.mark.parametrize(
    ("free_sectors", "calls"), [(131_073, ["sfdisk locked", "sfdisk locked", "partx locked open"]), (131_072, [])]
)
def test_the_data_partition_grows_and_never_disappears(free_sectors: int, calls: list[str], tmp_path: Path) -> None:
    for name, text in (("sfdisk", LOCK_PROBE), ("partx", LOCK_PROBE), ("udevadm", "#!/bin/sh\n")):
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    partition = tmp_path / "sys/mmcblk0/mmcblk0p7"
    partition.mkdir(parents=True)
    for name, number in (("partition", 7), ("start", 8000), ("size", 1000), ("../size", 9000 + free_sectors)):
        (partition / name).write_text(f"{number}\n")
    (tmp_path / "blocks").mkdir()
    (tmp_path / "blocks/mmcblk0p7").symlink_to(partition)
    (tmp_path / "dev").mkdir()
    for name in ("mmcblk0", "mmcblk0p7"):
        (tmp_path / "dev" / name).touch()
    (tmp_path / "data").symlink_to("dev/mmcblk0p7")
    noted = tmp_path / "calls"
    names = {
        "PATH": f"{tmp_path}:{os.environ['PATH']}",
        "COMPANION_BLOCKS": str(tmp_path / "blocks"),
        "DISK": str(tmp_path / "dev/mmcblk0"),
        "PARTITION": str(tmp_path / "dev/mmcblk0p7"),
        "CALLS": str(noted),
    }
    subprocess.run(["sh", SCRIPTS / "grow-data", tmp_path / "data"], check=True, env=names)
    assert (noted.read_text().splitlines() if noted.exists() else []) == calls
