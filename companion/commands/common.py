"""Options and error handling that several commands share."""

import io
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from companion.command_examples import ExamplesFormatter, format_examples
from companion.commands import CommandError
from companion.config.data_folder import default_data_folder
from companion.i18n import replace_unprintable

# Settings and journal are imported where they are used: `companion rules --check` needs neither, and they take long.
if TYPE_CHECKING:
    from argparse import _SubParsersAction

    from companion.config.settings import Settings
    from companion.journal.database import Journal


def add_action(actions: "_SubParsersAction[ArgumentParser]", name: str, summary: str) -> ArgumentParser:
    """Return the new parser of an action of a command (`history export`), with its examples.

    Args:
        actions: what `add_subparsers` of the command returned.
        name: of the action.
        summary: what it does, for the command's help and for its own.
    """
    description = f"{summary[0].upper()}{summary[1:]}."
    parser = actions.add_parser(name, help=summary, description=description, formatter_class=ExamplesFormatter)
    parser.epilog = format_examples(parser.prog.removeprefix("companion "))
    return parser


class _DataHelp(str):
    """The help of `--data`: the default folder is looked for when the help is printed, which the check of a game's file
    need not wait for."""

    def __mod__(self, values: Any, /) -> str:
        return super().__mod__({**values, "folder": abbreviate_home(default_data_folder())})


def add_data_option(parser: ArgumentParser, default: str | None = None) -> None:
    """Add `--data FOLDER` to the command's parser: `args.data` is a path, or None if it is not given.

    Args:
        parser: of the command.
        default: None; `argparse.SUPPRESS` for the parser of an action of the command (`history export`), so that a
            value given before the action stays.
    """
    parser.add_argument(
        "--data",
        metavar="FOLDER",
        type=Path,
        default=default,
        help=_DataHelp("folder of the journal (default: as in the settings, else %(folder)s)"),
    )


def find_named_data_folder(words: Sequence[str]) -> Path:
    """Return the data folder: the user's own games and languages in it must be known to parse the command line.

    Args:
        words: the command line; `--data` and `--settings` in it count. Mistakes in it, or in the settings, are
            reported later, when they are read properly.
    """
    from companion.config.settings_file import load_data_folder

    parser = ArgumentParser(add_help=False, exit_on_error=False, allow_abbrev=False)
    add_data_option(parser)
    add_settings_option(parser)
    folder = None
    with suppress(Exception):
        args, _rest = parser.parse_known_args(list(words))
        folder = args.data or load_data_folder(args.settings)
    return folder or default_data_folder()


def add_settings_option(parser: ArgumentParser, default: str | None = None) -> None:
    """Add `--settings FILE` to the command's parser: `args.settings` is a path, or None if it is not given.

    Args:
        parser: of the command.
        default: as for `add_data_option`.
    """
    parser.add_argument("--settings", metavar="FILE", type=Path, default=default, help="use this settings file")


def load_command_settings(args: Namespace) -> "Settings":
    """Load the settings that the command line or the environment names; what cannot be used is named on stderr.

    Args:
        args: with `settings`: path of the file, or None.

    Raises:
        CommandError: the file cannot be used at all; status 2.
        Exception: an error while a game with a section in the file is loaded is passed on, such as ImportError.
    """
    from companion.config.settings_file import load_settings

    with report_errors(status=2):
        settings, problems = load_settings(args.settings)
    print_problems(*problems)
    return settings


def print_problems(*problems: str | None) -> None:
    """Print problems on stderr, each on its line; None: there is none."""
    for problem in filter(None, problems):
        print(replace_unprintable(problem), file=sys.stderr)


def prepare_csv_output() -> TextIO:
    """Return stdout for CSV: if it is no terminal it becomes UTF-8 with the mark by which spreadsheets know that."""
    if isinstance(sys.stdout, io.TextIOWrapper) and not sys.stdout.isatty():
        sys.stdout.reconfigure(encoding="utf-8-sig")
    return sys.stdout


@contextmanager
def report_errors(status: int = 1) -> Iterator[None]:
    """Raise errors of journals, settings and files in the block as `CommandError`.

    Args:
        status: exit status of the process: 1 failure, 2 wrong command line or settings.

    Raises:
        CommandError: a JournalError, InvalidSavedGame, SettingsError or OSError left the block; the message is its
            message, or the file and the system's reason. An UnsupportedPlugin has the status 2, a CommandError its own;
            other exceptions pass unchanged, and so does BrokenPipeError: nobody reads the output.
    """
    from companion.api.registry import UnsupportedPlugin
    from companion.config.settings_file import SettingsError
    from companion.journal.entry import InvalidSavedGame, JournalError

    try:
        yield
    except BrokenPipeError:
        raise
    except UnsupportedPlugin as error:
        raise CommandError(error, status=2) from error
    except (JournalError, InvalidSavedGame, SettingsError, OSError) as error:
        raise CommandError(describe_error(error), status) from error


def describe_error(error: Exception) -> str:
    """Return an error's message; of a failed system call "FILE: reason" without the number of the error."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return str(error)


def ask_about_name(path: Path) -> str:
    """Return a question on the name of a TOML file that cannot be read: people leave its ending out."""
    with suppress(OSError):  # a name that is too long
        if Path(f"{path}.toml").is_file():
            return f"Is {path}.toml meant?"
    return "Is the name right?"


def abbreviate_home(path: Path) -> str:
    """Return a path as text, with "~" for the user's home folder at its beginning.

    Raises:
        RuntimeError: the user has no home folder.
    """
    home = Path.home()
    return f"~/{path.relative_to(home)}" if path.is_relative_to(home) else str(path)


@contextmanager
def open_journal(args: Namespace, *, write: bool = False) -> "Iterator[Journal]":
    """Open the journal that the command line or the settings name, and report its damage on stderr.

    A journal that does not exist is created, and a damaged one is repaired. It is closed at the end of the block.

    Args:
        args: with `data`: the folder of the journal; None: as in the settings, else the user's data folder; and with
            `settings`: the settings file, or None.
        write: whether it must be writable; if not, another process may have it open.

    Yields:
        The open journal; read-only if not `write`, and then its folder may be read-only too.

    Raises:
        CommandError: status 2: nothing in the settings file can be used. Status 1: the journal cannot be opened (also:
            `write`, and another process has it open), or a JournalError, InvalidSavedGame, SettingsError or OSError
            left the block. Other exceptions of the block pass unchanged.
    """
    from companion.journal.database import JOURNAL_FILE, Journal  # most commands need no journal

    with report_errors():
        folder = args.data or load_command_settings(args).find_data_folder()
        with Journal(folder / JOURNAL_FILE, allow_read_only=not write) as journal:
            if journal.damage is not None:
                print(replace_unprintable(journal.damage.message), file=sys.stderr)
            yield journal
