"""The screen's messages about a disk that refuses: complete, in each language, and without paths.

That the game goes on: tests/fault_injection/test_real_disk.py.
"""

from __future__ import annotations

import errno
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from companion.app.composition import build_waiting_state
from companion.gallery import load_sample_builders
from companion.i18n import LANGUAGES
from companion.journal.database import JOURNAL_FILE
from companion.journal.disk_errors import to_unwritable_error
from companion.testing.screens import build_states, check_screen, use_language

NARROWEST = (480, 800)
"""The supported size with the least room for a line."""


def refused(code: int) -> sqlite3.Error:
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = code
    return error


ERRORS = {
    "full": refused(sqlite3.SQLITE_FULL),
    "damaged": refused(sqlite3.SQLITE_CORRUPT),
    "refused": refused(sqlite3.SQLITE_IOERR),
    "read only": OSError(errno.EROFS, "Read-only file system"),
}


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_line_has_room(code: str) -> None:
    shown = build_states(load_sample_builders()["macroscope"], code)["notice"]
    for trouble, error in ERRORS.items():
        with use_language(code):
            why = to_unwritable_error(Path("/var/lib/companion") / JOURNAL_FILE, error)
            begun = build_waiting_state(why.screen_text)  # when the box is switched on
        assert "/var" not in why.screen_text
        assert "/var/lib/companion" in str(why)  # in the log, for the person who repairs it
        check_screen(replace(shown, notice=why.screen_text), NARROWEST, code, note=trouble)
        check_screen(begun, NARROWEST, code, note=trouble)
