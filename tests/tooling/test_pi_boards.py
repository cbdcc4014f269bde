"""The check of a Pi's card image: it names each thing that is missing, and the guide's tables are the same lists."""

from __future__ import annotations

import re
import struct
from pathlib import Path

import pytest
from card_image import pi_boards
from card_image.device_tree import read_nodes
from card_image.pi_boards import BOARDS, CAMERAS, DEBIAN_OVERLAYS, MODULES, Board

from tests.conftest import REPOSITORY

RELEASE = "7.3.4+deb13-arm64"
GUIDE = REPOSITORY / "docs/build/card-image.md"
CLAIMS = {device.claimed or device.compatible: device.module for board in BOARDS for device in board.devices}
BUILT_IN = {"raspberrypi", "bcm2835_pm", "pcie_brcmstb", "pinctrl_bcm2835"}
RAM_DISK = {device.module for board in BOARDS for device in board.devices if device.use == "SD card"}
RAM_DISK |= pi_boards.RAM_DISK_PARTS


def make_tree(names: list[str], off: str = "") -> bytes:
    """A device tree with a node for each name, within a bus; that of `off` is switched off."""
    texts = b"compatible\0status\0"
    nodes = b""
    for number, name in enumerate(names):
        nodes += (
            struct.pack(">I", 1) + _pad(f"node@{number}\0".encode()) + _make_property(0, f"other,{number}\0{name}\0")
        )
        nodes += (_make_property(11, "disabled\0") if name == off else b"") + struct.pack(">I", 2)
    body = struct.pack(">2I", 1, 0) + struct.pack(">I", 1) + _pad(b"soc\0") + nodes + struct.pack(">3I", 2, 2, 9)
    return struct.pack(">10I", 0xD00DFEED, 0, 40, 40 + len(body), 0, 17, 16, 0, len(texts), len(body)) + body + texts


def _make_property(name: int, value: str) -> bytes:
    return struct.pack(">3I", 3, len(value), name) + _pad(value.encode())


