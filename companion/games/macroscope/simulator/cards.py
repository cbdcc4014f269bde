"""Picture cards for the simulated table: things that can be guessed from what is seen through a few windows."""

import math
import random
from collections.abc import Callable, Sequence

import cv2
import numpy as np
import numpy.typing as npt

from companion.simulation.appearance import Colour

Image = npt.NDArray[np.uint8]
Spot = tuple[float, float]
"""x and y in the unit square, from the top left."""

SKY: Colour = (235, 190, 110)
NIGHT: Colour = (92, 44, 30)
GRASS: Colour = (70, 165, 95)
SEA: Colour = (170, 110, 40)
SAND: Colour = (150, 205, 235)
WHITE: Colour = (245, 245, 245)
BLACK: Colour = (35, 30, 30)
RED: Colour = (55, 55, 215)
ORANGE: Colour = (50, 140, 245)
YELLOW: Colour = (70, 215, 250)
GREEN: Colour = (80, 140, 40)
BLUE: Colour = (200, 110, 40)
PURPLE: Colour = (150, 60, 120)
PINK: Colour = (190, 150, 245)
BROWN: Colour = (45, 75, 120)
GREY: Colour = (150, 150, 150)

FRACTION_BITS = 4
"""Sub-pixel precision of OpenCV's drawing functions, in bits."""


class _Sheet:
    """A card that is being drawn, in the coordinates of the unit square."""

    def __init__(self, size: tuple[int, int], ground: Colour) -> None:
        self.size = size
        self.picture = np.full((size[1], size[0], 3), ground, np.uint8)

    def _place(self, spots: Sequence[Spot]) -> npt.NDArray[np.int32]:
        w, h = self.size
        return np.array([(x * w * 16, y * h * 16) for x, y in spots]).round().astype(np.int32)

    def polygon(self, colour: Colour, *spots: Spot) -> None:
        cv2.fillPoly(self.picture, [self._place(spots)], colour, cv2.LINE_AA, FRACTION_BITS)

    def box(self, colour: Colour, left: float, top: float, right: float, bottom: float) -> None:
        self.polygon(colour, (left, top), (right, top), (right, bottom), (left, bottom))

    def disc(self, colour: Colour, x: float, y: float, rx: float, ry: float | None = None, turn: float = 0.0) -> None:
        """Draw an ellipse; `rx` and `ry` are shares of the height, so that equal ones give a circle."""
        (centre,) = self._place([(x, y)])
        axes = tuple(round(r * self.size[1] * 16) for r in (rx, rx if ry is None else ry))
        angles = (turn, 0.0, 360.0)
        cv2.ellipse(self.picture, centre.tolist(), axes, *angles, colour, -1, cv2.LINE_AA, FRACTION_BITS)

    def line(self, colour: Colour, width: float, *spots: Spot) -> None:
        """Draw a line through the spots; `width` is a share of the height."""
        thickness = max(1, round(width * self.size[1]))
        cv2.polylines(self.picture, [self._place(spots)], False, colour, thickness, cv2.LINE_AA, FRACTION_BITS)


def _draw_lighthouse(sheet: _Sheet) -> None:
    sheet.box(SEA, 0, 0.72, 1, 1)
    sheet.polygon(YELLOW, (0.52, 0.2), (1.0, 0.05), (1.0, 0.36))
    sheet.disc(GREEN, 0.5, 0.95, 0.5, 0.22)
    sheet.polygon(WHITE, (0.42, 0.28), (0.58, 0.28), (0.64, 0.84), (0.36, 0.84))
    for top in (0.36, 0.56, 0.74):
        sheet.box(RED, 0.39, top, 0.61, top + 0.09)
    sheet.box(YELLOW, 0.44, 0.15, 0.56, 0.28)
    sheet.polygon(RED, (0.5, 0.03), (0.6, 0.15), (0.4, 0.15))


