"""The Pi's card image in the emulated Pi: pins, name, data partition, and a whole game with vision in 1 GB.

What both images must do is in test_card_image.py, which needs what this needs. All takes many minutes.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.systemd.emulated_card import PATIENCE, copy_card, find_place, open_data
from tests.systemd.emulated_pi import EmulatedPi
from tests.systemd.test_card_image import CARD_BYTES, find_image

pytestmark = [pytest.mark.proof, pytest.mark.timeout(round(4 * 3600 * PATIENCE))]

GAME = "companion run --headless --game macroscope --players Ada Ben --seed 1"
GAME_UNIT = f"""[Service]
Type=exec
WatchdogSec=0
Restart=no
ExecStart=
ExecStart=/bin/sh -c '/usr/local/bin/{GAME}; echo game ended with $$?; grep MemAvailable /proc/meminfo'
"""
"""In place of what companion.service starts."""


@pytest.fixture
def disk(tmp_path: Path) -> Path:
    """A card of 4 GiB with the image on it, never started."""
    made = copy_card(find_image("pi"), tmp_path / "card.img")
    with made.open("r+b") as file:
        file.truncate(CARD_BYTES)
    return made


def test_press_at_a_pin_lights_a_lamp_and_the_card_grows(disk: Path, tmp_path: Path) -> None:
    with EmulatedPi(disk, tmp_path) as pi:
        pi.switch_on()
        pi.wait_for_log("Started companion.service")
        assert pi.read_offered() == "0" * 10  # pins that nobody has pressed may belong to something else
        pi.wake_buttons()
        assert "1" in pi.read_offered()
    with open_data(disk, tmp_path / "mounted", EmulatedPi.target) as data:
        assert re.fullmatch(r"companion-[0-9a-f]{6}\n", (data / "image/name").read_text())
        statistics = os.statvfs(data)
        assert statistics.f_blocks * statistics.f_frsize > CARD_BYTES / 4


def test_whole_game_with_vision_is_played_in_a_gigabyte(disk: Path, tmp_path: Path) -> None:
    with EmulatedPi(disk, tmp_path, {"companion.service": GAME_UNIT}) as pi:
        pi.switch_on()
        pi.wait_for_log("game ended with 0")
        (free,) = re.findall(r"MemAvailable: +(\d+) kB", pi.read_log())
        assert int(free) > 200_000


def test_slot_b_is_started_and_kept(disk: Path, tmp_path: Path) -> None:
    """The slot is written from outside: the emulated Pi reads 9 KB/s from a stick, and an upgrade would take a day."""
    content = tmp_path / "bundle"
    subprocess.run(["unsquashfs", "-q", "-n", "-d", content, find_image("pi").with_suffix(".raucb")], check=True)
    for name in ("boot", "root"):
        with (content / f"{name}.img").open("rb") as part, disk.open("r+b") as card:
            card.seek(find_place(EmulatedPi.target, f"{name}-b"))
            shutil.copyfileobj(part, card)
    with EmulatedPi(disk, tmp_path) as pi:
        assert pi.read_slots() == ("A", "")
        pi.start_slot("B")
        pi.wait_for_log("Finished companion-confirm.service")
        pi.cut_power()
        assert "Booted into root.1 (B)" in pi.read_log()
        assert pi.read_slots() == ("B", "")
