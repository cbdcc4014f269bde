"""What every source of button presses has in common: the Pi's pins, the button box, and their twins in tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from hardware.effects import Effect
from hardware.signals import Button, Signal


class SourceLost(OSError):
    """The source is gone, or cannot be opened. The message says why and what helps."""


class ButtonSource(Protocol):
    """Buttons with lamps, opened. It belongs to the thread that reads it."""

    @property
    def name(self) -> str:
        """What people call it, as in "The button box is gone"."""
        ...

    def read(self) -> list[Signal]:
        """What was pressed and released since the last call, earliest first; does not wait.

        Raises:
            SourceLost: it is gone; close it and open it anew.
        """
        ...

    def light(self, lamps: Mapping[Button, Effect]) -> None:
        """What the lamps are to show from now on; a button that is not named is dark. Does not wait.

        A source that is gone says so at the next `read`, not here.
        """
        ...

    def close(self) -> None:
        """Lets go of the device, lamps dark; may be called twice."""
        ...
