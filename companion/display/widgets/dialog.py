"""What stands before the game until it is answered: a question, or a menu. Players, scores and camera stay visible."""

from __future__ import annotations

from pygame import Rect

from companion.display.toolkit.canvas import Canvas
from companion.display.toolkit.text import FontWeight
from companion.display.toolkit.theme import (
    BACKGROUND,
    BODY_EM,
    HEADING_EM,
    HUGE_EM,
    INK,
    LINE,
    MIN_EM,
    MUTED,
    PANEL,
    RAISED,
    TITLE_EM,
    WARN,
)
from companion.screen_state import Menu, Question, ScreenState

MENU_ROW_HEIGHT, MIN_MENU_ROW_HEIGHT = 6.4, 5.4
TWO_LINE_ROW_HEIGHT = 8.8
PREFERRED_MENU_ROWS = 5
"""Lines of a menu for which they become less high."""


def draw_dialog_if_open(canvas: Canvas, rect: Rect, state: ScreenState, name: str) -> bool:
    """Draws the question or the menu into `rect` as the part `name`; False if there is neither."""
    question, menu, entered = state.question, state.menu, state.entered_numbers
    if menu is not None:
        canvas.draw_region(name, rect, menu, lambda: _draw_menu(canvas, rect, menu))
    elif question is not None:
        canvas.draw_region(name, rect, (question, entered), lambda: _draw_question(canvas, rect, question, entered))
    return menu is not None or question is not None


def _draw_question(canvas: Canvas, rect: Rect, question: Question, entered: tuple[int, ...]) -> None:
    edge = WARN if question.warning else LINE
    canvas.draw_panel(rect, PANEL, edge=edge, radius=2.4)
    pad = canvas.px(4)
    sign = canvas.px(8)
    disc = canvas.draw_disc(
        (rect.left + pad + sign // 2, rect.top + pad + sign // 2), sign, WARN if question.warning else RAISED
    )
    if question.warning:
        canvas.draw_icon("bang", disc.center, sign * 3 // 4, BACKGROUND)
    else:
        canvas.draw_text(disc, "?", HEADING_EM, INK, weight=FontWeight.BOLD, align=0.5)
    top = rect.top + pad + sign + canvas.px(1.5)
    inner = Rect(rect.left + pad, top, rect.w - 2 * pad, rect.bottom - pad - top)
    below = canvas.px(13 if entered else 0)
    title = Rect(inner.left, inner.top, inner.w, (inner.h - below) * 62 // 100)
    canvas.draw_text(title, question.title, TITLE_EM, INK, weight=FontWeight.BOLD, max_lines=4, vertical_align=0.4)
    detail = Rect(inner.left, title.bottom, inner.w, inner.bottom - below - title.bottom)
    canvas.draw_text(
        detail, question.detail, BODY_EM, INK if question.warning else MUTED, max_lines=3, vertical_align=0.3
    )
    size = canvas.px(11)
    for i, number in enumerate(entered):
        chip = Rect(inner.left + i * (size + canvas.px(2)), inner.bottom - size, size, size)
        canvas.draw_panel(chip, INK)
        canvas.draw_text(chip, str(number), TITLE_EM, BACKGROUND, weight=FontWeight.BOLD, align=0.5)


def _draw_menu(canvas: Canvas, rect: Rect, menu: Menu) -> None:
    canvas.draw_panel(rect, PANEL, edge=LINE, radius=2.4)
    pad = canvas.px(2.4)
    inner = rect.inflate(-2 * pad, -2 * pad)
    head = Rect(inner.left, inner.top, inner.w, canvas.px(8))
    canvas.draw_text(head, menu.title, HEADING_EM, INK, weight=FontWeight.BOLD, max_lines=2)
    body = Rect(inner.left, head.bottom + canvas.px(1), inner.w, inner.bottom - head.bottom - canvas.px(1))
    if not menu.items:
        canvas.draw_text(body, menu.value or "", HUGE_EM, INK, weight=FontWeight.BOLD, align=0.5, min_size=BODY_EM)
        return
    pad = canvas.px(3)
    widest = max(canvas.fonts.measure_width(item, FontWeight.MEDIUM, canvas.px_at_least(MIN_EM)) for item in menu.items)
    lines = 1 if widest <= body.w - pad else 2
    height = (
        max(canvas.px(MIN_MENU_ROW_HEIGHT), min(canvas.px(MENU_ROW_HEIGHT), body.h // PREFERRED_MENU_ROWS))
        if lines == 1
        else canvas.px(TWO_LINE_ROW_HEIGHT)
    )
    size = BODY_EM if lines > 1 else min(BODY_EM, height / canvas.unit_px * 0.8)
    fit = max(1, body.h // height)
    first = max(0, min(menu.selected - fit // 2, len(menu.items) - fit))
    for i, item in enumerate(menu.items[first : first + fit]):
        row = Rect(body.left, body.top + i * height, body.w, height - canvas.px(0.6))
        chosen = first + i == menu.selected
        if chosen:
            canvas.draw_panel(row, INK)
        words = row.inflate(-pad, 0)
        if chosen and menu.value is not None:
            drawn = canvas.draw_text(words, menu.value, BODY_EM, BACKGROUND, weight=FontWeight.BOLD, align=1.0)
            words = Rect(words.left, words.top, drawn.left - canvas.px(2) - words.left, words.h)
        canvas.draw_text(words, item, size, BACKGROUND if chosen else INK, max_lines=lines)
    if len(menu.items) > fit:
        side = Rect(rect.right - canvas.px(1.8), body.top, canvas.px(0.7), fit * height - canvas.px(0.6))
        draw_scroll_bar(canvas, side, first, fit, len(menu.items))


def draw_scroll_bar(canvas: Canvas, rect: Rect, first: int, fit: int, count: int) -> None:
    """Says which part of a long list is in sight: `fit` lines of `count`, from `first` on."""
    canvas.draw_panel(rect, RAISED, radius=0.3)
    thumb = max(canvas.px(2), rect.h * fit // count)
    top = rect.top + (rect.h - thumb) * first // (count - fit)
    canvas.draw_panel(Rect(rect.left, top, rect.w, thumb), MUTED, radius=0.3)
