"""The command `companion doctor`: check what works on this machine."""

from companion.commands.doctor.command import DESCRIPTION, add_arguments, run

__all__ = ["DESCRIPTION", "add_arguments", "run"]
