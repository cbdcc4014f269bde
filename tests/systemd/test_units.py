"""The systemd units are valid and agree with the program and each other; nothing is started."""

from __future__ import annotations

import configparser
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from companion.system.appliance import UPGRADE_NOTE
from hardware.buttons.usb_box.ports import BOX_PRODUCT, BRIDGED_USB_IDS
from tests.conftest import REPOSITORY

UNITS = REPOSITORY / "systemd"
SERVICE = UNITS / "companion.service"
ANALYZE = shutil.which("systemd-analyze")
needs_analyze = pytest.mark.skipif(ANALYZE is None, reason="systemd-analyze is not installed (Debian: systemd)")
IMAGE_EXPOSURE = {
    "image/companion-confirm.service": 40,
    "image/companion-grow-data.service": 35,
    "image/companion-name.service": 29,
    "image/companion-restart.service": 43,
    "image/companion-take-back.service": 39,
    "image/companion-upgrade@.service": 42,
}
"""Exposure levels of the card image's units, in tenths, as docs/security.md has them. They are root's: they mount,
change partitions and restart the machine."""
IMAGE_KEYS = {
    "NoNewPrivileges": ["yes"],
    "RestrictSUIDSGID": ["yes"],
    "IPAddressDeny": ["any"],
    "RestrictAddressFamilies": ["AF_UNIX"],
    "LockPersonality": ["yes"],
    "MemoryDenyWriteExecute": ["yes"],
    "RestrictNamespaces": ["yes"],
    "RestrictRealtime": ["yes"],
    "KeyringMode": ["private"],
    "ProtectHostname": ["yes"],
    "SystemCallArchitectures": ["native"],
    "SystemCallFilter": [
        "@system-service @mount",
        "~@clock @cpu-emulation @debug @module @obsolete @raw-io @reboot @swap",
    ],
    "SystemCallErrorNumber": ["EPERM"],
    "UMask": ["0022"],
}
"""Values of the keys that each unit of the card image must have; many are too light to change its exposure level."""
IMAGE_KEYS_OF_UNITS = {
    # udev's news of the disk come by netlink.
    "image/companion-grow-data.service": {"RestrictAddressFamilies": ["AF_NETLINK AF_UNIX"]},
    # It names the machine, and mounts nothing.
    "image/companion-name.service": {
        "ProtectHostname": [],
        "SystemCallFilter": ["@system-service", IMAGE_KEYS["SystemCallFilter"][1]],
        "ProtectSystem": ["strict"],
        "ReadWritePaths": ["/data/image"],
        "ProtectHome": ["yes"],
        "PrivateNetwork": ["yes"],
    },
}
"""Keys of single units that differ, or that only they can have; an empty list: the unit must not have the key."""
MAX_EXPOSURE = {
    "companion.service": 20,
    "companion-porch.service": 20,
    "companion-power-off.service": 15,
    "companion-set-clock.service": 15,
    "companion-stick@.service": 50,
    **{name: measured + 1 for name, measured in IMAGE_EXPOSURE.items()},
}
"""Highest allowed exposure levels of `systemd-analyze security`, in tenths. The stick's unit is root's: it mounts."""
UNITS_TO_VERIFY = (
    "companion.service",
    "companion-porch.service",
    "companion-power-off.path",
    "companion-power-off.service",
    "companion-set-clock.path",
    "companion-set-clock.service",
)
NEWER = (
    "RestartSteps",
    "RestartMaxDelaySec",
    "MemoryKSM",
    "SetLoginEnvironment",
    "PrivatePIDs",
    "ProtectHostname=private",
)
"""Keys that systemd 252 does not support."""


def settings(name: str = "companion.service") -> dict[str, list[str]]:
    """Return the unit's settings by key, in order."""
    found: dict[str, list[str]] = {}
    for line in (UNITS / name).read_text(encoding="utf-8").splitlines():
        if "=" in line and not line.startswith(("#", ";")):
            key, _, value = line.partition("=")
            found.setdefault(key, []).append(value)
    return found


