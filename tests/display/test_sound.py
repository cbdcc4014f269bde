"""A click where there is sound, and no trouble where there is none."""

from __future__ import annotations

import numpy as np
import pygame
import pytest

from companion.display.sound import RATE, Sounds, click


def test_the_click_is_short_audible_and_ends_softly() -> None:
    samples = click().astype(int)
    assert len(samples) / RATE < 0.02
    assert np.abs(samples).max() > 3000
    assert np.abs(samples[-20:]).max() < 400


def test_without_a_sound_device_a_press_is_merely_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    pygame.mixer.quit()
    monkeypatch.setenv("SDL_AUDIODRIVER", "no-such-driver")
    Sounds().acknowledge()
    assert pygame.mixer.get_init() is None


def test_with_one_a_press_is_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    pygame.mixer.quit()
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    sounds = Sounds()
    try:
        sounds.acknowledge()
        assert pygame.mixer.get_busy()
    finally:
        pygame.mixer.quit()
