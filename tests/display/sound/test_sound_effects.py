"""The sound files are what their script makes, and each is listed with its visible twin."""

from __future__ import annotations

import wave
from importlib.resources import files

import numpy as np

from companion.display.sound import sound_effects
from companion.display.sound.player import SAMPLE_RATE_HZ
from companion.display.sound.sound_effects import SeatSound, SoundEffect
from tools import make_sounds


def test_the_sounds_are_what_the_script_makes() -> None:
    sounds = make_sounds.make_sounds()
    assert set(sounds) == {*SoundEffect, *SeatSound}
    for name, (loudest, sound) in sounds.items():
        with (files("companion.display") / "sounds" / f"{name}.wav").open("rb") as file, wave.open(file) as kept:
            assert (kept.getframerate(), kept.getnchannels(), kept.getsampwidth()) == (SAMPLE_RATE_HZ, 1, 2)
            samples = np.frombuffer(kept.readframes(kept.getnframes()), "<i2").astype(int)
        made = make_sounds.normalize(sound, loudest).astype(int)
        assert len(samples) == len(made), name
        assert np.abs(samples - made).max() <= 2, name
        assert len(samples) / SAMPLE_RATE_HZ < 2, name
        assert max(abs(samples[0]), abs(samples[-1])) < 400, name
        assert 0.25 < np.abs(samples).max() / 32767 < 0.9, name


def test_each_sound_is_listed_with_its_visible_twin() -> None:
    reported = sound_effects.__doc__ or ""
    names = {
        name.strip()
        for line in reported.splitlines()
        if line.startswith("| ")
        for name in line.split("|")[1].split(",")
    }
    assert set(SoundEffect) <= names
