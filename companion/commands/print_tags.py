"""`companion print-tags`: write the sheet with the lid's four ArUco tags, exact in millimetres."""

from argparse import ArgumentParser, Namespace
from importlib.resources import files

from companion.commands import CommandError
from companion.commands.argument_values import parse_output_file
from companion.system.atomic_file import write_atomic

DESCRIPTION = (
    "Write the sheet with the four ArUco tags that can be put at the corners of a lid with windows: with them it is "
    "found where its arrow and shape do not show its orientation. The companion uses the tags when it sees them, also "
    "on a lid that it already knows. Print at 100 % and check the ruler."
)
PAPERS = ("a4", "letter")
"""For each there is a sheet beside this module, drawn by tools/draw_tags.py."""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of `companion print-tags` (`path`, `paper`) to its parser."""
    parser.add_argument("path", metavar="FILE", type=parse_output_file, help="what to write: tags.pdf")
    parser.add_argument("--paper", choices=PAPERS, default="a4", help="the paper's size (default: a4)")


def run(args: Namespace) -> None:
    """Write the sheet to a PDF file, replacing a file of that name.

    Args:
        args: `path` (with the suffix .pdf), `paper` (one of PAPERS).

    Raises:
        CommandError: another suffix (status 2), or the file cannot be written (status 1).
    """
    if args.path.suffix.lower() != ".pdf":
        raise CommandError(f"{args.path}: the name must end in .pdf", status=2)
    sheet = files("companion.commands").joinpath(f"tags-{args.paper}.pdf")
    try:
        write_atomic(args.path, sheet.read_bytes(), 0o666)
    except OSError as error:
        raise CommandError(f"{args.path}: {error.strerror}") from error
    print(f"{args.path}: four tags of 15 mm. Print it at 100 % and check the ruler on the sheet.")
