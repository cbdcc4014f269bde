"""Draws the pictures of docs/face.md from the gallery's states: upright, palettes, colour-blind eyes, touch.

Usage: python tools/draw_face.py [FOLDER]    (docs/images)
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pygame

from companion.display import Screen, save
from companion.display.look import Look
from companion.display.theme import PALETTES
from companion.gallery import STATES
from companion.gallery.deficiency import MATRICES, seen_picture

GAP = 10
BETWEEN = (128, 128, 128)
LYING, UPRIGHT, SMALL = (800, 480), (480, 800), (640, 384)


def drawn(game: str, state: str, size: tuple[int, int], look: Look | None = None) -> pygame.Surface:
    """A state of the gallery."""
    return Screen(size, look or Look()).picture(STATES[game]()[state])


def abreast(pictures: Sequence[pygame.Surface]) -> pygame.Surface:
    """Pictures side by side, as high as the highest."""
    wide = sum(picture.get_width() for picture in pictures) + GAP * (len(pictures) - 1)
    whole = pygame.Surface((wide, max(picture.get_height() for picture in pictures)))
    whole.fill(BETWEEN)
    left = 0
    for picture in pictures:
        whole.blit(picture, (left, 0))
        left += picture.get_width() + GAP
    return whole


def pictures() -> dict[str, pygame.Surface]:
    """All of them, by the file's name."""
    lobby = drawn("lobby", "macroscope_full", SMALL)
    touch = Look(touch_seats=True)
    states = (("macroscope", "open_picture"), ("starfall", "board"), ("lobby", "macroscope_full"))
    return {
        "face-upright.png": abreast([drawn(*state, UPRIGHT) for state in states]),
        "face-palettes.png": abreast([drawn("macroscope", "open_picture", SMALL, Look(name)) for name in PALETTES]),
        "face-colour-blind.png": abreast([seen_picture(lobby, deficiency) for deficiency in MATRICES]),
        "face-touch.png": abreast([drawn("macroscope", "asking_wishes", size, touch) for size in (LYING, UPRIGHT)]),
    }


if __name__ == "__main__":
    pygame.font.init()
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent / "docs/images"
    for name, picture in pictures().items():
        save(picture, folder / name)
