"""Pictomania's tokens: discs with stars. Bonus tokens are black and gold, scoring tokens have their owner's colour."""

from collections.abc import Sequence

from companion.display.toolkit import (
    BIG_EM,
    PIECE_RGB,
    RGB,
    Canvas,
    Colour,
    Rect,
    Typeface,
    mix_colours,
    text_colour_for,
)
from companion.games.pictomania.display.materials import SHADOW_SHARE, render_disc

MIN_TOKEN_SIZE = 8
"""Least diameter of a token in pixels."""
STAR_POSITIONS: dict[int, tuple[tuple[float, float, float], ...]] = {
    1: ((0.0, 0.0, 0.62),),
    2: ((-0.19, 0.0, 0.38), (0.19, 0.0, 0.38)),
    3: ((0.0, -0.18, 0.36), (-0.19, 0.14, 0.36), (0.19, 0.14, 0.36)),
}
"""Position (x, y) from the centre and size of a token's stars, in fractions of its diameter, by their number.

A token with more stars has one, and their number as text.
"""
BONUS_FACE: RGB = (38, 36, 42)
"""Face of a bonus token: black cardboard."""
BONUS_RIM: RGB = (216, 176, 92)
"""Rim and number of a bonus token."""
STAR_OVER_NUMBER = (0.0, -0.2, 0.42)
"""Position and size of the star over the number of a token's stars, in fractions of its diameter."""
STAR_MARGIN_PERCENT = 24
"""Room around the star in its picture, in percent of the star."""
RIM_LIGHT_RATIO = 0.55
"""Share of white in the rim of a scoring token."""
TAKEN_RATIO = 0.62
"""Share of the ground in the colours of a token that was taken."""


def draw_bonus_token(canvas: Canvas, centre: tuple[int, int], size: int, stars: int, *, is_taken: bool = False) -> None:
    """Draw a bonus token: black with gold stars.

    Args:
        centre: x and y of its centre in pixels.
        size: diameter in pixels with the room for its shadow; less than `MIN_TOKEN_SIZE` counts as that.
        stars: number of stars; more than three are drawn as one star with their number.
        is_taken: it was taken: it is dimmed.
    """
    face, rim = BONUS_FACE, BONUS_RIM
    if is_taken:
        face, rim = (mix_colours(colour, canvas.ground_colour, TAKEN_RATIO) for colour in (face, rim))
    size = _draw_disc(canvas, centre, size, face, rim)
    for star in _locate_stars(centre, size, stars):
        margin = star.w * STAR_MARGIN_PERCENT // 100
        canvas.draw_art("star", star.inflate(margin, margin), dimmed=is_taken)
    _draw_number(canvas, centre, size, stars, rim)


def draw_scoring_token(canvas: Canvas, centre: tuple[int, int], size: int, stars: int, colour: str) -> None:
    """Draw a scoring token in its owner's colour.

    Args:
        centre: x and y of its centre in pixels.
        size: diameter in pixels with the room for its shadow; less than `MIN_TOKEN_SIZE` counts as that.
        stars: number of stars; more than three are drawn as one star with their number.
        colour: name of the colour of its owner's pieces, a key of `theme.PIECE_RGB`; empty: gold.

    Raises:
        KeyError: `colour` is not a key of `theme.PIECE_RGB`.
    """
    face = PIECE_RGB[colour or "gold"]
    ink = text_colour_for(face)
    size = _draw_disc(canvas, centre, size, face, mix_colours(face, (255, 255, 255), RIM_LIGHT_RATIO))
    for star in _locate_stars(centre, size, stars):
        canvas.draw_icon("star", star.center, star.w, ink)
    _draw_number(canvas, centre, size, stars, ink)


def _draw_disc(canvas: Canvas, centre: tuple[int, int], size: int, face: RGB, rim: RGB) -> int:
    """Draw a token without stars; return its diameter in pixels."""
    size = max(size, MIN_TOKEN_SIZE)
    disc = render_disc(size, face, rim)
    canvas.surface.blit(disc, disc.get_rect(center=centre))
    return size


def _locate_stars(centre: tuple[int, int], size: int, stars: int) -> list[Rect]:
    """Return the places of a token's stars, in pixels: of a single one if it bears their number too."""
    inner = size * (1 - 2 * SHADOW_SHARE)
    places = []
    for dx, dy, scale in STAR_POSITIONS.get(stars, (STAR_OVER_NUMBER,)):
        side = max(1, round(scale * inner))
        place = Rect(0, 0, side, side)
        place.center = (centre[0] + round(dx * inner), centre[1] + round(dy * inner))
        places.append(place)
    return places


def _draw_number(canvas: Canvas, centre: tuple[int, int], size: int, stars: int, colour: Colour) -> None:
    """Draw the number of a token's stars in its lower half, if it is too large for a star each."""
    if stars in STAR_POSITIONS:
        return
    digits = Rect(0, centre[1], size * 3 // 4, round(size * 0.36))
    digits.centerx = centre[0]
    canvas.draw_text(digits, str(stars), BIG_EM, colour, face=Typeface.DISPLAY, align=0.5)


def draw_scoring_tokens(canvas: Canvas, rect: Rect, tokens: Sequence[int], colour: str) -> None:
    """Draw scoring tokens from the left, in as many rows as make them largest.

    Args:
        rect: their place in pixels.
        tokens: number of stars on each token; may be empty.
        colour: name of the colour of their owner's pieces, a key of `theme.PIECE_RGB`; empty: gold.

    Raises:
        KeyError: `colour` is not a key of `theme.PIECE_RGB`.
    """
    if not tokens:
        return
    columns, size = find_token_grid(rect, len(tokens))
    top = rect.centery - size * -(-len(tokens) // columns) // 2
    for i, stars in enumerate(tokens):
        x, y = rect.left + size // 2 + i % columns * size, top + size // 2 + i // columns * size
        draw_scoring_token(canvas, (x, y), size, stars, colour)


def find_token_grid(rect: Rect, count: int) -> tuple[int, int]:
    """Return in how many columns tokens are largest, and their size in pixels, at least `MIN_TOKEN_SIZE`.

    Args:
        rect: their place in pixels.
        count: number of tokens, at least 1.
    """
    columns = max(range(1, count + 1), key=lambda n: min(rect.w // n, rect.h // -(-count // n)))
    return columns, max(MIN_TOKEN_SIZE, min(rect.w // columns, rect.h // -(-count // columns)))
