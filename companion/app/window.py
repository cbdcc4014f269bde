"""The SDL window: the companion's screen and, if there is one, the simulated table beside it.

Keys, clicks and touches (`touch_input`) become events, stamped when SDL delivers them. On a Pi the window is the whole
screen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pygame

from companion.app.touch_input import FINGER_EVENTS, TouchInput
from companion.config.settings import DisplaySettings
from companion.display.screen import Screen
from companion.display.sound.player import SoundPlayer
from companion.display.sound.spoken_lines import SpeechLevel
from companion.display.toolkit.preferences import DisplayPreferences
from companion.display.toolkit.rotation import RotatedSurface
from companion.display.toolkit.theme import BACKGROUND, PALETTES
from companion.display.widgets.cover import compose_cover, fit_cover, has_cover
from companion.events import (
    Button,
    ButtonPressed,
    ButtonReleased,
    CharacterTyped,
    Event,
    HelpPressed,
    TableMissed,
)
from companion.i18n import current_language
from companion.log import log
from companion.referee.dialogs.name_input import is_name_character
from companion.screen_state import ScreenState
from hardware.buttons.keyboard import find_sign_keys, get_button_for_key, get_latin_key
from hardware.console_screen import (
    CONSOLE_DRIVER,
    find_keyboard_problem,
    find_screen_problem,
    is_on_console,
    silence_wayland,
)

if TYPE_CHECKING:  # OpenCV comes with it: only where there is a virtual table
    from companion.app.table_panel.panel import SimulatorPanel, TablePanel

DISPLAY_ASPECT = 5 / 3
"""Longer side of the display beside a simulated table, as a multiple of the shorter one: that of the screens it is made
for. The table has the rest."""
MAX_DISPLAY_SHARE = 0.5
"""Largest share of the window's longer side for the display (0 to 1)."""
TABLE_WINDOW_RATIO = 1.5
"""Size of the window with a table, as a multiple of its size without."""
MAX_WINDOW_SHARE = 0.9
"""Largest share of the screen's width and height of a window with a table: title bar and taskbar need the rest."""
POLL_STEP_MS = 8
"""Milliseconds between two checks while it waits; below the timing resolution of a keyboard."""
BUSY_WAIT_STEPS = 2
"""Checks for which `poll_events` waits for an event while something moves: 16 ms, one frame at 60 Hz."""
IDLE_WAIT_STEPS = 12
"""The same while nothing moves: 96 ms. Longer: less work, and later notice of camera and button events."""


class NoScreen(RuntimeError):
    """There is no screen for a window; the message says what to do."""


def open_surface(display: DisplaySettings, *, with_table: bool = False) -> pygame.Surface:
    """Initialise pygame's display, and open the window or take the whole screen.

    Args:
        display: size of the companion's display, and whether it fills the screen.
        with_table: make room for a simulated table beside it. The window is never larger than the screen.

    Returns:
        The surface of the window, for `Window`. pygame's display stays initialised.

    Raises:
        NoScreen: there is no screen; the message says what is missing. A driver of SDL without a visible picture
            ("offscreen", "dummy") counts as none.
        pygame.error: SDL found a screen but cannot open a window on it.
    """
    # Checked before SDL, whose error is the same for every cause on a bare console.
    on_console = is_on_console()
    problem = find_screen_problem() if on_console else None
    try:
        with silence_wayland():
            pygame.display.init()
    except pygame.error as error:
        raise NoScreen(f"no screen here ({problem or error})") from error
    driver = pygame.display.get_driver()
    if driver in {"offscreen", "dummy"}:
        pygame.display.quit()
        raise NoScreen(f"no screen here ({problem or f'SDL has no visible output, driver {driver}'})")
    if on_console and (input_problem := find_keyboard_problem()):
        log.warning("Keyboard, mouse and touch screen do not work: %s.", input_problem)
    pygame.display.set_caption("The companion")
    if display.fullscreen:
        return pygame.display.set_mode((0, 0), pygame.FULLSCREEN)
    width, height = display.size
    across, down = pygame.display.get_desktop_sizes()[0]
    if with_table:
        width = min(round(TABLE_WINDOW_RATIO * width), round(MAX_WINDOW_SHARE * across))
        height = min(round(TABLE_WINDOW_RATIO * height), round(MAX_WINDOW_SHARE * down))
    return pygame.display.set_mode((min(width, across), min(height, down)), pygame.RESIZABLE)


