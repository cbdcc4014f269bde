"""Pictures of the stage's objects: dice, tokens, cups, stars; `tools/draw_art.py` draws them into the package."""

from functools import lru_cache
from importlib.resources import files
from io import BytesIO
from pathlib import Path

import pygame

from companion.display.toolkit.package_file import PackageFile
from companion.title_picture import read_title_picture

ArtName = str | PackageFile | Path
"""An object of the companion's by its name, a picture of a plug-in's own, or the title picture of people's own game."""
ART_SUFFIXES = (".png", ".webp")
"""Endings of the pictures' files."""
DIMMED_RGBA = (96, 98, 106, 140)
"""Share of colour and opacity, of 255, that a dimmed object keeps; colours are premultiplied, so none is more than the
opacity."""


def list_art_names() -> list[str]:
    """Return the names of all objects that can be drawn, sorted."""
    folder = files("companion.display") / "art"
    return sorted(file.name.rpartition(".")[0] for file in folder.iterdir() if file.name.endswith(ART_SUFFIXES))


@lru_cache(maxsize=128)
def load_art(name: ArtName) -> pygame.Surface:
    """Load an object's picture from a package; each is read once.

    Args:
        name: one of `list_art_names`, or a picture of a plug-in's own (PNG or WebP).

    Returns:
        The cached surface with premultiplied alpha: copy it before drawing on it.

    Raises:
        KeyError: there is no object of that name, and no such file.
        pygame.error: a plug-in's file, or a title picture, is no picture.
        OSError: a title picture cannot be read.
        ValueError: it is too large.
    """
    if isinstance(name, Path):
        return _decode(read_title_picture(name), name.name)
    own = [PackageFile("companion.display", f"art/{name}{suffix}") for suffix in ART_SUFFIXES]
    file = name if isinstance(name, PackageFile) else next(filter(PackageFile.is_file, own), None)
    if file is None or not file.is_file():
        raise KeyError(name)
    return _decode(file.read_bytes(), file.path)


def _decode(data: bytes, file_name: str) -> pygame.Surface:
    picture = pygame.image.load(BytesIO(data), file_name)
    ground = pygame.Surface(picture.get_size(), pygame.SRCALPHA, 32)
    ground.blit(picture, (0, 0))
    return ground.premul_alpha()


def scale_art(name: ArtName, box: tuple[int, int], *, dimmed: bool) -> pygame.Surface:
    """Scale an object's picture to the largest size that fits a box, keeping its aspect ratio.

    Args:
        name: one of `list_art_names`, or a picture of a plug-in's own.
        box: width and height in pixels.
        dimmed: darker and half transparent.

    Returns:
        A new surface with premultiplied alpha, at least 1 pixel wide and high even if the box is empty.

    Raises:
        KeyError: there is no object of that name, and no such file.
        pygame.error: a plug-in's file is no picture.
    """
    width, height = load_art(name).get_size()
    scale = min(box[0] / width, box[1] / height)
    scaled = _scale_by(name, scale)
    if dimmed:
        scaled.fill(DIMMED_RGBA, special_flags=pygame.BLEND_RGBA_MULT)
    return scaled


def crop_art(name: ArtName, box: tuple[int, int]) -> pygame.Surface:
    """Scale a picture to the smallest size that covers a box, and cut off what reaches beyond it.

    Args:
        name: one of `list_art_names`, or a picture of a plug-in's own.
        box: width and height in pixels, at least 1.

    Returns:
        A new surface of the size of the box with premultiplied alpha.

    Raises:
        KeyError: there is no object of that name, and no such file.
        pygame.error: a plug-in's file is no picture.
    """
    width, height = load_art(name).get_size()
    scaled = _scale_by(name, max(box[0] / width, box[1] / height))
    part = pygame.Rect((0, 0), box)
    part.center = scaled.get_rect().center
    return scaled.subsurface(part.clamp(scaled.get_rect()).clip(scaled.get_rect())).copy()


def _scale_by(name: ArtName, scale: float) -> pygame.Surface:
    picture = load_art(name)
    size = [max(1, round(side * scale)) for side in picture.get_size()]
    return pygame.transform.smoothscale(picture, size)
