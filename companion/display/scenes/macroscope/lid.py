"""The Macroscope's lid: as the camera sees it, straightened; else a scheme of which tokens are still on it."""

from __future__ import annotations

from collections.abc import Hashable

from pygame import Rect

from companion.display.scenes.macroscope.lid_coordinates import placed
from companion.display.toolkit.canvas import Canvas, Same
from companion.display.toolkit.text import Weight
from companion.display.toolkit.theme import BACKGROUND, HEAD, INK, LINE, MUTED, PANEL, RAISED, TITLE
from companion.display.widgets.camera_panel import DOUBT, PLAIN, SHADE
from companion.games.macroscope.view import MacroscopeView, Phase
from companion.i18n import Words
from companion.screen_state import Eyes
from companion.vision.reading import Lid

_ = Words("macroscope")

COLUMNS, ROWS = 4, 3
EACH = 2
"""Tokens of each number, M1."""


def lid_shows(view: MacroscopeView, eyes: Eyes) -> Hashable:
    """What the lid's picture depends on, besides the view."""
    return Same(eyes.lid_upright), eyes.reading.lid if eyes.reading is not None else None


def lid(canvas: Canvas, rect: Rect, view: MacroscopeView, eyes: Eyes) -> None:
    """Draws the lid as seen, with its open windows and the tokens that may be taken; else what the ledger knows."""
    upright = eyes.lid_upright
    if upright is None:
        _scheme(canvas, rect, view)
        return
    drawn = canvas.image(upright, rect)
    if eyes.reading is not None and eyes.reading.lid is not None:
        _mark(canvas, drawn, eyes.reading.lid, (upright.shape[1], upright.shape[0]), view)


def _mark(canvas: Canvas, drawn: Rect, seen: Lid, size: tuple[int, int], view: MacroscopeView) -> None:
    """Thick rings round the tokens that may be taken, thin ones round open windows.

    Args:
        drawn: where the upright picture of `size` lies.
    """
    scale = drawn.w / size[0]
    for spot in placed(seen, size):
        centre = (drawn.left + round(spot.center[0] * scale), drawn.top + round(spot.center[1] * scale))
        radius = round(spot.radius * scale) + canvas.px(0.8)
        # Light within dark stands out from any token and any table, in every palette.
        if spot.window.covered is False:
            canvas.ring(centre, radius, SHADE, 0.9)
            canvas.ring(centre, radius - canvas.px(0.2), DOUBT, 0.4)
        elif spot.window.covered and view.phase is Phase.OPEN and spot.window.number in view.takeable:
            canvas.ring(centre, radius + canvas.px(0.5), SHADE, 1.8)
            canvas.ring(centre, radius, PLAIN, 0.9)


def _scheme(canvas: Canvas, rect: Rect, view: MacroscopeView) -> None:
    """Draws the twelve tokens by number, not by place: the places are the table's own (M1)."""
    canvas.panel(rect, PANEL, radius=2.4)
    arrow = canvas.px(5)
    canvas.sign("arrow", (rect.centerx, rect.top + canvas.px(1) + arrow // 2), arrow, LINE)
    inner = Rect(rect.left, rect.top + arrow + canvas.px(1), rect.w, rect.h - arrow - canvas.px(1))
    inner = inner.inflate(-canvas.px(3), -canvas.px(2))
    step_x, step_y = inner.w // COLUMNS, inner.h // ROWS
    step_x, step_y = min(step_x, step_y * 5 // 4), min(step_y, step_x * 5 // 4)
    size = min(step_x, step_y) - canvas.px(1.2)
    left, top = inner.centerx - step_x * COLUMNS // 2, inner.centery - step_y * ROWS // 2
    choosing = view.phase is Phase.OPEN
    for place in range(COLUMNS * ROWS):
        number, which = place // EACH + 1, place % EACH
        row, column = divmod(place, COLUMNS)
        centre = (left + step_x * column + step_x // 2, top + step_y * row + step_y // 2)
        if which < view.tokens[number - 1]:
            token(canvas, centre, size, number, take=choosing and number in view.takeable)
        else:
            canvas.disc(centre, size, BACKGROUND, RAISED)


def token(canvas: Canvas, centre: tuple[int, int], size: int, number: int, *, take: bool) -> None:
    """Draws a token, bright if it may be taken."""
    disc = canvas.disc(centre, size, INK if take else RAISED, None if take else LINE)
    colour = BACKGROUND if take else MUTED
    weight = Weight.BOLD if take else Weight.MEDIUM
    canvas.text(disc, str(number), min(TITLE, size / canvas.unit * 0.72), colour, weight=weight, align=0.5)


def closed_lid(canvas: Canvas, rect: Rect) -> None:
    """Draws what is to be done: all windows covered, then the top card pulled out."""
    canvas.panel(rect, PANEL, radius=2.4)
    inner = rect.inflate(-canvas.px(6), -canvas.px(4))
    words = Rect(inner.left, inner.bottom - canvas.px(19), inner.w, canvas.px(19))
    drawing = Rect(inner.left, inner.top, inner.w, words.top - inner.top - canvas.px(1))
    width = min(drawing.w * 56 // 100, drawing.h * 4 // 3)
    box = Rect(drawing.left + canvas.px(2), 0, width, min(drawing.h, width))
    box.centery = drawing.centery
    card = Rect(box.right - canvas.px(4), box.top + box.h // 6, box.w * 5 // 8, box.h * 2 // 3)
    canvas.panel(card, INK, radius=1.2)
    size = canvas.px(9)
    canvas.sign("pointer", (card.centerx + canvas.px(1.5), card.centery), size, BACKGROUND)
    canvas.panel(box, RAISED, edge=LINE)
    step_x, step_y = box.w // COLUMNS, box.h // ROWS
    for place in range(COLUMNS * ROWS):
        row, column = divmod(place, COLUMNS)
        centre = (box.left + step_x * column + step_x // 2, box.top + step_y * row + step_y // 2)
        canvas.disc(centre, min(step_x, step_y) * 3 // 4, MUTED)
    first = Rect(words.left, words.top, words.w, words.h // 2)
    canvas.text(first, _("1. Cover all windows"), HEAD, weight=Weight.BOLD)
    canvas.text(first.move(0, first.h), _("2. Pull the top card"), HEAD, weight=Weight.BOLD)
