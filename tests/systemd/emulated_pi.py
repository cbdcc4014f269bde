"""A Raspberry Pi's card image in qemu's `raspi3b`, whose firmware is imitated here, with buttons and lamps at the pins.

qemu has no firmware of a Pi, no HDMI that Linux can use, no camera and no interrupts of the pins. This module reads
autoboot.txt, starts kernel, RAM disk and device tree of the slot that it names, and writes into the tree what the
firmware would. Presses are made and lamps are read in the registers of the pins, by qtest.
"""

from __future__ import annotations

import base64
import re
import socket
import subprocess
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from card_image.recipe import PARTITIONS, TARGETS

from companion.config.gpio_pins import ButtonPins, LampPins
from companion.events import Button
from companion.referee.held_buttons import HOLD_SECONDS
from tests.systemd.emulated_card import PATIENCE, POLL_SECONDS, PRESS_SECONDS, EmulatedCard, find_place

TREE = "bcm2837-rpi-3-b.dtb"
REVISION = "a02082"
"""Of a Pi 3B, as its firmware writes it into the tree; gpiozero reads it."""
GPIO = 0x3F200000
SET_LEVEL, CLEAR_LEVEL, READ_LEVEL = GPIO + 0x1C, GPIO + 0x28, GPIO + 0x34
TRYBOOT_TAG = "unhandled tag 0x00038064"
"""In qemu's log, the request to the firmware to try the other slot."""
SLOW_MINUTES = round(30 * PATIENCE)
SLOW = {
    "companion.service": f"[Service]\nTimeoutStartSec={SLOW_MINUTES}min\nWatchdogSec={SLOW_MINUTES // 3}min\n",
    "companion-take-back.timer": f"[Timer]\nOnBootSec=\nOnBootSec={SLOW_MINUTES - 5}min\n",
}
"""The emulated processor is a hundred times slower than a Pi."""
KEY_BUTTONS = {"ret": Button.OK, "backspace": Button.NO, "kp_add": Button.PLUS, "kp_subtract": Button.MINUS}
KEY_BUTTONS |= {str(number): Button(f"seat{number}") for number in range(1, 7)}
PRESSED_SECONDS = HOLD_SECONDS / 2
"""Of a press at a pin: longer it would count as held, shorter it might not be seen, for without interrupts a look at
the level finds it, 25 times a second of a Pi's time."""
PAUSE_SECONDS = 1.0 * PATIENCE
"""After a press at a pin."""
SAMPLES, SAMPLE_SECONDS = 12, 0.2 * PATIENCE
"""Looks at the lamps: more than a whole second, in which a blinking lamp is lit once."""


