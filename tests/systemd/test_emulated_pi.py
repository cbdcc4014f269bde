"""The Pi's card image in the emulated Pi: pins, name, data partition, and a whole game with vision in 1 GB.

What both images must do is in test_card_image.py, which needs what this needs. All takes many minutes.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tests.systemd.emulated_card import PATIENCE, copy_card, open_data
from tests.systemd.emulated_pi import EmulatedPi
from tests.systemd.test_card_image import CARD_BYTES, find_image

pytestmark = [pytest.mark.proof, pytest.mark.timeout(round(4 * 3600 * PATIENCE))]

GAME = "companion run --headless --game macroscope --players Ada Ben --seed 1"
GAME_WORDS = (
    f"systemd.run=\"sh -c '/usr/local/bin/{GAME}; echo game ended with $?; grep MemAvailable /proc/meminfo'\" "
    "systemd.run_success_action=none systemd.run_failure_action=none"
)
"""Of the kernel's command line: the machine does nothing else."""


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
    with EmulatedPi(disk, tmp_path, GAME_WORDS) as pi:
        pi.switch_on()
        pi.wait_for_log("game ended with 0")
        (free,) = re.findall(r"MemAvailable: +(\d+) kB", pi.read_log())
        assert int(free) > 200_000
