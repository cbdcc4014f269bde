"""The window: the companion's display and, where the table is virtual, that table beside it.

Keys and clicks leave here as signals, stamped when SDL hands them over; on a Pi the same window is the whole screen.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import pygame

from companion.app.button_input import TOUCH_SOURCE
from companion.config.settings import DisplaySettings
from companion.display.screen import Screen
from companion.display.sound.player import SoundPlayer
from companion.display.toolkit.orientation import DisplayPreferences, RotatedSurface
from companion.display.toolkit.theme import BACKGROUND, PALETTES
from companion.events import Button, ButtonPressed, ButtonReleased, Event
from companion.i18n import current_language
from companion.screen_state import ScreenState
from hardware import display_console
from hardware.buttons.keyboard import get_button_for_key

if TYPE_CHECKING:  # OpenCV comes with it: only where there is a virtual table
    from companion.app.simulator_panel import SimulatorPanel

DISPLAY_WIDTH_SHARE = 0.58
"""How much of the width the display gets when a virtual table stands beside it."""
MIN_DISPLAY_ASPECT_RATIO = 1.6
"""Width by height of the display beside a virtual table: below this, letters shrink with the width."""
BUSY_WAIT_MS, IDLE_WAIT_MS = 16, 100
"""How long the window waits for an event, in milliseconds, when something moves and when nothing does."""

log = logging.getLogger("companion")


POLL_STEP_MS = 8
"""How often it looks for one while it waits: less than the keys of a keyboard can be told apart by (`KEYBOARD`)."""


class NoScreen(RuntimeError):
    """There is no screen to open a window on; the message says what to do."""


def open_surface(display: DisplaySettings, *, with_table: bool = False) -> pygame.Surface:
    """Opens the window, or takes the whole screen.

    Args:
        wanted: the size that the companion's display is to have.
        beside: a virtual table stands beside it and needs room as well.

    Raises:
        NoScreen: with what is missing. SDL falls back silently to a driver without a picture; that counts as none.
    """
    # Looked at before SDL is asked: it says the same of all that may be wrong on a bare console.
    on_console = display_console.is_on_console()
    trouble = display_console.find_screen_problem() if on_console else None
    try:
        pygame.display.init()
    except pygame.error as error:
        raise NoScreen(f"no screen here ({trouble or error})") from error
    driver = pygame.display.get_driver()
    if driver in {"offscreen", "dummy"}:
        pygame.display.quit()
        raise NoScreen(f"no screen here ({trouble or f'SDL would draw into nothing, driver {driver}'})")
    if on_console and (deaf := display_console.find_keyboard_problem()):
        log.warning("No key, mouse or finger will be heard: %s.", deaf)
    pygame.display.set_caption("The companion")
    if display.fullscreen:
        return pygame.display.set_mode((0, 0), pygame.FULLSCREEN)
    width, height = display.size
    if with_table:
        width = round(width / DISPLAY_WIDTH_SHARE)
    across, down = pygame.display.get_desktop_sizes()[0]
    return pygame.display.set_mode((min(width, across), min(height, down)), pygame.RESIZABLE)


def _wait_for_events(wait: int) -> list[pygame.event.Event]:
    """SDL's events; waits `wait` milliseconds at most for the first of them.

    `pygame.event.wait` looks every millisecond, which is nearly all that an idle screen costs.
    """
    for _ in range(max(1, wait // POLL_STEP_MS)):
        events = pygame.event.get()
        if events:
            return events
        pygame.time.wait(POLL_STEP_MS)
    return pygame.event.get()


class Window:
    """A real SDL window.

    Args:
        surface: as `open_surface` gave it.
        monotonic: the clock that stamps the signals, in seconds.
        side: the virtual table beside the display, if there is one.
        others: the virtual tables of games that have one of their own, by the game's name.
        look: how people like the picture now; asked before each frame.
        loud: the volume, 0 to 10, and whether announcements are spoken; asked before each frame.
    """

    def __init__(
        self,
        surface: pygame.Surface,
        monotonic: Callable[[], float],
        panel: SimulatorPanel | None = None,
        panels_by_game: Mapping[str, SimulatorPanel] | None = None,
        preferences: Callable[[], DisplayPreferences] = DisplayPreferences,
        volume: Callable[[], tuple[int, bool]] = lambda: (7, False),
    ) -> None:
        self._panels_by_game = panels_by_game or {}
        self._preferences = preferences
        self.closed = False
        self._monotonic = monotonic
        self._default_panel = panel
        self._panel = panel
        self._held_keys: dict[int, Button] = {}
        self._clicked_button: Button | None = None
        self._touched_buttons: dict[object, Button] = {}
        """Fingers that lie on a key or a seat's place, by SDL's number of each."""
        self._volume = volume
        self._sounds = SoundPlayer()
        self._lay_out(surface)

    def _lay_out(self, surface: pygame.Surface) -> None:
        self._surface = surface
        self._language = current_language()
        look = self._preferences()
        self._rotated = RotatedSurface(surface, look.rotation_deg)
        upright = self._rotated.surface
        width, height = upright.get_size()
        # The display keeps the shape of a screen: a tall strip would waste the room that letters need.
        wide, tall, beside = width, height, None
        if self._panel and height > width:
            tall = round(height * DISPLAY_WIDTH_SHARE)
            beside = pygame.Rect(0, tall, width, height - tall)
        elif self._panel:
            wide = int(width * DISPLAY_WIDTH_SHARE)
            tall = min(height, int(wide / MIN_DISPLAY_ASPECT_RATIO))
            beside = pygame.Rect(wide, 0, width - wide, height)
        self._display = upright.subsurface(pygame.Rect(0, 0, wide, tall))
        self._screen = Screen(self._display.get_size(), look, self._monotonic)
        for each in (surface, upright):
            each.fill(PALETTES[look.palette][BACKGROUND])
        pygame.display.flip()
        if self._panel and beside:
            self._panel.place(beside)

    def poll_events(self, *, soon: bool = False) -> Sequence[Event]:
        """What was pressed, clicked or touched since the last call. Waits a moment if nothing was, less if `soon`."""
        signals: list[Event] = []
        wait = BUSY_WAIT_MS if soon or self._is_moving() else IDLE_WAIT_MS
        for event in _wait_for_events(wait):
            signals += self._handle_sdl_event(event)
        if any(isinstance(signal, ButtonPressed) for signal in signals):
            self._sounds.play_key_click()
        return signals

    def _is_moving(self) -> bool:
        held = bool(self._held_keys or self._clicked_button or self._touched_buttons)
        return held or self._screen.is_animating or (self._panel is not None and self._panel.is_moving)

    def _handle_sdl_event(self, event: pygame.event.Event) -> list[Event]:
        now = self._monotonic()
        if event.type == pygame.QUIT:
            self.closed = True
        elif event.type == pygame.VIDEORESIZE:
            self._lay_out(pygame.display.get_surface())
        elif event.type == pygame.VIDEOEXPOSE:
            # Something lay over the window, and what it covered is lost where no compositor keeps it.
            pygame.display.flip()
        elif event.type == pygame.KEYDOWN:
            return self._handle_key_down(event, now)
        elif event.type == pygame.KEYUP:
            return self._handle_key_up(event, now)
        elif event.type in {pygame.FINGERDOWN, pygame.FINGERUP}:
            return self._handle_touch(event, now)
        elif event.type in {pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP, pygame.MOUSEMOTION, pygame.MOUSEWHEEL}:
            return self._handle_mouse(event, now)
        return []

    def _handle_key_down(self, event: pygame.event.Event, now: float) -> list[Event]:
        if event.key == pygame.K_ESCAPE or (event.key == pygame.K_q and event.mod & pygame.KMOD_CTRL):
            self.closed = True
            return []
        button = get_button_for_key(event.key, event.unicode)
        if button is None:
            if self._panel:
                self._panel.handle_key(event.key, now, down=True)
            return []
        self._held_keys[event.key] = button
        return [ButtonPressed(button, now)]

    def _handle_key_up(self, event: pygame.event.Event, now: float) -> list[Event]:
        button = self._held_keys.pop(event.key, None)
        if button is not None:
            return [ButtonReleased(button, now)]
        if self._panel:
            self._panel.handle_key(event.key, now, down=False)
        return []

    def _handle_touch(self, event: pygame.event.Event, now: float) -> list[Event]:
        """Several fingers at once, each pressing and letting go by itself."""
        if event.type == pygame.FINGERUP:
            button = self._touched_buttons.pop(event.finger_id, None)
            return [ButtonReleased(button, now, TOUCH_SOURCE)] if button else []
        width, height = self._surface.get_size()
        at = self._rotated.unrotate((min(width - 1, int(event.x * width)), min(height - 1, int(event.y * height))))
        button = self._screen.button_at(at) if self._display.get_rect().collidepoint(at) else None
        if button is None or button in self._touched_buttons.values():
            return []
        self._touched_buttons[event.finger_id] = button
        return [ButtonPressed(button, now, TOUCH_SOURCE)]

    def _handle_mouse(self, event: pygame.event.Event, now: float) -> list[Event]:
        at = self._rotated.unrotate(pygame.mouse.get_pos() if event.type == pygame.MOUSEWHEEL else event.pos)
        if event.type == pygame.MOUSEBUTTONUP and self._clicked_button:
            button, self._clicked_button = self._clicked_button, None
            return [ButtonReleased(button, now)]
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1 and self._display.get_rect().collidepoint(at):
            # SDL makes a mouse of the first finger as well, which has been heeded as a finger.
            self._clicked_button = None if getattr(event, "touch", False) else self._screen.button_at(at)
            return [ButtonPressed(self._clicked_button, now)] if self._clicked_button else []
        if self._panel:
            self._panel.handle_mouse(event, at, now)
        return []

    def show(self, shown: ScreenState) -> None:
        """Draws what differs from the last time. The virtual table stands beside it where the camera plays."""
        side = self._panels_by_game.get(shown.game_name, self._default_panel) if shown.uses_camera else None
        if (
            side is not self._panel
            or self._screen.preferences != self._preferences()
            or self._language != current_language()
        ):
            self._panel = side
            self._lay_out(self._surface)
        volume, spoken = self._volume()
        self._sounds.configure(volume, announce=spoken)
        self._sounds.play_change(shown)
        changed = list(self._screen.draw(self._display, shown))
        if self._panel:
            changed += self._panel.draw(self._rotated.surface)
        if changed:
            pygame.display.update(self._rotated.copy_to_screen(changed))
