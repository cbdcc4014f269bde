"""Symbols of Memo Dice: monochrome drawings, each as a mask.

The 54 printed symbols are not known (section 2 of docs/rules/memo_dice.md), so these are generated: the kinds have
holes, thin lines, dots and filled areas, and each kind has variants. The vision reads only the colour of the ink.
"""

import math
import random
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

Mask = npt.NDArray[np.float32]
"""Share of ink from 0 to 1, (SYMBOL_SIZE_PX, SYMBOL_SIZE_PX)."""

SYMBOL_SIZE_PX = 96
"""Side of a mask in pixels; the larger, the finer the symbols on the dice."""
_SUPERSAMPLING = 4
"""Masks are drawn larger by this factor and reduced; the larger, the smoother their edges."""

SYMBOL_KINDS = (
    "umbrella",
    "turtle",
    "cactus",
    "fan",
    "cup",
    "cake",
    "island",
    "ball",
    "star",
    "ring",
    "tree",
    "key",
    "fish",
    "wave",
    "house",
    "brush",
    "mouse",
    "shower",
    "flower",
    "bolt",
    "snail",
    "letters",
    "moon",
    "ladder",
    "glasses",
    "comb",
)
"""Names of the symbols; `_Pen` has a method for each."""


@lru_cache(maxsize=512)
def draw_symbol(kind: int, number: int) -> Mask:
    """Draw the mask of a symbol.

    Args:
        kind: index in `SYMBOL_KINDS`.
        number: seed of the variant.
    """
    pen = _Pen(random.Random(f"{SYMBOL_KINDS[kind]} {number}"))
    getattr(pen, f"_{SYMBOL_KINDS[kind]}")()
    small = cv2.resize(pen.ink, (SYMBOL_SIZE_PX, SYMBOL_SIZE_PX), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32) / 255.0


