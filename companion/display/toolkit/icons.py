"""Icons with smooth edges: the seats' shapes, the signs of keys and games. Drawn large once, then scaled down."""

from functools import lru_cache
from itertools import pairwise
from math import cos, pi, sin
from typing import NamedTuple

import pygame

from companion.display.toolkit.theme import RGB

SUPERSAMPLING = 4
"""Icons are drawn this many times larger than they appear; more makes edges smoother and drawing slower."""
MAX_SUPERSAMPLED_PX = 1200
"""Largest side of the supersampled drawing in pixels: larger icons are smooth enough with less."""
MAX_CACHED_ICONS = 600
"""Rendered icons kept."""

Points = tuple[tuple[float, float], ...]
"""Corners of a polygon in the unit square, (0, 0) at the top left."""


class IconShape(NamedTuple):
    """An icon in the unit square: polygons, and discs as (x, y, radius).

    >>> IconShape(polygons=(((0.0, 1.0), (0.5, 0.0), (1.0, 1.0)),), discs=((0.5, 0.5, 0.1),)).discs
    ((0.5, 0.5, 0.1),)
    """

    polygons: tuple[Points, ...] = ()
    discs: tuple[tuple[float, float, float], ...] = ()


def _regular(corners: int, radius: float, turn: float = 0.0, inner: float = 1.0, drop: float = 0.0) -> Points:
    """Return the corners of a regular polygon, or of a star if `inner` is less than 1.

    Args:
        corners: number of corners, or points of the star.
        radius: distance of the corners from the centre.
        turn: rotation in fractions of a whole turn.
        inner: radius of a star's inner corners, as a fraction of `radius`.
        drop: offset of the centre downwards.
    """
    steps = corners * (1 if inner == 1.0 else 2)
    return tuple(
        (
            0.5 + radius * (inner if i % 2 and inner != 1.0 else 1.0) * sin(2 * pi * (i / steps + turn)),
            0.5 + drop - radius * (inner if i % 2 and inner != 1.0 else 1.0) * cos(2 * pi * (i / steps + turn)),
        )
        for i in range(steps)
    )


def _bar(x0: float, y0: float, x1: float, y1: float, half: float) -> Points:
    """Return a stroke from one point to the other as a rectangle; `half` is half its width."""
    dx, dy = x1 - x0, y1 - y0
    length = (dx * dx + dy * dy) ** 0.5
    nx, ny = -dy / length * half, dx / length * half
    return ((x0 + nx, y0 + ny), (x1 + nx, y1 + ny), (x1 - nx, y1 - ny), (x0 - nx, y0 - ny))


def _stroke(points: Points, half: float) -> IconShape:
    """Return a line through `points` with round ends and joints; `half` is half its width."""
    bars = tuple(_bar(*a, *b, half) for a, b in pairwise(points))
    return IconShape(bars, tuple((x, y, half) for x, y in points))


def _ellipse(rx: float, ry: float, turn: float, steps: int = 40) -> Points:
    """Return a closed ellipse around the centre; `turn` in fractions of a whole turn."""
    upright = [(rx * cos(2 * pi * i / steps), ry * sin(2 * pi * i / steps)) for i in range(steps + 1)]
    c, d = cos(2 * pi * turn), sin(2 * pi * turn)
    return tuple((0.5 + x * c - y * d, 0.5 + x * d + y * c) for x, y in upright)


def _crescent(steps: int = 24) -> Points:
    """Return a crescent moon, open to the right."""
    outer = [(0.46 + 0.44 * cos(a), 0.5 + 0.44 * sin(a)) for a in (pi * (0.3 + 1.4 * i / steps) for i in range(steps))]
    inner = [
        (0.66 + 0.38 * cos(a), 0.5 + 0.38 * sin(a)) for a in (pi * (1.62 - 1.24 * i / steps) for i in range(steps))
    ]
    return (*outer, *inner)


