"""StarFall's sky tiles: their art, their price, and the symbols printed on them."""

from collections.abc import Sequence
from typing import NamedTuple

from pygame import Rect

from companion.display.toolkit import (
    BACKGROUND,
    INK,
    PIECE_RGB,
    RAISED,
    TEXT_EM,
    TITLE_EM,
    Canvas,
    Colour,
    Typeface,
    mix_colours,
    split_left,
    text_colour_for,
)
from companion.games.starfall.tile_catalogue import FIRST_NEBULA_INDEX, NEBULA_COLOURS
from companion.i18n import N_, Translator

_ = Translator("starfall")

LINE_ICONS = ("star", "planet", "moon", "black hole", "comet")
"""Icons of the first kinds of symbols; the others are nebulae."""
SYMBOL_ART = ("sky_star", "sky_planet", "sky_moon", "sky_hole", "sky_comet", "sky_nebula")
"""Art of a tile on which a kind of symbol is the most frequent; the last is for nebulae of all colours."""
UNKNOWN_ART = "sky_dust"
"""Art of a tile of which nobody knows what is printed on it."""
NEBULA_LETTERS = (N_("R"), N_("B"), N_("G"), N_("Y"), N_("P"))
"""Letters for the colour of a nebula: red, blue, green, yellow, purple."""
LOW_PRINT_HEIGHT = 12.0
"""Height in units below which a tile's symbols stay in one line as long as they fit."""
MIN_ICON_SIZE = 4.2
"""Least size of an icon beside its number, in units."""
ICON_GAP = 0.6
"""Room between two lines of icons at least, in units."""
MAX_ICON_SIZE = 6.4
"""Largest size of such an icon, in units: a nebula has room for its letter."""
ALL_NEBULAE_LINE = -1
"""In the place of a line's index: the nebulae of all colours together."""
ART_RATIO = 1.13
"""Side of a tile's picture, which has room for its shadow, as a multiple of the tile's side."""
GLOW_STEPS = (0.28, 0.62, 1.0)
"""Shares of gold in the rings around a tile that may be taken, from the outermost."""
GLOW_STEP_WIDTH = 0.5
"""Width of a ring of the glow, in units."""
PRICE_DIAMETER = 9.0
"""Diameter of the disc with a tile's price, in units."""


class _PrintGrid(NamedTuple):
    """Places of the symbols of a tile, in pixels."""

    rows: int
    per_row: int
    step_x: int
    step_y: int
    icon_size: int


def draw_line_icon(canvas: Canvas, line: int, centre: tuple[int, int], size: int, colour: Colour = INK) -> None:
    """Draw the icon of a kind of symbol; that of a nebula in its own colour.

    Args:
        line: index in `tile_catalogue.SYMBOLS`, 0 to 9, or `ALL_NEBULAE_LINE`, the icon for all nebulae together.
        centre: x and y of its centre in pixels.
        size: side of its square in pixels, at least 1.
        colour: of all icons but the nebulae of one colour: a tone or a fixed colour (0 to 255).

    Raises:
        IndexError: `line` is beyond the last kind of symbol.
        pygame.error: `size` is negative.
    """
    if line >= FIRST_NEBULA_INDEX:
        colour = PIECE_RGB[NEBULA_COLOURS[line - FIRST_NEBULA_INDEX]]
    name = LINE_ICONS[line] if 0 <= line < FIRST_NEBULA_INDEX else "nebula"
    canvas.draw_icon(name, centre, size, colour)


