"""What decides the content of a card image: packages, kind of machine, partitions' names, the recipe of one build."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
IMAGE_FILES = PROJECT / "systemd" / "image"
SUITE, BACKPORTS, ARCHITECTURE = "trixie", "trixie-backports", "arm64"
PACKAGES = (
    *("systemd", "systemd-sysv", "dbus", "udev", "kmod", "ca-certificates", "libpam-systemd", "python3"),
    *("initramfs-tools", "zstd", "e2fsprogs", "dosfstools", "systemd-repart", "rauc", "rauc-service"),
)
"""Debian's packages of every image; what the program needs is chosen by systemd/install.sh."""
NAMESPACE = uuid.UUID("5d1f6c0a-3f0e-4f57-9c55-8a3f3a2c7f10")
"""Of the partitions' and file systems' identifiers: the same names give the same identifiers, so builds are equal."""
PARTITIONS = ("start", "boot-a", "boot-b", "root-a", "root-b", "data")
DISK_NUMBER = uuid.uuid5(NAMESPACE, "disk").hex[:8]
"""Identifier of a disk with an MBR."""


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
