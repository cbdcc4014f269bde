"""Build a card image of the appliance, and the signed bundle that upgrades one, with Debian's own tools.

    sudo python tools/make_image.py [--target virt|pi] [--version NAME] [--mirror ADDRESS]
        [--pi-archive ADDRESS --pi-key FILE] [--key FILE --certificate FILE] [--work FOLDER] [--out FOLDER] [--fast]

`virt` is Debian arm64 for `qemu-system-aarch64 -M virt` (and other machines with UEFI); `pi` is for the boards of
pi_boards.py and was never started on one. Both are made by the same steps: Debian's packages (mmdebstrap), the program
by `systemd/install.sh`, the files of `systemd/image`, and one disk, with a GPT for `virt` and an MBR for `pi`. For `pi`
the kernel is that of Debian's backports, lgpio and a kernel module are compiled (pi_parts.py), and the build ends with
a list of what is missing if the image lacks something that a board needs.

    1 start    FAT   64 MiB   which of the two slots starts: GRUB and its environment, or the Pi's autoboot.txt
    2 boot-a   FAT  256 MiB   kernel and initial RAM disk of slot A; on a Pi its firmware too
    3 boot-b   FAT  256 MiB   the same of slot B, empty at first
    4 root-a   squashfs 1 GiB the read-only root of slot A
    5 root-b   squashfs 1 GiB the same of slot B, empty at first
    6 data     ext4  64 MiB   settings and games; grows to the end of the card at the first start

FOLDER of --out (default: build/image) gets, as NAME = board-game-companion-VERSION-TARGET: NAME.img, NAME.img.xz,
NAME.raucb (the upgrade), NAME.spdx.json (every package with its version), NAME.files.json (hash of every file of the
root), SHA256SUMS.
Needs root, Debian's mmdebstrap, qemu-user-static and arch-test (elsewhere than on arm64), squashfs-tools, dosfstools,
mtools, gdisk, e2fsprogs, rauc, xz-utils; for `pi` also fdisk and device-tree-compiler. Without --key the bundle is
signed by a key of its own, made in the work folder: an image only accepts bundles of the key that it was built with.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import uuid
from argparse import ArgumentParser
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from pi_boards import DEBIAN_OVERLAYS, find_missing, find_release
from pi_parts import add_parts, build_overlay, build_parts
from root_commands import build_root_command, install_packages, replace_slow_programs, run, run_in_root

PROJECT = Path(__file__).resolve().parent.parent
IMAGE_FILES = PROJECT / "systemd" / "image"
SUITE, BACKPORTS, ARCHITECTURE = "trixie", "trixie-backports", "arm64"
MIB = 1024 * 1024
SECTOR_BYTES = 512
SLOT_BOOT_MIB, SLOT_ROOT_MIB, START_MIB, DATA_MIB = 256, 1024, 64, 64
FIRST_PARTITION_MIB, LOGICAL_GAP_MIB = 4, 1
NAMESPACE = uuid.UUID("5d1f6c0a-3f0e-4f57-9c55-8a3f3a2c7f10")
"""Of the partitions' and file systems' identifiers: the same names give the same identifiers, so builds are equal."""
PARTITIONS = ("start", "boot-a", "boot-b", "root-a", "root-b", "data")
DISK_NUMBER = uuid.uuid5(NAMESPACE, "disk").hex[:8]
"""Identifier of a disk with an MBR."""
DATA_TYPE = "85d8ef7b-7bf8-559a-b441-962af1d67780"
"""GPT type of the data partition, also in systemd/image/data.repart."""
MASKED_UNITS = (
    *("getty@.service", "serial-getty@.service", "autovt@.service"),
    *("apt-daily.timer", "apt-daily-upgrade.timer", "dpkg-db-backup.timer", "e2scrub_all.timer"),
)
"""No login prompt: nobody has a password, and the screen is the companion's. No packages: the root is read-only."""

