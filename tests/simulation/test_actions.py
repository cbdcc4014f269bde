"""Actions on a virtual table: a hand comes, acts, leaves, and only then comes the next one."""

from __future__ import annotations

import pytest

from companion.simulation.actions import (
    HAND_LEAVES_SECONDS,
    HAND_SPEED,
    HandAction,
    SimulatedHand,
    SimulatedTable,
    ease_in_out,
)

HERE, THERE = (10.0, 20.0), (-30.0, 5.0)


class RecordingTable(SimulatedTable[HandAction]):
    """A table that records when each action started and acted."""

    def __init__(self) -> None:
        super().__init__()
        self.began: list[HandAction] = []
        self.done: list[tuple[HandAction, float]] = []

    def ask(self, over: tuple[float, float], now: float) -> HandAction:
        action = HandAction(over, 0.4, 0.5, 0.5 + HAND_LEAVES_SECONDS)
        self._queue_action(now, action)
        return action

    def hold(self, now: float) -> None:
        self.step(now)
        self._hold_hand(HERE)

    def _begin_action(self, action: HandAction) -> None:
        self.began.append(action)

    def _advance_action(self, start: float, action: HandAction) -> None:
        if self.now - start >= action.acts_after and not self._acted:
            self._acted = True
            self.done.append((action, start))


@pytest.fixture
def table() -> RecordingTable:
    return RecordingTable()


def test_an_action_is_done_when_the_hand_is_there(table: RecordingTable) -> None:
    action = table.ask(HERE, 1.0)
    table.step(1.39)
    assert (table.began, table.done) == ([action], [])
    table.step(1.41)
    assert table.done == [(action, 1.0)]
    assert table.hand == SimulatedHand(HERE, 1.0)
    assert table.is_busy(1.79)
    assert not table.is_busy(1.81)


def test_the_next_waits_until_the_hand_is_gone(table: RecordingTable) -> None:
    first, second = table.ask(HERE, 0.0), table.ask(THERE, 0.1)
    table.step(0.79)
    assert table.began == [first]
    table.step(0.9)
    assert table.began == [first, second]
    table.step(2.0)
    assert table.done == [(first, 0.0), (second, pytest.approx(0.5 + HAND_LEAVES_SECONDS))]


def test_a_long_step_leaves_no_action_out(table: RecordingTable) -> None:
    asked = [table.ask(HERE, 0.0) for _ in range(5)]
    table.step(60.0)
    assert [action for action, _ in table.done] == asked
    assert table.hand is None
    assert not table.is_moving


def test_time_never_goes_back(table: RecordingTable) -> None:
    table.step(5.0)
    table.step(3.0)
    assert table.now == 5.0
    table.ask(HERE, 3.0)
    table.step(5.39)
    assert not table.done


def test_a_hand_is_held_until_it_is_taken_away(table: RecordingTable) -> None:
    table.hold(0.0)
    assert table.is_moving
    table.step(1.1 / HAND_SPEED)
    assert table.hand == SimulatedHand(HERE, 1.0)
    table.step(9.0)
    assert not table.is_moving
    assert not table.is_busy(9.0)
    table.withdraw_hand(9.0)
    table.step(9.0 + 0.5 / HAND_SPEED)
    assert table.hand == SimulatedHand(HERE, pytest.approx(0.5))
    table.step(9.0 + 1.1 / HAND_SPEED)
    assert table.hand is None


def test_the_version_grows_while_the_picture_changes_and_not_otherwise(table: RecordingTable) -> None:
    table.step(1.0)
    still = table.version
    table.step(2.0)
    assert table.version == still
    table.ask(HERE, 2.0)
    versions = []
    for now in (2.1, 2.2, 2.45, 2.7, 3.0):
        table.step(now)
        versions.append(table.version)
    assert versions == sorted(set(versions))
    table.step(4.0)
    assert table.version == versions[-1]


def test_a_hand_comes_and_goes_smoothly() -> None:
    assert [ease_in_out(x) for x in (-1.0, 0.0, 0.5, 1.0, 2.0)] == [0.0, 0.0, 0.5, 1.0, 1.0]
    assert ease_in_out(0.1) < 0.1
