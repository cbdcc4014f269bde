"""The companion on a real systemd: installed, started, hung, restarted, upgraded, cut off, removed.

`make appliance-test` runs these; a machine takes seconds to boot, an installation about a minute.
"""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
from pathlib import Path

import pytest

from tests.systemd.machine import Machine

pytestmark = pytest.mark.appliance
CURRENT = "/opt/companion/current"
SWITCH_OFF = ("minus", "plus", "Return", "Return")
"""Keys from the lobby: the settings' last line, and once more OK."""


def status_is(box: Machine, *words: str) -> bool:
    """Return whether the status text (`systemctl status`) contains all of `words`."""
    text = box.show("StatusText")
    return all(word in text for word in words)


def to_the_lobby(box: Machine) -> None:
    """Go through the guided set-up by keyboard."""
    box.wait(lambda: status_is(box, ": "), "the first words")
    for _ in range(60):  # a press is lost while OpenCV is being loaded on a busy machine
        if status_is(box, "lobby"):
            break
        box.press("Return")
    box.wait(lambda: status_is(box, "lobby"), "the lobby")


def begin_a_game(box: Machine) -> None:
    """Start a game after the first start, by keyboard."""
    to_the_lobby(box)
    box.press("1", "2", "3")
    for _ in range(60):  # house rules, then the draw of the first player
        if status_is(box, ": play"):
            break
        box.press("Return")
    box.wait(lambda: status_is(box, ": play"), "the game")


def wait_for_restart(box: Machine, main: str) -> None:
    """Wait until a process other than `main` runs and is ready."""
    box.wait(lambda: box.show("MainPID") not in {main, "0"} and box.show("ActiveState") == "active", "the restart")


def list_games(box: Machine) -> list[dict[str, object]]:
    """Return all saved games, as `companion history --json` prints them."""
    games: list[dict[str, object]] = json.loads(box.run("sh", "-c", "companion history --json 2>/dev/null"))
    return games


def changed_source(box: Machine, words: str) -> str:
    """Copy a changed version of the program into the machine; return its folder there."""
    folder = box.carry_in("root/source")
    with (folder / "companion/__init__.py").open("a", encoding="utf-8") as file:
        file.write(f"\n# {words}\n")
    return "/root/source"


def test_install_play_hang_and_resume(box: Machine) -> None:
    box.boot()
    before = box.run("find", "/etc", "/opt", "/usr/local", "/var/lib", "-newer", "/wheels")

    dry = box.install("--dry-run")
    assert "would run" in dry
    assert not Path(box.root, "opt/companion").exists()
    assert box.run("find", "/etc", "/opt", "/usr/local", "/var/lib", "-newer", "/wheels") == before

    # Installed: ready, as its own user, in exactly the groups that devices belong to.
    output = box.install()
    assert "The companion is ready." in output
    assert box.show("ActiveState") == "active"
    groups = set(box.run("id", "-nG", "companion").split())
    assert groups == {"companion", "video", "render", "input", "audio", "dialout", "gpio"}
    assert box.run("stat", "-c", "%U %a", "/var/lib/companion").split() == ["companion", "700"]
    assert box.run("systemctl", "get-default").strip() == "multi-user.target"

    # A second run changes nothing and does not interrupt the program.
    main = box.show("MainPID")
    edited = box.root / "etc/companion/companion.toml"
    edited.write_text(edited.read_text(encoding="utf-8") + "# mine\n", encoding="utf-8")
    output = box.install()
    assert "The companion is already running." in output
    assert "Link:" not in output
    assert "Building" not in output
    assert box.show("MainPID") == main
    assert edited.read_text(encoding="utf-8").endswith("# mine\n")

    # The main loop hangs in mid-game: the watchdog restarts the program, and the game continues without a question.
    begin_a_game(box)
    box.wait(lambda: Path(f"/proc/{box.leader}/root/run/companion/playing").exists(), "the note of the game")
    main, status, (game,) = box.show("MainPID"), box.show("StatusText"), list_games(box)
    box.run("sh", "-c", f"kill -STOP {main}")
    wait_for_restart(box, main)
    assert "Watchdog timeout" in box.log()
    assert "Fatal Python error: Aborted" in box.log(), "the log tells where it hung"
    assert box.show("StatusText") == status, "the game continues without a question"
    assert [one["id"] for one in list_games(box)] == [game["id"]]

    # Killed with SIGKILL: the same, twice.
    box.wait(lambda: Path(f"/proc/{box.leader}/root/run/companion/playing").exists(), "the note of the game")
    main = box.show("MainPID")
    box.run("sh", "-c", f"kill -KILL {main}")
    wait_for_restart(box, main)
    assert box.show("StatusText") == status

    # A normal stop: systemd allows two seconds (TimeoutStopSec) and logs a timeout. A program that is still loading
    # OpenCV may need longer, and is killed: every move is on the disk.
    box.wait(lambda: "There is no camera" in box.log().rsplit("Starting companion", 1)[1], "the end of its loading")
    box.run("systemctl", "stop", "companion")
    assert box.show("Result") == "success", box.log("-n", "20")
    assert box.show("TimeoutStopUSec") == "2s"
    box.run("systemctl", "start", "companion")
    assert status_is(box, "resume"), "started by a person it asks whether the game goes on"
    box.press("Return")
    box.wait(lambda: status_is(box, ": play"), "the game")

    # A power loss during a game: the next start asks, too.
    box.cut()
    box.boot()
    box.wait(lambda: status_is(box, "resume"), "the question whether the game goes on")
    assert [one["id"] for one in list_games(box)] == [game["id"]]
    box.press("Return")
    box.wait(lambda: status_is(box, ": play"), "the game")


