"""`companion see`: read dice and the lid in pictures."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

DESCRIPTION = "Read dice and the lid in pictures. Exit status 1 if a picture could not be read."


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of `companion see` (`paths`, `json`, `sitting`, `draw`) to its parser."""
    parser.add_argument("paths", metavar="PATH", type=Path, nargs="+", help="pictures, or folders of pictures")
    parser.add_argument("--json", action="store_true", help="print one JSON object per picture")
    parser.add_argument(
        "--sitting",
        action="store_true",
        help="the pictures of one folder are one camera's view in name order; the first shows the lid fully covered",
    )
    parser.add_argument(
        "--draw", metavar="DIR", type=Path, help="write a copy of each picture with what was read in it"
    )


def run(args: Namespace) -> int:
    """Print what is read in each picture, see `companion.commands.see.readings.read_files`.

    Args:
        args: the arguments of `add_arguments`.

    Returns:
        Exit status 0, or 1 if at least one picture could not be read.

    Raises:
        CommandError: a packaged network is missing or damaged, or the output cannot be written; status 1.
    """
    # Here, because OpenCV takes longer to load than everything else: the help needs none of it.
    from companion.commands.common import report_errors
    from companion.commands.see.readings import read_files

    with report_errors():
        return read_files(args.paths, as_json=args.json, are_sequences=args.sitting, drawings=args.draw)
