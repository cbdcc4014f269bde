"""The log: lines on stderr, with a level before each where the journal of systemd reads them (sd-daemon(3)).

One line for each thing that matters, no secret of a game, nobody's name.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Mapping
from typing import TextIO

SYSLOG_LEVELS = ((logging.CRITICAL, 2), (logging.ERROR, 3), (logging.WARNING, 4), (logging.INFO, 6))
"""Python's levels with those of syslog, the highest first; whatever is below is 7, debug."""


class SyslogFormatter(logging.Formatter):
    """Puts the level before each line, as ``<3>``: a traceback is many lines, each an entry of the journal."""

    def format(self, record: logging.LogRecord) -> str:
        level = next((number for least, number in SYSLOG_LEVELS if record.levelno >= least), 7)
        return "\n".join(f"<{level}>{line}" for line in super().format(record).splitlines())


def is_systemd_journal(stream: TextIO, environ: Mapping[str, str]) -> bool:
    """Whether `stream` goes straight to systemd's journal: it names its device and inode (systemd.exec(5))."""
    named = environ.get("JOURNAL_STREAM", "")
    try:
        about = os.fstat(stream.fileno())
    except (OSError, ValueError):
        return False
    return named == f"{about.st_dev}:{about.st_ino}"


def set_up_logging(
    level: int = logging.INFO, stream: TextIO | None = None, environ: Mapping[str, str] = os.environ
) -> logging.Handler:
    """Send the program's log to `stream` (None: stderr), with levels where the journal reads it."""
    onto = stream or sys.stderr
    handler = logging.StreamHandler(onto)
    form: type[logging.Formatter] = SyslogFormatter if is_systemd_journal(onto, environ) else logging.Formatter
    handler.setFormatter(form("%(message)s"))
    root = logging.getLogger()
    for old in root.handlers[:]:
        root.removeHandler(old)
    root.addHandler(handler)
    root.setLevel(level)
    return handler
