"""The screen's messages about a disk that refuses: complete, in each language, at each size, and without paths."""

from __future__ import annotations

import errno
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from companion.app.open_journal import build_waiting_state
from companion.gallery import load_sample_builders
from companion.i18n import LANGUAGES
from companion.journal.database import JOURNAL_FILE
from companion.journal.recovery import to_unwritable_error
from companion.testing.screens import CORNERS, build_states, check_screen, format_corner, use_language

SIZES = sorted({size for size, _ in CORNERS})


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


@pytest.mark.parametrize("size", SIZES, ids=format_corner)
@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("trouble", ERRORS)
def test_the_line_has_room(trouble: str, code: str, size: tuple[int, int]) -> None:
    with use_language(code):
        why = to_unwritable_error(Path("/var/lib/companion") / JOURNAL_FILE, ERRORS[trouble])
    assert "/var" not in why.screen_text
    assert "/var/lib/companion" in str(why)  # in the log, for the person who repairs it
    shown = build_states(load_sample_builders()["macroscope"], code)["notice"]
    check_screen(replace(shown, notice=why.screen_text), size, code, note=trouble)
    # And when the box is switched on.
    with use_language(code):
        begun = build_waiting_state(why.screen_text)
    check_screen(begun, size, code, note=trouble)
