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

NAME_HEIGHT = 18.6
"""Height of the game's name and the day below the picture, in units."""
ROW_HEIGHT = 12.0
"""Height of a row of players below them, in units."""
MARGIN = 4.0
"""Room around the words, in units."""
BADGE_SIZE = 8.0
"""Size of a player's shape, in units."""
BADGE_GAP = 1.6
"""Room between a player's shape and name, in units."""
PLAYER_WIDTH = 44.0
"""Width of a player's shape and name at most, unless a name is longer, in units."""


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
    names, gap = [player.name for player in state.players], canvas.px(2)
    widest = max(canvas.text_width(name, face=Typeface.DISPLAY) for name in names) + canvas.px(BADGE_SIZE + BADGE_GAP)
    columns = _count_columns(len(names), canvas.size[0] - 2 * canvas.px(MARGIN), widest, gap)
    rows = -(-len(names) // columns)
    height = canvas.px(NAME_HEIGHT) + rows * canvas.px(ROW_HEIGHT) + canvas.px(MARGIN)
    words, picture = split_bottom(Rect((0, 0), canvas.size), height)
    draw_cover(canvas, picture, state.game_name)
    words = words.inflate(-2 * canvas.px(MARGIN), -canvas.px(MARGIN))
    name, players = split_top(words, canvas.px(NAME_HEIGHT))
    day = " ".join(state.details)
    right, left = split_right(name, canvas.text_width(day, face=Typeface.DISPLAY), canvas.px(MARGIN))
    canvas.draw_text(right, day, TEXT_EM, MUTED, face=Typeface.DISPLAY)
    canvas.draw_text(left, state.title, BIG_EM, INK, face=Typeface.DISPLAY, max_lines=2)
    cells = split_grid(players, columns, rows, gap)
    width = min(cells[0].w, max(widest, canvas.px(PLAYER_WIDTH)))
    room = (width - canvas.px(BADGE_SIZE + BADGE_GAP), canvas.px(TITLE_EM))
    em = canvas.find_common_size(names, TITLE_EM, room, Typeface.DISPLAY, 1)
    for i, (player, cell) in enumerate(zip(state.players, cells, strict=False)):
        place = Rect(players.left + i % columns * (width + gap), cell.top, width, cell.h)
        beside = canvas.draw_badge_left(place, player.button, canvas.px(BADGE_SIZE), gap=BADGE_GAP)
        canvas.draw_text(beside, player.name, em, BUTTON_COLOURS[player.button], face=Typeface.DISPLAY)


def _count_columns(count: int, room: int, widest: int, gap: int) -> int:
    """Return how many players stand side by side, so that no name is cut and the rows are as few and even as can be.

    >>> _count_columns(6, room=400, widest=90, gap=10)
    3
    """
    rows = -(-count // max(1, (room + gap) // (widest + gap)))
    return -(-count // rows)
