"""The pins and the port of the settings."""

from __future__ import annotations

import re
from itertools import chain

import pytest

from companion.config.gpio_pins import ButtonPins, GpioSettings, LampPins
from companion.config.settings import Settings
from companion.config.settings_file import parse_settings
from companion.events import Button
from tests.conftest import REPOSITORY


def read(text: str) -> Settings:
    return parse_settings(text.encode(), "box.toml").settings


def test_defaults_wire_all_buttons_and_avoid_other_uses() -> None:
    pins = GpioSettings()
    assert list(pins.buttons.list_wired()) == list(pins.lamps.list_wired()) == list(Button)
    taken = list(chain(pins.buttons.list_wired().values(), pins.lamps.list_wired().values()))
    assert len(set(taken)) == 20
    assert not {2, 3, 14, 15} & set(taken)  # I2C and the serial port
    assert len({7, 8, 9, 10, 11} & set(taken)) == 3  # SPI-0: no more than must be
    # The chip pulls pins up to 8 up while it starts (BCM2711 peripherals, table 92): no lamps there.
    assert min(pins.lamps.list_wired().values()) > 8


def test_some_pins_may_be_named_and_the_others_stay() -> None:
    gpio = read("[gpio]\nbuttons = { ok = 2 }\n[gpio.lamps]\nno = 0\n").gpio
    assert gpio.buttons == ButtonPins(ok=2)
    assert gpio.buttons.seat1 == 4
    assert Button.NO not in gpio.lamps.list_wired()


def test_pins_may_be_exchanged() -> None:
    gpio = read("[gpio]\nbuttons = { ok = 25 }\nlamps = { ok = 23 }\n").gpio
    assert (gpio.buttons.ok, gpio.lamps.ok) == (25, 23)
    assert GpioSettings(buttons=ButtonPins(ok=0), lamps=LampPins(ok=23)).lamps.ok == 23


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[gpio]\nbuttons = { ok = 4 }", "gpio: pin 4 is given to the button seat1 and to the button ok"),
        ("[gpio]\nlamps = { minus = 23 }", "gpio: pin 23 is given to the button ok and to the lamp minus"),
        ("[gpio]\nbuttons = { ok = 28 }", "gpio.buttons.ok: must be a pin's BCM number, 2 to 27, or 0"),
        ("[gpio]\nbuttons = { ok = 1 }", "gpio.buttons.ok: must be a pin's BCM number"),
        ("[gpio]\nbuttons = { ok = -2 }", "gpio.buttons.ok: must be a pin's BCM number"),
        ("[gpio]\nbuttons = { ok = '4' }", 'gpio.buttons.ok must be a whole number, not "4"'),
        ("[gpio]\nbuttons = { okay = 4 }", "gpio.buttons.okay: there is no such setting; did you mean ok?"),
        ("[gpio]\nok = 4", "gpio.ok: there is no such setting; there are: buttons, lamps"),
        ("[gpio]\nbuttons = 4", "gpio.buttons must be a section"),
        ("[box]\nport = 'ttyACM0'", "box.port: must be a full path"),
        ("[box]\nport = 3", "box.port must be text in quotes"),
        ("[table]\nbuttons = 'pins'", 'table.buttons must be "any", "gpio", "box", "both" or "none", not "pins"'),
    ],
)
def test_error_says_what_is_wrong(text: str, words: str) -> None:
    (problem,) = parse_settings(text.encode(), "box.toml").problems
    assert words in problem


def test_a_wrong_pin_costs_that_button_and_wires_nothing_else() -> None:
    gpio = read("[gpio]\nbuttons = { ok = 28, no = 4, plus = 5 }\nlamps = { minus = 3 }").gpio
    assert gpio.lamps.minus == 3
    # Seat 1 is at pin 4 and seat 2 at pin 5 by default: who wrote that is wrong about one of each two.
    assert (gpio.buttons.ok, gpio.buttons.no, gpio.buttons.plus) == (0, 0, 0)
    assert gpio.buttons.list_wired() == {
        button: pin
        for button, pin in ButtonPins().list_wired().items()
        if button not in (Button.OK, Button.NO, Button.PLUS)
    }


def test_a_port_may_be_named() -> None:
    assert read("[box]\nport = '/dev/ttyACM3'").box.port == "/dev/ttyACM3"
    assert read("").box.port == ""


def test_wiring_page_has_the_defaults() -> None:
    page = (REPOSITORY / "docs" / "build" / "wiring.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| (\w+) \| (\d+ \| \d+) \|$", page, re.MULTILINE))
    pins = GpioSettings()
    assert rows == {str(b): f"{pins.buttons.list_wired()[b]} | {pins.lamps.list_wired()[b]}" for b in Button}
