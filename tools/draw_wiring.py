"""Draw the wiring sheets of docs/build: a Pi's pins, a Pico's and an ATmega's box, a button on a lead, as SVG.

    python tools/draw_wiring.py [FOLDER]

The Pi's pins are those of the settings. The pins of the boxes are those of their firmware: tests/tooling/
test_draw_wiring.py compiles the firmware's `board.h` and compares each pin.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from circuit_symbols import (
    BOARD_EDGE,
    BOARD_FILL,
    BUTTON,
    CHIP_FILL,
    DATA,
    FREE,
    GAP,
    GROUND,
    LAMP,
    LIT,
    POWER,
    draw_button,
    draw_driver,
    draw_lamp_to_plus,
    draw_notes,
    draw_resistor,
    draw_small_led,
    draw_title,
    format_button,
)
from svg_sheet import INK, MUTED, PAPER, Colour, SvgSheet

from companion.config.gpio_pins import ButtonPins, LampPins
from companion.events import Button

FOLDER = Path(__file__).parent.parent / "docs" / "build"
WIDTH_PX, HEIGHT_PX = 1800, 1180

BCM_LINE_BY_PIN = {
    3: 2, 5: 3, 7: 4, 8: 14, 10: 15, 11: 17, 12: 18, 13: 27, 15: 22, 16: 23, 18: 24, 19: 10, 21: 9, 22: 25, 23: 11,
    24: 8, 26: 7, 27: 0, 28: 1, 29: 5, 31: 6, 32: 12, 33: 13, 35: 19, 36: 16, 37: 26, 38: 20, 40: 21,
}  # fmt: skip
"""BCM number of each signal pin of the 40-pin header (the same on every Pi since the B+)."""
PI_GROUND_PINS = (6, 9, 14, 20, 25, 30, 34, 39)
PI_POWER_PINS = {1: "3.3 V", 2: "5 V", 4: "5 V", 17: "3.3 V"}

PICO_GPIO_BY_PIN = {
    1: 0, 2: 1, 4: 2, 5: 3, 6: 4, 7: 5, 9: 6, 10: 7, 11: 8, 12: 9, 14: 10, 15: 11, 16: 12, 17: 13, 19: 14, 20: 15,
    21: 16, 22: 17, 24: 18, 25: 19, 26: 20, 27: 21, 29: 22, 31: 26, 32: 27, 34: 28,
}  # fmt: skip
"""GPIO number of each signal pin on the edge of a Raspberry Pi Pico (Pico datasheet, "Pico pinout")."""
PICO_OTHER_PINS = {30: "RUN", 35: "ADC_VREF", 36: "3V3 out", 37: "3V3_EN", 39: "VSYS", 40: "VBUS, 5 V"}
PICO_GROUND_PINS = (3, 8, 13, 18, 23, 28, 33, 38)
PICO_PIXELS = 12
"""GPIO number of the data line of lamps with colours (WS2812)."""
PICO_RESERVED = {0: "UART", 1: "UART", PICO_PIXELS: "WS2812 data", 15: "leave free"}
"""Pins of the Pico without a button or plain lamp, by GPIO number; the last one for an erratum of the chip."""
PICO_BUTTONS = dict(zip(Button, range(2, 12), strict=True))
"""GPIO number of each button of the Pico's box."""
PICO_LAMPS = dict(zip(Button, (16, 17, 18, 19, 20, 21, 22, 26, 27, 28), strict=True))
"""GPIO number of each lamp of the Pico's box."""

