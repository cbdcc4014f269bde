"""A card image in an emulated machine (qemu-system-aarch64), with its screen, its keyboard and its power switch."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import cv2
import make_image
import numpy as np
import numpy.typing as npt

FIRMWARE = Path("/usr/share/qemu-efi-aarch64/QEMU_EFI.fd")
"""UEFI for the emulated machine, of Debian's qemu-efi-aarch64."""
PATIENCE_SECONDS = 1200.0
"""Longest wait for anything: without an arm64 processor everything takes a hundred times as long."""
SCREEN = (800, 480)
KEY_CENTRES = (46, 123, 200, 277, 354, 431, 516, 593, 670, 747)
"""Columns of the ten keys in the bottom row of the screen: seats 1 to 6, OK, NO, PLUS, MINUS."""
KEY_ROW = 405
"""A row of the picture that only the keys of usable buttons reach."""
PRESS_SECONDS = 60.0
"""Before a press counts as lost."""
START_MIB = 4
"""Where the partition of the boot loader begins."""
POLL_SECONDS = 1.0

Picture = npt.NDArray[np.uint8]


class CardFailure(AssertionError):
    """The emulated machine did not do what was waited for; the message ends with its last log lines."""


class EmulatedCard:
    """An emulated machine that starts from a card image. Use it as a context manager: its end cuts the power.

    Args:
        disk: the image; it is written to.
        folder: for the control socket, the log and the pictures.
    """

    def __init__(self, disk: Path, folder: Path) -> None:
        self.disk, self.folder = disk, folder
        self.log = folder / "serial.log"
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self._answers: Any = None

    def __enter__(self) -> EmulatedCard:
        return self

    def __exit__(self, *_: object) -> None:
        self.cut_power()

    def switch_on(self, *sticks: Path) -> None:
        """Start the machine, with these USB sticks in it; its log begins again."""
        self.log.unlink(missing_ok=True)
        control = self.folder / "control"
        control.unlink(missing_ok=True)
        command = [
            "qemu-system-aarch64",
            "-M",
            "virt",
            "-cpu",
            "cortex-a72",
            "-smp",
            "2",
            "-m",
            "2048",
            "-display",
            "none",
        ]
        command += ["-accel", "tcg,thread=multi", "-bios", str(FIRMWARE), "-nic", "none", "-device", "virtio-rng-pci"]
        command += ["-device", f"virtio-gpu-pci,xres={SCREEN[0]},yres={SCREEN[1]}", "-device", "qemu-xhci"]
        command += ["-device", "usb-kbd", "-serial", f"file:{self.log}", "-qmp", f"unix:{control},server,nowait"]
        # Each write is on the disk when it is reported as done: a cut loses nothing that a card would keep.
        command += ["-drive", f"file={self.disk},if=none,id=card,format=raw,cache=directsync"]
        command += ["-device", "virtio-blk-pci,drive=card"]
        for number, stick in enumerate(sticks):
            command += ["-drive", f"file={stick},if=none,id=stick{number},format=raw,snapshot=on"]
            command += ["-device", f"usb-storage,drive=stick{number},id=usb{number}"]
        self._process = subprocess.Popen(["nice", *command], stdin=subprocess.DEVNULL)
        self._control = socket.socket(socket.AF_UNIX)
        self._wait(lambda: control.exists(), "the control socket")
        self._control.connect(str(control))
        self._answers = self._control.makefile("r")
        self._answers.readline()
        self._ask("qmp_capabilities")

    def cut_power(self) -> None:
        """Cut the power: nothing that the machine has in its memory is written any more."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        if self._control is not None:
            self._control.close()
        self._process = self._control = None

    def press(self, *keys: str) -> None:
        """Press keys by qemu's names (`1`, `ret`, `backspace`, `kp_add`, `kp_subtract`), one after the other."""
        for key in keys:
            held = [{"type": "qcode", "data": key}]
            self._ask("send-key", keys=held, **{"hold-time": 200})
            time.sleep(0.6)  # the emulated keyboard has no queue

    def press_until(self, key: str, wanted: str) -> None:
        """Press a key until the screen offers these buttons (as `read_keys` has them); a press may be too early.

        Raises:
            CardFailure: it did not come, or the machine ended.
        """
        before = read_keys(self.photograph())
        for _ in range(5):
            self.press(key)
            end = time.monotonic() + PRESS_SECONDS
            while time.monotonic() < end:
                if read_keys(self.photograph()) == wanted:
                    return
                time.sleep(POLL_SECONDS)
            if read_keys(self.photograph()) != before:
                break
        self.wait_for_keys(wanted)

    def wait_for_keys(self, wanted: str) -> None:
        """Wait until the screen offers these buttons.

        Raises:
            CardFailure: it did not come, or the machine ended.
        """
        self.wait_for_picture(lambda picture: read_keys(picture) == wanted, f"keys {wanted}")

    def pull_stick(self, number: int = 0) -> None:
        """Pull a USB stick out."""
        self._ask("device_del", id=f"usb{number}")

    def photograph(self, name: str = "screen") -> Picture:
        """Return the screen's picture, (H, W, 3) uint8 BGR; it is kept as NAME.png."""
        place = self.folder / f"{name}.png"
        self._ask("screendump", filename=str(place), format="png")
        picture = cv2.imread(str(place))
        assert picture is not None, "the screen could not be photographed"
        return np.asarray(picture, np.uint8)

    def read_log(self) -> str:
        """Return what the serial line has printed since the machine was switched on."""
        return self.log.read_text(encoding="utf-8", errors="replace") if self.log.exists() else ""

    def wait_for_log(self, text: str, count: int = 1) -> None:
        """Wait until the log has this text as often.

        Raises:
            CardFailure: it did not come, or the machine ended.
        """
        self._wait(lambda: self.read_log().count(text) >= count, f"{text!r} in the log")

    def wait_for_picture(self, is_wanted: Callable[[Picture], bool], wish: str) -> Picture:
        """Wait until the screen shows something for which `is_wanted` is true; return it.

        Raises:
            CardFailure: it did not come, or the machine ended.
        """
        self._wait(lambda: is_wanted(self.photograph()), wish)
        return self.photograph()

    def _wait(self, is_there: Callable[[], bool], wish: str) -> None:
        """Wait for something that the emulated machine does in its own time."""
        end = time.monotonic() + PATIENCE_SECONDS
        while not is_there():
            ended = self._process is not None and self._process.poll() is not None
            if ended or time.monotonic() > end:
                why = "the machine ended" if ended else f"not within {PATIENCE_SECONDS:.0f} s"
                raise CardFailure(f"{wish}: {why}\n{self.read_log()[-3000:]}")
            time.sleep(POLL_SECONDS)

    def _ask(self, command: str, **arguments: object) -> Any:
        """Give a command to qemu (QMP) and return its answer; events in between are passed over."""
        assert self._control is not None
        message = {"execute": command} | ({"arguments": arguments} if arguments else {})
        self._control.sendall(json.dumps(message).encode() + b"\n")
        while True:
            answer = json.loads(self._answers.readline())
            if "return" in answer or "error" in answer:
                assert "error" not in answer, answer
                return answer["return"]


