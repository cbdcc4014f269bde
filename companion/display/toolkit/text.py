"""Text that fits its box: measured with the real font, in the largest of the given sizes that fits, else cut."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache
from importlib.resources import files
from io import BytesIO
from itertools import groupby
from math import ceil
from pathlib import Path

import pygame

from companion.display.toolkit.caches import BoundedCache
from companion.display.toolkit.right_to_left import FontLetter, turn_right_to_left
from companion.display.toolkit.theme import RGB
from companion.i18n import format_number, replace_unprintable
from companion.system.font_files import find_font

DESCENT_EM = 0.24
"""Room below the baseline for letters with descenders, in em."""
ACCENT_HEIGHT_EM = 0.2
"""Room above the capitals for an accent, in em."""
SIZE_STEP_RATIO = 0.96
"""Ratio of a font size to the one before where every size may be taken; nearer to 1 fits tighter and takes longer."""
CHARACTERS_WITHOUT_DESCENDER = frozenset("0123456789+-−: \xa0!ABCDEFGHIKLMNOPRSTUVWXYZ")
"""A text of these characters alone needs no room below its baseline."""
MAX_SMALL_EM_PX = 40
"""Largest font size in pixels whose letters stand at parts of a pixel; larger: more even letters, and slower drawing.

FreeType's autohinter rounds each letter's width to whole pixels, at 24 pixels by up to 1.5 of them.
"""
OVERSAMPLING = 3
"""Such a text is drawn this many times larger, then scaled down; more is more even, and slower."""
MAX_CACHED_TEXTS = 800
"""Measured and rendered texts kept; a screen shows fewer than 100."""


def format_signed(number: int) -> str:
    """Format a change of a score with its sign ("+" or U+2212); zero has none.

    Args:
        number: the change in points.

    >>> format_signed(2), format_signed(-3), format_signed(0)
    ('+2', '−3', '0')
    """
    return f"+{number}" if number > 0 else format_number(number)


class Typeface(StrEnum):
    """The fonts of the package, by their files.

    >>> Typeface.TABULAR.value
    'SofiaSansExtraCondensed-BoldTabular.ttf'
    """

    TEXT = "Roboto-Medium.ttf"  # sentences
    DISPLAY = "SofiaSansExtraCondensed-Bold.ttf"  # names, numbers, titles, labels of keys
    TABULAR = "SofiaSansExtraCondensed-BoldTabular.ttf"  # numbers in columns and clocks: all figures are equally wide


LINE_PITCH_EM = {Typeface.TEXT: 1.14, Typeface.DISPLAY: 1.0, Typeface.TABULAR: 1.0}
"""Distance of two baselines, in em."""
CAP_HEIGHT_EM = {Typeface.TEXT: 0.711, Typeface.DISPLAY: 0.685, Typeface.TABULAR: 0.685}
"""Height of a capital or a digit, and of the display face's ascenders, in em."""


@dataclass(frozen=True, slots=True)
class TextLayout:
    """A text as it will be drawn.

    Attributes:
        lines: the text, broken into lines.
        em_px: font size in pixels.
        width: width of the block in pixels.
        height: height of the block in pixels, accents and descenders included.
        accent_height: pixels of the height above the capitals of the first line.
    """

    lines: tuple[str, ...]
    em_px: int
    width: int
    height: int
    accent_height: int = 0


def _split_words(text: str) -> list[str]:
    """Split a text at its spaces; a no-break space does not part words, as `str.split` alone would have it."""
    return [word for word in text.split(" ") if word]


def list_sizes(max_px: int, min_px: int) -> tuple[int, ...]:
    """Return the font sizes to try where every size may be taken: largest first, ending with `min_px`.

    Args:
        max_px: largest font size: its em in pixels.
        min_px: least font size in pixels; the only one if it is more than `max_px`.

    >>> list_sizes(30, 26)
    (30, 29, 28, 27, 26)
    """
    sizes, size = [], max_px
    while size > min_px:
        sizes.append(size)
        size = max(min_px, min(size - 1, round(size * SIZE_STEP_RATIO)))
    return (*sizes, min_px)


