"""The one sentence that tells somebody who is new to a game what to do now, in place of the game's picture.

When there is one: `companion.referee.guide`. The help over a screen: `companion.display.scenes.help`.
"""

from companion.display.toolkit import BIG_EM, INK, Canvas, Rect, Typeface, split_left
from companion.display.toolkit.theme import PIECE_RGB
from companion.guide import Guide

ART_BY_ACTION = {
    "throw": "die_5",
    "again": "die_5",
    "show": "die_blank",
    "take": "token",
    "cup": "cup_red",
    "lift": "cup_red",
}
"""Pictures of what is done on the table."""
ART_PERCENT = 26
"""Width of the picture beside the sentence, in percent of the stage; in portrait there is no room for one."""
MAX_LINES = 3
"""Lines of the sentence at most."""
RING_WIDTH = 1.4
"""Width of the ring around the picture, in units: such a ring is to be looked for."""
INNER_RATIO = 1.44
"""Size of the picture within the ring, as a multiple of its radius."""


def draw_guide(canvas: Canvas, rect: Rect, guide: Guide) -> None:
    """Draw the sentence as large as it fits, beside a picture of what is to be touched, as the region "main"."""
    canvas.draw_region("main", rect, guide, lambda: _draw(canvas, rect, guide))


def _draw(canvas: Canvas, rect: Rect, guide: Guide) -> None:
    art = next((ART_BY_ACTION[action.kind] for action in guide.actions if action.kind in ART_BY_ACTION), "")
    words = rect.inflate(-canvas.px(4), 0)
    if art and not canvas.is_portrait:
        picture, words = split_left(words, rect.w * ART_PERCENT // 100, canvas.px(4))
        draw_ringed_art(canvas, art, picture)
    canvas.draw_text(words, guide.sentence, BIG_EM, INK, face=Typeface.DISPLAY, max_lines=MAX_LINES, align=0.5)


def draw_ringed_art(canvas: Canvas, art: str, rect: Rect) -> None:
    """Draw a picture with a ring around it, as large as fits."""
    radius = min(rect.size) // 2 - canvas.px(0.5)
    canvas.draw_ring(rect.center, radius, PIECE_RGB["gold"], RING_WIDTH)
    inner = Rect(0, 0, round(radius * INNER_RATIO), round(radius * INNER_RATIO))
    inner.center = rect.center
    canvas.draw_art(art, inner)
