"""What can go wrong with the journal, each said in words that a person at the table can act on."""

from __future__ import annotations

from pydantic import ValidationError


class JournalError(Exception):
    """The journal cannot be used as asked; the message says what to do."""


class JournalBusy(JournalError):
    """Another process has the journal open."""


class JournalTooNew(JournalError):
    """A newer version of the companion wrote the file; it is left as it is."""


class JournalUnwritable(JournalError, OSError):
    """The disk is full, read-only or failing. What was to be written is not there; the state is as before.

    Args:
        message: with the path, in English: for the log and the terminal.
        short: for the screen, in the language of the evening, and not longer than its line; empty: the message.
    """

    def __init__(self, message: str, screen_text: str = "") -> None:
        super().__init__(message)
        self.screen_text = screen_text or message


class InvalidSavedGame(ValueError):
    """The data describe no sitting that could have been played here."""


class NothingToUndo(ValueError):
    """There is nothing to take back, or nothing to play again."""


def describe_for_screen(error: Exception) -> str:
    """What went wrong, as the screen says it: in its short form where it has one."""
    return error.screen_text if isinstance(error, JournalUnwritable) else str(error)


def describe_validation_error(error: ValidationError) -> str:
    """The first of pydantic's complaints as ``where: what``."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    where = ".".join(str(part) for part in first["loc"])
    return f"{where}: {first['msg']}" if where else first["msg"]
