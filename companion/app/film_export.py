"""Films of finished games onto a USB stick, each made by a process of its own (`companion film`) while play goes on."""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from companion.i18n import _, current_language
from companion.journal.usb_export import find_usb_sticks
from companion.lobby import Preferences
from companion.log import log

NO_ROOM_STATUS = 3
"""Exit status of `companion film` if there is no room left for the film."""
_PROGRESS = re.compile(rb"[^:]*: (\d+) %")
"""A line of `companion.system.progress.PercentLine`."""


class FilmExport:
    """Writes one film at a time; all calls come from the main loop's thread, and none of them waits.

    Args:
        data_folder: folder of the journal.
        preferences: give the colours of the film.
        find_sticks: returns the top folders of the sticks that can be written to; only the first is used.
    """

    def __init__(
        self,
        data_folder: Path,
        preferences: Preferences,
        find_sticks: Callable[[], Sequence[Path]] = find_usb_sticks,
    ) -> None:
        self._data_folder = data_folder
        self._preferences = preferences
        self._find_sticks = find_sticks
        self._process: subprocess.Popen[bytes] | None = None
        self._output = b""

    def start(self, number: int) -> str:
        """Begin to write the film of a game onto the first stick, unless another film is being written.

        Args:
            number: number of the game in the journal, from 1.

        Returns:
            One translated line: that the film is being made, or why it is not.
        """
        if self._process is None:
            sticks = self._find_sticks()
            if not sticks:
                return _("No USB stick found: plug one in, wait a moment, and try again")
            try:
                self._process = subprocess.Popen(
                    self._build_command(number, sticks[0]), stdin=subprocess.DEVNULL, stderr=subprocess.PIPE
                )
            except OSError as error:
                log.warning("The film cannot be made: %s", error)
                return _("The film could not be made: the log says why")
        return _("The film is being made: leave the stick plugged in")

    def _build_command(self, number: int, stick: Path) -> list[str]:
        # As a service this process runs with -I, which a child does not take over.
        python = [sys.executable, *(["-I"] if sys.flags.isolated else []), "-m", "companion"]
        look = ["--language", current_language(), "--palette", self._preferences.values.palette]
        return [*python, "film", str(number), "--data", str(self._data_folder), *look, "--out", str(stick)]

    def poll(self) -> str | None:
        """Return one translated line: how much of the film is done, or that it is written or has failed; None: no news.

        What else its process has written to the error output goes to the log.
        """
        if self._process is None:
            return None
        status = self._process.poll()
        percent = self._read_progress()
        if status is None:
            if percent in (None, 100):
                return None
            return _("The film is being made: {n} %. Leave the stick plugged in", n=percent)
        assert self._process.stderr is not None
        self._process.stderr.close()
        self._process = None
        if status == 0:
            return _("The film is on the stick: you can unplug it")
        if status == NO_ROOM_STATUS:
            return _("The USB stick is full: make room on it, or use another one")
        return _("The film could not be made: the log says why")

    def _read_progress(self) -> int | None:
        """Read what the process has written by now; return its last progress in percent, None: no news."""
        assert self._process is not None
        assert self._process.stderr is not None
        pipe = self._process.stderr.fileno()
        assert sys.platform != "win32"  # no stick is found there
        os.set_blocking(pipe, False)
        with suppress(BlockingIOError):
            while new := os.read(pipe, 65536):
                self._output += new
        *lines, self._output = self._output.split(b"\n")
        percent = None
        for line in lines:
            if found := _PROGRESS.fullmatch(line):
                percent = int(found[1])
            elif line.strip():
                log.warning("The film: %s", line.decode(errors="replace"))
        return percent
