"""The display: draws what it is shown, and knows no rules."""

from companion.display.screen import Screen, save_png

__all__ = ["Screen", "save_png"]