PROGRAMS = (
    *("mmdebstrap", "arch-test", "mksquashfs", "rauc", "openssl", "xz"),
    *("sgdisk", "mkfs.vfat", "mcopy", "mke2fs"),
)
"""Programs that the build calls."""
PI_PROGRAMS = ("sfdisk", "dtc")
"""Further ones for a Pi's image."""
PI_KEYRING = "/etc/apt/keyrings/raspberrypi"
"""In the image, the key of Raspberry Pi's archive, without its ending."""
PACKAGES = (
    *("systemd", "systemd-sysv", "dbus", "udev", "kmod", "ca-certificates", "libpam-systemd", "python3"),
    *("initramfs-tools", "zstd", "e2fsprogs", "dosfstools", "systemd-repart", "rauc", "rauc-service"),
)
"""Debian's packages of every image; what the program needs is chosen by systemd/install.sh."""

DEBIAN_KERNEL_SETTINGS = b"upstream_kernel=1\n"
PI_KERNEL_SETTINGS = b"camera_auto_detect=1\ndtparam=audio=on\ndtoverlay=vc4-kms-v3d\n"
"""For config.txt: Debian's device trees name the screen's driver themselves, and Debian has no overlay for it."""

UNITS = (
    *("companion-confirm.service", "companion-take-back.service", "companion-take-back.timer"),
    *("companion-restart.path", "companion-restart.service", "companion-upgrade@.service", "companion-name.service"),
)


@dataclass(frozen=True)
class Target:
    """A kind of machine: Debian's packages that start it, and the kernel's command line."""

    name: str
    packages: tuple[str, ...]
    components: str
    command_line: str
    suites: tuple[str, ...] = (SUITE,)
    numbers: tuple[int, ...] = (1, 2, 3, 4, 5, 6)
    """Of the partitions in `PARTITIONS`."""

    @property
    def has_gpt(self) -> bool:
        """Whether the disk has a GPT; else an MBR, whose number 4 holds those from 5 on."""
        return 4 in self.numbers

    def name_partition(self, name: str) -> tuple[str, str]:
        """Return how the kernel's command line and how a path in /dev names a partition."""
        if self.has_gpt:
            return f"PARTLABEL={name}", f"/dev/disk/by-partlabel/{name}"
        identifier = f"{DISK_NUMBER}-{self.numbers[PARTITIONS.index(name)]:02d}"
        return f"PARTUUID={identifier}", f"/dev/disk/by-partuuid/{identifier}"

    def fill_in(self, text: str) -> str:
        """Fill in what a file of systemd/image leaves open: the target, its partitions, its command line."""
        text = text.replace("@TARGET@", self.name).replace("@COMMAND_LINE@", self.command_line)
        for name in PARTITIONS:
            word, place = self.name_partition(name)
            text = text.replace(f"@{name}@", word).replace(f"@device {name}@", place)
        return text


QUIET = (
    "ro rootfstype=squashfs quiet loglevel=3 panic=10 fsck.repair=yes systemd.show_status=false "
    "vt.global_cursor_default=0"
)
"""The kernel's command line: nothing on the screen before the companion, a new start ten seconds after a crash, and
repairs of the data partition that nobody could confirm."""

TARGETS = {
    # The log goes to the serial line, where nobody can log in.
    "virt": Target(
        "virt",
        ("linux-image-arm64", "grub-efi-arm64-bin", "grub-common"),
        "main",
        f"{QUIET} console=ttyAMA0 systemd.journald.forward_to_console=1",
    ),
    # The Pi's firmware does not find the partition named in autoboot.txt on every disk with a GPT: raspberrypi/firmware
    # issue 1733, raspberrypi/rpi-eeprom issue 818.
    # Linux has the chip of a Pi 5 from 6.17 on.
    "pi": Target(
        "pi",
        (f"linux-image-arm64/{BACKPORTS}", "raspi-firmware", "fdisk"),
        "main,non-free-firmware",
        QUIET,
        (SUITE, BACKPORTS),
        (1, 2, 3, 5, 6, 7),
    ),
}


