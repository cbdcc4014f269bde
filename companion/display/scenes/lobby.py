"""The lobby: six places around the table, taken clockwise by pressing a seat's button or touching its place."""

from pygame import Rect

from companion.display.scenes.base import draw_frame
from companion.display.toolkit import (
    BACKGROUND,
    BUTTON_COLOURS,
    INK,
    LINE,
    MUTED,
    PANEL,
    RAISED,
    TEXT_EM,
    TITLE_EM,
    Canvas,
    Typeface,
    lay_out_screen,
    split_grid,
    split_left,
    split_right,
    split_top,
)
from companion.display.widgets import draw_main_region
from companion.events import SEAT_BUTTONS, Button
from companion.i18n import Translator
from companion.screen_state import ScreenState
from hardware.buttons.merge import TOUCH_RESOLUTION

_ = Translator("companion")

SEAT_COLUMNS = 3
"""Places side by side; the second row runs back, so that the order is clockwise."""
PORTRAIT_PLACES_PERCENT = 66
"""Height of the places in portrait, in percent of the body."""
LINE_PITCH_EM = 1.22
"""Distance of two baselines of the house rules, in em."""
MAX_DETAIL_LINES = 5
"""Lines of a house rule at most."""


def draw_lobby(canvas: Canvas, state: ScreenState) -> None:
    """Draw the six seats with the players who have taken them; a dialog that is open takes their place.

    What is unchanged since the last frame is not painted again. Call it within `Canvas.frame`.

    Args:
        canvas: Where it is drawn.
        state: What is shown; its players are those who have joined so far, and
            the seats of awaited soft keys are drawn as free.

    Raises:
        pygame.error: The screen is too small, so that a part would have a negative size.
    """
    layout = lay_out_screen(canvas)
    draw_frame(canvas, layout, state)
    if canvas.is_portrait:
        # Nobody has points yet: the side column takes the place of the players.
        rect, side = split_top(layout.body, layout.body.h * PORTRAIT_PLACES_PERCENT // 100, canvas.px(2))
    else:
        rect = split_left(layout.body, layout.body.right * 3 // 4 - layout.body.left)[0]
        side = split_right(layout.body, layout.body.w // 4)[0]
    joinable = frozenset(key.button for key in state.soft_keys if key.awaited)
    content = (state.players, state.pressed_buttons & set(SEAT_BUTTONS), joinable)
    draw_main_region(canvas, rect, state, content, lambda: _draw_seats(canvas, rect, state, joinable))
    canvas.draw_region("side", side, (len(state.players), state.details), lambda: _draw_summary(canvas, side, state))


def _draw_seats(canvas: Canvas, rect: Rect, state: ScreenState, joinable: frozenset[Button]) -> None:
    cells = split_grid(rect, SEAT_COLUMNS, 2, canvas.px(2))
    clockwise = [*cells[:SEAT_COLUMNS], *reversed(cells[SEAT_COLUMNS:])]
    for button, place in zip(SEAT_BUTTONS, clockwise, strict=True):
        canvas.add_touch_area(place, button)
        _draw_seat(canvas, place, state, button, is_free=button in joinable)


def _draw_seat(canvas: Canvas, place: Rect, state: ScreenState, button: Button, *, is_free: bool) -> None:
    player = next((p for p in state.players if p.button is button), None)
    tone = BUTTON_COLOURS[button] if player or is_free else LINE
    is_pressed = button in state.pressed_buttons
    canvas.draw_panel(place, INK if is_pressed else RAISED if player else BACKGROUND, edge=tone, radius=2.4)
    ink = BACKGROUND if is_pressed else INK
    badge = min(canvas.px(13), place.h // 2)
    middle = place.top + place.h * 38 // 100
    canvas.draw_badge(button, (place.centerx, middle), badge, BACKGROUND if is_pressed else tone)
    line = split_top(place.inflate(-canvas.px(3), 0), middle + badge // 2 - place.top)[1]
    if player is None:
        label = _("free") if is_free else _("not taken")
        canvas.draw_text(line, label, TEXT_EM, BACKGROUND if is_pressed else MUTED, align=0.5)
        return
    canvas.draw_text(line, player.name, TEXT_EM, ink, face=Typeface.DISPLAY, align=0.5)
    margin, size = canvas.px(1.6), canvas.px(5)
    corner = Rect(place.left + margin, place.top + canvas.px(1), canvas.px(9), canvas.px(7))
    canvas.draw_text(corner, f"{player.seat + 1}.", TEXT_EM, ink, face=Typeface.DISPLAY)
    if player.piece_colour:
        centre = (place.right - margin - size // 2, place.top + margin + size // 2)
        canvas.draw_piece(player.piece_colour, centre, size)


def _draw_summary(canvas: Canvas, side: Rect, state: ScreenState) -> None:
    """Draw the number of players, and the details: for how many the game is, and house rules that were changed."""
    inner = canvas.draw_panel(side, PANEL, padding=(3, 2))
    head, count = split_top(inner, canvas.px(9))[0], len(state.players)
    number = canvas.draw_text(split_left(head, canvas.px(10))[0], str(count), TITLE_EM, face=Typeface.DISPLAY)
    beside = split_left(head, number.w, canvas.px(2))[1]
    canvas.draw_text(beside, _.plural("player", "players", count), TEXT_EM)
    top, pitch = inner.top + canvas.px(10), canvas.px(LINE_PITCH_EM * TEXT_EM)
    lines = list(state.details)
    if canvas.preferences.touch_seats:
        lines.append(_("Touches within {n} ms: drawn by lot", n=round(1000 * TOUCH_RESOLUTION.same_source_seconds)))
    for line in lines:
        place = Rect(inner.left, top, inner.w, pitch * canvas.count_lines(line, inner.w, MAX_DETAIL_LINES))
        if place.bottom > inner.bottom:
            break
        canvas.draw_text(place, line, TEXT_EM, MUTED, max_lines=MAX_DETAIL_LINES, vertical_align=0.0)
        top = place.bottom + canvas.px(0.6)
