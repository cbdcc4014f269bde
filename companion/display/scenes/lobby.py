"""The lobby: the chosen game, and six shapes, each taken by pressing its seat's button or touching it."""

from functools import partial

from pygame import Rect

from companion.display.scenes.base import draw_frame
from companion.display.toolkit import (
    BACKGROUND,
    BIG_EM,
    BUTTON_COLOURS,
    INK,
    LINE,
    TEXT_EM,
    TITLE_EM,
    Canvas,
    Colour,
    Typeface,
    lay_out_screen,
    mix_colours,
    split_bottom,
    split_grid,
    split_right,
    split_top,
)
from companion.display.widgets import draw_dialog_if_open, draw_title_picture
from companion.events import SEAT_BUTTONS, Button
from companion.i18n import Translator
from companion.screen_state import Player, ScreenState
from hardware.buttons.merge import TOUCH_RESOLUTION

_ = Translator("companion")

TITLE_HEIGHT = 21.0
"""Height of the row with the game's name, in units."""
TITLE_PICTURE_WIDTH = 36.0
"""Width of the place of the game's title picture, in units."""
LINE_HEIGHT = 7.2
"""Height of a line at the foot, in units."""
PORTRAIT_FOOT_LINES = 3
"""Lines at the foot at most, in portrait."""
NAME_HEIGHT = 8.6
"""Height of a player's name under the shape, in units."""
MAX_SHAPE_SIZE = 30.0
"""Size of a seat's shape at most, in units."""
HOLLOW_RATIO = 0.80
"""Size of the hole in the shape of a free seat, as a share of the shape's."""
NOT_TAKEN_RATIO = 0.35
"""Share of a seat's colour in its shape while the seat cannot be taken; the rest is the ground's."""
TICK_PERCENT = 45
"""Size of the tick in a taken seat's shape, in percent of the shape's."""
JOIN_SECONDS = 0.3
"""Seconds in which a shape grows when its seat is taken."""
JOIN_FROM_RATIO = 0.5
"""Size of a shape when it begins to grow, as a share of its full size."""


def draw_lobby(canvas: Canvas, state: ScreenState, accent: Colour = LINE) -> None:
    """Draw the chosen game, the six seats and who has taken them; a dialog that is open takes their place.

    Only regions that changed since the last frame are painted again. Call it within `Canvas.frame`.

    Args:
        canvas: Where it is drawn.
        state: What is shown; its players are those who have joined so far, and
            the seats of awaited soft keys are drawn as free.
        accent: The chosen game's colour: floods the ground.

    Raises:
        pygame.error: The screen is too small, so that a part would have a negative size.
    """
    layout = lay_out_screen(canvas)
    draw_frame(canvas, layout, state, ground=accent)
    if draw_dialog_if_open(canvas, layout.body, state):
        return
    title, below = split_top(layout.body, canvas.px(TITLE_HEIGHT))
    content = (state.title, state.game_name, len(state.players), state.details[:1])
    canvas.draw_region("main", title, content, lambda: _draw_title(canvas, title, state))
    lines = _list_foot_lines(canvas, state, below.w)
    foot, seats = split_bottom(below, canvas.px(LINE_HEIGHT) * len(lines)) if lines else (Rect(below), below)
    if lines:
        canvas.draw_region("side", foot, lines, lambda: _draw_lines(canvas, foot, lines))
    _draw_seats(canvas, seats, state)


