"""What is heard: the sounds of `effects`, and announcements. No sound device is no error: everything is seen too."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import as_file, files

import pygame

from companion.display.sound.selection import choose_announcement, choose_effect
from companion.display.sound.speech import Speaker
from companion.display.sound_effects import SoundEffect
from companion.i18n import current_language
from companion.screen_state import ScreenState

log = logging.getLogger("companion")
SAMPLE_RATE_HZ = 22_050
"""Samples a second, as the sounds are made (tools/make_sounds.py)."""
BUFFER_SAMPLES = 128
"""Samples: about 6 ms between a press and its click."""
MAX_VOLUME = 10


@contextmanager
def _stderr_silenced() -> Iterator[None]:
    """Without what ALSA writes to stderr by itself where there is no sound card: we say that in one line."""
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


class SoundPlayer:
    """Plays what belongs to the changes of the screen; silent where the machine has no sound.

    Args:
        speaker: speaks announcements.
    """

    def __init__(self, speaker: Speaker | None = None) -> None:
        self._speaker = speaker or Speaker()
        self._volume, self._announces = -1, False
        self._last_state: ScreenState | None = None
        self._sounds: dict[SoundEffect, pygame.mixer.Sound] = {}
        try:
            with _stderr_silenced():
                pygame.mixer.init(SAMPLE_RATE_HZ, -16, 1, BUFFER_SAMPLES)
            with as_file(files("companion.display") / "sounds") as folder:
                self._sounds = {each: pygame.mixer.Sound(str(folder / f"{each}.wav")) for each in SoundEffect}
        except (pygame.error, OSError) as why:
            log.info("No sound (%s); every sound is seen as well.", why)
        self.configure(7, announce=False)

    def configure(self, volume: int, *, announce: bool) -> None:
        """How loud from now on, 0 (silent) to 10, and whether announcements are spoken."""
        if (volume, announce) == (self._volume, self._announces):
            return
        self._volume, self._announces = volume, announce
        for sound in self._sounds.values():
            sound.set_volume(volume / MAX_VOLUME)
        if not (announce and volume):
            self._speaker.stop()

    def play_key_click(self) -> None:
        """A button was pressed."""
        self._play(SoundEffect.KEY)

    def play_change(self, state: ScreenState) -> None:
        """The screen shows this now."""
        before, self._last_state = self._last_state, state
        if before is state or before == state:
            return
        heard = choose_effect(before, state)
        if heard is not None:
            self._play(heard)
        words = choose_announcement(before, state) if self._announces else None
        if words:
            self._speaker.say(words, current_language(), self._volume)

    def close(self) -> None:
        """Nothing is heard any more."""
        self._speaker.stop()
        pygame.mixer.quit()

    def _play(self, effect: SoundEffect) -> None:
        sound = self._sounds.get(effect)
        if sound is not None and self._volume:
            sound.play()
