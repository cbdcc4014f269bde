"""The command `companion doctor`: check what works on this machine."""

from companion.commands.doctor.command import DESCRIPTION, HELP, add_arguments, run

__all__ = ["DESCRIPTION", "HELP", "add_arguments", "run"]
