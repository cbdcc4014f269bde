"""Text that fits: measured with the real font, shrunk to a floor, then wrapped, then cut with an ellipsis."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from importlib.resources import as_file, files
from math import ceil

import pygame

from companion.display.toolkit.theme import RGB
from companion.i18n import printable

PITCH = 1.14
"""Distance of two baselines, in em."""
CAP = 0.711
"""Height of a capital or a digit of Roboto, in em."""
DESCENT = 0.24
"""What hangs below the baseline, in em."""
OVER = 0.2
"""What an accent on a capital adds above it, in em."""
STEP = 0.96
"""Ratio of one size tried to the one before."""
FLAT = frozenset("0123456789+-−:")
"""What does not hang below the line."""
ONE_LINE_MORE = 0.72
"""A text shrinks to this part of its size before it takes one line more."""
KEPT = 800
"""Rendered texts kept; a screen shows fewer than 100."""


class Weight(StrEnum):
    """The fonts that come with the companion."""

    MEDIUM = "Roboto-Medium.ttf"
    BOLD = "Roboto-Bold.ttf"


@dataclass(frozen=True, slots=True)
class Set:
    """A text as it will be drawn: its lines, the size of the em in pixels, and the block's width and height."""

    lines: tuple[str, ...]
    size: int
    width: int
    height: int
    over: int = 0
    """Of the height, what stands above the capitals."""


def _sizes(size: int, floor: int) -> Iterator[int]:
    """Sizes to be tried, largest first, ending with `floor`."""
    while size > floor:
        yield size
        size = max(floor, min(size - 1, round(size * STEP)))
    yield floor


class Type:
    """Fonts, measurements and rendered texts, each made once."""

    def __init__(self) -> None:
        pygame.font.init()
        self._fonts: dict[tuple[Weight, int], pygame.font.Font] = {}
        self._sets: dict[tuple[object, ...], Set] = {}
        self._narrowest: dict[tuple[str, Weight, int, int], int] = {}
        self._drawn: dict[tuple[str, Weight, int, RGB], pygame.Surface] = {}

    def font(self, weight: Weight, size: int) -> pygame.font.Font:
        """The font whose em is `size` pixels."""
        key = (weight, size)
        if key not in self._fonts:
            with as_file(files("companion.display") / "fonts" / weight) as path:
                self._fonts[key] = pygame.font.Font(str(path), size)
        return self._fonts[key]

    def width(self, text: str, weight: Weight, size: int) -> int:
        """Width in pixels."""
        return self.font(weight, size).size(text)[0]

    def surface(self, text: str, weight: Weight, size: int, colour: RGB) -> pygame.Surface:
        """One line, with transparent ground."""
        key = (text, weight, size, colour)
        if key not in self._drawn:
            if len(self._drawn) >= KEPT:
                self._drawn.clear()
            self._drawn[key] = self.font(weight, size).render(text, True, colour)
        return self._drawn[key]

    def fit(self, text: str, weight: Weight, size: int, floor: int, box: tuple[int, int], lines: int = 1) -> Set:
        """The largest setting of `text` between `size` and `floor` that fits a box.

        Args:
            size, floor: em in pixels.
            box: width and height in pixels.
            lines: at most this many.
        """
        key = (text, weight, size, floor, box, lines)
        if key not in self._sets:
            if len(self._sets) >= KEPT:
                self._sets.clear()
            self._sets[key] = self._fit(printable(text), weight, size, floor, box, lines)
        return self._sets[key]

    def narrowest(self, text: str, weight: Weight, size: int, lines: int) -> int:
        """The least width in which `text` takes no more than `lines` lines of whole words."""
        key = (text, weight, size, lines)
        if key not in self._narrowest:
            if len(self._narrowest) >= KEPT:
                self._narrowest.clear()
            self._narrowest[key] = self._narrow(printable(text).split(), weight, size, lines)
        return self._narrowest[key]

    def _narrow(self, words: list[str], weight: Weight, size: int, lines: int) -> int:
        low = max((self.width(w, weight, size) for w in words), default=0)
        high = max(low, self.width(" ".join(words), weight, size))
        while low < high:
            middle = (low + high) // 2
            if len(self._wrap(words, weight, size, middle)) <= lines:
                high = middle
            else:
                low = middle + 1
        return low

    def _fit(self, text: str, weight: Weight, size: int, floor: int, box: tuple[int, int], lines: int) -> Set:
        words = text.split()
        for count in range(1, lines + 1):
            for tried in _sizes(size, floor if count == lines else max(floor, round(size * ONE_LINE_MORE))):
                broken = self._wrap(words, weight, tried, box[0])
                wide = max((self.width(line, weight, tried) for line in broken), default=0)
                if wide <= box[0] and len(broken) <= count and self._height(broken, tried) <= box[1]:
                    even = self.narrowest(text, weight, tried, len(broken))
                    return self._set(self._wrap(words, weight, tried, even), weight, tried)
        broken = self._wrap(words, weight, floor, box[0])
        return self._set(self._cut(broken, weight, floor, box, lines), weight, floor)

    def _set(self, lines: list[str], weight: Weight, size: int) -> Set:
        width = max((self.width(line, weight, size) for line in lines), default=0)
        return Set(tuple(lines), size, width, self._height(lines, size), self._over(lines, size))

    def _height(self, lines: list[str], size: int) -> int:
        # Digits do not hang below the line: they may fill their box.
        hangs = 0.0 if all(set(line) <= FLAT for line in lines) else DESCENT
        return self._over(lines, size) + round(size * (CAP + hangs + PITCH * (len(lines) - 1)))

    def _over(self, lines: list[str], size: int) -> int:
        accents = any(len(unicodedata.normalize("NFD", c)) > 1 for c in lines[0] if c.isupper()) if lines else False
        return ceil(size * OVER) if accents else 0

    def _wrap(self, words: list[str], weight: Weight, size: int, width: int) -> list[str]:
        lines: list[str] = []
        for word in words:
            longer = f"{lines[-1]} {word}" if lines else word
            if lines and self.width(longer, weight, size) <= width:
                lines[-1] = longer
            else:
                lines.append(word)
        return lines

    def _cut(self, broken: list[str], weight: Weight, size: int, box: tuple[int, int], lines: int) -> list[str]:
        count = max(1, min(lines, len(broken)))
        while count > 1 and self._height(broken[:count], size) > box[1]:
            count -= 1
        kept, rest = broken[: count - 1], " ".join(broken[count - 1 :])
        return [self._shortened(line, weight, size, box[0]) for line in (*kept, rest)]

    def _shortened(self, line: str, weight: Weight, size: int, width: int) -> str:
        if self.width(line, weight, size) <= width:
            return line
        while line and self.width(line + "…", weight, size) > width:
            line = line[:-1].rstrip()
        return line + "…"
