"""The command line: `companion COMMAND`."""

import difflib
import io
import os
import re
import sys
from argparse import ArgumentParser
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from typing import NoReturn

from companion import __version__
from companion.catalogues import LANGUAGE_FOLDER, use_language_folder
from companion.command_examples import ExamplesFormatter, format_examples
from companion.commands import CommandError, format_install_command
from companion.i18n import replace_unprintable
from companion.system.library_output import count_library_output
from companion.system.progress import erase_progress
from companion.system.termination import Terminated, die_by_sigterm, end_at_sigterm

DESCRIPTION = (
    "A companion for physical board games: players press buttons, a camera reads the dice and sees which tokens were "
    "taken, and the screen shows whose turn it is, the round, the clock and the score. `companion COMMAND --help` "
    "describes each command."
)

COMMANDS = {
    "run": "play",
    "see": "read dice and the lid in pictures",
    "watch": "print what happens on the table in a video or in front of a camera",
    "buttons": "print which buttons are pressed, and test the lamps",
    "doctor": "check what works here, and what to do if it does not",
    "print-tags": "make the sheet with the four tags for the lid",
    "history": "list past games; export or import one",
    "replay": "print a past game move by move",
    "film": "make a film of a past game, of twenty seconds",
    "rules": "print or import house rules; check or import a game's file",
    "translate": "add a language, or complete one; say what is missing",
    "gallery": "draw every scene in every phase as pictures",
    "dice-test": "throw one die many times under the camera: is it fair?",
    "club": "collect results of many tables; leagues and tournaments",
    "porch": "show the table to others: a page for phones, an MQTT broker",
}
"""What each command does, by its name; it has a module in `companion.commands`."""
WITHOUT_GAMES = frozenset({"see", "watch", "print-tags"})
"""Commands that need neither settings nor games."""
WITHOUT_GAMES_OPTIONS = frozenset({"--check", "--schema"})
"""Options of `companion rules` that need neither."""


class CommandParser(ArgumentParser):
    """Parser whose errors propose the nearest name and contain no control characters that a terminal would execute."""

    def error(self, message: str) -> NoReturn:
        """Print the usage and the message on stderr, with the most similar choice in place of all; exit with status 2.

        Args:
            message: what is wrong with the command line, as `argparse` formats it.

        Raises:
            SystemExit: always; status 2.
        """
        wrong = re.search(r"invalid choice: (['\"])(?P<typed>.*)\1 \(choose from (?P<choices>.*)\)", message, re.DOTALL)
        if wrong and (hint := suggest(wrong["typed"], re.findall(r"[\w-]+", wrong["choices"]))):
            message = message.removesuffix(f" (choose from {wrong['choices']})") + hint
        super().error(replace_unprintable(message))

    def refuse_arguments(self, words: Sequence[str]) -> NoReturn:
        """Print on stderr the usage and which words of the command line have no meaning, and exit with status 2.

        Args:
            words: the words without a meaning, at least one; if the first is an option, the most similar one is
                proposed.

        Raises:
            SystemExit: always; status 2.
            IndexError: `words` is empty.
        """
        hint = suggest(words[0], re.findall(r"--[\w-]+", self.format_help())) if words[0].startswith("-") else ""
        self.error(f"unrecognized arguments: {' '.join(words)}{hint}")


def suggest(typed: str, names: Iterable[str]) -> str:
    """Return "; did you mean NAME?" for the name that is most like `typed`, or "" if none is like it.

    Args:
        typed: a word of the command line; what follows a "=" in it is ignored.
        names: all names that would be allowed.
    """
    near = difflib.get_close_matches(typed.partition("=")[0], names, 1)
    return f"; did you mean {near[0]}?" if near else ""


