"""Sounds are played and lines spoken once, as configured, and without a device there is no error."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pygame
import pytest

from companion.display.sound.player import SoundPlayer
from companion.display.sound.speech import Speaker
from companion.display.sound.spoken_lines import SpeechLevel
from companion.events import Button
from companion.screen_state import Question
from tests.display.sound.test_effect_choice import play


@pytest.fixture
def dummy(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    pygame.mixer.quit()
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    yield
    pygame.mixer.quit()


@pytest.mark.usefixtures("dummy")
def test_press_clicks_unless_volume_is_zero() -> None:
    sounds = SoundPlayer(Speaker(()))
    sounds.play_key_click()
    assert pygame.mixer.get_busy()
    pygame.mixer.stop()
    sounds.configure(0, SpeechLevel.OFF)
    sounds.play_key_click()
    assert not pygame.mixer.get_busy()


@pytest.mark.usefixtures("dummy")
def test_each_change_is_played_once() -> None:
    sounds = SoundPlayer(Speaker(()))
    sounds.play_change(play())
    assert not pygame.mixer.get_busy()
    sounds.play_change(replace(play(), notice="odd"))
    assert pygame.mixer.get_busy()
    pygame.mixer.stop()
    sounds.play_change(replace(play(), notice="odd"))
    assert not pygame.mixer.get_busy()


def test_without_sound_device_player_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    pygame.mixer.quit()
    monkeypatch.setenv("SDL_AUDIODRIVER", "no-such-driver")
    sounds = SoundPlayer(Speaker(()))
    sounds.play_key_click()
    sounds.play_change(play())
    sounds.play_change(replace(play(), notice="odd"))
    assert pygame.mixer.get_init() is None


@pytest.mark.usefixtures("dummy")
def test_closed_player_releases_the_device_and_plays_nothing() -> None:
    sounds = SoundPlayer(Speaker(()))
    sounds.play_change(play())
    sounds.play_key_click()
    assert pygame.mixer.get_busy()
    sounds.close()
    assert pygame.mixer.get_init() is None
    # Playing a sound on the released device would end the process or raise.
    sounds.play_key_click()
    sounds.play_change(replace(play(), notice="odd"))
    sounds.close()


class Told(Speaker):
    """Notes what it is to speak, and how often it was stopped."""

    def __init__(self) -> None:
        super().__init__(())
        self.lines: list[str] = []
        self.stops = 0

    def say(self, line: str, language: str, volume: int) -> None:
        self.lines.append(f"{language} {volume} {line}")

    def stop(self) -> None:
        self.stops += 1


@pytest.mark.usefixtures("dummy")
def test_lines_are_spoken_only_if_configured() -> None:
    speaker = Told()
    sounds = SoundPlayer(speaker)
    asked = replace(play(), question=Question("Is it 2 and 5?"))
    sounds.play_change(play())
    sounds.play_change(asked)
    assert speaker.lines == []
    sounds.configure(4, SpeechLevel.MOMENTS)
    sounds.play_change(play())
    sounds.play_change(asked)
    assert speaker.lines == ["en 4 Is it 2 and 5?"]


@pytest.mark.usefixtures("dummy")
def test_a_press_cuts_short_what_is_being_spoken() -> None:
    speaker = Told()
    sounds = SoundPlayer(speaker)
    sounds.configure(4, SpeechLevel.EVERYTHING)
    sounds.play_change(play())
    speaker.stops = 0
    pressed = replace(play(), pressed_buttons=frozenset({Button.OK}))
    sounds.play_change(pressed)
    assert speaker.stops == 1
    sounds.play_change(play())
    assert speaker.stops == 1, "a press that fades stops nothing"


@pytest.mark.usefixtures("dummy")
@pytest.mark.parametrize(("level", "is_heard"), [(SpeechLevel.MOMENTS, False), (SpeechLevel.EVERYTHING, True)])
def test_the_seat_s_sound_is_played_where_everything_is_spoken(level: SpeechLevel, is_heard: bool) -> None:
    sounds = SoundPlayer(Told())
    sounds.configure(4, level)
    sounds.play_change(play())
    assert pygame.mixer.get_busy() == is_heard
