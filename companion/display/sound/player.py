"""Sound output: plays sound effects and speaks. Without a sound device it is silent: all is visible too."""

from importlib.resources import as_file, files
from io import BytesIO

import pygame

from companion.display.sound.effect_choice import choose_seat_sound, choose_sound
from companion.display.sound.sound_effects import SeatSound, Sound, SoundEffect, SoundFile
from companion.display.sound.speech import Speaker
from companion.display.sound.spoken_clocks import ClockCaller
from companion.display.sound.spoken_lines import SpeechLevel, compose_lines, join_lines, make_speakable
from companion.i18n import current_language
from companion.log import log
from companion.screen_state import ScreenState

SAMPLE_RATE_HZ = 22_050
"""Sample rate of the sound files (made by tools/make_sounds.py)."""
BUFFER_SAMPLES = 128
"""Size of the mixer's buffer: about 6 ms between a press and its click; more is later, less may crackle."""
MAX_VOLUME = 10
"""The loudest volume."""
DEFAULT_VOLUME = 7
"""Volume before `SoundPlayer.configure` is called."""


class SoundPlayer:
    """Plays the sounds of changes of the screen; silent on a machine without sound, which is logged and raises nothing.

    Opens pygame's mixer when it is made, and starts at volume `DEFAULT_VOLUME` without speech.

    Args:
        speaker: speaks the lines; None: espeak-ng, if it is installed.
    """

    def __init__(self, speaker: Speaker | None = None) -> None:
        self._speaker = speaker or Speaker()
        self._volume, self._level = -1, SpeechLevel.OFF
        self._last_state: ScreenState | None = None
        self._clock_caller = ClockCaller()
        self._sounds: dict[Sound | SeatSound, pygame.mixer.Sound | None] = {}
        try:
            pygame.mixer.init(SAMPLE_RATE_HZ, -16, 1, BUFFER_SAMPLES)
            with as_file(files("companion.display") / "sounds") as folder:
                self._sounds = {
                    name: pygame.mixer.Sound(str(folder / f"{name}.wav")) for name in (*SoundEffect, *SeatSound)
                }
        except (pygame.error, OSError) as error:
            log.info("No sound (%s); every sound is also shown on the screen.", error)
        self.configure(DEFAULT_VOLUME, SpeechLevel.OFF)

    def configure(self, volume: int, level: SpeechLevel) -> None:
        """Set the volume, and how much is spoken.

        Args:
            volume: 0 (silent, and nothing is spoken) to `MAX_VOLUME`, which is 10; not checked.
            level: how much is spoken. Another one stops what is being spoken.
        """
        if (volume, level) == (self._volume, self._level):
            return
        self._volume, self._level = volume, level
        for sound in self._sounds.values():
            if sound is not None:
                sound.set_volume(volume / MAX_VOLUME)
        self._speaker.stop()

    def play_key_click(self) -> None:
        """Play the sound of a pressed button; nothing happens at volume 0, without a sound device, or after `close`."""
        self._play(SoundEffect.KEY)

    def play_change(self, state: ScreenState) -> None:
        """Play the sound, and begin to speak the lines, of the change from the last state to this one.

        Returns without waiting for the end of either. A press cuts short what is being spoken. There is no sound effect
        for the first state, and nothing for an equal state, at volume 0 or without a sound device.

        Args:
            state: what is shown now; it is kept for the next call.

        Raises:
            Exception: any error of the scene's methods is passed on.
            ValueError: the lines hold a lone surrogate, and are spoken.
        """
        before, self._last_state = self._last_state, state
        if before is state or before == state:
            return
        effect, seat = choose_sound(before, state), None
        if self._level is SpeechLevel.EVERYTHING:
            seat = choose_seat_sound(before, state)
        if effect is not None and not (seat and effect is SoundEffect.NEXT_PLAYER):  # the seat's own says more
            self._play(effect)
        if seat is not None:
            self._play(seat)
        if before is not None and state.pressed_buttons - before.pressed_buttons:
            self._speaker.stop()
        lines = compose_lines(before, state, self._level)
        if self._level is not SpeechLevel.OFF:
            is_silent = not lines and not self._speaker.is_speaking
            line = make_speakable(self._clock_caller.describe(state, is_silent=is_silent))
            if line and line not in lines:  # a notice may say it too
                lines += (line,)
        if lines:
            self._speaker.say(join_lines(lines), current_language(), self._volume)

    def close(self) -> None:
        """Stop all sounds and release the sound device. Play nothing after that."""
        self._speaker.stop()
        self._sounds = {}  # playing one without the device would end the process
        pygame.mixer.quit()

    def _play(self, effect: Sound | SeatSound) -> None:
        if isinstance(effect, SoundFile) and self._sounds and effect not in self._sounds:
            self._sounds[effect] = self._load_own(effect)
        sound = self._sounds.get(effect)
        if sound is not None and self._volume:
            sound.play()

    def _load_own(self, sound: SoundFile) -> pygame.mixer.Sound | None:
        """Load a sound of a plug-in's own, once; None: it cannot be, which is logged."""
        try:
            loaded = pygame.mixer.Sound(file=BytesIO(sound.file.read_bytes()))
        except (pygame.error, OSError, ModuleNotFoundError) as error:
            log.warning("The sound %s of %s cannot be played: %s", sound.file.path, sound.file.package, error)
            return None
        loaded.set_volume(self._volume / MAX_VOLUME)
        return loaded
