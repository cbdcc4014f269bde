"""StarFall's payment, and the choice of a tile from the catalogue."""

from collections.abc import Sequence

from pygame import Rect

from companion.display.toolkit import (
    BACKGROUND,
    BAD,
    BIG_EM,
    GOOD,
    INK,
    MUTED,
    PANEL,
    PIECE_RGB,
    RAISED,
    TEXT_EM,
    TITLE_EM,
    Canvas,
    Colour,
    Typeface,
    split_bottom,
    split_grid,
    split_left,
    split_top,
    text_colour_for,
)
from companion.games.starfall.display.tiles import draw_line_icon, draw_price, draw_tile_art, draw_tile_print
from companion.games.starfall.payment_rules import PaymentView
from companion.games.starfall.state import StarFallState
from companion.games.starfall.tile_questions import get_tile_question
from companion.i18n import Translator

_ = Translator("starfall")

NARROW_WIDTH = 92.0
"""Width in units below which the choices stand in one column."""
MORE_TILES_WIDTH = 16.0
"""Width of the text on tiles that are not drawn, in units."""


def draw_payment(canvas: Canvas, rect: Rect, payment: PaymentView) -> None:
    """Draw the price at the left; at the right dust and tiles that are paid, and below whether they suffice (F13).

    Args:
        payment: price and payment, in stardust.
    """
    price, right = split_left(rect, min(canvas.px(44), rect.w * 3 // 10), canvas.px(4))
    canvas.draw_panel(price, INK, radius=2.2)
    label, digits = split_top(price.inflate(-canvas.px(2), -canvas.px(1)), canvas.px(8))
    canvas.draw_text(label, _("Price"), TEXT_EM, BACKGROUND, face=Typeface.DISPLAY, align=0.5)
    canvas.draw_figure(digits, str(payment.price), BACKGROUND)
    foot, paid = split_bottom(right, canvas.px(8.4), canvas.px(1))
    _draw_given(canvas, paid, payment)
    colour, text = judge_payment(payment)
    foot = canvas.draw_panel(foot, PANEL, padding=(2, 0))
    foot = canvas.draw_icon_left(foot, "ok" if colour is GOOD else "bang", canvas.px(6), colour, gap=1)
    canvas.draw_text(foot, text, TEXT_EM, colour, face=Typeface.DISPLAY)


def judge_payment(payment: PaymentView) -> tuple[Colour, str]:
    """Return in colour and words whether the payment is enough.

    Args:
        payment: price and payment, in stardust.

    Returns:
        A tone (bad or good), and a sentence in the current language.

    >>> judge_payment(PaymentView(7, 2, (3,), is_enough=False, has_unneeded_tile=False))[1]
    '2 are missing'
    """
    missing = payment.price - payment.dust - sum(payment.tile_values)
    if not payment.is_enough:
        return BAD, _.plural("{n} is missing", "{n} are missing", missing)
    if payment.has_unneeded_tile:
        return BAD, _("One too many: take it back")
    return GOOD, _("This pays for the tile")


def _draw_given(canvas: Canvas, rect: Rect, payment: PaymentView) -> None:
    """Draw the dust and the tiles that are paid."""
    upper, lower = split_grid(rect, 1, 2, canvas.px(2))
    lower.h = rect.bottom - lower.top
    for row in (upper, lower):
        canvas.draw_panel(row, RAISED)
    size = min(canvas.px(10), upper.h - canvas.px(4))
    canvas.draw_icon_left(upper, "sparkle", size, INK, margin=3)
    place = Rect(upper.left + canvas.px(5) + size, upper.top, canvas.px(16), upper.h)
    digits = canvas.draw_text(place, str(payment.dust), BIG_EM, INK, face=Typeface.DISPLAY)
    left = digits.right + canvas.px(2)
    label = Rect(left, upper.top, upper.right - left, upper.h)
    canvas.draw_text(label, _("dust"), TITLE_EM, INK, face=Typeface.DISPLAY)
    if payment.tile_values:
        _draw_tiles(canvas, lower, payment.tile_values)
    else:
        hint = _("With a tile? Press your button until its stars are right")
        canvas.draw_text(lower.inflate(-canvas.px(6), 0), hint, TEXT_EM, INK, face=Typeface.DISPLAY, max_lines=2)


def _draw_tiles(canvas: Canvas, rect: Rect, values: Sequence[int]) -> None:
    """Draw tiles with their stars side by side, and how many there is no room for."""
    size, paper = min(canvas.px(13), rect.h - canvas.px(3)), PIECE_RGB["white"]
    ink = text_colour_for(paper)
    room, step = rect.w - canvas.px(2), size + canvas.px(3.6)
    drawn = values
    if len(drawn) * step > room:
        drawn = drawn[: max(1, (room - canvas.px(MORE_TILES_WIDTH)) // step)]
    left = rect.left + canvas.px(2)
    for value in drawn:
        tile = Rect(left, 0, size + canvas.px(2), size)
        tile.centery = rect.centery
        canvas.draw_panel(tile, paper, edge=INK, radius=1.6)
        star = canvas.px(5)
        canvas.draw_icon_left(tile, "star", star, ink, margin=1.2)
        number = split_left(tile, star + canvas.px(1.6))[1]
        number.w = tile.w - star - canvas.px(2.6)
        canvas.draw_text(number, str(value), TITLE_EM, ink, face=Typeface.DISPLAY, align=0.5)
        left = tile.right + canvas.px(1.6)
    more = len(values) - len(drawn)
    if more:
        rest = Rect(left, rect.top, rect.right - canvas.px(1) - left, rect.h)
        canvas.draw_text(rest, _("and {n} more", n=more), TEXT_EM, MUTED, face=Typeface.DISPLAY, max_lines=2)


def draw_naming(canvas: Canvas, rect: Rect, view: StarFallState) -> None:
    """Draw what is asked: the tiles to choose from with the letters of their keys, or a symbol on the new tile.

    Args:
        view: what is shown of the game; gives the choices.
    """
    question = get_tile_question(view)
    if question.line_index is not None:
        _draw_new_tile(canvas, rect, view.next_free_space, question.line_index)
        return
    count = len(question.choices)
    columns = 1 if count <= 3 or rect.w < canvas.px(NARROW_WIDTH) else 2
    rows = -(-count // columns)
    cells = split_grid(rect, columns, rows, canvas.px(1.4), canvas.px(17))
    for i, choice in enumerate(question.choices):
        column, row = divmod(i, rows)
        cell = cells[row * columns + column]
        canvas.draw_panel(cell, PANEL)
        size = min(canvas.px(9), cell.h - canvas.px(2))
        disc = canvas.draw_disc((cell.left + canvas.px(1.6) + size // 2, cell.centery), size, INK)
        canvas.draw_text(disc, choice.label, TEXT_EM, BACKGROUND, face=Typeface.DISPLAY, align=0.5)
        rest = Rect(disc.right + canvas.px(2), cell.top, cell.right - disc.right - canvas.px(3), cell.h)
        draw_tile_print(canvas, rest, view.get_symbol_counts(choice.tile_numbers[0]))


def _draw_new_tile(canvas: Canvas, rect: Rect, space: int, line: int) -> None:
    """Draw the tile that is added with the number of its space, and the symbol whose number on it is asked."""
    head, below = split_top(rect, canvas.px(TITLE_EM), canvas.px(2))
    canvas.draw_text(head, _("The new tile, on {space}", space=space), TITLE_EM, INK, face=Typeface.DISPLAY, align=0.5)
    size, gap = min(below.h - canvas.px(4), below.w // 3), canvas.px(8)
    square = Rect(0, 0, size, size)
    square.center = (below.centerx - size - gap // 2, below.centery)
    draw_tile_art(canvas, square, ())
    draw_price(canvas, square, space, is_bright=True)
    square = square.move(size + gap, 0)
    draw_line_icon(canvas, line, square.center, size * 8 // 10)
    count = Rect(square.right, square.top, size, size)
    canvas.draw_figure(count, "?", INK)