def _draw_fish(sheet: _Sheet) -> None:
    for y in (0.15, 0.5, 0.85):
        sheet.line(WHITE, 0.02, (0.02, y), (0.12, y - 0.05), (0.22, y))
    sheet.polygon(ORANGE, (0.72, 0.5), (0.97, 0.22), (0.93, 0.5), (0.97, 0.78))
    sheet.polygon(RED, (0.38, 0.3), (0.62, 0.1), (0.62, 0.32))
    sheet.disc(ORANGE, 0.45, 0.5, 0.42, 0.26)
    for x in (0.42, 0.56):
        sheet.disc(WHITE, x, 0.5, 0.05, 0.23)
    sheet.disc(WHITE, 0.24, 0.43, 0.07)
    sheet.disc(BLACK, 0.23, 0.43, 0.035)


def _draw_balloon(sheet: _Sheet) -> None:
    sheet.disc(WHITE, 0.16, 0.25, 0.16, 0.08)
    sheet.disc(WHITE, 0.85, 0.62, 0.18, 0.09)
    for x in (0.42, 0.58):
        sheet.line(BROWN, 0.015, (x, 0.55), (0.5 + (x - 0.5) * 0.6, 0.82))
    sheet.disc(RED, 0.5, 0.34, 0.31)
    sheet.disc(YELLOW, 0.5, 0.34, 0.2, 0.31)
    sheet.disc(BLUE, 0.5, 0.34, 0.09, 0.31)
    sheet.box(BROWN, 0.44, 0.8, 0.56, 0.95)


def _draw_boat(sheet: _Sheet) -> None:
    sheet.disc(YELLOW, 0.84, 0.16, 0.1)
    sheet.box(SEA, 0, 0.76, 1, 1)
    sheet.polygon(WHITE, (0.52, 0.06), (0.52, 0.62), (0.84, 0.62))
    sheet.polygon(RED, (0.47, 0.14), (0.47, 0.62), (0.24, 0.62))
    sheet.line(BROWN, 0.025, (0.5, 0.03), (0.5, 0.7))
    sheet.polygon(BROWN, (0.16, 0.67), (0.86, 0.67), (0.74, 0.85), (0.28, 0.85))


def _draw_house(sheet: _Sheet) -> None:
    sheet.box(GRASS, 0, 0.8, 1, 1)
    sheet.box(BROWN, 0.66, 0.12, 0.74, 0.4)
    sheet.box(YELLOW, 0.22, 0.42, 0.78, 0.86)
    sheet.polygon(RED, (0.12, 0.45), (0.5, 0.1), (0.88, 0.45))
    sheet.box(BLUE, 0.29, 0.52, 0.43, 0.67)
    sheet.box(BLUE, 0.58, 0.52, 0.71, 0.67)
    sheet.box(BROWN, 0.45, 0.62, 0.56, 0.86)


def _draw_cat(sheet: _Sheet) -> None:
    for side in (-1, 1):
        sheet.polygon(GREY, (0.5 + side * 0.3, 0.06), (0.5 + side * 0.08, 0.3), (0.5 + side * 0.31, 0.46))
        sheet.polygon(PINK, (0.5 + side * 0.27, 0.14), (0.5 + side * 0.15, 0.28), (0.5 + side * 0.27, 0.36))
    sheet.disc(GREY, 0.5, 0.56, 0.4, 0.36)
    for x in (0.36, 0.64):
        sheet.disc(GREEN, x, 0.5, 0.085)
        sheet.disc(BLACK, x, 0.5, 0.03, 0.07)
    sheet.polygon(PINK, (0.45, 0.63), (0.55, 0.63), (0.5, 0.7))
    for y in (0.66, 0.72, 0.78):
        sheet.line(WHITE, 0.014, (0.36, 0.72), (0.08, y))
        sheet.line(WHITE, 0.014, (0.64, 0.72), (0.92, y))


