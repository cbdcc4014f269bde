"""The card image's recipe, as far as it needs no root and no image: identifiers, lists, the bill of materials."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import make_image
import pytest
from card_image import pi_boards, root_file_system
from card_image.bill_of_materials import build_bill, hash_files
from card_image.partitions import MIB, assemble_disk, list_boot_files
from card_image.recipe import (
    DISK_NUMBER,
    IMAGE_FILES,
    PARTITIONS,
    TARGETS,
    Recipe,
    Target,
    make_identifier,
    make_volume_number,
)
from card_image.root_file_system import (
    list_base_packages,
    list_sources,
    remove_manuals,
    trust_pi_archive,
    write_version,
)

from tests.conftest import REPOSITORY

CARD_IMAGE = REPOSITORY / "tools/card_image"
STATUS = """Package: rauc
Status: install ok installed
Architecture: arm64
Version: 1.13-2+b1
Description: update client
 Package: a continued line is no field

Package: grub-common
Status: deinstall ok config-files
Architecture: arm64
Version: 2.12-9

Package: adduser
Status: install ok installed
Architecture: all
Version: 3.152
"""


@pytest.fixture
def recipe(tmp_path: Path) -> Recipe:
    keys = tmp_path / "keys"
    made = Recipe(
        target=TARGETS["virt"],
        version="0.2.0+abc",
        epoch=1_795_000_000,
        work=tmp_path / "work",
        out=tmp_path / "out",
        mirror="http://deb.debian.org/debian",
        pi_archive="",
        pi_key=None,
        key=keys / "key.pem",
        certificate=keys / "certificate.pem",
    )
    status = made.root / "var/lib/dpkg/status"
    status.parent.mkdir(parents=True)
    status.write_text(STATUS)
    metadata = made.root / "opt/companion/versions/1/lib/python3.13/site-packages/colorzero-2.0.dist-info/METADATA"
    metadata.parent.mkdir(parents=True)
    metadata.write_text("Metadata-Version: 2.1\nName: colorzero\nVersion: 2.0\n")
    return made


def test_the_bill_of_materials_names_what_is_installed(recipe: Recipe) -> None:
    bill = build_bill(recipe)
    assert [(package["name"], package["versionInfo"]) for package in bill["packages"]] == [
        ("adduser", "3.152"),
        ("rauc", "1.13-2+b1"),
        ("colorzero", "2.0"),
    ]
    assert bill["creationInfo"]["created"] == "2026-11-18T11:06:40Z"
    names = [package["SPDXID"] for package in bill["packages"]]
    assert names == [one["relatedSpdxElement"] for one in bill["relationships"]]
    assert json.dumps(bill) == json.dumps(build_bill(recipe))


def test_identifiers_are_the_same_in_every_build_and_differ_between_partitions() -> None:
    names = ("disk", "start", "boot-a", "boot-b", "root-a", "root-b", "data")
    assert len({make_identifier(name) for name in names}) == len(names)
    assert make_identifier("root-a") == make_identifier("root-a")
    assert len(make_volume_number("BOOT")) == 8


def test_the_hashes_name_every_file_and_link(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc/hostname").write_text("companion\n")
    (tmp_path / "bin").symlink_to("usr/bin")
    expected = hashlib.sha256(b"companion\n").hexdigest()
    assert hash_files(tmp_path) == {"/bin": "-> usr/bin", "/etc/hostname": expected}


def test_the_version_is_written_over_the_link_of_os_release(recipe: Recipe) -> None:
    (recipe.root / "usr/lib").mkdir(parents=True)
    (recipe.root / "etc").mkdir()
    (recipe.root / "usr/lib/os-release").write_text("ID=debian\n")
    (recipe.root / "etc/os-release").symlink_to("../usr/lib/os-release")
    for _ in range(2):
        write_version(recipe)
    assert (recipe.root / "etc/os-release").read_text() == (
        'ID=debian\nIMAGE_ID=board-game-companion\nIMAGE_VERSION="0.2.0+abc"\n'
    )
    assert (recipe.root / "usr/lib/os-release").read_text() == "ID=debian\n"


def test_of_manuals_and_translations_only_the_licences_stay(tmp_path: Path) -> None:
    kept = [tmp_path / f"usr/share/doc/{name}" for name in ("rauc/copyright", "zstd/copyright")]
    removed = [
        *(tmp_path / f"usr/share/{name}" for name in ("locale/de/apt.mo", "man/man1/ls.1.gz", "info/sed.info.gz")),
        *(tmp_path / f"usr/share/doc/rauc/{name}" for name in ("changelog.gz", "examples/rauc.conf")),
    ]
    for place in (*kept, *removed):
        place.parent.mkdir(parents=True, exist_ok=True)
        place.touch()
    (tmp_path / "usr/share/doc/librauc").symlink_to("rauc")  # removes nothing of where it leads
    remove_manuals(tmp_path)
    assert [place.exists() for place in kept] == [True, True]
    assert [place.exists() for place in removed] == [False] * len(removed)
    assert (tmp_path / "usr/share/man").is_dir()


def test_every_file_of_the_image_is_used_by_the_recipe() -> None:
    text = "".join(place.read_text(encoding="utf-8") for place in CARD_IMAGE.glob("*.py"))
    compiled = {f"{pi_boards.TRYBOOT_MODULE}.c", *(f"{name}.dts" for name in pi_boards.DEBIAN_OVERLAYS)}
    names = sorted(place.name for place in IMAGE_FILES.iterdir())
    assert names
    assert [name for name in names if f'"{name}"' not in text and name not in compiled] == []


def test_scripts_of_the_image_can_be_run() -> None:
    for name in ("apply-upgrade", "boot-slot", "choose-root", "name-machine", "restart-into-upgrade"):
        place = IMAGE_FILES / name
        assert os.access(place, os.X_OK)
        assert place.read_text(encoding="utf-8").startswith("#!/bin/sh\n")


@pytest.mark.skipif(shutil.which("sfdisk") is None, reason="sfdisk is not installed")
def test_a_card_for_a_pi_has_an_mbr_with_the_partitions_that_its_files_name(recipe: Recipe, tmp_path: Path) -> None:
    pi = replace(recipe, target=TARGETS["pi"], out=tmp_path)
    part = tmp_path / "part"
    part.write_bytes(b"the data partition")
    disk = assemble_disk(pi, {"data": part})
    printed = subprocess.run(["sfdisk", "--json", str(disk)], check=True, capture_output=True, text=True).stdout
    table = json.loads(printed)["partitiontable"]
    assert table["label"] == "dos"
    found = {
        f"PARTUUID={table['id'].removeprefix('0x')}-{int(row['node'].removeprefix(str(disk))):02d}": row
        for row in table["partitions"]
    }
    sizes = {name: found[pi.target.name_partition(name)[0]]["size"] * 512 // MIB for name in PARTITIONS}
    assert sizes == {"start": 64, "boot-a": 256, "boot-b": 256, "root-a": 1024, "root-b": 1024, "data": 64}
    with disk.open("rb") as file:
        file.seek(found[pi.target.name_partition("data")[0]]["start"] * 512)
        assert file.read(18) == b"the data partition"
    # The firmware looks only at primary partitions.
    assert pi.target.numbers[:3] == (1, 2, 3)


@pytest.mark.parametrize("target", TARGETS.values(), ids=lambda target: target.name)
def test_every_file_of_the_card_is_filled_in(target: Target) -> None:
    for place in sorted(IMAGE_FILES.iterdir()):
        filled = target.fill_in(place.read_text(encoding="utf-8"))
        assert not re.findall(r"@[a-z]+-?[ab]?@|@device|@[A-Z_]+@", filled), place.name


@pytest.mark.skipif(shutil.which("dtc") is None, reason="dtc is not installed")
def test_a_pis_slot_has_its_firmware_kernel_and_device_trees(recipe: Recipe) -> None:
    pi = replace(recipe, target=TARGETS["pi"])
    names = ("start4.elf", "fixup4.dat", "overlays/pi4-spidev.dtbo")
    places = [f"usr/lib/raspi-firmware/{name}" for name in names]
    trees = [board.tree for board in pi_boards.BOARDS]
    places += [f"usr/lib/linux-image-7.3-arm64/broadcom/{name}" for name in trees]
    places += ["usr/lib/modules/7.3-arm64/kernel/vc4.ko.xz", "boot/vmlinuz-7.3-arm64", "boot/initrd.img-7.3-arm64"]
    for place in places:
        (pi.root / place).parent.mkdir(parents=True, exist_ok=True)
        (pi.root / place).write_bytes(b"")
    files = list_boot_files(pi)
    overlays = {f"overlays/{name}.dtbo" for name in pi_boards.DEBIAN_OVERLAYS}
    assert set(files) == {*names, *trees, *overlays, "vmlinuz", "initrd.img", "config.txt", "cmdline.txt"}
    for content in (files["config.txt"], files["cmdline.txt"]):
        assert isinstance(content, bytes)
    settings = str(files["config.txt"]).split("\\n")
    # Each file that the settings name is there.
    assert {"kernel=vmlinuz", "initramfs initrd.img followkernel", "upstream_kernel=1"} <= set(settings)
    assert not any("dtoverlay" in line for line in settings)
    assert f"root=PARTUUID={DISK_NUMBER}-05".encode() in bytes(files["cmdline.txt"])
    found = re.search(rb" cma=(\d+)M\n", bytes(files["cmdline.txt"]))
    assert found
    assert int(found[1]) * MIB > 3 * 4 * 3840 * 2160, "three pictures of a television"


@pytest.mark.skipif(shutil.which("dtc") is None, reason="dtc is not installed")
def test_raspberry_pis_overlay_reserves_the_memory_of_the_screen_itself(recipe: Recipe) -> None:
    pi = replace(recipe, target=TARGETS["pi"], pi_archive="https://archive.raspberrypi.com/debian")
    for place in ("usr/lib/modules/7.3-arm64/kernel/vc4.ko.xz", "boot/vmlinuz-7.3-arm64", "boot/initrd.img-7.3-arm64"):
        (pi.root / place).parent.mkdir(parents=True, exist_ok=True)
        (pi.root / place).write_bytes(b"")
    assert b"cma=" not in bytes(list_boot_files(pi)["cmdline.txt"])


def test_pis_kernel_comes_from_the_backports(recipe: Recipe) -> None:
    pi = replace(recipe, target=TARGETS["pi"])
    assert list_sources(pi) == [
        "deb http://deb.debian.org/debian trixie main non-free-firmware",
        "deb http://deb.debian.org/debian trixie-backports main non-free-firmware",
    ]
    assert "linux-image-arm64/trixie-backports" in list_base_packages(pi)


def test_raspberry_pis_archive_must_be_signed_by_its_key(recipe: Recipe, tmp_path: Path) -> None:
    key = tmp_path / "raspberrypi.gpg"
    key.write_bytes(b"key")
    archive = "http://archive.raspberrypi.com/debian"
    pi = replace(recipe, target=TARGETS["pi"], pi_archive=archive, pi_key=key)
    sources = list_sources(pi)
    assert sources[-1] == f"deb [signed-by={key}] {archive} trixie main"
    packages = list_base_packages(pi)
    assert [name for name in packages if name.startswith("linux-image")] == ["linux-image-rpi-v8"]
    # The image's own apt reads the key from the image.
    (pi.root / "etc/apt/sources.list.d").mkdir(parents=True)
    (pi.root / "etc/apt/sources.list").write_text("\n".join(sources))
    trust_pi_archive(pi.root, key)
    assert (pi.root / "etc/apt/keyrings/raspberrypi.gpg").read_bytes() == b"key"
    assert "signed-by=/etc/apt/keyrings/raspberrypi.gpg]" in (pi.root / "etc/apt/sources.list").read_text()


@pytest.mark.parametrize("keeps_root", [True, False])
@pytest.mark.parametrize("fast", [True, False])
def test_each_step_of_the_build_is_announced(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, keeps_root: bool, fast: bool
) -> None:
    made = SimpleNamespace(
        target=TARGETS["virt"], epoch=1, out=tmp_path, root=tmp_path / "root", pi_key=None, name="x", fast=fast
    )
    for module, names in (
        (make_image, "make_key add_image_files write_version make_fat list_boot_files list_start_files"),
        (make_image, "make_root_image make_data_image make_bundle compress assemble_disk write_sums"),
        (root_file_system, "fetch_base fetch_wheels run run_in_root install_packages list_wanted_packages"),
        (root_file_system, "add_image_files tidy_root"),
    ):
        for name in names.split():
            monkeypatch.setattr(module, name, lambda *_args, **_options: tmp_path / "disk")
    for name in ("build_bill", "hash_files"):
        monkeypatch.setattr(make_image, name, lambda *_args: {})
    monkeypatch.setattr(make_image, "read_recipe", lambda: (made, keeps_root))
    monkeypatch.setattr(root_file_system, "replace_slow_programs", contextlib.nullcontext)
    ran = SimpleNamespace(run=lambda *_args, **_options: SimpleNamespace(stdout=b""))
    monkeypatch.setattr(root_file_system, "subprocess", ran)
    copied = SimpleNamespace(
        copytree=lambda _wheels, _to: (made.root / "usr/sbin").mkdir(), copy=lambda *_args: None, rmtree=shutil.rmtree
    )
    monkeypatch.setattr(root_file_system, "shutil", copied)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1")
    make_image.main()
    steps = [line.partition(":")[0] for line in capsys.readouterr().out.splitlines() if line.startswith("step ")]
    count = (1 if keeps_root else 5) + (5 if fast else 6)
    assert steps == [f"step {number} of {count}" for number in range(1, count + 1)]
