"""Mouse and key events at pixels of the frame become actions on the simulated tray."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from companion.simulation.base_mouse import MouseButton
from companion.simulation.dice_tray.mouse import FIRST_COUNT, DiceTrayMouse
from companion.simulation.dice_tray.table import DICE_TRAY, MAX_DICE, DiceTrayTable, TrayDie
from companion.simulation.optics import Optics

OPTICS = Optics(tilt_deg=8.0, roll_deg=1.5)
FREE_CORNER = tuple(edge - 1.0 for edge in DICE_TRAY.half_size)
"""A place in the tray where no die lies: its middle would be too near the edge."""


class Person:
    """A tray and a mouse on it; `now` passes as the table needs it."""

    def __init__(self, seed: int = 1) -> None:
        self.table = DiceTrayTable()
        self.mouse = DiceTrayMouse(self.table, OPTICS, random.Random(seed))
        self.now = 0.0

    def click(self, x: float, y: float, z: float = 0.0, button: int = MouseButton.LEFT) -> None:
        px, py = (float(v) for v in OPTICS.project([(x, y, z)])[0])
        self.mouse.press(button, px, py, self.now)
        self.mouse.release(button, px, py, self.now + 0.05)
        self.wait()

    def click_tray(self, button: int = MouseButton.LEFT) -> None:
        self.click(DICE_TRAY.center[0] + FREE_CORNER[0], DICE_TRAY.center[1] + FREE_CORNER[1], button=button)

    def click_die(self, die: TrayDie) -> None:
        self.click(*die.footprint.center, z=self.table.die_size)

    def wait(self) -> None:
        """Wait until nothing moves."""
        for _ in range(200):
            self.now += 0.1
            self.table.step(self.now)
            if not self.table.is_moving:
                return
        raise AssertionError("the table does not come to rest")


@pytest.mark.parametrize("seed", range(3))
def test_a_click_on_a_die_takes_out_that_die(seed: int) -> None:
    person = Person(seed)
    person.click_tray()
    assert len(person.table.values) == FIRST_COUNT
    die = person.table.planned_dice[seed % FIRST_COUNT]
    before = Counter(person.table.values)
    person.click_die(die)
    assert before - Counter(person.table.values) == Counter([die.value])


def test_the_rest_is_thrown_again_and_those_taken_out_stay_out() -> None:
    person = Person()
    person.click_tray()
    for die in person.table.planned_dice[:2]:
        person.click_die(die)
    person.click_tray()
    assert len(person.table.values) == FIRST_COUNT - 2


def test_a_right_click_throws_those_taken_out_beside_the_others() -> None:
    person = Person()
    person.click_tray()
    stay = person.table.planned_dice[2:]
    for die in person.table.planned_dice[:2]:
        person.click_die(die)
    person.click_tray(MouseButton.RIGHT)
    assert len(person.table.values) == FIRST_COUNT
    assert set(stay) <= set(person.table.planned_dice), "the others have not moved"
    person.click_tray(MouseButton.RIGHT)
    assert len(person.table.values) == FIRST_COUNT, "there is none left to throw"


def test_a_new_turn_throws_all_that_the_game_needs() -> None:
    """The player before has left dice beside the tray."""
    person = Person()
    person.table.wanted_count = 6
    person.click_tray()
    person.click_die(person.table.planned_dice[0])
    person.table.is_new_turn = True
    person.click_tray()
    assert (len(person.table.values), person.table.aside) == (6, ())


def test_dice_beside_the_tray_come_back_with_a_click_on_them() -> None:
    person = Person()
    person.click_tray()
    thrown = Counter(person.table.values)
    for die in person.table.planned_dice[:2]:
        person.click_die(die)
    taken = person.table.aside
    poses = person.table.list_aside()
    assert len(poses) == len(taken) == 2
    person.click(*poses[1].center)
    assert person.table.aside == taken[:1]
    person.click(*poses[0].center)
    assert person.table.aside == person.table.list_aside() == ()
    assert Counter(person.table.values) == thrown


def test_each_mouse_action_has_a_control() -> None:
    person = Person()
    use = {control.name: control for control in person.mouse.list_controls()}
    assert set(use) == {"fewer", "more"}, "nothing lies there"
    person.mouse.use_control(use["more"], person.now)
    person.click_tray()
    assert len(person.table.values) == FIRST_COUNT + 1
    person.click_die(person.table.planned_dice[0])
    use = {control.name: control for control in person.mouse.list_controls()}
    person.mouse.use_control(use["throw aside"], person.now)
    person.wait()
    assert len(person.table.values) == FIRST_COUNT + 1
    person.table.wanted_count, person.table.takes_any_count, person.table.is_astray = 1, False, True
    use = {control.name: control for control in person.mouse.list_controls()}
    assert set(use) == {"clear"}, "the game says how many"
    person.mouse.use_control(use["clear"], person.now)
    person.wait()
    assert person.table.values == ()


def test_all_dice_taken_out_one_by_one_are_thrown_together() -> None:
    person = Person()
    person.click_tray()
    while person.table.planned_dice:
        person.click_die(person.table.planned_dice[0])
    person.click_tray()
    assert len(person.table.values) == FIRST_COUNT


def test_the_wheel_sets_how_many_dice_are_thrown() -> None:
    person = Person()
    person.mouse.wheel(3, 0.0, 0.0, person.now)
    person.click_tray()
    assert len(person.table.values) == FIRST_COUNT + 3
    for steps, count in ((1000, MAX_DICE), (-1000, 1)):
        person.mouse.key("c", True, person.now)
        person.wait()
        person.mouse.wheel(steps, 0.0, 0.0, person.now)
        person.click_tray()
        assert len(person.table.values) == count


def test_a_hand_is_held_over_the_tray_with_the_key_or_the_button() -> None:
    person = Person()
    for hold, withdraw in (
        (lambda: person.mouse.key("h", True, person.now), lambda: person.mouse.key("h", False, person.now)),
        (
            lambda: person.mouse.press(MouseButton.MIDDLE, 300.0, 200.0, person.now),
            lambda: person.mouse.release(MouseButton.MIDDLE, 300.0, 200.0, person.now),
        ),
    ):
        hold()
        person.table.step(person.now + 2.0)
        assert person.table.is_moving or person.table.hand is not None
        withdraw()
        person.now += 2.0
        person.wait()
        assert person.table.hand is None
