"""Drawing of texts: the largest size that fits, wrapped between words, with a record of the lines that were drawn."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil

import pygame

from companion.display.toolkit.drawing import Drawing
from companion.display.toolkit.text import (
    CAP_HEIGHT_EM,
    DESCENT_EM,
    LINE_PITCH_EM,
    FontCache,
    TextLayout,
    Typeface,
    list_sizes,
)
from companion.display.toolkit.theme import INK, Colour, Palette
from companion.display.toolkit.type_sizes import FAR_TEXT_EM, FAR_TYPE_SCALE, TEXT_EM, TYPE_SCALE

FIGURE_MARGIN = 0.6
"""Room over and under the stage's figure, in units: round digits reach a little beyond straight ones."""
FAR_ASCENDER_ROOM = 0.35
"""Room over the capitals in the far layout, in units: its larger text fills many boxes, and ascenders are higher."""


@dataclass(frozen=True, slots=True)
class DrawnText:
    """A line of text as drawn.

    Attributes:
        text: the line.
        ink_rect: what its glyphs cover, in pixels.
        em_px: its font size in pixels.
        is_figure: it is the stage's one dominant figure, of any size.
        face: its font.
    """

    text: str
    ink_rect: pygame.Rect
    em_px: int
    is_figure: bool = False
    face: Typeface = Typeface.TEXT


