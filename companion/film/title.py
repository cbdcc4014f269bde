"""The title of a film: the game's picture over the whole width, below it the game, the players and the day."""

import pygame

from companion.display.toolkit import (
    BIG_EM,
    BUTTON_COLOURS,
    INK,
    MUTED,
    TEXT_EM,
    TITLE_EM,
    Canvas,
    DisplayPreferences,
    Rect,
    Typeface,
    split_bottom,
    split_grid,
    split_right,
    split_top,
)
from companion.display.widgets.cover import draw_cover
from companion.screen_state import ScreenState

WORDS_HEIGHT = 36.0
"""Height of the words below the picture, in units."""
NAME_PERCENT = 58
"""Share of the game's name and the day in that height."""
MARGIN = 4.0
"""Room around the words, in units."""
BADGE_SIZE = 8.0
"""Size of a player's shape, in units."""
MAX_PLAYER_WIDTH = 44.0
"""Width of a player's shape and name at most, in units."""


def draw_title(size: tuple[int, int], preferences: DisplayPreferences, state: ScreenState) -> pygame.Surface:
    """Return the picture of a title.

    Args:
        size: width and height in pixels.
        preferences: give the colours.
        state: game, title, players, and the day as its detail, if it is known.
    """
    canvas = Canvas(size, preferences)
    with canvas.frame():
        canvas.draw_region("main", Rect((0, 0), size), None, lambda: _paint(canvas, state))
    return canvas.surface


def _paint(canvas: Canvas, state: ScreenState) -> None:
    words, picture = split_bottom(Rect((0, 0), canvas.size), canvas.px(WORDS_HEIGHT))
    draw_cover(canvas, picture, state.game_name)
    words = words.inflate(-2 * canvas.px(MARGIN), -2 * canvas.px(MARGIN / 2))
    name, players = split_top(words, words.h * NAME_PERCENT // 100)
    day = " ".join(state.details)
    right, left = split_right(name, canvas.text_width(day, face=Typeface.DISPLAY), canvas.px(MARGIN))
    canvas.draw_text(right, day, TEXT_EM, MUTED, face=Typeface.DISPLAY, align=1.0)
    canvas.draw_text(left, state.title, BIG_EM, INK, face=Typeface.DISPLAY)
    cells = split_grid(players, len(state.players), 1, canvas.px(2))
    names = [player.name for player in state.players]
    width = min(cells[0].w, canvas.px(MAX_PLAYER_WIDTH))
    room = (width - canvas.px(BADGE_SIZE + 1.6), canvas.px(TITLE_EM))
    em = canvas.find_common_size(names, TITLE_EM, room, Typeface.DISPLAY, 1)
    for i, player in enumerate(state.players):
        cell = Rect(players.left + i * (width + canvas.px(2)), players.top, width, players.h)
        beside = canvas.draw_badge_left(cell, player.button, canvas.px(BADGE_SIZE), gap=1.6)
        canvas.draw_text(beside, player.name, em, BUTTON_COLOURS[player.button], face=Typeface.DISPLAY)