def press_until_seen(card: EmulatedCard, key: str, cut: Callable[[Picture], Picture] = lambda picture: picture) -> None:
    """Press a key until the part of the picture that `cut` returns has changed; a press may be too early."""
    before = cut(card.photograph()).astype(int)
    for _ in range(5):
        card.press(key)
        end = time.monotonic() + PRESS_SECONDS
        while time.monotonic() < end:
            if np.abs(cut(card.photograph()) - before).max() > 60:
                return
            time.sleep(POLL_SECONDS)
    raise AssertionError(f"key {key} changed nothing")


def read_keys(picture: Picture) -> str:
    """Read which buttons the screen offers: ten characters for seats 1 to 6, OK, NO, PLUS, MINUS; 1: usable.

    The firmware's screen, which has another size, offers none.
    """
    if picture.shape[:2] != SCREEN[::-1]:
        return "0" * len(KEY_CENTRES)
    background = picture[-2, 2].astype(int)
    pixels = [picture[KEY_ROW, column - 30].astype(int) for column in KEY_CENTRES]
    return "".join("1" if np.abs(pixel - background).sum() > 30 else "0" for pixel in pixels)


def read_slots(disk: Path) -> tuple[str, str]:
    """Read from a card which slot starts, A or B, and the one that is tried first at the next start, if any."""
    source = f"{disk}@@{START_MIB}M"
    made = subprocess.run(["mtype", "-i", source, "::/grub/grubenv"], check=True, capture_output=True, text=True)
    settings = dict(line.split("=") for line in made.stdout.splitlines() if "=" in line)
    return settings["default"], settings["try"]


def make_stick(place: Path, *files: Path) -> Path:
    """Make a USB stick with these files in its top folder."""
    size_mib = sum(file.stat().st_size for file in files) // (1024 * 1024) + 64
    with place.open("wb") as image:
        image.truncate(size_mib * 1024 * 1024)
    subprocess.run(["mkfs.vfat", "-F", "32", "-n", "STICK", str(place)], check=True, stdout=subprocess.DEVNULL)
    for file in files:
        subprocess.run(["mcopy", "-i", str(place), str(file), "::"], check=True)
    return place


@contextmanager
def open_data(disk: Path, folder: Path) -> Iterator[Path]:
    """Mount the data partition of a switched-off card, as the next start would find it after the journal's replay."""
    found = subprocess.run(["sgdisk", "--info=6", str(disk)], check=True, capture_output=True, text=True).stdout
    first = int(found.split("First sector: ")[1].split()[0])
    folder.mkdir(exist_ok=True)
    subprocess.run(["mount", "-o", f"loop,offset={first * 512}", str(disk), str(folder)], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def copy_card(disk: Path, place: Path) -> Path:
    """Copy an image; its holes stay holes."""
    subprocess.run(["cp", "--sparse=always", str(disk), str(place)], check=True)
    return place


def list_missing_programs() -> list[str]:
    """List what the tests with an emulated card need and this machine lacks."""
    missing = make_image.list_missing_programs()
    if shutil.which("qemu-system-aarch64") is None:
        missing.append("qemu-system-aarch64")
    return missing if FIRMWARE.exists() else [*missing, str(FIRMWARE)]
