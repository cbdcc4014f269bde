"""Game clocks with a simulated time."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.api import GameClock, Move
from companion.journal.database import Journal
from companion.referee.clocks import GameClocks
from companion.screen_state import RunningClock
from tests.journal.toy import SETUP


class Time:
    def __init__(self, now: float = 1000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


TURN = GameClock("turn 1", 30.0, Move("too late"))
ASKING = GameClock("asking", 10.0)


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def clocks(time: Time) -> GameClocks:
    return GameClocks(time)


def test_clock_counts_down_and_expires_once(time: Time, clocks: GameClocks) -> None:
    clocks.set_clocks([TURN])
    assert clocks.list_running() == (RunningClock("turn 1", 30.0, 30.0),)
    time.now += 29.5
    assert clocks.list_running() == (RunningClock("turn 1", 0.5, 30.0),)
    assert clocks.take_expired() == []
    time.now += 0.5
    assert clocks.take_expired() == [TURN]
    clocks.set_clocks([TURN])
    time.now += 100
    assert clocks.take_expired() == []
    assert clocks.list_running() == (RunningClock("turn 1", 0.0, 30.0),)


def test_clock_of_the_same_name_continues_and_another_starts_at_zero(time: Time, clocks: GameClocks) -> None:
    clocks.set_clocks([TURN])
    time.now += 20
    clocks.set_clocks([ASKING, TURN])
    assert [(clock.name, clock.seconds_left) for clock in clocks.list_running()] == [("asking", 10.0), ("turn 1", 10.0)]
    time.now += 40
    assert clocks.take_expired() == [ASKING, TURN]
    clocks.set_clocks([])
    assert clocks.list_running() == ()
    clocks.set_clocks([TURN])
    assert clocks.counted_seconds()["turn 1"] == 0.0


def test_clock_may_be_extended_and_another_moved(time: Time, clocks: GameClocks) -> None:
    clocks.set_clocks([ASKING])
    time.now += 10
    assert clocks.take_expired() == [ASKING]
    longer = GameClock("asking", 15.0, Move("close"))
    clocks.set_clocks([longer])
    assert clocks.take_expired() == []
    time.now += 5
    assert clocks.take_expired() == [longer]


def test_pauses_do_not_count_on_clocks(time: Time, clocks: GameClocks) -> None:
    clocks.set_clocks([TURN])
    time.now += 12
    for _ in range(2):  # a pause within a pause
        clocks.pause()
        time.now += 3600
        clocks.set_clocks([TURN, ASKING])
    assert clocks.take_expired() == []
    assert clocks.list_running() == (RunningClock("turn 1", 18.0, 30.0, True), RunningClock("asking", 10.0, 10.0, True))
    clocks.resume()
    clocks.resume()
    time.now += 10
    assert clocks.counted_seconds() == {"turn 1": 22.0, "asking": 10.0}
    assert clocks.take_expired() == [ASKING]


def test_time_left_survives_a_restart_to_within_two_seconds(tmp_path: Path) -> None:
    time = Time()
    clocks = GameClocks(time)
    clocks.set_clocks([TURN])
    with Journal(tmp_path / "j") as journal:
        game_id = journal.begin_game(SETUP)
        for _ in range(17):  # as the referee does each second, until the power cut
            time.now += 1
            journal.save_clock_marks(game_id, clocks.counted_seconds())
        time.now += 0.9
    left = clocks.list_running()[0].seconds_left
    # After a reboot, hours later, the monotonic clock starts again.
    clocks = GameClocks(Time(3.0))
    with Journal(tmp_path / "j") as journal:
        clocks.set_clocks([TURN, ASKING], journal.read_clock_marks(game_id))
    assert left == pytest.approx(clocks.list_running()[0].seconds_left, abs=2)
    assert clocks.list_running()[1].seconds_left == 10.0
    clocks.set_clocks([])
    clocks.set_clocks([TURN])
    assert clocks.list_running()[0].seconds_left == 30.0
