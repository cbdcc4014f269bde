"""An interactive shell on a pseudo-terminal, to see what a program does to the terminal that it was started on."""

from __future__ import annotations

import os
import pty
import select
import signal
import time
from collections.abc import Sequence
from pathlib import Path

PROMPT = b"ready> "


class Shell:
    """bash with job control on its own terminal.

    Args:
        start: command line in front of `bash`, for a shell elsewhere (nsenter).
    """

    def __init__(self, start: Sequence[str] = ()) -> None:
        self._pid, self._master = pty.fork()
        if self._pid == 0:
            signal.signal(
                signal.SIGINT, signal.SIG_DFL
            )  # a background job of a script ignores Ctrl-C, and so would all below
            command = [*start, "env", f"PS1={PROMPT.decode()}", "TERM=dumb", "bash", "--norc", "--noprofile", "-i"]
            os.execvp(command[0], command)
        self.read()

    def type(self, line: str) -> None:
        """Type a line and Enter."""
        os.write(self._master, f"{line}\n".encode())

    def read(self, until: str = PROMPT.decode(), seconds: float = 60.0) -> str:
        """Return the output up to the next prompt or another text; what came within `seconds` if it does not come."""
        output, end = b"", time.monotonic() + seconds
        while until.encode() not in output and (left := end - time.monotonic()) > 0:
            if not select.select([self._master], [], [], left)[0]:
                break
            try:
                output += os.read(self._master, 4096)
            except OSError:  # the shell has ended
                break
        return output.decode(errors="replace")

    def attack(self, command: str, folder: Path, seen: Path) -> tuple[str, str]:
        """Start terminal_attack.py with `command`, then type something secret.

        Args:
            folder: where the attack writes, as the shell sees it; `seen`: the same folder, as the test sees it.

        Returns:
            What the terminal showed, and what the attack read.
        """
        self.type(f"{command} {folder}; touch {folder}/go; until test -e {folder}/ready; do :; done")
        output = self.read()
        self.type("echo a password")
        output += self.read(seconds=20.0)
        stolen = seen / "stolen"
        return output, stolen.read_text(encoding="utf-8") if stolen.exists() else ""

    def close(self) -> None:
        os.kill(self._pid, signal.SIGKILL)
        os.close(self._master)
        os.waitpid(self._pid, 0)
