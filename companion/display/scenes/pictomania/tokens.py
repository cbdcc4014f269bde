"""Pictomania's tokens: discs with stars. Bonus tokens are black and gold, scoring tokens have their owner's colour."""

from collections.abc import Sequence

from pygame import Rect

from companion.display.scenes.pictomania.materials import SHADOW_SHARE, render_disc
from companion.display.toolkit import (
    PIECE_RGB,
    RGB,
    TEXT_EM,
    TITLE_EM,
    Canvas,
    Typeface,
    mix_colours,
    text_colour_for,
)

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
BONUS_STAR: RGB = PIECE_RGB["gold"]
"""Rim and stars of a bonus token."""
TAKEN_RATIO = 0.62
"""Share of the ground in the colours of a token that was taken."""
BIG_TOKEN_UNITS = 24.0
"""Diameter in units from which the number of a token with many stars is a figure that fills its lower half."""


def draw_bonus_token(canvas: Canvas, centre: tuple[int, int], size: int, stars: int, *, is_taken: bool = False) -> None:
    """Draw a bonus token: black with gold stars.

    Args:
        canvas: Where it is drawn.
        centre: x and y of its centre in pixels.
        size: Diameter in pixels with the room for its shadow; less than `MIN_TOKEN_SIZE` counts as that.
        stars: Number of stars; more than three are drawn as one star with their number.
        is_taken: It was taken: it is dimmed.
    """
    face, star = BONUS_FACE, BONUS_STAR
    if is_taken:
        face, star = (mix_colours(colour, canvas.ground_colour, TAKEN_RATIO) for colour in (face, star))
    _draw_token(canvas, centre, size, stars, face, star, star)


def draw_scoring_token(canvas: Canvas, centre: tuple[int, int], size: int, stars: int, colour: str) -> None:
    """Draw a scoring token in its owner's colour.

    Args:
        canvas: Where it is drawn.
        centre: x and y of its centre in pixels.
        size: Diameter in pixels with the room for its shadow; less than `MIN_TOKEN_SIZE` counts as that.
        stars: Number of stars; more than three are drawn as one star with their number.
        colour: Name of the colour of its owner's pieces, a key of `theme.PIECE_RGB`; empty: gold.

    Raises:
        KeyError: `colour` is not a key of `theme.PIECE_RGB`.
    """
    face = PIECE_RGB[colour or "gold"]
    rim = mix_colours(face, (255, 255, 255), 0.55)
    _draw_token(canvas, centre, size, stars, face, rim, text_colour_for(face))


def _draw_token(canvas: Canvas, centre: tuple[int, int], size: int, stars: int, face: RGB, rim: RGB, star: RGB) -> None:
    size = max(size, MIN_TOKEN_SIZE)
    disc = render_disc(size, face, rim)
    canvas.surface.blit(disc, disc.get_rect(center=centre))
    x, y = centre
    dark = mix_colours(face, (0, 0, 0), 0.55)
    drop = max(1, round(size * SHADOW_SHARE / 3))
    inner = size * (1 - 2 * SHADOW_SHARE)
    places = STAR_POSITIONS.get(stars, ((0.0, -0.2, 0.42),))
    for colour, lower in ((dark, drop), (star, 0)):
        for dx, dy, scale in places:
            place = (x + round(dx * inner), y + round(dy * inner) + lower)
            canvas.draw_icon("star", place, max(1, round(scale * inner)), colour)
    if stars not in STAR_POSITIONS:
        digits = Rect(x - size // 4, y, size // 2, round(size * 0.36))
        if size >= canvas.px(BIG_TOKEN_UNITS):
            canvas.draw_figure(digits, str(stars), star)
        else:
            em = TITLE_EM if digits.h >= canvas.px(TITLE_EM) else TEXT_EM
            canvas.draw_text(digits.inflate(size // 4, 0), str(stars), em, star, face=Typeface.DISPLAY, align=0.5)


def draw_scoring_tokens(canvas: Canvas, rect: Rect, tokens: Sequence[int], colour: str) -> None:
    """Draw scoring tokens in a row from the left, as large as there is room.

    Args:
        canvas: Where they are drawn, while a region is painted.
        rect: Their place in pixels.
        tokens: Number of stars on each token; may be empty.
        colour: Name of the colour of their owner's pieces, a key of `theme.PIECE_RGB`; empty: gold.

    Raises:
        KeyError: `colour` is not a key of `theme.PIECE_RGB`.
    """
    size = max(MIN_TOKEN_SIZE, min(rect.h, rect.w // max(1, len(tokens))))
    for i, stars in enumerate(tokens):
        draw_scoring_token(canvas, (rect.left + size // 2 + i * size, rect.centery), size, stars, colour)