def _draw_snail(sheet: _Sheet) -> None:
    sheet.box(GREEN, 0, 0.82, 1, 1)
    sheet.disc(SAND, 0.46, 0.78, 0.52, 0.1)
    sheet.polygon(SAND, (0.74, 0.8), (0.8, 0.42), (0.9, 0.42), (0.86, 0.86))
    for x in (0.79, 0.92):
        sheet.line(SAND, 0.03, (0.85, 0.46), (x, 0.26))
        sheet.disc(BLACK, x, 0.25, 0.03)
    for r, colour in ((0.32, BROWN), (0.25, ORANGE), (0.17, BROWN), (0.09, ORANGE)):
        sheet.disc(colour, 0.44 + (0.32 - r) * 0.15, 0.5 + (0.32 - r) * 0.2, r)


def _draw_rocket(sheet: _Sheet) -> None:
    for x, y in ((0.1, 0.15), (0.22, 0.6), (0.85, 0.2), (0.78, 0.7), (0.92, 0.5), (0.12, 0.88)):
        sheet.disc(WHITE, x, y, 0.02)
    sheet.polygon(YELLOW, (0.42, 0.76), (0.58, 0.76), (0.5, 0.99))
    sheet.polygon(RED, (0.28, 0.8), (0.42, 0.5), (0.58, 0.5), (0.72, 0.8))
    sheet.disc(WHITE, 0.5, 0.42, 0.13, 0.38)
    sheet.polygon(RED, (0.5, 0.03), (0.565, 0.18), (0.435, 0.18))
    sheet.disc(BLUE, 0.5, 0.36, 0.075)


def _draw_mushroom(sheet: _Sheet) -> None:
    sheet.box(GREEN, 0, 0.84, 1, 1)
    sheet.polygon(SAND, (0.41, 0.5), (0.59, 0.5), (0.64, 0.9), (0.36, 0.9))
    sheet.disc(RED, 0.5, 0.44, 0.46, 0.32)
    sheet.disc(SAND, 0.5, 0.62, 0.3, 0.08)
    for x, y, r in ((0.34, 0.4, 0.07), (0.52, 0.26, 0.08), (0.68, 0.42, 0.06), (0.5, 0.46, 0.05)):
        sheet.disc(WHITE, x, y, r)


def _draw_butterfly(sheet: _Sheet) -> None:
    for side in (-1, 1):
        sheet.disc(PURPLE, 0.5 + side * 0.22, 0.34, 0.29, 0.22, 25 * side)
        sheet.disc(ORANGE, 0.5 + side * 0.18, 0.68, 0.22, 0.19, -30 * side)
        sheet.disc(YELLOW, 0.5 + side * 0.24, 0.34, 0.1)
        sheet.disc(RED, 0.5 + side * 0.19, 0.69, 0.08)
        sheet.line(BLACK, 0.016, (0.5, 0.28), (0.5 + side * 0.12, 0.06))
    sheet.disc(BLACK, 0.5, 0.52, 0.045, 0.3)


def _draw_cactus(sheet: _Sheet) -> None:
    sheet.disc(YELLOW, 0.82, 0.2, 0.12)
    sheet.box(SAND, 0, 0.78, 1, 1)
    sheet.line(GREEN, 0.11, (0.5, 0.6), (0.3, 0.6), (0.3, 0.36))
    sheet.line(GREEN, 0.11, (0.5, 0.5), (0.7, 0.5), (0.7, 0.28))
    sheet.line(GREEN, 0.19, (0.5, 0.18), (0.5, 0.86))
    for x, y in ((0.5, 0.1), (0.3, 0.32), (0.7, 0.24)):
        sheet.disc(PINK, x, y, 0.05)


