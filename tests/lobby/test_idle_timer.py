"""The idle timer of the café mode: minutes without a press.

The question before a game is put away: tests/app/test_cafe_mode.py.
"""

from __future__ import annotations

import pytest

from companion.events import (
    Button,
    ButtonPressed,
    CameraState,
    CameraStateChanged,
    DeviceLost,
    DeviceRestored,
    DiceRead,
    Event,
)
from companion.lobby import IdleTimer

START = 1000.0


@pytest.mark.parametrize(("minutes", "seconds"), [(10.0, 600.0), (2.0, 120.0), (0.5, 30.0)])
def test_nobody_is_there_after_the_minutes_and_not_before(minutes: float, seconds: float) -> None:
    timer = IdleTimer(START, is_on=True)
    assert not timer.is_idle(minutes, START + seconds - 0.1)
    assert timer.is_idle(minutes, START + seconds)


def test_outside_cafe_mode_nobody_is_ever_gone() -> None:
    assert not IdleTimer(START, is_on=False).is_idle(1.0, START + 1e6)


@pytest.mark.parametrize(
    ("event", "counts"),
    [
        (ButtonPressed(Button.NO, START + 50), True),
        (DiceRead((1, 2), 0.5, START + 50), True),
        (CameraStateChanged(CameraState.BLIND, START + 50), False),
        (DeviceLost("camera", START + 50), False),
        (DeviceRestored("camera", START + 50), False),
    ],
)
def test_only_what_people_do_counts(event: Event, counts: bool) -> None:
    timer = IdleTimer(START, is_on=True)
    timer.note_event(event)
    assert timer.is_idle(1.0, START + 60) != counts
    assert timer.is_idle(1.0, START + 110)


def test_an_event_that_comes_late_does_not_turn_back_the_timer() -> None:
    timer = IdleTimer(START, is_on=True)
    for seconds in (50, 20):
        timer.note_event(ButtonPressed(Button.OK, START + seconds))
    assert not timer.is_idle(1.0, START + 100)
