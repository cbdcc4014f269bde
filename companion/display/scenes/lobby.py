"""The lobby: the chosen game, and six shapes, each taken by pressing its seat's button or touching it."""

from functools import partial

from companion.display.scenes.scene_frame import draw_frame
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
    Rect,
    Typeface,
    lay_out_screen,
    mix_colours,
    split_bottom,
    split_grid,
    split_left,
    split_right,
    split_top,
)
from companion.display.toolkit.theme import PIECE_RGB, text_colour_for
from companion.display.widgets import TITLE_COLUMN_WIDTH, draw_dialog_if_open, draw_title_column
from companion.events import SEAT_BUTTONS, TOUCH_RESOLUTION_SECONDS, Button
from companion.i18n import _
from companion.screen_state import Player, ScreenState

TITLE_HEIGHT = 18.4
"""Height of the row with the game's name over the seats, in units: in portrait."""
LINE_HEIGHT = 7.2
"""Height of a line at the foot, in units."""
PORTRAIT_FOOT_LINES = 3
"""Lines at the foot at most, in portrait."""
MAX_EMPTY_SIZE = 18.0
"""Size of the shape of a seat that nobody has taken at most, in units."""
SHAPE_SIZE = 12.0
"""Size of the shape in the card of a taken seat, in units."""
PIECE_SIZE = 7.0
"""Size of the player's piece in the shape, under the place in the order of play, in units."""
NAME_HEIGHT = 9.6
"""Height of the name under the shape, in units."""
HIGH_CARD_HEIGHT = 22.0
"""Height of a card in units from which the name stands under the shape."""
CARD_MARGIN = 1.4
"""Room around the shape and the name in a card, in units."""
NOT_TAKEN_RATIO = 0.35
"""Share of a seat's colour in its shape while the seat cannot be taken; the rest is the ground's."""
JOIN_SECONDS = 0.3
"""Seconds in which a card grows when its seat is taken."""
JOIN_FROM_RATIO = 0.5
"""Height of a card when it begins to grow, as a share of its full height."""
CLOCKWISE_CELLS = (0, 1, 2, 5, 4, 3)
"""Cells of the six seats in three columns, row by row: clockwise round a table, as people sit."""


def draw_lobby(canvas: Canvas, state: ScreenState, accent: Colour = LINE) -> None:
    """Draw the chosen game, the six seats and who has taken them; a dialog that is open takes their place.

    Only regions that changed since the last frame are painted again. Call it within `Canvas.frame`.

    Args:
        state: what is shown; its players are those who have joined so far, and
            the seats of awaited soft keys are drawn as free.
        accent: the chosen game's colour: floods the ground.
    """
    layout = lay_out_screen(canvas)
    draw_frame(canvas, layout, state, ground=accent)
    if draw_dialog_if_open(canvas, layout.body, state):
        return
    lines = _list_foot_lines(canvas, state, layout.body.w)
    foot, body = split_bottom(layout.body, canvas.px(LINE_HEIGHT) * len(lines))
    if lines:
        canvas.draw_region("side", foot, lines, lambda: _draw_lines(canvas, foot, lines))
    if canvas.is_portrait:
        title, seats = split_top(body, canvas.px(TITLE_HEIGHT), canvas.px(1.4))
    else:
        title, seats = split_right(body, canvas.px(TITLE_COLUMN_WIDTH), canvas.px(2))
    content = (state.title, state.game_name, len(state.players), state.details[:1])

    def paint() -> None:
        if canvas.is_portrait:
            _draw_title_row(canvas, title, state)
        else:
            draw_title_column(canvas, title, state.game_name, state.title, _list_counts(state))

    canvas.draw_region("main", title, content, paint)
    _draw_seats(canvas, seats, state)


def _list_counts(state: ScreenState) -> tuple[str, str]:
    """Return how many players have joined, and how many the game is for."""
    return _.plural("{n} player", "{n} players", len(state.players)), " ".join(state.details[:1])


