"""The companion as the one program of a box: what it leaves for its next start, and how it has the box switched off.

systemd gives a service a folder below /run that outlives its restarts, but neither a stop nor the machine
(RuntimeDirectoryPreserve=restart in systemd/companion.service). On a desk there is none, and nothing here does a thing.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from pathlib import Path

PLAYING_FILE = "playing"
POWER_OFF_FILE = "power-off"
STABLE_SECONDS = 5.0
"""Seconds for which a sitting has to run before a restart may take it up unasked: one that ends the program at once
shall not do so for ever."""
MAX_ID_DIGITS = 19
"""Digits of SQLite's largest number, and one more."""
log = logging.getLogger("companion")


class Appliance:
    """The box. No method raises; what cannot be done is logged.

    Args:
        folder: the service's runtime folder; None: the program is no service.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._written_id: int | None = None
        self._current: tuple[int | None, float] = (None, 0.0)

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] = os.environ) -> Appliance:
        """The box that systemd started this program on, if it did."""
        given = environ.get("RUNTIME_DIRECTORY", "").split(":")[0]
        return cls(Path(given) if given else None)

    @property
    def is_present(self) -> bool:
        """Whether this is such a box."""
        return self._folder is not None

    def take_interrupted_game(self) -> int | None:
        """Number of the sitting that was on when the program was ended out of order; told once."""
        if self._folder is None:
            return None
        file = self._folder / PLAYING_FILE
        try:
            number = file.read_text(encoding="ascii", errors="replace")
            file.unlink()
        except FileNotFoundError:
            return None
        except OSError as error:
            log.warning("%s cannot be used: %s", file, error)
            return None
        return int(number) if number.isascii() and number.isdigit() and len(number) < MAX_ID_DIGITS else None

    def note_current_game(self, game_id: int | None, now: float) -> None:
        """This sitting is on; None: none is. Called in each turn of the loop, writes only when there is news.

        Args:
            sitting: its number in the journal.
            now: the monotonic clock, in seconds.
        """
        if self._folder is None:
            return
        if game_id != self._current[0]:
            self._current = (game_id, now)
        steady = game_id if now - self._current[1] >= STABLE_SECONDS else None
        if steady == self._written_id:
            return
        self._written_id = steady
        file = self._folder / PLAYING_FILE
        try:
            if steady is None:
                file.unlink(missing_ok=True)
            else:
                file.write_text(str(steady), encoding="ascii")
        except OSError as error:
            log.warning("%s cannot be written: %s", file, error)

    def request_power_off(self) -> bool:
        """Have the box switched off: systemd waits for this file (systemd/companion-power-off.path). Whether it could
        be asked."""
        if self._folder is None:
            return False
        try:
            (self._folder / POWER_OFF_FILE).touch()
        except OSError as error:
            log.error("The box cannot be switched off: %s", error)
            return False
        log.info("Switching off, as chosen in the lobby.")
        return True