def build_parser(commands: Collection[str] = COMMANDS.keys()) -> CommandParser:
    """Return the parser of the command line, importing the modules of the named commands.

    The parsed arguments have the command's function as `run`, and its own parser as `parser`.

    Args:
        commands: those of `COMMANDS` whose arguments are known; the others are only listed in the help.

    Raises:
        ImportError: a package that a command's module needs is not installed.
    """
    top = CommandParser(
        prog="companion", description=DESCRIPTION, epilog=format_examples(""), formatter_class=ExamplesFormatter
    )
    top.add_argument("--version", action="version", version=f"companion {__version__}")
    parsers = top.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name, summary in COMMANDS.items():
        parser = parsers.add_parser(name, help=summary, epilog=format_examples(name), formatter_class=ExamplesFormatter)
        if name in commands:
            module = import_module(f"companion.commands.{name.replace('-', '_')}")
            parser.description = module.DESCRIPTION
            parser.set_defaults(run=module.run, parser=parser)
            module.add_arguments(parser)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command that the command line names.

    Files that this process makes from now on are private to the user (umask 077). The message of a `CommandError` is
    printed on stderr, and a letter that the output cannot encode as "?". SIGTERM ends the process: as a service of
    systemd `companion run` ends it with status 0, all others by the signal.

    Args:
        arguments: without the program's name; None: those of this process.

    Returns:
        The exit status: 0 for success, or if the reader of the output has ended (`| head`); 130 after Ctrl-C; that of a
        `CommandError` (1 or 2); otherwise the command's.

    Raises:
        SystemExit: the command line is wrong (status 2), or it asks for `--help` or `--version` (status 0).
        ImportError: a package that the command needs is not installed.
        OSError: the output cannot be written (disk full).
        Exception: any other error that the command does not turn into a `CommandError`.
    """
    os.umask(0o077)  # names, games and camera pictures are private to the user
    words = sys.argv[1:] if arguments is None else list(arguments)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # None where it is closed
            stream.reconfigure(errors="replace")
    try:
        with count_library_output(), end_at_sigterm():
            try:
                return run_command(words)
            except ModuleNotFoundError as error:
                if error.name is None or not error.name.startswith("hardware"):
                    raise
                print_error(describe_foreign_hardware())
                return 1
            except ImportError as error:
                if "cannot open shared object file" not in str(error):
                    raise
                print_error(describe_missing_library(error))
                return 1
            finally:
                end_output()
    except KeyboardInterrupt:  # out here, because it may come again while the rest is closed
        return 130
    except Terminated:
        return die_by_sigterm()


def print_error(text: str) -> None:
    """Print lines on stderr without control characters; nothing is raised if nobody reads them."""
    with suppress(BrokenPipeError):
        erase_progress()
        print("\n".join(map(replace_unprintable, text.splitlines())), file=sys.stderr)


def describe_foreign_hardware() -> str:
    """Return what to do if another distribution's package `hardware` hides ours (docs/design/top-level-hardware.md)."""
    spec = find_spec("hardware")
    place = spec and (spec.origin or ", ".join(spec.submodule_search_locations or ()))
    return (
        f"The package `hardware` that Python finds is not the companion's but another one ({place or 'none'}). "
        f"Install the companion into an environment of its own: {format_install_command(command='pipx install')}"
    )


def describe_missing_library(error: ImportError) -> str:
    """Return what to do if a library of the system is missing that a package needs, most often OpenCV on a server.

    >>> describe_missing_library(ImportError("libGL.so.1: cannot open shared object file")).splitlines()[0]
    'A library of this system is missing: libGL.so.1: cannot open shared object file.'
    """
    return (
        f"A library of this system is missing: {error}.\n"
        "OpenCV needs some: on Debian and Ubuntu, sudo apt install libgl1 libglib2.0-0 libxcb1. "
        "The package opencv-python-headless in place of opencv-python needs none."
    )


def run_command(words: Sequence[str]) -> int:
    """Parse the command line and run its command; the message of a `CommandError` is printed on stderr.

    Args:
        words: the arguments without the program's name; without any the help is printed.

    Returns:
        The exit status: 0 for success, or if the reader of the output has ended; that of a `CommandError`; otherwise
        the command's.

    Raises:
        KeyboardInterrupt: Ctrl-C.
        SystemExit: a wrong command line (status 2), or `--help` and `--version` (0).
        ImportError: a package that the command needs is not installed.
        Exception: any other error that the command does not turn into a `CommandError`.
    """
    if not words:
        build_parser(()).print_help()
        return 0
    named = COMMANDS.keys() & words
    if named - WITHOUT_GAMES and WITHOUT_GAMES_OPTIONS.isdisjoint(words):
        # Here, because they take longer to import than all else that a command loads.
        from companion.api import registry
        from companion.commands.common import find_named_data_folder

        folder = find_named_data_folder(words)
        registry.use_game_folder(folder / registry.GAME_FOLDER)
        use_language_folder(folder / LANGUAGE_FOLDER)
    args, unknown = build_parser(named).parse_known_args(words)
    if unknown:
        args.parser.refuse_arguments(unknown)
    try:
        status: int | None = args.run(args)
    except CommandError as error:
        print_error(str(error))
        return error.status
    except BrokenPipeError:
        return 0
    return status or 0


def end_output() -> None:
    """Flush stdout. If its reader has ended, as in `| head`, redirect stdout to the null device, and raise nothing.

    Raises:
        OSError: the output cannot be written for another reason (disk full).
    """
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        # The interpreter flushes once more at its end, and would print an error and change the status.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
