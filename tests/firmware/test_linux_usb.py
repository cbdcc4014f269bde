"""The simulated Pico on the USB stack of a real Linux kernel: USB/IP carries its packets to a guest in qemu.

Needs the packages qemu-system-x86, busybox-static and gcc, and a Debian kernel for amd64: installed, or unpacked
(`dpkg-deb -x linux-image-*-amd64.deb FOLDER`) into the folder that COMPANION_TEST_KERNEL names in the environment.
"""

from __future__ import annotations

import gzip
import os
import re
import shutil
import socket
import struct
import subprocess
from pathlib import Path

import pytest

from tests.firmware.host import EVENT, LEVELS, WELCOME, decode
from tests.firmware.simulator import PICO_SIMULATOR, Built

GUEST = Path(__file__).with_name("linux_guest")
NEEDED_PROGRAMS = {"qemu-system-x86_64": "qemu-system-x86", "busybox": "busybox-static", "gcc": "gcc"}
MODULES = (
    "usb/common/usb-common", "usb/core/usbcore", "usb/usbip/usbip-core", "usb/usbip/vhci-hcd", "usb/class/cdc-acm",
    "net/ethernet/intel/e1000/e1000",
)  # fmt: skip
DEVICE = "device 2e8a:000a 12 E6616408432B5C1F button box"
"""Line of the guest about the device: ids, speed in Mbit/s, serial number, name."""
VERSION, NONCE = 1, 0x2A17
"""Those of the guest's greeting."""
TIME_LIMIT = 1200.0
"""Seconds until the guest must have switched itself off; it takes twenty, and much more on a busy machine."""

pytestmark = pytest.mark.proof


def _find_kernel() -> tuple[Path, Path]:
    """Return a kernel and the folder of its drivers; skip without one."""
    root = Path(os.environ.get("COMPANION_TEST_KERNEL", "/"))
    for image in sorted(root.glob("boot/vmlinuz-*-amd64")):
        drivers = root / "lib/modules" / image.name.removeprefix("vmlinuz-") / "kernel/drivers"
        if all(drivers.joinpath(f"{module}.ko").exists() for module in MODULES):
            return image, drivers
    pytest.skip("no Debian kernel for amd64: set COMPANION_TEST_KERNEL")


def _make_initial_system(folder: Path, drivers: Path, port: int) -> Path:
    root = folder / "root"
    for name in ("bin", "proc", "sys", "dev", "modules"):
        root.joinpath(name).mkdir(parents=True)
    shutil.copy(shutil.which("busybox") or "", root / "bin/busybox")
    subprocess.run(["gcc", "-static", "-O1", "-o", root / "bin/guest", GUEST / "guest.c"], check=True)
    for module in MODULES:
        shutil.copy(drivers / f"{module}.ko", root / "modules")
    init = root / "init"
    init.write_text(GUEST.joinpath("init").read_text(encoding="utf-8").replace("@PORT@", str(port)), encoding="utf-8")
    init.chmod(0o755)
    names = "\n".join(str(path.relative_to(root)) for path in sorted(root.rglob("*")))
    archive = subprocess.run(
        ["busybox", "cpio", "-o", "-H", "newc"], input=names.encode(), cwd=root, check=True, capture_output=True
    ).stdout
    packed = folder / "initrd.gz"
    packed.write_bytes(gzip.compress(archive, 1))
    return packed


def test_linux_makes_it_a_serial_port(built_pico: Built, tmp_path: Path) -> None:
    lacking = [package for program, package in NEEDED_PROGRAMS.items() if shutil.which(program) is None]
    if lacking:
        pytest.skip(f"not installed: {' '.join(lacking)}")
    image, drivers = _find_kernel()
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    initial_system = _make_initial_system(tmp_path, drivers, port)
    # A button changes every 0.7 s of simulated time, for as long as the guest can take.
    script = tmp_path / "script"
    script.write_text(
        "".join(f"pin {700_000 * n} 3 {n % 2}\n" for n in range(1, int(TIME_LIMIT / 0.7))), encoding="utf-8"
    )
    command = [PICO_SIMULATOR / "picosim", "--usbip", str(port), "--script", script]
    with subprocess.Popen(
        [*command, built_pico.folder / "buttonbox-pico.uf2"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL
    ) as simulator:
        try:
            guest = subprocess.run(
                ["qemu-system-x86_64", "-m", "256", "-nographic", "-no-reboot",
                 "-kernel", image, "-initrd", initial_system, "-append", "console=ttyS0 quiet panic=-1",
                 "-netdev", "user,id=line", "-device", "e1000,netdev=line"],
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=True, timeout=TIME_LIMIT,
            )  # fmt: skip
        finally:
            simulator.kill()
    lines = guest.stdout.decode("utf-8", "replace").replace("\r", "").splitlines()
    assert DEVICE in lines
    assert "driver cdc_acm" in lines
    first, second = "\n".join(lines).split("closed")[:2]
    for heard in (first, second):
        frames = [decode(bytes.fromhex(line)) for line in re.findall(r"^(?:[0-9a-f]{2}){6,}$", heard, re.MULTILINE)]
        kinds = {kind for kind, _, _ in frames}
        assert {WELCOME, EVENT} <= kinds <= {WELCOME, EVENT, LEVELS}
        assert [struct.unpack("<BH", body[:3]) for kind, _, body in frames if kind == WELCOME] == [(VERSION, NONCE)]
        assert {body[2] for kind, _, body in frames if kind == EVENT} == {3}
