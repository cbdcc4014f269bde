"""An evening that goes on whatever fails in it: a fault in a game's rules, words or views costs that moment only.

Every move is in the journal before anyone sees its effect, so the stage can always be built anew from there. What
failed is noted in the log with its place; the screen says that something did.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Mapping, Sequence

from companion.app.session import Evening
from companion.events import Button, DeviceLost, DeviceRestored, Event, LampState
from companion.screen_state import CameraView, ScreenState

log = logging.getLogger("companion")
OFTEN, WITHIN = 3, 10.0
"""So many failures within so many seconds, and the game itself is suspected: people are asked whether to go on."""
TOO_OFTEN = 6
"""So many within that time, and only a new start of the program can help."""


class Unfailing:
    """The evening, as the loop works it.

    Args:
        evening: what is guarded.
        monotonic: the host's monotonic clock, in seconds.
    """

    def __init__(self, evening: Evening, monotonic: Callable[[], float]) -> None:
        self._evening, self._monotonic = evening, monotonic
        self._failed: deque[float] = deque(maxlen=TOO_OFTEN)
        self._at: tuple[int, bool] | None = None
        """Number of the sitting in play, and whether it is over, as the log has it."""

    def turn(self, signals: Sequence[Event], eyes: CameraView) -> tuple[ScreenState, Mapping[Button, LampState]]:
        """One turn of the loop: what is to be shown, and the lamps.

        Raises:
            Exception: it fails again and again; the program must be started anew.
        """
        mend, told = False, signals
        while True:
            try:
                if mend:
                    self._evening.mend(ask=self._failures() >= OFTEN)
                self._evening.step(signals)
                turn = self._evening.shown(eyes), self._evening.stage.map_lamps()
            except Exception:
                self._failed.append(self._monotonic())
                if self._failures() >= TOO_OFTEN:
                    raise
                log.exception("Something failed in the game; it is taken up again as it stands in the journal.")
                mend, signals = True, ()
                continue
            self._tell(told)
            return turn

    def _tell(self, signals: Sequence[Event]) -> None:
        """The log's lines: devices that come and go, games that begin and end. No names, no moves, no scores."""
        for signal in signals:
            match signal:
                case DeviceLost(name=name, message=words):
                    log.warning("%s: %s", name, words or "gone")
                case DeviceRestored(name=name):
                    log.info("%s: there", name)
                case _:
                    pass
        sitting = self._evening.sitting
        over = sitting is not None and sitting.game.compute_outcome() is not None
        now = (sitting.id, over) if sitting is not None else None
        if now == self._at:
            return
        before, self._at = self._at, now
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

    def _failures(self) -> int:
        now = self._monotonic()
        return sum(now - at <= WITHIN for at in self._failed)