_EYE_RIM = _stroke(tuple((0.5 + 0.46 * cos(a), 0.5 + 0.27 * sin(a)) for a in (i * pi / 16 for i in range(33))), 0.055)
_QUESTION_HOOK = _stroke(
    (
        *((0.5 + 0.24 * cos(a), 0.32 + 0.24 * sin(a)) for a in (pi * (-1.0 + i / 12) for i in range(16))),
        (0.52, 0.56),
        (0.5, 0.66),
    ),
    0.075,
)
"""A question mark without its dot."""
_PLANET_RING = _stroke(_ellipse(0.46, 0.14, -0.06), 0.036)
"""The ring around a planet."""

ICONS: dict[str, IconShape] = {
    "circle": IconShape(discs=((0.5, 0.5, 0.46),)),
    "triangle": IconShape((_regular(3, 0.56, drop=0.1),)),
    "square": IconShape((((0.09, 0.09), (0.91, 0.09), (0.91, 0.91), (0.09, 0.91)),)),
    "diamond": IconShape((_regular(4, 0.5),)),
    "star": IconShape((_regular(5, 0.53, inner=0.45, drop=0.04),)),
    "hexagon": IconShape((_regular(6, 0.5, turn=1 / 12),)),
    "ok": _stroke(((0.16, 0.53), (0.4, 0.77), (0.86, 0.25)), 0.085),
    "no": IconShape(
        (_bar(0.2, 0.2, 0.8, 0.8, 0.085), _bar(0.2, 0.8, 0.8, 0.2, 0.085)),
        ((0.2, 0.2, 0.085), (0.8, 0.8, 0.085), (0.2, 0.8, 0.085), (0.8, 0.2, 0.085)),
    ),
    "plus": IconShape((_bar(0.14, 0.5, 0.86, 0.5, 0.085), _bar(0.5, 0.14, 0.5, 0.86, 0.085))),
    "minus": IconShape((_bar(0.14, 0.5, 0.86, 0.5, 0.085),)),
    "arrow": IconShape(
        (((0.5, 0.1), (0.92, 0.62), (0.64, 0.62), (0.64, 0.92), (0.36, 0.92), (0.36, 0.62), (0.08, 0.62)),)
    ),
    "arrow down": IconShape(
        (((0.5, 0.9), (0.92, 0.38), (0.64, 0.38), (0.64, 0.08), (0.36, 0.08), (0.36, 0.38), (0.08, 0.38)),)
    ),
    "pointer": IconShape((((0.16, 0.06), (0.9, 0.5), (0.16, 0.94)),)),
    "help": IconShape(_QUESTION_HOOK.polygons, (*_QUESTION_HOOK.discs, (0.5, 0.88, 0.085))),
    "dots": IconShape(discs=((0.18, 0.5, 0.12), (0.5, 0.5, 0.12), (0.82, 0.5, 0.12))),
    "bang": IconShape((_bar(0.5, 0.28, 0.5, 0.62, 0.07),), ((0.5, 0.28, 0.07), (0.5, 0.62, 0.07), (0.5, 0.82, 0.08))),
    "crown": IconShape(
        (((0.1, 0.3), (0.3, 0.52), (0.5, 0.16), (0.7, 0.52), (0.9, 0.3), (0.82, 0.82), (0.18, 0.82)),),
        ((0.1, 0.26, 0.07), (0.5, 0.14, 0.08), (0.9, 0.26, 0.07)),
    ),
    "sparkle": IconShape((_regular(4, 0.5, inner=0.36),)),
    "planet": IconShape(_PLANET_RING.polygons, (*_PLANET_RING.discs, (0.5, 0.5, 0.27))),
    "moon": IconShape((_crescent(),)),
    "black hole": _stroke(_ellipse(0.34, 0.34, 0.0), 0.11),
    "comet": IconShape(
        (((0.98, 0.03), (0.5, 0.78), (0.2, 0.48)), ((0.8, 0.6), (0.4, 0.86), (0.36, 0.7))), ((0.3, 0.7, 0.23),)
    ),
    "nebula": IconShape(
        discs=((0.28, 0.56, 0.21), (0.5, 0.4, 0.23), (0.73, 0.54, 0.21), (0.5, 0.66, 0.21), (0.9, 0.24, 0.05))
    ),
    "eye": IconShape(_EYE_RIM.polygons, (*_EYE_RIM.discs, (0.5, 0.5, 0.15))),
    "gem": IconShape((((0.22, 0.16), (0.78, 0.16), (0.98, 0.42), (0.5, 0.94), (0.02, 0.42)),)),
    "sheep": IconShape(
        (_bar(0.36, 0.7, 0.36, 0.92, 0.04), _bar(0.6, 0.7, 0.6, 0.92, 0.04), _bar(0.76, 0.36, 0.94, 0.3, 0.035)),
        (
            (0.3, 0.52, 0.2),
            (0.5, 0.42, 0.2),
            (0.66, 0.56, 0.19),
            (0.46, 0.62, 0.2),
            (0.84, 0.42, 0.13),
            (0.1, 0.48, 0.05),
        ),
    ),
}
"""Shapes of the icons, by name."""
Icon = str | IconShape
"""An icon of `ICONS` by its name, or the shape of a plug-in's own."""
DISC = IconShape(discs=((0.5, 0.5, 0.5),))
"""A disc that fills the surface."""