def _find_oversampling(em_px: int) -> int:
    """Return how many times larger a text of that font size is drawn."""
    return OVERSAMPLING if em_px <= MAX_SMALL_EM_PX else 1


@cache
def _read_font_file(font: str | Path) -> bytes:
    return font.read_bytes() if isinstance(font, Path) else (files("companion.display") / "fonts" / font).read_bytes()


UNDRAWABLE = "?"
"""Stands for a letter that no font has, which would be drawn as a box."""


@lru_cache(MAX_CACHED_TEXTS)
def split_runs(text: str, face: Typeface) -> tuple[tuple[str | Path, str], ...]:
    """Split a line into runs of one font each, in the order in which they are drawn; Hebrew from right to left.

    Args:
        text: the line.
        face: the font that is taken where it has the letters; then another one of the package, or of the machine.
    """
    if text.isascii():
        return ((face, text),)
    letters: list[FontLetter] = []
    font: str | Path = face
    for letter in text:
        # A mark goes with its letter, and a space with the word before it.
        if not (unicodedata.combining(letter) or letter.isspace()):
            found = find_font(letter, face)
            letter, font = (UNDRAWABLE, face) if found is None else (letter, found)
        letters.append((font, letter))
    runs = groupby(turn_right_to_left(letters), key=lambda pair: pair[0])
    return tuple((font, "".join(letter for _font, letter in run)) for font, run in runs)


@dataclass(frozen=True, slots=True, eq=False)
class RenderedLine:
    """A line of text, rendered on a transparent ground.

    Attributes:
        surface: what its glyphs cover; of a line without glyphs its whole place.
        ink_rect: where that lies in the line's place, in pixels.
        width: width of the line in pixels; its place is as high as the font.
    """

    surface: pygame.Surface
    ink_rect: pygame.Rect
    width: int