class EmulatedPi(EmulatedCard):
    """An emulated Pi 3B with a card image for a Raspberry Pi. Use it as `EmulatedCard`.

    Args:
        disk: the image, of a size that is a power of two; it is written to.
        folder: for the control sockets, the log and the parts of the slot.
        drop_ins: further drop-ins of units, by unit.
    """

    target = TARGETS["pi"]
    has_screen = False
    patience_seconds = 3600.0 * PATIENCE

    def __init__(self, disk: Path, folder: Path, drop_ins: Mapping[str, str] | None = None) -> None:
        super().__init__(disk, folder)
        self._drop_ins = SLOW | dict(drop_ins or {})
        self._sticks: tuple[Path, ...] = ()
        self._pins: socket.socket | None = None

    def switch_on(self, *sticks: Path) -> None:
        """Start the machine as its firmware would, with these USB sticks in it; its log begins again."""
        self.log.unlink(missing_ok=True)
        self._sticks = sticks
        self.start_slot(self.read_slots()[0])

    def start_slot(self, slot: str) -> None:
        """Start a slot, A or B, as the firmware would."""
        self._take_files(slot)
        (self.folder / "qtest").unlink(missing_ok=True)
        self._launch(self._build_command(self._sticks))
        self._pins = socket.socket(socket.AF_UNIX)
        self._pins.connect(str(self.folder / "qtest"))

    def _take_files(self, slot: str) -> None:
        """Take what starts the kernel from the slot's partition, and write into the tree what the firmware writes."""
        source = f"{self.disk}@@{find_place(self.target, f'boot-{slot.lower()}')}"
        for name in ("vmlinuz", "initrd.img", "cmdline.txt", TREE):
            (self.folder / name).unlink(missing_ok=True)
            subprocess.run(["mcopy", "-i", source, f"::/{name}", self.folder / name], check=True)
        number = self.target.numbers[PARTITIONS.index(f"boot-{slot.lower()}")]
        for path, name, value in (
            ("/system", "linux,revision", REVISION),
            ("/chosen/bootloader", "partition", f"{number:x}"),
        ):
            tree = str(self.folder / TREE)
            subprocess.run(["fdtput", "-p", "-t", "x", tree, path, name, value], check=True)

    def _build_command(self, sticks: tuple[Path, ...]) -> list[str]:
        words = [(self.folder / "cmdline.txt").read_text().strip(), "console=ttyS1,115200"]
        # qemu has no video processor: vchiq then crashes now and then, and the screen's driver is waited for in vain.
        words.append("module_blacklist=vchiq,vc4,hci_uart")
        # qemu restarts the machine as soon as the watchdog is switched on.
        words += ["systemd.journald.forward_to_console=1", "systemd.watchdog_sec=off"]
        words += [f"systemd.default_{what}_sec={SLOW_MINUTES}min" for what in ("device_timeout", "timeout_start")]
        for unit, text in self._drop_ins.items():
            coded = base64.b64encode(text.encode()).decode()
            words.append(f"systemd.set_credential_binary=systemd.unit-dropin.{unit}:{coded}")
        command = ["qemu-system-aarch64", "-M", "raspi3b", "-m", "1G", "-display", "none", "-no-reboot"]
        command += ["-kernel", f"{self.folder}/vmlinuz", "-initrd", f"{self.folder}/initrd.img"]
        command += ["-dtb", f"{self.folder}/{TREE}", "-append", " ".join(words)]
        # The first serial line belongs to Bluetooth.
        command += ["-serial", "null", "-chardev", f"file,id=log,path={self.log},append=on", "-serial", "chardev:log"]
        command += ["-d", "unimp", "-D", f"{self.folder}/qemu.log", "-device", "usb-kbd"]
        command += ["-qtest", f"unix:{self.folder}/qtest,server=on,wait=off", "-qtest-log", "none"]
        command += ["-drive", f"file={self.disk},if=sd,format=raw,cache=directsync"]
        return command + self._list_stick_words(sticks)

    def _has_ended(self) -> bool:
        """Return whether qemu has failed; a machine that restarts gets the slot that the firmware would choose."""
        if super()._has_ended():
            if self._process is None or self._process.returncode:
                return True
            tries = TRYBOOT_TAG in (self.folder / "qemu.log").read_text(errors="replace")
            self.cut_power()
            self.start_slot(self._read_slots_of_firmware()[tries])
        # qemu's pins have no pull-ups: left alone, every button would be held down.
        self._release_buttons()
        return False

    def pull_stick(self, number: int = 0) -> None:
        super().pull_stick(number)
        self._sticks = tuple(stick for at, stick in enumerate(self._sticks) if at != number)

    def cut_power(self) -> None:
        super().cut_power()
        if self._pins is not None:
            self._pins.close()
            self._pins = None

    def _ask_pins(self, command: str) -> str:
        """Return qtest's answer; empty if the machine restarts just now."""
        answer = b""
        with suppress(OSError):
            if self._pins is not None:
                self._pins.sendall(f"{command}\n".encode())
                while not answer.endswith(b"\n") and (more := self._pins.recv(4096)):
                    answer += more
        return answer.decode().strip().rpartition("\n")[2]

    def _write_register(self, place: int, value: int) -> None:
        self._ask_pins(f"writel {place:#x} {value:#x}")

    def _release_buttons(self) -> None:
        self._write_register(SET_LEVEL, sum(1 << pin for pin in ButtonPins().list_wired().values()))

    def press(self, *keys: str) -> None:
        for key in keys:
            self._write_register(CLEAR_LEVEL, 1 << ButtonPins().list_wired()[KEY_BUTTONS[key]])
            time.sleep(PRESSED_SECONDS)
            self._release_buttons()
            time.sleep(PAUSE_SECONDS)

    def read_offered(self) -> str:
        lit = 0
        for _ in range(SAMPLES):
            answer = self._ask_pins(f"readl {READ_LEVEL:#x}")
            lit |= int(answer.removeprefix("OK "), 16) if answer.startswith("OK ") else 0
            time.sleep(SAMPLE_SECONDS)
        return "".join(str(lit >> pin & 1) for pin in LampPins().list_wired().values())

    def read_slots(self) -> tuple[str, str]:
        """Read which slot starts, A or B; a power cut ends every trial, so that none is tried."""
        return self._read_slots_of_firmware()[0], ""

    def _read_slots_of_firmware(self) -> tuple[str, str]:
        """Read which slot the firmware starts, and which one it tries if it is asked to."""
        source = f"{self.disk}@@{find_place(self.target, 'start')}"
        command = ["mtype", "-i", source, "::/autoboot.txt"]
        text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        default, other = ({"2": "A", "3": "B"}[number] for number in re.findall(r"boot_partition=(\d)", text))
        return default, other

    def keep_picture(self, name: str, folder: Path) -> None:
        """Do nothing: there is no screen."""

    def wake_buttons(self) -> None:
        """Press a button until a lamp is lit: those of a machine whose pins were never used stay dark."""
        end = time.monotonic() + PRESS_SECONDS * 10
        while "1" not in self.read_offered():
            assert time.monotonic() < end, "no press at a pin was answered by a lamp"
            self.press("6")
            time.sleep(POLL_SECONDS)
