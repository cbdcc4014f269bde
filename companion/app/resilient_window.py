"""A window that survives a lost screen, a failing driver and a scene that raises.

Meanwhile the game continues with buttons and lamps; the picture returns by itself.
"""

import math
import time
from collections.abc import Callable, Sequence, Set
from dataclasses import replace
from typing import Protocol

import pygame

from companion.backoff import Backoff
from companion.display.scenes.text_lines import TextLinesScene
from companion.display.toolkit.canvas import Canvas
from companion.display.toolkit.preferences import DisplayPreferences
from companion.display.toolkit.rotation import RotatedSurface
from companion.events import Button, Event
from companion.i18n import _
from companion.log import log
from companion.screen_state import ScreenKind, ScreenState
from hardware.console_screen import CONSOLE_DRIVER, is_display_connected

FIRST_REOPEN_SECONDS = 1.0
"""Pause after the first failed attempt to open a lost screen; doubled with each further one."""
MAX_REOPEN_SECONDS = 8.0
"""Longest pause between two such attempts. Longer: less work without a screen, and a screen is found later."""
CHECK_SECONDS = 2.0
"""Seconds between two checks of the cable, and between two attempts to draw a scene that failed."""
NO_WINDOW_PAUSE_SECONDS = 0.02
"""Seconds that a turn of the loop waits while there is no window that could wait for events."""


class AnyWindow(Protocol):
    """Interface of `companion.app.window.Window` as the main loop uses it."""

    closed: bool
    """Whether the user has closed the window or asked to end the program; may be set to end it."""

    @property
    def hides_keys(self) -> bool:
        """Whether the last picture shows no keys, because the winner is not seen yet (see `Screen.hides_keys`)."""

    def poll_events(self, *, soon: bool = ...) -> Sequence[Event]:
        """Wait some milliseconds for an event; return the presses and releases since the last call, earliest first.

        Args:
            soon: wait a shorter time, because a press is held back elsewhere.

        Raises:
            Exception: the window failed; pygame.error means that the screen is lost.
        """

    def skip_ending(self, pressed: Set[Button]) -> Set[Button]:
        """Let presses skip what comes before the winner; return those that are used up (see `Screen.skip_ending`)."""

    def show(self, state: ScreenState) -> None:
        """Draw what has changed since the last call.

        Raises:
            Exception: the window failed; pygame.error means that the screen is lost.
        """


