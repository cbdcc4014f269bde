"""The screen: paints one state after the other, and only what has changed."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pygame

from companion.display.animation import Animator
from companion.display.scenes import SceneSelector
from companion.display.toolkit.canvas import Canvas, DrawnText
from companion.display.toolkit.orientation import DEFAULT_PREFERENCES, DisplayPreferences
from companion.events import Button
from companion.i18n import current_language
from companion.screen_state import ScreenState

DIM_MULTIPLIER = (56, 56, 56)
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
        preferences: DisplayPreferences = DEFAULT_PREFERENCES,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._canvas = Canvas(size, preferences)
        self._scenes = SceneSelector()
        self._painted_state: ScreenState | None = None
        self._language = current_language()
        self._target: pygame.Surface | None = None
        self._is_dimmed = False
        self._animator = Animator(monotonic)

    @property
    def is_animating(self) -> bool:
        """Whether something is on its way over the picture: the next frame differs even if nothing happens."""
        return self._animator.is_animating

    @property
    def preferences(self) -> DisplayPreferences:
        """How people like the picture; another one draws all anew."""
        return self._canvas.preferences

    @preferences.setter
    def preferences(self, look: DisplayPreferences) -> None:
        if look != self._canvas.preferences:
            self._canvas, self._painted_state = Canvas(self._canvas.size, look), None

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self._canvas.size

    def draw(self, surface: pygame.Surface, state: ScreenState) -> list[pygame.Rect]:
        """Brings `surface`, of this screen's size, to show `shown`.

        Returns:
            The regions that were drawn anew; none if it shows that already.
        """
        changed = [*self._paint_and_animate(state), *self._animator.take_drawn_rects()]
        if surface is not self._target or state.dimmed is not self._is_dimmed:
            self._target, self._is_dimmed = surface, state.dimmed
            changed = [surface.get_rect()]
        for rect in changed:
            surface.blit(self._canvas.surface, rect, rect)
            if state.dimmed:
                surface.fill(DIM_MULTIPLIER, rect, pygame.BLEND_RGB_MULT)
        return [*changed, *self._animator.draw(surface, self._canvas)]

    def _paint_and_animate(self, state: ScreenState) -> list[pygame.Rect]:
        """What is painted anew; what happened on the way to `shown` begins to move."""
        before = self._painted_state
        if before is None or before == state or not self._canvas.preferences.animations:
            return self._paint(state)
        stood = self._canvas.collect_anchors()
        changed = self._paint(state)
        self._animator.start_animations(before, state, stood, self._canvas.collect_anchors())
        return changed

    def render(self, state: ScreenState) -> pygame.Surface:
        """`shown` as a picture of its own."""
        # What is painted here has not reached the surface that `draw` keeps up to date.
        self._target = None
        self._paint(state)
        picture = self._canvas.surface.copy()
        if state.dimmed:
            picture.fill(DIM_MULTIPLIER, special_flags=pygame.BLEND_RGB_MULT)
        return picture

    def button_at(self, position: tuple[int, int]) -> Button | None:
        """The button whose key, or whose seat's place, lies at `pos` on what was drawn last."""
        for part in self._canvas.regions.values():
            for rect, button in part.touch_areas:
                if rect.collidepoint(position):
                    return button
        return None

    def drawn_texts(self) -> list[DrawnText]:
        """All texts of what was drawn last, with their places and sizes."""
        return self._canvas.drawn_texts()

    def _paint(self, state: ScreenState) -> list[pygame.Rect]:
        if self._language != current_language():
            # What the scenes say themselves is no part of what they are shown.
            self._language, self._painted_state = current_language(), None
        last, self._painted_state = self._painted_state, state
        if state == last:
            return []
        canvas = self._canvas
        elsewhere = last is None or (last.kind, last.game_name) != (state.kind, state.game_name)
        if elsewhere:
            canvas.clear()
        with canvas.frame() as changed:
            self._scenes.select(state).draw(canvas, state)
        if canvas.has_moved_region and not elsewhere:
            elsewhere = True
            canvas.clear()
            with canvas.frame():
                self._scenes.select(state).draw(canvas, state)
        return [canvas.surface.get_rect()] if elsewhere else list(changed)


def save_png(surface: pygame.Surface, path: Path) -> None:
    """Writes a PNG.

    Raises:
        OSError: it cannot be written there.
    """
    try:
        pygame.image.save(surface, str(path))
    except pygame.error as error:
        raise OSError(f"{path} cannot be written: {error}") from error
