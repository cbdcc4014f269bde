"""Draw docs/images/wiring.png: the wiring of a Raspberry Pi, from the default pins of the settings.

    python tools/draw_wiring.py [FILE.png]

Each button and lamp is labelled at its pin; example circuits for one of each are drawn beside the header.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pygame

import companion
from companion.config.gpio_pins import ButtonPins, LampPins
from companion.display.toolkit.theme import RGB
from companion.events import Button

SIZE_PX = (1600, 1180)
OVERSAMPLING = 2
"""Factor by which the sheet is drawn larger and then reduced, for smooth edges."""
PAPER, INK, MUTED = (255, 255, 255), (28, 32, 38), (110, 116, 126)
BUTTON, LAMP, GROUND, POWER, FREE = (32, 98, 176), (196, 120, 0), (40, 44, 50), (190, 40, 46), (196, 200, 206)
COPPER = (36, 130, 90)
BCM_LINE_BY_PIN = {
    3: 2, 5: 3, 7: 4, 8: 14, 10: 15, 11: 17, 12: 18, 13: 27, 15: 22, 16: 23, 18: 24, 19: 10, 21: 9, 22: 25, 23: 11,
    24: 8, 26: 7, 27: 0, 28: 1, 29: 5, 31: 6, 32: 12, 33: 13, 35: 19, 36: 16, 37: 26, 38: 20, 40: 21,
}  # fmt: skip
"""BCM number of each signal pin of the 40-pin header (the same on every Pi since the B+)."""
GROUND_PINS = (6, 9, 14, 20, 25, 30, 34, 39)
POWER_PINS = {1: "3.3 V", 2: "5 V", 4: "5 V", 17: "3.3 V"}
PIN_PITCH_PX = 50
"""Distance of two pins in the picture."""
NAMES = {"ok": "OK", "no": "NO", "plus": "PLUS", "minus": "MINUS"}
FONTS = Path(companion.__file__).parent / "display" / "fonts"


def format_button(button: Button) -> str:
    """Return the label of a button."""
    return NAMES.get(str(button), f"seat {button.seat_number}")


class WiringSheet:
    """A sheet to draw on; all coordinates and sizes are pixels of the picture."""

    def __init__(self) -> None:
        pygame.font.init()
        self.sheet = pygame.Surface((SIZE_PX[0] * OVERSAMPLING, SIZE_PX[1] * OVERSAMPLING))
        self.sheet.fill(PAPER)
        self._fonts: dict[tuple[int, bool], pygame.font.Font] = {}

    def draw_text(
        self, x: float, y: float, said: str, size: int = 22, colour: RGB = INK, bold: bool = False, at: str = "left"
    ) -> None:
        """Draw a text; `at` says which end of it is at x ("left", "right" or "middle"), y is its middle."""
        key = (size, bold)
        if key not in self._fonts:
            name = "Roboto-Bold" if bold else "Roboto-Medium"
            self._fonts[key] = pygame.font.Font(str(next(FONTS.glob(f"{name}*"))), size * OVERSAMPLING)
        drawn = self._fonts[key].render(said, True, colour)
        box = drawn.get_rect(centery=round(y * OVERSAMPLING))
        setattr(box, {"left": "left", "right": "right", "middle": "centerx"}[at], round(x * OVERSAMPLING))
        self.sheet.blit(drawn, box)

    def draw_line(self, *points: tuple[float, float], colour: RGB = INK, width: int = 3) -> None:
        pygame.draw.lines(
            self.sheet, colour, False, [(x * OVERSAMPLING, y * OVERSAMPLING) for x, y in points], width * OVERSAMPLING
        )

    def draw_box(
        self,
        x: float,
        y: float,
        w: float,
        h: float,
        fill: RGB | None = None,
        edge: RGB | None = INK,
        radius: int = 8,
        width: int = 3,
    ) -> None:
        place = pygame.Rect(x * OVERSAMPLING, y * OVERSAMPLING, w * OVERSAMPLING, h * OVERSAMPLING)
        if fill:
            pygame.draw.rect(self.sheet, fill, place, border_radius=radius * OVERSAMPLING)
        if edge:
            pygame.draw.rect(self.sheet, edge, place, width * OVERSAMPLING, border_radius=radius * OVERSAMPLING)

    def draw_dot(self, x: float, y: float, r: float, fill: RGB, edge: RGB | None = None) -> None:
        pygame.draw.circle(self.sheet, fill, (x * OVERSAMPLING, y * OVERSAMPLING), r * OVERSAMPLING)
        if edge:
            pygame.draw.circle(
                self.sheet, edge, (x * OVERSAMPLING, y * OVERSAMPLING), r * OVERSAMPLING, 2 * OVERSAMPLING
            )

    def draw_pin(self, x: float, y: float, colour: RGB, said: str, end: float) -> None:
        """Draw a pin of the Pi with a wire to the right, up to x = `end`."""
        self.draw_dot(x, y, 12, colour, INK)
        self.draw_text(x, y + 30, said, 19, at="middle")
        self.draw_line((x + 12, y), (end, y), colour=colour, width=4)

    def draw_title(self, x: float, y: float, said: str, beneath: str = "") -> None:
        self.draw_text(x, y, said, 27, INK, True)
        self.draw_text(x, y + 34, beneath, 20, MUTED)

    def draw_wire_to_ground(self, x: float, y: float, end: float) -> None:
        """Draw a wire to the right up to x = `end`, and down to a ground symbol."""
        self.draw_line((x, y), (end, y), (end, y + 16), colour=GROUND, width=4)
        self.draw_ground(end, y + 18)

    def draw_ground(self, x: float, y: float) -> None:
        for i, half in enumerate((16, 10, 4)):
            self.draw_line((x - half, y + 7 * i), (x + half, y + 7 * i), colour=GROUND)

    def draw_resistor(self, x: float, y: float, said: str) -> None:
        self.draw_box(x, y - 9, 64, 18, PAPER, INK, 2)
        self.draw_text(x + 32, y - 26, said, 19, at="middle")

    def save(self, file: Path) -> None:
        pygame.image.save(pygame.transform.smoothscale(self.sheet, SIZE_PX), str(file))


def describe_pin(pin: int, buttons: dict[int, str], lamps: dict[int, str]) -> tuple[str, RGB, bool]:
    """Return label and colour of a pin of the header, and whether a part of the device is wired to it."""
    line = BCM_LINE_BY_PIN.get(pin)
    if pin in GROUND_PINS:
        return "ground", GROUND, True
    if pin in POWER_PINS:
        return POWER_PINS[pin], POWER, False
    if line in buttons:
        return f"button {buttons[line]}", BUTTON, True
    if line in lamps:
        return f"lamp {lamps[line]}", LAMP, True
    return "a HAT's" if line in {0, 1} else "free", FREE, False


def draw_header(paper: WiringSheet, x: float, y: float) -> None:
    """Draw the 40 pins, seen from above with the USB sockets at the bottom."""
    buttons = {pin: format_button(button) for button, pin in ButtonPins().list_wired().items()}
    lamps = {pin: format_button(button) for button, pin in LampPins().list_wired().items()}
    paper.draw_box(x - 62, y - 44, 174, 20 * PIN_PITCH_PX + 38, (236, 246, 240), COPPER, 14, 4)
    for pin in range(1, 41):
        left, row = pin % 2 == 1, (pin - 1) // 2
        px, py = x + (0 if left else PIN_PITCH_PX), y + row * PIN_PITCH_PX
        said, colour, ours = describe_pin(pin, buttons, lamps)
        paper.draw_dot(px, py, 17, colour, INK)
        paper.draw_text(px, py, str(pin), 17, PAPER if colour != FREE else INK, True, "middle")
        side = -1 if left else 1
        end = px + side * 104
        if ours:
            paper.draw_line((px + side * 17, py), (end, py), colour=colour, width=4)
        number = f"GPIO {BCM_LINE_BY_PIN[pin]}" if pin in BCM_LINE_BY_PIN else ""
        name = f"{said}" if not number else f"{said}   {number}" if left else f"{number}   {said}"
        shade = colour if colour != FREE else MUTED
        paper.draw_text(end + side * 10, py, name, 21, shade, ours, "right" if left else "left")
    paper.draw_text(x + PIN_PITCH_PX / 2, y - 74, "The 40 pins of the Pi", 27, INK, True, "middle")
    paper.draw_text(x + PIN_PITCH_PX / 2, y + 20 * PIN_PITCH_PX + 20, "USB sockets at this end", 20, MUTED, at="middle")


def draw_button(paper: WiringSheet, x: float, y: float) -> None:
    paper.draw_title(x, y, "A button", "between its pin and any ground; nothing else is needed")
    middle = y + 96
    paper.draw_pin(x + 20, middle, BUTTON, "pin", x + 150)
    paper.draw_dot(x + 156, middle, 6, PAPER, INK)
    paper.draw_dot(x + 226, middle, 6, PAPER, INK)
    paper.draw_line((x + 160, middle - 22), (x + 222, middle - 22))
    paper.draw_line((x + 191, middle - 22), (x + 191, middle - 44), width=5)
    paper.draw_wire_to_ground(x + 232, middle, x + 340)


def draw_small_led(paper: WiringSheet, x: float, y: float) -> None:
    paper.draw_title(
        x, y, "A lamp: a small LED", "with 680 ohms or more in front of it: a pin gives a few milliamperes"
    )
    middle = y + 102
    paper.draw_pin(x + 20, middle, LAMP, "pin", x + 120)
    paper.draw_resistor(x + 120, middle, "680 Ω")
    paper.draw_line((x + 184, middle), (x + 240, middle))
    draw_led_symbol(paper, x + 240, middle)
    paper.draw_wire_to_ground(x + 272, middle, x + 340)


def draw_led_symbol(paper: WiringSheet, x: float, y: float) -> None:
    """Draw the symbol of an LED; the triangle points in the direction of the current."""
    pygame.draw.polygon(
        paper.sheet,
        LAMP,
        [
            (x * OVERSAMPLING, (y - 18) * OVERSAMPLING),
            (x * OVERSAMPLING, (y + 18) * OVERSAMPLING),
            ((x + 30) * OVERSAMPLING, y * OVERSAMPLING),
        ],
    )
    paper.draw_line((x + 31, y - 18), (x + 31, y + 18))
    for i in (0, 14):
        paper.draw_line((x + 8 + i, y - 26), (x + 20 + i, y - 40), colour=LAMP, width=2)


def draw_arcade_lamps(paper: WiringSheet, x: float, y: float) -> None:
    beneath = "through a ULN2803A, eight lamps each; two of them for ten lamps"
    paper.draw_title(x, y, "A lamp: an arcade button's, 5 V or 12 V", beneath)
    top = y + 70
    paper.draw_box(x + 150, top, 150, 190, (240, 240, 244))
    paper.draw_text(x + 225, top + 24, "ULN2803A", 21, bold=True, at="middle")
    for i, (left, right) in enumerate((("1 in", "out 18"), ("2 in", "out 17"), ("...", "..."))):
        paper.draw_text(x + 160, top + 60 + 32 * i, left, 18)
        paper.draw_text(x + 290, top + 60 + 32 * i, right, 18, at="right")
    paper.draw_text(x + 160, top + 168, "9 gnd", 18)
    paper.draw_text(x + 290, top + 168, "com 10", 18, at="right")
    for i in (0, 1):
        wire = top + 60 + 32 * i
        paper.draw_pin(x + 20, wire, LAMP, "", x + 150)
    paper.draw_text(x + 38, top + 22, "lamps' pins", 19)
    paper.draw_line((x + 150, top + 168), (x + 70, top + 168), (x + 70, top + 186), colour=GROUND, width=4)
    paper.draw_ground(x + 70, top + 188)
    paper.draw_text(x + 96, top + 206, "ground: the Pi's and the supply's minus", 19)
    for i in (0, 1):
        wire = top + 60 + 32 * i
        paper.draw_line((x + 300, wire), (x + 400, wire))
        paper.draw_dot(x + 414, wire, 13, (255, 226, 150), INK)
        paper.draw_line((x + 428, wire), (x + 490, wire))
    paper.draw_line((x + 490, top + 40), (x + 490, top + 168), (x + 300, top + 168), colour=POWER, width=4)
    paper.draw_text(x + 490, top + 20, "+5 V or +12 V, the supply's plus", 19, POWER, True, "middle")


def draw_other_plugs(paper: WiringSheet, x: float, y: float) -> None:
    paper.draw_title(x, y, "Everything else has a plug")
    rows = (
        ("HDMI or DSI", "screen; touch, where it has it, by USB"),
        ("USB", "camera (or a ribbon camera at the CSI socket)"),
        ("USB", "button box, in place of or beside the pins"),
        ("USB, HDMI", "sound, if wished; a keyboard while setting up"),
        ("USB-C", "5 V: 3 A for a Pi 4, 5 A for a Pi 5"),
    )
    for i, (plug, what) in enumerate(rows):
        paper.draw_box(x, y + 26 + 38 * i, 150, 31, (232, 238, 246), None)
        paper.draw_text(x + 75, y + 42 + 38 * i, plug, 19, bold=True, at="middle")
        paper.draw_text(x + 164, y + 42 + 38 * i, what, 20)


def draw_wiring(file: Path) -> None:
    """Draw the whole sheet into a PNG file."""
    paper = WiringSheet()
    draw_header(paper, 376, 120)
    x = 900
    draw_button(paper, x, 46)
    draw_small_led(paper, x, 242)
    draw_arcade_lamps(paper, x, 446)
    draw_other_plugs(paper, x, 800)
    notes = (
        "These are the pins unless section [gpio] of the settings names others.",
        "Switch off and pull the plug before you wire. Never put 5 V or 12 V on a pin.",
    )
    for i, note in enumerate(notes):
        paper.draw_text(x, 1052 + 34 * i, note, 19, MUTED)
    paper.save(file)


if __name__ == "__main__":
    draw_wiring(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent / "docs/images/wiring.png")
