"""A demo: a game that plays itself on the screen at people's pace, with captions and the simulated table beside it.

It has a journal of its own in a temporary folder: nothing of it reaches the journal or the history.
"""

from __future__ import annotations

import random
import tempfile
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from companion.api import AnyGameDefinition
from companion.app.session import Session, SessionConfig
from companion.events import ButtonPressed, CameraState, CharacterTyped, Event, HelpPressed
from companion.i18n import N_, _
from companion.journal.database import JOURNAL_FILE, Journal
from companion.lobby import Lobby
from companion.log import log
from companion.screen_state import ScreenKind, ScreenState

if TYPE_CHECKING:  # OpenCV comes with it
    from companion.app.simulator_panel import FramePanel
    from hardware.cameras.sources import Camera, Frame

DEMO_NAMES = ("Ada", "Ben", "Cleo")
"""Names of the players; a game for fewer or more gets others."""
PAUSE_SECONDS = 1.8
"""Seconds between two actions of the players, so that people can follow."""
THINKING_SECONDS = (1.0, 5.0)
"""Shortest and longest time in seconds until the next action while the game waits for nobody."""
MAX_LAG_SECONDS = 0.5
"""Seconds that the demo may be behind; on a slower computer it then goes on from there, slower."""
CAPTION_SECONDS = 4.0
"""Seconds that a caption stays at least."""
CAPTIONS = {
    ScreenKind.LOBBY: N_("Each player joins with a press"),
    ScreenKind.FIRST: N_("The box draws who begins"),
    ScreenKind.RESULT: N_("Nobody had to add up. Press any button"),
}
"""Captions by screen."""
CAMERA_CAPTIONS = {
    CameraState.ROLLING: N_("The camera watches the dice roll"),
    CameraState.HAND: N_("The camera waits for the hand to leave"),
}
"""Captions by the state of the camera."""
READ_CAPTION = N_("The camera has read the table")
PRESS_CAPTION = N_("Who pressed first is never argued about")
SCORE_CAPTION = N_("The box keeps the score")
CLOCK_CAPTION = N_("The box keeps the time")
FIRST_CAPTION = N_("Demo: press any button to play")


class _WatchedCamera:
    """Passes the frames of a camera on, and shows each in a panel."""

    def __init__(self, camera: Camera, panel: FramePanel) -> None:
        self._camera, self._panel = camera, panel
        self.name = camera.name

    def read(self) -> Frame | None:
        frame = self._camera.read()
        if frame is not None:
            self._panel.show_frame(frame)
        return frame

    def close(self) -> None:
        self._camera.close()


class Demo:
    """One game that plays itself. Loads OpenCV, and the networks if the game uses the camera.

    Args:
        monotonic: the host's monotonic clock, in seconds.
        seed: makes the game repeatable.

    Attributes:
        panel: shows the simulated table.
        is_over: the game has ended: the picture stands still.

    Raises:
        OSError: the temporary folder cannot be made.
        JournalError: the journal in it cannot be opened.
    """

    def __init__(self, definition: AnyGameDefinition, monotonic: Callable[[], float], seed: int) -> None:
        from companion.app.self_play import SelfPlay
        from companion.app.simulator_panel import FramePanel
        from companion.camera.reader import make_watcher

        self.panel = FramePanel()
        self.is_over = False
        self._monotonic = monotonic
        few, many = definition.player_counts[0], definition.player_counts[-1]
        names = DEMO_NAMES if few <= len(DEMO_NAMES) <= many else ()
        self._folder = tempfile.TemporaryDirectory(prefix="companion-demo-")
        self._journal = Journal(Path(self._folder.name) / JOURNAL_FILE)
        self._play = SelfPlay(
            SessionConfig(definition, names, definition.settings_model(), seed),
            self._journal,
            make_watcher(definition.camera) if definition.camera else None,
            lambda _line: None,
            default_player_count=few,
            wrap_camera=lambda camera: _WatchedCamera(camera, self.panel),
        )
        if self._play.kit is not None:
            self.panel.show_table(self._play.kit, self._play.table)
        self._play.players.pause_seconds = PAUSE_SECONDS
        self._play.players.thinking_seconds = THINKING_SECONDS
        self._began_at = monotonic()
        self._state: ScreenState | None = None
        self._caption, self._caption_until = FIRST_CAPTION, CAPTION_SECONDS

    def advance(self) -> ScreenState:
        """Play on to the present time; return the state of the screen with its caption.

        Raises:
            Exception: anything that `SelfPlay.step` raises.
        """
        clock = self._play.clock
        while self._state is None or (not self.is_over and clock.now < self._monotonic() - self._began_at):
            before, state = self._state, self._play.step()
            self._choose_caption(before, state)
            saved_game = self._play.session.saved_game
            self.is_over = saved_game is not None and saved_game.game.compute_outcome() is not None
            self.panel.is_moving = not self.is_over
            self._state = replace(state, is_demo=True, notice=None, last_move=_(self._caption))
            behind = self._monotonic() - self._began_at - clock.now
            if behind > MAX_LAG_SECONDS:
                self._began_at += behind
        return self._state

    def _choose_caption(self, before: ScreenState | None, state: ScreenState) -> None:
        caption = ""
        if before is None or state.kind is not before.kind:
            caption = CAPTIONS.get(state.kind, "")
        elif state.scores != before.scores:
            caption = SCORE_CAPTION
        elif state.camera_view.state is not before.camera_view.state:
            caption = CAMERA_CAPTIONS.get(state.camera_view.state, READ_CAPTION)
        elif state.clocks and not before.clocks:
            caption = CLOCK_CAPTION
        elif len(state.pressed_buttons) > 1:
            caption = PRESS_CAPTION
        now = self._play.clock.now
        is_due = now >= self._caption_until or state.kind is ScreenKind.RESULT
        if caption and is_due:
            self._caption, self._caption_until = caption, now + CAPTION_SECONDS

    def close(self) -> None:
        """Close the journal and delete the temporary folder; may be called twice."""
        self._play.camera_reader.close()
        self._journal.close()
        self._folder.cleanup()