class ResilientWindow:
    """Show screen states in a window while there is a screen, and reopen the window when the screen returns.

    `closed` says whether the window was closed; set it to end the main loop.

    Args:
        surface: the surface of `open_surface`; None: there is no screen yet.
        make_window: makes the window on a surface; called again for each screen that is opened.
        reopen_screen: opens the screen or raises `companion.app.window.NoScreen` (a RuntimeError).
        monotonic: the host's monotonic clock, in seconds.
        pause: waits for a number of seconds.
        is_plugged: returns whether a screen is connected; None: unknown.
        preferences: returns the current display preferences.
        note_drawn: called with the upright picture of texts that stand in for a scene.

    Raises:
        Exception: an error of `make_window` on `surface` is passed on.
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
        note_drawn: Callable[[pygame.Surface], None] = lambda _surface: None,
    ) -> None:
        self.closed = False
        self._make_window, self._reopen_screen, self._monotonic = make_window, reopen_screen, monotonic
        self._pause, self._is_plugged, self._preferences = pause, is_plugged, preferences
        self._note_drawn = note_drawn
        self._screen: tuple[pygame.Surface, AnyWindow] | None = None
        self._reopening = Backoff(FIRST_REOPEN_SECONDS, MAX_REOPEN_SECONDS)
        self._next_cable_check_at = monotonic()
        self._cable_state: bool | None = is_plugged()
        self._opened_at = self._remade_at = -math.inf
        self._scene_retry_at = monotonic()
        self._fallback_state: ScreenState | None = None
        """State whose texts are on the screen because its scene failed; None: the scene succeeded."""
        self._fallback_size: tuple[int, int] | None = None
        """Size of the surface in pixels when the texts were drawn: a window of another size is empty."""
        if surface is not None:
            self._use_surface(surface)

    @property
    def hides_keys(self) -> bool:
        """Whether the last picture shows no keys, because the winner is not seen yet (see `Screen.hides_keys`)."""
        return self._screen is not None and self._fallback_state is None and self._screen[1].hides_keys

    @property
    def is_seen(self) -> bool:
        """Whether there is a screen, and it is not known to be off or unplugged."""
        return self._screen is not None and self._cable_state is not False

    def poll_events(self, *, soon: bool = False) -> Sequence[Event]:
        """Wait some milliseconds for an event; return presses and releases (keys, mouse, touch) since the last call.

        Without a screen it tries to open one when an attempt is due, waits NO_WINDOW_PAUSE_SECONDS and returns nothing.

        Args:
            soon: wait a shorter time, because a press is held back elsewhere.

        Raises:
            Exception: the window's events could not be read twice within CHECK_SECONDS. A lost screen is no error.
        """
        self._check_cable()
        if self._screen is None:
            self._try_open()
        if self._screen is None:
            self._pause(NO_WINDOW_PAUSE_SECONDS)
            return []
        surface, window = self._screen
        try:
            signals = window.poll_events(soon=soon)
        except pygame.error as why:
            self._drop_screen(str(why))
            return []
        except Exception:  # a first failure is taken for the window's own; a second one soon after ends the program
            now = self._monotonic()
            if now - self._remade_at < CHECK_SECONDS:
                raise
            log.exception("The window's events could not be read; the window is rebuilt.")
            self._remade_at = now
            self._use_surface(surface)
            return []
        self.closed = self.closed or window.closed
        return signals

    def skip_ending(self, pressed: Set[Button]) -> Set[Button]:
        """Let presses skip what comes before the winner; return those that are used up (see `Screen.skip_ending`)."""
        if self._screen is None or self._fallback_state is not None:
            return frozenset()
        return self._screen[1].skip_ending(pressed)

    def show(self, state: ScreenState) -> None:
        """Draw what has changed since the last call; if the game's scene fails, show the state's texts instead.

        The failed scene is tried again every CHECK_SECONDS. Without a screen nothing is drawn. An exception of a scene
        or a lost screen is logged and not raised.
        """
        if self._screen is None:
            return
        surface, window = self._screen
        if self._fallback_state is not None:
            if self._monotonic() < self._scene_retry_at:
                self._show_fallback(surface, state)
                return
            try:
                # Drawn on a copy: the fallback stays on the screen until the scene succeeds.
                self._make_window(surface.copy()).show(state)
            except Exception:  # noqa: BLE001 - any failure of a scene is logged by `_use_fallback`, which stays
                self._use_fallback(surface, state)
                return
            # A fresh window: what a failed drawing left behind must not show.
            window = self._use_surface(surface)
        try:
            window.show(state)
        except Exception as why:  # noqa: BLE001 - see above
            is_fresh = self._monotonic() - self._opened_at < CHECK_SECONDS
            if isinstance(why, pygame.error) and not is_fresh:
                self._drop_screen(str(why))
            else:
                self._use_fallback(surface, state)
        else:
            if self._fallback_state is not None:
                log.info("The scene of the game is drawn again.")
                self._fallback_state = None

    def _use_surface(self, surface: pygame.Surface) -> AnyWindow:
        window = self._make_window(surface)
        self._screen = surface, window
        return window

    def _try_open(self) -> None:
        now = self._monotonic()
        if not self._reopening.is_due(now):
            return
        try:
            surface = self._reopen_screen()
            self._use_surface(surface)
        except (pygame.error, RuntimeError) as why:
            if self._reopening.failures == 0:
                log.warning(
                    "There is %s. Waiting for one; the game continues with buttons. See `companion doctor`.", why
                )
            self._reopening.note_failure(now)
            return
        log.info("The screen is available, %d x %d.", *surface.get_size())
        self._reopening.note_success()
        self._opened_at = now

    def _drop_screen(self, why: str) -> None:
        log.warning("The screen is lost (%s); trying to open it again.", why)
        self._screen = self._fallback_state = None
        self._reopening.note_success()
        pygame.display.quit()

    def _check_cable(self) -> None:
        now = self._monotonic()
        if now < self._next_cable_check_at:
            return
        self._next_cable_check_at = now + CHECK_SECONDS
        before, self._cable_state = self._cable_state, self._is_plugged()
        match before, self._cable_state:
            case True, False:
                log.warning("The screen is off or unplugged. The game continues with buttons.")
            case False, True if self._screen is not None and pygame.display.get_driver().lower() == CONSOLE_DRIVER:
                self._drop_screen("it was off")

    def _use_fallback(self, surface: pygame.Surface, state: ScreenState) -> None:
        if self._fallback_state is None:
            log.exception("The scene of %s cannot be drawn; its texts are shown.", state.game_name)
        self._scene_retry_at = self._monotonic() + CHECK_SECONDS
        self._show_fallback(surface, state)

    def _show_fallback(self, surface: pygame.Surface, state: ScreenState) -> None:
        size = surface.get_size()
        if (state, size) == (self._fallback_state, self._fallback_size):
            return
        self._fallback_state, self._fallback_size = state, size
        preferences = self._preferences()
        rotated = RotatedSurface(surface, preferences.rotation_deg)
        draw_fallback(rotated.surface, state, preferences)
        rotated.copy_to_screen([rotated.surface.get_rect()])
        self._note_drawn(rotated.surface)
        try:
            pygame.display.flip()
        except pygame.error as why:
            self._drop_screen(str(why))


def draw_fallback(surface: pygame.Surface, state: ScreenState, preferences: DisplayPreferences) -> None:
    """Draw the texts of a state whose own scene fails: prompt, players, meaning of each button.

    If even that fails they are drawn without layout, and the failure is logged.

    Args:
        surface: drawn on in full, upright.
        state: the state whose own scene failed.
        preferences: palette and other choices for the display.
    """
    text_state = replace(
        state,
        kind=state.kind if state.kind is not ScreenKind.PLAY else ScreenKind.WAITING,
        view=None,
        notice=state.notice
        or _("This game's picture failed. Play on with texts and buttons; the companion tries again"),
        details=state.details or tuple(line for line in (state.prompt, state.last_move) if line),
    )
    try:
        canvas = Canvas(surface.get_size(), preferences)
        canvas.clear()
        with canvas.frame():
            TextLinesScene().draw(canvas, text_state)
        surface.blit(canvas.surface, (0, 0))
    except Exception:  # any text may be the cause, and this is the last resort but one
        log.exception("The fallback scene failed too; its texts are drawn without layout.")
        _draw_bare_words(surface, text_state)


def _draw_bare_words(surface: pygame.Surface, state: ScreenState) -> None:
    margin = surface.get_height() // 18
    font = pygame.font.Font(None, margin)
    surface.fill("black")
    keys = [f"{key.button.value}: {key.label}" for key in state.soft_keys if key.label]
    for number, line in enumerate([state.prompt, *keys]):
        surface.blit(font.render(line, True, "white"), (margin, margin + number * font.get_height()))
