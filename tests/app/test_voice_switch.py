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


@pytest.mark.parametrize("seconds", [0.0, PAIR_SECONDS])
@pytest.mark.parametrize(("first", "second"), [(PLUS, MINUS), (MINUS, PLUS)])
def test_the_pair_is_due_once_and_its_second_press_reaches_nobody(
    first: Button, second: Button, seconds: float
) -> None:
    clock = ManualClock()
    switch = VoiceSwitch(clock)
    assert switch.take_events([press(first, clock.now)]) == [press(first, clock.now)]
    clock.now += seconds
    paired_at = clock.now
    assert switch.take_events([press(second, clock.now)]) == []
    clock.now += PAIR_SECONDS
    assert switch.take_events([]) == [release(first, clock.now)]
    clock.now = paired_at + SWITCH_SECONDS - 0.1
    assert (switch.take_switch(), switch.is_pair_held) == (False, True)
    clock.now += 0.2
    assert [switch.take_switch(), switch.take_switch()] == [True, False]
    assert switch.take_events([release(first, clock.now), release(second, clock.now)]) == []
    alone: list[Event] = [press(PLUS, clock.now), release(PLUS, clock.now)]
    assert switch.take_events(alone) == alone


def test_the_pair_that_is_let_go_early_switches_nothing() -> None:
    clock = ManualClock()
    switch = VoiceSwitch(clock)
    switch.take_events([press(MINUS, clock.now), press(PLUS, clock.now)])
    clock.now += 1.0
    switch.take_events([])
    assert switch.take_events([release(PLUS, clock.now)]) == []
    clock.now += SWITCH_SECONDS
    assert not switch.take_switch()
    assert switch.take_events([release(MINUS, clock.now)]) == []


@pytest.mark.parametrize(
    "after",
    [ButtonReleased(MINUS, 1000.2), ButtonReleased(PLUS, 1000.2), ButtonPressed(Button.SEAT1, 1000.2)],
    ids=["first up", "second up", "another button"],
)
def test_presses_that_overlap_shortly_pass_in_their_order(after: Event) -> None:
    clock = ManualClock(1000.0)
    switch = VoiceSwitch(clock)
    both: list[Event] = [press(MINUS, 1000.0), press(PLUS, 1000.1)]
    clock.now = 1000.2
    assert switch.take_events(both) == both[:1]
    assert switch.take_events([after]) == [both[1], after]


@pytest.mark.parametrize("later", [PAIR_SECONDS + 0.01, SWITCH_SECONDS])
def test_who_holds_one_and_presses_the_other_later_waits_for_nothing(later: float) -> None:
    clock = ManualClock()
    switch = VoiceSwitch(clock)
    events: list[Event] = [press(PLUS, clock.now), press(MINUS, clock.now + later)]
    clock.now += later
    assert switch.take_events(events) == events


def test_nobody_elses_press_waits() -> None:
    clock = ManualClock()
    switch = VoiceSwitch(clock)
    events: list[Event] = [press(PLUS, clock.now), press(Button.SEAT1, clock.now)]
    assert switch.take_events(events) == events


def test_people_switch_the_voice_on_and_back_without_the_settings(journal: Journal) -> None:
    preferences = Preferences()
    table = SessionTable(journal, preferences=preferences)
    for level in ("everything", "moments"):
        table.session.step([press(MINUS, table.clock.now), press(PLUS, table.clock.now)])
        for _half_second in range(7):
            table.clock.now += PAIR_SECONDS
            table.session.step(())
        assert preferences.values.speech == level
        assert table.state.notice == f"Voice: {level}"
        table.session.step([release(PLUS, table.clock.now), release(MINUS, table.clock.now)])
    assert (table.state.menu, table.state.help) == (None, None), "neither button did anything else"
