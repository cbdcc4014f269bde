"""What stands before the game until it is answered: a question, or a menu. Players, scores and camera stay visible."""

from __future__ import annotations

from pygame import Rect

from companion.display.toolkit.canvas import Canvas
from companion.display.toolkit.text import Weight
from companion.display.toolkit.theme import (
    BACKGROUND,
    BODY,
    FLOOR,
    HEAD,
    HUGE,
    INK,
    LINE,
    MUTED,
    PANEL,
    RAISED,
    TITLE,
    WARN,
)
from companion.screen_state import Menu, Question, Shown

ROW, LEAST_ROW = 6.4, 5.4
TWO_LINES = 8.8
FIT = 5
"""Lines of a menu for which they become less high."""


def dialog(canvas: Canvas, rect: Rect, shown: Shown, name: str) -> bool:
    """Draws the question or the menu into `rect` as the part `name`; False if there is neither."""
    question, menu, entered = shown.question, shown.menu, shown.entered
    if menu is not None:
        canvas.part(name, rect, menu, lambda: _menu(canvas, rect, menu))
    elif question is not None:
        canvas.part(name, rect, (question, entered), lambda: _question(canvas, rect, question, entered))
    return menu is not None or question is not None


def _question(canvas: Canvas, rect: Rect, question: Question, entered: tuple[int, ...]) -> None:
    edge = WARN if question.warning else LINE
    canvas.panel(rect, PANEL, edge=edge, radius=2.4)
    pad = canvas.px(4)
    sign = canvas.px(8)
    disc = canvas.disc(
        (rect.left + pad + sign // 2, rect.top + pad + sign // 2), sign, WARN if question.warning else RAISED
    )
    if question.warning:
        canvas.sign("bang", disc.center, sign * 3 // 4, BACKGROUND)
    else:
        canvas.text(disc, "?", HEAD, INK, weight=Weight.BOLD, align=0.5)
    top = rect.top + pad + sign + canvas.px(1.5)
    inner = Rect(rect.left + pad, top, rect.w - 2 * pad, rect.bottom - pad - top)
    below = canvas.px(13 if entered else 0)
    title = Rect(inner.left, inner.top, inner.w, (inner.h - below) * 62 // 100)
    canvas.text(title, question.title, TITLE, INK, weight=Weight.BOLD, lines=4, upright=0.4)
    detail = Rect(inner.left, title.bottom, inner.w, inner.bottom - below - title.bottom)
    canvas.text(detail, question.detail, BODY, INK if question.warning else MUTED, lines=3, upright=0.3)
    size = canvas.px(11)
    for i, number in enumerate(entered):
        chip = Rect(inner.left + i * (size + canvas.px(2)), inner.bottom - size, size, size)
        canvas.panel(chip, INK)
        canvas.text(chip, str(number), TITLE, BACKGROUND, weight=Weight.BOLD, align=0.5)


def _menu(canvas: Canvas, rect: Rect, menu: Menu) -> None:
    canvas.panel(rect, PANEL, edge=LINE, radius=2.4)
    pad = canvas.px(2.4)
    inner = rect.inflate(-2 * pad, -2 * pad)
    head = Rect(inner.left, inner.top, inner.w, canvas.px(8))
    canvas.text(head, menu.title, HEAD, INK, weight=Weight.BOLD, lines=2)
    body = Rect(inner.left, head.bottom + canvas.px(1), inner.w, inner.bottom - head.bottom - canvas.px(1))
    if not menu.items:
        canvas.text(body, menu.value or "", HUGE, INK, weight=Weight.BOLD, align=0.5, least=BODY)
        return
    pad = canvas.px(3)
    widest = max(canvas.type.width(item, Weight.MEDIUM, canvas.floor(FLOOR)) for item in menu.items)
    lines = 1 if widest <= body.w - pad else 2
    height = max(canvas.px(LEAST_ROW), min(canvas.px(ROW), body.h // FIT)) if lines == 1 else canvas.px(TWO_LINES)
    size = BODY if lines > 1 else min(BODY, height / canvas.unit * 0.8)
    fit = max(1, body.h // height)
    first = max(0, min(menu.selected - fit // 2, len(menu.items) - fit))
    for i, item in enumerate(menu.items[first : first + fit]):
        row = Rect(body.left, body.top + i * height, body.w, height - canvas.px(0.6))
        chosen = first + i == menu.selected
        if chosen:
            canvas.panel(row, INK)
        words = row.inflate(-pad, 0)
        if chosen and menu.value is not None:
            drawn = canvas.text(words, menu.value, BODY, BACKGROUND, weight=Weight.BOLD, align=1.0)
            words = Rect(words.left, words.top, drawn.left - canvas.px(2) - words.left, words.h)
        canvas.text(words, item, size, BACKGROUND if chosen else INK, lines=lines)
    if len(menu.items) > fit:
        side = Rect(rect.right - canvas.px(1.8), body.top, canvas.px(0.7), fit * height - canvas.px(0.6))
        rail(canvas, side, first, fit, len(menu.items))


def rail(canvas: Canvas, rect: Rect, first: int, fit: int, count: int) -> None:
    """Says which part of a long list is in sight: `fit` lines of `count`, from `first` on."""
    canvas.panel(rect, RAISED, radius=0.3)
    thumb = max(canvas.px(2), rect.h * fit // count)
    top = rect.top + (rect.h - thumb) * first // (count - fit)
    canvas.panel(Rect(rect.left, top, rect.w, thumb), MUTED, radius=0.3)
