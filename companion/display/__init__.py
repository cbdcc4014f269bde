"""The display: draws what it is shown, and knows no rules."""

from companion.display.screen import Screen, save

__all__ = ["Screen", "save"]
