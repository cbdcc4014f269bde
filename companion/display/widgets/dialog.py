"""A question or a menu in front of the game until it is answered. Players, scores and camera stay visible."""

from collections.abc import Callable, Hashable, Sequence

from pygame import Rect

from companion.display.toolkit import (
    BACKGROUND,
    BIG_EM,
    HUGE_EM,
    INK,
    LINE,
    MUTED,
    PANEL,
    RAISED,
    TEXT_EM,
    TITLE_EM,
    WARN,
    Canvas,
    Typeface,
    split_bottom,
    split_columns,
    split_left,
    split_top,
)
from companion.screen_state import Menu, Question, ScreenState

MENU_ROW_HEIGHT = 7.6
"""Height of a menu's row, in units."""


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
    inner = rect.inflate(-2 * canvas.px(3), -2 * canvas.px(2))
    size = canvas.px(16)
    centre = (inner.left + size // 2, inner.centery)
    disc = canvas.draw_disc(centre, size, WARN if question.warning else RAISED)
    if question.warning:
        canvas.draw_icon("bang", disc.center, size * 3 // 4, BACKGROUND)
    else:
        canvas.draw_text(disc, "?", TITLE_EM, INK, face=Typeface.DISPLAY, align=0.5)
    inner = split_left(inner, size, canvas.px(3))[1]
    if numbers:
        size = canvas.px(11)
        chips, inner = split_bottom(inner, size, canvas.px(1))
        for chip, number in zip(split_columns(chips, [size] * len(numbers), canvas.px(2)), numbers, strict=True):
            canvas.draw_panel(chip, INK)
            canvas.draw_text(chip, str(number), TITLE_EM, BACKGROUND, face=Typeface.DISPLAY, align=0.5)
    title, detail = split_top(inner, inner.h * (58 if question.detail else 100) // 100)
    canvas.draw_text(title, question.title, BIG_EM, INK, face=Typeface.DISPLAY, max_lines=3)
    canvas.draw_text(detail, question.detail, TEXT_EM, INK, max_lines=3, vertical_align=0.2)


def _draw_menu(canvas: Canvas, rect: Rect, menu: Menu) -> None:
    canvas.draw_panel(rect, PANEL, edge=LINE, radius=2.4)
    padding = canvas.px(2.4)
    heading, body = split_top(rect.inflate(-2 * padding, -2 * padding), canvas.px(9), canvas.px(0.6))
    canvas.draw_text(heading, menu.title, TITLE_EM, INK, face=Typeface.DISPLAY)
    if not menu.items:
        canvas.draw_text(body, menu.value or "", HUGE_EM, INK, face=Typeface.DISPLAY, align=0.5)
        return
    padding = canvas.px(3)
    items = [f"{i}  {item}" if i <= menu.numbered else item for i, item in enumerate(menu.items, 1)]
    height = canvas.px(MENU_ROW_HEIGHT)
    gap = canvas.px(0.6)
    rows = visible_rows(body, height, gap, menu.selected, len(menu.items))
    for i, row in rows:
        is_selected = i == menu.selected
        if is_selected:
            canvas.draw_panel(row, INK)
        label = row.inflate(-padding, 0)
        if is_selected and menu.value is not None:
            drawn = canvas.draw_text(label, menu.value, TEXT_EM, BACKGROUND, face=Typeface.DISPLAY, align=1.0)
            label.w = drawn.left - canvas.px(2) - label.left
        canvas.draw_text(label, items[i], TEXT_EM, BACKGROUND if is_selected else INK, face=Typeface.DISPLAY)
    draw_scroll_bar(canvas, rect, split_top(body, len(rows) * height - gap)[0], rows, len(menu.items))
