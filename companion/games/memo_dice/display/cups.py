"""Memo Dice's cups and dice on the stage: the pictures of the art set, with what is written on them."""

from companion.display.toolkit import BACKGROUND, INK, RGB, TEXT_EM, Canvas, Rect, Typeface, text_colour_for
from companion.events import MemoColour

CUP_PIECE_NAMES = {MemoColour.GOLD: "gold", MemoColour.RED: "red", MemoColour.BLUE: "blue", MemoColour.BLACK: "black"}
"""The colours of the cups, as keys of `theme.PIECE_RGB`."""
CUP_ART = {
    MemoColour.GOLD: "cup_golden",
    MemoColour.RED: "cup_red",
    MemoColour.BLUE: "cup_blue",
    MemoColour.BLACK: "cup_black",
}
"""Pictures of the cups. Bands tell the colours apart without colour; the golden cup has a crown in their place."""
CUP_RGB: dict[MemoColour, RGB] = {
    MemoColour.GOLD: (198, 159, 57),
    MemoColour.RED: (186, 43, 40),
    MemoColour.BLUE: (38, 95, 192),
    MemoColour.BLACK: (43, 44, 53),
}
"""Mean colour of the pictures where the number stands: it decides between a dark and a light number."""
CUP_ART_RIGHT = 0.022
"""Distance of a cup's centre from its picture's, as a share of its square: its shadow falls to the right."""
NUMBER_BOX = (0.18, 0.51, 0.64, 0.38)
"""Place of the number on a cup, below its bands: left, top, width, height, in fractions of its square."""
EYE_BOX = (0.2, 0.1, 0.56, 0.5)
"""Place of the eye on the upper face of a die: left, top, width, height, in fractions of its picture."""


def draw_cup(
    canvas: Canvas,
    centre: tuple[int, int],
    size: int,
    colour: MemoColour,
    *,
    is_unknown: bool = False,
    is_dim: bool = False,
) -> Rect:
    """Draw a cup upside down in its colour, with its bands or crown.

    Args:
        centre: x and y of its centre in pixels.
        size: side of its square in pixels, at least 1.
        colour: the cup's colour.
        is_unknown: the die under it was knocked over, and nobody knows its symbol (D40): a question mark is drawn.
        is_dim: there is none left: it is drawn as a ghost.

    Returns:
        The box for a number on it, in pixels.
    """
    size = max(1, size)
    box = Rect(0, 0, size, size)
    box.center = centre
    canvas.draw_art(CUP_ART[colour], box.move(round(CUP_ART_RIGHT * size), 0), dimmed=is_dim)
    if is_unknown:
        side = max(canvas.px(6.6), size * 24 // 100)
        disc = canvas.draw_disc((box.right - side // 2, box.top + side // 2), side, INK)
        canvas.draw_text(disc, "?", TEXT_EM, BACKGROUND, face=Typeface.DISPLAY, align=0.5)
    return find_number_box(box)


def get_number_colour(colour: MemoColour) -> RGB:
    """Return the colour of a number on a cup."""
    return text_colour_for(CUP_RGB[colour])


def find_number_box(box: Rect) -> Rect:
    """Return the box for a number on a cup, in pixels.

    Args:
        box: the cup's square, in pixels.
    """
    return _cut_out(box, NUMBER_BOX)


def draw_blank_die(
    canvas: Canvas, centre: tuple[int, int], size: int, symbol_rgb: RGB | None = None, *, is_dim: bool = False
) -> None:
    """Draw a die, at most with an eye in the colour of its symbol, never with the symbol itself.

    Args:
        centre: x and y of its centre in pixels.
        size: side of its picture in pixels, at least 1.
        symbol_rgb: colour of the eye; None: the die is blank.
        is_dim: it is still to be rolled.
    """
    box = Rect(0, 0, max(1, size), max(1, size))
    box.center = centre
    canvas.draw_art("die_blank", box, dimmed=is_dim)
    if symbol_rgb is not None:
        eye = _cut_out(box, EYE_BOX)
        canvas.draw_icon("eye", eye.center, min(eye.size), symbol_rgb)


def _cut_out(box: Rect, part: tuple[float, float, float, float]) -> Rect:
    """Return a part of a box, given by left, top, width and height in fractions of it."""
    left, top, width, height = part
    return Rect(
        box.left + round(left * box.w), box.top + round(top * box.h), round(width * box.w), round(height * box.h)
    )
