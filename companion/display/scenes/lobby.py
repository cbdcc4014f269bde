"""The lobby: six places round the table, taken clockwise by pressing one's button or touching one's place."""

from __future__ import annotations

from pygame import Rect

from companion.display.toolkit.canvas import Canvas
from companion.display.toolkit.layout import lay_out_screen
from companion.display.toolkit.text import FontWeight
from companion.display.toolkit.theme import (
    BACKGROUND,
    BODY_EM,
    BUTTON_COLOURS,
    HEADING_EM,
    INK,
    LINE,
    MIN_EM,
    MUTED,
    PANEL,
    RAISED,
    SEAT_SHAPES,
    SMALL_EM,
    TITLE_EM,
)
from companion.display.widgets.camera_panel import draw_camera_panel
from companion.display.widgets.dialog import draw_dialog_if_open
from companion.display.widgets.header import draw_header, draw_status_line
from companion.display.widgets.soft_keys import draw_box_piece, draw_soft_keys
from companion.events import SEAT_BUTTONS, Button
from companion.i18n import Translator
from companion.screen_state import ScreenState
from hardware.buttons.merge import TOUCH_RESOLUTION

_ = Translator("companion")

SEAT_COLUMNS = 3
PORTRAIT_PLACES_PERCENT = 66
"""Of the body's height, in hundredths: the places, upright."""
LINE_PITCH_EM = 1.22
MAX_DETAIL_LINES = 5


class LobbyScene:
    """Who sits where: buttons 1 to 6, with the order in which they were taken."""

    def draw(self, canvas: Canvas, state: ScreenState) -> None:
        places = lay_out_screen(canvas, camera_corner=True, has_track=False)
        draw_header(canvas, places, state)
        if canvas.is_portrait:
            # Nobody has points yet: what stands beside the players takes their place.
            rect = Rect(
                places.body.left, places.body.top, places.body.w, places.body.h * PORTRAIT_PLACES_PERCENT // 100
            )
            top = rect.bottom + canvas.px(2)
            side = Rect(rect.left, top, places.camera.left - canvas.px(2) - rect.left, places.body.bottom - top)
            if not state.uses_camera:
                side.w = rect.w
        else:
            rect = Rect(places.body.left, places.body.top, places.main.right - places.body.left, places.body.h)
            side = Rect(places.side)
            if not state.uses_camera:
                side.h = places.body.bottom - side.top
        if not draw_dialog_if_open(canvas, rect, state, "main"):
            joinable = frozenset(k.button for k in state.soft_keys if k.awaited)
            shows = (state.players, state.pressed_buttons & set(SEAT_BUTTONS), joinable)
            canvas.draw_region("main", rect, shows, lambda: _draw_seats(canvas, rect, state, joinable))
        canvas.draw_region(
            "side", side, (len(state.players), state.details), lambda: _draw_summary(canvas, side, state)
        )
        if state.uses_camera:
            draw_camera_panel(canvas, places, state.camera_view)
        draw_status_line(canvas, places, state)
        draw_soft_keys(canvas, places, state)


def _draw_seats(canvas: Canvas, rect: Rect, shown: ScreenState, joinable: frozenset[Button]) -> None:
    gap = canvas.px(2)
    width = (rect.w - gap * (SEAT_COLUMNS - 1)) // SEAT_COLUMNS
    height = (rect.h - gap) // 2
    for i, button in enumerate(SEAT_BUTTONS):
        # Clockwise round the table: the second row runs back.
        column, line = (i, 0) if i < SEAT_COLUMNS else (2 * SEAT_COLUMNS - 1 - i, 1)
        place = Rect(rect.left + column * (width + gap), rect.top + line * (height + gap), width, height)
        canvas.add_touch_area(place, button)
        _draw_seat(canvas, place, shown, button, free=button in joinable)


def _draw_seat(canvas: Canvas, place: Rect, shown: ScreenState, button: Button, *, free: bool) -> None:
    player = next((p for p in shown.players if p.button is button), None)
    colour = BUTTON_COLOURS[button]
    heard = button in shown.pressed_buttons
    fill = INK if heard else RAISED if player else BACKGROUND
    canvas.draw_panel(place, fill, edge=colour if player or free else LINE, radius=2.4)
    ink, mark = (BACKGROUND, BACKGROUND) if heard else (INK, colour if player or free else LINE)
    badge = min(canvas.px(13), place.h // 2)
    middle = place.top + place.h * 38 // 100
    canvas.draw_icon(SEAT_SHAPES[button], (place.centerx, middle), badge, mark)
    line = Rect(place.left, middle + badge // 2, place.w, place.bottom - middle - badge // 2).inflate(-canvas.px(3), 0)
    if player:
        canvas.draw_text(line, player.name, HEADING_EM, ink, weight=FontWeight.BOLD, align=0.5)
        corner = Rect(place.left + canvas.px(1.6), place.top + canvas.px(1), canvas.px(9), canvas.px(7))
        canvas.draw_text(corner, f"{player.seat + 1}.", HEADING_EM, ink, weight=FontWeight.BOLD)
        if player.piece_colour:
            size = canvas.px(5)
            draw_box_piece(
                canvas,
                (place.right - canvas.px(1.6) - size // 2, place.top + canvas.px(1.6) + size // 2),
                size,
                player.piece_colour,
            )
    else:
        canvas.draw_text(
            line, _("free") if free else _("not taken"), SMALL_EM, MUTED if not heard else BACKGROUND, align=0.5
        )


def _draw_summary(canvas: Canvas, side: Rect, shown: ScreenState) -> None:
    """How many sit there, for how many the game is, and the house rules that are not the usual ones."""
    canvas.draw_panel(side, PANEL)
    inner = side.inflate(-canvas.px(3), -canvas.px(2))
    number = canvas.draw_text(
        Rect(inner.left, inner.top, canvas.px(10), canvas.px(9)),
        str(len(shown.players)),
        TITLE_EM,
        weight=FontWeight.BOLD,
    )
    beside = Rect(number.right + canvas.px(2), inner.top, inner.right - number.right - canvas.px(2), canvas.px(9))
    canvas.draw_text(beside, _.plural("player", "players", len(shown.players)), BODY_EM)
    top, pitch = inner.top + canvas.px(10), canvas.px(LINE_PITCH_EM * MIN_EM)
    lines = list(shown.details)
    if canvas.preferences.touch_seats:
        lines.append(_("Fingers within {n} ms: the lot decides", n=round(1000 * TOUCH_RESOLUTION.same_source_seconds)))
    for line in lines:
        fits = canvas.fonts.fit_text(
            line,
            FontWeight.MEDIUM,
            canvas.px_at_least(MIN_EM),
            canvas.px_at_least(MIN_EM),
            (inner.w, MAX_DETAIL_LINES * pitch),
            MAX_DETAIL_LINES,
        )
        height = pitch * len(fits.lines)
        if top + height > inner.bottom:
            break
        canvas.draw_text(
            Rect(inner.left, top, inner.w, height), line, MIN_EM, MUTED, max_lines=MAX_DETAIL_LINES, vertical_align=0.0
        )
        top += height + canvas.px(0.6)
