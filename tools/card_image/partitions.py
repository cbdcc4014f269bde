"""The partitions of a card image, each as a file, and the disk that they make."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from card_image.pi_boards import DEBIAN_OVERLAYS, find_release
from card_image.pi_parts import build_overlay
from card_image.recipe import DISK_NUMBER, IMAGE_FILES, PARTITIONS, Recipe, Target, make_identifier, make_volume_number
from card_image.root_commands import run, run_in_root

MIB = 1024 * 1024
SECTOR_BYTES = 512
SLOT_BOOT_MIB, SLOT_ROOT_MIB, START_MIB, DATA_MIB = 256, 1024, 64, 64
FIRST_PARTITION_MIB, LOGICAL_GAP_MIB = 4, 1
DATA_TYPE = "85d8ef7b-7bf8-559a-b441-962af1d67780"
"""GPT type of the data partition, also in systemd/image/data.repart."""
DEBIAN_KERNEL_SETTINGS = b"upstream_kernel=1\n"
DEBIAN_PICTURE_MEMORY = " cma=160M"
"""For cmdline.txt: Linux's device trees leave a Pi 64 MB for pictures. The console's and two of SDL's take 100 MB on a
television with 3840x2160, those of a ribbon camera some 30. More would be less for the kernel on a board with 512 MB.
Raspberry Pi's overlay of the screen reserves its own."""
PI_KERNEL_SETTINGS = b"camera_auto_detect=1\ndtparam=audio=on\ndtoverlay=vc4-kms-v3d\n"
"""For config.txt: Debian's device trees name the screen's driver themselves, and Debian has no overlay for it."""


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
        memory = "" if recipe.pi_archive else DEBIAN_PICTURE_MEMORY
        files["cmdline.txt"] = recipe.target.fill_in(f"root=@root-a@ @COMMAND_LINE@{memory}\n").encode()
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
    """Squeeze the root into a read-only file system. It holds nothing of the boot partition."""
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
            "usr/lib/raspi-firmware",
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
