"""The display: draws the state of the screen; it does not know the rules of the games."""

from companion.display.screen import Screen, save_png

__all__ = ["Screen", "save_png"]
