"""Sounds, icons and pictures that a plug-in brings in its own package."""

from __future__ import annotations

import logging
import wave
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pygame
import pytest

from companion.display.api import Canvas, IconShape, PackageFile, SoundEffect, SoundFile
from companion.display.sound.effect_choice import choose_sound
from companion.display.sound.player import SoundPlayer
from companion.display.sound.speech import Speaker
from companion.display.sound.spoken_lines import SpeechLevel
from companion.display.toolkit.icons import ICONS
from companion.games.macroscope.display.scene import MacroscopeScene
from companion.games.macroscope.samples import build_samples

STATE = build_samples()["roll_two"]
BOX = pygame.Rect(0, 0, 60, 60)


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A package with a sound, a picture, and a file that is neither."""
    folder = tmp_path / "own_game"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "damaged.wav").write_bytes(b"RIFF")
    with wave.open(str(folder / "hop.wav"), "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(22_050)
        sound.writeframes(np.zeros(500, np.int16).tobytes())
    picture = pygame.Surface((30, 20), pygame.SRCALPHA, 32)
    picture.fill((200, 40, 40, 255))
    pygame.image.save(picture, str(folder / "pawn.png"))
    monkeypatch.syspath_prepend(tmp_path)
    return "own_game"


@pytest.fixture
def dummy() -> Iterator[None]:
    pygame.mixer.quit()
    yield
    pygame.mixer.quit()


def choose_own(monkeypatch: pytest.MonkeyPatch, sound: SoundFile, **changes: Any) -> object:
    """Return the sound of a move for which the scene chooses its own."""
    monkeypatch.setattr(MacroscopeScene, "choose_sound", lambda *_views: sound)
    before = replace(STATE, last_move="before")
    return choose_sound(before, replace(before, last_move="after", **changes))


def test_an_own_sound_has_the_rank_that_it_states(monkeypatch: pytest.MonkeyPatch) -> None:
    hop = SoundFile(PackageFile("own_game", "hop.wav"), SoundEffect.PIECE_LOST)
    assert choose_own(monkeypatch, hop) is hop, "above that of a plain move"
    assert choose_own(monkeypatch, hop, notice="The camera is gone") is SoundEffect.NOTICE, "below that of a notice"
    quiet = SoundFile(hop.file, SoundEffect.TICK)
    assert choose_own(monkeypatch, quiet) is SoundEffect.PLAYED


@pytest.mark.usefixtures("dummy")
def test_an_own_sound_is_played_and_a_damaged_one_is_logged_once(
    package: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "companion"):
        sounds = SoundPlayer(Speaker(()))
        for name, is_heard in (("hop.wav", True), ("damaged.wav", False), ("damaged.wav", False), ("none.wav", False)):
            pygame.mixer.stop()
            own = SoundFile(PackageFile(package, name))
            monkeypatch.setattr(MacroscopeScene, "choose_sound", lambda *_views, own=own: own)
            sounds.play_change(replace(STATE, last_move="before"))
            pygame.mixer.stop()
            sounds.play_change(replace(STATE, last_move="after"))
            assert pygame.mixer.get_busy() == is_heard, name
        sounds.configure(0, SpeechLevel.OFF)
        sounds.close()
    assert [record.message.partition(" cannot")[0] for record in caplog.records] == [
        "The sound damaged.wav of own_game",
        "The sound none.wav of own_game",
    ]


def test_an_own_icon_is_drawn_like_ours() -> None:
    ours, own = Canvas((800, 480)), Canvas((800, 480))
    ours.draw_icon("square", BOX.center, 40, (255, 255, 255))
    own.draw_icon(IconShape(ICONS["square"].polygons), BOX.center, 40, (255, 255, 255))
    assert pygame.image.tobytes(ours.surface, "RGB") == pygame.image.tobytes(own.surface, "RGB")
    assert sum(own.surface.get_at(BOX.center)[:3]) > 600


def test_an_own_picture_is_drawn(package: str) -> None:
    canvas = Canvas((800, 480))
    assert canvas.draw_art(PackageFile(package, "pawn.png"), BOX).size == (60, 40)
    assert canvas.surface.get_at(BOX.center)[:3] == (200, 40, 40)
    with pytest.raises(KeyError, match="none"):
        canvas.draw_art(PackageFile(package, "none.png"), BOX)
    assert not PackageFile("no_such_package", "pawn.png").is_file()
