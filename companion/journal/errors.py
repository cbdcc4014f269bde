"""Errors of the journal, with messages that tell people at the table what to do."""

from collections.abc import Sequence

from pydantic import ValidationError

from companion.api import RuleError


class JournalError(Exception):
    """Base class: the journal cannot be used; the message says what to do."""


class JournalBusy(JournalError):
    """Another process has the journal open for writing; the message says to close it or to name another folder."""


class JournalTooNew(JournalError):
    """A newer version of the companion wrote the file; the file is unchanged."""


class JournalUnwritable(JournalError, OSError):
    """The disk is full, read-only or failing. Nothing was written, and the state in memory is as before.

    Reading raises it too, if the file was damaged or became unreadable while it was open.

    Args:
        message: with the path and the remedy, in English, for the log and the terminal.
        screen_text: translated, one line of the screen; empty: the message.

    Attributes:
        screen_text: one line for the screen, never empty.
    """

    def __init__(self, message: str, screen_text: str = "") -> None:
        super().__init__(message)
        self.screen_text = screen_text or message


class InvalidSavedGame(ValueError):
    """The data are not a game that this version can read and replay; the message says why."""


class NothingToUndo(ValueError):
    """There is nothing to undo or to redo."""


def describe_for_screen(error: Exception, names: Sequence[str] = ()) -> str:
    """Return the message of an error in one line for the screen.

    Args:
        error: any exception.
        names: the names of all players by seat; empty: a `RuleError` is shown with its rule and seat numbers.

    Returns:
        Of a `RuleError` with `names` its text with the players' names, of a `JournalUnwritable` its `screen_text`, both
        translated; of any other error `str(error)`.
    """
    if names and isinstance(error, RuleError):
        return error.describe(names)
    return error.screen_text if isinstance(error, JournalUnwritable) else str(error)


def describe_validation_error(error: ValidationError) -> str:
    """Return the first of pydantic's errors as one English line, such as "players.0: Input should be a valid string".

    In front stands the place, keys and indexes (from 0) joined by full stops; nothing if the error has no place.
    """
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"])
    return f"{where}: {first['msg']}" if where else first["msg"]
