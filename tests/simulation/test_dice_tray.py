"""The simulated tray: any number of dice, thrown, taken out and put back."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from companion.gallery import load_sample_builders
from companion.simulation.actions import ImpossibleAction
from companion.simulation.dice_throws import SimulatedTray
from companion.simulation.dice_tray.kit import DICE_TRAY as DICE_TRAY_KIT
from companion.simulation.dice_tray.table import DICE_TRAY, MAX_DICE, DiceTrayTable, Footprint, FullTray, find_place
from companion.testing.screens import SampleStates


def settle(table: DiceTrayTable) -> None:
    """Step until nothing moves."""
    for _ in range(200):
        table.step(table.now + 0.1)
        if not table.is_moving:
            return
    raise AssertionError("the table does not come to rest")


@pytest.fixture
def table() -> DiceTrayTable:
    return DiceTrayTable()


def test_dice_lie_in_the_tray_beside_each_other_and_some_touch(table: DiceTrayTable) -> None:
    gaps: list[float] = []
    for seed in range(10):
        table.throw_dice(MAX_DICE, random.Random(seed), table.now)
        settle(table)
        assert len(table.list_dice()) == MAX_DICE
        places = [die.footprint for die in table.dice]
        assert all(DICE_TRAY.contains(place.center, -0.5 * place.size_mm) for place in places)
        gaps += [one.distance_to(other) for one, other in combinations(places, 2)]
    assert min(gaps) > 0
    assert sum(gap < 0.5 for gap in gaps) >= 30


def test_the_gap_of_two_squares() -> None:
    one = Footprint((0.0, 0.0), 10.0, 0.0)
    assert one.distance_to(Footprint((15.0, 0.0), 10.0, 90.0)) == pytest.approx(5.0)
    assert one.distance_to(Footprint((9.0, 9.0), 10.0, 0.0)) == pytest.approx(-1.0)
    assert one.distance_to(Footprint((15.0, 0.0), 10.0, 45.0)) == pytest.approx(15.0 - 5.0 - 50**0.5)


def test_a_full_tray_is_refused() -> None:
    small = SimulatedTray((0.0, 0.0), (15.0, 15.0))
    lying = [find_place(16.0, 0.0, [], small, random.Random(1))]
    with pytest.raises(FullTray, match="1 dice of 16 mm"):
        find_place(16.0, 45.0, lying, small, random.Random(1))


def test_dice_are_taken_and_put_back(table: DiceTrayTable) -> None:
    rng = random.Random(1)
    assert table.throw_dice(3, rng, 0.0, values=(5, 2, 5)) == (5, 2, 5)
    table.take(table.planned_dice[:1], 0.0)
    table.aside = (5,)
    assert table.values == (2, 5)
    settle(table)
    assert sorted(die.value for die in table.dice) == [2, 5]
    table.put_back((5,), rng, table.now)
    settle(table)
    assert (sorted(table.values), table.aside) == ([2, 5, 5], ())
    assert table.dice == table.planned_dice


def test_others_stay_where_some_are_thrown_again(table: DiceTrayTable) -> None:
    rng = random.Random(2)
    table.throw_dice(6, rng, 0.0)
    settle(table)
    left = table.planned_dice[:4]
    table.throw_dice(2, rng, table.now, leave=left)
    settle(table)
    assert table.dice[:4] == left
    assert len(table.dice) == 6


@pytest.mark.parametrize("count", [0, MAX_DICE + 1])
def test_too_few_and_too_many_dice_are_refused(table: DiceTrayTable, count: int) -> None:
    with pytest.raises(ImpossibleAction, match="cannot be thrown"):
        table.throw_dice(count, random.Random(1), 0.0)


@pytest.mark.parametrize(
    ("state", "is_by_keys"),
    [("yacht_decide", False), ("yacht_mark", True), ("yacht_boxes", True), ("yacht_again", False)],
)
def test_the_table_sends_to_the_keys_while_dice_or_a_box_are_chosen_by_them(
    table: DiceTrayTable, state: str, is_by_keys: bool
) -> None:
    table.throw_dice(5, random.Random(1), table.now)
    settle(table)
    shown = SampleStates(load_sample_builders()["dice"])[state]
    DICE_TRAY_KIT.follow(table, shown)
    sentence = DICE_TRAY_KIT.describe_actions(table, shown)
    assert ("by the keys" in sentence, "Touch" in sentence) == (is_by_keys, not is_by_keys)
