"""The command `companion buttons`: print presses and light lamps, to test a wiring."""

from companion.commands.buttons.command import DESCRIPTION, add_arguments, run

__all__ = ["DESCRIPTION", "add_arguments", "run"]
