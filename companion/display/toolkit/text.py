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
from companion.i18n import replace_unprintable

LINE_PITCH_EM = 1.14
"""Distance of two baselines, in em."""
CAP_HEIGHT_EM = 0.711
"""Height of a capital or a digit of Roboto, in em."""
DESCENT_EM = 0.24
"""What hangs below the baseline, in em."""
ACCENT_HEIGHT_EM = 0.2
"""What an accent on a capital adds above it, in em."""
SIZE_STEP_RATIO = 0.96
"""Ratio of one size tried to the one before."""
CHARACTERS_WITHOUT_DESCENDER = frozenset("0123456789+-−:")
"""What does not hang below the line."""
MIN_SHRINK_PER_LINE = 0.72
"""A text shrinks to this part of its size before it takes one line more."""
MAX_CACHED_TEXTS = 800
"""Rendered texts kept; a screen shows fewer than 100."""


class FontWeight(StrEnum):
    """The fonts that come with the companion."""

    MEDIUM = "Roboto-Medium.ttf"
    BOLD = "Roboto-Bold.ttf"


@dataclass(frozen=True, slots=True)
class TextLayout:
    """A text as it will be drawn: its lines, the size of the em in pixels, and the block's width and height."""

    lines: tuple[str, ...]
    em_px: int
    width: int
    height: int
    accent_height: int = 0
    """Of the height, what stands above the capitals."""


def _candidate_sizes(size: int, floor: int) -> Iterator[int]:
    """Sizes to be tried, largest first, ending with `floor`."""
    while size > floor:
        yield size
        size = max(floor, min(size - 1, round(size * SIZE_STEP_RATIO)))
    yield floor


class FontCache:
    """Fonts, measurements and rendered texts, each made once."""

    def __init__(self) -> None:
        pygame.font.init()
        self._fonts: dict[tuple[FontWeight, int], pygame.font.Font] = {}
        self._layouts: dict[tuple[object, ...], TextLayout] = {}
        self._min_widths: dict[tuple[str, FontWeight, int, int], int] = {}
        self._rendered: dict[tuple[str, FontWeight, int, RGB], pygame.Surface] = {}

    def load_font(self, weight: FontWeight, em_px: int) -> pygame.font.Font:
        """The font whose em is `size` pixels."""
        key = (weight, em_px)
        if key not in self._fonts:
            with as_file(files("companion.display") / "fonts" / weight) as path:
                self._fonts[key] = pygame.font.Font(str(path), em_px)
        return self._fonts[key]

    def measure_width(self, text: str, weight: FontWeight, em_px: int) -> int:
        """Width in pixels."""
        return self.load_font(weight, em_px).size(text)[0]

    def render_line(self, text: str, weight: FontWeight, em_px: int, colour: RGB) -> pygame.Surface:
        """One line, with transparent ground."""
        key = (text, weight, em_px, colour)
        if key not in self._rendered:
            if len(self._rendered) >= MAX_CACHED_TEXTS:
                self._rendered.clear()
            self._rendered[key] = self.load_font(weight, em_px).render(text, True, colour)
        return self._rendered[key]

    def fit_text(
        self, text: str, weight: FontWeight, max_em_px: int, min_em_px: int, box: tuple[int, int], max_lines: int = 1
    ) -> TextLayout:
        """The largest setting of `text` between `size` and `floor` that fits a box.

        Args:
            size, floor: em in pixels.
            box: width and height in pixels.
            lines: at most this many.
        """
        key = (text, weight, max_em_px, min_em_px, box, max_lines)
        if key not in self._layouts:
            if len(self._layouts) >= MAX_CACHED_TEXTS:
                self._layouts.clear()
            self._layouts[key] = self._lay_out(replace_unprintable(text), weight, max_em_px, min_em_px, box, max_lines)
        return self._layouts[key]

    def find_min_width(self, text: str, weight: FontWeight, em_px: int, max_lines: int) -> int:
        """The least width in which `text` takes no more than `lines` lines of whole words."""
        key = (text, weight, em_px, max_lines)
        if key not in self._min_widths:
            if len(self._min_widths) >= MAX_CACHED_TEXTS:
                self._min_widths.clear()
            self._min_widths[key] = self._search_min_width(replace_unprintable(text).split(), weight, em_px, max_lines)
        return self._min_widths[key]

    def _search_min_width(self, words: list[str], weight: FontWeight, size: int, lines: int) -> int:
        low = max((self.measure_width(w, weight, size) for w in words), default=0)
        high = max(low, self.measure_width(" ".join(words), weight, size))
        while low < high:
            middle = (low + high) // 2
            if len(self._wrap(words, weight, size, middle)) <= lines:
                high = middle
            else:
                low = middle + 1
        return low

    def _lay_out(
        self, text: str, weight: FontWeight, size: int, floor: int, box: tuple[int, int], lines: int
    ) -> TextLayout:
        words = text.split()
        for count in range(1, lines + 1):
            for tried in _candidate_sizes(
                size, floor if count == lines else max(floor, round(size * MIN_SHRINK_PER_LINE))
            ):
                broken = self._wrap(words, weight, tried, box[0])
                wide = max((self.measure_width(line, weight, tried) for line in broken), default=0)
                if wide <= box[0] and len(broken) <= count and self._measure_height(broken, tried) <= box[1]:
                    even = self.find_min_width(text, weight, tried, len(broken))
                    return self._make_layout(self._wrap(words, weight, tried, even), weight, tried)
        broken = self._wrap(words, weight, floor, box[0])
        return self._make_layout(self._truncate(broken, weight, floor, box, lines), weight, floor)

    def _make_layout(self, lines: list[str], weight: FontWeight, size: int) -> TextLayout:
        width = max((self.measure_width(line, weight, size) for line in lines), default=0)
        return TextLayout(
            tuple(lines), size, width, self._measure_height(lines, size), self._measure_accents(lines, size)
        )

    def _measure_height(self, lines: list[str], size: int) -> int:
        # Digits do not hang below the line: they may fill their box.
        hangs = 0.0 if all(set(line) <= CHARACTERS_WITHOUT_DESCENDER for line in lines) else DESCENT_EM
        return self._measure_accents(lines, size) + round(
            size * (CAP_HEIGHT_EM + hangs + LINE_PITCH_EM * (len(lines) - 1))
        )

    def _measure_accents(self, lines: list[str], size: int) -> int:
        accents = any(len(unicodedata.normalize("NFD", c)) > 1 for c in lines[0] if c.isupper()) if lines else False
        return ceil(size * ACCENT_HEIGHT_EM) if accents else 0

    def _wrap(self, words: list[str], weight: FontWeight, size: int, width: int) -> list[str]:
        lines: list[str] = []
        for word in words:
            longer = f"{lines[-1]} {word}" if lines else word
            if lines and self.measure_width(longer, weight, size) <= width:
                lines[-1] = longer
            else:
                lines.append(word)
        return lines

    def _truncate(
        self, broken: list[str], weight: FontWeight, size: int, box: tuple[int, int], lines: int
    ) -> list[str]:
        count = max(1, min(lines, len(broken)))
        while count > 1 and self._measure_height(broken[:count], size) > box[1]:
            count -= 1
        kept, rest = broken[: count - 1], " ".join(broken[count - 1 :])
        return [self._shorten_line(line, weight, size, box[0]) for line in (*kept, rest)]

    def _shorten_line(self, line: str, weight: FontWeight, size: int, width: int) -> str:
        if self.measure_width(line, weight, size) <= width:
            return line
        while line and self.measure_width(line + "…", weight, size) > width:
            line = line[:-1].rstrip()
        return line + "…"
