"""Build what Debian lacks for the card image of a Raspberry Pi: lgpio, the module for trial starts, an overlay.

All is compiled once, in a root of its own that has the compiler, and kept in the work folder. Nothing of the compiler
comes into the image.
"""

from __future__ import annotations

import hashlib
import shutil
import sys
from pathlib import Path

from card_image.pi_boards import TRYBOOT_MODULE, find_release
from card_image.root_commands import install_packages, replace_slow_programs, run, run_in_root

LGPIO = "lgpio==0.2.2.0 --hash=sha256:11372e653b200f76a0b3ef8a23a0735c85ec678a9f8550b9893151ed0f863fff\n"
"""Its source distribution on PyPI, which brings the library in C. Debian has no package of it."""
COMPILERS = (
    *("gcc", "make", "libc6-dev", "swig", "python3-dev", "python3-pip", "python3-setuptools", "python3-wheel"),
    "linux-headers-{release}",
)
NO_BTF = "CONFIG_DEBUG_INFO_BTF_MODULES="
"""For make: type information, which needs one more program."""
MODULE_MAKEFILE = f"obj-m := {TRYBOOT_MODULE}.o\n"


def fetch_lgpio(folder: Path) -> None:
    """Fetch lgpio's source distribution into a folder."""
    wanted = folder / "lgpio.txt"
    wanted.write_text(LGPIO, encoding="utf-8")
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary=:all:", "--require-hashes"]
    run(*pip, "--dest", folder, "--requirement", wanted)


def build_parts(base: Path, image_files: Path, work: Path) -> Path:
    """Return a folder with lgpio's wheel and TRYBOOT_MODULE.ko for the kernel in `base`; both are built if need be.

    Args:
        base: tar file of the image's packages.
        image_files: systemd/image.
        work: keeps the folder.
    """
    source = image_files / f"{TRYBOOT_MODULE}.c"
    digest = hashlib.sha256(f"{base.name} {LGPIO} {COMPILERS}".encode() + source.read_bytes()).hexdigest()[:8]
    parts = work / f"parts-{digest}"
    if parts.exists():
        return parts
    root, made = work / "parts-root", parts.with_suffix(".part")
    for folder in (root, made):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    run("tar", "--extract", "--numeric-owner", "--xattrs", "--file", base, "--directory", root)
    release = find_release(root)
    module = root / "usr/src/tryboot"
    module.mkdir(parents=True)
    fetch_lgpio(module)
    shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")
    with replace_slow_programs(root):
        install_packages(root, [name.format(release=release) for name in COMPILERS])
    wheel = "env PYPI=1 python3 -m pip wheel -q --no-deps --no-build-isolation --wheel-dir . lgpio-*.tar.gz"
    run_in_root(root, "sh", "-ec", f"cd /usr/src/tryboot; {wheel}")
    shutil.copy(source, module)
    (module / "Makefile").write_text(MODULE_MAKEFILE, encoding="utf-8")
    run_in_root(root, "make", "-C", f"/usr/lib/modules/{release}/build", "M=/usr/src/tryboot", NO_BTF, "modules")
    for place in (*module.glob("*.whl"), module / f"{TRYBOOT_MODULE}.ko"):
        shutil.copy(place, made)
    shutil.rmtree(root)
    made.rename(parts)
    return parts


def add_parts(root: Path, parts: Path) -> None:
    """Add the wheel to the program's own environment, and the module to the kernel."""
    (packages,) = root.glob("opt/companion/versions/*/lib/python3*/site-packages")
    (wheel,) = parts.glob("*.whl")
    shutil.unpack_archive(wheel, packages, "zip")
    release = find_release(root)
    updates = root / "usr/lib/modules" / release / "updates"
    updates.mkdir(exist_ok=True)
    shutil.copy(parts / f"{TRYBOOT_MODULE}.ko", updates)
    (root / "etc/modules-load.d").mkdir(exist_ok=True)
    (root / f"etc/modules-load.d/{TRYBOOT_MODULE}.conf").write_text(f"{TRYBOOT_MODULE}\n", encoding="utf-8")
    run_in_root(root, "depmod", release)


def build_overlay(image_files: Path, name: str, work: Path) -> Path:
    """Compile an overlay of systemd/image: NAME.dts to NAME.dtbo."""
    made = work / f"{name}.dtbo"
    run("dtc", "-q", "-@", "-I", "dts", "-O", "dtb", "-o", made, image_files / f"{name}.dts")
    return made
