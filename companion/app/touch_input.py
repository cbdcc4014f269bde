"""Presses on a touch screen: fingers on the companion's screen become presses and releases of buttons.

A finger on the simulated table beside it goes to the panel (`companion.app.table_panel.finger_mouse`).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pygame

from companion.app.button_input import TOUCH_SOURCE
from companion.display.screen import Screen
from companion.display.toolkit.rotation import RotatedSurface
from companion.events import Button, ButtonPressed, ButtonReleased, Event, HelpPressed

if TYPE_CHECKING:  # OpenCV comes with it: only where there is a virtual table
    from companion.app.table_panel.panel import TablePanel

FINGER_EVENTS = frozenset({pygame.FINGERDOWN, pygame.FINGERMOTION, pygame.FINGERUP})
"""SDL's events of fingers."""
MAX_FINGER_SHARE = math.nextafter(1.0, 0.0)
"""Largest share of the window's width or height that lies in the window; SDL reports the far edge as 1.0."""


class TouchInput:
    """Makes presses and releases of several fingers at once, each with its own button.

    >>> TouchInput().is_holding
    False
    """

    def __init__(self) -> None:
        self._touched_buttons: dict[object, Button] = {}
        """Buttons held by touch, by SDL's finger id."""

    @property
    def is_holding(self) -> bool:
        """Whether a finger holds a button down."""
        return bool(self._touched_buttons)

    def lay_out(
        self, window_size: tuple[int, int], rotated: RotatedSurface, display_area: pygame.Rect, screen: Screen
    ) -> None:
        """Set where things lie in the window; to be called before the first finger, and when the window changes.

        Args:
            window_size: width and height of the window in pixels.
            rotated: the window's picture.
            display_area: the companion's part of the unrotated window, in pixels.
            screen: knows where its buttons lie.
        """
        self._window_size, self._rotated = window_size, rotated
        self._display_area, self._screen = display_area, screen

    def handle(self, event: pygame.event.Event, now: float, panel: TablePanel | None, *, is_demo: bool) -> list[Event]:
        """Handle a finger that comes, moves or leaves.

        Args:
            event: one of FINGER_EVENTS.
            now: seconds on the monotonic clock.
            panel: gets the fingers beside the display; None: there is no table there.
            is_demo: the panel gets the fingers on the display too: a demo ends by a touch anywhere.

        Returns:
            The press or release of a button; empty: the finger did neither.
        """
        if event.type == pygame.FINGERUP and event.finger_id in self._touched_buttons:
            return [ButtonReleased(self._touched_buttons.pop(event.finger_id), now, TOUCH_SOURCE)]
        width, height = self._window_size
        x, y = min(event.x, MAX_FINGER_SHARE), min(event.y, MAX_FINGER_SHARE)
        at = self._rotated.unrotate((int(x * width), int(y * height)))
        is_on_display = self._display_area.collidepoint(at)
        if panel and (event.type != pygame.FINGERDOWN or not is_on_display or is_demo):
            panel.handle_touch(event, at, now)
        if event.type == pygame.FINGERDOWN and is_on_display and self._screen.is_help_at(at):
            return [HelpPressed(now)]
        button = self._screen.button_at(at) if event.type == pygame.FINGERDOWN and is_on_display else None
        if button is None or button in self._touched_buttons.values():
            return []
        self._touched_buttons[event.finger_id] = button
        return [ButtonPressed(button, now, TOUCH_SOURCE)]
