"""A finger acts as the mouse at the simulated table: tap, long touch, drag."""

import math
from collections.abc import Callable

import pygame

from companion.simulation.base_mouse import MouseButton

LONG_TOUCH_SECONDS = 0.5
"""A finger that rests for so long is a right click. Longer: fewer by mistake, and more patience."""


class FingerMouse:
    """Makes mouse actions of one finger; others are ignored while it touches.

    A tap is a click; a long touch is a click of the right button; a finger that moves drags with the left button.

    Args:
        act: moves something on the table: "press", "move" or "release", a mouse button, a pixel, seconds.
    """

    def __init__(self, act: Callable[[str, int, tuple[int, int], float], object]) -> None:
        self._act = act
        self._finger: object = None
        self._start: tuple[int, int] = (0, 0)
        self._since = 0.0
        self._is_dragging = False

    def handle(self, event: pygame.event.Event, at: tuple[int, int], now: float, *, drag_start_px: float) -> None:
        """Handle a finger that comes, moves or leaves.

        Args:
            event: FINGERDOWN, FINGERMOTION or FINGERUP.
            at: where it is, in pixels of the unrotated window.
            now: seconds.
            drag_start_px: largest movement of a finger that rests; farther is a drag.
        """
        if event.type == pygame.FINGERDOWN and self._finger is None:
            self._finger, self._start, self._since, self._is_dragging = event.finger_id, at, now, False
            return
        if self._finger is None or event.finger_id != self._finger:
            return
        if not self._is_dragging and math.dist(self._start, at) > drag_start_px:
            self._is_dragging = True
            self._act("press", MouseButton.LEFT, self._start, now)
        if event.type == pygame.FINGERMOTION:
            if self._is_dragging:
                self._act("move", MouseButton.LEFT, at, now)
            return
        self._finger = None
        if self._is_dragging:
            self._act("release", MouseButton.LEFT, at, now)
            return
        button = MouseButton.RIGHT if now - self._since >= LONG_TOUCH_SECONDS else MouseButton.LEFT
        self._act("press", button, at, now)
        self._act("release", button, at, now)