def _draw_teapot(sheet: _Sheet) -> None:
    sheet.box(BROWN, 0, 0.84, 1, 1)
    sheet.line(BLUE, 0.07, (0.72, 0.42), (0.92, 0.44), (0.88, 0.66), (0.7, 0.72))
    sheet.polygon(BLUE, (0.3, 0.62), (0.08, 0.34), (0.16, 0.32), (0.34, 0.46))
    sheet.disc(BLUE, 0.5, 0.58, 0.36, 0.29)
    sheet.disc(WHITE, 0.5, 0.58, 0.14)
    sheet.disc(RED, 0.5, 0.58, 0.07)
    sheet.box(YELLOW, 0.38, 0.28, 0.62, 0.33)
    sheet.disc(YELLOW, 0.5, 0.24, 0.05)


def _draw_flower(sheet: _Sheet) -> None:
    sheet.box(GRASS, 0, 0.86, 1, 1)
    sheet.line(GREEN, 0.05, (0.5, 0.5), (0.5, 0.95))
    sheet.polygon(GREEN, (0.5, 0.84), (0.66, 0.62), (0.78, 0.66), (0.66, 0.82))
    for x, y in ((0.5, 0.14), (0.68, 0.27), (0.68, 0.52), (0.5, 0.65), (0.32, 0.52), (0.32, 0.27)):
        sheet.disc(YELLOW, x, y, 0.15)
    sheet.disc(BROWN, 0.5, 0.4, 0.18)


def _draw_train(sheet: _Sheet) -> None:
    sheet.box(BROWN, 0, 0.88, 1, 0.92)
    for x, y, r in ((0.24, 0.08, 0.1), (0.42, 0.06, 0.08), (0.56, 0.09, 0.06)):
        sheet.disc(WHITE, x, y, r)
    sheet.box(BLACK, 0.2, 0.2, 0.28, 0.44)
    sheet.box(GREEN, 0.12, 0.42, 0.66, 0.74)
    sheet.box(RED, 0.62, 0.22, 0.92, 0.74)
    sheet.box(YELLOW, 0.69, 0.3, 0.85, 0.48)
    sheet.box(BLACK, 0.58, 0.16, 0.96, 0.23)
    for x, r in ((0.2, 0.1), (0.42, 0.1), (0.76, 0.13)):
        sheet.disc(BLACK, x, 0.88 - r, r)
        sheet.disc(RED, x, 0.88 - r, r / 2)


def _draw_ice_cream(sheet: _Sheet) -> None:
    sheet.polygon(ORANGE, (0.32, 0.46), (0.68, 0.46), (0.5, 0.98))
    for x in (0.42, 0.5):
        sheet.line(BROWN, 0.014, (x - 0.06, 0.5), (x + 0.06, 0.76))
        sheet.line(BROWN, 0.014, (x + 0.14, 0.5), (x + 0.02, 0.76))
    sheet.disc(WHITE, 0.38, 0.36, 0.17)
    sheet.disc(RED, 0.62, 0.36, 0.17)
    sheet.disc(BROWN, 0.5, 0.2, 0.17)
    sheet.disc(RED, 0.5, 0.05, 0.04)


def _draw_owl(sheet: _Sheet) -> None:
    sheet.disc(YELLOW, 0.86, 0.18, 0.13)
    sheet.disc(BROWN, 0.5, 0.52, 0.27, 0.38)
    sheet.disc(SAND, 0.5, 0.68, 0.17, 0.2)
    for side in (-1, 1):
        sheet.polygon(BROWN, (0.5 + side * 0.2, 0.06), (0.5 + side * 0.04, 0.2), (0.5 + side * 0.2, 0.32))
        sheet.disc(WHITE, 0.5 + side * 0.1, 0.34, 0.12)
        sheet.disc(ORANGE, 0.5 + side * 0.1, 0.34, 0.08)
        sheet.disc(BLACK, 0.5 + side * 0.1, 0.34, 0.04)
    sheet.polygon(ORANGE, (0.46, 0.42), (0.54, 0.42), (0.5, 0.5))
    sheet.line(BROWN, 0.05, (0, 0.92), (1, 0.88))


