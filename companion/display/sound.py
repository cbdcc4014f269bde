"""The click that acknowledges a press. It has a visible twin (the key lights up), and no sound device is no error."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import numpy.typing as npt
import pygame

log = logging.getLogger("companion")
RATE = 44_100
"""Samples a second."""
BUFFER = 256
"""Samples: about 6 ms between a press and its click."""


def click() -> npt.NDArray[np.int16]:
    """A short wooden tick: 12 ms of a falling tone that dies away. Shape (samples,), mono, 16 bit."""
    seconds = np.arange(int(0.012 * RATE)) / RATE
    tone = np.sin(2 * np.pi * (1500 - 40_000 * seconds) * seconds)
    return np.asarray(9000 * tone * np.exp(-seconds / 0.003), dtype=np.int16)


@contextmanager
def _quietly() -> Iterator[None]:
    """Without what ALSA writes to stderr by itself where there is no sound card: we say that in one line."""
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


class Sounds:
    """Plays the click; silent where the machine has no sound."""

    def __init__(self) -> None:
        self._click: pygame.mixer.Sound | None = None
        try:
            with _quietly():
                pygame.mixer.init(RATE, -16, 1, BUFFER)
            self._click = pygame.mixer.Sound(buffer=click().tobytes())
        except pygame.error as why:
            log.info("No sound (%s); every sound is seen as well.", why)

    def acknowledge(self) -> None:
        """A button was pressed."""
        if self._click is not None:
            self._click.play()
