"""Title pictures of games: drawn for the game, brought by its plug-in, or that of its genre on a coloured table."""

from contextlib import suppress
from functools import cache, lru_cache
from typing import NamedTuple
from zlib import crc32

import pygame

from companion.api.registry import find_game, find_game_package, find_own_picture
from companion.display.toolkit import Canvas, Rect, list_art_names
from companion.display.toolkit.art import ArtName, crop_art, load_art
from companion.display.toolkit.package_file import PackageFile
from companion.log import log

OWN_TITLE_PICTURE = "art/title.png"
"""Path of a plug-in's title picture in the package that its game's entry point names."""
TITLE_PREFIX = "title_"
"""Stands before a game's name in the name of its title picture."""
GENRE_PREFIX = "genre_"
"""Stands before a genre in the name of its picture."""
TABLE_ART = "genre_table"
"""The white table below the picture of a genre."""
TABLE_RGBS = (
    *((176, 62, 52), (60, 96, 190), (46, 128, 84), (150, 74, 160)),
    *((172, 112, 40), (34, 126, 140), (98, 84, 196), (150, 62, 104)),
)
"""Colours of the tables."""
COVER_ASPECT = (16, 9)
"""Width and height of a title picture in proportion."""
MAX_CACHED_COVERS = 24
"""Scaled title pictures kept: those of a few pages of the shelf."""


class _CoverArt(NamedTuple):
    picture: ArtName | None
    """None: only the table."""
    has_table: bool
    """It shows its own table."""


def has_cover(game: str) -> bool:
    """Return whether there is a title picture for a game, its own or that of its genre."""
    return _find_cover_art(game).picture is not None


def fit_cover(rect: Rect) -> Rect:
    """Return the largest area with the proportions of a title picture in the middle of `rect`.

    >>> tuple(fit_cover(Rect(0, 0, 160, 100)))
    (0, 5, 160, 90)
    """
    across, down = COVER_ASPECT
    width = min(rect.w, rect.h * across // down)
    fitted = Rect(0, 0, width, width * down // across)
    fitted.center = rect.center
    return fitted


def draw_cover(canvas: Canvas, rect: Rect, game: str) -> None:
    """Fill an area with a game's title picture; what has other proportions is cut at its edges.

    Args:
        game: the game's name in the registry; what follows a colon only changes the colour of the table.
    """
    if rect.w > 0 and rect.h > 0:
        canvas.surface.blit(compose_cover(game, rect.size), rect)


@lru_cache(MAX_CACHED_COVERS)
def compose_cover(game: str, size: tuple[int, int]) -> pygame.Surface:
    """Return a game's title picture of a size in pixels, at least 1; see `draw_cover`. Do not change it."""
    picture, has_table = _find_cover_art(game.partition(":")[0])
    cover = pygame.Surface(size)
    if not has_table:
        cover.blit(crop_art(TABLE_ART, size), (0, 0))
        cover.fill(TABLE_RGBS[crc32(game.encode()) % len(TABLE_RGBS)], special_flags=pygame.BLEND_RGB_MULT)
    if picture is not None:
        with suppress(OSError, ValueError, pygame.error):  # the file of an own game may have been changed since
            cover.blit(crop_art(picture, size), (0, 0), special_flags=pygame.BLEND_PREMULTIPLIED)
    return cover


@cache
def _find_cover_art(game: str) -> _CoverArt:
    """Return the companion's title picture of a game, the one that its plug-in brings, or that of its genre."""
    names = list_art_names()
    if TITLE_PREFIX + game in names:
        return _CoverArt(TITLE_PREFIX + game, has_table=True)
    own = find_own_picture(game) or PackageFile(find_game_package(game), OWN_TITLE_PICTURE)
    if own.is_file():
        try:
            load_art(own)
            return _CoverArt(own, has_table=True)
        except (pygame.error, OSError, ValueError) as error:
            log.warning("The title picture of %s cannot be drawn: %s", game, error)
    try:
        genre = GENRE_PREFIX + find_game(game).genre
    except Exception:  # noqa: BLE001 - a plug-in may raise any error; it is logged where games are loaded
        genre = ""
    return _CoverArt(genre if genre in names else None, has_table=False)