@dataclass(frozen=True)
class Recipe:
    """Everything that decides what an image holds.

    Attributes:
        epoch: time of all files, seconds since 1970: that of the commit.
        pi_archive: address of Raspberry Pi's archive, for its kernel and cameras; empty: all is Debian's.
        pi_key: the key that signs that archive.
        fast: squeeze less, and make no .img.xz: larger and much faster, for tests.
    """

    target: Target
    version: str
    epoch: int
    work: Path
    out: Path
    mirror: str
    pi_archive: str
    pi_key: Path | None
    key: Path
    certificate: Path
    fast: bool = False

    @property
    def name(self) -> str:
        """File name of the image without its ending."""
        return f"board-game-companion-{self.version}-{self.target.name}"

    @property
    def root(self) -> Path:
        """Folder with the card's root file system."""
        return self.work / self.target.name / "root"


def make_identifier(name: str) -> str:
    """Make the identifier of a partition or file system, the same for the same name."""
    return str(uuid.uuid5(NAMESPACE, name))


def make_volume_number(name: str) -> str:
    """Make the eight hexadecimal digits that identify a FAT file system."""
    return uuid.uuid5(NAMESPACE, name).hex[:8].upper()


# The root file system ---------------------------------------------------------------------------------------------


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


def build_root(recipe: Recipe) -> None:
    """Build the root file system: Debian's packages, the program by its installer, and the files of an image."""
    root, base, wheels = recipe.root, fetch_base(recipe), fetch_wheels(recipe)
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
    with replace_slow_programs(root):
        install_packages(root, list_wanted_packages(root, installer))
        run_in_root(root, *installer)
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


# Partitions and disk ----------------------------------------------------------------------------------------------


def make_fat(recipe: Recipe, name: str, label: str, mib: int, files: Mapping[str, Path | bytes]) -> Path:
    """Make a FAT file system with these files, by their path in it."""
    place = recipe.work / recipe.target.name / name
    place.unlink(missing_ok=True)
    with place.open("wb") as image:
        image.truncate(mib * MIB)
    number = make_volume_number(label)
    run("mkfs.vfat", "-F", "32" if mib >= 64 else "16", "-n", label, "-i", number, "--invariant", place)
    staged = recipe.work / recipe.target.name / "staged"
    for target in sorted(files):
        for parent in reversed(Path(target).parents[:-1]):
            subprocess.run(["mmd", "-D", "s", "-i", str(place), f"::{parent}"], check=False, capture_output=True)
        content = files[target]
        if isinstance(content, Path):
            shutil.copyfile(content, staged)
        else:
            staged.write_bytes(content)
        os.utime(staged, (recipe.epoch, recipe.epoch))
        run("mcopy", "-m", "-o", "-i", place, staged, f"::{target}")
    staged.unlink(missing_ok=True)
    return place


def list_boot_files(recipe: Recipe) -> dict[str, Path | bytes]:
    """List what starts the kernel of one slot."""
    root = recipe.root
    release = find_release(root)
    files: dict[str, Path | bytes] = {
        "vmlinuz": root / f"boot/vmlinuz-{release}",
        "initrd.img": root / f"boot/initrd.img-{release}",
    }
    if recipe.target.name == "pi":
        firmware = root / "usr/lib/raspi-firmware"
        for place in sorted(place for place in firmware.rglob("*") if place.is_file()):
            files[str(place.relative_to(firmware))] = place
        for place in sorted((root / f"usr/lib/linux-image-{release}/broadcom").glob("bcm2*.dtb")):
            files[place.name] = place
        for place in sorted((root / f"usr/lib/linux-image-{release}/overlays").glob("*")):
            files[f"overlays/{place.name}"] = place
        if not recipe.pi_archive:
            files |= {
                f"overlays/{name}.dtbo": build_overlay(IMAGE_FILES, name, recipe.work) for name in DEBIAN_OVERLAYS
            }
        settings = PI_KERNEL_SETTINGS if recipe.pi_archive else DEBIAN_KERNEL_SETTINGS
        files["config.txt"] = (IMAGE_FILES / "config.txt").read_bytes() + settings
        files["cmdline.txt"] = recipe.target.fill_in("root=@root-a@ @COMMAND_LINE@\n").encode()
    return files


