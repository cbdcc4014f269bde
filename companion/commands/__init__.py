"""The commands of the program: each module has DESCRIPTION, `add_arguments(parser)` and `run(args)`.

`add_arguments` adds the command's options to its own, still empty parser. `run` gets the parsed arguments and returns
the exit status of the process: 0 for success, or None as `sys.exit` takes it; 1 for failure. It raises `CommandError`
instead of printing an error, whose status is 1, or 2 for a wrong command line or wrong settings (as argparse uses it).
Unless a command says otherwise, Ctrl-C leaves `run` as KeyboardInterrupt; `companion.cli.main` ends with status 130.
BrokenPipeError leaves it when the reader of its output has ended, as in `| head`; that is no failure (status 0). An
error of an installed game's own code, such as ImportError, is passed on and is a failure.
"""

from companion import find_repository

PROJECT_SOURCE = "."
"""What pip installs in the project's folder, whatever its name."""


def format_install_command(extra: str = "", command: str = "pip install") -> str:
    """Return the command that installs the companion with the libraries of an extra of pyproject.toml, and where.

    >>> format_install_command("porch")  # doctest: +ELLIPSIS
    "pip install '...[porch]..."
    """
    options = f"[{extra}]" if extra else ""
    if address := find_repository():
        return f"{command} 'board-game-companion{options} @ git+{address}'"
    return f"{command} '{PROJECT_SOURCE}{options}' in the project's folder"


class CommandError(Exception):
    """The command failed: `companion.cli.main` prints the message on stderr and exits with `status`.

    Args:
        message: converted to text by `str`; says what is wrong and, where there is one, the remedy.
        status: exit status of the process: 1 failure, 2 wrong command line or settings. Also an attribute.
    """

    def __init__(self, message: object, status: int = 1) -> None:
        super().__init__(str(message))
        self.status = status
