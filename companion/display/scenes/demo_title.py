"""The end of the demo: the name, what it is in a sentence, what to do now, and the picture of the game shown.

What it says: `companion.lobby.demo_title`.
"""

from companion.display.toolkit import (
    BIG_EM,
    INK,
    TITLE_EM,
    WARN,
    Canvas,
    Rect,
    Typeface,
    lay_out_screen,
    split_bottom,
    split_left,
    split_top,
)
from companion.display.widgets.cover import draw_cover, fit_cover
from companion.screen_state import ScreenState

MARGIN = 5.0
"""Room around everything, in units."""
WORDS_PERCENT = 50
"""Share of the words in the width, or of the picture in the height in portrait."""
SENTENCE_PERCENT = 76
"""Share of name and sentence in the height of the words; the rest has what to do now."""


def draw_demo_title(canvas: Canvas, state: ScreenState) -> None:
    """Draw title, sentence and what to do now over the whole screen, beside the game's picture.

    Args:
        state: its title, its prompt, and one detail.
    """
    whole = Rect((0, 0), canvas.size)
    canvas.flood_ground(lay_out_screen(canvas).flood, None)
    content = (state.game_name, state.title, state.prompt, state.details)
    canvas.draw_region("main", whole, content, lambda: _paint(canvas, whole, state))


def _paint(canvas: Canvas, whole: Rect, state: ScreenState) -> None:
    margin = canvas.px(MARGIN)
    inner = whole.inflate(-2 * margin, -2 * margin)
    if canvas.is_portrait:
        picture, words = split_top(inner, inner.h * WORDS_PERCENT // 100, margin)
    else:
        words, picture = split_left(inner, inner.w * WORDS_PERCENT // 100, margin)
    draw_cover(canvas, fit_cover(picture), state.game_name)
    upper, foot = split_top(words, words.h * SENTENCE_PERCENT // 100)
    sentence, name = split_bottom(upper, upper.h * 6 // 10, canvas.px(1))
    canvas.draw_text(name, state.title, BIG_EM, INK, face=Typeface.DISPLAY, max_lines=2, vertical_align=1.0)
    canvas.draw_text(sentence, state.prompt, TITLE_EM, INK, face=Typeface.DISPLAY, max_lines=4, vertical_align=0.0)
    call = " ".join(state.details)
    canvas.draw_text(foot, call, TITLE_EM, WARN, face=Typeface.DISPLAY, max_lines=2, vertical_align=0.7)
