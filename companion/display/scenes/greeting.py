"""The greeting: three large cards, to play, to watch and to learn."""

from collections.abc import Callable
from functools import partial

from companion.api.registry import find_demo_game, find_first_game
from companion.display.scenes.scene_frame import draw_frame
from companion.display.toolkit import (
    BIG_EM,
    BUTTON_COLOURS,
    INK,
    PANEL,
    RAISED,
    TEXT_EM,
    Canvas,
    Colour,
    Rect,
    Typeface,
    lay_out_screen,
    split_bottom,
    split_grid,
    split_left,
    split_right,
    split_top,
)
from companion.display.widgets import draw_ringed_art
from companion.display.widgets.cover import draw_cover, fit_cover
from companion.events import Button
from companion.screen_state import ScreenState

CARD_GAP = 2.6
"""Room between two cards, in units."""
LABEL_HEIGHT = 18.0
"""Height of a card's word, in units."""
LINE_HEIGHT = 7.4
"""Height of a line under it, in units."""
MAX_LINES = 2
"""Lines under a card's word at most, where one is too narrow: on a screen of 4 to 3."""
PADDING = 2.4
"""Room within a card's edge, in units."""
KEY_SIZE = 8.0
"""Size of the sign of the card's key, in units."""
PORTRAIT_ART_PERCENT = 38
"""Width of the picture of a card in portrait, in percent."""


def draw_greeting(canvas: Canvas, state: ScreenState, accent: Colour) -> None:
    """Draw a card for each choice: a picture, a word, a line; each is a touch area of its key.

    Args:
        state: what is shown; its details are the lines of the cards.
        accent: the chosen game's colour: floods the ground.
    """
    layout = lay_out_screen(canvas)
    draw_frame(canvas, layout, state, ground=accent)
    labels = {key.button: key.label for key in state.soft_keys}
    columns, rows = (1, len(CARDS)) if canvas.is_portrait else (len(CARDS), 1)
    places = split_grid(layout.body, columns, rows, canvas.px(CARD_GAP))
    width = _split_card(canvas, places[0], 1)[2].w
    count = (
        1 if all(canvas.text_width(line, TEXT_EM, Typeface.DISPLAY) <= width for line in state.details) else MAX_LINES
    )
    _picture, word, below = _split_card(canvas, places[0], count)
    em = canvas.find_common_size([labels[b] for b in CARDS], BIG_EM, word.size, Typeface.DISPLAY)
    line_em = canvas.find_common_size(state.details, TEXT_EM, below.size, Typeface.DISPLAY, count)
    for (button, draw), place, line in zip(CARDS.items(), places, state.details, strict=True):
        is_pressed = button in state.pressed_buttons
        paint = partial(
            _draw_card, canvas, place, button, draw, (labels[button], em), (line, line_em), count, is_pressed
        )
        content = (labels[button], line, is_pressed, em, count)
        canvas.draw_region(f"card {button}", place, content, paint)


def _split_card(canvas: Canvas, card: Rect, count: int) -> tuple[Rect, Rect, Rect]:
    """Return the places of picture, word and `count` lines in a card: below each other, or in portrait beside."""
    inner = card.inflate(-2 * canvas.px(PADDING), -2 * canvas.px(PADDING))
    if canvas.is_portrait:
        picture, right = split_left(inner, inner.w * PORTRAIT_ART_PERCENT // 100, canvas.px(3))
        label, line = split_top(right, right.h // 2)
        return picture, label, line
    line, rest = split_bottom(inner, count * canvas.px(LINE_HEIGHT))
    label, picture = split_bottom(rest, canvas.px(LABEL_HEIGHT))
    return picture, label, line


def _draw_card(
    canvas: Canvas,
    card: Rect,
    button: Button,
    draw: Callable[[Canvas, Rect], None],
    label: tuple[str, float],
    line: tuple[str, float],
    count: int,
    is_pressed: bool,
) -> None:
    """Draw one card; word and line, on `count` lines at most, come with their size in em."""
    canvas.add_touch_area(card, button)
    colour = BUTTON_COLOURS[button] if button is Button.OK else INK
    canvas.draw_panel(card, RAISED if is_pressed else PANEL, edge=colour, radius=2.6)
    picture, word, below = _split_card(canvas, card, count)
    draw(canvas, picture)
    align = 0.0 if canvas.is_portrait else 0.5
    canvas.draw_text(word, *label, INK, face=Typeface.DISPLAY, align=align)
    canvas.draw_text(below, *line, INK, face=Typeface.DISPLAY, max_lines=count, align=align)
    size = canvas.px(KEY_SIZE)
    corner = split_right(split_top(card, size)[0], size)[0].move(-canvas.px(1), canvas.px(1))
    canvas.draw_icon(str(button), corner.center, size * 7 // 10, colour)


def _draw_dice(canvas: Canvas, rect: Rect) -> None:
    """Draw two dice and a gem."""
    side = min(rect.h * 7 // 10, rect.w * 46 // 100)
    for art, x, y in (("gem", 0.5, 0.24), ("die_5", 0.29, 0.6), ("die_3", 0.72, 0.62)):
        place = Rect(0, 0, side, side)
        place.center = (rect.left + round(rect.w * x), rect.top + round(rect.h * y))
        canvas.draw_art(art, place)


def _draw_film(canvas: Canvas, rect: Rect) -> None:
    """Draw the demo's game with the sign of a film that can be started."""
    drawn = fit_cover(rect)
    draw_cover(canvas, drawn, find_demo_game(find_first_game()).name)
    radius = drawn.h * 26 // 100
    canvas.draw_disc(drawn.center, 2 * radius, PANEL)
    canvas.draw_ring(drawn.center, radius, INK, 0.7)
    canvas.draw_icon("pointer", (drawn.centerx + radius // 10, drawn.centery), radius, INK)


def _draw_ring(canvas: Canvas, rect: Rect) -> None:
    """Draw a token with the ring that the lesson has around what is to be touched."""
    draw_ringed_art(canvas, "token", rect)


CARDS = {Button.OK: _draw_dice, Button.PLUS: _draw_film, Button.MINUS: _draw_ring}
"""The pictures of the cards, by their keys, from the left."""