def split_window(length: int, across: int) -> int:
    """Return the display's part of the window's longer side, in pixels, beside a simulated table.

    >>> split_window(1920, 1080), split_window(1024, 768), split_window(800, 600)
    (648, 461, 360)
    """
    return round(min(MAX_DISPLAY_SHARE * length, across / DISPLAY_ASPECT))


def _wait_for_events(steps: int) -> list[pygame.event.Event]:
    """Return SDL's events; wait at most `steps` times POLL_STEP_MS for the first one.

    `pygame.event.wait` polls every millisecond, which would be most of the CPU time of an idle screen.
    """
    for _ in range(steps):
        events = pygame.event.get()
        if events:
            return events
        pygame.time.wait(POLL_STEP_MS)
    return pygame.event.get()


def _make_scancode_lookup() -> Callable[[int], int]:
    """Return the function from key codes to scancodes in the keyboard's layout, which pygame has nowhere else.

    The keys that are held are indexed by key code, and stored by scancode.
    """
    wrapper: Any = type(pygame.key.get_pressed())
    scancodes = wrapper(range(512))
    return lambda key_code: int(scancodes[key_code])


class Window:
    """The SDL window with the screen, the sounds and an optional simulated table. To be used by the main thread only.

    F11 fills the screen and returns to a window. `closed` becomes True when the user closes the window or presses Esc
    or Ctrl-Q; it may be set to end the main loop.

    Args:
        surface: the surface of `open_surface`.
        monotonic: the clock that stamps the events, in seconds.
        panel: the simulated table beside the display; None: there is none.
        panels_by_game: simulated tables of games that have their own, by the game's name.
        preferences: returns the current display preferences; called before each frame.
        volume: returns the volume, 0 to 10, and the name of a `SpeechLevel`; called before each frame.
        demo_panel: returns the table of the demo that is shown; None: there is no demo.
        note_drawn: called with the upright picture whenever it has changed.

    Raises:
        pygame.error: the screen is lost.
    """

    def __init__(
        self,
        surface: pygame.Surface,
        monotonic: Callable[[], float],
        panel: SimulatorPanel | None = None,
        panels_by_game: Mapping[str, SimulatorPanel] | None = None,
        preferences: Callable[[], DisplayPreferences] = DisplayPreferences,
        volume: Callable[[], tuple[int, str]] = lambda: (7, SpeechLevel.OFF),
        demo_panel: Callable[[], TablePanel | None] = lambda: None,
        note_drawn: Callable[[pygame.Surface], None] = lambda _surface: None,
    ) -> None:
        self._panels_by_game = panels_by_game or {}
        self._preferences = preferences
        self.closed = False
        self._monotonic = monotonic
        self._default_panel = panel
        self._panel: TablePanel | None = panel
        self._demo_panel = demo_panel
        self._note_drawn = note_drawn
        self._asks_for_text = self._is_demo = False
        width, height = surface.get_size()
        is_full = bool(surface.get_flags() & pygame.FULLSCREEN)
        self._windowed_size = (width * 3 // 4, height * 3 // 4) if is_full else (width, height)
        """Size in pixels that the window has when it is not full screen."""
        self._held_keys: dict[int, Button] = {}
        """Buttons held by a key, by its scancode."""
        self._clicked_button: Button | None = None
        self._touch = TouchInput()
        self._volume = volume
        self._sounds = SoundPlayer()
        self._sign_keys = find_sign_keys(_make_scancode_lookup())
        self._lay_out(surface)

    def _read_preferences(self) -> DisplayPreferences:
        return replace(self._preferences(), sign_keys=self._sign_keys)

    def _lay_out(self, surface: pygame.Surface) -> None:
        self._surface = surface
        self._language = current_language()
        preferences = self._read_preferences()
        self._rotated = RotatedSurface(surface, preferences.rotation_deg)
        upright = self._rotated.surface
        width, height = upright.get_size()
        wide, tall = width, height
        if self._panel and height > width:
            tall = split_window(height, width)
            self._panel_area = pygame.Rect(0, tall, width, height - tall)
        elif self._panel:
            wide = split_window(width, height)
            self._panel_area = pygame.Rect(wide, 0, width - wide, height)
        if self._panel:
            self._panel.place(self._panel_area)
        self._display = upright.subsurface(pygame.Rect(0, 0, wide, tall))
        self._screen = Screen(self._display.get_size(), preferences, self._monotonic)
        self._touch.lay_out(surface.get_size(), self._rotated, self._display.get_rect(), self._screen)
        for each in (surface, upright):
            each.fill(PALETTES[preferences.palette][BACKGROUND])
        self._is_new_layout = True

    def poll_events(self, *, soon: bool = False) -> Sequence[Event]:
        """Wait at most 96 ms (16 ms while something moves) for an event of SDL, and handle all there are.

        Args:
            soon: wait at most 16 ms, because a press is held back elsewhere.

        Returns:
            Presses and releases of buttons by keys, mouse and touch, and characters typed where a text is asked for,
            since the last call, earliest first, on the clock `monotonic`; empty: there were none.

        Raises:
            pygame.error: the screen is lost.
            Exception: an error of the simulated table is passed on.
        """
        events: list[Event] = []
        steps = BUSY_WAIT_STEPS if soon or self._is_moving() else IDLE_WAIT_STEPS
        for event in _wait_for_events(steps):
            events += self._handle_sdl_event(event)
        if self._panel is not None and self._panel.was_missed:
            self._panel.was_missed = False
            events.append(TableMissed(self._monotonic()))
        if any(isinstance(event, ButtonPressed | CharacterTyped) for event in events):
            self._sounds.play_key_click()
        return events

    @property
    def hides_keys(self) -> bool:
        """Whether the last picture shows no keys, because the winner is not seen yet (see `Screen.hides_keys`)."""
        return self._screen.hides_keys

    def skip_ending(self, pressed: Set[Button]) -> Set[Button]:
        """Let presses skip what comes before the winner; return those that are used up (see `Screen.skip_ending`)."""
        return self._screen.skip_ending(pressed)

    def _is_moving(self) -> bool:
        held = bool(self._held_keys or self._clicked_button or self._touch.is_holding)
        return held or self._screen.is_animating or (self._panel is not None and self._panel.is_moving)

    def _handle_sdl_event(self, event: pygame.event.Event) -> list[Event]:
        now = self._monotonic()
        if event.type == pygame.QUIT:
            self.closed = True
        elif event.type == pygame.VIDEORESIZE:
            self._lay_out(pygame.display.get_surface())
        elif event.type == pygame.VIDEOEXPOSE:
            # Without a compositor the part that was covered is lost.
            pygame.display.flip()
        elif event.type == pygame.KEYMAPCHANGED:
            self._sign_keys = find_sign_keys(_make_scancode_lookup())
        elif event.type == pygame.KEYDOWN:
            return self._handle_key_down(event, now)
        elif event.type == pygame.TEXTINPUT and self._asks_for_text:
            return [CharacterTyped(character, now) for character in event.text if is_name_character(character)]
        elif event.type == pygame.KEYUP:
            return self._handle_key_up(event, now)
        elif event.type in FINGER_EVENTS:
            return self._touch.handle(event, now, self._panel, is_demo=self._is_demo)
        elif event.type in {pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP, pygame.MOUSEMOTION, pygame.MOUSEWHEEL}:
            return self._handle_mouse(event, now)
        return []

    def _handle_key_down(self, event: pygame.event.Event, now: float) -> list[Event]:
        key = get_latin_key(event.key, event.scancode)
        if key == pygame.K_ESCAPE or (key == pygame.K_q and event.mod & pygame.KMOD_CTRL):
            self.closed = True
            return []
        if event.key == pygame.K_F11:
            self._toggle_fullscreen()
            return []
        if event.key == pygame.K_F1 or (event.unicode == "?" and not self._asks_for_text):
            return [HelpPressed(now)]
        if self._asks_for_text and event.key == pygame.K_BACKSPACE:
            return [CharacterTyped("\b", now)]
        if self._asks_for_text and is_name_character(event.unicode):
            return []  # follows as TEXTINPUT, with its accent
        button = get_button_for_key(event.scancode, event.unicode)
        if button is None:
            if self._panel:
                self._panel.handle_key(key, now, down=True)
            return []
        self._held_keys[event.scancode] = button
        return [ButtonPressed(button, now)]

    def _toggle_fullscreen(self) -> None:
        """Fill the screen, or return to a window. On a bare console there are no windows."""
        if pygame.display.get_driver().lower() == CONSOLE_DRIVER:
            return
        if self._surface.get_flags() & pygame.FULLSCREEN:
            self._lay_out(pygame.display.set_mode(self._windowed_size, pygame.RESIZABLE))
        else:
            self._windowed_size = self._surface.get_size()
            self._lay_out(pygame.display.set_mode((0, 0), pygame.FULLSCREEN))

    def _handle_key_up(self, event: pygame.event.Event, now: float) -> list[Event]:
        button = self._held_keys.pop(event.scancode, None)
        if button is not None:
            return [ButtonReleased(button, now)]
        if self._panel:
            self._panel.handle_key(get_latin_key(event.key, event.scancode), now, down=False)
        return []

    def _handle_mouse(self, event: pygame.event.Event, now: float) -> list[Event]:
        if getattr(event, "touch", False):
            return []  # SDL reports the first finger as a mouse too; it was handled as a touch
        at = self._rotated.unrotate(pygame.mouse.get_pos() if event.type == pygame.MOUSEWHEEL else event.pos)
        if event.type == pygame.MOUSEBUTTONUP and self._clicked_button:
            button, self._clicked_button = self._clicked_button, None
            return [ButtonReleased(button, now)]
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1 and self._display.get_rect().collidepoint(at):
            if self._screen.is_help_at(at):
                return [HelpPressed(now)]
            self._clicked_button = self._screen.button_at(at)
            if self._panel and self._is_demo:
                self._panel.handle_mouse(event, at, now)  # a demo ends by a click anywhere
            return [ButtonPressed(self._clicked_button, now)] if self._clicked_button else []
        if self._panel:
            self._panel.handle_mouse(event, at, now)
        return []

    def show(self, state: ScreenState) -> None:
        """Draw what has changed since the last call, and play its sounds.

        The simulated table is shown for games that use the camera.

        Args:
            state: all that the display needs.

        Raises:
            pygame.error: the screen is lost.
            Exception: an error of the game's scene or of the simulated table is passed on.
        """
        panel: TablePanel | None = None
        if state.uses_camera:
            panel = self._panels_by_game.get(state.game_name, self._default_panel)
        if state.is_demo:
            panel = self._demo_panel() if state.uses_camera else None
        if (
            panel is not self._panel
            or self._screen.preferences != self._read_preferences()
            or self._language != current_language()
        ):
            self._panel = panel
            self._lay_out(self._surface)
        self._asks_for_text, self._is_demo = state.asks_for_text, state.is_demo
        volume, speech = (0, SpeechLevel.OFF) if state.is_demo else self._volume()
        self._sounds.configure(volume, SpeechLevel(speech))
        changed = list(self._screen.draw(self._display, state))
        if self._is_new_layout:
            # Until here people see the last picture; now the game, while the table's first picture is drawn.
            self._is_new_layout = False
            if self._panel and has_cover(state.game_name):
                cover = fit_cover(self._panel_area)
                self._rotated.surface.blit(compose_cover(state.game_name, cover.size), cover)
            self._rotated.copy_to_screen([self._rotated.surface.get_rect()])
            pygame.display.flip()
        if (heard := self._screen.choose_heard_state(state)) is not None:
            self._sounds.play_change(heard)
        if self._panel:
            self._panel.follow(state)
            changed += self._panel.draw(self._rotated.surface)
        if changed:
            pygame.display.update(self._rotated.copy_to_screen(changed))
            self._note_drawn(self._rotated.surface)
