"""PLUS and MINUS held together switch the voice; alone each of them acts as before."""

from __future__ import annotations

import pytest

from companion.app.voice_switch import PAIR_SECONDS, SWITCH_SECONDS, VoiceSwitch
from companion.events import Button, ButtonPressed, ButtonReleased, Event
from companion.journal.database import Journal
from companion.lobby import Preferences
from companion.testing.table import ManualClock
from tests.app.session_table import SessionTable

PLUS, MINUS = Button.PLUS, Button.MINUS


def press(button: Button, at: float) -> ButtonPressed:
    return ButtonPressed(button, at)


def release(button: Button, at: float) -> ButtonReleased:
    return ButtonReleased(button, at)


@pytest.mark.parametrize("seconds", [0.0, 0.05])
@pytest.mark.parametrize(("first", "second"), [(PLUS, MINUS), (MINUS, PLUS)])
def test_the_pair_reaches_nobody_and_is_due_once(first: Button, second: Button, seconds: float) -> None:
    clock = ManualClock()
    switch = VoiceSwitch(clock)
    start = clock.now
    assert switch.take_events([press(first, start)]) == []
    clock.now += seconds
    assert switch.take_events([press(second, clock.now)]) == []
    clock.now = start + seconds + SWITCH_SECONDS - 0.1
    assert not switch.take_switch()
    clock.now += 0.2
    assert [switch.take_switch(), switch.take_switch()] == [True, False]
    assert switch.take_events([release(first, clock.now), release(second, clock.now)]) == []
    alone: list[Event] = [press(PLUS, clock.now), release(PLUS, clock.now)]
    assert switch.take_events(alone) == alone


def test_the_pair_that_is_let_go_early_switches_nothing() -> None:
    clock = ManualClock()
    switch = VoiceSwitch(clock)
    switch.take_events([press(PLUS, clock.now), press(MINUS, clock.now)])
    clock.now += 1.0
    assert switch.take_events([release(PLUS, clock.now)]) == []
    clock.now += SWITCH_SECONDS
    assert not switch.take_switch()


def test_a_lone_press_waits_shortly_with_what_follows_it() -> None:
    clock = ManualClock()
    switch = VoiceSwitch(clock)
    events: list[Event] = [press(PLUS, clock.now), press(Button.SEAT1, clock.now + 0.01)]
    assert (switch.take_events(events), switch.is_holding_back) == ([], True)
    clock.now += PAIR_SECONDS + 0.001
    assert (switch.take_events([]), switch.is_holding_back) == (events, False)


def test_a_lone_press_that_comes_up_counts_at_once() -> None:
    clock = ManualClock()
    switch = VoiceSwitch(clock)
    waiting = switch.take_events([press(MINUS, clock.now)])
    events = switch.take_events([release(MINUS, clock.now + 0.02)])
    assert (waiting, events) == ([], [press(MINUS, clock.now), release(MINUS, clock.now + 0.02)])


def test_two_presses_one_after_the_other_are_no_pair() -> None:
    clock = ManualClock()
    switch = VoiceSwitch(clock)
    events: list[Event] = [press(PLUS, clock.now), press(MINUS, clock.now + PAIR_SECONDS + 0.01)]
    clock.now += 2 * PAIR_SECONDS + 0.02
    assert switch.take_events(events) == events


def test_people_switch_the_voice_on_and_back_without_the_settings(journal: Journal) -> None:
    preferences = Preferences()
    table = SessionTable(journal, preferences=preferences)
    for level in ("everything", "moments"):
        table.session.step([press(PLUS, table.clock.now), press(MINUS, table.clock.now)])
        table.clock.now += SWITCH_SECONDS
        table.session.step(())
        assert preferences.values.speech == level
        assert table.state.notice == f"Voice: {level}"
        table.session.step([release(PLUS, table.clock.now), release(MINUS, table.clock.now)])
    assert table.state.menu is None, "neither button did anything else"
