"""The program as the service of an appliance: notes for its next start, upgrades, and switching the device off.

systemd gives a service a folder below /run that survives restarts of the service, but neither its stop nor a reboot
(RuntimeDirectoryPreserve=restart in systemd/companion.service). On a desktop there is no such folder, and the functions
of this module do nothing.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from companion.file_reader import read_file
from companion.log import log
from companion.system.atomic_file import write_atomic

PLAYING_FILE = "playing"
"""File in the runtime folder with the number of the game that is being played."""
POWER_OFF_FILE = "power-off"
"""File in the runtime folder for which systemd waits to switch the device off."""
SET_CLOCK_FILE = "set-clock"
"""File in the runtime folder with the Unix seconds to which systemd/set-clock sets the clock."""
RESTART_FILE = "restart"
"""File in the runtime folder for which systemd waits on a card image to restart the device into an upgrade."""
UPGRADE_NOTE = Path("/run/companion-image/upgrade")
"""How far an upgrade from a USB stick is: one word of `UpgradeState` and the version (systemd/image/apply-upgrade)."""
STABLE_SECONDS = 5.0
"""Seconds that a game must run before a restart resumes it without asking. If it grows, a game that was interrupted
early is not resumed; if it is too small, a game that crashes the program at once is resumed over and over."""
MAX_NOTE_BYTES = 1 << 16
"""Largest note that is read; a larger one is none of ours."""
MAX_ID_DIGITS = 18
"""Digits of a game number that always fits into SQLite's 64-bit integers."""


class UpgradeState(StrEnum):
    """How far an upgrade is; the words are those of the note."""

    INSTALLING = "installing"
    INSTALLED = "installed"
    """It starts with the next restart."""
    FAILED = "failed"
    OLDER = "older"
    """It is installed if people plug the stick in again after five seconds."""
    REFUSED = "refused"
    """Not signed by the maker of the image, or damaged."""


@dataclass(frozen=True, slots=True)
class Upgrade:
    """An upgrade of the card since the device was switched on.

    Attributes:
        version: the new version; empty if it was refused.
    """

    state: UpgradeState
    version: str = ""


class Appliance:
    """The device that the program runs on as a service of systemd. No method raises; failures are logged.

    Args:
        folder: the service's runtime folder; None: the program is no service, and the methods do nothing.
        upgrade_note: the file that says how far an upgrade is.
    """

    def __init__(self, folder: Path | None = None, upgrade_note: Path = UPGRADE_NOTE) -> None:
        self._folder = folder
        self._upgrade_note = upgrade_note
        self._written_id: int | None = None
        self._current: tuple[int | None, float] = (None, 0.0)

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] = os.environ) -> "Appliance":
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
                write_atomic(file, b"%d" % stable_id)
        except OSError as error:
            log.warning("%s cannot be written: %s", file, error)

    def request_power_off(self) -> bool:
        """Request that the device is switched off, by creating a file for which systemd waits.

        It waits for POWER_OFF_FILE in the runtime folder (systemd/companion-power-off.path).

        Returns:
            Whether the request could be made; False also if the program is no service.
        """
        return self._request(POWER_OFF_FILE, "switch off")

    def request_restart(self) -> bool:
        """Request that the device restarts into an upgrade, by creating a file for which systemd waits.

        It waits for RESTART_FILE in the runtime folder (systemd/image/companion-restart.path).

        Returns:
            Whether the request could be made; False also if the program is no service.
        """
        return self._request(RESTART_FILE, "restart")

    def request_clock(self, unix_seconds: float) -> bool:
        """Request that the device's clock is set, by writing a file for which systemd waits.

        It waits for SET_CLOCK_FILE in the runtime folder (systemd/companion-set-clock.path).

        Returns:
            Whether the request could be made; False also if the program is no service.
        """
        return self._request(SET_CLOCK_FILE, "set its clock", f"{unix_seconds:.0f}\n")

    def _request(self, name: str, action: str, content: str = "") -> bool:
        if self._folder is None:
            return False
        try:
            write_atomic(self._folder / name, content.encode("ascii"))
        except OSError as error:
            log.error("The device cannot %s: %s", action, error)
            return False
        log.info("The device is asked to %s, as chosen on the screen.", action)
        return True

    def read_upgrade(self) -> Upgrade | None:
        """Read how far an upgrade is; None: there is none, its note cannot be read, or the program is no service."""
        if self._folder is None:
            return None
        try:
            word, _space, version = read_file(self._upgrade_note, MAX_NOTE_BYTES).decode("utf-8").strip().partition(" ")
            return Upgrade(UpgradeState(word), version)
        except (OSError, ValueError):  # no image, or a note that this version does not know
            return None