def find_shape(icon: Icon) -> IconShape:
    """Return the shape of an icon.

    Raises:
        KeyError: it is a name, and no key of `ICONS`.
    """
    return icon if isinstance(icon, IconShape) else ICONS[icon]


@lru_cache(maxsize=MAX_CACHED_ICONS)
def render_shape(shape: IconShape, size: int, colour: RGB) -> pygame.Surface:
    """Render a shape on a transparent ground, with smooth edges.

    Args:
        shape: one of `ICONS`, or `DISC`.
        size: side of the square surface in pixels, at least 1.
        colour: red, green, blue, 0 to 255.

    Returns:
        The cached surface: copy it before drawing on it.

    Raises:
        pygame.error: `size` is negative.
        ValueError: a colour value is not 0 to 255.
    """
    side = _supersampled_side(size)
    # The transparent ground has the icon's own colour, so that scaling mixes no dark into the edges.
    large = _transparent_surface(side, colour)
    for polygon in shape.polygons:
        pygame.draw.polygon(large, colour, [(x * side, y * side) for x, y in polygon])
    for x, y, radius in shape.discs:
        pygame.draw.circle(large, colour, (x * side, y * side), radius * side)
    return pygame.transform.smoothscale(large, (size, size))


@lru_cache(maxsize=MAX_CACHED_ICONS)
def render_die_outline(size: int, body: RGB, edge: RGB) -> pygame.Surface:
    """Render the outline of a die on a transparent ground: a die that was not rolled yet.

    Args:
        size: side of the square surface in pixels, at least 1.
        body: colour of the face: red, green, blue, 0 to 255.
        edge: colour of its edge.

    Returns:
        The cached surface: copy it before drawing on it.

    Raises:
        pygame.error: `size` is negative.
    """
    side = _supersampled_side(size)
    large = _transparent_surface(side, edge)
    square, radius = pygame.Rect(0, 0, side, side), round(side * 0.2)
    pygame.draw.rect(large, edge, square, border_radius=radius)
    thickness = round(side * 0.035)
    inner = square.inflate(-2 * thickness, -2 * thickness)
    pygame.draw.rect(large, body, inner, border_radius=radius - thickness)
    return pygame.transform.smoothscale(large, (size, size))


def _supersampled_side(size: int) -> int:
    return min(size * SUPERSAMPLING, max(size, MAX_SUPERSAMPLED_PX))


def _transparent_surface(side: int, colour: RGB) -> pygame.Surface:
    surface = pygame.Surface((side, side), pygame.SRCALPHA, 32)
    surface.fill((*colour, 0))
    return surface
