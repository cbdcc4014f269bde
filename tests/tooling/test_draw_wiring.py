"""The wiring sheets agree with the settings and with the pin tables of the firmware.

The firmware's `board.h` is compiled for this computer, with variables in place of the chip's registers: so the code
that reads the buttons and lights the lamps is compared, not a comment about it.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

import draw_wiring
import pytest

from companion.config.gpio_pins import ButtonPins, LampPins
from companion.events import Button
from tests.conftest import REPOSITORY

FIRMWARE = REPOSITORY / "firmware_notes" / "firmware"
NANO_INPUTS = {f"D{bit}": ("PIND", bit) for bit in range(8)} | {f"A{bit}": ("PINC", bit) for bit in range(6)}
"""Input register and bit of the Nano's pins (ATmega328P: D0 to D7 are PD0 to PD7, A0 to A5 are PC0 to PC5)."""
NANO_PORT_B = {f"D{bit + 8}": bit for bit in range(6)}
"""Bits of port B (D8 to D13 are PB0 to PB5)."""
AVR_STUB = """
#pragma once
#include <stdint.h>
#define _BV(bit) (1 << (bit))
enum { PB0, PB1, PB2, PB3, PB4, PB5, SPI2X = 0, SPE = 6, MSTR = 4 };
static uint8_t PINB, PINC, PIND, PORTB, PORTC, PORTD, DDRB, SPSR, SPCR, SPDR;
"""
PICO_STUB = """
#pragma once
#include <stdint.h>
#define BIT(n) (1ul << (n))
#define PAD_INPUT 1
#define PAD_PULL_UP 2
#define PAD_SCHMITT 4
#define FUNCTION_SIO 5
static uint32_t GPIO_IN, GPIO_OUT, GPIO_OE_SET, pads[32];
#define PAD(pin) pads[pin]
#define connect_pin(pin, function)
"""


def compile_and_run(
    folder: Path, board: Path, stub: str, stub_path: str, program: str, *options: str
) -> dict[str, int]:
    """Return what a program around a `board.h` prints as JSON; `stub` stands in for the chip's header."""
    if shutil.which("gcc") is None:
        pytest.skip("needs gcc")
    fake = folder / stub_path
    fake.parent.mkdir(parents=True, exist_ok=True)
    fake.write_text(stub, encoding="utf-8")
    (folder / "chip.h").write_text("", encoding="utf-8")
    # Beside the stub, so that it is found before the chip's header in the board's own folder.
    shutil.copy(board, folder / "board.h")
    source = folder / "main.c"
    source.write_text('#include <stdio.h>\n#include "board.h"\n' + program, encoding="utf-8")
    binary = folder / "pins"
    command = ["gcc", "-std=gnu11", "-w", *options, f"-I{folder}", f"-I{FIRMWARE}", "-o", str(binary), str(source)]
    subprocess.run(command, check=True)
    printed = subprocess.run([str(binary)], check=True, capture_output=True, text=True).stdout
    return {name: value for name, value in json.loads(printed).items() if value}


def make_mask(button: Button) -> int:
    """Return the firmware's bit of a button or lamp."""
    return 1 << list(Button).index(button)


def test_pico_pins_are_those_of_its_firmware(tmp_path: Path) -> None:
    program = """
    uint32_t board_lamp_outputs;
    int main(void) {
        printf("{");
        for (int pin = 0; pin < 30; pin++) {
            GPIO_IN = ~(1ul << pin);
            printf("\\"button GP%d\\": %u, ", pin, board_buttons());
        }
        for (int lamp = 0; lamp < 10; lamp++) {
            board_lamps_prepare(1u << lamp);
            board_lamps_show();
            printf("\\"lamp %d\\": %u, ", lamp, (unsigned)GPIO_OUT);
        }
        printf("\\"pixels\\": %u}", PIXEL_PIN);
    }
    """
    read = compile_and_run(tmp_path, FIRMWARE / "pico" / "board.h", PICO_STUB, "registers.h", program)
    buttons = {f"button GP{pin}": make_mask(each) for each, pin in draw_wiring.PICO_BUTTONS.items()}
    lamps = {f"lamp {list(Button).index(each)}": 1 << pin for each, pin in draw_wiring.PICO_LAMPS.items()}
    assert read == buttons | lamps | {"pixels": draw_wiring.PICO_PIXELS}