def _pad(content: bytes) -> bytes:
    return content.ljust(-(-len(content) // 4) * 4, b"\0")


class MadeUpRoot:
    """A root with all that the boards need, as empty files; a test takes one thing away."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.folder = root / "usr/lib/modules" / RELEASE
        self.trees = root / f"usr/lib/linux-image-{RELEASE}/broadcom"
        self.boot_files = {board.tree for board in BOARDS} | {f"overlays/{name}.dtbo" for name in DEBIAN_OVERLAYS}
        self.ram_disk = {f"usr/lib/modules/{RELEASE}/kernel/{name}.ko" for name in RAM_DISK}
        self.claims, self.modules = dict(CLAIMS), {*MODULES, *CLAIMS.values(), pi_boards.TRYBOOT_MODULE}
        self.imports = {"lgpio"}
        self.nodes = {board.tree: [device.compatible for device in board.devices] for board in BOARDS}

    def find_missing(self, off: str = "", *, debian: bool = True) -> list[str]:
        (self.folder / "kernel").mkdir(parents=True)
        self.trees.mkdir(parents=True)
        for name in self.modules - BUILT_IN:
            (self.folder / f"kernel/{name.replace('_', '-')}.ko.xz").touch()
        built_in = sorted(self.modules & BUILT_IN)
        (self.folder / "modules.builtin").write_text("".join(f"kernel/{name}.ko\n" for name in built_in))
        infos = [f"{name}.alias=of:N*T*C{claim}" for claim, name in self.claims.items() if name in BUILT_IN]
        (self.folder / "modules.builtin.modinfo").write_bytes(b"".join(info.encode() + b"\0" for info in infos))
        lines = [
            f"alias {claim}sv*sd*bc*sc*i* {name}" if claim.startswith("pci:") else f"alias of:N*T*C{claim} {name}"
            for claim, name in self.claims.items()
            if name not in BUILT_IN
        ]
        (self.folder / "modules.alias").write_text("\n".join(lines))
        for name, nodes in self.nodes.items():
            (self.trees / name).write_bytes(make_tree(nodes, off))
        return pi_boards.find_missing(
            self.root, self.boot_files, self.ram_disk, self.imports.__contains__, debian=debian
        )


@pytest.fixture
def made_up(tmp_path: Path) -> MadeUpRoot:
    return MadeUpRoot(tmp_path)


def list_devices() -> list[tuple[Board, pi_boards.Device]]:
    return [(board, device) for board in BOARDS for device in board.devices]


def test_complete_root_lacks_nothing(made_up: MadeUpRoot) -> None:
    assert made_up.find_missing() == []


def test_root_without_a_kernel_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        pi_boards.find_missing(tmp_path, (), (), bool, debian=True)


@pytest.mark.parametrize("name", [*MODULES, pi_boards.TRYBOOT_MODULE])
def test_missing_module_is_named(made_up: MadeUpRoot, name: str) -> None:
    made_up.modules.remove(name)
    missing = made_up.find_missing()
    assert missing
    assert all(line.startswith(f"module {name}: ") for line in missing)


@pytest.mark.parametrize(("board", "device"), list_devices(), ids=lambda part: getattr(part, "compatible", None))
def test_missing_node_is_named_with_its_board(made_up: MadeUpRoot, board: Board, device: pi_boards.Device) -> None:
    made_up.nodes[board.tree].remove(device.compatible)
    assert made_up.find_missing() == [f"{board.name}: {device.use}: {device.compatible} in {board.tree}"]


@pytest.mark.parametrize(("claim", "module"), CLAIMS.items())
def test_device_that_no_driver_claims_is_named_with_every_board(made_up: MadeUpRoot, claim: str, module: str) -> None:
    del made_up.claims[claim]
    assert made_up.find_missing() == [
        f"{board.name}: {device.use}: a kernel whose {module} claims {claim}"
        for board, device in list_devices()
        if claim == (device.claimed or device.compatible)
    ]


def test_node_that_is_switched_off_counts_only_where_it_may(made_up: MadeUpRoot) -> None:
    off = {device.compatible for _, device in list_devices() if device.may_be_off}
    assert made_up.find_missing(off.pop()) == []


def test_usb_that_is_switched_off_is_missing(made_up: MadeUpRoot) -> None:
    missing = made_up.find_missing("snps,dwc3")
    assert [line.partition(":")[0] for line in missing] == ["Pi 5", "Pi 5 with chip D0"]


def test_missing_tree_overlay_and_import_are_named(made_up: MadeUpRoot) -> None:
    made_up.boot_files.clear()
    made_up.imports.clear()
    assert made_up.find_missing() == [
        *(f"overlay {name}.dtbo" for name in DEBIAN_OVERLAYS),
        "Python's lgpio: buttons at the pins",
        *(f"{board.name}: {board.tree}" for board in BOARDS),
    ]


@pytest.mark.parametrize("module", sorted(RAM_DISK))
def test_what_the_ram_disk_lacks_is_named(made_up: MadeUpRoot, module: str) -> None:
    made_up.ram_disk = {name for name in made_up.ram_disk if module not in name}
    missing = made_up.find_missing()
    assert missing
    assert all("in the RAM disk" in line and module in line for line in missing)


def test_raspberry_pis_kernel_needs_the_cameras_and_their_overlays(made_up: MadeUpRoot) -> None:
    ribbons = [camera for camera in CAMERAS if not camera.in_debian]
    assert made_up.find_missing(debian=False) == [
        *(f"module {camera.module}: {camera.name}" for camera in ribbons),
        "overlay vc4-kms-v3d.dtbo",
        *(f"overlay {camera.module}.dtbo" for camera in ribbons),
        "Python's picamera2: ribbon cameras",
    ]


def test_nodes_of_a_tree_know_what_is_around_them() -> None:
    nodes = {node.path: node for node in read_nodes(make_tree(["a,b", "c,d"], off="c,d"))}
    assert set(nodes) == {"/", "/soc", "/soc/node@0", "/soc/node@1"}
    assert nodes["/soc/node@0"].read_words("compatible") == ["other,0", "a,b"]
    assert [node.is_on for node in nodes.values()] == [True, False, True, True]


@pytest.mark.parametrize("content", [b"", b"MZ no device tree at all"])
def test_other_files_are_no_device_trees(content: bytes) -> None:
    with pytest.raises(ValueError, match="no device tree"):
        list(read_nodes(content))


def read_section(heading: str) -> str:
    """The text of the guide below a heading, in one line."""
    section = GUIDE.read_text(encoding="utf-8").partition(f"## {heading}\n")[2].partition("\n## ")[0]
    return " ".join(section.split())


def test_guide_names_the_boards_of_the_check() -> None:
    names = [board.name for board in BOARDS]
    assert f"{', '.join(names[:-1])} and {names[-1]}, with Debian's Linux" in read_section("Boards")
    off = {board.name for board in BOARDS for device in board.devices if device.may_be_off}
    assert off == {name for name in names if name.startswith("Pi 5")}, "the guide says where I2C is off"


def test_guide_says_which_cameras_work() -> None:
    rows = re.findall(r"\| ([^|]+) \| `(\w+)` \| \**(yes|no)", read_section("Cameras"))
    assert rows == [(camera.name, camera.module, "yes" if camera.in_debian else "no") for camera in CAMERAS]


def test_every_overlay_that_the_guide_names_is_checked() -> None:
    text = GUIDE.read_text(encoding="utf-8")
    named = set(re.findall(r"overlays?/([\w-]+)\.dtbo|dtoverlay=([\w-]+)", text))
    assert {first or second for first, second in named} <= {*DEBIAN_OVERLAYS, *pi_boards.PI_OVERLAYS}