class FontCache:
    """Loads the package's fonts, measures and renders texts; results are cached, up to `MAX_CACHED_TEXTS` of each kind.

    Args:
        ascender_room_px: room over the capitals of each text.

    Raises:
        pygame.error: pygame's fonts cannot be initialised.
    """

    _quit_count = 0
    """How often pygame was quit: its fonts then crash the process, and are loaded again."""

    def __init__(self, ascender_room_px: int = 0) -> None:
        self._ascender_room_px = ascender_room_px
        pygame.font.init()
        pygame.register_quit(self._count_quit)
        self._fonts = BoundedCache[pygame.font.Font](MAX_CACHED_TEXTS)
        self._layouts = BoundedCache[TextLayout](MAX_CACHED_TEXTS)
        self._widths = BoundedCache[int](MAX_CACHED_TEXTS)
        self._min_widths = BoundedCache[int](MAX_CACHED_TEXTS)
        self._rendered = BoundedCache[RenderedLine](MAX_CACHED_TEXTS)

    def load_font(self, font: str | Path, em_px: int) -> pygame.font.Font:
        """Return a font, loaded once for each size.

        Args:
            font: name of a font of the package, or path of an installed one.
            em_px: font size: its em in pixels; less than 1 counts as 1.

        Raises:
            FileNotFoundError: the font's file is missing from the package.
        """
        return self._fonts.get((self._quit_count, font, em_px), lambda: self._load_font(font, em_px))

    @classmethod
    def _count_quit(cls) -> None:
        cls._quit_count += 1

    @staticmethod
    def _load_font(font: str | Path, em_px: int) -> pygame.font.Font:
        pygame.font.init()
        # From memory: a font loaded from a path keeps its file open, one for each size.
        return pygame.font.Font(BytesIO(_read_font_file(font)), em_px)

    def measure_width(self, text: str, face: Typeface, em_px: int) -> int:
        """Return the width of a line in pixels. Line breaks in the text are not observed.

        Args:
            text: the line; the empty text has the width 0.
            em_px: font size: its em in pixels, at least 1.

        Raises:
            FileNotFoundError: the font's file is missing from the package.
            UnicodeEncodeError: the text holds a lone surrogate.
        """
        return self._widths.get((text, face, em_px), lambda: self._measure_width(text, face, em_px))

    def _measure_width(self, text: str, face: Typeface, em_px: int) -> int:
        scale = _find_oversampling(em_px)
        width = sum(self.load_font(font, em_px * scale).size(run)[0] for font, run in split_runs(text, face))
        return ceil(width / scale)

    def render_line(self, text: str, face: Typeface, em_px: int, colour: RGB) -> RenderedLine:
        """Render one line on a transparent ground.

        Args:
            text: the line, without null characters and lone surrogates.
            em_px: font size: its em in pixels, at least 1.
            colour: red, green, blue, 0 to 255.

        Returns:
            The cached line: copy its surface before drawing on it.

        Raises:
            FileNotFoundError: the font's file is missing from the package.
            ValueError: the text holds a null character or (UnicodeEncodeError) a lone surrogate, or a colour value is
                not 0 to 255.
        """
        key = (text, face, em_px, colour)
        return self._rendered.get(key, lambda: self._render(text, face, em_px, colour))

    def _render(self, text: str, face: Typeface, em_px: int, colour: RGB) -> RenderedLine:
        scale = _find_oversampling(em_px)
        surface = self._draw_runs(split_runs(text, face), face, em_px * scale, colour)
        if scale > 1:
            surface = self._scale_down(surface, face, em_px, colour)
        ink = surface.get_bounding_rect()
        return RenderedLine(surface.subsurface(ink).copy() if ink else surface, ink, surface.get_width())

    def _scale_down(self, surface: pygame.Surface, face: Typeface, em_px: int, colour: RGB) -> pygame.Surface:
        """Scale an oversampled line down to a font size; its baseline stays between two rows of pixels."""
        font, large = self.load_font(face, em_px), self.load_font(face, em_px * OVERSAMPLING)
        size = (ceil(surface.get_width() / OVERSAMPLING), font.get_height())
        padded = pygame.Surface([OVERSAMPLING * length for length in size], pygame.SRCALPHA)
        padded.fill((*colour, 0))  # transparent black would darken the letters' edges
        padded.blit(surface, (0, OVERSAMPLING * font.get_ascent() - large.get_ascent()))
        return pygame.transform.smoothscale(padded, size)

    def _draw_runs(
        self, runs: Sequence[tuple[str | Path, str]], face: Typeface, em_px: int, colour: RGB
    ) -> pygame.Surface:
        """Draw runs of one or several fonts on one baseline, in the place of a line of the first choice of font."""
        base = self.load_font(face, em_px)
        fonts = [self.load_font(font, em_px) for font, _run in runs]
        parts = [font.render(run, True, colour) for font, (_font, run) in zip(fonts, runs, strict=True)]
        if fonts == [base]:
            return parts[0]
        size = (sum(part.get_width() for part in parts), base.get_height())
        surface, x = pygame.Surface(size, pygame.SRCALPHA), 0
        for font, part in zip(fonts, parts, strict=True):
            surface.blit(part, (x, base.get_ascent() - font.get_ascent()))
            x += part.get_width()
        return surface

    def fit_text(
        self, text: str, face: Typeface, sizes: Sequence[int], box: tuple[int, int], max_lines: int = 1
    ) -> TextLayout:
        """Lay out a text in the largest size that fits a box; cut it with an ellipsis if it fits in none.

        A larger size on more lines comes before a smaller one on fewer. Lines break between words.

        Args:
            text: the text; characters that cannot be printed are replaced.
            sizes: the font sizes that may be taken: their ems in pixels, at least 1, the largest first; at least one.
            box: width and height in pixels.
            max_lines: number of lines at most, at least 1.

        Returns:
            The lines and their common font size; no lines if the text is empty or blank. Sizes are in pixels.

        Raises:
            FileNotFoundError: the font's file is missing from the package.
            IndexError: no sizes are given.
        """
        key = (text, face, tuple(sizes), box, max_lines)
        return self._layouts.get(key, lambda: self._lay_out(replace_unprintable(text), face, sizes, box, max_lines))

    def find_min_width(self, text: str, face: Typeface, em_px: int, max_lines: int) -> int:
        """Return the least width in which a text takes at most `max_lines` lines of whole words.

        Args:
            text: the text; characters that cannot be printed are replaced.
            em_px: font size: its em in pixels, at least 1.
            max_lines: number of lines at most, at least 1.

        Returns:
            Width in pixels; 0 if the text is empty or blank.

        Raises:
            FileNotFoundError: the font's file is missing from the package.
        """
        words = _split_words(replace_unprintable(text))
        key = (text, face, em_px, max_lines)
        return self._min_widths.get(key, lambda: self._search_min_width(words, face, em_px, max_lines))

    def _search_min_width(self, words: list[str], face: Typeface, em_px: int, max_lines: int) -> int:
        low = max((self.measure_width(word, face, em_px) for word in words), default=0)
        high = max(low, self.measure_width(" ".join(words), face, em_px))
        while low < high:
            middle = (low + high) // 2
            if len(self._wrap(words, face, em_px, middle)) <= max_lines:
                high = middle
            else:
                low = middle + 1
        return low

    def _lay_out(
        self, text: str, face: Typeface, sizes: Sequence[int], box: tuple[int, int], max_lines: int
    ) -> TextLayout:
        words = _split_words(text)
        for em_px in sizes:
            lines = self._wrap(words, face, em_px, box[0])
            width = max((self.measure_width(line, face, em_px) for line in lines), default=0)
            if width <= box[0] and len(lines) <= max_lines and self._measure_height(lines, face, em_px) <= box[1]:
                even_width = self.find_min_width(text, face, em_px, len(lines))
                return self._make_layout(self._wrap(words, face, em_px, even_width), face, em_px)
        em_px = sizes[-1]
        lines = self._wrap(words, face, em_px, box[0])
        return self._make_layout(self._truncate(lines, face, em_px, box, max_lines), face, em_px)

    def _make_layout(self, lines: list[str], face: Typeface, em_px: int) -> TextLayout:
        width = max((self.measure_width(line, face, em_px) for line in lines), default=0)
        return TextLayout(
            tuple(lines), em_px, width, self._measure_height(lines, face, em_px), self._measure_accents(lines, em_px)
        )

    def _measure_height(self, lines: list[str], face: Typeface, em_px: int) -> int:
        # Digits and capitals have no descenders: they may fill their box.
        descent = 0.0 if all(set(line) <= CHARACTERS_WITHOUT_DESCENDER for line in lines) else DESCENT_EM
        height_em = CAP_HEIGHT_EM[face] + descent + LINE_PITCH_EM[face] * (len(lines) - 1)
        return self._measure_accents(lines, em_px) + round(em_px * height_em)

    def _measure_accents(self, lines: list[str], em_px: int) -> int:
        """Return the room above the capitals of the first line, in pixels: for an accent if one of them has one."""
        accents = any(len(unicodedata.normalize("NFD", c)) > 1 for c in lines[0] if c.isupper()) if lines else False
        return ceil(em_px * ACCENT_HEIGHT_EM) if accents else self._ascender_room_px

    def _wrap(self, words: list[str], face: Typeface, em_px: int, width: int) -> list[str]:
        """Break words into lines no wider than `width`; a longer word has a line of its own."""
        lines: list[str] = []
        for word in words:
            longer = f"{lines[-1]} {word}" if lines else word
            if lines and self.measure_width(longer, face, em_px) <= width:
                lines[-1] = longer
            else:
                lines.append(word)
        return lines

    def _truncate(
        self, lines: list[str], face: Typeface, em_px: int, box: tuple[int, int], max_lines: int
    ) -> list[str]:
        """Drop the lines that do not fit, and shorten what is too wide."""
        count = max(1, min(max_lines, len(lines)))
        while count > 1 and self._measure_height(lines[:count], face, em_px) > box[1]:
            count -= 1
        kept = [*lines[: count - 1], " ".join(lines[count - 1 :])]
        return [self._shorten_line(line, face, em_px, box[0]) for line in kept]

    def _shorten_line(self, line: str, face: Typeface, em_px: int, width: int) -> str:
        if self.measure_width(line, face, em_px) <= width:
            return line
        while line and self.measure_width(line + "…", face, em_px) > width:
            line = line[:-1].rstrip()
        return line + "…"
