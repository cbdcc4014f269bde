"""A question or a menu in front of the game until it is answered. Players, scores and camera stay visible."""

from collections.abc import Callable, Hashable, Sequence

from pygame import Rect

from companion.display.toolkit import (
    BACKGROUND,
    BODY_EM,
    HEADING_EM,
    HUGE_EM,
    INK,
    LINE,
    MUTED,
    PANEL,
    RAISED,
    TITLE_EM,
    WARN,
    Canvas,
    FontWeight,
    split_bottom,
    split_top,
)
from companion.screen_state import Menu, Question, ScreenState

MENU_ROW_HEIGHT = 6.4
"""Height of a menu's row, in units."""
MIN_MENU_ROW_HEIGHT = 5.4
"""Height that a menu's row shrinks to, in units, so that more rows fit."""
TWO_LINE_ROW_HEIGHT = 8.8
"""Height of a menu's row with two lines of text, in units."""
PREFERRED_MENU_ROWS = 5
"""Rows of a menu that are to be visible at once: for them rows shrink."""


def draw_dialog_if_open(canvas: Canvas, rect: Rect, state: ScreenState) -> bool:
    """Draw the menu or the question that is open, as the region "main"; a menu comes before a question.

    Args:
        canvas: Where it is drawn.
        rect: Its place in pixels.
        state: What is shown.

    Returns:
        Whether there was one; if not, nothing is drawn.

    Raises:
        pygame.error: `rect` is too small, so that a part would have a negative size.
    """
    question, menu, numbers = state.question, state.menu, state.entered_numbers
    if menu is not None:
        canvas.draw_region("main", rect, menu, lambda: _draw_menu(canvas, rect, menu))
    elif question is not None:
        content = (question, numbers)
        canvas.draw_region("main", rect, content, lambda: _draw_question(canvas, rect, question, numbers))
    return menu is not None or question is not None


def draw_main_region(
    canvas: Canvas, rect: Rect, state: ScreenState, content: Hashable, paint: Callable[[], object]
) -> None:
    """Draw the region "main": the dialog that is open, else what the screen shows there.

    Args:
        canvas: Where it is drawn.
        rect: The region's place in pixels.
        state: What is shown.
        content: All that the picture without a dialog depends on.
        paint: Paints the region if no dialog is open; an exception that it raises is passed on.

    Raises:
        pygame.error: `rect` is too small, so that a part would have a negative size.
    """
    if not draw_dialog_if_open(canvas, rect, state):
        canvas.draw_region("main", rect, content, paint)


