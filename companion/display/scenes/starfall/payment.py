"""StarFall's payment, and the choice of a tile from the catalogue."""

from __future__ import annotations

from collections.abc import Sequence

from pygame import Rect

from companion.display.toolkit.canvas import Canvas
from companion.display.toolkit.layout import split_rows
from companion.display.toolkit.text import FontWeight
from companion.display.toolkit.theme import (
    BACKGROUND,
    BAD,
    BODY_EM,
    GOOD,
    HEADING_EM,
    HUGE_EM,
    INK,
    MIN_EM,
    MIN_FAR_EM,
    MUTED,
    PANEL,
    PIECE_RGB,
    RAISED,
    SMALL_EM,
    TITLE_EM,
    WARN,
    Colour,
    text_colour_for,
)
from companion.games.starfall.view import FIRST_NEBULA_INDEX, NEBULA_COLOURS, PaymentView, StarFallView
from companion.i18n import N_, Translator

_ = Translator("starfall")

LINE_ICONS = ("star", "planet", "moon", "black hole", "comet")
"""Of the first lines of a page; the others are nebulae."""
NEBULA_LETTERS = (N_("R"), N_("B"), N_("G"), N_("Y"), N_("P"))
"""What stands for the colour of a nebula beside its number: red, blue, green, yellow, purple."""
NARROW_WIDTH = 92.0
"""Width below which the keys' meanings stand one under the other."""
LOW_PRINT_HEIGHT = 12.0
"""Height below which a print stays in one line as long as it can."""
MIN_ICON_SIZE = 4.2
"""Least size of a sign beside its number."""
ALL_NEBULAE_LINE = -1
MORE_TILES_WIDTH = 16.0
"""Width of what is said of tiles that are not drawn one by one."""


def draw_line_icon(canvas: Canvas, line: int, centre: tuple[int, int], size: int, colour: Colour = INK) -> None:
    """Draws the sign of a line of `view.LINES`; a nebula in its colour, which is to be named beside it."""
    if line < FIRST_NEBULA_INDEX:
        canvas.draw_icon(LINE_ICONS[line], centre, size, colour)
        return
    canvas.draw_icon("nebula", centre, size, PIECE_RGB[NEBULA_COLOURS[line - FIRST_NEBULA_INDEX]])


