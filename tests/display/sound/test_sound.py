"""Sounds: files match their script, selection of effects, playback, speech, and no error without a device."""

from __future__ import annotations

import sys
import wave
from collections.abc import Iterator
from dataclasses import replace
from importlib.resources import files
from itertools import zip_longest
from pathlib import Path

import numpy as np
import pygame
import pytest

from companion.display import sound_effects
from companion.display.sound.effect_choice import choose_seat_sound, choose_sound
from companion.display.sound.player import SAMPLE_RATE_HZ, SoundPlayer
from companion.display.sound.speech import Speaker
from companion.display.sound.spoken_lines import SpeechLevel, compose_lines
from companion.display.sound_effects import SeatSound, SoundEffect
from companion.events import Button
from companion.gallery import load_sample_builders
from companion.games.starfall.state import UNKNOWN_TILE, OwnedTile
from companion.screen_state import PlayedMove, Question, RunningClock, ScreenKind, ScreenState, SoftKey
from companion.testing.screens import SampleStates
from tools import make_sounds

STATES = {name: SampleStates(build_samples) for name, build_samples in load_sample_builders().items()}


@pytest.fixture
def dummy(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    pygame.mixer.quit()
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    yield
    pygame.mixer.quit()


PLAYED = PlayedMove(1, None)
"""A move that was just played."""


def play() -> ScreenState:
    return STATES["macroscope"]["roll_two"]


# The files ------------------------------------------------------------------------------------------------------------


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


# Which sound ----------------------------------------------------------------------------------------------------------


def test_no_change_makes_no_sound() -> None:
    for states in STATES.values():
        for shown in states.values():
            assert choose_sound(shown, shown) is None
            assert compose_lines(shown, shown, SpeechLevel.EVERYTHING) == ()
            assert choose_seat_sound(shown, shown) is None
    assert choose_sound(None, play()) is None


def test_next_player_has_a_sound_of_the_turn_and_one_of_the_seat() -> None:
    shown = play()
    one, other = shown.players[:2]
    before = replace(shown, prompt=f"{one.name}: roll the dice", addressed=one.seat)
    after = replace(shown, prompt=f"{other.name}: roll the dice", addressed=other.seat)
    assert choose_sound(before, after) is SoundEffect.NEXT_PLAYER
    assert choose_seat_sound(before, after) is SeatSound(other.button)


@pytest.mark.parametrize(
    ("score_changes", "sound"),
    [((), SoundEffect.PLAYED), ((1, -1), SoundEffect.POINTS_GAINED), ((-1,), SoundEffect.POINTS_LOST)],
)
def test_a_move_sounds_like_what_it_does_to_the_points(score_changes: tuple[int, ...], sound: SoundEffect) -> None:
    shown = replace(play(), last_move="before", played=PLAYED)
    scores = [a + b for a, b in zip_longest(shown.scores, score_changes, fillvalue=0)]
    after = replace(shown, last_move="after", scores=tuple(scores))
    assert choose_sound(shown, after) is sound
    assert choose_sound(shown, replace(after, played=None)) is SoundEffect.PLAYED, "a correction"


def test_sounds_of_question_and_notice() -> None:
    shown = play()
    asked = replace(shown, question=Question("Is it 2 and 5?"))
    assert choose_sound(shown, asked) is SoundEffect.QUESTION
    assert choose_sound(asked, shown) is None
    assert choose_sound(asked, replace(asked, question=Question("Are you still playing?"))) is SoundEffect.QUESTION
    named, longer = (replace(shown, question=Question(name), asks_for_text=True) for name in ("A_", "AD_"))
    assert choose_sound(named, longer) is None
    assert choose_sound(shown, replace(shown, notice="The camera is gone")) is SoundEffect.NOTICE


def test_last_five_seconds_tick() -> None:
    shown = play()

    def at(left: float, *, paused: bool = False) -> ScreenState:
        return replace(shown, clocks=(RunningClock("turn 1", left, 60.0, paused),))

    assert choose_sound(at(7), at(6)) is None
    assert [choose_sound(at(n + 1), at(n)) for n in (5, 4, 3, 2, 1)] == [SoundEffect.TICK] * 5
    assert choose_sound(at(5), at(5)) is None
    assert choose_sound(at(5), at(4, paused=True)) is None
    assert choose_sound(at(1), at(0)) is None


def test_simultaneous_phase_has_start_and_stop_sounds() -> None:
    states = [shown for shown in STATES["pictomania"].values() if not shown.question]
    start, drawing, stopped = (
        next(shown for shown in states if getattr(shown.view, "phase", "") == phase)
        for phase in ("start", "drawing", "stop")
    )
    assert choose_sound(start, drawing) is SoundEffect.START
    assert choose_sound(drawing, stopped) is SoundEffect.STOP


def test_sound_of_the_end_of_a_game() -> None:
    states = STATES["macroscope"]
    ended = next(s for s in states.values() if s.kind is ScreenKind.RESULT)
    result = replace(ended, played=PLAYED)
    assert choose_sound(play(), result) is SoundEffect.WON
    assert choose_sound(play(), replace(result, played=None)) is not SoundEffect.WON


def test_golden_cup_has_the_prize_sound() -> None:
    shown = STATES["memo_dice"]["uncover_golden"]
    *others, golden = shown.view.cup_row
    cup_row = (*others, replace(golden, owner=shown.players[0].seat))
    won = replace(shown, view=replace(shown.view, cup_row=cup_row), played=PLAYED)
    assert choose_sound(shown, won) is SoundEffect.PRIZE
    assert choose_sound(shown, replace(won, played=None)) is None


def test_tiles_added_and_lost_have_their_sounds() -> None:
    shown = next(s for s in STATES["starfall"].values() if s.kind is ScreenKind.PLAY and len(s.view.board) > 1)
    shown = replace(shown, played=PLAYED)
    fewer = replace(shown, view=replace(shown.view, board=shown.view.board[1:]))
    assert choose_sound(fewer, shown) is SoundEffect.PIECE_ADDED
    assert choose_sound(shown, fewer) is SoundEffect.PIECE_LOST
    owned_tiles = tuple((*own, OwnedTile(UNKNOWN_TILE, None)) for own in fewer.view.owned_tiles)
    taken = replace(fewer, view=replace(fewer.view, owned_tiles=owned_tiles), last_move="taken")
    assert choose_sound(shown, taken) is SoundEffect.PLAYED


def test_going_back_to_a_game_is_silent() -> None:
    assert choose_sound(replace(play(), kind=ScreenKind.RESUME), play()) is None
    assert (
        choose_sound(STATES["starfall"]["turn"] if "turn" in STATES["starfall"] else play(), STATES["setup"]["box"])
        is None
    )


# Heard ----------------------------------------------------------------------------------------------------------------


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


# Spoken ---------------------------------------------------------------------------------------------------------------

TAKES_DOWN = (
    "import sys, pathlib; pathlib.Path(sys.argv[1]).write_text(' '.join(sys.argv[2:]) + '|' + sys.stdin.read())"
)


def test_line_is_passed_as_text_with_language_and_volume(tmp_path: Path) -> None:
    said = tmp_path / "said"
    speaker = Speaker((sys.executable, "-c", TAKES_DOWN, str(said)))
    speaker.say("Ada; rm -rf $HOME: würfeln", "de", 5)
    assert speaker._process.wait() == 0
    assert said.read_text() == "-v de -a 100 --stdin|Ada; rm -rf $HOME: würfeln"


def test_new_line_interrupts_the_old_one() -> None:
    speaker = Speaker((sys.executable, "-c", "import time; time.sleep(600)"))
    speaker.say("one", "en", 5)
    first = speaker._process
    speaker.say("two", "en", 5)
    assert first.poll() is not None
    speaker.stop()
    assert speaker._process is None


@pytest.mark.parametrize("command", [(), ("/no/such/voice",)])
def test_no_voice_is_no_error(command: tuple[str, ...]) -> None:
    speaker = Speaker(command)
    speaker.say("one", "en", 5)
    assert speaker._process is None


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


@pytest.mark.parametrize(
    ("keys", "sound"),
    [
        ((SoftKey(Button.SEAT2, "I guess", awaited=True),), SeatSound.SEAT2),
        (tuple(SoftKey(b, "I guess", awaited=True) for b in (Button.SEAT2, Button.SEAT3)), SeatSound.EVERYBODY),
        ((SoftKey(Button.SEAT2, "2", awaited=True, is_number=True),), SeatSound.NUMBERS),
        ((SoftKey(Button.OK, "Yes", awaited=True),), SeatSound.CONSOLE),
        ((SoftKey(Button.OK, "Yes"),), None),
    ],
)
def test_the_keys_that_are_waited_for_have_a_sound(keys: tuple[SoftKey, ...], sound: SeatSound | None) -> None:
    assert choose_seat_sound(None, replace(play(), addressed=None, soft_keys=keys)) is sound
