"""Recover from exceptions in a stage: log them, rebuild the stage from the journal, and tell the players.

Every move is in the journal before anyone sees its effect, so the stage can always be rebuilt from there.
"""

from collections import deque
from collections.abc import Callable, Mapping, Sequence

from companion.app.session import Session
from companion.events import Button, ButtonHeld, DeviceLost, DeviceRestored, Event, LampState
from companion.log import log
from companion.screen_state import CameraView, ScreenState

FAILURES_BEFORE_ASKING = 3
"""Failures within the window after which people are asked before the game is entered again."""
FAILURE_WINDOW_SECONDS = 10.0
"""Length of the window in which failures are counted. Longer: older failures count, so a restart comes sooner."""
MAX_FAILURES = 6
"""Failures within the window after which the exception is passed on, so that the program restarts."""


class CrashGuard:
    """Run a session's steps and rebuild its stage from the journal after an exception in them.

    Args:
        session: the guarded session.
        monotonic: the host's monotonic clock, in seconds.
    """

    def __init__(self, session: Session, monotonic: Callable[[], float]) -> None:
        self._session, self._monotonic = session, monotonic
        self._failure_times: deque[float] = deque(maxlen=MAX_FAILURES)
        self._logged_game: tuple[int, bool] | None = None
        """Id of the game in play and whether it is over, as last logged."""

    def step(self, events: Sequence[Event], camera_view: CameraView) -> tuple[ScreenState, Mapping[Button, LampState]]:
        """Run one turn of the loop: pass the events to the session, and build what the table shows.

        If the stage raises, it is rebuilt from the journal without this turn's events, which are lost.

        Args:
            events: events since the last turn, earliest first.
            camera_view: the camera's present view.

        Returns:
            The state of the screen, and the state of the lamp by button (absent: off).

        Raises:
            Exception: the exception of the stage or of its rebuilding (such as JournalUnwritable), when there were
                `MAX_FAILURES` of them within `FAILURE_WINDOW_SECONDS`; restart the program.
        """
        needs_rebuild, received = False, events
        while True:
            try:
                if needs_rebuild:
                    self._session.rebuild(ask_first=self._count_recent_failures() >= FAILURES_BEFORE_ASKING)
                self._session.step(events)
                result = self._session.build_screen_state(camera_view), self._session.map_lamps()
            except Exception:  # a stage and a game of another package may raise anything
                self._failure_times.append(self._monotonic())
                if self._count_recent_failures() >= MAX_FAILURES:
                    raise
                log.exception("A stage failed; it is rebuilt from the journal.")
                needs_rebuild, events = True, ()
            else:
                self._log_changes(received)
                return result

    def _log_changes(self, events: Sequence[Event]) -> None:
        """Log devices that are lost or restored and games that begin or end. No names, moves or scores."""
        for event in events:
            match event:
                case DeviceLost(name=name, message=message):
                    log.warning("%s: %s", name, message or "lost")
                case DeviceRestored(name=name):
                    log.info("%s: available", name)
                case ButtonHeld(button=button, source=source):
                    log.warning("%s: %s is down and was not pressed", source, button)
        saved_game = self._session.saved_game
        is_over = saved_game is not None and saved_game.game.compute_outcome() is not None
        now = (saved_game.id, is_over) if saved_game is not None else None
        if now == self._logged_game:
            return
        previous, self._logged_game = self._logged_game, now  # between two games there was none
        if saved_game is None:
            log.info("The game was left.")
        elif is_over:
            log.info(
                "%s is over (game %d, %d entries).", saved_game.definition.title, saved_game.id, saved_game.last_seq
            )
        elif previous is None:
            log.info(
                "%s %s (game %d, %d players).",
                saved_game.definition.title,
                "continues" if saved_game.last_seq else "begins",
                saved_game.id,
                len(saved_game.players),
            )
        else:
            log.info("%s is no longer over (game %d).", saved_game.definition.title, saved_game.id)

    def _count_recent_failures(self) -> int:
        now = self._monotonic()
        return sum(now - at <= FAILURE_WINDOW_SECONDS for at in self._failure_times)
