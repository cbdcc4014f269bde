"""Symbols of the wiring drawings: pins, ground, resistors, buttons, lamps and their drivers."""

from __future__ import annotations

from collections.abc import Sequence

from svg_sheet import INK, MUTED, PAPER, Colour, SvgSheet

from companion.events import Button

BUTTON, LAMP, GROUND, POWER, FREE, DATA = "#2062b0", "#c47800", "#282c32", "#be282e", "#c4c8ce", "#6a3fa0"
BOARD_FILL, BOARD_EDGE, CHIP_FILL, LIT = "#ecf6f0", "#24825a", "#f0f0f4", "#ffe296"
GAP = "\u2002"
"""Between a pin's number or name and its use: a wide space, which SVG keeps."""
CONSOLE_NAMES = {Button.OK: "OK", Button.NO: "NO", Button.PLUS: "PLUS", Button.MINUS: "MINUS"}


def format_button(button: Button) -> str:
    """Return the label of a button."""
    return CONSOLE_NAMES.get(button, f"seat {button.seat_number}")


def draw_title(sheet: SvgSheet, x: float, y: float, title: str, beneath: str = "") -> None:
    """Draw a title with a line of explanation under it."""
    sheet.draw_text(x, y, title, 27, INK, True)
    sheet.draw_text(x, y + 34, beneath, 20, MUTED)


def draw_pin(sheet: SvgSheet, x: float, y: float, colour: Colour, name: str, end: float) -> None:
    """Draw a pin of a board with a wire to the right, up to x = `end`."""
    sheet.draw_line((x + 12, y), (end, y), colour=colour, width=4)
    sheet.draw_dot(x, y, 12, colour, INK)
    sheet.draw_text(x, y + 30, name, 19, at="middle")


def draw_ground(sheet: SvgSheet, x: float, y: float) -> None:
    """Draw the symbol of ground."""
    for index, half in enumerate((16, 10, 4)):
        sheet.draw_line((x - half, y + 7 * index), (x + half, y + 7 * index), colour=GROUND)


def draw_wire_to_ground(sheet: SvgSheet, x: float, y: float, end: float) -> None:
    """Draw a wire to the right up to x = `end`, and down to a ground symbol."""
    sheet.draw_line((x, y), (end, y), (end, y + 16), colour=GROUND, width=4)
    draw_ground(sheet, end, y + 18)


def draw_resistor(sheet: SvgSheet, x: float, y: float, value: str) -> None:
    """Draw a lying resistor, 64 wide, whose left end is at (x, y)."""
    sheet.draw_box(x, y - 9, 64, 18, PAPER, INK, 2)
    sheet.draw_text(x + 32, y - 26, value, 19, at="middle")


def draw_button(sheet: SvgSheet, x: float, y: float, beneath: str) -> None:
    """Draw the circuit of one button."""
    draw_title(sheet, x, y, "A button", beneath)
    middle = y + 96
    draw_pin(sheet, x + 20, middle, BUTTON, "pin", x + 150)
    sheet.draw_line((x + 160, middle - 22), (x + 222, middle - 22))
    sheet.draw_line((x + 191, middle - 22), (x + 191, middle - 44), width=5)
    draw_wire_to_ground(sheet, x + 232, middle, x + 340)
    sheet.draw_dot(x + 156, middle, 6, PAPER, INK)
    sheet.draw_dot(x + 226, middle, 6, PAPER, INK)


def draw_small_led(sheet: SvgSheet, x: float, y: float) -> None:
    """Draw the circuit of a lamp that is a small LED."""
    beneath = "with 680 Ω or more in front: a pin gives a few milliamperes"
    draw_title(sheet, x, y, "A lamp: a small LED", beneath)
    middle = y + 102
    draw_pin(sheet, x + 20, middle, LAMP, "pin", x + 120)
    draw_resistor(sheet, x + 120, middle, "680 Ω")
    sheet.draw_line((x + 184, middle), (x + 240, middle))
    sheet.draw_polygon((x + 240, middle - 18), (x + 240, middle + 18), (x + 270, middle), fill=LAMP)
    sheet.draw_line((x + 271, middle - 18), (x + 271, middle + 18))
    for shift in (0, 14):
        sheet.draw_line((x + 248 + shift, middle - 26), (x + 260 + shift, middle - 40), colour=LAMP, width=2)
    draw_wire_to_ground(sheet, x + 272, middle, x + 340)
    sheet.draw_text(x + 196, middle + 36, "longer leg", 17, MUTED)


def draw_lamp_to_plus(sheet: SvgSheet, x: float, y: float, name: str, rail: float) -> None:
    """Draw a lamp between a chip's output at (x, y) and the plus rail at x = `rail`."""
    sheet.draw_line((x, y), (rail, y))
    sheet.draw_dot(x + 50, y, 11, LIT, INK)
    sheet.draw_text(x + 74, y - 13, name, 17, LAMP, True)


def draw_driver(
    sheet: SvgSheet, x: float, y: float, title: str, channels: Sequence[tuple[str, Button]], plus: str
) -> None:
    """Draw a ULN2803A with the lamps that it switches.

    Args:
        sheet: to draw on.
        x: of the lamps' pins.
        y: of its upper edge.
        title: its name.
        channels: name of the board's pin and lamp of each of its channels, from the first.
        plus: the lamps' supply.
    """
    left, right, step = x + 150, x + 330, 31
    height = 50 + step * (len(channels) + 1)
    sheet.draw_box(left, y, right - left, height, CHIP_FILL)
    sheet.draw_text((left + right) / 2, y + 20, title, 19, bold=True, at="middle")
    rail = right + 200
    last = y + 52 + step * len(channels)
    sheet.draw_line((rail, y + 30), (rail, last), (right, last), colour=POWER, width=4)
    for index, (pin, button) in enumerate(channels):
        row = y + 52 + step * index
        with sheet.group(driver=title, channel=str(index + 1), pin=pin, lamp=str(button)):
            sheet.draw_line((x + 64, row), (left, row), colour=LAMP, width=4)
            sheet.draw_text(x + 58, row, pin, 18, LAMP, True, "right")
            sheet.draw_text(left + 8, row, f"{index + 1}{GAP}{index + 1}B", 17)
            sheet.draw_text(right - 8, row, f"{index + 1}C{GAP}{18 - index}", 17, at="right")
            draw_lamp_to_plus(sheet, right, row, format_button(button), rail)
    sheet.draw_text(left + 8, last, f"9{GAP}GND", 17)
    sheet.draw_text(right - 8, last, f"COM{GAP}10", 17, at="right")
    sheet.draw_line((left, last), (x + 70, last), (x + 70, last + 8), colour=GROUND, width=4)
    draw_ground(sheet, x + 70, last + 10)
    sheet.draw_text(rail, y + 10, plus, 18, POWER, True, "middle")


def draw_notes(sheet: SvgSheet, x: float, y: float, *notes: str) -> None:
    """Draw lines of small text."""
    for index, note in enumerate(notes):
        sheet.draw_text(x, y + 32 * index, note, 19, MUTED)