def test_atmega_pins_are_those_of_its_firmware(tmp_path: Path) -> None:
    lines = "\n".join(
        f'PINC = PIND = 0xFF; {register} = (uint8_t)~(1 << {bit}); printf("\\"{pin}\\": %u, ", board_buttons());'
        for pin, (register, bit) in NANO_INPUTS.items()
    )
    program = f"""
    _Bool board_lamps_prepared;
    int main(void) {{
        printf("{{");
        {lines}
        printf("\\"SER IN\\": %u, \\"SRCK\\": %u, \\"RCK\\": %u, \\"G\\": %u}}",
            _BV(LAMP_MOSI), _BV(LAMP_SCK), _BV(LAMP_LATCH), _BV(LAMP_DARK));
    }}
    """
    options = ("-D__AVR_ATmega328P__",)
    read = compile_and_run(tmp_path, FIRMWARE / "atmega" / "board.h", AVR_STUB, "avr/io.h", program, *options)
    buttons = {pin: make_mask(each) for each, pin in draw_wiring.NANO_BUTTONS.items()}
    registers = {name: 1 << NANO_PORT_B[pin] for pin, name in draw_wiring.NANO_REGISTERS.items()}
    assert read == buttons | registers


def test_atmega_lamps_are_those_of_its_firmware(tmp_path: Path) -> None:
    """The byte that is shifted out last stays in the first register; its bit n is DRAINn."""
    board = FIRMWARE / "atmega" / "board.h"
    program = """
    _Bool board_lamps_prepared;
    int main(void) {
        printf("{");
        for (int lamp = 0; lamp < 10; lamp++) {
            board_lamps_prepare(1u << lamp);
            printf("\\"2 %d\\": %u, ", lamp, SPDR);
            board_lamps_prepare_rest(1u << lamp);
            printf("\\"1 %d\\": %u, ", lamp, SPDR);
        }
        printf("\\"end\\": 0}");
    }
    """
    read = compile_and_run(tmp_path, board, AVR_STUB, "avr/io.h", program, "-D__AVR_ATmega328P__")
    lamps = draw_wiring.NANO_LAMPS.items()
    assert read == {f"{register} {list(Button).index(each)}": 1 << drain for each, (register, drain) in lamps}


def read_groups(file: str) -> list[dict[str, str]]:
    """Return the `data-` attributes of each group of a sheet in docs/build, without that prefix."""
    root = ET.parse(draw_wiring.FOLDER / file).getroot()
    groups = root.iter("{http://www.w3.org/2000/svg}g")
    return [{name.removeprefix("data-"): value for name, value in group.attrib.items()} for group in groups]


def list_pins(file: str, part: str) -> dict[str, str]:
    """Return the pin of the board that is labelled with each button or lamp (`part`), by its label."""
    uses = [(group["use"], group["pin"]) for group in read_groups(file) if group.get("use", "").startswith(part)]
    assert len(dict(uses)) == len(uses)
    return {use.removeprefix(f"{part} "): pin for use, pin in uses}


def test_sheets_show_the_pins() -> None:
    label = draw_wiring.format_button
    for part, gpio, pico in (
        ("button", ButtonPins().list_wired(), draw_wiring.PICO_BUTTONS),
        ("lamp", LampPins().list_wired(), draw_wiring.PICO_LAMPS),
    ):
        assert list_pins("wiring-gpio.svg", part) == {label(each): f"GPIO {pin}" for each, pin in gpio.items()}
        assert list_pins("wiring-pico.svg", part) == {label(each): f"GP{pin}" for each, pin in pico.items()}
    assert list_pins("wiring-atmega.svg", "button") == {label(e): p for e, p in draw_wiring.NANO_BUTTONS.items()}
    drawn = {g["lamp"]: (int(g["register"]), int(g["drain"])) for g in read_groups("wiring-atmega.svg") if "drain" in g}
    assert drawn == {str(each): place for each, place in draw_wiring.NANO_LAMPS.items()}
    driven = {g["lamp"]: g["pin"] for g in read_groups("wiring-pico.svg") if "driver" in g}
    assert driven == {str(each): f"GP{pin}" for each, pin in draw_wiring.PICO_LAMPS.items()}


@pytest.mark.parametrize("file", draw_wiring.SHEETS)
def test_sheets_are_drawn_from_the_code_as_it_is(file: str) -> None:
    drawn = draw_wiring.SHEETS[file]().format_svg()
    assert (draw_wiring.FOLDER / file).read_text(encoding="utf-8") == drawn, "run tools/draw_wiring.py"


@pytest.mark.parametrize("pins", [draw_wiring.PICO_GPIO_BY_PIN, draw_wiring.BCM_LINE_BY_PIN])
def test_no_pin_has_two_names(pins: dict[int, int]) -> None:
    assert len(set(pins.values())) == len(pins)
