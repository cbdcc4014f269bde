"""Build a card image of the appliance, and the signed bundle that upgrades one, with Debian's own tools.

    sudo python tools/make_image.py [--target virt|pi] [--version NAME] [--mirror ADDRESS]
        [--pi-archive ADDRESS --pi-key FILE] [--key FILE --certificate FILE] [--work FOLDER] [--out FOLDER] [--fast]

`virt` is Debian arm64 for `qemu-system-aarch64 -M virt` (and other machines with UEFI); `pi` is for the boards of
card_image/pi_boards.py and was never started on one. Both are made by the same steps: Debian's packages (mmdebstrap),
the program by `systemd/install.sh`, the files of `systemd/image`, and one disk, with a GPT for `virt` and an MBR for
`pi`. For `pi` the kernel is that of Debian's backports, lgpio and a kernel module are compiled by
card_image/pi_parts.py, and the build ends with a list of what is missing if the image lacks something that a board
needs.

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

import json
import os
import shutil
import subprocess
import tomllib
from argparse import ArgumentParser
from collections.abc import Callable, Iterable
from pathlib import Path

from card_image.bill_of_materials import build_bill, hash_files, write_sums
from card_image.partitions import (
    SLOT_BOOT_MIB,
    START_MIB,
    assemble_disk,
    list_boot_files,
    list_start_files,
    make_data_image,
    make_fat,
    make_root_image,
)
from card_image.pi_boards import find_missing, find_release
from card_image.recipe import PROJECT, TARGETS, Recipe
from card_image.root_commands import build_root_command, run
from card_image.root_file_system import ROOT_STEPS, add_image_files, build_root, write_version
from card_image.upgrade_bundle import make_bundle, make_key
from steps import Steps

PROGRAMS = (
    *("mmdebstrap", "arch-test", "mksquashfs", "rauc", "openssl", "xz"),
    *("sgdisk", "mkfs.vfat", "mcopy", "mke2fs"),
)
"""Programs that the build calls."""
PI_PROGRAMS = ("sfdisk", "dtc")
"""Further ones for a Pi's image."""
PACK_STEPS = 6
"""Number of steps that `pack` announces."""


def compress(disk: Path) -> Path:
    """Compress the disk as xz, on all cores, in blocks of fixed size so that the result is always the same."""
    run("xz", "--force", "--keep", "--threads=0", "--block-size=64MiB", "-6", disk)
    return disk.with_suffix(".img.xz")


def pack(recipe: Recipe, begin: Callable[[str], None] = lambda _step: None) -> Path:
    """Make the disk and the bundle from the root file system; return the disk.

    Args:
        recipe: what is made.
        begin: announces PACK_STEPS steps, the last one only without `recipe.fast`.
    """
    begin("make the boot partitions")
    recipe.out.mkdir(parents=True, exist_ok=True)
    write_version(recipe)
    files = list_boot_files(recipe)
    if recipe.target.name == "pi":
        check_root(recipe, files)
    boot = make_fat(recipe, "boot.img", "BOOT", SLOT_BOOT_MIB, files)
    start = make_fat(recipe, "start.img", "START", START_MIB, list_start_files(recipe))
    begin("squeeze the root file system")
    root, data = make_root_image(recipe), make_data_image(recipe)
    begin("assemble the disk")
    disk = assemble_disk(recipe, {"start": start, "boot-a": boot, "root-a": root, "data": data})
    begin("sign the upgrade")
    bundle = make_bundle(recipe, boot, root)
    begin("write the bill of materials and the hashes")
    bill, hashes = recipe.out / f"{recipe.name}.spdx.json", recipe.out / f"{recipe.name}.files.json"
    bill.write_text(json.dumps(build_bill(recipe), indent=1) + "\n", encoding="utf-8")
    hashes.write_text(json.dumps(hash_files(recipe.root), indent=0) + "\n", encoding="utf-8")
    if not recipe.fast:
        begin("squeeze the disk")
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


def build_parser() -> ArgumentParser:
    """Build the parser of the command line."""
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
    return parser


def read_recipe() -> tuple[Recipe, bool]:
    """Read the recipe from the command line, and whether the root of the last build is packed again."""
    parser = build_parser()
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
    steps = Steps((1 if keeps_root else ROOT_STEPS) + PACK_STEPS - recipe.fast)
    if keeps_root:
        steps.begin("add the image's files to the root of the last build")
        add_image_files(recipe)
    else:
        build_root(recipe, steps.begin)
    disk = pack(recipe, steps.begin)
    print(f"{disk.parent}: {recipe.name}: image, upgrade (.raucb), bill of materials, hashes")


if __name__ == "__main__":
    main()
