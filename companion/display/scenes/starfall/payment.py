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
    WARN,
    Canvas,
    Colour,
    Typeface,
    split_bottom,
    split_grid,
    split_left,
    split_top,
    text_colour_for,
)
from companion.games.starfall.payment_rules import PaymentView
from companion.games.starfall.settings import FIRST_NEBULA_INDEX, NEBULA_COLOURS
from companion.games.starfall.state import StarFallState
from companion.games.starfall.tile_identification import get_tile_question
from companion.i18n import N_, Translator

_ = Translator("starfall")

LINE_ICONS = ("star", "planet", "moon", "black hole", "comet")
"""Icons of the first lines of a page; the others are nebulae."""
NEBULA_LETTERS = (N_("R"), N_("B"), N_("G"), N_("Y"), N_("P"))
"""Letters for the colour of a nebula beside its number: red, blue, green, yellow, purple."""
NARROW_WIDTH = 92.0
"""Width in units below which the choices stand in one column."""
LOW_PRINT_HEIGHT = 12.0
"""Height in units below which a tile's symbols stay in one line as long as they fit."""
MIN_ICON_SIZE = 4.2
"""Least size of an icon beside its number, in units."""
ALL_NEBULAE_LINE = -1
"""In the place of a line's index: the nebulae of all colours together."""
MORE_TILES_WIDTH = 16.0
"""Width of the text on tiles that are not drawn, in units."""


def draw_line_icon(canvas: Canvas, line: int, centre: tuple[int, int], size: int, colour: Colour = INK) -> None:
    """Draw the icon of a kind of symbol; that of a nebula in its own colour.

    Args:
        canvas: Where it is drawn.
        line: Index in `settings.SYMBOLS`, 0 to 9, or `ALL_NEBULAE_LINE`, the icon for all nebulae together.
        centre: x and y of its centre in pixels.
        size: Side of its square in pixels, at least 1.
        colour: Of all icons but the nebulae of one colour: a tone or a fixed colour (0 to 255).

    Raises:
        IndexError: `line` is beyond the last kind of symbol.
        pygame.error: `size` is negative.
    """
    if line >= FIRST_NEBULA_INDEX:
        colour = PIECE_RGB[NEBULA_COLOURS[line - FIRST_NEBULA_INDEX]]
    name = LINE_ICONS[line] if 0 <= line < FIRST_NEBULA_INDEX else "nebula"
    canvas.draw_icon(name, centre, size, colour)


def draw_payment(canvas: Canvas, rect: Rect, payment: PaymentView) -> None:
    """Draw the price at the left; at the right dust and tiles that are paid, and below whether they suffice (F13).

    Args:
        canvas: Where it is drawn, while a region is painted.
        rect: Its place in pixels.
        payment: Price and payment, in stardust.

    Raises:
        pygame.error: `rect` is too small, so that a part would have a negative size.
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
        payment: Price and payment, in stardust.

    Returns:
        A tone (bad, warning, neutral, good), and a sentence in the current language.

    >>> judge_payment(PaymentView(7, 2, (3,), False, False, False))[1]
    '2 are missing'
    """
    missing = payment.price - payment.dust - sum(payment.tile_values)
    if not payment.is_enough:
        return BAD, _.plural("{n} is missing", "{n} are missing", missing)
    if payment.has_unneeded_tile:
        return BAD, _("A tile is not needed: take it back")
    if payment.is_excessive:
        return WARN, _("More than is needed")
    if missing > 0:
        return INK, _("The tile's stars pay the rest")
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
        hint = _("With a tile? Press the number of its stars")
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
        text = str(value) if value else "?"
        canvas.draw_text(number, text, TITLE_EM, ink, face=Typeface.DISPLAY, align=0.5)
        left = tile.right + canvas.px(1.6)
    more = len(values) - len(drawn)
    if more:
        rest = Rect(left, rect.top, rect.right - canvas.px(1) - left, rect.h)
        canvas.draw_text(rest, _("and {n} more", n=more), TEXT_EM, MUTED, face=Typeface.DISPLAY, max_lines=2)


def draw_naming(canvas: Canvas, rect: Rect, view: StarFallState) -> None:
    """Draw the choices with the numbers of their keys: tiles as printed, or how many of a symbol.

    Args:
        canvas: Where it is drawn, while a region is painted.
        rect: Its place in pixels.
        view: What is shown of the game; gives the choices.

    Raises:
        pygame.error: `rect` is too small, so that a part would have a negative size.
    """
    question = get_tile_question(view)
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
        canvas.draw_text(disc, str(i + 1), TEXT_EM, BACKGROUND, face=Typeface.DISPLAY, align=0.5)
        rest = Rect(disc.right + canvas.px(2), cell.top, cell.right - disc.right - canvas.px(3), cell.h)
        if question.line_index is None:
            draw_tile_print(canvas, rest, view.get_symbol_counts(choice.tile_numbers[0]))
        else:
            canvas.draw_text(rest, choice.label, TITLE_EM, INK, face=Typeface.DISPLAY)


def draw_tile_print(canvas: Canvas, rect: Rect, counts: Sequence[int]) -> None:
    """Draw the symbols of a tile with their numbers, in two lines if needed.

    A nebula's colour is given by its first letter; without room for five nebulae they are one icon.

    Args:
        canvas: Where it is drawn, while a region is painted.
        rect: Its place in pixels.
        counts: Number of each kind of symbol, in the order of `settings.SYMBOLS`; 0 is not drawn.

    Raises:
        IndexError: There are more counts than kinds of symbols.
        pygame.error: `rect` is too small, so that a part would have a negative size.
    """
    letters = (*[""] * FIRST_NEBULA_INDEX, *map(_, NEBULA_LETTERS))
    symbols = [(line, f"{n}{letters[line]}") for line, n in enumerate(counts) if n]
    widest = max((canvas.text_width(text, face=Typeface.DISPLAY) for _line, text in symbols), default=0)
    columns = max(1, rect.w // (widest + canvas.px(MIN_ICON_SIZE + 0.5)))
    if len(symbols) > 2 * columns:
        symbols = [(line, str(n)) for line, n in enumerate(counts[:FIRST_NEBULA_INDEX]) if n]
        symbols.append((ALL_NEBULAE_LINE, str(sum(counts[FIRST_NEBULA_INDEX:]))))
        columns = max(1, rect.w // canvas.px(8.9))
    if not symbols:
        canvas.draw_text(rect, _("nothing on it"), TEXT_EM, INK, face=Typeface.DISPLAY, max_lines=2)
        return
    is_low = rect.h < canvas.px(LOW_PRINT_HEIGHT)
    rows = 1 if len(symbols) <= (columns if is_low else min(3, columns)) else 2
    per_row = -(-len(symbols) // rows)
    step_x, step_y = min(canvas.px(15), rect.w // per_row), min(canvas.px(8), rect.h // rows)
    size = min(canvas.px(5.4), step_y - canvas.px(0.6), step_x - widest - canvas.px(0.5))
    top = rect.centery - step_y * rows // 2
    for i, (line, text) in enumerate(symbols):
        row, column = divmod(i, per_row)
        cell = Rect(rect.left + column * step_x, top + row * step_y, step_x, step_y)
        draw_line_icon(canvas, line, (cell.left + size // 2, cell.centery), size)
        digits = split_left(cell, size, canvas.px(0.4))[1]
        canvas.draw_text(digits, text, TEXT_EM, INK, face=Typeface.DISPLAY)
