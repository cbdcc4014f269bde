"""Rotation of the picture by quarter turns, for screens that are mounted on their side or upside down."""

import pygame


def unrotated_size(size: tuple[int, int], rotation_deg: int) -> tuple[int, int]:
    """Return width and height of the picture that, rotated, fills a screen of `size` pixels.

    Args:
        size: width and height of the screen in pixels.
        rotation_deg: degrees clockwise by which the picture is rotated: 0, 90, 180 or 270; other values are not
            refused, but give wrong places.

    >>> unrotated_size((800, 480), 90), unrotated_size((800, 480), 180)
    ((480, 800), (800, 480))
    """
    return size if rotation_deg % 180 == 0 else (size[1], size[0])


def rotate_rect(rect: pygame.Rect, size: tuple[int, int], rotation_deg: int) -> pygame.Rect:
    """Return where a part of the unrotated picture lies on the screen.

    Args:
        rect: the part, in pixels of the unrotated picture; it is not changed.
        size: width and height of the unrotated picture in pixels.
        rotation_deg: degrees clockwise: 0, 90, 180 or 270; other values are not refused, but give wrong places.

    Returns:
        A new rectangle in pixels of the screen.

    >>> tuple(rotate_rect(pygame.Rect(0, 0, 10, 20), (480, 800), 90))
    (780, 0, 20, 10)
    """
    width, height = size
    for _quarter_turn in range(rotation_deg // 90):
        rect = pygame.Rect(height - rect.bottom, rect.left, rect.h, rect.w)
        width, height = height, width
    return pygame.Rect(rect)


def unrotate_point(point: tuple[int, int], size: tuple[int, int], rotation_deg: int) -> tuple[int, int]:
    """Return the pixel of the unrotated picture that is seen at a pixel of the screen.

    Args:
        point: x and y of the pixel on the screen.
        size: width and height of the unrotated picture in pixels.
        rotation_deg: degrees clockwise: 0, 90, 180 or 270; other values are not refused, but give wrong places.

    Returns:
        x and y in pixels of the unrotated picture; outside it if `point` lies outside the screen.

    >>> unrotate_point((780, 0), (480, 800), 90)
    (0, 19)
    """
    rotated = unrotated_size(size, rotation_deg)
    return rotate_rect(pygame.Rect(point, (1, 1)), rotated, -rotation_deg % 360).topleft


class RotatedSurface:
    """A surface that is drawn on unrotated and copied onto a rotated screen.

    Args:
        screen: the screen's surface.
        rotation_deg: degrees clockwise: 0, 90, 180 or 270.

    Attributes:
        surface: the unrotated surface to draw on; the screen's own if nothing is rotated.
    """

    def __init__(self, screen: pygame.Surface, rotation_deg: int) -> None:
        self._screen, self._rotation_deg = screen, rotation_deg
        unrotated = unrotated_size(screen.get_size(), rotation_deg)
        self.surface = screen if not rotation_deg else pygame.Surface(unrotated, 0, screen)
        """The unrotated surface to draw on; the screen's own if nothing is rotated."""

    def copy_to_screen(self, changed: list[pygame.Rect]) -> list[pygame.Rect]:
        """Copy the changed parts of `surface` onto the screen, rotated. Without a rotation there is nothing to copy.

        Args:
            changed: the changed parts, in pixels of `surface`; a part that reaches beyond it is cut off.

        Returns:
            Where these parts lie on the screen, in its pixels, in the same order; without a rotation `changed` itself.

        Raises:
            ValueError: a part lies completely outside `surface`, and the rotation is not 0.
        """
        if not self._rotation_deg:
            return changed
        copied = []
        for rect in changed:
            part = rect.clip(self.surface.get_rect())
            place = rotate_rect(part, self.surface.get_size(), self._rotation_deg)
            # pygame rotates counterclockwise; quarter turns lose no pixel.
            self._screen.blit(pygame.transform.rotate(self.surface.subsurface(part), -self._rotation_deg), place)
            copied.append(place)
        return copied

    def unrotate(self, point: tuple[int, int]) -> tuple[int, int]:
        """Return the pixel of `surface` that is seen at a pixel of the screen, for touches.

        Args:
            point: x and y in pixels of the screen.

        Returns:
            x and y in pixels of `surface`; outside it if `point` lies outside the screen.
        """
        return unrotate_point(point, self.surface.get_size(), self._rotation_deg)