def test_upgrade_rollback_backup_and_removal(box: Machine) -> None:
    box.boot()
    box.install()
    edited = box.root / "etc/companion/companion.toml"
    first = box.run("readlink", CURRENT).strip()
    begin_a_game(box)
    (game,) = list_games(box)

    # Upgrade: the new version runs, the old one is kept for a rollback, the game is still there.
    box.install("--upgrade", source=changed_source(box, "a newer one"))
    second = box.run("readlink", CURRENT).strip()
    assert second != first
    assert box.show("ActiveState") == "active"
    assert status_is(box, "resume")
    assert {path.name for path in (box.root / "opt/companion/versions").iterdir()} == {
        Path(first).name,
        Path(second).name,
    }
    assert [one["id"] for one in list_games(box)] == [game["id"]]

    # Backup, loss of the data, and restore.
    box.run("companion-backup", "/root/kept.tar.gz")
    box.run("systemctl", "stop", "companion")
    box.run("sh", "-c", "rm -rf /var/lib/companion/* && echo spoilt >/etc/companion/companion.toml")
    box.run("companion-backup", "--restore", "/root/kept.tar.gz")
    assert box.show("ActiveState") == "active"
    assert [one["id"] for one in list_games(box)] == [game["id"]]
    assert "spoilt" not in edited.read_text(encoding="utf-8")

    # A version that does not start: the old one is restored.
    source = changed_source(box, "a broken one")
    with Path(f"{box.root}{source}", "companion/commands/run.py").open("a", encoding="utf-8") as file:
        file.write("\ndef run(args):\n    raise SystemExit('broken on purpose')\n")
    done = subprocess.run(
        box.enter(*box.installer(source)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert "going back to" in done.stdout
    assert box.run("readlink", CURRENT).strip() == second
    box.wait(lambda: box.show("ActiveState") == "active", "the old version")

    # Removal: the machine is as before, games and settings stay.
    box.install("--uninstall")
    assert box.run("systemctl", "get-default").strip() == "graphical.target"
    assert "enabled" in box.run("systemctl", "is-enabled", "getty@tty1.service")
    assert not Path(box.root, "opt/companion").exists()
    assert edited.exists()
    assert Path(box.root, "var/lib/companion/journal.sqlite3").exists()
    links = box.run("find", "/etc", "/usr/local", "-xtype", "l", "-lname", "*companion*")
    assert links == ""
    box.install("--uninstall", "--purge")
    assert not edited.exists()
    assert not Path(box.root, "var/lib/companion").exists()
    assert "no such user" in box.run("id", "companion", check=False)


AS_COMPANION = ("--reuid=companion", "--regid=companion", "--init-groups")
STICKS = "/run/media/companion"
TABLE = {"screen": (226, 0), "keys": (13, 64), "camera": (81, 0), "sound": (116, 24), "box": (166, 0), "usb": (188, 0)}
"""Character devices of a table by number; the kernel assigns the number of the GPIO device, so it is missing."""
FORBIDDEN = {"disk": (254, 0), "card": (179, 0), "tunnel": (10, 200), "serial": (4, 64), "watchdog": (10, 130)}
"""Disks and other devices that the companion must not open."""


def make_nodes(folder: Path) -> None:
    """Create device files that every user may open."""
    folder.mkdir()
    for name, (major, minor) in {**TABLE, **FORBIDDEN}.items():
        kind = stat.S_IFBLK if name in {"disk", "card"} else stat.S_IFCHR
        os.mknod(folder / name, kind, os.makedev(major, minor))
        (folder / name).chmod(0o666)


def plug_in(box: Machine, name: str) -> None:
    """A stick, as `systemd/mount-usb` would mount it; a container has no block devices."""
    folder = f"{STICKS}/{name}"
    box.run("mkdir", "-p", folder)
    user, group = (box.run("id", option, "companion").strip() for option in ("-u", "-g"))
    options = f"rw,nosuid,nodev,noexec,uid={user},gid={group},mode=700"
    box.run("mount", "-t", "tmpfs", "-o", options, "tmpfs", folder)


def test_confinement_and_endless_restarts(box: Machine) -> None:
    """The unit's restrictions hold; a program that cannot start is restarted forever with growing pauses."""
    shutil.copy(Path(__file__).with_name("probe.py"), box.root / "usr/local/lib/probe.py")
    make_nodes(box.root / "var/lib/nodes")
    box.boot()
    box.install()
    exposure = box.run("systemd-analyze", "security", "companion.service").rsplit("companion.service: ", 1)[1]
    assert float(exposure.split()[0]) <= 2.0, exposure

    drop_in = box.root / "etc/systemd/system/companion.service.d/probe.conf"
    drop_in.parent.mkdir()
    # Before the program starts: each command hangs up the console, which would end the program.
    words = "ExecStartPre=/bin/sh -c '/usr/bin/python3 /usr/local/lib/probe.py >/var/lib/companion/probe.json'"
    drop_in.write_text(f"[Service]\n{words}\n", encoding="ascii")
    box.run("systemctl", "daemon-reload")
    # The companion can write to a stick plugged in before its start and to one plugged in later.
    plug_in(box, "sda1")
    box.run("systemctl", "restart", "companion")
    plug_in(box, "sdb1")
    for stick in ("sda1", "sdb1"):
        inside = ("nsenter", "--target", box.show("MainPID"), "--mount", "setpriv", *AS_COMPANION)
        box.run(*inside, "touch", f"{STICKS}/{stick}/x")
    found = json.loads((box.root / "var/lib/companion/probe.json").read_text(encoding="utf-8"))
    refused = {"EAFNOSUPPORT", "EROFS", "EPERM", "EACCES", "ENOENT"}
    for what in ("internet", "internet 6", "/etc", "/opt", "/usr", "/boot", "other data", "home", "tun", "mount"):
        assert found[what] in refused, (what, found)
    assert {found[what] for what in ("namespace", "clock", "reboot")} == {"EPERM"}, found
    assert {found[what] for what in ("hot-plug", "data", "null", "stick")} == {"done"}, found
    devices = found["devices"]
    assert {devices.pop(name) for name in FORBIDDEN} == {"EPERM"}, found
    # There is no driver or device, but the unit allows access.
    assert set(devices) == set(TABLE), found
    assert set(devices.values()) <= {"done", "ENXIO", "ENODEV"}, found
    assert (found["capabilities"], found["no new privileges"], found["system call filter"]) == (0, "1", "2")
    assert found["user"] is True
    assert found["others"] == [], "other users' processes are not to be seen"

    drop_in.write_text("[Service]\nExecStart=\nExecStart=/bin/false\n", encoding="ascii")
    box.run("systemctl", "daemon-reload")
    box.run("systemctl", "restart", "companion", check=False)
    box.wait(lambda: "Start 4 in a row: waiting 4 s first." in box.log(), "growing pauses")
    box.wait(lambda: int(box.show("NRestarts")) >= 5, "further attempts")
    assert box.show("Result") != "start-limit-hit"
    drop_in.unlink()
    box.run("systemctl", "daemon-reload")
    box.run("systemctl", "stop", "companion")
    box.run("systemctl", "start", "companion")
    assert box.show("ActiveState") == "active"
    assert box.log("-n", "30").rsplit("Stopped", 1)[1].count("waiting") == 0, "a start by hand does not wait"

    to_the_lobby(box)
    box.press(*SWITCH_OFF[:-1])
    box.press_off(SWITCH_OFF[-1])


def test_read_only_card_is_no_failed_start(box: Machine) -> None:
    """The screen reports it and the program waits; once the card is writable a start leads to the lobby."""
    box.boot()
    box.install()
    box.run("systemctl", "stop", "companion")
    copied = "cp -a /var /root/var && mount -t tmpfs -o size=300M tmpfs /var && cp -a /root/var/. /var"
    box.run("sh", "-c", f"{copied} && mount -o remount,ro /var")
    box.run("systemctl", "start", "companion")
    assert status_is(box, "waiting: the data folder cannot be written")
    # The service's own view of /var stays as it was when it started.
    box.run("mount", "-o", "remount,rw", "/var")
    box.run("systemctl", "restart", "companion")
    to_the_lobby(box)


CUTS = ("Building version", "Writing it to the disk", "Switching to", "Link: ", "Starting the companion")
"""Messages of the installer at the start of a step; the power is cut at each of them."""


def test_power_loss_during_an_upgrade(box: Machine) -> None:
    """After a power cut at any step the next start runs a complete version, and the installer cleans up."""
    # This machine has no screen; the program becomes ready nevertheless.
    (box.root / "etc/systemd/system/multi-user.target.wants/screen.service").unlink()
    box.boot()
    box.install()
    assert "screen" in box.log()
    versions = {box.run("readlink", CURRENT).strip()}
    for cut in CUTS:
        # A version is built again until the switch to it comes before the cut; then there is a newer one.
        source = changed_source(box, f"newer {len(versions)}")
        with subprocess.Popen(
            box.enter(*box.installer(source)),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        ) as installer:
            assert installer.stdout is not None
            output = []
            for line in installer.stdout:
                output.append(line)
                if line.startswith(cut):
                    break
            else:
                pytest.fail(f"it never printed {cut!r}: {''.join(output)}")
            box.cut()
            installer.kill()
        box.boot()
        box.wait(lambda: box.show("ActiveState") == "active", f"the companion, after a cut at {cut!r}")
        version = box.run("readlink", CURRENT).strip()
        versions.add(version)
        assert (box.root / "opt/companion" / version / ".complete").exists()
    box.install(source="/root/source")
    left = [path for path in (box.root / "opt/companion/versions").iterdir() if not (path / ".complete").exists()]
    assert left == []
    assert len(versions) >= 2, "no cut came after a switch: the cuts prove too little"


def test_bookworm(old_box: Machine) -> None:
    """systemd 252 knows every key; OpenCV, pygame-ce and pydantic come as wheels, Debian's numpy stays."""
    old_box.boot()
    output = old_box.install()
    assert "systemd 252" in output
    assert "bookworm: Debian's OpenCV, pygame and pydantic are too old" in output
    assert old_box.show("ActiveState") == "active"
    assert "Unknown" not in old_box.run("journalctl", "--boot", "--no-pager", "--grep", "companion", check=False)
    exposure = old_box.run("systemd-analyze", "security", "companion.service").rsplit("companion.service: ", 1)[1]
    assert float(exposure.split()[0]) <= 2.0, exposure
    begin_a_game(old_box)
    old_box.wait(lambda: old_box.show("WatchdogUSec") == "10s", "the end of the patience that a start has")
    main, status = old_box.show("MainPID"), old_box.show("StatusText")
    old_box.run("sh", "-c", f"kill -STOP {main}")
    wait_for_restart(old_box, main)
    assert "Watchdog timeout (limit 10s)" in old_box.log()
    assert old_box.show("StatusText") == status, "the game continues without a question"
    numpy = old_box.run("/opt/companion/current/bin/python", "-I", "-c", "import numpy; print(numpy.__file__)")
    assert numpy.startswith("/usr/lib/python3"), "picamera2 was built for Debian's"
    old_box.install("--upgrade", source=changed_source(old_box, "a newer one"))
    assert status_is(old_box, "resume")
    assert len(list_games(old_box)) == 1
    old_box.install("--uninstall")
    assert not Path(old_box.root, "opt/companion").exists()
    assert Path(old_box.root, "var/lib/companion/journal.sqlite3").exists()