def _draw_penguin(sheet: _Sheet) -> None:
    sheet.box(WHITE, 0, 0.8, 1, 1)
    for side in (-1, 1):
        sheet.disc(ORANGE, 0.5 + side * 0.1, 0.94, 0.1, 0.04)
        sheet.disc(BLACK, 0.5 + side * 0.24, 0.58, 0.08, 0.24, -15 * side)
    sheet.disc(BLACK, 0.5, 0.6, 0.3, 0.36)
    sheet.disc(WHITE, 0.5, 0.66, 0.2, 0.27)
    sheet.disc(BLACK, 0.5, 0.24, 0.2)
    for x in (0.44, 0.56):
        sheet.disc(WHITE, x, 0.21, 0.045)
        sheet.disc(BLACK, x, 0.21, 0.02)
    sheet.polygon(ORANGE, (0.44, 0.28), (0.56, 0.28), (0.5, 0.38))


def _draw_crab(sheet: _Sheet) -> None:
    sheet.box(SEA, 0, 0, 1, 0.18)
    for side in (-1, 1):
        for y in (0.66, 0.76, 0.86):
            sheet.line(
                RED, 0.035, (0.5 + side * 0.2, y - 0.08), (0.5 + side * 0.36, y - 0.06), (0.5 + side * 0.4, y + 0.06)
            )
        sheet.line(RED, 0.06, (0.5 + side * 0.22, 0.56), (0.5 + side * 0.36, 0.4))
        sheet.disc(RED, 0.5 + side * 0.36, 0.32, 0.13)
        sheet.polygon(SAND, (0.5 + side * 0.36, 0.32), (0.5 + side * 0.3, 0.16), (0.5 + side * 0.42, 0.16))
        sheet.line(RED, 0.025, (0.5 + side * 0.08, 0.5), (0.5 + side * 0.08, 0.36))
        sheet.disc(BLACK, 0.5 + side * 0.08, 0.34, 0.035)
    sheet.disc(RED, 0.5, 0.64, 0.34, 0.2)
    sheet.line(WHITE, 0.02, (0.42, 0.7), (0.5, 0.73), (0.58, 0.7))


def _draw_umbrella(sheet: _Sheet) -> None:
    for x, y in ((0.06, 0.2), (0.1, 0.66), (0.24, 0.8), (0.74, 0.76), (0.9, 0.62), (0.94, 0.16), (0.82, 0.9)):
        sheet.line(BLUE, 0.02, (x, y), (x - 0.03, y + 0.1))
    for rx, colour in ((0.42, PURPLE), (0.15, YELLOW)):
        arch = [(0.5 + rx * math.cos(a * math.pi / 12), 0.52 - 0.42 * math.sin(a * math.pi / 12)) for a in range(13)]
        sheet.polygon(colour, *arch)
    for x in (0.15, 0.29, 0.43, 0.57, 0.71, 0.85):
        sheet.disc(GREY, x, 0.54, 0.09, 0.06)
    sheet.line(BROWN, 0.03, (0.5, 0.04), (0.5, 0.1))
    sheet.line(BROWN, 0.03, (0.5, 0.5), (0.5, 0.86), (0.53, 0.92), (0.58, 0.92), (0.6, 0.85))


def _draw_pineapple(sheet: _Sheet) -> None:
    for x, tip in ((0.36, 0.1), (0.42, 0.04), (0.5, 0.0), (0.58, 0.04), (0.64, 0.1)):
        sheet.polygon(GREEN, (0.45, 0.38), (0.55, 0.38), (x + (x - 0.5) * 0.5, tip))
    sheet.disc(ORANGE, 0.5, 0.64, 0.26, 0.34)
    for side in (-1, 1):
        sheet.line(BROWN, 0.016, (0.5 - side * 0.13, 0.42), (0.5 + side * 0.13, 0.86))
        sheet.line(BROWN, 0.016, (0.5 - side * 0.02, 0.36), (0.5 + side * 0.18, 0.7))
        sheet.line(BROWN, 0.016, (0.5 - side * 0.18, 0.58), (0.5 + side * 0.02, 0.92))