class DemoSchedule:
    """Starts a demo at once, or once the lobby was quiet for a while; any press ends it and leads back to the lobby.

    After one game the demo stands still until somebody presses.

    Args:
        session: its lobby is what a demo leads back to; it is not changed.
        monotonic: the host's monotonic clock, in seconds.
        quiet_minutes: minutes without a press in the lobby after which a demo starts; 0: never.
        seed: returns the seed of the next demo.
        starts_now: start with a demo, of the game that the lobby offers.
        make_demo: makes a demo.
    """

    def __init__(
        self,
        session: Session,
        monotonic: Callable[[], float],
        quiet_minutes: float,
        seed: Callable[[], int] = lambda: random.SystemRandom().randrange(1_000_000),
        *,
        starts_now: bool = False,
        make_demo: Callable[[AnyGameDefinition, Callable[[], float], int], Demo] = Demo,
    ) -> None:
        self._session, self._monotonic, self._quiet_minutes = session, monotonic, quiet_minutes
        self._seed, self._make_demo, self._starts_now = seed, make_demo, starts_now
        self._quiet_since = monotonic()
        self._loading: threading.Thread | None = None
        self.demo: Demo | None = None

    def step(self, events: list[Event]) -> tuple[list[Event], ScreenState | None]:
        """Start, go on with or end the demo.

        Args:
            events: the events of this turn.

        Returns:
            The events for the session, without the press that ended a demo, and the state to be shown in place of the
            session's; None: there is no demo.
        """
        has_press = any(isinstance(event, ButtonPressed | CharacterTyped | HelpPressed) for event in events)
        lobby = self._session.stage
        if self.demo is not None and (has_press or self.demo.panel.was_touched or not isinstance(lobby, Lobby)):
            self.close()
            return [
                event for event in events if not isinstance(event, ButtonPressed | CharacterTyped | HelpPressed)
            ], None
        now = self._monotonic()
        if has_press or not isinstance(lobby, Lobby):
            self._quiet_since, self._starts_now = now, False
        elif self.demo is None and self._is_due(now) and self._has_loaded():
            self._starts_now = False
            self._try(lambda: self._start(lobby.definition))
        state = None
        if self.demo is not None:
            state = self._try(self.demo.advance)
        return events, state

    def close(self) -> None:
        """End the demo, if one is shown."""
        if self.demo is not None:
            self.demo.close()
            self.demo = None
        self._quiet_since = self._monotonic()

    def _is_due(self, now: float) -> bool:
        is_quiet = self._quiet_minutes > 0 and now - self._quiet_since >= self._quiet_minutes * 60
        return self._starts_now or is_quiet

    def _has_loaded(self) -> bool:
        """Load OpenCV in a thread, so that the lobby answers meanwhile; return whether that is done."""
        if self._loading is None:
            self._loading = threading.Thread(target=_load_modules, name="demo", daemon=True)
            self._loading.start()
        return not self._loading.is_alive()

    def _start(self, definition: AnyGameDefinition) -> None:
        self.demo = self._make_demo(definition, self._monotonic, self._seed())

    def _try(self, act: Callable[[], ScreenState | None]) -> ScreenState | None:
        """Do something; a demo that fails is ended and logged: the lobby is what people need."""
        try:
            return act()
        except Exception:
            log.exception("The demo failed and was ended.")
            self.close()
            self._quiet_minutes = 0.0
            return None


def _load_modules() -> None:
    import companion.app.self_play
    import companion.camera.reader  # noqa: F401 - only to load them