def list_start_files(recipe: Recipe) -> dict[str, Path | bytes]:
    """List what chooses the slot that starts."""
    if recipe.target.name == "pi":
        # A Pi 5 takes only a partition with a config.txt for one that it can start from.
        return {
            "autoboot.txt": b"[all]\ntryboot_a_b=1\nboot_partition=2\n[tryboot]\nboot_partition=3\n",
            "config.txt": b"# The settings are on the partition that autoboot.txt names.\n",
        }
    root = recipe.root
    modules = ("part_gpt", "fat", "normal", "configfile", "linux", "loadenv", "regexp", "test", "all_video")
    made = ("grub-mkimage", "-O", "arm64-efi", "-p", "/grub", "-o", "/usr/src/grub.efi")
    run_in_root(root, *made, *modules)
    grub = (root / "usr/src/grub.efi").read_bytes()
    (root / "usr/src/grub.efi").unlink()
    lines = b"# GRUB Environment Block\ndefault=A\ntry=\n"
    text = (IMAGE_FILES / "grub.cfg").read_text(encoding="utf-8")
    return {
        "EFI/BOOT/BOOTAA64.EFI": grub,
        "grub/grub.cfg": recipe.target.fill_in(text).encode(),
        "grub/grubenv": lines.ljust(1024, b"#"),
    }


def make_root_image(recipe: Recipe) -> Path:
    """Squeeze the root into a read-only file system. It holds neither kernel nor initial RAM disk."""
    place = recipe.work / recipe.target.name / "root.img"
    place.unlink(missing_ok=True)
    level = "3" if recipe.fast else "19"
    run(
        *(
            "env",
            "--unset=SOURCE_DATE_EPOCH",
            "mksquashfs",
            recipe.root,
            place,
            "-comp",
            "zstd",
            "-Xcompression-level",
            level,
            "-noappend",
            "-quiet",
        ),
        *("-no-progress", "-all-time", str(recipe.epoch), "-mkfs-time", str(recipe.epoch), "-reproducible"),
        *(
            "-wildcards",
            "-e",
            "boot/*-arm64",
            "boot/*-v8",
            "usr/lib/modules/*/vmlinuz",
            "usr/lib/modules/*/dtb",
            "boot/firmware",
            "proc/*",
            "sys/*",
            "dev/*",
            "run/*",
            "tmp/*",
        ),
    )
    assert place.stat().st_size <= SLOT_ROOT_MIB * MIB, "the root does not fit into its partition"
    return place


def make_data_image(recipe: Recipe) -> Path:
    """Make the data partition as it is at first: settings with all defaults, no game."""
    folder, root = recipe.work / recipe.target.name / "data", recipe.root
    shutil.rmtree(folder, ignore_errors=True)
    for name in ("image", "systemd"):
        (folder / name).mkdir(parents=True)
    shutil.copytree(root / "etc/companion", folder / "settings")
    (folder / "companion").mkdir(mode=0o700)
    owner = (root / "var/lib/companion").stat()
    os.chown(folder / "companion", owner.st_uid, owner.st_gid)
    for place in [folder, *folder.rglob("*")]:
        os.utime(place, (recipe.epoch, recipe.epoch))
    place = folder.with_suffix(".img")
    place.unlink(missing_ok=True)
    seed = make_identifier("data")
    options = ("-t", "ext4", "-q", "-L", "data", "-U", seed, "-E", f"hash_seed={seed}", "-m", "1", "-d", folder)
    fixed = {"E2FSPROGS_FAKE_TIME": str(recipe.epoch)}
    run("mke2fs", *options, place, f"{DATA_MIB}M", environment=fixed)
    # mke2fs copies the times of the last access and the last change of the inode, which no program can set in a folder.
    files = ["/", *(f"/{file.relative_to(folder)}" for file in sorted(folder.rglob("*")))]
    changes = [
        f"set_inode_field {file} {field} {value}\n"
        for file in files
        for field, value in (
            ("ctime", f"@{recipe.epoch}"),
            ("ctime_extra", 0),
            ("atime", f"@{recipe.epoch}"),
            ("atime_extra", 0),
        )
    ]
    script = folder.with_suffix(".debugfs")
    script.write_text("".join(changes), encoding="utf-8")
    run("debugfs", "-w", "-f", script, place, environment=fixed)
    return place


