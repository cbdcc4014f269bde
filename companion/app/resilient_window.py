"""A window that lasts: a screen that goes away, a driver that fails, a scene that raises cost the picture for a while.

The game goes on meanwhile, by the buttons and their lamps, and the picture comes back by itself.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

import pygame

from companion.display.scenes.text_lines import TextLinesScene
from companion.display.toolkit.canvas import Canvas
from companion.display.toolkit.orientation import DisplayPreferences, RotatedSurface
from companion.events import Event
from companion.i18n import Translator
from companion.screen_state import ScreenKind, ScreenState
from hardware.display_connector import is_display_connected
from hardware.display_console import CONSOLE_DRIVER

_ = Translator("companion")
log = logging.getLogger("companion")
FIRST_REOPEN_SECONDS, MAX_REOPEN_SECONDS = 1.0, 8.0
"""Seconds until the first attempt to open a lost screen anew, doubled with each; at most so many."""
CHECK_SECONDS = 2.0
"""Seconds between two looks at the cables, and between two attempts at a scene that failed."""
NO_WINDOW_PAUSE_SECONDS = 0.02
"""Seconds that a turn of the loop waits where no window can."""


class AnyWindow(Protocol):
    """A window (`companion.app.window.Window`)."""

    closed: bool

    def poll_events(self, *, soon: bool = False) -> Sequence[Event]: ...

    def show(self, shown: ScreenState) -> None: ...


class ResilientWindow:
    """A window, as long as there is a screen for one.

    Args:
        surface: as `open_surface` gave it; None: there is no screen yet.
        make: the window on a surface.
        reopen: opens the screen, or raises RuntimeError (`companion.app.window.NoScreen`) with what is missing.
        monotonic: the host's monotonic clock, in seconds.
        pause: waits so many seconds.
        plugged: whether a screen is connected; None: nobody knows.
        look: how people like the picture.
    """

    def __init__(
        self,
        surface: pygame.Surface | None,
        make_window: Callable[[pygame.Surface], AnyWindow],
        reopen_screen: Callable[[], pygame.Surface],
        monotonic: Callable[[], float],
        pause: Callable[[float], None] = time.sleep,
        is_plugged: Callable[[], bool | None] = is_display_connected,
        preferences: Callable[[], DisplayPreferences] = DisplayPreferences,
    ) -> None:
        self.closed = False
        self._make_window, self._reopen_screen, self._monotonic = make_window, reopen_screen, monotonic
        self._pause, self._is_plugged, self._preferences = pause, is_plugged, preferences
        self._window: AnyWindow | None = None
        self._surface: pygame.Surface | None = None
        self._failed_attempts = 0
        self._next_attempt_at = self._next_cable_check_at = monotonic()
        self._cable_state: bool | None = is_plugged()
        self._opened_at = self._remade_at = -MAX_REOPEN_SECONDS
        self._fallback: FallbackScene | None = None
        self._scene_retry_at = monotonic()
        self._fallback_state: ScreenState | None = None
        if surface is not None:
            self._use_surface(surface)

    @property
    def has_screen(self) -> bool:
        """Whether there is a screen."""
        return self._window is not None

    def poll_events(self, *, soon: bool = False) -> Sequence[Event]:
        """What was pressed since the last call, see `Window.signals`."""
        self._check_cable()
        if self._window is None:
            self._try_open()
        window = self._window
        if window is None:
            self._pause(NO_WINDOW_PAUSE_SECONDS)
            return []
        try:
            signals = window.poll_events(soon=soon)
        except pygame.error as why:
            self._drop_screen(str(why))
            return []
        except Exception:  # whatever it is: once it is taken for the window's own fault, and then it ends the program
            now = self._monotonic()
            if self._surface is None or now - self._remade_at < CHECK_SECONDS:
                raise
            log.exception("What was pressed could not be read; the window is made anew.")
            self._remade_at = now
            self._use_surface(self._surface)
            return []
        self.closed = self.closed or window.closed
        return signals

    def show(self, shown: ScreenState) -> None:
        """Draws what differs from the last time."""
        if self._window is None or self._surface is None:
            return
        if self._fallback is not None:
            if self._monotonic() < self._scene_retry_at:
                self._show_fallback(shown)
                return
            try:
                # Not on the screen, where the words stand until it succeeds.
                self._make_window(self._surface.copy()).show(shown)
            except Exception:  # noqa: BLE001 - whatever fails in a scene, `_fail` logs it and the words stay
                self._use_fallback(shown)
                return
            # What is left of a failed drawing is not built upon.
            self._use_surface(self._surface)
        try:
            self._window.show(shown)
        except Exception as why:  # noqa: BLE001 - see above
            fresh = self._monotonic() - self._opened_at < CHECK_SECONDS
            if isinstance(why, pygame.error) and not fresh:
                self._drop_screen(str(why))
            else:
                self._use_fallback(shown)
        else:
            if self._fallback is not None:
                log.info("The picture of the game is drawn again.")
                self._fallback = None

    def _use_surface(self, surface: pygame.Surface) -> None:
        self._surface, self._window = surface, self._make_window(surface)

    def _try_open(self) -> None:
        now = self._monotonic()
        if now < self._next_attempt_at:
            return
        try:
            surface = self._reopen_screen()
            self._use_surface(surface)
        except (pygame.error, RuntimeError) as why:
            if self._failed_attempts == 0:
                log.warning(
                    "There is %s. Waiting for one; the game goes on by buttons. `companion doctor` tells more.", why
                )
            self._next_attempt_at = now + min(MAX_REOPEN_SECONDS, FIRST_REOPEN_SECONDS * 2.0**self._failed_attempts)
            self._failed_attempts += 1
            self._window = self._surface = None
            return
        log.info("The screen is there, %d x %d.", *surface.get_size())
        self._failed_attempts, self._opened_at = 0, now

    def _drop_screen(self, why: str) -> None:
        log.warning("The screen is lost (%s): it is opened anew.", why)
        self._window = self._surface = None
        self._next_attempt_at, self._failed_attempts = self._monotonic(), 0
        pygame.display.quit()

    def _check_cable(self) -> None:
        now = self._monotonic()
        if now < self._next_cable_check_at:
            return
        self._next_cable_check_at = now + CHECK_SECONDS
        before, self._cable_state = self._cable_state, self._is_plugged()
        if self._cable_state is before or self._cable_state is None or before is None:
            return
        if not self._cable_state:
            log.warning("The screen is off, or its cable is out. The game goes on by buttons.")
        elif self._window is not None and pygame.display.get_driver().lower() == CONSOLE_DRIVER:
            self._drop_screen("it was off")

    def _use_fallback(self, shown: ScreenState) -> None:
        if self._fallback is None:
            log.exception("The picture of %s cannot be drawn; its words are shown.", shown.game_name)
            self._fallback, self._fallback_state = FallbackScene(), None
        self._scene_retry_at = self._monotonic() + CHECK_SECONDS
        self._show_fallback(shown)

    def _show_fallback(self, shown: ScreenState) -> None:
        assert self._fallback is not None
        assert self._surface is not None
        if shown == self._fallback_state:
            return
        self._fallback_state = shown
        look = self._preferences()
        sheet = RotatedSurface(self._surface, look.rotation_deg)
        self._fallback.draw(sheet.surface, shown, look)
        sheet.copy_to_screen([sheet.surface.get_rect()])
        try:
            pygame.display.flip()
        except pygame.error as why:
            self._drop_screen(str(why))


class FallbackScene:
    """What is shown of a state where its own scene fails: the sentence, the players, what each button does."""

    def draw(self, surface: pygame.Surface, shown: ScreenState, look: DisplayPreferences) -> None:
        """Draws all of it anew."""
        notice = _("The picture of this game failed; it goes on by its words and buttons, and is tried again")
        place = shown.kind if shown.kind is not ScreenKind.PLAY else ScreenKind.WAITING
        wordy = replace(
            shown,
            kind=place,
            view=None,
            notice=shown.notice or notice,
            details=shown.details or tuple(line for line in (shown.prompt, shown.last_move) if line),
        )
        try:
            canvas = Canvas(surface.get_size(), look)
            canvas.clear()
            with canvas.frame():
                TextLinesScene().draw(canvas, wordy)
            surface.blit(canvas.surface, (0, 0))
        except Exception:
            log.exception("Not even the words can be drawn in order.")
            self._draw_bare_words(surface, wordy)

    @staticmethod
    def _draw_bare_words(surface: pygame.Surface, shown: ScreenState) -> None:
        size = max(14, surface.get_height() // 18)
        font = pygame.font.Font(None, size)
        surface.fill((0, 0, 0))
        keys = [f"{key.button.value}: {key.label}" for key in shown.soft_keys if key.label]
        for number, line in enumerate([shown.prompt, *keys]):
            surface.blit(font.render(line, True, (255, 255, 255)), (size, size + number * round(size * 1.3)))
