"""What is spoken of clocks, and of the stage on demand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.display.sound.spoken_clocks import (
    SPOKEN_SECONDS,
    ClockCaller,
    describe_clock_change,
    describe_time_left,
)
from companion.display.sound.spoken_lines import SpeechLevel, compose_lines
from companion.gallery import load_sample_builders
from companion.games.score_keeper.state import _
from companion.i18n import LANGUAGES
from companion.screen_state import HelpView, RunningClock, ScreenState
from companion.testing.screens import SampleStates, use_language

STATES = SampleStates(load_sample_builders()["starfall"])


def show(seconds: float, *, total: float = 600.0, name: str = "turn 1", paused: bool = False) -> ScreenState:
    return replace(STATES["board"], clocks=(RunningClock(name, seconds, total, paused),))


@pytest.mark.parametrize("seconds", SPOKEN_SECONDS)
def test_each_mark_is_spoken_once_when_it_is_reached(seconds: int) -> None:
    assert not describe_clock_change(show(seconds + 2), show(seconds + 1))
    assert describe_clock_change(show(seconds + 1), show(seconds)) == f"{seconds // 60}:{seconds % 60:02} left"
    assert not describe_clock_change(show(seconds), show(seconds - 1))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, show(10)),
        (show(11, total=15), show(10, total=15)),  # of a short clock that is half of the time
        (show(11, name="turn 1"), show(10, name="turn 2")),
        (show(11), show(10, paused=True)),
        (show(9), show(10)),
        (show(0), show(0)),
        (show(0), show(-1)),
    ],
)
def test_nothing_else_of_a_clock_is_spoken(before: ScreenState | None, after: ScreenState) -> None:
    assert not describe_clock_change(before, after)


def test_only_the_end_of_the_time_cuts_short_what_is_spoken() -> None:
    assert not describe_clock_change(show(11), show(10), only_end=True)
    assert describe_clock_change(show(1), show(0), only_end=True) == "Time is up"


def test_what_is_due_while_something_else_is_spoken_comes_after_it() -> None:
    caller = ClockCaller()
    assert not caller.describe(show(62, name="turn 1"), is_silent=True)
    assert not caller.describe(show(31, name="turn 2"), is_silent=False)
    assert not caller.describe(show(29, name="turn 2"), is_silent=False)
    assert caller.describe(show(27, name="turn 2"), is_silent=True) == "0:27 left"
    assert not caller.describe(show(26, name="turn 2"), is_silent=True)
    assert not caller.describe(show(9, name="turn 2"), is_silent=False)
    assert caller.describe(show(0, name="turn 2"), is_silent=False) == "Time is up"
    assert not caller.describe(show(-1, name="turn 2"), is_silent=True)


def test_the_time_is_not_up_while_a_grace_period_runs() -> None:
    grace = SampleStates(load_sample_builders()["score_keeper"])["clock_grace"]
    assert describe_time_left(grace) == "Grace period: 0:14 left"
    for language in LANGUAGES:
        with use_language(language):
            assert _("Time is up") not in describe_time_left(grace)


def test_each_part_of_a_chess_clocks_time_is_named_when_it_begins() -> None:
    keeper = SampleStates(load_sample_builders()["score_keeper"])
    state = next(s for s in map(keeper.__getitem__, keeper) if s.clocks and "Overtime" in describe_time_left(s))
    clock = state.clocks[0]
    more = replace(state, clocks=(replace(clock, seconds_left=clock.seconds_left + 3600.0),))
    assert describe_clock_change(more, state) == describe_time_left(state)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("part", "name"), [("starfall", "board"), ("dice", "yacht_choose")])
def test_the_stage_is_described_on_demand(part: str, name: str, language: str) -> None:
    with use_language(language):
        state = SampleStates(load_sample_builders()[part])[name]
        before = replace(state, help=None)
        lines = compose_lines(before, replace(state, help=HelpView(0, 3)), SpeechLevel.MOMENTS)
        said = " ".join(lines)
        if part == "starfall":
            assert str(state.view.pile_size) in said
            assert all(str(space) in said for space in state.view.occupied_spaces)
        else:
            assert all(state.view.rules.label_category(i) in said for i in range(len(state.view.boxes[0])))
