"""What is heard: the sounds of `effects`, and announcements. No sound device is no error: everything is seen too."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import as_file, files

import pygame

from companion.display.sound.selection import announcement, effect
from companion.display.sound.speech import Speaker
from companion.display.sound_effects import Effect
from companion.i18n import language
from companion.screen_state import Shown

log = logging.getLogger("companion")
RATE = 22_050
"""Samples a second, as the sounds are made (tools/make_sounds.py)."""
BUFFER = 128
"""Samples: about 6 ms between a press and its click."""
LOUDEST = 10


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
    """Plays what belongs to the changes of the screen; silent where the machine has no sound.

    Args:
        speaker: speaks announcements.
    """

    def __init__(self, speaker: Speaker | None = None) -> None:
        self._speaker = speaker or Speaker()
        self._volume, self._spoken = -1, False
        self._before: Shown | None = None
        self._sounds: dict[Effect, pygame.mixer.Sound] = {}
        try:
            with _quietly():
                pygame.mixer.init(RATE, -16, 1, BUFFER)
            with as_file(files("companion.display") / "sounds") as folder:
                self._sounds = {each: pygame.mixer.Sound(str(folder / f"{each}.wav")) for each in Effect}
        except (pygame.error, OSError) as why:
            log.info("No sound (%s); every sound is seen as well.", why)
        self.set(7, spoken=False)

    def set(self, volume: int, *, spoken: bool) -> None:
        """How loud from now on, 0 (silent) to 10, and whether announcements are spoken."""
        if (volume, spoken) == (self._volume, self._spoken):
            return
        self._volume, self._spoken = volume, spoken
        for sound in self._sounds.values():
            sound.set_volume(volume / LOUDEST)
        if not (spoken and volume):
            self._speaker.hush()

    def acknowledge(self) -> None:
        """A button was pressed."""
        self._play(Effect.KEY)

    def follow(self, shown: Shown) -> None:
        """The screen shows this now."""
        before, self._before = self._before, shown
        if before is shown or before == shown:
            return
        heard = effect(before, shown)
        if heard is not None:
            self._play(heard)
        words = announcement(before, shown) if self._spoken else None
        if words:
            self._speaker.say(words, language(), self._volume)

    def close(self) -> None:
        """Nothing is heard any more."""
        self._speaker.hush()
        pygame.mixer.quit()

    def _play(self, each: Effect) -> None:
        sound = self._sounds.get(each)
        if sound is not None and self._volume:
            sound.play()
