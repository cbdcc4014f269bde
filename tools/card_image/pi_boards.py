"""What the card image for a Raspberry Pi must contain, for each board, and the check that it does.

docs/build/card-image.md names these boards and cameras. Boards and kernels were never run together: a device counts as
there if the board's device tree has it and the kernel has a driver that claims it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from card_image.device_tree import TreeNode, read_nodes
from companion.commands.doctor.ribbon_checks import RIBBON_SENSORS


@dataclass(frozen=True)
class Device:
    """A device that a board needs.

    Attributes:
        use: what people know it by.
        compatible: its name in the device tree.
        module: the kernel's driver, built in or not.
        claimed: the name that the driver claims, if that is another one; `vc4` claims the GPU, which brings HDMI along.
        may_be_off: its node is switched off, and no overlay of the image switches it on.
    """

    use: str
    compatible: str
    module: str
    claimed: str = ""
    may_be_off: bool = False


@dataclass(frozen=True)
class Board:
    """A kind of Raspberry Pi, with its device tree in Linux."""

    name: str
    tree: str
    devices: tuple[Device, ...]


@dataclass(frozen=True)
class CameraKind:
    """A kind of camera.

    Attributes:
        module: the driver of its sensor, or of the camera itself.
        in_debian: Debian's kernel has it, with all else that the camera needs.
    """

    name: str
    module: str
    in_debian: bool


FIRMWARE = Device("firmware", "raspberrypi,bcm2835-firmware", "raspberrypi")
WATCHDOG = Device("watchdog", "brcm,bcm2835-pm-wdt", "bcm2835_pm")
CARD_SUPPLIES = (
    Device("SD card", "regulator-fixed", "fixed"),
    Device("SD card", "regulator-gpio", "gpio_regulator"),
)
"""Of a Pi 4 and 5, whose card's driver waits for its voltages."""
BCM2837 = (
    Device("SD card", "brcm,bcm2835-sdhost", "bcm2835"),
    Device("USB", "brcm,bcm2835-usb", "dwc2"),
    Device("USB", "usb-nop-xceiv", "phy_generic"),
    Device("HDMI", "brcm,bcm2835-hdmi", "vc4", claimed="brcm,bcm2835-vc4"),
    Device("GPIO", "brcm,bcm2835-gpio", "pinctrl_bcm2835"),
    Device("I2C", "brcm,bcm2835-i2c", "i2c_bcm2835"),
    FIRMWARE,
    WATCHDOG,
)
BCM2711 = (
    Device("SD card", "brcm,bcm2711-emmc2", "sdhci_iproc"),
    *CARD_SUPPLIES,
    Device("SD card", "raspberrypi,firmware-gpio", "gpio_raspberrypi_exp"),
    Device("USB", "brcm,bcm2711-pcie", "pcie_brcmstb"),
    Device("USB", "raspberrypi,firmware-reset", "reset_raspberrypi"),
    Device("HDMI", "brcm,bcm2711-hdmi0", "vc4", claimed="brcm,bcm2711-vc5"),
    Device("graphics", "brcm,2711-v3d", "v3d"),
    Device("GPIO", "brcm,bcm2711-gpio", "pinctrl_bcm2835"),
    Device("I2C", "brcm,bcm2835-i2c", "i2c_bcm2835"),
    FIRMWARE,
    WATCHDOG,
)
BCM2712 = (
    Device("SD card", "brcm,bcm2712-sdhci", "sdhci_brcmstb"),
    *CARD_SUPPLIES,
    Device("SD card", "brcm,brcmstb-gpio", "gpio_brcmstb"),
    Device("USB", "brcm,bcm2712-pcie", "pcie_brcmstb"),
    Device("USB", "brcm,bcm2712-mip", "irq_bcm2712_mip"),
    Device("USB", "pci1de4,1", "rp1_pci", claimed="pci:v00001DE4d00000001"),
    Device("USB", "raspberrypi,rp1-clocks", "clk_rp1"),
    Device("USB", "snps,dwc3", "dwc3"),
    Device("HDMI", "brcm,bcm2712-hdmi0", "vc4", claimed="brcm,bcm2712-vc6"),
    Device("graphics", "brcm,2712-v3d", "v3d"),
    Device("GPIO", "raspberrypi,rp1-gpio", "pinctrl_rp1"),
    Device("I2C", "snps,designware-i2c", "i2c_designware_platform", may_be_off=True),
    FIRMWARE,
    WATCHDOG,
)
C0_PINS = Device("SD card", "brcm,bcm2712c0-pinctrl", "pinctrl_brcmstb_bcm2712")
D0_PINS = Device("SD card", "brcm,bcm2712d0-pinctrl", "pinctrl_brcmstb_bcm2712")

