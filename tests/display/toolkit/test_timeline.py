"""How far movements have come, by an injected clock."""

from __future__ import annotations

import pytest

from companion.display.toolkit.timeline import Timeline
from companion.testing.table import ManualClock


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(50.0)


@pytest.fixture
def timeline(clock: ManualClock) -> Timeline:
    made = Timeline(clock)
    made.is_enabled = True
    return made


def ask(timeline: Timeline, key: object, seconds: float = 2.0, delay: float = 0.0) -> float:
    """Return the progress in the next picture."""
    timeline.begin_frame()
    part = timeline.progress("reveal", key, seconds, delay=delay)
    timeline.end_frame()
    return part


def follow(timeline: Timeline, target: float) -> float:
    timeline.begin_frame()
    value = timeline.follow("score", target, 1.0)
    timeline.end_frame()
    return value


def test_progress_goes_from_0_to_1_eased_at_both_ends(timeline: Timeline, clock: ManualClock) -> None:
    assert ask(timeline, "a") == 0.0
    parts = []
    for _ in range(4):
        assert timeline.is_running
        clock.now += 0.5
        parts.append(ask(timeline, "a"))
    assert parts == [pytest.approx(p) for p in (0.15625, 0.5, 0.84375, 1.0)]
    assert not timeline.is_running


def test_another_key_begins_anew_and_none_moves_nothing(timeline: Timeline, clock: ManualClock) -> None:
    ask(timeline, 1)
    clock.now += 5.0
    assert ask(timeline, 1) == 1.0
    assert ask(timeline, 2) == 0.0
    assert ask(timeline, None) == 1.0
    assert not timeline.is_running


def test_a_delay_comes_first(timeline: Timeline, clock: ManualClock) -> None:
    ask(timeline, "a", delay=1.0)
    clock.now += 1.0
    assert ask(timeline, "a", delay=1.0) == 0.0
    assert timeline.is_running
    clock.now += 2.0
    assert ask(timeline, "a", delay=1.0) == 1.0


def test_a_press_ends_what_moves(timeline: Timeline) -> None:
    ask(timeline, "a")
    timeline.finish()
    assert ask(timeline, "a") == 1.0
    assert not timeline.is_running


def test_a_value_follows_its_target_also_in_mid_movement(timeline: Timeline, clock: ManualClock) -> None:
    assert follow(timeline, 10.0) == 10.0
    assert follow(timeline, 20.0) == 10.0
    clock.now += 0.5
    assert follow(timeline, 20.0) == 15.0
    assert follow(timeline, 0.0) == 15.0
    clock.now += 1.0
    assert follow(timeline, 0.0) == 0.0
    assert not timeline.is_running


def test_a_movement_that_is_no_longer_shown_is_forgotten(timeline: Timeline) -> None:
    ask(timeline, "a")
    follow(timeline, 3.0)
    assert not timeline.is_running
    assert ask(timeline, "a") == 0.0, "it begins again when it is shown again"


def test_without_motion_all_is_at_its_end(clock: ManualClock) -> None:
    still = Timeline(clock)
    assert ask(still, "a") == 1.0
    assert follow(still, 3.0) == 3.0
    assert follow(still, 4.0) == 4.0
    assert not still.is_running