class _Pen:
    """Draws into a mask with coordinates from -1 to 1, y down."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.ink = np.zeros((SYMBOL_SIZE_PX * _SUPERSAMPLING, SYMBOL_SIZE_PX * _SUPERSAMPLING), np.uint8)
        self.thin = rng.uniform(0.07, 0.15)

    def _at(self, x: float, y: float) -> tuple[int, int]:
        half = SYMBOL_SIZE_PX * _SUPERSAMPLING / 2
        return round(half + 0.92 * half * x), round(half + 0.92 * half * y)

    def _px(self, length: float) -> int:
        return max(1, round(0.92 * SYMBOL_SIZE_PX * _SUPERSAMPLING / 2 * length))

    def line(self, *points: tuple[float, float], width: float | None = None, ink: int = 255) -> None:
        where = np.array([self._at(*p) for p in points], np.int32)
        cv2.polylines(self.ink, [where], False, ink, self._px(width or self.thin), cv2.LINE_AA)

    def area(self, *points: tuple[float, float], ink: int = 255) -> None:
        cv2.fillPoly(self.ink, [np.array([self._at(*p) for p in points], np.int32)], ink, cv2.LINE_AA)

    def disc(self, x: float, y: float, radius: float, ink: int = 255) -> None:
        cv2.circle(self.ink, self._at(x, y), self._px(radius), ink, -1, cv2.LINE_AA)

    def circle(self, x: float, y: float, radius: float, width: float | None = None) -> None:
        cv2.circle(self.ink, self._at(x, y), self._px(radius), 255, self._px(width or self.thin), cv2.LINE_AA)

    def oval(
        self, x: float, y: float, rx: float, ry: float, *, part: tuple[int, int] = (0, 360), full: bool = True
    ) -> None:
        axes, width = (self._px(rx), self._px(ry)), -1 if full else self._px(self.thin)
        cv2.ellipse(self.ink, self._at(x, y), axes, 0, part[0], part[1], 255, width, cv2.LINE_AA)

    def _umbrella(self) -> None:
        self.oval(0, 0, 0.85, 0.75, part=(180, 360))
        for x in (-0.57, 0.0, 0.57):
            self.disc(x, 0.02, 0.2, ink=0)
        self.line((0, -0.8), (0, 0.7), (0.15, 0.82), (0.3, 0.7))

    def _turtle(self) -> None:
        self.oval(0, 0.05, 0.62, 0.5)
        for x, y in ((-0.55, -0.4), (0.55, -0.4), (-0.55, 0.5), (0.55, 0.5)):
            self.disc(x, y, 0.19)
        self.disc(0, -0.62, 0.22)
        for k in range(self.rng.randint(2, 4)):
            self.line((-0.4, -0.2 + 0.22 * k), (0.4, -0.2 + 0.22 * k), width=0.05, ink=0)

    def _cactus(self) -> None:
        self.line((0, -0.75), (0, 0.75), width=0.34)
        self.line((-0.55, -0.3), (-0.55, 0.1), (0, 0.25), width=0.22)
        self.line((0.55, -0.5), (0.55, 0.0), (0, 0.1), width=0.22)

    def _fan(self) -> None:
        blades, turn = self.rng.randint(3, 5), self.rng.random()
        for k in range(blades):
            a = 2 * math.pi * k / blades + turn
            self.disc(0.45 * math.cos(a), 0.45 * math.sin(a), 0.3)
        self.circle(0, 0, 0.88)
        self.disc(0, 0, 0.16, ink=0)
        self.disc(0, 0, 0.1)

    def _cup(self) -> None:
        self.area((-0.6, -0.4), (0.4, -0.4), (0.3, 0.6), (-0.5, 0.6))
        self.circle(0.5, 0.0, 0.28)
        for x in (-0.35, 0.0, 0.3):
            self.line((x, -0.85), (x + 0.08, -0.7), (x, -0.55), width=0.07)

    def _cake(self) -> None:
        self.area((-0.75, 0.1), (0.75, 0.1), (0.75, 0.7), (-0.75, 0.7))
        self.line((-0.75, 0.35), (0.75, 0.35), width=0.09, ink=0)
        for x in (-0.45, 0.0, 0.45):
            self.line((x, -0.05), (x, -0.4), width=0.1)
            self.disc(x, -0.58, 0.1)

    def _island(self) -> None:
        self.oval(0, 0.6, 0.85, 0.24)
        self.line((0.0, 0.6), (0.15, 0.0), (0.1, -0.35), width=0.14)
        for k in range(5):
            a = math.radians(200 + 35 * k)
            self.line((0.1, -0.35), (0.1 + 0.55 * math.cos(a), -0.3 + 0.45 * math.sin(a)), width=0.12)

    def _ball(self) -> None:
        self.disc(0, 0, 0.8)
        self.area((-0.2, -0.28), (0.2, -0.28), (0.32, 0.1), (0, 0.34), (-0.32, 0.1), ink=0)
        for k in range(5):
            a = math.radians(72 * k - 90)
            self.line(
                (0.3 * math.cos(a), 0.3 * math.sin(a)), (0.78 * math.cos(a), 0.78 * math.sin(a)), width=0.07, ink=0
            )

    def _star(self) -> None:
        tips, inner = self.rng.randint(4, 8), self.rng.uniform(0.3, 0.5)
        spokes = [(0.88 if k % 2 == 0 else inner, math.pi * k / tips) for k in range(2 * tips)]
        self.area(*((r * math.sin(a), -r * math.cos(a)) for r, a in spokes))

    def _ring(self) -> None:
        self.circle(0, 0.2, 0.55, width=self.rng.uniform(0.12, 0.25))
        self.area((-0.3, -0.4), (0, -0.9), (0.3, -0.4), (0, -0.2))

    def _tree(self) -> None:
        for k in range(3):
            y = -0.9 + 0.42 * k
            self.area((0, y), (0.4 + 0.15 * k, y + 0.6), (-0.4 - 0.15 * k, y + 0.6))
        self.line((0, 0.5), (0, 0.85), width=0.2)

    def _key(self) -> None:
        self.circle(0, -0.5, 0.32, width=0.17)
        self.line((0, -0.2), (0, 0.85), width=0.16)
        for k in range(self.rng.randint(2, 3)):
            self.line((0, 0.8 - 0.26 * k), (0.35, 0.8 - 0.26 * k), width=0.13)

    def _fish(self) -> None:
        self.oval(-0.1, 0, 0.62, 0.4)
        self.area((0.4, 0), (0.88, -0.42), (0.88, 0.42))
        self.disc(-0.45, -0.1, 0.09, ink=0)

    def _wave(self) -> None:
        for k in range(self.rng.randint(2, 4)):
            points = [(x / 20 - 0.85, 0.16 * math.sin(x * 0.7) - 0.55 + 0.38 * k) for x in range(35)]
            self.line(*points)

    def _house(self) -> None:
        self.area((-0.8, -0.1), (0, -0.85), (0.8, -0.1))
        self.area((-0.58, -0.1), (0.58, -0.1), (0.58, 0.75), (-0.58, 0.75))
        self.area((-0.15, 0.25), (0.2, 0.25), (0.2, 0.75), (-0.15, 0.75), ink=0)

    def _brush(self) -> None:
        self.line((-0.8, 0.8), (0.2, -0.2), width=0.17)
        self.area((0.1, -0.4), (0.4, -0.1), (0.85, -0.75), (0.72, -0.88))

    def _mouse(self) -> None:
        self.oval(0, 0.2, 0.55, 0.45)
        self.disc(-0.45, -0.4, 0.27)
        self.disc(0.45, -0.4, 0.27)
        self.line((0.5, 0.4), (0.85, 0.3), (0.8, -0.1), width=0.07)
        for x in (-0.2, 0.2):
            self.disc(x, 0.1, 0.07, ink=0)

    def _shower(self) -> None:
        self.oval(0, -0.3, 0.6, 0.42, part=(180, 360))
        self.line((0, -0.6), (0, -0.9), width=0.14)
        for x in (-0.45, -0.15, 0.15, 0.45):
            for y in (0.0, 0.35, 0.7):
                self.line((x, y - 0.1), (x, y + 0.08), width=0.08)

    def _flower(self) -> None:
        petals = self.rng.randint(5, 8)
        for k in range(petals):
            a = 2 * math.pi * k / petals
            self.circle(0.5 * math.cos(a), 0.5 * math.sin(a), 0.24)
        self.disc(0, 0, 0.24)

    def _bolt(self) -> None:
        self.area((0.1, -0.9), (-0.5, 0.12), (-0.05, 0.12), (-0.2, 0.9), (0.5, -0.2), (0.05, -0.2), (0.4, -0.9))

    def _snail(self) -> None:
        points = [(0.07 * t * math.cos(t), 0.07 * t * math.sin(t) - 0.1) for t in (k / 6 for k in range(54))]
        self.line(*points)
        self.line((-0.8, 0.62), (0.8, 0.62))

    def _letters(self) -> None:
        text = "".join(self.rng.choice("ABEHKMRSWX") for _ in range(2))
        cv2.putText(self.ink, text, self._at(-0.85, 0.35), cv2.FONT_HERSHEY_DUPLEX, 5.5, 255, 26, cv2.LINE_AA)

    def _moon(self) -> None:
        self.disc(0, 0, 0.8)
        self.disc(self.rng.uniform(0.25, 0.45), -0.15, 0.66, ink=0)

    def _ladder(self) -> None:
        for x in (-0.4, 0.4):
            self.line((x, -0.85), (x, 0.85))
        for k in range(self.rng.randint(3, 5)):
            self.line((-0.4, -0.62 + 0.34 * k), (0.4, -0.62 + 0.34 * k))

    def _glasses(self) -> None:
        self.circle(-0.46, 0, 0.34)
        self.circle(0.46, 0, 0.34)
        self.line((-0.14, -0.05), (0.14, -0.05))

    def _comb(self) -> None:
        self.line((-0.8, -0.4), (0.8, -0.4), width=0.26)
        for k in range(self.rng.randint(6, 9)):
            self.line((-0.75 + 0.19 * k, -0.4), (-0.75 + 0.19 * k, 0.55), width=0.08)
