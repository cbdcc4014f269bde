"""Draws docs/images/wiring.png: what is wired to a Raspberry Pi's pins, from the pins that the settings name.

    python tools/draw_wiring.py [FILE.png]

Each button and lamp stands at its pin, with the circuits for one of each beside it.
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

SIZE = (1600, 1180)
OVER = 2
"""Drawn that much larger and made smaller, so that edges are smooth."""
PAPER, INK, MUTED = (255, 255, 255), (28, 32, 38), (110, 116, 126)
BUTTON, LAMP, GROUND, POWER, FREE = (32, 98, 176), (196, 120, 0), (40, 44, 50), (190, 40, 46), (196, 200, 206)
COPPER = (36, 130, 90)
BCM = {
    3: 2, 5: 3, 7: 4, 8: 14, 10: 15, 11: 17, 12: 18, 13: 27, 15: 22, 16: 23, 18: 24, 19: 10, 21: 9, 22: 25, 23: 11,
    24: 8, 26: 7, 27: 0, 28: 1, 29: 5, 31: 6, 32: 12, 33: 13, 35: 19, 36: 16, 37: 26, 38: 20, 40: 21,
}  # fmt: skip
"""Number of the chip's line at each pin of the 40-pin header (the same on every Pi since the B+)."""
GROUNDS = (6, 9, 14, 20, 25, 30, 34, 39)
POWERS = {1: "3.3 V", 2: "5 V", 4: "5 V", 17: "3.3 V"}
PITCH = 50
"""Between two pins in the picture."""
NAMES = {"ok": "OK", "no": "NO", "plus": "PLUS", "minus": "MINUS"}
FONTS = Path(companion.__file__).parent / "display" / "fonts"


def words(button: Button) -> str:
    """What stands at a button."""
    return NAMES.get(str(button), f"seat {button.seat_number}")


