"""The clocks of a game: they run on over moves, expire once, stop in a pause, and come back after undo.

At a table: test_press_timing.py.
"""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.api import GameClock
from companion.journal.database import Journal
from companion.referee.clocks import GameClocks
from companion.screen_state import RunningClock
from companion.testing.table import ManualClock
from tests.journal.toy import SETUP

TURN, ROUND = GameClock("turn", 30.0), GameClock("round", 60.0)


def running(clocks: GameClocks) -> dict[str, float]:
    return {clock.name: round(clock.seconds_left, 6) for clock in clocks.list_running()}


def test_a_clock_with_the_same_name_goes_on_and_a_new_one_starts() -> None:
    clock = ManualClock()
    clocks = GameClocks(clock)
    clocks.set_clocks((TURN,))
    clock.now += 10.0
    clocks.set_clocks((TURN, ROUND))
    clock.now += 5.0
    assert running(clocks) == {"turn": 15.0, "round": 55.0}
    assert clocks.counted_seconds() == {"turn": 15.0, "round": 5.0}


def test_a_clock_expires_once_and_again_only_with_more_seconds() -> None:
    clock = ManualClock()
    clocks = GameClocks(clock)
    clocks.set_clocks((TURN,))
    clock.now += 30.0
    assert clocks.take_expired() == [TURN]
    clocks.set_clocks((TURN,))
    assert clocks.take_expired() == []
    longer = GameClock("turn", 40.0)
    clocks.set_clocks((longer,))
    assert clocks.take_expired() == []
    clock.now += 10.0
    assert clocks.take_expired() == [longer]


def test_of_two_expired_clocks_the_earlier_one_comes_first() -> None:
    clock = ManualClock()
    clocks = GameClocks(clock)
    clocks.set_clocks((ROUND, TURN))
    clock.now += 100.0
    assert clocks.take_expired() == [TURN, ROUND]


def test_undo_gives_no_time_back() -> None:
    clock = ManualClock()
    clocks = GameClocks(clock)
    clocks.set_clocks((TURN, ROUND))
    clock.now += 30.0
    clocks.set_clocks(())
    clock.now += 100.0
    clocks.set_clocks((TURN, ROUND), after_undo=True)
    assert running(clocks) == {"turn": 0.0, "round": 30.0}
    assert clocks.take_expired() == [], "the turn had expired: players end it by a press"
    clocks.set_clocks(())
    clocks.set_clocks((ROUND,))
    assert running(clocks) == {"round": 60.0}, "without undo it starts again"


def test_a_pause_takes_nothing() -> None:
    clock = ManualClock()
    clocks = GameClocks(clock)
    clocks.set_clocks((TURN,))
    clock.now += 10.0
    clocks.pause()
    clock.now += 100.0
    clocks.pause()
    assert (clocks.paused, running(clocks)) == (True, {"turn": 20.0})
    clocks.resume()
    clock.now += 5.0
    clocks.resume()
    assert (clocks.paused, running(clocks)) == (False, {"turn": 15.0})


def test_a_clock_that_starts_in_a_pause_waits_for_its_end() -> None:
    clock = ManualClock()
    clocks = GameClocks(clock)
    clocks.set_clocks((TURN,))
    clock.now += 12.0
    clocks.pause()
    clock.now += 3600.0
    clocks.set_clocks((TURN, ROUND))
    assert clocks.take_expired() == []
    assert clocks.list_running() == (RunningClock("turn", 18.0, 30.0, True), RunningClock("round", 60.0, 60.0, True))
    clocks.resume()
    clock.now += 10.0
    assert clocks.counted_seconds() == {"turn": 22.0, "round": 10.0}


def test_time_left_survives_a_power_cut_to_within_two_seconds(tmp_path: Path) -> None:
    clock = ManualClock()
    clocks = GameClocks(clock)
    clocks.set_clocks((TURN,))
    with Journal(tmp_path / "j") as journal:
        game = journal.begin_game(SETUP)
        for _ in range(17):  # as the referee does each second, until the cut
            clock.now += 1.0
            journal.save_clock_marks(game, clocks.counted_seconds())
        clock.now += 0.9
    left = running(clocks)["turn"]
    clock.now = 3.0  # hours later the monotonic clock starts again
    clocks = GameClocks(clock)
    with Journal(tmp_path / "j") as journal:
        clocks.set_clocks((TURN, ROUND), journal.read_clock_marks(game))
    assert running(clocks) == {"turn": pytest.approx(left, abs=2.0), "round": 60.0}
    clocks.set_clocks(())
    clocks.set_clocks((TURN,))
    assert running(clocks) == {"turn": 30.0}


def test_a_restarted_program_counts_on_from_the_marks() -> None:
    clocks = GameClocks(ManualClock())
    clocks.set_clocks((TURN, ROUND), {"turn": 12.0})
    assert running(clocks) == {"turn": 18.0, "round": 60.0}


def test_an_expired_clock_stays_listed_without_seconds() -> None:
    clock = ManualClock()
    clocks = GameClocks(clock)
    clocks.set_clocks((TURN,))
    clock.now += 29.5
    assert running(clocks) == {"turn": 0.5}
    clock.now += 10.0
    assert running(clocks) == {"turn": 0.0}
    assert clocks.counted_seconds() == {"turn": 39.5}


def test_a_clock_that_undo_asks_for_and_that_never_ran_starts_at_its_beginning() -> None:
    clocks = GameClocks(ManualClock())
    clocks.set_clocks((TURN,), after_undo=True)
    assert running(clocks) == {"turn": 30.0}


@given(st.lists(st.tuples(st.sampled_from(["play", "undo", "restart"]), st.floats(0.0, 20.0)), max_size=30))
def test_no_sequence_of_undo_redo_and_restart_gives_a_clock_time_back(steps: list[tuple[str, float]]) -> None:
    clock = ManualClock()
    clocks = GameClocks(clock)
    turn, least = 0, dict[str, float]()
    clocks.set_clocks((GameClock("turn 0", 30.0), ROUND))
    for kind, seconds in steps:
        clock.now += seconds
        for name, counted in clocks.counted_seconds().items():
            assert counted >= least.get(name, 0.0) - 1e-6, name
            least[name] = counted
        marks = None
        if kind == "restart":
            marks, clocks = clocks.counted_seconds(), GameClocks(clock)
        turn = max(0, turn + {"play": 1, "undo": -1, "restart": 0}[kind])
        clocks.set_clocks((GameClock(f"turn {turn}", 30.0), ROUND), marks, after_undo=kind == "undo")
