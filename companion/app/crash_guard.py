"""An evening that goes on whatever fails in it: a fault in a game's rules, words or views costs that moment only.

Every move is in the journal before anyone sees its effect, so the stage can always be built anew from there. What
failed is noted in the log with its place; the screen says that something did.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Mapping, Sequence

from companion.app.session import Session
from companion.events import Button, DeviceLost, DeviceRestored, Event, LampState
from companion.screen_state import CameraView, ScreenState

log = logging.getLogger("companion")
FAILURES_BEFORE_ASKING, FAILURE_WINDOW_SECONDS = 3, 10.0
"""So many failures within so many seconds, and the game itself is suspected: people are asked whether to go on."""
MAX_FAILURES = 6
"""So many within that time, and only a new start of the program can help."""


class CrashGuard:
    """The evening, as the loop works it.

    Args:
        evening: what is guarded.
        monotonic: the host's monotonic clock, in seconds.
    """

    def __init__(self, session: Session, monotonic: Callable[[], float]) -> None:
        self._session, self._monotonic = session, monotonic
        self._failure_times: deque[float] = deque(maxlen=MAX_FAILURES)
        self._logged_game: tuple[int, bool] | None = None
        """Number of the sitting in play, and whether it is over, as the log has it."""

    def step(self, signals: Sequence[Event], eyes: CameraView) -> tuple[ScreenState, Mapping[Button, LampState]]:
        """One turn of the loop: what is to be shown, and the lamps.

        Raises:
            Exception: it fails again and again; the program must be started anew.
        """
        mend, told = False, signals
        while True:
            try:
                if mend:
                    self._session.rebuild(ask_first=self._count_recent_failures() >= FAILURES_BEFORE_ASKING)
                self._session.step(signals)
                turn = self._session.build_screen_state(eyes), self._session.stage.map_lamps()
            except Exception:
                self._failure_times.append(self._monotonic())
                if self._count_recent_failures() >= MAX_FAILURES:
                    raise
                log.exception("Something failed in the game; it is taken up again as it stands in the journal.")
                mend, signals = True, ()
                continue
            self._log_changes(told)
            return turn

    def _log_changes(self, signals: Sequence[Event]) -> None:
        """The log's lines: devices that come and go, games that begin and end. No names, no moves, no scores."""
        for signal in signals:
            match signal:
                case DeviceLost(name=name, message=words):
                    log.warning("%s: %s", name, words or "gone")
                case DeviceRestored(name=name):
                    log.info("%s: there", name)
                case _:
                    pass
        sitting = self._session.saved_game
        over = sitting is not None and sitting.game.compute_outcome() is not None
        now = (sitting.id, over) if sitting is not None else None
        if now == self._logged_game:
            return
        before, self._logged_game = self._logged_game, now
        if sitting is None:
            log.info("The game is left.")
        elif over:
            log.info("%s is over (sitting %d, %d entries).", sitting.definition.title, sitting.id, sitting.last_seq)
        elif before is None or before[0] != sitting.id:
            how = "goes on" if sitting.last_seq else "begins"
            log.info(
                "%s %s (sitting %d, %d players).", sitting.definition.title, how, sitting.id, len(sitting.setup.players)
            )
        else:
            log.info("%s is not over after all (sitting %d).", sitting.definition.title, sitting.id)

    def _count_recent_failures(self) -> int:
        now = self._monotonic()
        return sum(now - at <= FAILURE_WINDOW_SECONDS for at in self._failure_times)
