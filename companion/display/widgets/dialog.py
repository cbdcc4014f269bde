"""A question or a menu in the place of the game until it is answered. Beside a question the scores stay visible.

Which lines of a long menu have number keys: `ListMenu` in `companion/referee/dialogs/base.py`.
"""

from collections.abc import Sequence

from companion.display.toolkit import (
    BACKGROUND,
    BIG_EM,
    INK,
    MUTED,
    RAISED,
    TEXT_EM,
    TITLE_EM,
    WARN,
    Canvas,
    Rect,
    Typeface,
    split_bottom,
    split_columns,
    split_left,
    split_right,
    split_top,
)
from companion.display.widgets.header import draw_sentence
from companion.display.widgets.shelf import draw_shelf
from companion.events import SEAT_BUTTONS
from companion.screen_state import Menu, Question, ScreenState

MENU_ROW_HEIGHT = 7.6
"""Height of a menu's row with the gap below it, in units."""
TWO_LINE_ROW_HEIGHT = 13.8
"""The same where a label needs two lines."""
MENU_ROW_PADDING = 1.6
"""Room at the left of a menu's row, in units."""
TITLE_ROW_HEIGHT = 8.9
"""Height of a row in the size of a title, with the gap below it, in units."""
MENU_BADGE_EM = 0.8
"""Size of the shape before a numbered line, in em of its text."""
MENU_NUMBER_EM = 0.95
"""Width of the number behind it, in em of its text."""
LABEL_OVERLAP = 2.0
"""Room of a label's descenders above and below its row together, in units."""
MENU_ROW_GAP = 0.4
"""Room between two rows of a menu, in units."""
HEADING_HEIGHT = 9.2
"""Height of a menu's heading, in units."""
TWO_LINE_HEADING_HEIGHT = 15.6
"""The same of two lines."""
SCROLL_BAR_ROOM = 3.0
"""Room at the right of a menu's rows, in units: the scroll bar stands there."""
VALUE_MARGIN = 2.0
"""Room between the heading and a value that is being changed, in units."""
MAX_VALUE_EM = 52.0
"""Largest size of a value that is being changed: its em in units."""
VALUE_PERCENT = 34
"""Width of a value beside the lines of a menu, in percent of the menu's."""
FAR_TWO_LINE_ROW_HEIGHT = 16.4
"""Height of a row of two lines in the far layout."""
WARNING_SIZE = 26.0
"""Size of the sign before a warning, in units."""
CHIP_SIZE = 17.0
"""Size of the chip of an entered number, in units."""
FAR_CHIP_SIZE = 13.0
"""The same in the far layout."""


def draw_dialog_if_open(canvas: Canvas, rect: Rect, state: ScreenState) -> bool:
    """Draw the menu or the question that is open, as the region "main"; a menu comes before a question.

    A menu has its title as a heading, unless that is the prompt and so stands in the header.

    Returns:
        Whether there was one; if not, nothing is drawn.
    """
    question, menu, numbers = state.question, state.menu, state.entered_numbers
    if menu is not None:
        has_heading = menu.title != state.prompt
        content = (menu, has_heading)
        canvas.draw_region("main", rect, content, lambda: _draw_menu(canvas, rect, menu, has_heading=has_heading))
    elif question is not None:
        canvas.draw_region("main", rect, (question, numbers), lambda: _draw_question(canvas, rect, question, numbers))
    return menu is not None or question is not None


