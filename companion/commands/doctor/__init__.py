"""The command `companion doctor`: check what works on this machine."""

from companion.commands.doctor.command import add_parser

__all__ = ["add_parser"]
