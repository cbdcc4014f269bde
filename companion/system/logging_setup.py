"""Set up the log: lines on stderr, each with its level in front if systemd's journal reads them (sd-daemon(3)).

The log has one line per incident, no secret of a game and no player's name.
"""

import logging
import os
import sys
from collections.abc import Mapping
from typing import TextIO

from companion.i18n import replace_unprintable

SYSLOG_LEVELS = ((logging.CRITICAL, 2), (logging.ERROR, 3), (logging.WARNING, 4), (logging.INFO, 6))
"""Python's levels with those of syslog, the highest first; anything below is 7, debug."""


class LineFormatter(logging.Formatter):
    """Format log records, with a space for each control character: a terminal might execute those.

    They can come from the names of files and devices, and from addresses, which others have chosen.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return the record's text in printable characters, with its traceback if there is one."""
        return "\n".join(map(replace_unprintable, super().format(record).splitlines()))


class SyslogFormatter(LineFormatter):
    """Format log records like `LineFormatter`, with syslog's level in front of each line, as ``<3>``.

    Each line has it, since each line of a traceback is an entry of its own in systemd's journal.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return the record's text, with its traceback if there is one; each line begins with the level, 2 to 7."""
        level = next((number for least, number in SYSLOG_LEVELS if record.levelno >= least), 7)
        return "\n".join(f"<{level}>{line}" for line in super().format(record).splitlines())


def is_systemd_journal(stream: TextIO, environ: Mapping[str, str]) -> bool:
    """Return whether systemd's journal reads `stream`; False too if it is closed or no file of the system.

    Args:
        stream: such as stderr.
        environ: has in JOURNAL_STREAM the device and inode of the stream that the journal reads (systemd.exec(5)).
    """
    try:
        status = os.fstat(stream.fileno())
    except (OSError, ValueError):
        return False
    return environ.get("JOURNAL_STREAM", "") == f"{status.st_dev}:{status.st_ino}"  # systemd.exec(5)


def set_up_logging(
    level: int = logging.INFO, stream: TextIO | None = None, environ: Mapping[str, str] = os.environ
) -> logging.Handler:
    """Send the root logger's output to one handler, with syslog levels if systemd's journal reads it.

    Args:
        level: the lowest level that is logged, such as logging.INFO.
        stream: where the log is written; None: stderr.
        environ: has JOURNAL_STREAM if systemd runs the program, see `is_systemd_journal`.

    Returns:
        The handler, which has replaced all others of the root logger.
    """
    handler = logging.StreamHandler(stream or sys.stderr)
    formatter = SyslogFormatter if is_systemd_journal(handler.stream, environ) else LineFormatter
    handler.setFormatter(formatter("%(message)s"))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    return handler
