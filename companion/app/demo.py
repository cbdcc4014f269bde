"""A demo: a game that plays itself at people's pace, with the simulated table beside it and captions below that.

It has a journal of its own in a temporary folder: nothing of it reaches the journal or the history.
"""

from __future__ import annotations

import random
import tempfile
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING

from companion.api import AnyGameDefinition
from companion.api.registry import find_demo_game
from companion.app.session import Session, SessionConfig
from companion.events import ButtonPressed, CharacterTyped, Event, HelpPressed
from companion.i18n import N_, _
from companion.journal.database import JOURNAL_FILE, Journal
from companion.lobby import Greeting, Lobby
from companion.lobby.demo_title import build_demo_title
from companion.log import log
from companion.screen_state import ScreenKind, ScreenState
from companion.simulation.demo_script import DemoCaption, DemoScript

if TYPE_CHECKING:  # OpenCV comes with it
    from companion.vision.reading import Reading

DEMO_NAMES = ("Ada", "Ben", "Cleo")
"""Names of the players; a game for fewer or more gets others."""
PAUSE_SECONDS = 1.6
"""Seconds between two actions of the players, so that people can follow."""
THINKING_SECONDS = (1.0, 3.0)
"""Shortest and longest time in seconds until the next action while the game waits for nobody."""
MAX_LAG_SECONDS = 0.5
"""Seconds that the demo may be behind; on a slower computer it then goes on from there, slower."""
READING_SECONDS = 2.8
"""Seconds that the players wait while a caption is new, so that people can read it."""
CAPTION_SECONDS = 4.0
"""Seconds that a caption stays, unless another one comes."""
RESULT_SECONDS = 9.0
"""Seconds from the end of the game to the title."""
CAPTIONS = {
    ScreenKind.LOBBY: N_("Each player joins with a press"),
    ScreenKind.FIRST: N_("The companion draws who begins"),
    ScreenKind.RESULT: N_("Nobody had to add up"),
}
"""Captions by screen."""


PRESSES = (ButtonPressed, CharacterTyped, HelpPressed)
"""Events that end a demo."""
RESTING = (Greeting, Lobby)
"""Stages from which a demo starts, and to which it leads back."""


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
        from companion.app.table_panel.demo_panel import DemoPanel
        from companion.camera.camera_reader import make_watcher

        self.panel = DemoPanel()
        self.is_over = False
        self._definition, self._monotonic = definition, monotonic
        self._script: DemoScript | None = resolve_name(definition.demo) if definition.demo else None
        few, many = definition.player_counts[0], definition.player_counts[-1]
        names = DEMO_NAMES if few <= len(DEMO_NAMES) <= many else ()
        self._folder = tempfile.TemporaryDirectory(prefix="companion-demo-")
        self._journal = Journal(Path(self._folder.name) / JOURNAL_FILE)
        rules = self._script.settings if self._script else {}
        self._play = SelfPlay(
            SessionConfig(
                definition,
                names,
                definition.settings_model.model_validate(rules),
                seed,
                is_table_virtual=bool(names),  # without names people would be greeted
            ),
            self._journal,
            make_watcher(definition.camera) if definition.camera else None,
            lambda _line: None,
            default_player_count=few,
            weigh=self._script.weigh if self._script else None,
        )
        if self._play.kit is not None and self._play.renderer is not None:
            self.panel.show_table(self._play.kit, self._play.table, self._play.renderer)
        self._play.players.pause_seconds = PAUSE_SECONDS
        self._play.players.thinking_seconds = THINKING_SECONDS
        self._began_at = monotonic()
        self._state: ScreenState | None = None
        self._caption_until = 0.0
        self._seen: Reading | None = None

    def advance(self) -> ScreenState:
        """Play on to the present time; return the state of the screen.

        Raises:
            Exception: anything that `SelfPlay.step` raises.
        """
        clock = self._play.clock
        while self._state is None or (not self.is_over and clock.now < self._elapsed):
            before, state = self._state, self._play.step()
            self._choose_caption(before, state)
            saved_game = self._play.session.saved_game
            self.is_over = saved_game is not None and saved_game.game.compute_outcome() is not None
            self.panel.is_moving = not self.is_over
            self._state = replace(state, is_demo=True, notice=None)
            behind = self._elapsed - clock.now
            if behind > MAX_LAG_SECONDS:
                self._began_at += behind
        if self.is_over and self._elapsed - clock.now >= RESULT_SECONDS:
            return build_demo_title(self._definition)
        return self._state

    @property
    def _elapsed(self) -> float:
        """Seconds since the demo began, without those by which it was too slow."""
        return self._monotonic() - self._began_at

    def _choose_caption(self, before: ScreenState | None, state: ScreenState) -> None:
        now = self._play.clock.now
        caption = self._find_caption(before, state)
        if caption is not None:
            self.panel.show_caption(caption)
            self._caption_until = now + CAPTION_SECONDS
            self._play.players.wait_until(now + READING_SECONDS)
        elif now >= self._caption_until and self.panel.caption.text:
            self.panel.show_caption(DemoCaption(""))

    def _find_caption(self, before: ScreenState | None, state: ScreenState) -> DemoCaption | None:
        """Return what is to be said of a change of the screen; None: nothing."""
        if before is None or state.kind is not before.kind:
            text = CAPTIONS.get(state.kind, "")
            if state.kind is ScreenKind.PLAY and self._script is not None:
                self._seen = state.camera_view.reading
                return DemoCaption(self._script.format_intro())
            return DemoCaption(_(text)) if text else None
        if self._script is None or state.kind is not ScreenKind.PLAY or state.view == before.view:
            return None
        names, sees = tuple(player.name for player in state.players), state.camera_view.reading
        caption = self._script.find_caption(before.view, state.view, self._seen, sees, names)
        self._seen = sees
        return caption

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
        starts_now: start with a demo.
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

    def step(self, events: list[Event], *, is_seen: bool = True) -> tuple[list[Event], ScreenState | None]:
        """Start, go on with or end the demo.

        Args:
            events: the events of this turn.
            is_seen: there is a screen that shows it; without one it would only take the next press.

        Returns:
            The events for the session, without the press that ended a demo, and the state to be shown in place of the
            session's; None: there is no demo.
        """
        others: list[Event] = [event for event in events if not isinstance(event, PRESSES)]
        has_press = len(others) < len(events)
        if not is_seen:
            self.close()
            return events, None
        lobby = self._session.stage
        if isinstance(lobby, Greeting):
            lobby.wants_demo &= not has_press
            self._starts_now |= lobby.wants_demo
        if self.demo is not None and (has_press or self.demo.panel.was_touched or not isinstance(lobby, RESTING)):
            self.close()
            return others, None
        now = self._monotonic()
        if has_press or not isinstance(lobby, RESTING):
            self._quiet_since, self._starts_now = now, False
        elif self.demo is None and self._is_due(now) and self._has_loaded():
            self._starts_now = False
            if isinstance(lobby, Greeting):
                lobby.wants_demo = False
            self._try(lambda: self._start(find_demo_game(lobby.definition)))
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
    import companion.app.table_panel.demo_panel
    import companion.camera.camera_reader  # noqa: F401 - only to load them