BOARDS = (
    Board("Zero 2 W", "bcm2837-rpi-zero-2-w.dtb", BCM2837),
    Board("Pi 3B+", "bcm2837-rpi-3-b-plus.dtb", BCM2837),
    Board("Pi 4", "bcm2711-rpi-4-b.dtb", BCM2711),
    Board("Pi 5", "bcm2712-rpi-5-b.dtb", (*BCM2712, C0_PINS)),
    Board("Pi 5 with chip D0", "bcm2712-d-rpi-5-b.dtb", (*BCM2712, D0_PINS)),
)
MODULES = {
    "uvcvideo": "USB cameras",
    "cdc_acm": "button box with a Pico",
    "ch341": "button box with a Nano",
    "cp210x": "button box with a Nano",
    "ftdi_sio": "button box with a Nano",
    "xhci_pci": "USB of a Pi 4",
    "usbhid": "keyboards, controllers",
    "hid_generic": "keyboards, controllers",
    "evdev": "keyboards, controllers, touch screens",
    "hid_multitouch": "touch screens at USB",
    "usb_storage": "USB sticks",
    "vfat": "USB sticks",
    "nls_cp437": "USB sticks, and the partition that says which slot starts",
    "nls_ascii": "USB sticks, and the partition that says which slot starts",
    "exfat": "USB sticks",
    "snd_usb_audio": "sound by USB",
    "bcm2835_wdt": "watchdog",
    "squashfs": "the root",
}
"""Modules that every board needs, with what for; the devices at USB are in no device tree."""
TRYBOOT_MODULE = "companion_tryboot"
"""Of systemd/image: with Debian's kernel it starts an upgrade on trial."""
RAM_DISK_PARTS = frozenset({"squashfs", "choose_root"})
"""Needed before there is a root, with the drivers of "SD card": a module, and the script that finds the slot's root."""
CAMERAS = (
    CameraKind("USB webcam (UVC)", "uvcvideo", in_debian=True),
    *(CameraKind(f"{name} ({module.upper()})", module, in_debian=False) for module, name in RIBBON_SENSORS.items()),
)
"""`companion doctor` knows the ribbon cameras by the same list."""
DEBIAN_OVERLAYS = ("bcm2712d0",)
"""The firmware itself chooses it for a Pi 5 with chip D0."""
PI_OVERLAYS = ("vc4-kms-v3d", *(camera.module for camera in CAMERAS if not camera.in_debian))
"""Of Raspberry Pi's kernel."""


def find_release(root: Path) -> str:
    """Return the release of the root's newest kernel, such as "7.3.4+deb13-arm64".

    Raises:
        FileNotFoundError: there is none.
    """
    releases = [place.name for place in (root / "usr/lib/modules").glob("*") if (place / "kernel").is_dir()]
    if not releases:
        raise FileNotFoundError(f"no kernel in {root}")
    return max(releases, key=lambda name: [int(number) for number in re.findall(r"\d+", name)])


