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
PAUSE, LONGEST = 1.0, 8.0
"""Seconds until the first attempt to open a lost screen anew, doubled with each; at most so many."""
LOOK_AGAIN = 2.0
"""Seconds between two looks at the cables, and between two attempts at a scene that failed."""
TURN = 0.02
"""Seconds that a turn of the loop waits where no window can."""


class Shows(Protocol):
    """A window (`companion.app.window.Window`)."""

    closed: bool

    def signals(self, *, soon: bool = False) -> Sequence[Event]: ...

    def show(self, shown: ScreenState) -> None: ...


class Lasting:
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
        make: Callable[[pygame.Surface], Shows],
        reopen: Callable[[], pygame.Surface],
        monotonic: Callable[[], float],
        pause: Callable[[float], None] = time.sleep,
        plugged: Callable[[], bool | None] = is_display_connected,
        look: Callable[[], DisplayPreferences] = DisplayPreferences,
    ) -> None:
        self.closed = False
        self._make, self._reopen, self._monotonic = make, reopen, monotonic
        self._pause, self._plugged, self._look = pause, plugged, look
        self._window: Shows | None = None
        self._surface: pygame.Surface | None = None
        self._tries = 0
        self._again = self._look_at = monotonic()
        self._cable: bool | None = plugged()
        self._opened_at = self._made_anew_at = -LONGEST
        self._plain: Plain | None = None
        self._scene_again = monotonic()
        self._shown: ScreenState | None = None
        if surface is not None:
            self._take(surface)

    @property
    def there(self) -> bool:
        """Whether there is a screen."""
        return self._window is not None

    def signals(self, *, soon: bool = False) -> Sequence[Event]:
        """What was pressed since the last call, see `Window.signals`."""
        self._look_at_the_cable()
        if self._window is None:
            self._open()
        window = self._window
        if window is None:
            self._pause(TURN)
            return []
        try:
            signals = window.signals(soon=soon)
        except pygame.error as why:
            self._lose(str(why))
            return []
        except Exception:  # whatever it is: once it is taken for the window's own fault, and then it ends the program
            now = self._monotonic()
            if self._surface is None or now - self._made_anew_at < LOOK_AGAIN:
                raise
            log.exception("What was pressed could not be read; the window is made anew.")
            self._made_anew_at = now
            self._take(self._surface)
            return []
        self.closed = self.closed or window.closed
        return signals

    def show(self, shown: ScreenState) -> None:
        """Draws what differs from the last time."""
        if self._window is None or self._surface is None:
            return
        if self._plain is not None:
            if self._monotonic() < self._scene_again:
                self._show_plainly(shown)
                return
            try:
                # Not on the screen, where the words stand until it succeeds.
                self._make(self._surface.copy()).show(shown)
            except Exception:  # noqa: BLE001 - whatever fails in a scene, `_fail` logs it and the words stay
                self._fail(shown)
                return
            # What is left of a failed drawing is not built upon.
            self._take(self._surface)
        try:
            self._window.show(shown)
        except Exception as why:  # noqa: BLE001 - see above
            fresh = self._monotonic() - self._opened_at < LOOK_AGAIN
            if isinstance(why, pygame.error) and not fresh:
                self._lose(str(why))
            else:
                self._fail(shown)
        else:
            if self._plain is not None:
                log.info("The picture of the game is drawn again.")
                self._plain = None

    def _take(self, surface: pygame.Surface) -> None:
        self._surface, self._window = surface, self._make(surface)

    def _open(self) -> None:
        now = self._monotonic()
        if now < self._again:
            return
        try:
            surface = self._reopen()
            self._take(surface)
        except (pygame.error, RuntimeError) as why:
            if self._tries == 0:
                log.warning(
                    "There is %s. Waiting for one; the game goes on by buttons. `companion doctor` tells more.", why
                )
            self._again = now + min(LONGEST, PAUSE * 2.0**self._tries)
            self._tries += 1
            self._window = self._surface = None
            return
        log.info("The screen is there, %d x %d.", *surface.get_size())
        self._tries, self._opened_at = 0, now

    def _lose(self, why: str) -> None:
        log.warning("The screen is lost (%s): it is opened anew.", why)
        self._window = self._surface = None
        self._again, self._tries = self._monotonic(), 0
        pygame.display.quit()

    def _look_at_the_cable(self) -> None:
        now = self._monotonic()
        if now < self._look_at:
            return
        self._look_at = now + LOOK_AGAIN
        before, self._cable = self._cable, self._plugged()
        if self._cable is before or self._cable is None or before is None:
            return
        if not self._cable:
            log.warning("The screen is off, or its cable is out. The game goes on by buttons.")
        elif self._window is not None and pygame.display.get_driver().lower() == CONSOLE_DRIVER:
            self._lose("it was off")

    def _fail(self, shown: ScreenState) -> None:
        if self._plain is None:
            log.exception("The picture of %s cannot be drawn; its words are shown.", shown.game_name)
            self._plain, self._shown = Plain(), None
        self._scene_again = self._monotonic() + LOOK_AGAIN
        self._show_plainly(shown)

    def _show_plainly(self, shown: ScreenState) -> None:
        assert self._plain is not None
        assert self._surface is not None
        if shown == self._shown:
            return
        self._shown = shown
        look = self._look()
        sheet = RotatedSurface(self._surface, look.rotation_deg)
        self._plain.draw(sheet.surface, shown, look)
        sheet.copy_to_screen([sheet.surface.get_rect()])
        try:
            pygame.display.flip()
        except pygame.error as why:
            self._lose(str(why))


class Plain:
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
            self._words(surface, wordy)

    @staticmethod
    def _words(surface: pygame.Surface, shown: ScreenState) -> None:
        size = max(14, surface.get_height() // 18)
        font = pygame.font.Font(None, size)
        surface.fill((0, 0, 0))
        keys = [f"{key.button.value}: {key.label}" for key in shown.soft_keys if key.label]
        for number, line in enumerate([shown.prompt, *keys]):
            surface.blit(font.render(line, True, (255, 255, 255)), (size, size + number * round(size * 1.3)))