def _draw_guitar(sheet: _Sheet) -> None:
    sheet.disc(ORANGE, 0.28, 0.66, 0.28)
    sheet.disc(ORANGE, 0.44, 0.5, 0.2)
    sheet.line(BROWN, 0.08, (0.36, 0.58), (0.82, 0.2))
    sheet.line(BLACK, 0.13, (0.82, 0.2), (0.93, 0.11))
    sheet.disc(BLACK, 0.38, 0.56, 0.09)
    sheet.line(BROWN, 0.05, (0.2, 0.62), (0.3, 0.78))
    sheet.line(WHITE, 0.012, (0.25, 0.7), (0.9, 0.13))


def _draw_castle(sheet: _Sheet) -> None:
    sheet.box(GREEN, 0, 0.86, 1, 1)
    sheet.box(GREY, 0.24, 0.5, 0.76, 0.9)
    for x in (0.3, 0.42, 0.54, 0.66):
        sheet.box(GREY, x - 0.02, 0.43, x + 0.05, 0.52)
    for x in (0.18, 0.82):
        sheet.box(GREY, x - 0.09, 0.34, x + 0.09, 0.9)
        sheet.polygon(BLUE, (x - 0.12, 0.35), (x + 0.12, 0.35), (x, 0.1))
        sheet.box(BLACK, x - 0.025, 0.46, x + 0.025, 0.58)
    sheet.disc(BROWN, 0.5, 0.7, 0.12)
    sheet.box(BROWN, 0.41, 0.7, 0.59, 0.9)
    sheet.line(BROWN, 0.015, (0.5, 0.44), (0.5, 0.16))
    sheet.polygon(RED, (0.5, 0.16), (0.64, 0.22), (0.5, 0.28))


def _draw_ladybird(sheet: _Sheet) -> None:
    for side in (-1, 1):
        for y in (0.4, 0.6, 0.8):
            sheet.line(BLACK, 0.03, (0.5, y - 0.04), (0.5 + side * 0.36, y))
        sheet.line(BLACK, 0.02, (0.5, 0.2), (0.5 + side * 0.14, 0.03))
    sheet.disc(BLACK, 0.5, 0.24, 0.17)
    sheet.disc(RED, 0.5, 0.58, 0.38, 0.36)
    sheet.line(BLACK, 0.02, (0.5, 0.22), (0.5, 0.94))
    for side in (-1, 1):
        for x, y, r in ((0.1, 0.42, 0.06), (0.18, 0.6, 0.06), (0.09, 0.76, 0.05)):
            sheet.disc(BLACK, 0.5 + side * x, y, r)
        sheet.disc(WHITE, 0.5 + side * 0.06, 0.18, 0.03)


def _draw_whale(sheet: _Sheet) -> None:
    sheet.box(SEA, 0, 0.68, 1, 1)
    for x in (0.22, 0.4):
        sheet.line(WHITE, 0.03, (0.31, 0.28), ((0.31 + x) / 2, 0.12), (x, 0.17))
    sheet.polygon(GREY, (0.66, 0.6), (0.84, 0.36), (0.98, 0.26), (0.92, 0.44), (0.8, 0.74))
    sheet.polygon(GREY, (0.86, 0.42), (0.72, 0.28), (0.94, 0.36))
    sheet.disc(GREY, 0.4, 0.58, 0.46, 0.27)
    sheet.disc(WHITE, 0.34, 0.74, 0.34, 0.09)
    sheet.disc(BLACK, 0.2, 0.54, 0.035)
    sheet.box(SEA, 0, 0.84, 1, 1)


