#!/usr/bin/env python3
"""Make one UF2 file for the USB drives of a Pico and a Pico 2: each takes the blocks of its own chip's family.

The RP2040's firmware comes behind the second stage of its boot, which gets its checksum here.

Usage: make_uf2.py BOOT2.bin RP2040.bin RP2350.bin OUT.uf2
"""

from __future__ import annotations

import struct
import sys
from pathlib import Path

FLASH_AT = 0x10000000
BOOT2_BYTES = 252
"""Size of the second stage without its checksum (RP2040 datasheet 2.8.1.3.1)."""
BLOCK_BYTES = 256
"""Data in each block of 512 bytes, a page of the flash (https://github.com/microsoft/uf2)."""
FAMILY_RP2040 = 0xE48BFF56
FAMILY_RP2350_ARM_S = 0xE48BFF59
"""Programs for the RP2350's Arm processors in secure state (RP2350 datasheet 5.5.3)."""
FAMILY_PRESENT = 0x2000


def crc32(data: bytes) -> int:
    """Return the checksum that the ROM computes: polynomial 0x04C11DB7, initial value all ones, nothing reflected.

    >>> hex(crc32(b"123456789"))
    '0x376e6e7'
    """
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte << 24
        for _ in range(8):
            crc = ((crc << 1) ^ (0x04C11DB7 if crc & 0x80000000 else 0)) & 0xFFFFFFFF
    return crc


def make_image(boot2: bytes, firmware: bytes) -> bytes:
    """Return the content of the flash from its beginning. Raises ValueError if the second stage is too long."""
    if len(boot2) > BOOT2_BYTES:
        raise ValueError(f"the second stage of the boot has {len(boot2)} bytes, not {BOOT2_BYTES} at most")
    padded = boot2.ljust(BOOT2_BYTES, b"\0")
    return padded + struct.pack("<I", crc32(padded)) + firmware


def make_uf2(image: bytes, family: int) -> bytes:
    """Return a UF2 file that writes an image to the beginning of the flash of a chip of that family."""
    pages = [image[at : at + BLOCK_BYTES].ljust(BLOCK_BYTES, b"\0") for at in range(0, len(image), BLOCK_BYTES)]
    out = bytearray()
    for number, page in enumerate(pages):
        address = FLASH_AT + number * BLOCK_BYTES
        out += struct.pack("<4I", 0x0A324655, 0x9E5D5157, FAMILY_PRESENT, address)
        out += struct.pack("<4I", BLOCK_BYTES, number, len(pages), family)
        out += page.ljust(476, b"\0") + struct.pack("<I", 0x0AB16F30)
    return bytes(out)


def main() -> None:
    """Read the parts and write the UF2 file."""
    boot2, rp2040, rp2350, out = (Path(name) for name in sys.argv[1:])
    first = make_uf2(make_image(boot2.read_bytes(), rp2040.read_bytes()), FAMILY_RP2040)
    out.write_bytes(first + make_uf2(rp2350.read_bytes(), FAMILY_RP2350_ARM_S))


if __name__ == "__main__":
    main()
