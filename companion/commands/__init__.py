"""The commands of the program: each module has HELP, DESCRIPTION, `add_arguments(parser)` and `run(args)`."""


class CommandError(Exception):
    """The command failed: `companion.cli.main` prints the message on stderr and exits with `status`."""

    def __init__(self, message: object, status: int = 1) -> None:
        super().__init__(str(message))
        self.status = status