def draw_colours_icon(canvas: Canvas, centre: tuple[int, int], size: int) -> None:
    """Draw the icon for the number of colours that nebulae have: three discs in the first of these colours.

    Args:
        centre: x and y of its centre in pixels.
        size: side of its square in pixels, at least 1.
    """
    disc, off = max(1, size * 56 // 100), size * 22 // 100
    for colour, x, y in zip(NEBULA_COLOURS, (0, -off, off), (-off, off, off), strict=False):
        canvas.draw_disc((centre[0] + x, centre[1] + y), disc, PIECE_RGB[colour])


def choose_tile_art(counts: Sequence[int]) -> str:
    """Return the name of the art that stands for a tile: of the symbol that it has most of.

    Args:
        counts: number of each kind of symbol, in the order of `tile_catalogue.SYMBOLS`; empty: nobody knows them.

    >>> choose_tile_art((1, 2, 0, 0, 0, 0, 0, 0, 0, 0)), choose_tile_art((0, 0, 1, 0, 0, 1, 1, 0, 0, 0))
    ('sky_planet', 'sky_nebula')
    >>> choose_tile_art(())
    'sky_dust'
    """
    by_art = (*counts[:FIRST_NEBULA_INDEX], sum(counts[FIRST_NEBULA_INDEX:]))
    most = max(by_art)
    return SYMBOL_ART[by_art.index(most)] if most else UNKNOWN_ART


def draw_tile_art(canvas: Canvas, square: Rect, counts: Sequence[int], *, glows: bool = False) -> None:
    """Draw a sky tile.

    Args:
        square: the tile's edges in pixels; shadow and glow reach beyond it.
        counts: number of each kind of symbol on it, in the order of `tile_catalogue.SYMBOLS`; empty: nobody knows them.
        glows: it is ringed in gold: it may be chosen.
    """
    if glows:
        ground, step = canvas.ground_colour, canvas.px(GLOW_STEP_WIDTH)
        for i, share in enumerate(GLOW_STEPS):
            ring = square.inflate(*[2 * step * (len(GLOW_STEPS) - i)] * 2)
            canvas.draw_panel(ring, mix_colours(ground, PIECE_RGB["gold"], share), radius=3.2)
    side = round(square.w * ART_RATIO)
    box = Rect(0, 0, side, side)
    box.center = square.center
    canvas.draw_art(choose_tile_art(counts), box)


def draw_price(canvas: Canvas, square: Rect, price: int, *, is_bright: bool) -> None:
    """Draw a tile's price on a disc over its lower right corner.

    Args:
        square: the tile's edges in pixels.
        price: the number of the tile's space.
        is_bright: the tile may be chosen.
    """
    diameter = min(canvas.px(PRICE_DIAMETER), square.h)
    centre = (square.right - diameter * 3 // 10, square.bottom - diameter * 3 // 10)
    fill, ink = (PIECE_RGB["gold"], text_colour_for(PIECE_RGB["gold"])) if is_bright else (RAISED, INK)
    disc = canvas.draw_disc(centre, diameter, fill, BACKGROUND)
    disc.inflate_ip(-diameter * 3 // 10, 0)  # inside the circle, not inside the square around it
    canvas.draw_text(disc, str(price), TITLE_EM, ink, face=Typeface.DISPLAY, align=0.5)


def draw_tile_print(canvas: Canvas, rect: Rect, counts: Sequence[int]) -> None:
    """Draw the symbols of a tile with their numbers, in two lines if needed.

    A nebula is a disc of its colour with the colour's first letter; without room for all of them, or for their letters,
    they are one icon.

    Args:
        counts: number of each kind of symbol, in the order of `tile_catalogue.SYMBOLS`; 0 is not drawn.

    Raises:
        IndexError: there are more counts than kinds of symbols.
    """
    symbols = [(line, str(n)) for line, n in enumerate(counts) if n]
    if not symbols:
        canvas.draw_text(rect, _("nothing on it"), TEXT_EM, INK, face=Typeface.DISPLAY, max_lines=2)
        return
    widest = max(canvas.text_width(text, face=Typeface.DISPLAY) for _line, text in symbols)
    columns = max(1, rect.w // (widest + canvas.px(MIN_ICON_SIZE + 0.5)))
    grid = _lay_out_print(canvas, rect, len(symbols), columns, widest)
    letters = (_(NEBULA_LETTERS[line - FIRST_NEBULA_INDEX]) for line, _n in symbols if line >= FIRST_NEBULA_INDEX)
    fits = all(canvas.text_width(letter, face=Typeface.DISPLAY) <= grid.icon_size for letter in letters)
    if len(symbols) > 2 * columns or not fits:
        symbols = [(line, str(n)) for line, n in enumerate(counts[:FIRST_NEBULA_INDEX]) if n]
        symbols.append((ALL_NEBULAE_LINE, str(sum(counts[FIRST_NEBULA_INDEX:]))))
        widest = max(canvas.text_width(text, face=Typeface.DISPLAY) for _line, text in symbols)
        grid = _lay_out_print(canvas, rect, len(symbols), max(1, rect.w // canvas.px(8.9)), widest)
    top = rect.centery - grid.step_y * grid.rows // 2
    for i, (line, text) in enumerate(symbols):
        row, column = divmod(i, grid.per_row)
        cell = Rect(rect.left + column * grid.step_x, top + row * grid.step_y, grid.step_x, grid.step_y)
        size = grid.icon_size
        centre = (cell.left + size // 2, cell.centery)
        if line >= FIRST_NEBULA_INDEX:
            _draw_nebula(canvas, line - FIRST_NEBULA_INDEX, centre, size)
        else:
            draw_line_icon(canvas, line, centre, size)
        digits = split_left(cell, size, canvas.px(0.4))[1]
        canvas.draw_text(digits, text, TEXT_EM, INK, face=Typeface.DISPLAY)


def _lay_out_print(canvas: Canvas, rect: Rect, count: int, columns: int, widest: int) -> _PrintGrid:
    """Lay out `count` symbols in at most two rows; `widest` is the width of the widest number in pixels."""
    is_low = rect.h < canvas.px(LOW_PRINT_HEIGHT)
    rows = 1 if count <= (columns if is_low else min(3, columns)) else 2
    per_row = -(-count // rows)
    step_x, step_y = min(canvas.px(15), rect.w // per_row), min(canvas.px(8), rect.h // rows)
    size = min(canvas.px(MAX_ICON_SIZE), step_y - canvas.px(0.6), step_x - widest - canvas.px(0.5))
    return _PrintGrid(rows, per_row, step_x, step_y, size)


def _draw_nebula(canvas: Canvas, colour: int, centre: tuple[int, int], size: int) -> None:
    """Draw a nebula of one colour: a disc with the first letter of the colour's name.

    Args:
        colour: index in `NEBULA_COLOURS`.
        size: diameter in pixels.
    """
    fill = PIECE_RGB[NEBULA_COLOURS[colour]]
    disc = canvas.draw_disc(centre, size, fill)
    text = _(NEBULA_LETTERS[colour])
    canvas.draw_text(disc, text, TEXT_EM, text_colour_for(fill), face=Typeface.DISPLAY, align=0.5)
