"""Parse values of the command line: numbers, names, files.

Which options a command has: `add_arguments` in its own module; options of several: `common.py`. Suggestions for
mistyped words: `suggest` in `companion/cli.py`.
"""

import re
from argparse import ArgumentTypeError
from pathlib import Path

from companion.names import MAX_NAME_LETTERS, normalize_name
from companion.system.font_files import find_undrawable

MAX_SHOWN_LETTERS = 40
"""Most letters of an argument that a message repeats."""


def parse_whole_number(text: str, low: int, high: int) -> int:
    """Parse an argument of the command line as a whole number: an optional minus sign and decimal digits only.

    Args:
        text: the argument, of any length.
        low: the lowest number that is allowed.
        high: the highest number that is allowed; at most 18 digits are read.

    Raises:
        ArgumentTypeError: it is no whole number, or not from `low` to `high`.
    """
    # int() refuses thousands of digits with a message of its own, and takes spaces and underscores.
    number = int(text) if re.fullmatch(r"-?\d{1,18}", text, re.ASCII) else high + 1
    if not low <= number <= high:
        raise ArgumentTypeError(f"{shorten_argument(text)} is no whole number from {low} to {high}")
    return number


def parse_name(text: str) -> str:
    """Parse a player's name: in normal form, and of letters that the screen can show.

    Raises:
        ArgumentTypeError: it is empty, too long, or has other letters.
    """
    name = normalize_name(text)
    if not name:
        raise ArgumentTypeError("a name is empty")
    if len(name) > MAX_NAME_LETTERS:
        raise ArgumentTypeError(f"{shorten_argument(name)} is too long: a name has at most {MAX_NAME_LETTERS} letters")
    if strange := find_undrawable(name):
        raise ArgumentTypeError(
            f"{shorten_argument(name)} has letters that cannot be shown on the screen, as {shorten_argument(strange)}: "
            "no font here has them, or they need to be joined"
        )
    return name


def shorten_argument(text: str) -> str:
    """Return an argument of the command line in quotes for a message, with control characters escaped.

    Of a longer one only the first MAX_SHOWN_LETTERS characters and "..." are returned.
    """
    return repr(text if len(text) <= MAX_SHOWN_LETTERS else f"{text[:MAX_SHOWN_LETTERS]}...")


def parse_output_file(text: str) -> Path:
    """Parse an argument as the path of a file to write: a file or nothing may be there.

    A file is written beside it and takes its place: that must not happen to /dev/null or /dev/stdout.

    Raises:
        ArgumentTypeError: a folder, a pipe or a device is there.
    """
    path = parse_output_path(text)
    if path.is_dir():
        raise ArgumentTypeError(f"{text} is a folder: name a file")
    return path


def parse_output_path(text: str) -> Path:
    """Parse an argument like `parse_output_file`, but a folder may be there too.

    Raises:
        ArgumentTypeError: a pipe or a device is there.
    """
    path = Path(text)
    try:
        if path.exists() and not (path.is_file() or path.is_dir()):
            raise ArgumentTypeError(f"{text} is a pipe or a device: name a file")
    except OSError as error:
        raise ArgumentTypeError(f"{shorten_argument(text)} cannot be written: {error.strerror}") from error
    return path