def _draw_title(canvas: Canvas, rect: Rect, state: ScreenState) -> None:
    """Draw the game's name and picture, and how many players have joined of how many the game is for."""
    rect = draw_title_picture(canvas, rect, state.game_name, canvas.px(TITLE_PICTURE_WIDTH))
    # Ascenders are higher than capitals.
    rect = split_top(rect, 0, canvas.px(1.4))[1]
    players = len(state.players)
    number, counts = _.plural("{n} player", "{n} players", players), " ".join(state.details[:1])
    width = max(
        canvas.text_width(number, TITLE_EM, Typeface.DISPLAY), canvas.text_width(counts, TEXT_EM, Typeface.DISPLAY)
    )
    count, name = split_right(rect, width, canvas.px(2))
    canvas.draw_text(name, state.title, BIG_EM, INK, face=Typeface.DISPLAY)
    upper, lower = split_top(count, count.h * 56 // 100)
    canvas.draw_text(upper, number, TITLE_EM, INK, face=Typeface.DISPLAY, align=1.0)
    canvas.draw_text(lower, counts, TEXT_EM, INK, face=Typeface.DISPLAY, align=1.0)


def _list_foot_lines(canvas: Canvas, state: ScreenState, width: int) -> tuple[str, ...]:
    """Return the lines at the foot: house rules that were changed, the order of play, which keys are the buttons."""
    rules = list(state.details[1:])
    lines = []
    while rules:
        text = " · ".join([*rules, "…"] if len(rules) < len(state.details) - 1 else rules)
        if canvas.text_width(text, TEXT_EM, Typeface.DISPLAY) <= width or len(rules) == 1:
            lines.append(text)
            break
        rules.pop()
    buttons = [player.button for player in state.players]
    is_sorted = buttons == sorted(buttons, key=SEAT_BUTTONS.index)
    if not is_sorted:
        lines.append(_("Clockwise: {names}", names=", ".join(player.name for player in state.players)))
    if canvas.preferences.touch_seats:
        lines.append(_("Touches within {n} ms: drawn by lot", n=round(1000 * TOUCH_RESOLUTION.same_source_seconds)))
    elif canvas.preferences.keyboard_hints and not lines:
        lines.append(_("Keyboard: 1 to 6 are the players' buttons, Enter OK, Backspace NO, + and −"))
    fonts, size = canvas.fonts, canvas.px_at_least(TEXT_EM)
    wrapped = [
        part
        for line in lines
        for part in fonts.fit_text(line, Typeface.DISPLAY, (size,), (width, canvas.size[1]), 2).lines
    ]
    return tuple(wrapped[: PORTRAIT_FOOT_LINES if canvas.is_portrait else 2])


def _draw_lines(canvas: Canvas, rect: Rect, lines: tuple[str, ...]) -> None:
    for line, place in zip(lines, split_grid(rect, 1, len(lines), 0), strict=True):
        canvas.draw_text(place, line, TEXT_EM, INK, face=Typeface.DISPLAY)


def _draw_seats(canvas: Canvas, rect: Rect, state: ScreenState) -> None:
    """Draw the seats in the order of their buttons, each as a region of its own."""
    columns = len(SEAT_BUTTONS) // (2 if canvas.is_portrait else 1)
    cells = split_grid(rect, columns, len(SEAT_BUTTONS) // columns, canvas.px(1))
    joinable = {key.button for key in state.soft_keys if key.awaited}
    players = {player.button: player for player in state.players}
    box = (cells[0].w, canvas.px(NAME_HEIGHT))
    em = canvas.find_common_size([player.name for player in state.players], TITLE_EM, box, Typeface.DISPLAY)
    for button, place in zip(SEAT_BUTTONS, cells, strict=True):
        player, is_free = players.get(button), button in joinable
        is_pressed = button in state.pressed_buttons
        grown = canvas.timeline.progress(f"seat {button}", player is not None or None, JOIN_SECONDS)
        content = (player, is_free, is_pressed, grown, em)
        paint = partial(_draw_seat, canvas, place, button, player, em, grown, is_free=is_free, is_pressed=is_pressed)
        canvas.draw_region(f"seat {button}", place, content, paint)


def _draw_seat(
    canvas: Canvas,
    place: Rect,
    button: Button,
    player: Player | None,
    em: float,
    grown: float,
    *,
    is_free: bool,
    is_pressed: bool,
) -> None:
    """Draw a seat's shape: filled, with a tick, once it is taken; hollow while it is free."""
    canvas.add_touch_area(place, button)
    name, room = split_bottom(place, canvas.px(NAME_HEIGHT))
    size = min(canvas.px(MAX_SHAPE_SIZE), room.w, room.h)
    ground, colour = canvas.ground_colour, canvas.rgb(BUTTON_COLOURS[button])
    if player is None:
        tone = INK if is_pressed else colour if is_free else mix_colours(ground, colour, NOT_TAKEN_RATIO)
        canvas.draw_badge(button, room.center, size, tone)
        if is_free:
            canvas.draw_badge(button, room.center, round(size * HOLLOW_RATIO), ground)
        return
    shown = round(size * (JOIN_FROM_RATIO + (1 - JOIN_FROM_RATIO) * grown))
    canvas.draw_badge(button, room.center, shown, INK if is_pressed else colour)
    canvas.draw_icon(str(Button.OK), room.center, shown * TICK_PERCENT // 100, BACKGROUND)
    canvas.draw_text(name, player.name, em, INK, face=Typeface.DISPLAY, align=0.5)
    if player.piece_colour:
        piece = canvas.px(6)
        canvas.draw_piece(player.piece_colour, (place.right - piece // 2, place.top + piece // 2), piece)
