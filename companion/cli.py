"""The command line: `companion COMMAND`."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Sequence
from importlib import import_module

from companion import __version__

DESCRIPTION = """\
A companion for physical board games: players press buttons, a camera reads the dice and sees which tokens are gone,
and the screen keeps the turn, the round, the clock and the score."""

EPILOG = """\
examples:
  companion run                          play, on the virtual table if there is no real one
  companion run --players Ada Bob Cleo   with these players, clockwise
  companion run --game memo_dice         begin with another game
  companion run --headless --seed 7      watch a game play itself, without a screen
  companion history --player Ada         what Ada has played and won
  companion buttons                      what is pressed, and every lamp: is the wiring right?
  companion doctor                       what works here, and what helps where it does not
  companion see photo.jpg                what the camera's reader makes of a photo
  companion print-tags tags.pdf          the sheet of tags for the Macroscope's lid

`companion COMMAND --help` tells more of each."""


COMMANDS = ("run", "see", "watch", "buttons", "doctor", "print-tags", "history", "replay", "rules", "gallery")
"""Each with a module of its own in `companion.commands`."""


def build_parser(command: str | None = None) -> ArgumentParser:
    """The command line; `wanted`: that command's part only, so that the others need not be loaded."""
    top = ArgumentParser(
        prog="companion", description=DESCRIPTION, epilog=EPILOG, formatter_class=RawDescriptionHelpFormatter
    )
    top.add_argument("--version", action="version", version=f"companion {__version__}")
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name in (command,) if command in COMMANDS else COMMANDS:
        import_module(f"companion.commands.{name.replace('-', '_')}").add_parser(commands)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the command line says; the exit status."""
    os.umask(0o077)  # what people play, and what a camera saw of their table, is theirs alone
    given = sys.argv[1:] if arguments is None else list(arguments)
    args = build_parser(given[0] if given else None).parse_args(given)
    try:
        status: int = args.run(args)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # the reader of our output has gone, as `| head` does
        sys.stderr.close()
        return 141
    return status


if __name__ == "__main__":
    sys.exit(main())
