"""The root file system of a card image: Debian's packages, the program by its installer, the files of systemd/image."""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from card_image.pi_boards import find_release
from card_image.pi_parts import add_parts, build_parts
from card_image.recipe import ARCHITECTURE, IMAGE_FILES, PACKAGES, PROJECT, SUITE, Recipe
from card_image.root_commands import build_root_command, install_packages, replace_slow_programs, run, run_in_root

MASKED_UNITS = (
    *("getty@.service", "serial-getty@.service", "autovt@.service"),
    *("apt-daily.timer", "apt-daily-upgrade.timer", "dpkg-db-backup.timer", "e2scrub_all.timer"),
)
"""No login prompt: nobody has a password, and the screen is the companion's. No packages: the root is read-only."""

PI_KEYRING = "/etc/apt/keyrings/raspberrypi"
"""In the image, the key of Raspberry Pi's archive, without its ending."""
UNREAD_FOLDERS = ("usr/share/info", "usr/share/locale", "usr/share/man")
"""Debian's manuals and translations: nobody can log in, and the program brings its own words along."""

UNITS = (
    *("companion-confirm.service", "companion-take-back.service", "companion-take-back.timer"),
    *("companion-restart.path", "companion-restart.service", "companion-upgrade@.service", "companion-name.service"),
)

ROOT_STEPS = 5
"""Number of steps that `build_root` announces."""


def list_sources(recipe: Recipe) -> list[str]:
    """List the lines of sources.list: Debian's suites, and Raspberry Pi's archive with its key."""
    components = recipe.target.components.replace(",", " ")
    sources = [f"deb {recipe.mirror} {suite} {components}" for suite in recipe.target.suites]
    if recipe.pi_archive:
        sources.append(f"deb [signed-by={recipe.pi_key}] {recipe.pi_archive} {SUITE} main")
    return sources


def list_base_packages(recipe: Recipe) -> list[str]:
    """List the packages of the base, as apt takes them."""
    packages = [*PACKAGES, *recipe.target.packages]
    if recipe.pi_archive:
        packages = ["linux-image-rpi-v8" if name.startswith("linux-image-") else name for name in packages]
    return packages


def fetch_base(recipe: Recipe) -> Path:
    """Return Debian's packages for the target as a tar file, which is kept for later builds."""
    sources, packages = list_sources(recipe), list_base_packages(recipe)
    digest = hashlib.sha256(" ".join([*sources, *packages]).encode()).hexdigest()[:8]
    base = recipe.work / f"base-{recipe.target.name}-{digest}.tar"
    if not base.exists():
        part = base.with_suffix(".part")
        command = ["mmdebstrap", "--mode=root", f"--arch={ARCHITECTURE}", "--variant=minbase", "--format=tar"]
        command += [
            "--dpkgopt=force-unsafe-io",
            "--skip=cleanup/apt/lists",
            f"--include={','.join(packages)}",
            SUITE,
            str(part),
            *sources,
        ]
        run(*command, environment={"INITRD": "No"})  # `tidy_root` makes the RAM disk
        part.rename(base)
    return base


def fetch_wheels(recipe: Recipe) -> Path:
    """Return a folder with PyPI's packages that Debian lacks, in the locked versions."""
    folder = recipe.work / "wheels"
    locked = re.findall(r"(?m)^([\w.-]+)==(\S+)", (PROJECT / "systemd/requirements.txt").read_text(encoding="utf-8"))
    wanted = [f"{name}=={version}" for name, version in locked if name in {"gpiozero", "colorzero"}]
    if not folder.is_dir():
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
        run(*pip, "--python-version", "3.13", "--dest", folder.with_suffix(".part"), *wanted)
        folder.with_suffix(".part").rename(folder)
    return folder