def _draw_pencil(sheet: _Sheet) -> None:
    sheet.line(BLUE, 0.025, (0.06, 0.93), (0.2, 0.84), (0.3, 0.95), (0.46, 0.88))
    sheet.polygon(RED, (0.76, 0.1), (0.86, 0.02), (0.98, 0.18), (0.88, 0.26))
    sheet.polygon(GREY, (0.71, 0.14), (0.77, 0.09), (0.89, 0.25), (0.83, 0.3))
    sheet.polygon(ORANGE, (0.22, 0.54), (0.72, 0.13), (0.84, 0.29), (0.34, 0.72))
    sheet.polygon(SAND, (0.22, 0.54), (0.34, 0.72), (0.08, 0.84))
    sheet.polygon(BLACK, (0.12, 0.74), (0.16, 0.8), (0.08, 0.84))
    sheet.line(BROWN, 0.014, (0.28, 0.63), (0.78, 0.21))


def _draw_cake(sheet: _Sheet) -> None:
    sheet.box(WHITE, 0.06, 0.88, 0.94, 0.94)
    sheet.box(BROWN, 0.16, 0.48, 0.84, 0.88)
    sheet.box(PINK, 0.16, 0.64, 0.84, 0.7)
    sheet.box(WHITE, 0.16, 0.44, 0.84, 0.54)
    for x in (0.22, 0.36, 0.5, 0.64, 0.78):
        sheet.disc(WHITE, x, 0.54, 0.07)
    for x, colour in ((0.3, RED), (0.5, BLUE), (0.7, RED)):
        sheet.box(colour, x - 0.02, 0.22, x + 0.02, 0.46)
        sheet.disc(YELLOW, x, 0.16, 0.03, 0.06)


PICTURES: tuple[tuple[Callable[[_Sheet], None], Colour], ...] = (
    (_draw_lighthouse, SKY),
    (_draw_fish, SEA),
    (_draw_balloon, SKY),
    (_draw_boat, SKY),
    (_draw_house, SKY),
    (_draw_cat, YELLOW),
    (_draw_snail, SKY),
    (_draw_rocket, NIGHT),
    (_draw_mushroom, SKY),
    (_draw_butterfly, GRASS),
    (_draw_cactus, ORANGE),
    (_draw_teapot, PINK),
    (_draw_flower, SKY),
    (_draw_train, GRASS),
    (_draw_ice_cream, PINK),
    (_draw_owl, NIGHT),
    (_draw_penguin, SKY),
    (_draw_crab, SAND),
    (_draw_umbrella, GREY),
    (_draw_pineapple, YELLOW),
    (_draw_guitar, GRASS),
    (_draw_castle, ORANGE),
    (_draw_ladybird, GRASS),
    (_draw_whale, SKY),
    (_draw_pencil, YELLOW),
    (_draw_cake, PURPLE),
)
"""The pictures, each with the colour of its ground."""


def draw_card(number: int, size: tuple[int, int]) -> Image:
    """Draw a picture card, (height, width, 3) uint8 BGR: one thing that people know, large on a plain ground.

    Args:
        number: index in `PICTURES`; as many more: the same picture mirrored.
        size: (width, height) in pixels.
    """
    sides, picture = divmod(number, len(PICTURES))
    draw, ground = PICTURES[picture]
    sheet = _Sheet(size, ground)
    draw(sheet)
    return np.asarray(cv2.flip(sheet.picture, 1) if sides % 2 else sheet.picture, dtype=np.uint8)


def shuffle_deck(rng: random.Random, last: int | None = None) -> list[int]:
    """Return the numbers of one card of each picture, some mirrored, in random order.

    Args:
        last: number of the card before; its picture does not come first.

    >>> len(shuffle_deck(random.Random(1))) == len(PICTURES)
    True
    """
    pictures = rng.sample(range(len(PICTURES)), len(PICTURES))
    if last is not None and pictures[0] == last % len(PICTURES):
        pictures.reverse()
    return [picture + len(PICTURES) * rng.getrandbits(1) for picture in pictures]
