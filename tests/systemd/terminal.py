"""An interactive shell on a pseudo-terminal, to see what a program does to the terminal that it was started on."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

PROMPT = "ready> "


class Shell:
    """bash with job control on its own terminal.

    Args:
        start: command line in front of `bash`, for a shell elsewhere (nsenter).
    """

    def __init__(self, start: Sequence[str] = ()) -> None:
        self._master, slave = os.openpty()
        # A background job of a script ignores Ctrl-C, and so would all below.
        own = ["setsid", "--ctty", "env", "--default-signal=INT", *start, "env", f"PS1={PROMPT}", "TERM=dumb"]
        self._process = subprocess.Popen(
            [*own, "bash", "--norc", "--noprofile", "-i"], stdin=slave, stdout=slave, stderr=slave
        )
        os.close(slave)
        self.read()

    def type(self, line: str) -> None:
        """Type a line and Enter."""
        os.write(self._master, f"{line}\n".encode())

    def read(self, until: str = PROMPT) -> str:
        """Return the output up to the next prompt or another text; all of it if the shell ends."""
        output = b""
        while until.encode() not in output:
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
        output += self.read()
        stolen = seen / "stolen"
        return output, stolen.read_text(encoding="utf-8") if stolen.exists() else ""

    def close(self) -> None:
        self._process.kill()
        os.close(self._master)
        self._process.wait()