def build_root(recipe: Recipe, begin: Callable[[str], None]) -> None:
    """Build the root file system: Debian's packages, the program by its installer, and the files of an image.

    Args:
        recipe: what is built.
        begin: announces ROOT_STEPS steps.
    """
    begin("fetch Debian's packages")
    root, base = recipe.root, fetch_base(recipe)
    begin("fetch the wheels")
    wheels = fetch_wheels(recipe)
    begin("unpack Debian")
    if root.exists():
        shutil.rmtree(root)
    root.mkdir(parents=True)
    run("tar", "--extract", "--numeric-owner", "--xattrs", "--file", base, "--directory", root)
    if recipe.pi_key:
        trust_pi_archive(root, recipe.pi_key)
    source = root / "usr/src/companion"
    source.mkdir(parents=True)
    archive = subprocess.run(["git", "archive", "HEAD"], cwd=PROJECT, check=True, capture_output=True).stdout
    subprocess.run(["tar", "--extract", "--directory", str(source)], input=archive, check=True)
    shutil.copytree(wheels, root / "usr/src/wheels")
    shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")
    (root / "usr/sbin/policy-rc.d").write_text("#!/bin/sh\nexit 101\n")
    (root / "usr/sbin/policy-rc.d").chmod(0o755)
    installer = ("sh", "/usr/src/companion/systemd/install.sh", "--no-start", "--wheels", "/usr/src/wheels")
    begin("install the program and what it needs")
    with replace_slow_programs(root):
        install_packages(root, list_wanted_packages(root, installer))
        run_in_root(root, *installer)
    begin("add the image's own files")
    if recipe.target.name == "pi" and not recipe.pi_archive:
        add_parts(root, build_parts(base, IMAGE_FILES, recipe.work))
    add_image_files(recipe)
    tidy_root(recipe)


def list_wanted_packages(root: Path, installer: Sequence[str]) -> list[str]:
    """List the packages that the program's installer would install."""
    command = build_root_command(root, *installer, "--dry-run")
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    wanted = re.findall(r"(?m)^Installing Debian packages:(.*)$", printed)
    return wanted[0].split() if wanted else []


def trust_pi_archive(root: Path, key: Path) -> None:
    """Give the root the key of Raspberry Pi's archive: its sources name the file on the machine that builds."""
    place = PI_KEYRING + key.suffix
    (root / place[1:]).parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(key, root / place[1:])
    for sources in (root / "etc/apt/sources.list", *(root / "etc/apt/sources.list.d").glob("*.list")):
        text = sources.read_text(encoding="utf-8")
        sources.write_text(text.replace(f"signed-by={key}", f"signed-by={place}"), encoding="utf-8")


def make_link(place: Path, target: str) -> None:
    """Make a symbolic link in the place of what is there."""
    place.parent.mkdir(exist_ok=True)
    place.unlink(missing_ok=True)
    place.symlink_to(target)


def add_image_files(recipe: Recipe) -> None:
    """Add the units and settings of `systemd/image`: partitions, slots, upgrades, a console without a login."""
    root = recipe.root
    library, units = root / "usr/lib/companion-image", root / "etc/systemd/system"
    library.mkdir(parents=True, exist_ok=True)
    for name in ("apply-upgrade", "boot-slot", "name-machine", "restart-into-upgrade"):
        shutil.copy(IMAGE_FILES / name, library / name)
        (library / name).chmod(0o755)
    for name in UNITS:
        shutil.copy(IMAGE_FILES / name, units / name)
    copies = {
        "fstab": "etc/fstab",
        "rauc.conf": "etc/rauc/system.conf",
        "rauc-slot.conf": "etc/systemd/system/rauc.service.d/slot.conf",
        "companion.conf": "etc/systemd/system/companion.service.d/image.conf",
        "tmpfiles.conf": "usr/lib/tmpfiles.d/companion-image.conf",
        "upgrade.conf": "etc/systemd/system/companion-stick@.service.d/upgrade.conf",
        "watchdog.conf": "etc/systemd/system.conf.d/watchdog.conf",
    }
    if recipe.target.has_gpt:
        copies["data.repart"] = "etc/repart.d/50-data.conf"
    else:
        copies["grow-data"] = "usr/lib/companion-image/grow-data"
        copies["companion-grow-data.service"] = "etc/systemd/system/companion-grow-data.service"
        copies["choose-root"] = "etc/initramfs-tools/scripts/local-top/choose-root"
    for name, place in copies.items():
        (root / place).parent.mkdir(parents=True, exist_ok=True)
        text = recipe.target.fill_in((IMAGE_FILES / name).read_text(encoding="utf-8"))
        (root / place).write_text(text, encoding="utf-8")
    shutil.copy(recipe.certificate, root / "etc/rauc/keyring.pem")
    make_link(units / "timers.target.wants/companion-take-back.timer", "/etc/systemd/system/companion-take-back.timer")
    make_link(units / "multi-user.target.wants/companion-restart.path", "/etc/systemd/system/companion-restart.path")
    make_link(units / "multi-user.target.wants/companion-name.service", "/etc/systemd/system/companion-name.service")
    if recipe.target.name == "virt":  # an emulated processor is a hundred times slower than a Pi
        slow = units / "companion.service.d/emulated.conf"
        slow.write_text("[Service]\nTimeoutStartSec=20min\nWatchdogSec=5min\n", encoding="utf-8")
    if not recipe.target.has_gpt:
        for script in ("usr/lib/companion-image/grow-data", "etc/initramfs-tools/scripts/local-top/choose-root"):
            (root / script).chmod(0o755)
        make_link(
            units / "data.mount.wants/companion-grow-data.service", "/etc/systemd/system/companion-grow-data.service"
        )
    for folder in ("data", "boot/start", "var/lib/companion", "etc/companion"):
        (root / folder).mkdir(parents=True, exist_ok=True)
    for name in MASKED_UNITS:
        make_link(units / name, "/dev/null")
    make_link(root / "var/lib/dbus/machine-id", "/etc/machine-id")
    (root / "etc/initramfs-tools/modules").write_text("squashfs\nloop\next4\nvfat\n", encoding="utf-8")


