"""The pictures of a film: the display's own scenes in motion, without keys.

What is shown comes from the journal alone, without the camera: what was secret then stays so.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

import cv2
import numpy as np
import pygame

from companion.display.screen import Screen
from companion.display.toolkit import DisplayPreferences
from companion.film.shots import Shot, ShotList
from companion.film.title import draw_title
from companion.journal.replay import Replay
from companion.screen_state import ScreenKind
from companion.vision.reading import Image

FADE_SECONDS = 0.24
"""Time in which one moment fades into the next."""


@dataclass(frozen=True, eq=False, slots=True)
class FilmPicture:
    """A picture of a film and for how many frames it stands still."""

    pixels: Image
    """`(H, W, 3)` uint8 BGR."""
    frames: int


def format_film_name(game: str, number: int, begun: datetime | None, uid: str, suffix: str = ".mp4") -> str:
    """Return the file name of a game's film; the same game always has the same one, and no two games have.

    Args:
        game: the game's name in the registry.
        number: its number in the journal.
        begun: when it began, in local time; None: the date is unknown.
        uid: its id in the journals of all boxes.
        suffix: of the file, with the dot.

    >>> format_film_name("farkle", 12, datetime(2026, 11, 23), "3f9c02b7a1")
    'companion-2026-11-23-farkle-12-3f9c02b7.mp4'
    """
    day = f"{begun:%Y-%m-%d}" if begun else "undated"
    return f"companion-{day}-{game}-{number}-{uid[:8]}{suffix}"


class Film:
    """The film of a game: a title, its best moments, the podium and the result; texts in the current language.

    Args:
        replay: the replayed game, finished or not.
        begun: when it began, in local time; None: the date is unknown.
        size: width and height of the pictures in pixels, 800 x 480 or more.
        palette: a key of `companion.display.toolkit.PALETTES`.
        frame_rate: frames a second.

    Attributes:
        frame_count: number of frames of all pictures together.

    Raises:
        KeyError: there is no such palette.
        Exception: a game of another package, or its scene, may raise any error.
    """

    def __init__(
        self, replay: Replay, begun: datetime | None, size: tuple[int, int], palette: str, frame_rate: float
    ) -> None:
        self._shots = list(ShotList(replay, begun).build_shots())
        self._size, self._frame_rate, self._now = size, frame_rate, 0.0
        self._preferences = DisplayPreferences(palette, keyboard_hints=False, has_keys=False)
        self.frame_count = sum(self._count_frames(shot.seconds) for shot in self._shots)

    def _count_frames(self, seconds: float) -> int:
        return round(seconds * self._frame_rate)

    def draw_pictures(self) -> Iterator[FilmPicture]:
        """Draw picture by picture; only one is kept."""
        surface, last = pygame.Surface(self._size, 0, 32), np.zeros((*self._size[::-1], 3), np.uint8)
        screen, faded, fade_count = self._make_screen(), 0, self._count_frames(FADE_SECONDS)
        for shot in self._shots:
            if shot.is_new:
                screen, faded = self._make_screen(), 0
            self._draw(shot, screen, surface)
            left = self._count_frames(shot.seconds)
            while left:
                pixels, frames = _convert_picture(surface), left
                if faded < fade_count:
                    faded, frames = faded + 1, 1
                    yield FilmPicture(_mix(last, pixels, faded / (fade_count + 1)), frames)
                else:
                    frames = 1 if screen.is_animating else left
                    last = pixels
                    yield FilmPicture(pixels, frames)
                left -= frames
                self._now += frames * shot.pace / self._frame_rate
                if left:
                    self._draw(shot, screen, surface)

    def _make_screen(self) -> Screen:
        return Screen(self._size, self._preferences, lambda: self._now)

    def _draw(self, shot: Shot, screen: Screen, surface: pygame.Surface) -> None:
        if shot.state.kind is ScreenKind.TITLE:
            surface.blit(draw_title(self._size, self._preferences, shot.state), (0, 0))
        else:
            screen.draw(surface, shot.state)


def _mix(before: Image, after: Image, share: float) -> Image:
    return np.asarray(cv2.addWeighted(after, share, before, 1 - share, 0), np.uint8)


def _convert_picture(surface: pygame.Surface) -> Image:
    """Return the pixels of a surface of 32 bits as `(H, W, 3)` uint8 BGR."""
    return np.ascontiguousarray(pygame.surfarray.pixels3d(surface).swapaxes(0, 1)[:, :, ::-1])
