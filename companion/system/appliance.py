"""The program as the service of an appliance: notes for its next start, and switching the device off.

systemd gives a service a folder below /run that survives restarts of the service, but neither its stop nor a reboot
(RuntimeDirectoryPreserve=restart in systemd/companion.service). On a desktop there is no such folder, and the functions
of this module do nothing.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from pathlib import Path

from companion.system.atomic_file import read_file

PLAYING_FILE = "playing"
"""File in the runtime folder with the number of the game that is being played."""
POWER_OFF_FILE = "power-off"
"""File in the runtime folder for which systemd waits to switch the device off."""
STABLE_SECONDS = 5.0
"""Seconds that a game must run before a restart resumes it without asking. If it grows, a game that was interrupted
early is not resumed; if it is too small, a game that crashes the program at once is resumed over and over."""
MAX_NOTE_BYTES = 1 << 16
"""Largest note that is read; a larger one is none of ours."""
MAX_ID_DIGITS = 18
"""Digits of a game number that always fits into SQLite's 64-bit integers."""
log = logging.getLogger("companion")


class Appliance:
    """The device that the program runs on as a service of systemd. No method raises; failures are logged.

    Args:
        folder: the service's runtime folder; None: the program is no service, and the methods do nothing.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._written_id: int | None = None
        self._current: tuple[int | None, float] = (None, 0.0)

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] = os.environ) -> Appliance:
        """Return the appliance of this process, as the environment describes it.

        Args:
            environ: has in RUNTIME_DIRECTORY the service's runtime folder if systemd runs the program (of several,
                separated by colons, the first); without it the program is no service.
        """
        folder = environ.get("RUNTIME_DIRECTORY", "").split(":")[0]
        return cls(Path(folder) if folder else None)

    @property
    def is_present(self) -> bool:
        """Whether the program runs as the service of an appliance."""
        return self._folder is not None

    def take_interrupted_game(self) -> int | None:
        """Return the game that was being played when the program crashed or was killed, and delete the note of it.

        The note is a file that `note_current_game` wrote before; a second call therefore returns None.

        Returns:
            The game's number in the journal; None: no game was being played, it had run for less than STABLE_SECONDS,
            the note cannot be read, or the program is no service.
        """
        if self._folder is None:
            return None
        file = self._folder / PLAYING_FILE
        try:
            number = read_file(file, MAX_NOTE_BYTES).decode("ascii", errors="replace")
            file.unlink()
        except FileNotFoundError:
            return None
        except OSError as error:
            log.warning("%s cannot be used: %s", file, error)
            return None
        return int(number) if number.isascii() and number.isdigit() and len(number) <= MAX_ID_DIGITS else None

    def note_current_game(self, game_id: int | None, now: float) -> None:
        """Write the number of the game that is being played to a file, once it has run for STABLE_SECONDS.

        When another game or none is being played, the file is deleted at once. After a crash the next start reads it
        with `take_interrupted_game`. To be called in each turn of the main loop; only changes are written.

        Args:
            game_id: the game's number in the journal; None: no game is being played.
            now: seconds on the monotonic clock, from which it is computed for how long the game has run.
        """
        if self._folder is None:
            return
        if game_id != self._current[0]:
            self._current = (game_id, now)
        stable_id = game_id if now - self._current[1] >= STABLE_SECONDS else None
        if stable_id == self._written_id:
            return
        self._written_id = stable_id
        file = self._folder / PLAYING_FILE
        try:
            if stable_id is None:
                file.unlink(missing_ok=True)
            else:
                file.write_text(str(stable_id), encoding="ascii")
        except OSError as error:
            log.warning("%s cannot be written: %s", file, error)

    def request_power_off(self) -> bool:
        """Request that the device is switched off, by creating a file for which systemd waits.

        It waits for POWER_OFF_FILE in the runtime folder (systemd/companion-power-off.path).

        Returns:
            Whether the request could be made; False also if the program is no service.
        """
        if self._folder is None:
            return False
        try:
            (self._folder / POWER_OFF_FILE).touch()
        except OSError as error:
            log.error("The device cannot be switched off: %s", error)
            return False
        log.info("Switching off, as chosen in the lobby.")
        return True
