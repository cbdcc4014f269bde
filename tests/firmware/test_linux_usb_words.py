"""Without a kernel: what the proof of test_linux_usb.py relies on. It runs nightly, these each time."""

from __future__ import annotations

import re
import struct
from pathlib import Path

from hardware.buttons.usb_box.ports import BOX_PRODUCT
from tests.firmware.host import HELLO, decode
from tests.firmware.simulator import PICO_SIMULATOR, ROOT
from tests.firmware.test_linux_usb import DEVICE, GUEST, MODULES, NONCE, VERSION

INIT = GUEST.joinpath("init").read_text(encoding="utf-8")
PROGRAM = GUEST.joinpath("guest.c").read_text(encoding="utf-8")


def test_guest_says_hello_as_the_protocol_has_it() -> None:
    (words,) = re.findall(r"hello\[\] = \{([^}]*)\}", PROGRAM)
    hello = bytes(int(word, 0) for word in words.split(","))
    assert decode(hello.lstrip(b"\0")) == (HELLO, 0, struct.pack("<BH", VERSION, NONCE))


def test_guest_attaches_the_address_that_the_simulator_lends() -> None:
    (address,) = re.findall(r"const ADDRESS = (\d+);", PICO_SIMULATOR.joinpath("usb_bus.mjs").read_text("utf-8"))
    assert f"DEVICE_ID (1 << 16 | {address})" in PROGRAM


def test_guest_loads_the_drivers_that_are_copied_into_it() -> None:
    (names,) = re.findall(r"for module in ([^;]*);", INIT)
    assert names.split() == [Path(module).name for module in MODULES]


def test_device_has_the_ids_and_the_name_of_the_firmware() -> None:
    pico = ROOT / "firmware" / "pico"
    source = pico.joinpath("usb.c").read_text(encoding="utf-8")
    ids, *_, name = re.fullmatch(r"device (\S+) \S+ \S+ (.*)", DEVICE).groups()
    vendor, product = (int(word, 16) for word in ids.split(":"))
    assert name == BOX_PRODUCT
    assert f"VENDOR 0x{vendor:04X}" in source
    assert f"USB_PRODUCT 0x{product:04X}" in pico.joinpath("rp2040", "addresses.h").read_text(encoding="utf-8")
    assert f'answer_text("{name}"' in source