def lay_out(target: Target) -> tuple[list[str], dict[str, int], int]:
    """Lay the partitions out.

    Returns:
        the command that writes the partition table, without the disk; or, for an MBR, sfdisk's script;
        where each partition begins, in MiB;
        the size of the disk in MiB.
    """
    sizes = (START_MIB, SLOT_BOOT_MIB, SLOT_BOOT_MIB, SLOT_ROOT_MIB, SLOT_ROOT_MIB, DATA_MIB)
    kinds = {"start": "ef00", "boot": "0700", "root": "8300", "data": DATA_TYPE}
    command = ["sgdisk", "--clear", f"--disk-guid={make_identifier('disk')}"]
    script = ["label: dos", f"label-id: 0x{DISK_NUMBER}"]
    begin, places = FIRST_PARTITION_MIB, {}
    for number, name, mib in zip(target.numbers, PARTITIONS, sizes, strict=True):
        if number > 4:
            if number == 5:
                script.append(f"4: start={begin}MiB, type=f")
            begin += LOGICAL_GAP_MIB
        sector, end = begin * MIB // SECTOR_BYTES, (begin + mib) * MIB // SECTOR_BYTES - 1
        kind = kinds[name.partition("-")[0]]
        command += [f"--new={number}:{sector}:{end}", f"--typecode={number}:{kind}", f"--change-name={number}:{name}"]
        command.append(f"--partition-guid={number}:{make_identifier(name)}")
        script.append(f"{number}: start={begin}MiB, size={mib}MiB, type={'c' if number < 4 else '83'}")
        places[name], begin = begin, begin + mib
    return (command if target.has_gpt else script), places, begin + 1


def assemble_disk(recipe: Recipe, parts: Mapping[str, Path]) -> Path:
    """Put the partitions onto one disk."""
    table, places, mib = lay_out(recipe.target)
    disk = recipe.out / f"{recipe.name}.img"
    disk.unlink(missing_ok=True)
    with disk.open("wb") as image:
        image.truncate(mib * MIB)
    if recipe.target.has_gpt:
        run(*table, disk)
    else:
        subprocess.run(["sfdisk", "--quiet", str(disk)], check=True, input="\n".join([*table, ""]).encode())
    for name, part in parts.items():
        run("dd", f"if={part}", f"of={disk}", "bs=1M", f"seek={places[name]}", "conv=notrunc,sparse", "status=none")
    return disk


# Upgrade, bill of materials ---------------------------------------------------------------------------------------


def make_key(recipe: Recipe) -> None:
    """Make a key of this work folder's own, if none was given and none is there."""
    if recipe.key.exists():
        return
    recipe.key.parent.mkdir(parents=True, exist_ok=True)
    request = ("openssl", "req", "-x509", "-newkey", "rsa:3072", "-nodes", "-days", "7300", "-subj")
    run(*request, "/CN=board game companion upgrades", "-keyout", recipe.key, "-out", recipe.certificate)
    recipe.key.chmod(0o600)


def make_bundle(recipe: Recipe, boot: Path, root: Path) -> Path:
    """Make the signed bundle that upgrades a card to this version."""
    folder = recipe.work / recipe.target.name / "bundle"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    os.link(boot, folder / "boot.img")
    os.link(root, folder / "root.img")
    (folder / "manifest.raucm").write_text(
        f"[update]\ncompatible=board-game-companion-{recipe.target.name}\nversion={recipe.version}\n\n"
        "[bundle]\nformat=verity\n\n[image.boot]\nfilename=boot.img\n\n[image.root]\nfilename=root.img\n"
    )
    bundle = recipe.out / f"{recipe.name}.raucb"
    bundle.unlink(missing_ok=True)
    # The two images are squeezed already, as far as that helps.
    squeeze = "--mksquashfs-args=-comp zstd -Xcompression-level 3"
    run("rauc", "bundle", f"--cert={recipe.certificate}", f"--key={recipe.key}", squeeze, folder, bundle)
    return bundle


def list_packages(root: Path) -> list[dict[str, str]]:
    """Read name, version, architecture and source of every installed Debian package, sorted by name."""
    text = (root / "var/lib/dpkg/status").read_text(encoding="utf-8")
    packages = []
    for block in text.split("\n\n"):
        fields = dict(re.findall(r"(?m)^([A-Z][\w-]*): (.*)$", block))
        if fields.get("Status", "").endswith(" installed"):
            packages.append({key: fields.get(key, "") for key in ("Package", "Version", "Architecture", "Source")})
    return sorted(packages, key=lambda package: package["Package"])


