"""How people like the picture; and how a picture is turned for a screen that hangs another way."""

from __future__ import annotations

from dataclasses import dataclass

import pygame

QUARTER = 90


@dataclass(frozen=True, slots=True)
class DisplayPreferences:
    """What the box's settings say of the picture.

    Attributes:
        palette: a key of `theme.PALETTES`.
        turned: degrees clockwise by which the picture is turned: 0, 90, 180 or 270.
        mirrored: the console's keys stand at the left of the row, for the left hand.
        motion: things move to show what happened.
        keyboard: the keys of a keyboard that stand for the buttons are named.
        touch_seats: there are no buttons: places along top and bottom of the screen are the seats' buttons.
    """

    palette: str = "dark"
    rotation_deg: int = 0
    mirrored: bool = False
    animations: bool = True
    touch_seats: bool = False
    keyboard_hints: bool = True


DEFAULT_PREFERENCES = DisplayPreferences()


def unrotated_size(size: tuple[int, int], rotation_deg: int) -> tuple[int, int]:
    """Width and height of what is drawn upright for a screen of `size`.

    >>> upright_size((800, 480), 90), upright_size((800, 480), 180)
    ((480, 800), (800, 480))
    """
    return size if rotation_deg % (2 * QUARTER) == 0 else (size[1], size[0])


def rotate_rect(rect: pygame.Rect, size: tuple[int, int], rotation_deg: int) -> pygame.Rect:
    """Where a part of the upright picture of `size` lies on the screen, once the picture is turned clockwise.

    >>> tuple(turned_rect(pygame.Rect(0, 0, 10, 20), (480, 800), 90))
    (780, 0, 20, 10)
    """
    width, height = size
    match rotation_deg:
        case 90:
            return pygame.Rect(height - rect.bottom, rect.left, rect.h, rect.w)
        case 180:
            return pygame.Rect(width - rect.right, height - rect.bottom, rect.w, rect.h)
        case 270:
            return pygame.Rect(rect.top, width - rect.right, rect.h, rect.w)
        case _:
            return pygame.Rect(rect)


def unrotate_point(point: tuple[int, int], size: tuple[int, int], rotation_deg: int) -> tuple[int, int]:
    """Which pixel of the upright picture of `size` is seen at the screen's pixel `at`.

    >>> turned_back((780, 0), (480, 800), 90)
    (0, 19)
    """
    width, height = size
    match rotation_deg:
        case 90:
            return point[1], height - 1 - point[0]
        case 180:
            return width - 1 - point[0], height - 1 - point[1]
        case 270:
            return width - 1 - point[1], point[0]
        case _:
            return point


class RotatedSurface:
    """What is drawn upright, brought onto a screen that hangs another way.

    Args:
        onto: the screen's surface.
        turned: degrees clockwise, 0, 90, 180 or 270.
    """

    def __init__(self, screen: pygame.Surface, rotation_deg: int) -> None:
        self._screen, self._rotation_deg = screen, rotation_deg
        self.surface = (
            screen if not rotation_deg else pygame.Surface(unrotated_size(screen.get_size(), rotation_deg), 0, screen)
        )
        """To be drawn on, upright. The screen's own where nothing is turned."""

    def copy_to_screen(self, changed: list[pygame.Rect]) -> list[pygame.Rect]:
        """What changed on `surface` is brought onto the screen; where it lies there."""
        if not self._rotation_deg:
            return changed
        found = []
        for rect in changed:
            part = rect.clip(self.surface.get_rect())
            place = rotate_rect(part, self.surface.get_size(), self._rotation_deg)
            # pygame turns counterclockwise; by quarters, no pixel is lost.
            self._screen.blit(pygame.transform.rotate(self.surface.subsurface(part), -self._rotation_deg), place)
            found.append(place)
        return found

    def unrotate(self, point: tuple[int, int]) -> tuple[int, int]:
        """Where on `surface` a touch of the screen at `at` is meant."""
        return unrotate_point(point, self.surface.get_size(), self._rotation_deg)