class Drawing:
    """A sheet to draw on, in picture pixels."""

    def __init__(self) -> None:
        pygame.font.init()
        self.sheet = pygame.Surface((SIZE[0] * OVER, SIZE[1] * OVER))
        self.sheet.fill(PAPER)
        self._fonts: dict[tuple[int, bool], pygame.font.Font] = {}

    def text(
        self, x: float, y: float, said: str, size: int = 22, colour: RGB = INK, bold: bool = False, at: str = "left"
    ) -> None:
        """`at`: which end of the text stands at x; y is its middle."""
        key = (size, bold)
        if key not in self._fonts:
            name = "Roboto-Bold" if bold else "Roboto-Medium"
            self._fonts[key] = pygame.font.Font(str(next(FONTS.glob(f"{name}*"))), size * OVER)
        drawn = self._fonts[key].render(said, True, colour)
        box = drawn.get_rect(centery=round(y * OVER))
        setattr(box, {"left": "left", "right": "right", "middle": "centerx"}[at], round(x * OVER))
        self.sheet.blit(drawn, box)

    def line(self, *points: tuple[float, float], colour: RGB = INK, width: int = 3) -> None:
        pygame.draw.lines(self.sheet, colour, False, [(x * OVER, y * OVER) for x, y in points], width * OVER)

    def box(
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
        place = pygame.Rect(x * OVER, y * OVER, w * OVER, h * OVER)
        if fill:
            pygame.draw.rect(self.sheet, fill, place, border_radius=radius * OVER)
        if edge:
            pygame.draw.rect(self.sheet, edge, place, width * OVER, border_radius=radius * OVER)

    def dot(self, x: float, y: float, r: float, fill: RGB, edge: RGB | None = None) -> None:
        pygame.draw.circle(self.sheet, fill, (x * OVER, y * OVER), r * OVER)
        if edge:
            pygame.draw.circle(self.sheet, edge, (x * OVER, y * OVER), r * OVER, 2 * OVER)

    def pin(self, x: float, y: float, colour: RGB, said: str, end: float) -> None:
        """One of the Pi's, with a wire to the right."""
        self.dot(x, y, 12, colour, INK)
        self.text(x, y + 30, said, 19, at="middle")
        self.line((x + 12, y), (end, y), colour=colour, width=4)

    def title(self, x: float, y: float, said: str, beneath: str = "") -> None:
        self.text(x, y, said, 27, INK, True)
        self.text(x, y + 34, beneath, 20, MUTED)

    def to_ground(self, x: float, y: float, end: float) -> None:
        """A wire from there to the right, and down."""
        self.line((x, y), (end, y), (end, y + 16), colour=GROUND, width=4)
        self.ground(end, y + 18)

    def ground(self, x: float, y: float) -> None:
        for i, half in enumerate((16, 10, 4)):
            self.line((x - half, y + 7 * i), (x + half, y + 7 * i), colour=GROUND)

    def resistor(self, x: float, y: float, said: str) -> None:
        self.box(x, y - 9, 64, 18, PAPER, INK, 2)
        self.text(x + 32, y - 26, said, 19, at="middle")

    def save(self, file: Path) -> None:
        pygame.image.save(pygame.transform.smoothscale(self.sheet, SIZE), str(file))


def tag(pin: int, buttons: dict[int, str], lamps: dict[int, str]) -> tuple[str, RGB, bool]:
    """What stands at a pin of the header, its colour, and whether something of ours is wired to it."""
    line = BCM.get(pin)
    if pin in GROUNDS:
        return "ground", GROUND, True
    if pin in POWERS:
        return POWERS[pin], POWER, False
    if line in buttons:
        return f"button {buttons[line]}", BUTTON, True
    if line in lamps:
        return f"lamp {lamps[line]}", LAMP, True
    return "a HAT's" if line in {0, 1} else "free", FREE, False


def header(paper: Drawing, x: float, y: float) -> None:
    """The 40 pins, seen from above with the USB sockets at the bottom."""
    buttons = {pin: words(button) for button, pin in ButtonPins().list_wired().items()}
    lamps = {pin: words(button) for button, pin in LampPins().list_wired().items()}
    paper.box(x - 62, y - 44, 174, 20 * PITCH + 38, (236, 246, 240), COPPER, 14, 4)
    for pin in range(1, 41):
        left, row = pin % 2 == 1, (pin - 1) // 2
        px, py = x + (0 if left else PITCH), y + row * PITCH
        said, colour, ours = tag(pin, buttons, lamps)
        paper.dot(px, py, 17, colour, INK)
        paper.text(px, py, str(pin), 17, PAPER if colour != FREE else INK, True, "middle")
        side = -1 if left else 1
        end = px + side * 104
        if ours:
            paper.line((px + side * 17, py), (end, py), colour=colour, width=4)
        number = f"GPIO {BCM[pin]}" if pin in BCM else ""
        name = f"{said}" if not number else f"{said}   {number}" if left else f"{number}   {said}"
        shade = colour if colour != FREE else MUTED
        paper.text(end + side * 10, py, name, 21, shade, ours, "right" if left else "left")
    paper.text(x + PITCH / 2, y - 74, "The 40 pins of the Pi", 27, INK, True, "middle")
    paper.text(x + PITCH / 2, y + 20 * PITCH + 20, "USB sockets at this end", 20, MUTED, at="middle")


def a_button(paper: Drawing, x: float, y: float) -> None:
    paper.title(x, y, "A button", "between its pin and any ground; nothing else is needed")
    middle = y + 96
    paper.pin(x + 20, middle, BUTTON, "pin", x + 150)
    paper.dot(x + 156, middle, 6, PAPER, INK)
    paper.dot(x + 226, middle, 6, PAPER, INK)
    paper.line((x + 160, middle - 22), (x + 222, middle - 22))
    paper.line((x + 191, middle - 22), (x + 191, middle - 44), width=5)
    paper.to_ground(x + 232, middle, x + 340)


def an_led(paper: Drawing, x: float, y: float) -> None:
    paper.title(x, y, "A lamp: a small LED", "with 680 ohms or more in front of it: a pin gives a few milliamperes")
    middle = y + 102
    paper.pin(x + 20, middle, LAMP, "pin", x + 120)
    paper.resistor(x + 120, middle, "680 Ω")
    paper.line((x + 184, middle), (x + 240, middle))
    led(paper, x + 240, middle)
    paper.to_ground(x + 272, middle, x + 340)


def led(paper: Drawing, x: float, y: float) -> None:
    """Its triangle points the way the current goes."""
    pygame.draw.polygon(
        paper.sheet, LAMP, [(x * OVER, (y - 18) * OVER), (x * OVER, (y + 18) * OVER), ((x + 30) * OVER, y * OVER)]
    )
    paper.line((x + 31, y - 18), (x + 31, y + 18))
    for i in (0, 14):
        paper.line((x + 8 + i, y - 26), (x + 20 + i, y - 40), colour=LAMP, width=2)


def arcade_lamps(paper: Drawing, x: float, y: float) -> None:
    beneath = "through a ULN2803A, eight lamps each; two of them for ten lamps"
    paper.title(x, y, "A lamp: an arcade button's, 5 V or 12 V", beneath)
    top = y + 70
    paper.box(x + 150, top, 150, 190, (240, 240, 244))
    paper.text(x + 225, top + 24, "ULN2803A", 21, bold=True, at="middle")
    for i, (left, right) in enumerate((("1 in", "out 18"), ("2 in", "out 17"), ("...", "..."))):
        paper.text(x + 160, top + 60 + 32 * i, left, 18)
        paper.text(x + 290, top + 60 + 32 * i, right, 18, at="right")
    paper.text(x + 160, top + 168, "9 gnd", 18)
    paper.text(x + 290, top + 168, "com 10", 18, at="right")
    for i in (0, 1):
        wire = top + 60 + 32 * i
        paper.pin(x + 20, wire, LAMP, "", x + 150)
    paper.text(x + 38, top + 22, "lamps' pins", 19)
    paper.line((x + 150, top + 168), (x + 70, top + 168), (x + 70, top + 186), colour=GROUND, width=4)
    paper.ground(x + 70, top + 188)
    paper.text(x + 96, top + 206, "ground: the Pi's and the supply's minus", 19)
    for i in (0, 1):
        wire = top + 60 + 32 * i
        paper.line((x + 300, wire), (x + 400, wire))
        paper.dot(x + 414, wire, 13, (255, 226, 150), INK)
        paper.line((x + 428, wire), (x + 490, wire))
    paper.line((x + 490, top + 40), (x + 490, top + 168), (x + 300, top + 168), colour=POWER, width=4)
    paper.text(x + 490, top + 20, "+5 V or +12 V, the supply's plus", 19, POWER, True, "middle")


def the_rest(paper: Drawing, x: float, y: float) -> None:
    paper.title(x, y, "Everything else has a plug")
    rows = (
        ("HDMI or DSI", "screen; touch, where it has it, by USB"),
        ("USB", "camera (or a ribbon camera at the CSI socket)"),
        ("USB", "button box, in place of or beside the pins"),
        ("USB, HDMI", "sound, if wished; a keyboard while setting up"),
        ("USB-C", "5 V: 3 A for a Pi 4, 5 A for a Pi 5"),
    )
    for i, (plug, what) in enumerate(rows):
        paper.box(x, y + 26 + 38 * i, 150, 31, (232, 238, 246), None)
        paper.text(x + 75, y + 42 + 38 * i, plug, 19, bold=True, at="middle")
        paper.text(x + 164, y + 42 + 38 * i, what, 20)


def draw(file: Path) -> None:
    """The whole sheet into a PNG file."""
    paper = Drawing()
    header(paper, 376, 120)
    x = 900
    a_button(paper, x, 46)
    an_led(paper, x, 242)
    arcade_lamps(paper, x, 446)
    the_rest(paper, x, 800)
    notes = (
        "These are the pins unless section [gpio] of the settings names others.",
        "Switch off and pull the plug before you wire. Never put 5 V or 12 V on a pin.",
    )
    for i, note in enumerate(notes):
        paper.text(x, 1052 + 34 * i, note, 19, MUTED)
    paper.save(file)


if __name__ == "__main__":
    draw(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent / "docs/images/wiring.png")