def security(unit: Path) -> tuple[int, str]:
    """Return the exit status and the output of `systemd-analyze security`; the status is 1 above MAX_EXPOSURE."""
    assert ANALYZE is not None
    most = MAX_EXPOSURE[f"image/{unit.name}" if unit.parent.name == "image" else unit.name]
    command = [ANALYZE, "security", "--offline=true", f"--threshold={most}", "--no-pager", str(unit)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def verify_units(folder: Path) -> str:
    """Return the messages of `systemd-analyze verify` for the units of a folder."""
    assert ANALYZE is not None
    command = [ANALYZE, "verify", "--man=no", *(str(folder / name) for name in UNITS_TO_VERIFY)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


@needs_analyze
@pytest.mark.parametrize("name", MAX_EXPOSURE)
def test_systemd_exposure_is_low(name: str) -> None:
    code, output = security(UNITS / name)
    assert code == 0, output
    assert "Overall exposure level" in output


def test_every_service_has_a_limit_of_exposure() -> None:
    assert {str(unit.relative_to(UNITS)) for unit in UNITS.rglob("*.service")} == set(MAX_EXPOSURE)
    page = (REPOSITORY / "docs" / "security.md").read_text(encoding="utf-8")
    assert [unit for unit in MAX_EXPOSURE if Path(unit).name.removesuffix(".service") not in page] == []
    rows = {
        row.split("`")[1]: row.split("|")[-2].strip() for row in page.splitlines() if row.startswith("| `companion-")
    }
    stated = {name: rows[Path(name).name.removesuffix(".service")] for name in IMAGE_EXPOSURE}
    assert stated == {name: f"{measured / 10:.1f}" for name, measured in IMAGE_EXPOSURE.items()}


@needs_analyze
def test_systemd_exposure_check_can_fail(tmp_path: Path) -> None:
    lax = tmp_path / "companion.service"
    kept = [
        line for line in SERVICE.read_text(encoding="utf-8").splitlines() if not line.startswith("SystemCallFilter")
    ]
    lax.write_text("\n".join(kept).replace("ProtectSystem=strict", "").replace("IPAddressDeny=any", ""))
    code, output = security(lax)
    assert code != 0, output


def list_missing_keys(name: str, unit: Mapping[str, list[str]]) -> list[str]:
    """List the required keys that a unit of the card image lacks, or has with another value."""
    required = IMAGE_KEYS | IMAGE_KEYS_OF_UNITS.get(name, {})
    return [key for key, values in required.items() if unit.get(key, []) != values]


@pytest.mark.parametrize("name", IMAGE_EXPOSURE)
def test_a_unit_of_the_card_image_has_every_required_key(name: str) -> None:
    unit = settings(name)
    assert list_missing_keys(name, unit) == []
    assert len(unit["CapabilityBoundingSet"]) == 1


@needs_analyze
def test_systemd_knows_every_key(tmp_path: Path) -> None:
    """The exit status is 0 even for unknown keys, so the output is checked; the programs are not installed here."""
    for unit in UNITS.glob("companion*.[sp]*"):
        text = re.sub(r"/opt/companion/current/(bin/python|systemd/\S+)", "/bin/true", unit.read_text(encoding="utf-8"))
        (tmp_path / unit.name).write_text(text, encoding="utf-8")
    ours = [line for line in verify_units(tmp_path).splitlines() if "companion" in line]
    assert ours == []
    for name in UNITS_TO_VERIFY:
        with (tmp_path / name).open("a", encoding="utf-8") as file:
            file.write(f"\n[Unit]\nNoSuchKeyOf-{name}=1\n")
    found = verify_units(tmp_path)
    assert [name for name in UNITS_TO_VERIFY if f"NoSuchKeyOf-{name}" not in found] == [], "the check can fail"


def test_no_key_is_newer_than_systemd_252() -> None:
    text = "\n".join(line for line in SERVICE.read_text(encoding="utf-8").splitlines() if not line.startswith("#"))
    assert [word for word in NEWER if word in text] == []


def test_unit_has_the_required_settings() -> None:
    unit = settings()
    required = {
        "Type": ["notify"],
        "Restart": ["always"],
        "StartLimitIntervalSec": ["0"],
        "TimeoutStopSec": ["2"],
        "CapabilityBoundingSet": [""],
        "IPAddressDeny": ["any"],
        "RestrictAddressFamilies": ["AF_UNIX AF_NETLINK"],
        "DevicePolicy": ["closed"],
    }
    assert {key: unit[key] for key in required} == required
    assert "getty@tty1.service" in unit["Conflicts"][0]
    assert "PrivateDevices" not in unit, "it hides all hardware"
    assert "PrivateNetwork" not in unit, "it cuts off the news of what is plugged in"


def test_devices_of_late_drivers_are_allowed_by_number() -> None:
    """systemd looks names up in /proc/devices at the start; a name that is missing then stays refused.

    Those by name are registered early: gpiochip and dma_heap by the kernel itself, media and hidraw by the modules in
    companion.modules.
    """
    allowed = [value.split()[0] for value in settings()["DeviceAllow"]]
    names = {device for device in allowed if re.fullmatch("char-[a-z].*", device)}
    assert names == {"char-gpiochip", "char-media", "char-dma_heap", "char-hidraw"}
    assert {"mc", "hid"} <= set((UNITS / "companion.modules").read_text(encoding="utf-8").splitlines())
    # Documentation/admin-guide/devices.txt of the kernel
    assert {"char-226", "char-13", "char-81", "char-116", "char-166", "char-188"} <= set(allowed)


def test_udev_rules_name_the_boards_of_the_program() -> None:
    text = (UNITS / "70-companion.rules").read_text(encoding="utf-8")
    access = ('ENV{ID_MM_DEVICE_IGNORE}="1"', 'GROUP="dialout"')
    named, ignored = set(), set()
    for vendor, products, rest in re.findall(r'idVendor\}=="(\w+)", ATTRS\{idProduct\}=="([\w|]+)"(.*)', text):
        ids = {(int(vendor, 16), int(product, 16)) for product in products.split("|")}
        ignored |= ids if all(word in rest for word in access) else set()
        named |= ids if "SYMLINK" in rest else set()
    assert ignored == BRIDGED_USB_IDS
    assert named == set(), "these chips are in many devices"
    ((product, rest),) = re.findall(r'ATTRS\{product\}=="([^"]*)"(.*)', text)
    assert product == BOX_PRODUCT
    assert all(word in rest for word in (*access, 'SYMLINK+="companion-box"'))


def test_boards_of_the_build_guide_are_known() -> None:
    """H6: Uno and CH340 Nano, FT231X."""
    assert {(0x2341, 0x0043), (0x1A86, 0x7523), (0x0403, 0x6015)} <= BRIDGED_USB_IDS


def test_user_is_in_exactly_the_required_groups() -> None:
    lines = (UNITS / "companion.sysusers").read_text(encoding="utf-8").splitlines()
    groups = {line.split()[2] for line in lines if line.startswith("m ")}
    assert groups == {"video", "render", "input", "audio", "dialout", "gpio"}


def test_unit_that_mounts_shares_the_file_systems_of_the_machine() -> None:
    """These settings give a unit a view of its own, where nobody else would see the mounted stick."""
    private = {"PrivateTmp", "PrivateDevices", "PrivateMounts", "ProcSubset", "ProtectProc", "ProtectSystem"}
    private |= {"ProtectHome", "ProtectKernelLogs", "ProtectKernelModules", "ProtectKernelTunables", "PrivateIPC"}
    private |= {"ProtectControlGroups", "ReadWritePaths", "ReadOnlyPaths", "InaccessiblePaths", "TemporaryFileSystem"}
    private |= {"BindPaths", "BindReadOnlyPaths", "PrivateNetwork", "PrivateUsers", "ProtectHostname"}
    assert private & set(settings("companion-stick@.service")) == set()


def test_service_sees_no_socket_of_other_programs() -> None:
    """test_security.py tries what the service can reach; this test needs no machine."""
    unit = settings()
    assert unit["TemporaryFileSystem"] == ["/run:ro"]
    shown = {
        path.lstrip("-") for key in ("BindPaths", "BindReadOnlyPaths") for paths in unit[key] for path in paths.split()
    }
    assert {path for path in shown if "resolv" not in path} == {
        "/run/companion",
        "/run/companion-porch",
        "/run/media",
        "/run/systemd/notify",
        "/run/systemd/timesync",
        "/run/udev",
    }


def test_porch_has_nothing_of_the_companion_but_its_socket() -> None:
    """test_porch.py tries what it can reach; this test needs no machine."""
    porch, service = settings("companion-porch.service"), settings()
    assert porch["User"] == porch["Group"] == ["companion-porch"]
    assert {"PrivateDevices", "PrivateUsers", "NoNewPrivileges", "MemoryDenyWriteExecute"} <= porch.keys()
    assert porch["ProtectSystem"] == ["strict"]
    writable = {"ReadWritePaths", "BindPaths", "StateDirectory", "CacheDirectory", "LogsDirectory", "RuntimeDirectory"}
    assert not writable & porch.keys()
    assert porch["TemporaryFileSystem"] == ["/run:ro /var:ro"]
    shown = {path.lstrip("-") for paths in porch["BindReadOnlyPaths"] for path in paths.split()}
    assert {path for path in shown if "resolv" not in path} == {"/run/companion-porch", "/run/systemd/notify"}
    assert "SupplementaryGroups" not in porch
    assert (
        next(line for line in porch["Environment"] if "COMPANION_PORCH_SOCKET" in line).split()[1]
        == (service["Environment"][-1])
    )
    text = (UNITS / "companion.sysusers").read_text(encoding="utf-8")
    assert "m companion-porch" not in text
    tmpfiles = (UNITS / "companion.tmpfiles").read_text(encoding="utf-8")
    assert "d /run/companion-porch 2750 companion companion-porch -" in tmpfiles


def test_service_and_its_user_have_no_home() -> None:
    assert settings()["Environment"][0].split()[0] == "HOME=/nonexistent"
    text = (UNITS / "companion.sysusers").read_text(encoding="utf-8")
    assert 'u companion - "Board game companion" /nonexistent\n' in text


def test_python_ignores_users_folders_wherever_it_is_started() -> None:
    starts = [settings()["ExecStart"][0], *(UNITS / "companion.sh").read_text(encoding="utf-8").splitlines()[-2:]]
    assert all("python -I" in line or "python3 -I" in line or 'python" -I' in line for line in starts), starts
    for script in ("companion-backup", "copy-journal-before-upgrade", "run-unprivileged"):
        assert (UNITS / script).read_text(encoding="utf-8").startswith("#!/usr/bin/python3 -I\n")


def test_network_camera_is_allowed_only_by_a_drop_in() -> None:
    drop_in = configparser.RawConfigParser(strict=False)
    # Keep the case of keys, as the documentation of configparser shows.
    drop_in.optionxform = str
    drop_in.read(UNITS / "network-camera.conf", encoding="utf-8")
    service = drop_in["Service"]
    assert service["RestrictAddressFamilies"] == "AF_INET AF_INET6"
    assert "any" not in service["IPAddressAllow"].split()


def test_the_service_sees_the_note_of_an_upgrade_on_a_card_image() -> None:
    """It sees no other parts of /run; a folder that is bound must be there before it starts."""
    image, folder = UNITS / "image", UPGRADE_NOTE.parent
    assert f"BindReadOnlyPaths=-{folder}\n" in (image / "companion.conf").read_text(encoding="utf-8")
    assert f"d {folder} 0755 root root -\n" in (image / "tmpfiles.conf").read_text(encoding="utf-8")
    upgrade = (image / "companion-upgrade@.service").read_text(encoding="utf-8")
    assert f"RuntimeDirectory={folder.name}\n" in upgrade
    assert str(folder) == f"/run/{folder.name}"