def remove_manuals(root: Path) -> None:
    """Remove Debian's manuals and translations; the licence of each package stays."""
    for name in UNREAD_FOLDERS:
        shutil.rmtree(root / name, ignore_errors=True)
        (root / name).mkdir(parents=True)
    folders = [folder for folder in (root / "usr/share/doc").iterdir() if not folder.is_symlink()]
    for place in (place for folder in folders for place in folder.glob("*")):
        if place.name == "copyright":
            continue
        if place.is_dir() and not place.is_symlink():
            shutil.rmtree(place)
        else:
            place.unlink()


def write_version(recipe: Recipe) -> None:
    """Write the image's version into /etc/os-release, where RAUC's scripts look it up."""
    place = recipe.root / "etc/os-release"
    lines = [line for line in place.read_text(encoding="utf-8").splitlines() if not line.startswith("IMAGE_")]
    place.unlink()  # a link to /usr/lib
    place.write_text("\n".join([*lines, "IMAGE_ID=board-game-companion", f'IMAGE_VERSION="{recipe.version}"', ""]))


def tidy_root(recipe: Recipe) -> None:
    """Remove what only the build needs and what differs from build to build; compile Python for a read-only root."""
    root = recipe.root
    write_version(recipe)
    for old in (*(root / "boot").glob("initrd.img-*"), *(root / "var/lib/initramfs-tools").glob("*")):
        old.unlink()
    run_in_root(root, "update-initramfs", "-c", "-k", find_release(root))
    run_in_root(root, "apt-get", "clean")
    for name in ("usr/src/companion", "usr/src/wheels", "var/lib/apt/lists", "var/log", "var/cache", "var/tmp"):
        shutil.rmtree(root / name, ignore_errors=True)
        if name.startswith("var"):
            (root / name).mkdir()
    remove_manuals(root)
    for name in ("usr/sbin/policy-rc.d", "etc/resolv.conf", "etc/hostname", "etc/machine-id", "etc/ld.so.cache~"):
        (root / name).unlink(missing_ok=True)
    (root / "etc/machine-id").touch()
    (root / "etc/hostname").write_text("companion\n")
    (root / "var/lib/dpkg/status-old").unlink(missing_ok=True)
    for backup in ("passwd-", "group-", "shadow-", "gshadow-", "subuid-", "subgid-"):
        (root / "etc" / backup).unlink(missing_ok=True)
    for note in root.glob("opt/companion/versions/*/lib/python3*/site-packages/*.dist-info/direct_url.json"):
        note.unlink()  # the folder in which this very build was made
        record = note.with_name("RECORD")
        lines = record.read_text(encoding="utf-8").splitlines(keepends=True)
        kept = [line for line in lines if "direct_url.json," not in line]
        record.write_text("".join(kept), encoding="utf-8")
    # Compiled files that name no time of their source: all times are set to that of the commit below.
    compiled = ("python3", "-I", "-m", "compileall", "-q", "-f", "-j", "0", "--invalidation-mode", "unchecked-hash")
    for folder in list(root.rglob("__pycache__")):
        shutil.rmtree(folder)
    run_in_root(root, *compiled, "/usr/lib/python3", "/usr/lib/python3.13", "/opt/companion/versions")
    secrets = (root / "etc/shadow").read_text(encoding="utf-8").splitlines()
    unlocked = [line.split(":")[0] for line in secrets if not line.split(":")[1].startswith(("*", "!"))]
    assert not unlocked, f"users that can log in: {unlocked}"
