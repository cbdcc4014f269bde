"""The Macroscope's lid: as the camera sees it, straightened; else a scheme of which tokens are still on it."""

from __future__ import annotations

from collections.abc import Hashable

from pygame import Rect

from companion.display.scenes.macroscope.lid_coordinates import rectify_windows
from companion.display.toolkit.canvas import ById, Canvas
from companion.display.toolkit.text import FontWeight
from companion.display.toolkit.theme import BACKGROUND, HEADING_EM, INK, LINE, MUTED, PANEL, RAISED, TITLE_EM
from companion.display.widgets.camera_panel import DARK_RGB, DOUBT_RGB, LIGHT_RGB
from companion.games.macroscope.view import MacroscopeView, Phase
from companion.i18n import Translator
from companion.screen_state import CameraView
from companion.vision.reading import Lid

_ = Translator("macroscope")

GRID_COLUMNS, GRID_ROWS = 4, 3
TOKENS_PER_NUMBER = 2
"""Tokens of each number, M1."""


def lid_content(view: MacroscopeView, eyes: CameraView) -> Hashable:
    """What the lid's picture depends on, besides the view."""
    return ById(eyes.rectified_lid), eyes.reading.lid if eyes.reading is not None else None


def draw_lid(canvas: Canvas, rect: Rect, view: MacroscopeView, eyes: CameraView) -> None:
    """Draws the lid as seen, with its open windows and the tokens that may be taken; else what the ledger knows."""
    upright = eyes.rectified_lid
    if upright is None:
        _draw_token_grid(canvas, rect, view)
        return
    drawn = canvas.draw_image(upright, rect)
    if eyes.reading is not None and eyes.reading.lid is not None:
        _draw_window_rings(canvas, drawn, eyes.reading.lid, (upright.shape[1], upright.shape[0]), view)


def _draw_window_rings(canvas: Canvas, drawn: Rect, seen: Lid, size: tuple[int, int], view: MacroscopeView) -> None:
    """Thick rings round the tokens that may be taken, thin ones round open windows.

    Args:
        drawn: where the upright picture of `size` lies.
    """
    scale = drawn.w / size[0]
    for spot in rectify_windows(seen, size):
        centre = (drawn.left + round(spot.center[0] * scale), drawn.top + round(spot.center[1] * scale))
        radius = round(spot.radius * scale) + canvas.px(0.8)
        # Light within dark stands out from any token and any table, in every palette.
        if spot.window.covered is False:
            canvas.draw_ring(centre, radius, DARK_RGB, 0.9)
            canvas.draw_ring(centre, radius - canvas.px(0.2), DOUBT_RGB, 0.4)
        elif spot.window.covered and view.phase is Phase.OPEN and spot.window.number in view.takeable_tokens:
            canvas.draw_ring(centre, radius + canvas.px(0.5), DARK_RGB, 1.8)
            canvas.draw_ring(centre, radius, LIGHT_RGB, 0.9)


def _draw_token_grid(canvas: Canvas, rect: Rect, view: MacroscopeView) -> None:
    """Draws the twelve tokens by number, not by place: the places are the table's own (M1)."""
    canvas.draw_panel(rect, PANEL, radius=2.4)
    arrow = canvas.px(5)
    canvas.draw_icon("arrow", (rect.centerx, rect.top + canvas.px(1) + arrow // 2), arrow, LINE)
    inner = Rect(rect.left, rect.top + arrow + canvas.px(1), rect.w, rect.h - arrow - canvas.px(1))
    inner = inner.inflate(-canvas.px(3), -canvas.px(2))
    step_x, step_y = inner.w // GRID_COLUMNS, inner.h // GRID_ROWS
    step_x, step_y = min(step_x, step_y * 5 // 4), min(step_y, step_x * 5 // 4)
    size = min(step_x, step_y) - canvas.px(1.2)
    left, top = inner.centerx - step_x * GRID_COLUMNS // 2, inner.centery - step_y * GRID_ROWS // 2
    choosing = view.phase is Phase.OPEN
    for place in range(GRID_COLUMNS * GRID_ROWS):
        number, which = place // TOKENS_PER_NUMBER + 1, place % TOKENS_PER_NUMBER
        row, column = divmod(place, GRID_COLUMNS)
        centre = (left + step_x * column + step_x // 2, top + step_y * row + step_y // 2)
        if which < view.tokens[number - 1]:
            draw_token(canvas, centre, size, number, can_take=choosing and number in view.takeable_tokens)
        else:
            canvas.draw_disc(centre, size, BACKGROUND, RAISED)


def draw_token(canvas: Canvas, centre: tuple[int, int], size: int, number: int, *, can_take: bool) -> None:
    """Draws a token, bright if it may be taken."""
    disc = canvas.draw_disc(centre, size, INK if can_take else RAISED, None if can_take else LINE)
    colour = BACKGROUND if can_take else MUTED
    weight = FontWeight.BOLD if can_take else FontWeight.MEDIUM
    canvas.draw_text(disc, str(number), min(TITLE_EM, size / canvas.unit_px * 0.72), colour, weight=weight, align=0.5)


def draw_cover_instructions(canvas: Canvas, rect: Rect) -> None:
    """Draws what is to be done: all windows covered, then the top card pulled out."""
    canvas.draw_panel(rect, PANEL, radius=2.4)
    inner = rect.inflate(-canvas.px(6), -canvas.px(4))
    words = Rect(inner.left, inner.bottom - canvas.px(19), inner.w, canvas.px(19))
    drawing = Rect(inner.left, inner.top, inner.w, words.top - inner.top - canvas.px(1))
    width = min(drawing.w * 56 // 100, drawing.h * 4 // 3)
    box = Rect(drawing.left + canvas.px(2), 0, width, min(drawing.h, width))
    box.centery = drawing.centery
    card = Rect(box.right - canvas.px(4), box.top + box.h // 6, box.w * 5 // 8, box.h * 2 // 3)
    canvas.draw_panel(card, INK, radius=1.2)
    size = canvas.px(9)
    canvas.draw_icon("pointer", (card.centerx + canvas.px(1.5), card.centery), size, BACKGROUND)
    canvas.draw_panel(box, RAISED, edge=LINE)
    step_x, step_y = box.w // GRID_COLUMNS, box.h // GRID_ROWS
    for place in range(GRID_COLUMNS * GRID_ROWS):
        row, column = divmod(place, GRID_COLUMNS)
        centre = (box.left + step_x * column + step_x // 2, box.top + step_y * row + step_y // 2)
        canvas.draw_disc(centre, min(step_x, step_y) * 3 // 4, MUTED)
    first = Rect(words.left, words.top, words.w, words.h // 2)
    canvas.draw_text(first, _("1. Cover all windows"), HEADING_EM, weight=FontWeight.BOLD)
    canvas.draw_text(first.move(0, first.h), _("2. Pull the top card"), HEADING_EM, weight=FontWeight.BOLD)