def list_python_packages(root: Path) -> list[tuple[str, str]]:
    """Read name and version of every Python package in the program's own environment, sorted."""
    found = []
    for place in root.glob("opt/companion/versions/*/lib/python3*/site-packages/*.dist-info/METADATA"):
        fields = dict(re.findall(r"(?m)^(Name|Version): (.*)$", place.read_text(encoding="utf-8")))
        found.append((fields["Name"], fields["Version"]))
    return sorted(set(found))


def build_bill(recipe: Recipe) -> dict[str, object]:
    """Build the bill of materials (SPDX 2.3): every package of Debian and of PyPI, with its version and address."""
    packages = [
        _describe_package(
            f"deb-{package['Package']}",
            package["Package"],
            package["Version"],
            f"pkg:deb/debian/{package['Package']}@{package['Version']}?arch={package['Architecture']}&distro={SUITE}",
        )
        for package in list_packages(recipe.root)
    ]
    packages += [
        _describe_package(f"pypi-{name}", name, version, f"pkg:pypi/{name}@{version}")
        for name, version in list_python_packages(recipe.root)
    ]
    return {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": recipe.name,
        "documentNamespace": f"https://spdx.org/spdxdocs/{make_identifier(recipe.name)}",
        "creationInfo": {"created": _format_time(recipe.epoch), "creators": ["Tool: make_image.py"]},
        "packages": packages,
        "relationships": [
            {
                "spdxElementId": "SPDXRef-DOCUMENT",
                "relationshipType": "DESCRIBES",
                "relatedSpdxElement": package["SPDXID"],
            }
            for package in packages
        ],
    }


def _describe_package(identifier: str, name: str, version: str, address: str) -> dict[str, object]:
    """Describe one package as SPDX does."""
    return {
        "SPDXID": "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", identifier),
        "name": name,
        "versionInfo": version,
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        "externalRefs": [
            {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": address}
        ],
    }


