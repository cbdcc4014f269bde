"""A card image in an emulated machine (qemu-system-aarch64), with its screen, its keyboard and its power switch."""

from __future__ import annotations

import json
import os
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
from card_image.partitions import MIB, lay_out
from card_image.recipe import TARGETS, Target

FIRMWARE = Path("/usr/share/qemu-efi-aarch64/QEMU_EFI.fd")
"""UEFI for the emulated machine, of Debian's qemu-efi-aarch64."""
PATIENCE = float(os.environ.get("CARD_PATIENCE", "1"))
"""Factor of all waits and of a press at a pin: more on a machine whose processor has other work to do."""
PATIENCE_SECONDS = 1200.0 * PATIENCE
"""Longest wait for anything: without an arm64 processor everything takes a hundred times as long."""
SCREEN = (800, 480)
KEY_CENTRES = (46, 123, 200, 277, 354, 431, 516, 593, 670, 747)
"""Columns of the ten keys in the bottom row of the screen: seats 1 to 6, OK, NO, PLUS, MINUS."""
KEY_ROW = 405
"""A row of the picture that only the keys of usable buttons reach."""
PRESS_SECONDS = min(60.0 * PATIENCE, 100.0)
"""Before a press counts as lost. Less than two minutes: after them a quiet lobby on a screen plays a demo, and the next
press only ends that."""
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

    target = TARGETS["virt"]
    has_screen = True
    patience_seconds = PATIENCE_SECONDS

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
        self._launch(self._build_command(sticks))

    def _build_command(self, sticks: tuple[Path, ...]) -> list[str]:
        """Build qemu's command line, without the control socket."""
        command = ["qemu-system-aarch64", "-M", "virt", "-cpu", "cortex-a72", "-smp", "2", "-m", "2048"]
        command += ["-display", "none", "-accel", "tcg,thread=multi", "-bios", str(FIRMWARE), "-nic", "none"]
        command += ["-device", f"virtio-gpu-pci,xres={SCREEN[0]},yres={SCREEN[1]}", "-device", "qemu-xhci"]
        command += ["-device", "virtio-rng-pci", "-device", "usb-kbd", "-serial", f"file:{self.log}"]
        # Each write is on the disk when it is reported as done: a cut loses nothing that a card would keep.
        command += ["-drive", f"file={self.disk},if=none,id=card,format=raw,cache=directsync"]
        command += ["-device", "virtio-blk-pci,drive=card"]
        return command + self._list_stick_words(sticks)

    @staticmethod
    def _list_stick_words(sticks: tuple[Path, ...]) -> list[str]:
        """Return the words of qemu's command line for USB sticks."""
        words = []
        for number, stick in enumerate(sticks):
            words += ["-drive", f"file={stick},if=none,id=stick{number},format=raw,snapshot=on"]
            words += ["-device", f"usb-storage,drive=stick{number},id=usb{number}"]
        return words

    def _launch(self, command: list[str]) -> None:
        """Start qemu and connect to its control socket."""
        control = self.folder / "control"
        control.unlink(missing_ok=True)
        words = ["nice", *command, "-qmp", f"unix:{control},server=on,wait=off"]
        self._process = subprocess.Popen(words, stdin=subprocess.DEVNULL)
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
        """Press a key until these buttons are offered (as `read_keys` has them); a press may be too early.

        Raises:
            CardFailure: it did not come, or the machine ended.
        """
        before = self.read_offered()
        for _ in range(5):
            self.press(key)
            end = time.monotonic() + PRESS_SECONDS
            while time.monotonic() < end:
                if self.read_offered() == wanted:
                    return
                time.sleep(POLL_SECONDS)
            if self.read_offered() != before:
                break
        self.wait_for_keys(wanted)

    def wait_for_keys(self, wanted: str) -> None:
        """Wait until these buttons are offered.

        Raises:
            CardFailure: it did not come, or the machine ended.
        """
        self._wait(lambda: self.read_offered() == wanted, f"keys {wanted}")

    def wake_buttons(self) -> None:
        """Do what the buttons need before they show what is offered: nothing on a screen."""

    def read_offered(self) -> str:
        """Read which buttons are offered, as `read_keys` has them."""
        return read_keys(self.photograph())

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

    def keep_picture(self, name: str, folder: Path) -> None:
        """Keep a picture of the screen as NAME.png in a folder."""
        self.photograph(name)
        shutil.copy(self.folder / f"{name}.png", folder)

    def read_slots(self) -> tuple[str, str]:
        """Read which slot starts, A or B, and the one that is tried first at the next start, if any; switched off."""
        source = f"{self.disk}@@{find_place(self.target, 'start')}"
        made = subprocess.run(["mtype", "-i", source, "::/grub/grubenv"], check=True, capture_output=True, text=True)
        settings = dict(line.split("=") for line in made.stdout.splitlines() if "=" in line)
        return settings["default"], settings["try"]

    def read_log(self) -> str:
        """Return what the serial line has printed since the machine was switched on."""
        return self.log.read_text(encoding="utf-8", errors="replace") if self.log.exists() else ""

    def wait_for_log(self, text: str, count: int = 1) -> None:
        """Wait until the log has this text as often.

        Raises:
            CardFailure: it did not come, or the machine ended.
        """
        self._wait(lambda: self.read_log().count(text) >= count, f"{text!r} in the log")

    def _wait(self, is_there: Callable[[], bool], wish: str) -> None:
        """Wait for something that the emulated machine does in its own time."""
        end = time.monotonic() + self.patience_seconds
        while not is_there():
            ended = self._has_ended()
            if ended or time.monotonic() > end:
                why = "the machine ended" if ended else f"not within {self.patience_seconds:.0f} s"
                raise CardFailure(f"{wish}: {why}\n{self.read_log()[-3000:]}")
            time.sleep(POLL_SECONDS)

    def _has_ended(self) -> bool:
        """Return whether the machine has ended by itself."""
        return self._process is not None and self._process.poll() is not None

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


def make_stick(place: Path, *files: Path) -> Path:
    """Make a USB stick with these files in its top folder."""
    size_mib = sum(file.stat().st_size for file in files) // (1024 * 1024) + 64
    with place.open("wb") as image:
        image.truncate(size_mib * 1024 * 1024)
    subprocess.run(["mkfs.vfat", "-F", "32", "-n", "STICK", str(place)], check=True, stdout=subprocess.DEVNULL)
    for file in files:
        subprocess.run(["mcopy", "-i", str(place), str(file), "::"], check=True)
    return place


def find_place(target: Target, name: str) -> int:
    """Return where a partition of an image begins, in bytes."""
    return lay_out(target)[1][name] * MIB


@contextmanager
def open_data(disk: Path, folder: Path, target: Target) -> Iterator[Path]:
    """Mount the data partition of a switched-off card, as the next start would find it after the journal's replay."""
    place = find_place(target, "data")
    folder.mkdir(exist_ok=True)
    subprocess.run(["mount", "-o", f"loop,offset={place}", str(disk), str(folder)], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def copy_card(disk: Path, place: Path) -> Path:
    """Copy an image; its holes stay holes."""
    subprocess.run(["cp", "--sparse=always", str(disk), str(place)], check=True)
    return place


def list_missing_programs(target: str) -> list[str]:
    """List what the tests with an emulated card need and this machine lacks."""
    missing = make_image.list_missing_programs(target)
    programs = ("qemu-system-aarch64", *(("fdtput",) if target == "pi" else ()))
    missing += [name for name in programs if shutil.which(name) is None]
    return missing if target == "pi" or FIRMWARE.exists() else [*missing, str(FIRMWARE)]
