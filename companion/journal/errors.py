"""Errors of the journal, with messages that tell people at the table what to do."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import ValidationError

from companion.games.api.game import RuleError


class JournalError(Exception):
    """Base class: the journal cannot be used; the message says what to do."""


class JournalBusy(JournalError):
    """Another process has the journal open."""


class JournalTooNew(JournalError):
    """A newer version of the companion wrote the file; the file is unchanged."""


class JournalUnwritable(JournalError, OSError):
    """The disk is full, read-only or failing. Nothing was written, and the state in memory is as before.

    Args:
        message: with the path, in English, for the log and the terminal.
        screen_text: translated, one line of the screen; empty: the message.
    """

    def __init__(self, message: str, screen_text: str = "") -> None:
        super().__init__(message)
        self.screen_text = screen_text or message


class InvalidSavedGame(ValueError):
    """The data are not a game that this version can read and replay."""


class NothingToUndo(ValueError):
    """There is nothing to undo or to redo."""


def describe_for_screen(error: Exception, names: Sequence[str] = ()) -> str:
    """Return the message of the error for the screen: its short text if it has one.

    Args:
        names: players by seat, whose names a refusal of the rules needs.
    """
    if names and isinstance(error, RuleError):
        return error.describe(names)
    return error.screen_text if isinstance(error, JournalUnwritable) else str(error)


def describe_validation_error(error: ValidationError) -> str:
    """Return the first of pydantic's errors as ``place: message``."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    where = ".".join(str(part) for part in first["loc"])
    return f"{where}: {first['msg']}" if where else first["msg"]