def visible_rows(body: Rect, height: int, gap: int, selected: int, count: int) -> list[tuple[int, Rect]]:
    """Return index and place of those rows of a list that fit its area, the selected one in the middle if possible.

    Args:
        body: the area of the rows, in pixels.
        height: distance of the tops of two rows in pixels, at least 1.
        gap: room between two rows in pixels, part of `height`.
        selected: index of the selected row, from 0; beyond the last one the end of the list is visible.
        count: number of rows; 0 gives an empty list.

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


def _place_menu_rows(body: Rect, height: int, gap: int, menu: Menu) -> list[tuple[int, Rect]]:
    """Return index and place of the visible rows of a menu: of those with number keys as many as fit."""
    if not menu.numbered:
        return visible_rows(body, height, gap, menu.selected, len(menu.items))
    fit = max(1, body.h // height)
    end = menu.first_numbered + menu.numbered
    first = max(menu.first_numbered, min(menu.selected - fit // 2, end - fit))
    return visible_rows(body, height, gap, first + fit // 2, len(menu.items))


def draw_scroll_bar(canvas: Canvas, panel: Rect, body: Rect, rows: Sequence[tuple[int, Rect]], count: int) -> None:
    """Draw at the right edge of `panel` which rows of a list are visible; nothing if all are.

    Args:
        panel: the panel of the list, in pixels.
        body: the area of the rows, in pixels; its top and height are those of the bar.
        rows: index and place of each visible row, as `visible_rows` returns them; empty only if `count` is 0.
        count: number of all rows.

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
    """Draw a question in the middle of its place, with the numbers entered so far as chips at its foot."""
    inner = rect.inflate(-2 * canvas.px(2), -2 * canvas.px(1))
    if question.warning:
        size = min(canvas.px(WARNING_SIZE), inner.w // 4)
        disc = canvas.draw_disc((inner.left + size // 2, inner.centery), size, WARN)
        canvas.draw_icon("bang", disc.center, size * 3 // 4, BACKGROUND)
        inner = split_left(inner, size, canvas.px(4))[1]
    if numbers:
        size = canvas.px(FAR_CHIP_SIZE if canvas.is_far else CHIP_SIZE)
        foot, inner = split_bottom(inner, size, canvas.px(1))
        gap = canvas.px(2)
        foot.w = size * len(numbers) + gap * (len(numbers) - 1)
        foot.centerx = inner.centerx
        for chip, number in zip(split_columns(foot, [size] * len(numbers), gap), numbers, strict=True):
            canvas.draw_panel(chip, INK)
            canvas.draw_text(chip, str(number), BIG_EM, BACKGROUND, face=Typeface.DISPLAY, align=0.5)
    align = 0.0 if question.warning else 0.5
    percent = 100 if not question.detail else 45 if canvas.is_portrait or (canvas.is_far and numbers) else 60
    title, detail = split_top(inner, inner.h * percent // 100)
    down = 0.8 if question.detail else 0.5
    canvas.draw_text(
        title, question.title, BIG_EM, INK, face=Typeface.DISPLAY, max_lines=3, align=align, vertical_align=down
    )
    detail = split_top(detail, 0, canvas.px(2))[1]
    is_short = canvas.text_width(question.detail, TITLE_EM, Typeface.DISPLAY) <= detail.w
    em, lines = (TITLE_EM, 1) if is_short else (TEXT_EM, 3)
    # In the typeface of the question: another one would look like a slip.
    canvas.draw_text(
        detail, question.detail, em, INK, face=Typeface.DISPLAY, max_lines=lines, align=align, vertical_align=0.1
    )


def _measure_key(canvas: Canvas, em: float) -> int:
    """Return the width in pixels of the shape and the number before a menu's line."""
    return canvas.px(em * (MENU_BADGE_EM + MENU_NUMBER_EM))


def _choose_rows(canvas: Canvas, body: Rect, menu: Menu) -> tuple[float, int, int]:
    """Choose the rows of a menu: as titles if all fit at once, else as text on one line or on two.

    Returns:
        Their em in units, their height with the gap in pixels, and the number of lines of a label at most.
    """
    room = body.w - canvas.px(SCROLL_BAR_ROOM + 2 * MENU_ROW_PADDING)
    for em, units in ((TITLE_EM, TITLE_ROW_HEIGHT), (TEXT_EM, MENU_ROW_HEIGHT)):
        height = max(canvas.px(units), _measure_accented_row(canvas, menu.items, em))
        width = room - (_measure_key(canvas, em) if menu.numbered else 0)
        fits = all(canvas.text_width(item, em, Typeface.DISPLAY) <= width for item in menu.items)
        if fits and (em == TEXT_EM or height * len(menu.items) + canvas.px(LABEL_OVERLAP) // 2 <= body.h):
            return em, height, 1
    return TEXT_EM, canvas.px(FAR_TWO_LINE_ROW_HEIGHT if canvas.is_far else TWO_LINE_ROW_HEIGHT), 2


def _measure_accented_row(canvas: Canvas, items: Sequence[str], em: float) -> int:
    """Return the height in pixels, with the gap, of a row with room for accents on capitals; 0 if no item has one."""
    size = canvas.list_sizes_px(em)[:1]
    layouts = [canvas.fonts.fit_text(item, Typeface.DISPLAY, size, canvas.surface.get_size()) for item in items]
    plain = canvas.fonts.fit_text("E", Typeface.DISPLAY, size, canvas.surface.get_size()).accent_height
    heights = [layout.height for layout in layouts if layout.accent_height > plain]
    return max(heights) + canvas.px(MENU_ROW_GAP) if heights else 0


def _draw_menu(canvas: Canvas, rect: Rect, menu: Menu, *, has_heading: bool) -> None:
    """Draw the heading over the lines; a value that is being changed is a large figure."""
    body = rect
    if has_heading:
        is_wide = canvas.text_width(menu.title, TITLE_EM, Typeface.DISPLAY) <= rect.w
        heading, body = split_top(rect, canvas.px(HEADING_HEIGHT if is_wide else TWO_LINE_HEADING_HEIGHT))
        draw_sentence(canvas, heading, menu.title, align=0.0 if menu.items else 0.5)
    if not menu.items:
        body = split_top(body, 0, canvas.px(VALUE_MARGIN))[1]
        if menu.note is not None:
            note, body = split_bottom(body, canvas.px(HEADING_HEIGHT))
            canvas.draw_text(note, menu.note, TITLE_EM, MUTED, face=Typeface.DISPLAY, align=0.5)
        canvas.draw_figure(body, menu.value or "", INK, max_em=MAX_VALUE_EM)
        return
    if menu.covers:
        draw_shelf(canvas, body, menu)
        return
    if menu.value is not None:
        value, body = split_right(body, body.w * VALUE_PERCENT // 100, canvas.px(2))
        canvas.draw_figure(value, menu.value, INK, max_em=MAX_VALUE_EM)
    em, height, max_lines = _choose_rows(canvas, body, menu)
    gap = canvas.px(MENU_ROW_GAP)
    rows = _place_menu_rows(body, height, gap, menu)
    for i, row in rows:
        row = Rect(row.left, row.top, row.w - canvas.px(SCROLL_BAR_ROOM), row.h)
        is_selected = i == menu.selected
        ink = BACKGROUND if is_selected else INK
        if is_selected:
            canvas.draw_panel(row, INK)
        line = row.inflate(-2 * canvas.px(MENU_ROW_PADDING), 0)
        if menu.numbered:
            key, line = split_left(line, _measure_key(canvas, em))
        key_index = i - menu.first_numbered
        if 0 <= key_index < menu.numbered:
            # The shape and the number of the key that chooses the line.
            badge, size = BACKGROUND if is_selected else None, canvas.px(em * MENU_BADGE_EM)
            number = canvas.draw_badge_left(key, SEAT_BUTTONS[key_index], size, badge, gap=1.4)
            canvas.draw_text(number, str(key_index + 1), em, ink, face=Typeface.DISPLAY)
        # Without this room descenders would lift the label above its number.
        line = line.inflate(0, canvas.px(LABEL_OVERLAP))
        text = f"{menu.items[i]}  {menu.value}" if is_selected and menu.value is not None else menu.items[i]
        canvas.draw_text(line, text, em, ink, face=Typeface.DISPLAY, max_lines=max_lines)
    draw_scroll_bar(canvas, rect, split_top(body, len(rows) * height - gap)[0], rows, len(menu.items))
