"""What the commands about past sittings share."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path

from companion.config.settings import SettingsError, load
from companion.journal.database import FILE, Journal, data_folder
from companion.journal.errors import BadSitting, JournalError


def add_data_option(parser: ArgumentParser) -> None:
    """Give the command its `--data FOLDER`."""
    parser.add_argument(
        "--data",
        metavar="FOLDER",
        type=Path,
        help=f"where the journal is kept (as in the settings; else {data_folder()})",
    )


def folder_of(args: Namespace) -> Path:
    """The folder with the journal: as typed, as in the settings, or the person's own.

    Raises:
        SettingsError: the settings cannot be read.
    """
    typed: Path | None = args.data
    return typed or load(getattr(args, "settings", None)).data.folder or data_folder()


def with_journal(args: Namespace, act: Callable[[Journal], int], *, writing: bool = False) -> int:
    """Do `act` with the journal; trouble is told on stderr and is exit status 1.

    If it does no `writing`, a game may be going on in another process.
    """

    def opened() -> int:
        with Journal(folder_of(args) / FILE, beside=not writing) as journal:
            if journal.damage is not None:
                print(journal.damage.words, file=sys.stderr)
            return act(journal)

    return in_words(opened)


def in_words(act: Callable[[], int]) -> int:
    """The exit status of `act`; what can go wrong with journals and files is told on stderr and is status 1."""
    try:
        return act()
    except (JournalError, BadSitting, SettingsError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
