"""The command line: `companion COMMAND`."""

import os
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Sequence
from importlib import import_module

from companion import __version__
from companion.commands import CommandError

DESCRIPTION = """\
A companion for physical board games: players press buttons, a camera reads the dice and sees which tokens were taken,
and the screen shows whose turn it is, the round, the clock and the score."""

EPILOG = """\
examples:
  companion run                          play, at a simulated table unless the settings name a real one
  companion run --players Ada Bob Cleo   with these players, clockwise
  companion run --game memo_dice         start with another game
  companion run --headless --seed 7      watch a game play itself, without a screen
  companion history --player Ada         games that Ada has played and won
  companion buttons                      test the wiring of buttons and lamps
  companion doctor                       check what works on this machine, and what to do if something does not
  companion see photo.jpg                read the dice and the lid in a photo
  companion print-tags tags.pdf          make the sheet of tags for the Macroscope's lid

`companion COMMAND --help` describes each command."""

COMMANDS = ("run", "see", "watch", "buttons", "doctor", "print-tags", "history", "replay", "rules", "gallery")
"""Names of the commands; each has a module in `companion.commands`."""


def build_parser(command: str | None = None) -> ArgumentParser:
    """Return the parser of the command line.

    Args:
        command: add only this command, so that the modules of the others need not be loaded; all if it is not known.
    """
    top = ArgumentParser(
        prog="companion", description=DESCRIPTION, epilog=EPILOG, formatter_class=RawDescriptionHelpFormatter
    )
    top.add_argument("--version", action="version", version=f"companion {__version__}")
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name in (command,) if command in COMMANDS else COMMANDS:
        module = import_module(f"companion.commands.{name.replace('-', '_')}")
        parser = commands.add_parser(name, help=module.HELP, description=module.DESCRIPTION)
        parser.set_defaults(run=module.run)
        module.add_arguments(parser)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command that the command line names.

    Args:
        arguments: without the program's name; None: those of this process.

    Returns:
        The exit status.
    """
    os.umask(0o077)  # names, games and camera pictures are private to the user
    words = sys.argv[1:] if arguments is None else list(arguments)
    args = build_parser(words[0] if words else None).parse_args(words)
    try:
        status: int | None = args.run(args)
    except CommandError as error:
        print(error, file=sys.stderr)
        return error.status
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # the reader of our output has ended, as in `| head`
        sys.stderr.close()
        return 141
    return status or 0