def _format_time(epoch: int) -> str:
    """Format seconds since 1970 as ISO 8601 in UTC."""
    return datetime.fromtimestamp(epoch, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def hash_files(root: Path) -> dict[str, str]:
    """Return the SHA-256 of every regular file of the root, and the target of every link, by path."""
    hashes = {}
    for place in sorted(root.rglob("*")):
        name = f"/{place.relative_to(root)}"
        if place.is_symlink():
            hashes[name] = f"-> {place.readlink()}"
        elif place.is_file():
            hashes[name] = hashlib.sha256(place.read_bytes()).hexdigest()
    return hashes


def write_sums(folder: Path, names: Iterable[str]) -> None:
    """Write SHA256SUMS of these files."""
    lines = []
    for name in sorted(names):
        with (folder / name).open("rb") as file:
            lines.append(f"{hashlib.file_digest(file, 'sha256').hexdigest()}  {name}\n")
    (folder / "SHA256SUMS").write_text("".join(lines), encoding="utf-8")


def compress(disk: Path) -> Path:
    """Compress the disk as xz, on all cores, in blocks of fixed size so that the result is always the same."""
    run("xz", "--force", "--keep", "--threads=0", "--block-size=64MiB", "-6", disk)
    return disk.with_suffix(".img.xz")


def pack(recipe: Recipe) -> Path:
    """Make the disk and the bundle from the root file system; return the disk."""
    recipe.out.mkdir(parents=True, exist_ok=True)
    write_version(recipe)
    files = list_boot_files(recipe)
    if recipe.target.name == "pi":
        check_root(recipe, files)
    boot = make_fat(recipe, "boot.img", "BOOT", SLOT_BOOT_MIB, files)
    start = make_fat(recipe, "start.img", "START", START_MIB, list_start_files(recipe))
    root, data = make_root_image(recipe), make_data_image(recipe)
    disk = assemble_disk(recipe, {"start": start, "boot-a": boot, "root-a": root, "data": data})
    bundle = make_bundle(recipe, boot, root)
    bill, hashes = recipe.out / f"{recipe.name}.spdx.json", recipe.out / f"{recipe.name}.files.json"
    bill.write_text(json.dumps(build_bill(recipe), indent=1) + "\n", encoding="utf-8")
    hashes.write_text(json.dumps(hash_files(recipe.root), indent=0) + "\n", encoding="utf-8")
    packed = disk if recipe.fast else compress(disk)
    write_sums(recipe.out, [place.name for place in (packed, bundle, bill, hashes)])
    return disk


def check_root(recipe: Recipe, boot_files: Iterable[str]) -> None:
    """Check that a Pi's root and boot partition hold what every board needs.

    Raises:
        SystemExit: something is missing, which the message names.
    """

    def call(*command: str) -> subprocess.CompletedProcess[str]:
        words = build_root_command(recipe.root, *command)
        return subprocess.run(words, check=False, capture_output=True, text=True)

    def can_import(name: str) -> bool:
        return not call("/opt/companion/current/bin/python", "-I", "-c", f"import {name}").returncode

    listed = call("lsinitramfs", f"/boot/initrd.img-{find_release(recipe.root)}").stdout.split()
    missing = find_missing(recipe.root, set(boot_files), listed, can_import, debian=not recipe.pi_archive)
    if missing:
        raise SystemExit("\n".join(["The image lacks:", *missing]))


def list_missing_programs(target: str = "virt") -> list[str]:
    """List the programs that the build for a target calls and this machine lacks."""
    programs = (*PROGRAMS, *(PI_PROGRAMS if target == "pi" else ()))
    return [name for name in programs if shutil.which(name) is None]


def read_recipe() -> tuple[Recipe, bool]:
    """Read the recipe from the command line, and whether the root of the last build is packed again."""
    parser = ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--target", choices=sorted(TARGETS), default="virt")
    parser.add_argument("--version", help="default: that of pyproject.toml with the commit")
    parser.add_argument("--mirror", default="http://deb.debian.org/debian")
    parser.add_argument("--pi-archive", default="", help="such as http://archive.raspberrypi.com/debian")
    parser.add_argument("--pi-key", type=Path, help="file with the key that signs that archive")
    parser.add_argument("--key", type=Path)
    parser.add_argument("--certificate", type=Path)
    parser.add_argument("--work", type=Path, default=Path("/var/cache/companion-roots/image"))
    parser.add_argument("--out", type=Path, default=PROJECT / "build" / "image")
    parser.add_argument("--fast", action="store_true", help="squeeze less and leave the .xz out, for tests")
    parser.add_argument("--keep-root", action="store_true", help="pack the root of the last build again")
    given = parser.parse_args()
    commit = subprocess.run(
        ["git", "log", "-1", "--format=%h %ct"], cwd=PROJECT, check=True, capture_output=True, text=True
    ).stdout.split()
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    keys = given.work / "keys"
    if (given.key is None) != (given.certificate is None):
        parser.error("--key and --certificate belong together")
    if bool(given.pi_archive) != bool(given.pi_key) or (given.pi_archive and given.target != "pi"):
        parser.error("--pi-archive and --pi-key belong together, and to --target pi")
    if os.geteuid():
        parser.error("this needs root: sudo make image")
    recipe = Recipe(
        target=TARGETS[given.target],
        version=given.version or f"{project['version']}+{commit[0]}",
        epoch=int(commit[1]),
        work=given.work.resolve(),
        out=given.out.resolve(),
        mirror=given.mirror,
        pi_archive=given.pi_archive,
        pi_key=given.pi_key.resolve() if given.pi_key else None,
        key=given.key or keys / "key.pem",
        certificate=given.certificate or keys / "certificate.pem",
        fast=given.fast,
    )
    return recipe, given.keep_root


def main() -> None:
    """Build what the command line asks for."""
    recipe, keeps_root = read_recipe()
    os.environ["SOURCE_DATE_EPOCH"] = str(recipe.epoch)
    make_key(recipe)
    if keeps_root:
        add_image_files(recipe)
    else:
        build_root(recipe)
    disk = pack(recipe)
    print(f"{disk.parent}: {recipe.name}: image, upgrade (.raucb), bill of materials, hashes")


if __name__ == "__main__":
    main()
