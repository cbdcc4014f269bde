"""Text that fits its box: fonts live as long as they are used."""

from __future__ import annotations

import subprocess
import sys

MEASURE_AFTER_QUIT = """
import pygame
from companion.display.toolkit.text import FontCache, Typeface
kept = FontCache()
face = Typeface.TEXT
before = kept.measure_width("Ada", face, 20)
pygame.quit()
FontCache()
assert kept.measure_width("Ada", face, 20) == before
"""


def test_fonts_are_loaded_again_once_pygame_was_quit() -> None:
    # In a process of its own: a font of the time before crashes it.
    ran = subprocess.run([sys.executable, "-c", MEASURE_AFTER_QUIT], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
