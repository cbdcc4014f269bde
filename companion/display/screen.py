"""The screen: paints one state after the other, and only what has changed."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pygame

from companion.display.animation import Motion
from companion.display.scenes import Scenes
from companion.display.toolkit.canvas import Canvas, Written
from companion.display.toolkit.orientation import USUAL, Look
from companion.events import Button
from companion.i18n import language
from companion.screen_state import Shown

DIM = (56, 56, 56)
"""What a darkened picture is multiplied by, of 255."""


class Screen:
    """Draws what it is shown, on a surface of its own: no window is needed.

    Args:
        size: width and height in pixels, at least 1 each.
        look: how people like the picture.
        monotonic: the clock by which things move, in seconds.
    """

    def __init__(
        self,
        size: tuple[int, int],
        look: Look = USUAL,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._canvas = Canvas(size, look)
        self._scenes = Scenes()
        self._last: Shown | None = None
        self._spoken = language()
        self._onto: pygame.Surface | None = None
        self._dimmed = False
        self._motion = Motion(monotonic)

    @property
    def moving(self) -> bool:
        """Whether something is on its way over the picture: the next frame differs even if nothing happens."""
        return self._motion.moving

    @property
    def look(self) -> Look:
        """How people like the picture; another one draws all anew."""
        return self._canvas.look

    @look.setter
    def look(self, look: Look) -> None:
        if look != self._canvas.look:
            self._canvas, self._last = Canvas(self._canvas.size, look), None

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self._canvas.size

    def draw(self, surface: pygame.Surface, shown: Shown) -> list[pygame.Rect]:
        """Brings `surface`, of this screen's size, to show `shown`.

        Returns:
            The regions that were drawn anew; none if it shows that already.
        """
        changed = [*self._painted(shown), *self._motion.wiped()]
        if surface is not self._onto or shown.dimmed is not self._dimmed:
            self._onto, self._dimmed = surface, shown.dimmed
            changed = [surface.get_rect()]
        for rect in changed:
            surface.blit(self._canvas.surface, rect, rect)
            if shown.dimmed:
                surface.fill(DIM, rect, pygame.BLEND_RGB_MULT)
        return [*changed, *self._motion.draw(surface, self._canvas)]

    def _painted(self, shown: Shown) -> list[pygame.Rect]:
        """What is painted anew; what happened on the way to `shown` begins to move."""
        before = self._last
        if before is None or before == shown or not self._canvas.look.motion:
            return self._paint(shown)
        stood = self._canvas.anchors()
        changed = self._paint(shown)
        self._motion.follow(before, shown, stood, self._canvas.anchors())
        return changed

    def picture(self, shown: Shown) -> pygame.Surface:
        """`shown` as a picture of its own."""
        # What is painted here has not reached the surface that `draw` keeps up to date.
        self._onto = None
        self._paint(shown)
        picture = self._canvas.surface.copy()
        if shown.dimmed:
            picture.fill(DIM, special_flags=pygame.BLEND_RGB_MULT)
        return picture

    def key_at(self, pos: tuple[int, int]) -> Button | None:
        """The button whose key, or whose seat's place, lies at `pos` on what was drawn last."""
        for part in self._canvas.parts.values():
            for rect, button in part.touches:
                if rect.collidepoint(pos):
                    return button
        return None

    def written(self) -> list[Written]:
        """All texts of what was drawn last, with their places and sizes."""
        return self._canvas.written()

    def _paint(self, shown: Shown) -> list[pygame.Rect]:
        if self._spoken != language():
            # What the scenes say themselves is no part of what they are shown.
            self._spoken, self._last = language(), None
        last, self._last = self._last, shown
        if shown == last:
            return []
        canvas = self._canvas
        elsewhere = last is None or (last.place, last.game) != (shown.place, shown.game)
        if elsewhere:
            canvas.clear()
        with canvas.frame() as changed:
            self._scenes.of(shown).draw(canvas, shown)
        if canvas.moved and not elsewhere:
            elsewhere = True
            canvas.clear()
            with canvas.frame():
                self._scenes.of(shown).draw(canvas, shown)
        return [canvas.surface.get_rect()] if elsewhere else list(changed)


def save(surface: pygame.Surface, path: Path) -> None:
    """Writes a PNG.

    Raises:
        OSError: it cannot be written there.
    """
    try:
        pygame.image.save(surface, str(path))
    except pygame.error as error:
        raise OSError(f"{path} cannot be written: {error}") from error
