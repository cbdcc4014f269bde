"""Synthesise the sounds: `python tools/make_sounds.py` writes companion/display/sounds/*.wav, always the same bytes.

A bell is a sum of decaying sine partials, a knock a falling tone, a rise or fall a glide. Short fades avoid clicks; the
loudest sounds (stop, gong) are three times as loud as the softest (a key).
"""

from __future__ import annotations

import wave
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

SAMPLE_RATE_HZ = 22_050
SOUND_FOLDER = Path(__file__).parent.parent / "companion" / "display" / "sounds"
Samples = npt.NDArray[np.float64]

# Notes in Hz (equal temperament).
G3, C4, D4, E4, G4, A4, C5, D5, E5, G5, A5, C6, E6 = (
    *(196.00, 261.63, 293.66, 329.63, 392.00, 440.00, 523.25),
    *(587.33, 659.26, 783.99, 880.00, 1046.50, 1318.51),
)
BELL_PARTIALS = ((1.0, 1.0, 1.0), (2.0, 0.45, 0.7), (3.01, 0.2, 0.45), (4.2, 0.1, 0.3))
"""Partials of a bell: (frequency, loudness, duration), relative to the first partial."""
GONG_PARTIALS = (
    (1.0, 1.0, 1.0),
    (1.51, 0.7, 0.9),
    (1.99, 0.6, 0.75),
    (2.74, 0.45, 0.6),
    (3.43, 0.3, 0.45),
    (5.4, 0.15, 0.3),
)
"""Partials of a gong, like `BELL_PARTIALS`: inharmonic, like those of a metal plate."""

PLUCK_PARTIALS = ((1.0, 1.0, 1.0), (2.0, 0.3, 0.4), (3.0, 0.15, 0.3))
"""Partials of a plucked string, like `BELL_PARTIALS`."""
SEAT_NOTES = ((C4, C4), (D4, G4), (E4, C4), (G4, C5), (A4, D4), (C5, C5))
"""Two notes for each seat: higher with its number; the second repeats, rises or falls, so that neighbours differ."""


def _time(seconds: float) -> Samples:
    return np.arange(round(seconds * SAMPLE_RATE_HZ)) / SAMPLE_RATE_HZ


def make_bell(note: float, seconds: float, partials: Sequence[tuple[float, float, float]] = BELL_PARTIALS) -> Samples:
    """Return a struck note of `note` Hz that decays over `seconds`."""
    t = _time(seconds)
    found = np.zeros_like(t)
    for ratio, loud, lasts in partials:
        found += loud * np.sin(2 * np.pi * note * ratio * t) * np.exp(-5.0 * t / (seconds * lasts))
    return found


def make_pluck(note: float, seconds: float) -> Samples:
    """Return a plucked note of `note` Hz, short and without the shimmer of a bell."""
    return make_bell(note, seconds, PLUCK_PARTIALS)


def make_glide(low: float, high: float, seconds: float) -> Samples:
    """Return a tone that glides from pitch `low` to `high` (Hz, in either direction)."""
    t = _time(seconds)
    pitch = low * (high / low) ** (t / seconds)
    return np.sin(2 * np.pi * np.cumsum(pitch) / SAMPLE_RATE_HZ) * np.sin(np.pi * t / seconds) ** 0.5


def make_knock(pitch: float, seconds: float) -> Samples:
    """Return a short falling tone from `pitch` Hz, like wood on wood."""
    t = _time(seconds)
    return np.sin(2 * np.pi * (pitch - 1.2 * pitch * t / seconds / 2) * t) * np.exp(-6.0 * t / seconds)


def mix(*parts: tuple[float, Samples]) -> Samples:
    """Mix sounds; each part is (start in seconds, samples)."""
    length = max(round(at * SAMPLE_RATE_HZ) + len(sound) for at, sound in parts)
    found = np.zeros(length)
    for at, sound in parts:
        first = round(at * SAMPLE_RATE_HZ)
        found[first : first + len(sound)] += sound
    return found


def make_sounds() -> dict[str, tuple[float, Samples]]:
    """Return all sounds by name: (peak loudness from 0 to 1, samples)."""
    seats = {
        f"seat{n}": (0.45, mix((0, make_pluck(note, 0.12)), (0.1, make_pluck(other, 0.2))))
        for n, (note, other) in enumerate(SEAT_NOTES, 1)
    }
    return seats | {
        "everybody": (0.4, mix(*((0.05 * i, make_pluck(note, 0.2)) for i, note in enumerate((C4, E4, G4, C5))))),
        "numbers": (0.35, mix(*((0.07 * i, make_knock(900 + 200 * i, 0.05)) for i in range(3)))),
        "console": (0.35, mix((0, make_knock(500, 0.06)), (0.09, make_knock(500, 0.08)))),
        "key": (0.28, make_knock(1500, 0.02)),
        "played": (0.35, make_knock(620, 0.07)),
        "turn": (0.45, mix((0, make_bell(G4, 0.35)), (0.11, make_bell(C5, 0.5)))),
        "ask": (0.45, mix((0, make_bell(A4, 0.25)), (0.13, make_bell(D5, 0.45)))),
        "notice": (0.45, mix((0, make_knock(300, 0.12)), (0.12, make_knock(250, 0.16)))),
        "gain": (0.5, mix((0, make_bell(E5, 0.3)), (0.07, make_bell(A5, 0.45)))),
        "miss": (0.45, make_glide(C4, G3, 0.32)),
        "gold": (0.8, make_bell(165.0, 1.8, GONG_PARTIALS)),
        "tick": (0.3, make_knock(1900, 0.03)),
        "go": (0.7, mix((0, make_bell(C5, 0.25)), (0.0, make_bell(G5, 0.6)))),
        "stop": (0.85, mix((0, make_bell(220.0, 1.4, GONG_PARTIALS)), (0.18, make_bell(220.0, 1.4, GONG_PARTIALS)))),
        "new": (0.4, make_glide(C5, C6, 0.28)),
        "fall": (0.4, make_glide(E6, E4, 0.5)),
        "round": (0.5, mix((0, make_bell(C5, 0.3)), (0.1, make_bell(E5, 0.3)), (0.2, make_bell(G5, 0.6)))),
        "won": (
            0.7,
            mix(
                *((at, make_bell(note, 0.5)) for at, note in ((0, G4), (0.14, C5), (0.28, E5))),
                *((0.42, make_bell(note, 1.2)) for note in (C5, E5, G5, C6)),
            ),
        ),
    }


def normalize(sound: Samples, loudest: float) -> npt.NDArray[np.int16]:
    """Fade the sound in and out and scale it to the peak; return (samples,) int16, mono."""
    ramp = min(len(sound) // 4, round(0.004 * SAMPLE_RATE_HZ))
    sound = sound.copy()
    sound[: ramp // 4] *= np.linspace(0, 1, ramp // 4)
    sound[-ramp:] *= np.linspace(1, 0, ramp)
    return np.asarray(np.round(32767 * loudest * sound / np.abs(sound).max()), dtype="<i2")


def write_sounds(folder: Path = SOUND_FOLDER) -> None:
    """Write a WAV file for each sound."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, (loudest, sound) in make_sounds().items():
        with wave.open(str(folder / f"{name}.wav"), "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(SAMPLE_RATE_HZ)
            file.writeframes(normalize(sound, loudest).tobytes())


if __name__ == "__main__":
    write_sounds()
