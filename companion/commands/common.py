"""What the commands about past sittings share."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path

from companion.config.settings import SettingsError, default_data_folder, load_settings
from companion.journal.database import JOURNAL_FILE, Journal
from companion.journal.errors import InvalidSavedGame, JournalError


def add_data_option(parser: ArgumentParser) -> None:
    """Give the command its `--data FOLDER`."""
    parser.add_argument(
        "--data",
        metavar="FOLDER",
        type=Path,
        help=f"where the journal is kept (default: as in the settings, else {default_data_folder()})",
    )


def resolve_data_folder(args: Namespace) -> Path:
    """The folder with the journal: as typed, as in the settings, or the person's own.

    Raises:
        SettingsError: the settings cannot be read.
    """
    typed: Path | None = args.data
    return typed or load_settings(getattr(args, "settings", None)).find_data_folder()


def run_with_journal(args: Namespace, action: Callable[[Journal], int], *, write: bool = False) -> int:
    """Do `act` with the journal; trouble is told on stderr and is exit status 1.

    If it does no `writing`, a game may be going on in another process.
    """

    def opened() -> int:
        with Journal(resolve_data_folder(args) / JOURNAL_FILE, allow_read_only=not write) as journal:
            if journal.damage is not None:
                print(journal.damage.message, file=sys.stderr)
            return action(journal)

    return run_reporting_errors(opened)


def run_reporting_errors(action: Callable[[], int]) -> int:
    """The exit status of `act`; what can go wrong with journals and files is told on stderr and is status 1."""
    try:
        return action()
    except (JournalError, InvalidSavedGame, SettingsError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
