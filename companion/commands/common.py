"""Options and error handling that several commands share."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.commands import CommandError
from companion.config.settings import SettingsError, default_data_folder, load_settings
from companion.journal.database import JOURNAL_FILE, Journal
from companion.journal.errors import InvalidSavedGame, JournalError


def add_data_option(parser: ArgumentParser) -> None:
    """Add `--data FOLDER` to the command."""
    parser.add_argument(
        "--data",
        metavar="FOLDER",
        type=Path,
        help=f"folder of the journal (default: as in the settings, else {default_data_folder()})",
    )


def add_settings_option(parser: ArgumentParser) -> None:
    """Add `--settings FILE` to the command."""
    parser.add_argument("--settings", metavar="FILE", type=Path, help="use this settings file")


@contextmanager
def report_errors(status: int = 1) -> Iterator[None]:
    """Raise errors of journals, settings and files in the block as `CommandError` with this exit status."""
    try:
        yield
    except (JournalError, InvalidSavedGame, SettingsError, OSError) as error:
        raise CommandError(error, status) from error


@contextmanager
def open_journal(args: Namespace, *, write: bool = False) -> Iterator[Journal]:
    """Open the journal that the command line or the settings name, and report its damage on stderr.

    Args:
        args: with `data`.
        write: whether it must be writable; if not, another process may have it open.

    Raises:
        CommandError: the journal cannot be opened, or an error of `report_errors` was raised in the block.
    """
    with report_errors():
        folder = args.data or load_settings().find_data_folder()
        with Journal(folder / JOURNAL_FILE, allow_read_only=not write) as journal:
            if journal.damage is not None:
                print(journal.damage.message, file=sys.stderr)
            yield journal