NANO_LEFT = ("D13", "3V3", "AREF", "A0", "A1", "A2", "A3", "A4", "A5", "A6", "A7", "5V", "RST", "GND", "VIN")
NANO_RIGHT = ("D12", "D11", "D10", "D9", "D8", "D7", "D6", "D5", "D4", "D3", "D2", "GND", "RST", "RX0", "TX1")
"""Pins of an Arduino Nano seen from above, from the end with the USB socket."""
NANO_BUTTONS = dict(zip(Button, ("D2", "D3", "D4", "D5", "D6", "D7", "A0", "A1", "A2", "A3"), strict=True))
"""Pin of each button of the ATmega's box."""
NANO_REGISTERS = {"D11": "SER IN", "D13": "SRCK", "D10": "RCK", "D9": "G"}
"""Pin of the shift registers that each of the Nano's pins is wired to."""
TPIC_DRAIN_PINS = (4, 5, 6, 7, 14, 15, 16, 17)
"""Pins of DRAIN0 to DRAIN7 of a TPIC6B595N (Texas Instruments SLIS032)."""
NANO_LAMPS = {button: (1 + index // 8, index % 8) for index, button in enumerate(Button)}
"""Shift register (1 or 2) and number of its DRAIN of each lamp of the ATmega's box."""


@dataclass(frozen=True, slots=True)
class PinLabel:
    """A pin of a board as it is drawn."""

    number: str
    """What stands in its dot, such as "7"."""
    name: str
    """Its name on the board, such as "GPIO 4"; empty: it has none beside its use."""
    use: str
    """What it is for: a part of the box, a supply, or "free"."""
    colour: Colour
    is_wired: bool = False
    """A part of the box is connected to it."""


def label_pin(number: str, name: str, parts: Mapping[str, tuple[str, Colour]], rest: str = "free") -> PinLabel:
    """Return the label of a signal pin.

    Args:
        number: what stands in its dot.
        name: its name on the board.
        parts: use and colour of each wired pin, by name.
        rest: its use if it is not wired.
    """
    if name in parts:
        use, colour = parts[name]
        return PinLabel(number, name, use, colour, True)
    return PinLabel(number, name, rest, FREE)


def draw_board(
    sheet: SvgSheet, x: float, y: float, pitch: float, gap: float, rows: Sequence[Sequence[PinLabel]]
) -> None:
    """Draw a board with two columns of pins, each with its label outside the board.

    Args:
        sheet: to draw on.
        x: of the left column.
        y: of the first row.
        pitch: distance of two rows.
        gap: distance of the two columns.
        rows: the left and the right pin of each row, from above.
    """
    sheet.draw_box(x - 62, y - 44, gap + 124, (len(rows) - 1) * pitch + 88, BOARD_FILL, BOARD_EDGE, 14, 4)
    for row, pair in enumerate(rows):
        for side, px, pin in zip((-1, 1), (x, x + gap), pair, strict=True):
            py, end = y + row * pitch, px + side * 104
            with sheet.group(pin=pin.name or pin.number, use=pin.use if pin.is_wired else ""):
                if pin.is_wired:
                    sheet.draw_line((px + side * 17, py), (end, py), colour=pin.colour, width=4)
                sheet.draw_dot(px, py, 17, pin.colour, INK)
                sheet.draw_text(px, py, pin.number, 15, INK if pin.colour == FREE else PAPER, True, "middle")
                words = [word for word in (pin.name, pin.use) if word]
                text = GAP.join(words if side > 0 else reversed(words))
                colour = MUTED if pin.colour == FREE else pin.colour
                sheet.draw_text(end + side * 10, py, text, 20, colour, pin.is_wired, "left" if side > 0 else "right")


def draw_gpio_sheet() -> SvgSheet:
    """Return the sheet with the Pi's 40 pins and the circuits of a button and of both kinds of lamps."""
    sheet = SvgSheet(WIDTH_PX, HEIGHT_PX, "Which button and lamp belongs to which of a Raspberry Pi's 40 pins")
    buttons = {
        f"GPIO {pin}": (f"button {format_button(each)}", BUTTON) for each, pin in ButtonPins().list_wired().items()
    }
    lamps = {f"GPIO {pin}": (f"lamp {format_button(each)}", LAMP) for each, pin in LampPins().list_wired().items()}

    def label(pin: int) -> PinLabel:
        if pin in PI_GROUND_PINS:
            return PinLabel(str(pin), "", "ground", GROUND, True)
        if pin in PI_POWER_PINS:
            return PinLabel(str(pin), "", PI_POWER_PINS[pin], POWER)
        line = BCM_LINE_BY_PIN[pin]
        return label_pin(str(pin), f"GPIO {line}", buttons | lamps, "a HAT's" if line in {0, 1} else "free")

    sheet.draw_text(445, 46, "The 40 pins of the Pi", 27, INK, True, "middle")
    draw_board(sheet, 420, 120, 50, 50, [(label(pin), label(pin + 1)) for pin in range(1, 41, 2)])
    sheet.draw_text(445, 1140, "USB sockets at this end", 20, MUTED, at="middle")
    x = 990
    draw_button(sheet, x, 46, "between its pin and any ground; nothing else is needed")
    draw_small_led(sheet, x, 226)
    beneath = "ULN2803A: eight lamps each, two of them for ten lamps"
    draw_title(sheet, x, 426, "A lamp: an arcade button's, 5 V or 12 V", beneath)
    examples = [(f"GPIO {LampPins().list_wired()[each]}", each) for each in list(Button)[:2]]
    draw_driver(sheet, x, 500, "ULN2803A", examples, "+5 V or +12 V")
    draw_notes(sheet, x, 678, "ground: the Pi's and the supply's minus, joined")
    draw_title(sheet, x, 760, "Everything else has a plug")
    plugs = (
        ("HDMI or DSI", "screen; touch, where it has it, by USB"),
        ("USB", "camera (or a ribbon camera at the CSI socket)"),
        ("USB", "button box, in place of or beside the pins"),
        ("USB, HDMI", "sound, if wished; a keyboard while setting up"),
        ("USB-C", "5 V: 3 A for a Pi 4, 5 A for a Pi 5"),
    )
    for index, (plug, purpose) in enumerate(plugs):
        sheet.draw_box(x, 786 + 38 * index, 150, 31, "#e8eef6", "none")
        sheet.draw_text(x + 75, 802 + 38 * index, plug, 19, bold=True, at="middle")
        sheet.draw_text(x + 164, 802 + 38 * index, purpose, 20)
    draw_notes(
        sheet,
        x,
        1052,
        "These are the pins unless section [gpio] of the settings names others.",
        "Pull the plug before you wire. Never put 5 V or 12 V on a pin.",
    )
    return sheet


def draw_pico_sheet() -> SvgSheet:
    """Return the sheet with the Pico's pins, its two lamp drivers and the circuit of a button."""
    sheet = SvgSheet(WIDTH_PX, HEIGHT_PX, "Wiring of the button box with a Raspberry Pi Pico")
    buttons = {f"GP{pin}": (f"button {format_button(each)}", BUTTON) for each, pin in PICO_BUTTONS.items()}
    lamps = {f"GP{pin}": (f"lamp {format_button(each)}", LAMP) for each, pin in PICO_LAMPS.items()}

    def label(pin: int) -> PinLabel:
        if pin in PICO_GROUND_PINS:
            return PinLabel(str(pin), "", "GND", GROUND, True)
        if pin in PICO_OTHER_PINS:
            is_supply = pin == 40
            return PinLabel(str(pin), "", PICO_OTHER_PINS[pin], POWER if is_supply else FREE, is_supply)
        gpio = PICO_GPIO_BY_PIN[pin]
        return label_pin(str(pin), f"GP{gpio}", buttons | lamps, PICO_RESERVED.get(gpio, "free"))

    sheet.draw_text(460, 36, "Raspberry Pi Pico or Pico 2, seen from above", 27, INK, True, "middle")
    sheet.draw_box(430, 66, 60, 40, "#d8dade", INK, 4)
    sheet.draw_text(460, 84, "USB", 17, at="middle")
    draw_board(sheet, 380, 140, 50, 160, [(label(pin), label(41 - pin)) for pin in range(1, 21)])
    x = 980
    draw_button(sheet, x, 46, "between its pin and any GND; nothing else is needed")
    beneath = "lamp's minus to the driver's output, its plus to VBUS"
    draw_title(sheet, x, 232, "The lamps, for 5 V, through two ULN2803A", beneath)
    channels = [(f"GP{pin}", button) for button, pin in PICO_LAMPS.items()]
    draw_driver(sheet, x, 304, "ULN2803A no. 1", channels[:7], "VBUS, +5 V")
    draw_driver(sheet, x, 650, "ULN2803A no. 2", channels[7:], "VBUS, +5 V")
    draw_notes(
        sheet,
        x,
        912,
        "Beside each input and output stands the chip's pin. Unused ones stay open.",
        "A lamp that is a bare LED needs a resistor of 220 Ω, one with a socket has it.",
        "10 µF between VBUS and GND, near the drivers: USB allows no more. Stripe = minus.",
        "12 V lamps: plus and COM to 12 V instead, the supply's minus to GND.",
        "The Pico's pins stand 3.3 V: never put 5 V or 12 V on one.",
        "Unplug the USB cable before you wire.",
    )
    return sheet


def draw_shift_register(sheet: SvgSheet, x: float, y: float, number: int) -> None:
    """Draw a TPIC6B595N with its control wires and its lamps; (x, y) is left of its upper edge."""
    left, right, step = x + 190, x + 400, 31
    lamps = [(drain, button) for button, (register, drain) in NANO_LAMPS.items() if register == number]
    controls: list[tuple[str, str, Colour]] = [
        ("D11" if number == 1 else "no. 1, pin 18", f"3{GAP}SER IN", DATA),
        ("D13", f"13{GAP}SRCK", DATA),
        ("D10", f"12{GAP}RCK", DATA),
        ("D9", f"9{GAP}G", DATA),
        ("5V", f"2{GAP}VCC", POWER),
        ("5V", f"8{GAP}SRCLR", POWER),
        ("GND", f"10, 11, 19{GAP}GND", GROUND),
    ]
    rows = max(len(controls), len(lamps) + (number == 1))
    sheet.draw_box(left, y, right - left, 44 + step * rows, CHIP_FILL)
    sheet.draw_text((left + right) / 2, y + 20, f"TPIC6B595N no. {number}", 19, bold=True, at="middle")
    for index, (pin, name, colour) in enumerate(controls):
        row = y + 52 + step * index
        with sheet.group(register=str(number), pin=pin, control=name.split(GAP)[1]):
            sheet.draw_line((x + 134, row), (left, row), colour=colour, width=4)
            sheet.draw_text(x + 128, row, pin, 18, colour, True, "right")
            sheet.draw_text(left + 8, row, name, 17)
    rail = right + 190
    sheet.draw_line((rail, y + 30), (rail, y + 52 + step * (len(lamps) - 1)), colour=POWER, width=4)
    sheet.draw_text(rail, y + 10, "5V", 18, POWER, True, "middle")
    for index, (drain, button) in enumerate(lamps):
        row = y + 52 + step * index
        with sheet.group(register=str(number), drain=str(drain), lamp=str(button)):
            sheet.draw_text(right - 8, row, f"{TPIC_DRAIN_PINS[drain]}", 17, at="right")
            draw_lamp_to_plus(sheet, right, row, format_button(button), rail)
    if number == 1:
        row = y + 52 + step * len(lamps)
        sheet.draw_text(right - 8, row, "18", 17, at="right")
        sheet.draw_line((right, row), (right + 50, row), colour=DATA, width=4)
        sheet.draw_text(right + 58, row, "to no. 2, pin 3", 17, DATA, True)


def draw_atmega_sheet() -> SvgSheet:
    """Return the sheet with the Nano's pins, its two shift registers and the circuit of a button."""
    sheet = SvgSheet(WIDTH_PX, HEIGHT_PX, "Wiring of the button box with an Arduino Nano (ATmega328P)")
    parts = {pin: (f"button {format_button(each)}", BUTTON) for each, pin in NANO_BUTTONS.items()}
    parts |= {pin: (f"registers, {name}", DATA) for pin, name in NANO_REGISTERS.items()}
    parts |= {"GND": ("ground", GROUND), "5V": ("registers, lamps", POWER)}

    def label(pin: str) -> PinLabel:
        return label_pin("", pin, parts, "USB chip" if pin in {"RX0", "TX1"} else "not used")

    sheet.draw_text(460, 36, "Arduino Nano, seen from above", 27, INK, True, "middle")
    sheet.draw_box(430, 66, 60, 40, "#d8dade", INK, 4)
    sheet.draw_text(460, 84, "USB", 17, at="middle")
    rows = [(label(a), label(b)) for a, b in zip(NANO_LEFT, NANO_RIGHT, strict=True)]
    draw_board(sheet, 380, 140, 50, 160, rows)
    draw_button(sheet, 120, 950, "between its pin and GND; nothing else is needed")
    x = 950
    beneath = "lamp's minus to the numbered pin of the chip, its plus to 5V"
    draw_title(sheet, x, 46, "The lamps, for 5 V, through two shift registers", beneath)
    draw_shift_register(sheet, x, 126, 1)
    draw_shift_register(sheet, x, 510, 2)
    row = 850
    sheet.draw_text(x + 128, row, "D9", 18, DATA, True, "right")
    sheet.draw_line((x + 134, row), (x + 200, row), colour=DATA, width=4)
    draw_resistor(sheet, x + 200, row, "10 kΩ")
    sheet.draw_line((x + 264, row), (x + 330, row), colour=POWER, width=4)
    sheet.draw_text(x + 336, row, "5V: dark until the firmware runs", 18, POWER)
    draw_notes(
        sheet,
        x,
        912,
        "An Uno has the same pin names. Numbers are the chips' pins; unused ones stay open.",
        "A lamp that is a bare LED needs a resistor of 220 Ω, one with a socket has it.",
        "100 nF between pins 2 and 10 of each chip.",
        "10 µF between 5V and GND, near the chips: USB allows no more. Stripe = minus.",
        "12 V lamps: their plus to 12 V instead, the supply's minus to GND.",
        "Unplug the USB cable before you wire.",
    )
    return sheet


LEAD_PINS = (
    ("1", "switch", BUTTON),
    ("2", "ground", GROUND),
    ("3", "lamp plus", POWER),
    ("4", "lamp minus", LAMP),
)
"""Pin of the GX12 plug, its use and colour: the same at every lead, so that each fits each socket."""


def draw_lead_sheet() -> SvgSheet:
    """Return the sheet of a button on a lead: box, socket, plug, cable and the button before the player."""
    sheet = SvgSheet(WIDTH_PX, 760, "A button on a lead, with a locking plug of four pins")
    draw_title(sheet, 60, 46, "A button on a lead, one before each player", "calculated, never built: see leads.md")
    top, step, box, socket, button = 250, 110, 60, 640, 1360
    sheet.draw_box(box, 130, 520, 520, BOARD_FILL, BOARD_EDGE, 14, 4)
    sheet.draw_text(box + 260, 164, "in the box", 22, bold=True, at="middle")
    sheet.draw_box(socket - 60, 180, 120, 460, CHIP_FILL)
    sheet.draw_text(socket - 60, 116, "GX12-4: socket, and plug with a screwed ring", 20, bold=True)
    sheet.draw_box(socket + 90, 180, 120, 460, CHIP_FILL)
    sheet.draw_box(button, 130, 380, 520, BOARD_FILL, BOARD_EDGE, 14, 4)
    sheet.draw_text(button + 190, 164, "before the player", 22, bold=True, at="middle")
    sheet.draw_text(1090, 190, "four-core cable, 2 m (at most 3 m)", 20, MUTED, at="middle")
    ends = ("button's pin", "GND", "lamps' plus", "driver's output")
    for index, ((pin, use, colour), end) in enumerate(zip(LEAD_PINS, ends, strict=True)):
        y = top + step * index
        with sheet.group(plug=pin, use=use):
            sheet.draw_line((box + 230, y), (button + 110, y), colour=colour, width=4)
            sheet.draw_text(box + 20, y, end, 20, colour, True)
            sheet.draw_text(1090, y - 22, use, 20, colour, True, "middle")
            for x in (socket, socket + 150):
                sheet.draw_dot(x, y, 20, colour, INK)
                sheet.draw_text(x, y, pin, 19, PAPER, True, "middle")
    sheet.draw_box(box + 300, top - 9, 64, 18, PAPER, INK, 2)
    sheet.draw_text(box + 332, top - 28, "1 kΩ", 19, at="middle")
    sheet.draw_line((box + 440, top), (box + 440, top + 24))
    sheet.draw_box(box + 431, top + 24, 18, 50, PAPER, INK, 2)
    sheet.draw_text(box + 418, top + 50, "10 kΩ", 19, at="right")
    sheet.draw_text(box + 440, top + 90, "3.3 V", 18, POWER, True, "middle")
    switch, lamp = button + 120, button + 150
    sheet.draw_line((switch - 10, top), (switch - 10, top + step), colour=BUTTON, width=4)
    sheet.draw_box(switch - 40, top + 34, 60, 42, PAPER)
    sheet.draw_text(switch + 34, top + 55, "COM, N.O.", 19)
    sheet.draw_line((switch - 10, top + 2 * step), (switch - 10, top + 3 * step), colour=LAMP, width=4)
    sheet.draw_dot(switch - 10, top + 2 * step + 55, 22, LIT, INK)
    sheet.draw_text(lamp, top + 2 * step + 55, "lamp, 5 V", 19)
    draw_notes(
        sheet,
        60,
        690,
        "The resistors sit at the socket. A plug that is not in is a button that nobody presses.",
        "No jack (it shorts while it is pushed in), no RJ45 (Ethernet and PoE fit into it), no plug of a power supply.",
    )
    return sheet


SHEETS: Mapping[str, Callable[[], SvgSheet]] = {
    "wiring-gpio.svg": draw_gpio_sheet,
    "wiring-pico.svg": draw_pico_sheet,
    "wiring-atmega.svg": draw_atmega_sheet,
    "wiring-lead.svg": draw_lead_sheet,
}
"""What draws each file."""


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    for name, draw_sheet in SHEETS.items():
        draw_sheet().save(folder / name)
