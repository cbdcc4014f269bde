"""The suite of `test_driver.py` on real gpiochip lines, through lgpio, in the rig's kernel."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kernel_rig.log_words import NO_HEADER_CHIP
from tests.kernel_rig.runner import run_script, run_suite_on_rig

pytestmark = [pytest.mark.full, pytest.mark.timeout(900)]  # boots a kernel

SUITE = str(Path(__file__).with_name("test_driver.py"))
TESTS_ON_PI_5 = ("test_press_and_release", "test_lamps_on_and_off")

RASPBERRY_PI_5 = """
sed -i 's/: BCM2835/: BCM2712/; s/: c03111/: d04170/' /run/cpuinfo
C=/sys/kernel/config/gpio-sim; mkdir $C/others $C/header $C/header/bank
for n in {1..10}; do mkdir $C/others/bank$n; echo 28 >$C/others/bank$n/num_lines; done
echo 28 >$C/header/bank/num_lines
"""
"""A Pi 5 as kernels of 2026 number it: chips 1 to 10 are foreign, gpiochip4 among them, the header's comes last."""


@pytest.mark.proof  # strokes that bounce need a guest that does not stand still
def test_driver_suite_on_kernel_gpio_lines() -> None:
    run_suite_on_rig(SUITE)


@pytest.mark.proof
def test_header_chip_is_found_by_its_label() -> None:
    """H1: gpiozero opens gpiochip4 on a Pi 5 without looking at its label, else gpiochip0."""
    output = run_script(
        RASPBERRY_PI_5
        + f"""
echo pinctrl-rp1 >$C/header/bank/label; echo 1 >$C/others/live; echo 1 >$C/header/live; echo 0 >$C/table/live
export RIG_GPIO=/sys/devices/platform/$(cat $C/header/dev_name)/$(cat $C/header/bank/chip_name)
exec "$1" -m pytest -q -p no:cacheprovider -p no:xdist {SUITE} -k '{" or ".join(TESTS_ON_PI_5)}'
"""
    )
    assert "2 passed" in output


def test_foreign_chips_are_refused_by_name() -> None:
    output = run_script(
        RASPBERRY_PI_5
        + """
echo pinctrl-other >$C/header/bank/label; echo 1 >$C/others/live; echo 1 >$C/header/live; echo 0 >$C/table/live
exec "$1" -c '
from hardware.buttons.gpio.pin_factory import open_lgpio
try: print(open_lgpio())
except OSError as error: print(error)
'
"""
    )
    assert NO_HEADER_CHIP in output
    assert "gpiochip11 pinctrl-other" in output


@pytest.mark.proof
def test_buttons_that_are_stuck_are_named_by_doctor_and_walk() -> None:
    """Two lines are low from the beginning, as with a switch that is wired to its normally closed contact.

    The simulated chip forgets that whenever a pull-up is asked for, so they are pulled down again at once.
    """
    output = run_script(
        """
"$1" -c '
import os, tempfile
from pathlib import Path
import lgpio
from companion.app.button_input import gpio_pins
from companion.cli import main
from companion.commands.doctor.button_checks import check_pins
from companion.config.settings import Settings
def connect_to_ground(claim):
    def claim_and_pull_down(handle, number, *more):
        result = claim(handle, number, *more)
        if number in (4, 23):
            Path(os.environ["RIG_GPIO"], f"sim_gpio{number}", "pull").write_text("pull-down")
        return result
    return claim_and_pull_down
lgpio.gpio_claim_input = connect_to_ground(lgpio.gpio_claim_input)
lgpio.gpio_claim_alert = connect_to_ground(lgpio.gpio_claim_alert)
print(check_pins(gpio_pins(Settings()), False).found)
main(["buttons", "--walk", "--seconds", "3", "--data", tempfile.mkdtemp()])
'
"""
    )
    assert "down from the beginning: seat1 (GPIO4), ok (GPIO23)" in output
    walked = [line.split()[2:7] for line in output.splitlines() if " GPIO " in line and "beginning" in line]
    assert walked == [[button, "down", "from", "the", "beginning:"] for button in ("seat1", "ok")]