def visible_rows(body: Rect, height: int, gap: int, selected: int, count: int) -> list[tuple[int, Rect]]:
    """Return index and place of those rows of a list that fit its area, the selected one in the middle if possible.

    Args:
        body: The area of the rows, in pixels.
        height: Distance of the tops of two rows in pixels, at least 1.
        gap: Room between two rows in pixels, part of `height`.
        selected: Index of the selected row, from 0; beyond the last one the end of the list is visible.
        count: Number of rows; 0 gives an empty list.

    Returns:
        Index and place in pixels of each visible row, from the top; at least one, even if it is higher than `body`.

    Raises:
        ZeroDivisionError: `height` is 0.

    >>> [index for index, _row in visible_rows(Rect(0, 0, 9, 40), 10, 1, 8, 9)]
    [5, 6, 7, 8]
    """
    fit = max(1, body.h // height)
    first = max(0, min(selected - fit // 2, count - fit))
    indexes = range(first, min(first + fit, count))
    return [(i, Rect(body.left, body.top + n * height, body.w, height - gap)) for n, i in enumerate(indexes)]


def draw_scroll_bar(canvas: Canvas, panel: Rect, body: Rect, rows: Sequence[tuple[int, Rect]], count: int) -> None:
    """Draw at the right edge of `panel` which rows of a list are visible; nothing if all are.

    Args:
        canvas: Where it is drawn.
        panel: The panel of the list, in pixels.
        body: The area of the rows, in pixels; its top and height are those of the bar.
        rows: Index and place of each visible row, as `visible_rows` returns them; empty only if `count` is 0.
        count: Number of all rows.

    Raises:
        IndexError: `rows` is empty and `count` is not 0.
        pygame.error: `body` has a negative height.
    """
    if len(rows) == count:
        return
    bar = Rect(panel.right - canvas.px(1.8), body.top, canvas.px(0.7), body.h)
    canvas.draw_panel(bar, RAISED, radius=0.3)
    thumb_height = max(canvas.px(2), bar.h * len(rows) // count)
    top = bar.top + (bar.h - thumb_height) * rows[0][0] // (count - len(rows))
    canvas.draw_panel(Rect(bar.left, top, bar.w, thumb_height), MUTED, radius=0.3)


def _draw_question(canvas: Canvas, rect: Rect, question: Question, numbers: tuple[int, ...]) -> None:
    """Draw a question with the numbers entered so far as chips at its foot."""
    canvas.draw_panel(rect, PANEL, edge=WARN if question.warning else LINE, radius=2.4)
    padding, size = canvas.px(4), canvas.px(8)
    centre = (rect.left + padding + size // 2, rect.top + padding + size // 2)
    disc = canvas.draw_disc(centre, size, WARN if question.warning else RAISED)
    if question.warning:
        canvas.draw_icon("bang", disc.center, size * 3 // 4, BACKGROUND)
    else:
        canvas.draw_text(disc, "?", HEADING_EM, INK, weight=FontWeight.BOLD, align=0.5)
    inner = split_top(rect.inflate(-2 * padding, -2 * padding), size, canvas.px(1.5))[1]
    below = canvas.px(13 if numbers else 0)
    title, rest = split_top(inner, (inner.h - below) * 62 // 100)
    canvas.draw_text(title, question.title, TITLE_EM, INK, weight=FontWeight.BOLD, max_lines=4, vertical_align=0.4)
    detail, tone = split_bottom(rest, below)[1], INK if question.warning else MUTED
    canvas.draw_text(detail, question.detail, BODY_EM, tone, max_lines=3, vertical_align=0.3)
    size = canvas.px(11)
    for i, number in enumerate(numbers):
        chip = Rect(inner.left + i * (size + canvas.px(2)), inner.bottom - size, size, size)
        canvas.draw_panel(chip, INK)
        canvas.draw_text(chip, str(number), TITLE_EM, BACKGROUND, weight=FontWeight.BOLD, align=0.5)


def _draw_menu(canvas: Canvas, rect: Rect, menu: Menu) -> None:
    canvas.draw_panel(rect, PANEL, edge=LINE, radius=2.4)
    padding = canvas.px(2.4)
    heading, body = split_top(rect.inflate(-2 * padding, -2 * padding), canvas.px(8), canvas.px(1))
    canvas.draw_text(heading, menu.title, HEADING_EM, INK, weight=FontWeight.BOLD, max_lines=2)
    if not menu.items:
        canvas.draw_text(body, menu.value or "", HUGE_EM, INK, weight=FontWeight.BOLD, align=0.5, min_size=BODY_EM)
        return
    padding = canvas.px(3)
    items = [f"{i}  {item}" if i <= menu.numbered else item for i, item in enumerate(menu.items, 1)]
    max_lines = 1 if max(map(canvas.text_width, items)) <= body.w - padding else 2
    height, size = canvas.px(TWO_LINE_ROW_HEIGHT), BODY_EM
    if max_lines == 1:
        preferred = min(canvas.px(MENU_ROW_HEIGHT), body.h // PREFERRED_MENU_ROWS)
        height = max(canvas.px(MIN_MENU_ROW_HEIGHT), preferred)
        size = min(BODY_EM, height / canvas.unit_px * 0.8)
    gap = canvas.px(0.6)
    rows = visible_rows(body, height, gap, menu.selected, len(menu.items))
    for i, row in rows:
        is_selected = i == menu.selected
        if is_selected:
            canvas.draw_panel(row, INK)
        label = row.inflate(-padding, 0)
        if is_selected and menu.value is not None:
            drawn = canvas.draw_text(label, menu.value, BODY_EM, BACKGROUND, weight=FontWeight.BOLD, align=1.0)
            label.w = drawn.left - canvas.px(2) - label.left
        canvas.draw_text(label, items[i], size, BACKGROUND if is_selected else INK, max_lines=max_lines)
    draw_scroll_bar(canvas, rect, split_top(body, len(rows) * height - gap)[0], rows, len(menu.items))