def draw_payment(canvas: Canvas, rect: Rect, paying: PaymentView) -> None:
    """The price at the left; at the right what is given for it, and whether that is enough."""
    canvas.draw_panel(rect, PANEL, radius=2.4)
    inner = rect.inflate(-canvas.px(5), -canvas.px(4))
    foot = Rect(inner.left, inner.bottom - canvas.px(8), inner.w, canvas.px(8))
    high = Rect(inner.left, inner.top, inner.w, foot.top - canvas.px(2) - inner.top)
    wide = min(canvas.px(26), high.w // 3)
    price = Rect(high.left, high.top, wide, high.h)
    canvas.draw_panel(price, INK, radius=2.2)
    canvas.draw_text(
        Rect(price.left, price.top + canvas.px(1.5), price.w, canvas.px(6)), _("Price"), BODY_EM, BACKGROUND, align=0.5
    )
    digits = Rect(price.left, price.top + canvas.px(7), price.w, price.h - canvas.px(9))
    canvas.draw_text(
        digits, str(paying.price), HUGE_EM, BACKGROUND, weight=FontWeight.BOLD, min_size=MIN_FAR_EM, align=0.5
    )
    given = Rect(price.right + canvas.px(4), high.top, high.right - price.right - canvas.px(4), high.h)
    _draw_given(canvas, given, paying)
    colour, words = judge_payment(paying)
    size = canvas.px(5)
    mark = "ok" if colour is GOOD else "bang"
    canvas.draw_icon(mark, (foot.left + size // 2, foot.centery), size, colour)
    canvas.draw_text(
        Rect(foot.left + canvas.px(7.5), foot.top, foot.w - canvas.px(7.5), foot.h), words, HEADING_EM, colour
    )


def judge_payment(paying: PaymentView) -> tuple[Colour, str]:
    """Whether it is enough, in colour and words.

    >>> verdict(Paying(7, 7, 2, (3,), False, False))[1]
    '2 are missing'
    """
    missing = paying.price - paying.dust - sum(paying.tile_values)
    if not paying.is_enough:
        return BAD, _.plural("{n} is missing", "{n} are missing", missing)
    if paying.is_excessive:
        return WARN, _("More than is needed")
    if missing > 0:
        return INK, _("The tile's stars pay the rest")
    return GOOD, _("This pays for the tile")


def _draw_given(canvas: Canvas, rect: Rect, paying: PaymentView) -> None:
    upper = Rect(rect.left, rect.top, rect.w, (rect.h - canvas.px(2)) // 2)
    lower = Rect(rect.left, upper.bottom + canvas.px(2), rect.w, rect.bottom - upper.bottom - canvas.px(2))
    for row in (upper, lower):
        canvas.draw_panel(row, RAISED)
    size = min(canvas.px(10), upper.h - canvas.px(4))
    canvas.draw_icon("sparkle", (upper.left + canvas.px(3) + size // 2, upper.centery), size, INK)
    left = upper.left + canvas.px(5) + size
    digits = canvas.draw_text(
        Rect(left, upper.top, canvas.px(16), upper.h),
        str(paying.dust),
        TITLE_EM,
        INK,
        weight=FontWeight.BOLD,
        min_size=MIN_FAR_EM,
    )
    words = Rect(digits.right + canvas.px(2), upper.top, upper.right - canvas.px(2) - digits.right, upper.h)
    canvas.draw_text(words, _("dust"), HEADING_EM, MUTED)
    if not paying.tile_values:
        canvas.draw_text(lower.inflate(-canvas.px(6), 0), _("no tile"), HEADING_EM, MUTED)
        return
    card, paper = min(canvas.px(13), lower.h - canvas.px(3)), PIECE_RGB["white"]
    room = lower.w - canvas.px(2)
    each = card + canvas.px(3.6)
    shown = paying.tile_values
    if len(shown) * each > room:
        shown = shown[: max(1, (room - canvas.px(MORE_TILES_WIDTH)) // each)]
    left = lower.left + canvas.px(2)
    for worth in shown:
        box = Rect(left, 0, card + canvas.px(2), card)
        box.centery = lower.centery
        canvas.draw_panel(box, paper, edge=INK, radius=1.6)
        star = canvas.px(5)
        canvas.draw_icon("star", (box.left + canvas.px(1.2) + star // 2, box.centery), star, text_colour_for(paper))
        number = Rect(box.left + star + canvas.px(1.6), box.top, box.right - box.left - star - canvas.px(2.6), box.h)
        canvas.draw_text(
            number, str(worth) if worth else "?", TITLE_EM, text_colour_for(paper), weight=FontWeight.BOLD, align=0.5
        )
        left = box.right + canvas.px(1.6)
    more = len(paying.tile_values) - len(shown)
    if more:
        rest = Rect(left, lower.top, lower.right - canvas.px(1) - left, lower.h)
        canvas.draw_text(rest, _("and {n} more", n=more), BODY_EM, MUTED, max_lines=2)


def draw_naming(canvas: Canvas, rect: Rect, view: StarFallView) -> None:
    """The keys' numbers, with what each stands for: a tile as printed, or how many of something."""
    canvas.draw_panel(rect, PANEL, radius=2.4)
    inner = rect.inflate(-canvas.px(4), -canvas.px(3))
    columns = 1 if len(view.choice_labels) <= 3 or inner.w < canvas.px(NARROW_WIDTH) else 2
    count = -(-len(view.choice_labels) // columns)
    gap = canvas.px(1.4)
    wide = (inner.w - gap * (columns - 1)) // columns
    cells = split_rows(Rect(inner.left, inner.top, wide, inner.h), count, gap, canvas.px(17))
    for i, words in enumerate(view.choice_labels):
        column, line = divmod(i, count)
        cell = cells[line].move(column * (wide + gap), 0)
        canvas.draw_panel(cell, RAISED)
        size = min(canvas.px(9), cell.h - canvas.px(2))
        disc = canvas.draw_disc((cell.left + canvas.px(1.6) + size // 2, cell.centery), size, INK)
        canvas.draw_text(disc, str(i + 1), HEADING_EM, BACKGROUND, weight=FontWeight.BOLD, align=0.5)
        rest = Rect(disc.right + canvas.px(2), cell.top, cell.right - disc.right - canvas.px(3), cell.h)
        if view.choice_symbol_counts:
            draw_tile_print(canvas, rest, view.choice_symbol_counts[i])
        else:
            canvas.draw_text(rest, words, HEADING_EM, INK, max_lines=2)


def draw_tile_print(canvas: Canvas, rect: Rect, counts: Sequence[int]) -> None:
    """What is printed on a tile: signs with their numbers, in two lines if need be.

    A nebula's colour has its first letter; where there is no room for five of them, they are one sign.
    """
    things = [
        (line, n, _(NEBULA_LETTERS[line - FIRST_NEBULA_INDEX]) if line >= FIRST_NEBULA_INDEX else "")
        for line, n in _nonzero_counts(counts)
    ]
    floor = canvas.px_at_least(MIN_EM)
    widest = max(
        (canvas.fonts.measure_width(f"{n}{letter}", FontWeight.BOLD, floor) for _, n, letter in things), default=0
    )
    least = widest + canvas.px(MIN_ICON_SIZE + 0.5)
    across = max(1, rect.w // least)
    if len(things) > 2 * across:
        things = [(line, n, "") for line, n in _nonzero_counts(counts[:FIRST_NEBULA_INDEX])]
        things.append((ALL_NEBULAE_LINE, sum(counts[FIRST_NEBULA_INDEX:]), ""))
        across = max(1, rect.w // canvas.px(8.9))
    if not things:
        canvas.draw_text(rect, _("nothing on it"), SMALL_EM, MUTED, max_lines=2)
        return
    low = rect.h < canvas.px(LOW_PRINT_HEIGHT)
    lines = 1 if len(things) <= (across if low else min(3, across)) else 2
    each = -(-len(things) // lines)
    step_x, step_y = min(canvas.px(15), rect.w // each), min(canvas.px(8), rect.h // lines)
    size = min(canvas.px(5.4), step_y - canvas.px(0.6), step_x - widest - canvas.px(0.5))
    top = rect.centery - step_y * lines // 2
    for i, (line, n, letter) in enumerate(things):
        row, place = divmod(i, each)
        cell = Rect(rect.left + place * step_x, top + row * step_y, step_x, step_y)
        centre = (cell.left + size // 2, cell.centery)
        if line == ALL_NEBULAE_LINE:
            canvas.draw_icon("nebula", centre, size, INK)
        else:
            draw_line_icon(canvas, line, centre, size)
        digits = Rect(cell.left + size + canvas.px(0.4), cell.top, cell.w - size - canvas.px(0.4), cell.h)
        canvas.draw_text(digits, f"{n}{letter}", BODY_EM, INK, weight=FontWeight.BOLD, min_size=MIN_EM)


def _nonzero_counts(counts: Sequence[int]) -> list[tuple[int, int]]:
    return [(line, n) for line, n in enumerate(counts) if n]
