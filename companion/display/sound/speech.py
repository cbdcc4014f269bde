"""Announcements through espeak-ng, where it is installed: one at a time, the newest wins, nothing waits for it."""

from __future__ import annotations

import logging
import shutil
import subprocess
from collections.abc import Sequence

log = logging.getLogger("companion")
SPEECH_PROGRAM = "espeak-ng"
MAX_LETTERS = 200
"""Letters: nobody listens longer."""


class Speaker:
    """Speaks lines.

    Args:
        command: the program, which reads a line from its standard input; None: espeak-ng, if it is installed.
    """

    def __init__(self, command: Sequence[str] | None = None) -> None:
        found = shutil.which(SPEECH_PROGRAM) if command is None else None
        self._command = tuple(command) if command is not None else (found,) if found else ()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def has_voice(self) -> bool:
        """Whether there is a voice."""
        return bool(self._command)

    def say(self, line: str, language: str, volume: int) -> None:
        """Begin to speak; what was being spoken ends. No voice, or one that fails, is no error.

        Args:
            language: a code such as "it".
            volume: 0 to 10.
        """
        self.stop()
        if not self._command or not volume:
            return
        # A list, no shell, and the text by standard input: a name at the table is nothing but text.
        command = [*self._command, "-v", language, "-a", str(20 * volume), "--stdin"]
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            assert self._process.stdin is not None
            with self._process.stdin as text:
                text.write(line[:MAX_LETTERS].replace("\n", " ").encode())
        except OSError as why:
            log.info("No voice (%s); everything spoken is seen as well.", why)
            self._command = ()

    def stop(self) -> None:
        """End what is being spoken."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