def find_missing(
    root: Path,
    boot_files: Collection[str],
    ram_disk: Collection[str],
    can_import: Callable[[str], bool],
    *,
    debian: bool,
) -> list[str]:
    """Return what the image lacks, each named with its board; empty if it is complete.

    Args:
        root: the root file system.
        boot_files: paths in the boot partition.
        ram_disk: paths in the initial RAM disk.
        can_import: whether the root's Python can import a module.
        debian: the kernel is Debian's; that of Raspberry Pi OS has its own names in its device trees, which nobody here
            has seen, and cameras.
    """
    release = find_release(root)
    folder = root / "usr/lib/modules" / release
    modules, claims = list_modules(folder), read_claims(folder)
    missing = [f"module {name}: {use}" for name, use in MODULES.items() if name not in modules]
    if debian and TRYBOOT_MODULE not in modules:
        missing.append(f"module {TRYBOOT_MODULE}: upgrades on trial")
    missing += [
        f"module {camera.module}: {camera.name}"
        for camera in CAMERAS
        if (camera.in_debian or not debian) and camera.module not in modules
    ]
    missing += [
        f"overlay {name}.dtbo"
        for name in (DEBIAN_OVERLAYS if debian else PI_OVERLAYS)
        if f"overlays/{name}.dtbo" not in boot_files
    ]
    if not can_import("lgpio"):
        missing.append("Python's lgpio: buttons at the pins")
    if not debian and not can_import("picamera2"):
        missing.append("Python's picamera2: ribbon cameras")
    early = {Path(name).name.partition(".")[0].replace("-", "_") for name in ram_disk}
    built_in = read_built_in(folder)
    missing += [f"{name} in the RAM disk" for name in sorted(RAM_DISK_PARTS - early - built_in)]
    for board in BOARDS if debian else ():
        if board.tree not in boot_files:
            missing.append(f"{board.name}: {board.tree}")
            continue
        nodes = list(read_nodes((root / f"usr/lib/linux-image-{release}/broadcom" / board.tree).read_bytes()))
        for device in board.devices:
            what = f"{board.name}: {device.use}"
            if not has_node(nodes, device):
                missing.append(f"{what}: {device.compatible} in {board.tree}")
            if claims.get(device.claimed or device.compatible) != device.module:
                missing.append(f"{what}: a kernel whose {device.module} claims {device.claimed or device.compatible}")
            if device.use == "SD card" and device.module not in early | built_in:
                missing.append(f"{what}: {device.module} in the RAM disk")
    return missing


def has_node(nodes: Collection[TreeNode], device: Device) -> bool:
    """Return whether a device tree has the device, switched on unless it may be off."""
    return any(
        device.compatible in node.read_words("compatible") and (node.is_on or device.may_be_off) for node in nodes
    )


def list_modules(folder: Path) -> set[str]:
    """List all modules of a kernel, by their names with "_"; those that are built in too."""
    names = (place.name for place in folder.rglob("*.ko*"))
    return {name.partition(".")[0].replace("-", "_") for name in names} | read_built_in(folder)


def read_built_in(folder: Path) -> set[str]:
    """Read which modules are part of the kernel itself."""
    lines = (folder / "modules.builtin").read_text(encoding="utf-8").splitlines()
    return {Path(line).stem.replace("-", "_") for line in lines}


def read_claims(folder: Path) -> Mapping[str, str]:
    """Read which module claims which device: names of device trees, and PCI ids as "pci:v00001DE4d00000001"."""
    claims = {}
    for line in (folder / "modules.alias").read_text(encoding="utf-8").splitlines():
        if found := re.match(r"alias (?:of:N\*T\*C(\S+?)|(pci:v\w{8}d\w{8})sv\S*) (\S+)$", line):
            claims[found[1] or found[2]] = found[3].replace("-", "_")
    for entry in (folder / "modules.builtin.modinfo").read_bytes().split(b"\0"):
        if found := re.match(r"(\S+?)\.alias=of:N\*T\*C(\S+)$", entry.decode("utf-8", "replace")):
            claims[found[2]] = found[1].replace("-", "_")
    return claims