def _draw_title_row(canvas: Canvas, rect: Rect, state: ScreenState) -> None:
    """Draw the game's name, and at the right how many players have joined of how many the game is for."""
    # Ascenders are higher than capitals.
    rect = split_top(rect, 0, canvas.px(1.4))[1]
    number, counts = _list_counts(state)
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
    if canvas.preferences.touch_seats:
        lines.append(_("Touches within {n} ms: drawn by lot", n=round(1000 * TOUCH_RESOLUTION_SECONDS)))
    elif canvas.preferences.keyboard_hints and not lines:
        plus, minus = canvas.preferences.sign_keys
        signs = "+, −" if (plus, minus) == ("+", "−") else f"{plus} +, {minus} −"
        lines.append(_("Keyboard: 1 to 6 are the players' buttons, Enter OK, Backspace NO, {signs}", signs=signs))
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
    """Draw the seats clockwise round a table, each as a region of its own."""
    columns = 2 if canvas.is_portrait else 3
    cells = split_grid(rect, columns, len(SEAT_BUTTONS) // columns, canvas.px(1.6))
    if not canvas.is_portrait:
        cells = [cells[i] for i in CLOCKWISE_CELLS]
    joinable = {key.button for key in state.soft_keys if key.awaited}
    players = {player.button: (turn, player) for turn, player in enumerate(state.players, 1)}
    name_box = _split_card(canvas, cells[0])[1].size
    em = canvas.find_common_size([player.name for player in state.players], TITLE_EM, name_box, Typeface.DISPLAY)
    for button, place in zip(SEAT_BUTTONS, cells, strict=True):
        (turn, player), is_free = players.get(button, (0, None)), button in joinable
        is_pressed = button in state.pressed_buttons
        grown = canvas.timeline.progress(f"seat {button}", player is not None or None, JOIN_SECONDS)
        content = (turn, player, is_free, is_pressed, grown, em)
        if player is None:
            paint = partial(_draw_empty_seat, canvas, place, button, is_free=is_free, is_pressed=is_pressed)
        else:
            paint = partial(_draw_taken_seat, canvas, place, turn, player, em, grown, is_pressed=is_pressed)
        canvas.draw_region(f"seat {button}", place, content, paint)


def _split_card(canvas: Canvas, place: Rect) -> tuple[Rect, Rect]:
    """Return the places of the shape and of the name in a seat's card: in a high one under it, else beside it."""
    margin = canvas.px(CARD_MARGIN)
    if place.h >= canvas.px(HIGH_CARD_HEIGHT):
        name, upper = split_bottom(place.inflate(-margin, -margin), canvas.px(NAME_HEIGHT))
        shape = Rect(0, 0, canvas.px(SHAPE_SIZE), canvas.px(SHAPE_SIZE))
        shape.center = upper.center
        return shape, name
    side = min(canvas.px(SHAPE_SIZE), place.h - margin)
    shape, name = split_left(place.inflate(-2 * margin, 0), side, margin)
    shape.y, shape.h = place.centery - side // 2, side
    return shape, name


def _draw_empty_seat(canvas: Canvas, place: Rect, button: Button, *, is_free: bool, is_pressed: bool) -> None:
    """Draw a dark card with an edge in the colour of a seat that can be taken, or a faint shape of one that cannot."""
    canvas.add_touch_area(place, button)
    ground, colour = canvas.ground_colour, canvas.rgb(BUTTON_COLOURS[button])
    tone = INK if is_pressed else colour if is_free else mix_colours(ground, colour, NOT_TAKEN_RATIO)
    if is_free:
        canvas.draw_panel(place, BACKGROUND, edge=tone, radius=2.2)
    size = min(canvas.px(MAX_EMPTY_SIZE), place.h - 2 * canvas.px(CARD_MARGIN))
    canvas.draw_badge(button, place.center, size, tone)


def _draw_taken_seat(
    canvas: Canvas, place: Rect, turn: int, player: Player, em: float, grown: float, *, is_pressed: bool
) -> None:
    """Draw a seat as a card in its colour: the shape with piece and place in the order of play, and the name."""
    canvas.add_touch_area(place, player.button)
    card = place.inflate(0, round((grown - 1) * (1 - JOIN_FROM_RATIO) * place.h))
    colour: Colour = INK if is_pressed else BUTTON_COLOURS[player.button]
    canvas.draw_panel(card, colour, radius=2.2)
    shape, name = _split_card(canvas, card)
    canvas.draw_badge(player.button, shape.center, shape.w, BACKGROUND)
    if player.piece_colour:
        canvas.draw_disc(shape.center, canvas.px(PIECE_SIZE), PIECE_RGB[player.piece_colour])
        colour = text_colour_for(PIECE_RGB[player.piece_colour])
    canvas.draw_text(shape, str(turn), TEXT_EM, colour, face=Typeface.DISPLAY, align=0.5)
    is_under = name.top >= shape.bottom
    canvas.draw_text(name, player.name, em, BACKGROUND, face=Typeface.DISPLAY, align=0.5 if is_under else 0.0)
