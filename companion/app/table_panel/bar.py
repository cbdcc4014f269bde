"""The bar beside the picture of a simulated table: what can be done now, and controls for a finger."""

from collections.abc import Sequence

import pygame

from companion.display.toolkit.text import LINE_PITCH_EM, FontCache, Typeface, list_sizes
from companion.display.toolkit.theme import BACKGROUND, DARK_PALETTE, INK, RAISED
from companion.i18n import _
from companion.simulation.base_mouse import TableControl

PADDING_RATIO = 0.016
"""Space around the sentence and between the controls, as a share of the panel's height."""
CONTROL_HEIGHT_RATIO = 0.062
"""Height of a control, as a share of the panel's height."""
MAX_CONTROL_SHARE = 0.5
"""Most of the bar's height that the controls take (0 to 1)."""
SENTENCE_SIZE_RATIO = 0.046
"""Largest size of the sentence, as a share of the panel's height."""
CONTROL_SIZE_RATIO = 0.03
"""Largest size of a control's label, as a share of the panel's height."""
MIN_TEXT_PX = 12
"""Smallest size of a text in pixels; a longer one is cut off."""
WIDE_RATIO = 3.0
"""A bar that is wider than this, as a multiple of its height, has its controls side by side."""


class TableBar:
    """Draws the bar, and knows where its controls lie.

    >>> bar = TableBar()
    >>> bar.place(pygame.Rect(0, 500, 800, 100), 600)
    >>> bar.show("Touch the tray", (TableControl("clear", "Empty the tray"),))
    True
    >>> [rect for _, rect in bar.list_controls()]
    [<rect(10, 555, 780, 35)>]

    Attributes:
        area: the area of the bar, in pixels of the window.
    """

    def __init__(self) -> None:
        self._fonts = FontCache()
        self.area, self._unit = pygame.Rect(0, 0, 1, 1), 1
        self._content: tuple[str, tuple[TableControl, ...], tuple[str, ...]] = ("", (), ())

    def place(self, area: pygame.Rect, panel_height: int) -> None:
        """Set the area of the bar, in pixels of the window, and the height of the panel that it is a part of."""
        self.area, self._unit = area, panel_height

    def show(self, sentence: str, controls: Sequence[TableControl]) -> bool:
        """Set what the bar says; return whether that is new."""
        content = sentence, tuple(controls), tuple(_(control.label) for control in controls)
        is_new = content != self._content
        self._content = content
        return is_new

    def list_controls(self) -> list[tuple[TableControl, pygame.Rect]]:
        """List the controls and their areas in pixels of the window."""
        controls, padding = self._content[1], round(PADDING_RATIO * self._unit)
        if not controls:
            return []
        room, count = self.area.inflate(-2 * padding, -2 * padding), len(controls)
        is_wide = room.width > WIDE_RATIO * room.height
        rows, columns = (1, count) if is_wide else (count, 1)
        tall = min(CONTROL_HEIGHT_RATIO * self._unit, MAX_CONTROL_SHARE * room.height / rows - padding / 2)
        width, height = (room.width - (columns - 1) * padding) // columns, round(tall)
        top = room.bottom - rows * height - (rows - 1) * padding // 2
        return [
            (
                control,
                pygame.Rect(
                    room.left + (k * (width + padding) if is_wide else 0),
                    top + (0 if is_wide else k * (height + padding // 2)),
                    width,
                    height,
                ),
            )
            for k, control in enumerate(controls)
        ]

    def find_control(self, at: tuple[int, int]) -> TableControl | None:
        """Return the control at a pixel of the window."""
        return next((control for control, rect in self.list_controls() if rect.collidepoint(at)), None)

    def draw(self, surface: pygame.Surface) -> None:
        """Draw the sentence as large as fits, and the controls."""
        surface.fill(DARK_PALETTE[BACKGROUND], self.area)
        padding, controls = round(PADDING_RATIO * self._unit), self.list_controls()
        room = self.area.inflate(-2 * padding, -2 * padding)
        if controls:
            room.height = max(1, controls[0][1].top - padding // 2 - room.top)
        self._draw_text(surface, self._content[0], room, SENTENCE_SIZE_RATIO)
        for (_control, rect), label in zip(controls, self._content[2], strict=True):
            pygame.draw.rect(surface, DARK_PALETTE[RAISED], rect, border_radius=rect.height // 5)
            self._draw_text(surface, label, rect.inflate(-padding, -padding // 2), CONTROL_SIZE_RATIO, is_centred=True)

    def _draw_text(
        self, surface: pygame.Surface, text: str, room: pygame.Rect, ratio: float, *, is_centred: bool = False
    ) -> None:
        """Draw a text in as many lines as it needs, in the middle of a room's height."""
        largest = max(MIN_TEXT_PX, round(ratio * self._unit))
        sizes = list_sizes(largest, MIN_TEXT_PX)
        layout = self._fonts.fit_text(text, Typeface.DISPLAY, sizes, room.size, max(1, room.height // MIN_TEXT_PX))
        top = room.top + max(0, (room.height - layout.height) // 2)
        for k, line in enumerate(layout.lines):
            drawn = self._fonts.render_line(line, Typeface.DISPLAY, layout.em_px, DARK_PALETTE[INK])
            left = room.left + ((room.width - drawn.ink_rect.width) // 2 - drawn.ink_rect.left if is_centred else 0)
            down = top + layout.accent_height + round(k * LINE_PITCH_EM[Typeface.DISPLAY] * layout.em_px)
            surface.blit(drawn.surface, drawn.ink_rect.move(left, down))
