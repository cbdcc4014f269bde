"""Which sound a change of the screen makes. In words: test_spoken_lines.py; how it is played: test_player.py."""

from __future__ import annotations

from dataclasses import replace
from itertools import zip_longest

import pytest

from companion.display.sound.effect_choice import choose_seat_sound, choose_sound
from companion.display.sound.sound_effects import SeatSound, SoundEffect
from companion.display.sound.spoken_lines import SpeechLevel, compose_lines
from companion.events import Button
from companion.gallery import load_sample_builders
from companion.games.starfall.state import UNKNOWN_TILE, OwnedTile
from companion.screen_state import PlayedMove, Question, RunningClock, ScreenKind, ScreenState, SoftKey
from companion.testing.screens import SampleStates

STATES = {name: SampleStates(build_samples) for name, build_samples in load_sample_builders().items()}

PLAYED = PlayedMove(1, None)
"""A move that was just played."""


def play() -> ScreenState:
    return STATES["macroscope"]["roll_two"]


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
