"""The table of the demo beside the display: what the camera reads is circled, and said in words below the picture."""

from dataclasses import replace

import cv2
import numpy as np
import pygame

from companion.app.simulator_panel import FramePanel, fit_frame
from companion.display.toolkit.text import CAP_HEIGHT_EM, LINE_PITCH_EM, FontCache, Typeface
from companion.display.toolkit.theme import BACKGROUND, DARK_PALETTE, INK, MUTED, WARN, Tone
from companion.i18n import _
from companion.simulation.demo_script import DemoCaption, PictureCircle
from hardware.cameras.sources import Frame

WORDS_HEIGHT_RATIO = (0.26, 0.4)
"""Least and most height of the words, as a share of the panel's: what the picture leaves between."""
CAPTION_EM_RATIO = 0.13
"""Largest em of the caption, as a share of the panel's width."""
HINT_EM_RATIO = 0.07
"""Largest em of what a press does, the same."""
CAPTION_LINES = 3
CAPTION_SHARE = 0.7
"""Share of the words' height that the caption has; the rest has the hint."""
CIRCLE_RGB, EDGE_RGB = DARK_PALETTE[WARN], DARK_PALETTE[BACKGROUND]
LINE_WIDTH = 8
"""Width of circles and lines, in pixels of the frame."""


class DemoPanel(FramePanel):
    """Panel with the demo's table, a caption, and what a press does.

    >>> panel = DemoPanel()
    >>> panel.show_caption(DemoCaption("The camera reads 2 and 4"))
    >>> panel.caption.text
    'The camera reads 2 and 4'

    Attributes:
        caption: what is said now.
    """

    def __init__(self) -> None:
        self.caption = DemoCaption("")
        self._fonts = FontCache()
        self._words = pygame.Rect(0, 0, 0, 0)
        self._drawn_caption: DemoCaption | None = None
        super().__init__()

    def show_caption(self, caption: DemoCaption) -> None:
        """Say something from now on, and circle what it speaks of in the frames that follow."""
        self.caption = caption

    def show_frame(self, frame: Frame) -> None:
        if self.caption.circles:
            image = frame.image.copy()
            for circle in self.caption.circles:
                _point_at(image, circle)
            frame = replace(frame, image=image)
        super().show_frame(frame)

    def place(self, panel: pygame.Rect) -> None:
        least, most = (round(panel.height * ratio) for ratio in WORDS_HEIGHT_RATIO)
        height = min(max(panel.height - fit_frame(panel).height, least), most)
        self._words = pygame.Rect(panel.left, panel.bottom - height, panel.width, height)
        self._drawn_caption = None
        super().place(pygame.Rect(panel.left, panel.top, panel.width, panel.height - height))

    def draw(self, surface: pygame.Surface) -> list[pygame.Rect]:
        changed = super().draw(surface)
        if self.caption == self._drawn_caption:
            return changed
        self._drawn_caption = self.caption
        surface.fill(DARK_PALETTE[BACKGROUND], self._words)
        caption = pygame.Rect(self._words)
        caption.height = round(self._words.height * CAPTION_SHARE)
        hint = pygame.Rect(caption.left, caption.bottom, caption.width, self._words.bottom - caption.bottom)
        self._draw_words(surface, caption, self.caption.text, CAPTION_EM_RATIO, CAPTION_LINES, INK)
        self._draw_words(surface, hint, _("Demo: press any button to play"), HINT_EM_RATIO, 2, MUTED)
        return [*changed, self._words]

    def _draw_words(
        self, surface: pygame.Surface, place: pygame.Rect, text: str, em_ratio: float, max_lines: int, tone: Tone
    ) -> None:
        """Draw a text in the middle of its place, as large as fits."""
        room = place.inflate(-place.width // 20, -place.height // 12)
        largest = max(8, round(self._words.width * em_ratio))
        layout = self._fonts.fit_text(text, Typeface.DISPLAY, range(largest, 7, -1), room.size, max_lines)
        cap, pitch = (ems[Typeface.DISPLAY] * layout.em_px for ems in (CAP_HEIGHT_EM, LINE_PITCH_EM))
        baseline = room.centery + (cap - pitch * (len(layout.lines) - 1)) / 2
        ascent = self._fonts.load_font(Typeface.DISPLAY, layout.em_px).get_ascent()
        for i, line in enumerate(layout.lines):
            drawn = self._fonts.render_line(line, Typeface.DISPLAY, layout.em_px, DARK_PALETTE[tone])
            left = room.centerx - drawn.width // 2
            surface.blit(drawn.surface, drawn.ink_rect.move(left, round(baseline + i * pitch) - ascent))


def _point_at(image: "cv2.typing.MatLike", circle: PictureCircle) -> None:
    """Draw a circle, and a line from it to the words below the picture, with dark edges."""
    height, width = image.shape[:2]
    foot = np.array([width / 2, height])
    centre = np.array([circle.x, circle.y])
    start = centre + (foot - centre) / max(1.0, float(np.linalg.norm(foot - centre))) * circle.radius
    for colour, line_width in ((EDGE_RGB, 2 * LINE_WIDTH), (CIRCLE_RGB, LINE_WIDTH)):
        bgr = colour[::-1]
        cv2.circle(image, (round(circle.x), round(circle.y)), round(circle.radius), bgr, line_width, cv2.LINE_AA)
        begin, end = ((round(float(x)), round(float(y))) for x, y in (start, foot))
        cv2.line(image, begin, end, bgr, line_width, cv2.LINE_AA)