class TextDrawing(Drawing):
    """A surface on which texts are drawn too.

    Args:
        surface: the picture.
        palette: the colour of each tone.
        unit_px: pixels of a layout unit.
        is_far: texts take `type_sizes.FAR_TEXT_EM` where the others would take less.

    Attributes:
        is_far: as given.
        fonts: measures texts.
        text_record: each line of text is added to this list when it is drawn.
    """

    def __init__(self, surface: pygame.Surface, palette: Palette, unit_px: float, *, is_far: bool = False) -> None:
        super().__init__(surface, palette, unit_px)
        self.is_far = is_far
        self.fonts = FontCache(self.px(FAR_ASCENDER_ROOM) if is_far else 0)
        self.text_record: list[DrawnText] = []

    def line_px(self, units: float) -> int:
        """Convert the height of a row with a line of text to pixels: in the far layout its text fits in it.

        Args:
            units: height in layout units, at least 1.
        """
        if not self.is_far:
            return self.px(units)
        text = ceil(self.px_at_least(FAR_TEXT_EM) * (CAP_HEIGHT_EM[Typeface.DISPLAY] + DESCENT_EM))
        return max(self.px(units), text + self.px(FAR_ASCENDER_ROOM))

    def draw_text(
        self,
        rect: pygame.Rect,
        text: str,
        size: float = TEXT_EM,
        colour: Colour = INK,
        *,
        face: Typeface = Typeface.TEXT,
        max_lines: int = 1,
        align: float = 0.0,
        vertical_align: float = 0.5,
    ) -> pygame.Rect:
        """Draw a text in the largest size of the type scale that fits, wrapped between words.

        A text that fits in no size is cut with an ellipsis.

        Args:
            rect: its box in pixels.
            text: the text; the empty text draws nothing. Characters that cannot be printed are replaced.
            size: largest font size: an em of `type_sizes.TYPE_SCALE`, or `type_sizes.KEY_LABEL_EM`, in layout units.
            colour: a tone or a fixed colour (0 to 255).
            max_lines: number of lines at most, at least 1.
            align: across, 0 to 1: 0 left, 0.5 centre, 1 right.
            vertical_align: down, 0 to 1: 0 top, 0.5 centre, 1 bottom.

        Returns:
            The block's rectangle in pixels, from the top of the capitals to the last baseline.

        Raises:
            FileNotFoundError: the font's file is missing from the package.
        """
        layout = self.fonts.fit_text(text, face, self.list_sizes_px(size), rect.size, max_lines)
        return self._draw_layout(layout, rect, face, colour, align, vertical_align)

    def fits_text(
        self, rect: pygame.Rect, text: str, size: float, *, face: Typeface = Typeface.TEXT, max_lines: int = 1
    ) -> bool:
        """Return whether a text fits a box uncut at one size: an em in layout units. Nothing is drawn."""
        layout = self.fonts.fit_text(text, face, (self.px_at_least(self.resolve_em(size)),), rect.size, max_lines)
        return not layout.lines or not layout.lines[-1].endswith("…")

    def draw_name(self, rect: pygame.Rect, name: str, colour: Colour = INK, *, align: float = 0.0) -> pygame.Rect:
        """Draw a name beside its shape, as text on one line: in the far layout it is cut sooner than drawn smaller.

        Args:
            rect: its box in pixels.
            name: the name.
            colour: a tone or a fixed colour (0 to 255).
            align: across, 0 to 1: 0 left, 0.5 centre, 1 right.

        Returns:
            Its rectangle in pixels, from the top of the capitals to the baseline.
        """
        size = self.px_at_least(self.resolve_em(TEXT_EM))
        layout = self.fonts.fit_text(name, Typeface.DISPLAY, (size,), rect.size)
        return self._draw_layout(layout, rect, Typeface.DISPLAY, colour, align, 0.5)

    def draw_figure(
        self,
        rect: pygame.Rect,
        text: str,
        colour: Colour = INK,
        *,
        max_em: float = 100.0,
        align: float = 0.5,
        face: Typeface = Typeface.DISPLAY,
    ) -> pygame.Rect:
        """Draw the stage's one dominant figure, a number or a word, as large as fits.

        Args:
            rect: its box in pixels.
            text: the figure: one line.
            colour: a tone or a fixed colour (0 to 255).
            max_em: largest font size: its em in layout units.
            align: across, 0 to 1: 0 left, 0.5 centre, 1 right.
            face: its font; `Typeface.TABULAR` for a clock, whose figures must not move.

        Returns:
            Its rectangle in pixels, from the top of the capitals to the baseline.

        Raises:
            FileNotFoundError: the font's file is missing from the package.
        """
        sizes = list_sizes(self.px(max_em), self.px_at_least(TEXT_EM))
        rect = rect.inflate(0, -2 * self.px(FIGURE_MARGIN))
        layout = self.fonts.fit_text(text, face, sizes, rect.size)
        return self._draw_layout(layout, rect, face, colour, align, 0.5, is_figure=True)

    def list_sizes_px(self, size: float) -> tuple[int, ...]:
        """Return the sizes of the type scale up to `size` in pixels, largest first; `size` alone if none is smaller."""
        scale = FAR_TYPE_SCALE if self.is_far else TYPE_SCALE
        size = self.resolve_em(size)
        return tuple(self.px_at_least(em) for em in scale if em <= size) or (self.px_at_least(size),)

    def resolve_em(self, size: float) -> float:
        """Return what a named size is in this layout: in the far one none is smaller than `type_sizes.FAR_TEXT_EM`.

        Args:
            size: em in layout units.
        """
        return max(size, FAR_TEXT_EM) if self.is_far else size

    def _draw_layout(
        self,
        layout: TextLayout,
        rect: pygame.Rect,
        face: Typeface,
        colour: Colour,
        align: float,
        vertical_align: float,
        *,
        is_figure: bool = False,
    ) -> pygame.Rect:
        cap, pitch = CAP_HEIGHT_EM[face] * layout.em_px, LINE_PITCH_EM[face] * layout.em_px
        block = pygame.Rect(0, 0, layout.width, round(cap + pitch * (len(layout.lines) - 1)))
        # Capitals and digits stand centred; the descenders take from the room below.
        lowest = rect.h - layout.height + layout.accent_height
        block.top = rect.top + max(layout.accent_height, min(round((rect.h - block.h) * vertical_align), lowest))
        ascent = self.fonts.load_font(face, layout.em_px).get_ascent()
        for i, line in enumerate(layout.lines):
            drawn = self.fonts.render_line(line, face, layout.em_px, self.rgb(colour))
            ink_rect = drawn.ink_rect.move(
                rect.left + round((rect.w - drawn.width) * align), block.top + round(cap + pitch * i) - ascent
            )
            self.surface.blit(drawn.surface, ink_rect)
            if line:
                self.text_record.append(DrawnText(line, ink_rect, layout.em_px, is_figure, face))
        block.left = rect.left + round((rect.w - layout.width) * align)
        return block

    def find_common_size(
        self,
        texts: Iterable[str],
        size: float,
        box: tuple[int, int],
        face: Typeface = Typeface.TEXT,
        max_lines: int = 1,
    ) -> float:
        """Return the largest size of the type scale at which each text fits a box.

        Args:
            texts: the texts.
            size: largest font size: its em in layout units.
            box: width and height in pixels, the same for each text.
            max_lines: number of lines of a text at most, at least 1.

        Returns:
            Em in layout units, a size of the type scale; the least one if a text fits in none, or there are none.

        Raises:
            FileNotFoundError: the font's file is missing from the package.
        """
        sizes = self.list_sizes_px(size)
        least = min((self.fonts.fit_text(t, face, sizes, box, max_lines).em_px for t in texts), default=sizes[-1])
        return next((em for em in TYPE_SCALE if em <= size and self.px_at_least(em) <= least), TEXT_EM)

    def min_text_width(self, text: str, max_lines: int, face: Typeface = Typeface.TEXT) -> int:
        """Return the least width in pixels in which a text is readable in at most `max_lines` lines of whole words.

        Args:
            text: the text, drawn at `TEXT_EM`.
            max_lines: number of lines at most, at least 1.

        Raises:
            FileNotFoundError: the font's file is missing from the package.
        """
        return self.fonts.find_min_width(text, face, self.px_at_least(self.resolve_em(TEXT_EM)), max_lines)

    def text_width(self, text: str, size: float = TEXT_EM, face: Typeface = Typeface.TEXT) -> int:
        """Return the width of a line in pixels. Nothing is drawn.

        Args:
            text: the line.
            size: font size: its em in layout units, rounded up to pixels.

        Raises:
            FileNotFoundError: the font's file is missing from the package.
            UnicodeEncodeError: the line holds a lone surrogate.
        """
        return self.fonts.measure_width(text, face, self.px_at_least(self.resolve_em(size)))
