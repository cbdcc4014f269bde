"""Mouse and key events at pixels of the frame become actions on the table."""

from __future__ import annotations

import random

import pytest

from companion.games.macroscope.simulator.lid import LID_HEIGHT_MM
from companion.games.macroscope.simulator.mouse import MacroscopeMouse
from companion.games.macroscope.simulator.table import MacroscopeTable
from companion.games.macroscope.simulator.tray import TRAY_CENTER_MM
from companion.simulation.base_mouse import MouseButton
from companion.simulation.optics import Optics, Point

OPTICS = Optics(tilt_deg=8.0, roll_deg=1.5)


class Person:
    """A table and a mouse on it; `now` passes as the table needs it."""

    def __init__(self, layout: str = "3x4") -> None:
        self.table = MacroscopeTable(random.Random(1), layout)
        self.mouse = MacroscopeMouse(self.table, OPTICS, random.Random(2))
        self.now = 0.0

    def pixel(self, point: Point, z: float = LID_HEIGHT_MM) -> Point:
        x, y = OPTICS.project([(*point, z)])[0]
        return float(x), float(y)

    def window(self, window: int) -> Point:
        return self.pixel(self.table.lid.to_table(self.table.shape.windows[window]))

    def rim(self) -> Point:
        """On the lid, between two windows and the edge."""
        return self.pixel(self.table.lid.to_table((self.table.shape.size[0] / 2 - 3.0, 0.0)))

    def click(self, at: Point, button: int = MouseButton.LEFT) -> None:
        self.mouse.press(button, *at, self.now)
        self.mouse.release(button, *at, self.now + 0.05)

    def drag(self, start: Point, end: Point, button: int = MouseButton.LEFT) -> None:
        self.mouse.press(button, *start, self.now)
        for k in range(1, 11):
            x, y = (a + (b - a) * k / 10 for a, b in zip(start, end, strict=True))
            self.mouse.move(x, y, self.now + 0.02 * k)
        self.mouse.release(button, *end, self.now + 0.3)

    def wait(self, seconds: float = 4.0) -> None:
        self.now += seconds
        self.table.step(self.now)


@pytest.mark.parametrize("layout", ["3x4", "staggered", "ring"])
def test_a_click_on_a_token_takes_it_and_one_on_the_open_window_puts_it_back(layout: str) -> None:
    person = Person(layout)
    before = person.table.board.numbers
    for window in range(12):
        person.click(person.window(window))
        person.wait()
        assert [w for w, number in enumerate(person.table.board.numbers) if number is None] == [window]
        person.click(person.window(window))
        person.wait()
        assert person.table.board.numbers == before, window


def test_windows_are_found_on_a_turned_lid() -> None:
    person = Person()
    person.table.turn_lid(137.0, 0.0)
    person.wait()
    person.click(person.window(7))
    person.wait()
    assert person.table.board.numbers[7] is None


def test_a_token_from_beside_the_lid_is_dragged_onto_a_window() -> None:
    person = Person()
    numbers = person.table.board.numbers
    other = next(w for w in range(1, 12) if numbers[w] != numbers[0])
    person.click(person.window(0))
    person.wait()
    person.click(person.window(other))
    person.wait()
    first = person.pixel(person.table.locate_removed_token(0), 3.0)
    person.drag(first, person.window(other))
    person.wait()
    assert person.table.board.numbers[other] == numbers[0]
    person.drag(person.pixel(person.table.locate_removed_token(0), 3.0), (30.0, 30.0))
    person.wait()
    assert [token.number for token in person.table.board.removed_tokens] == [numbers[other]]


def test_a_click_on_a_token_beside_the_lid_puts_it_back() -> None:
    person = Person()
    person.click(person.window(4))
    person.wait()
    assert person.table.board.windows[4] is None
    person.click(person.pixel(person.table.locate_removed_token(0), 3.0))
    person.wait()
    assert all(person.table.board.windows)


def test_dragging_the_rim_pushes_the_lid_under_the_mouse() -> None:
    person = Person()
    start, home = person.rim(), person.table.lid
    there = OPTICS.to_table(start, LID_HEIGHT_MM)
    person.drag(start, person.pixel((there[0] + 12.0, there[1] - 8.0)))
    assert person.table.lid.x == pytest.approx(home.x + 12.0, abs=0.01)
    assert person.table.lid.y == pytest.approx(home.y - 8.0, abs=0.01)
    assert person.table.lid.angle_deg == home.angle_deg


def test_right_drag_turns_the_lid_and_so_does_the_wheel() -> None:
    person = Person()
    lid = person.table.lid
    person.drag(person.pixel((lid.x + 80.0, lid.y)), person.pixel((lid.x, lid.y + 80.0)), MouseButton.RIGHT)
    assert person.table.lid.angle_deg == pytest.approx(90.0, abs=0.1)
    person.mouse.wheel(-2, *person.rim(), person.now)
    assert person.table.lid.angle_deg == pytest.approx(60.0, abs=0.1)
    person.mouse.wheel(1, 1270.0, 710.0, person.now)
    assert person.table.lid.angle_deg == pytest.approx(60.0, abs=0.1)
    assert None not in person.table.board.windows


def test_a_click_into_the_tray_throws_two_dice() -> None:
    person = Person()
    person.click(person.pixel(TRAY_CENTER_MM, 2.0))
    person.wait()
    assert len(person.table.values) == 2
    assert not person.table.is_moving


@pytest.mark.parametrize("by_key", [True, False])
def test_all_windows_are_covered_by_key_or_double_click_on_the_rim(by_key: bool) -> None:
    person = Person()
    person.click(person.window(3))
    person.wait()
    if by_key:
        person.mouse.key("c", True, person.now)
        person.mouse.key("c", False, person.now)
    else:
        person.click(person.rim())
        person.now += 0.2
        person.click(person.rim())
    person.wait()
    assert None not in person.table.board.windows


def test_two_slow_clicks_on_the_rim_do_nothing() -> None:
    person = Person()
    person.click(person.window(3))
    person.wait()
    person.click(person.rim())
    person.now += 1.0
    person.click(person.rim())
    person.wait()
    assert person.table.board.numbers[3] is None


@pytest.mark.parametrize("by_key", [True, False])
def test_a_hand_is_held_where_the_mouse_is(by_key: bool) -> None:
    person = Person()
    x, y = person.pixel(TRAY_CENTER_MM)
    person.mouse.move(x, y, 0.0)
    if by_key:
        person.mouse.key("h", True, 0.0)
    else:
        person.mouse.press(MouseButton.MIDDLE, x, y, 0.0)
    person.wait(1.0)
    assert person.table.hand.target == pytest.approx(TRAY_CENTER_MM)
    person.mouse.move(*person.pixel((0.0, 0.0)), person.now)
    assert person.table.hand.target == pytest.approx((0.0, 0.0), abs=1e-6)
    if by_key:
        person.mouse.key("h", False, person.now)
    else:
        person.mouse.release(MouseButton.MIDDLE, 0.0, 0.0, person.now)
    person.wait(1.0)
    assert person.table.hand is None


def test_two_quick_clicks_on_one_token_take_it_once() -> None:
    person = Person()
    person.click(person.window(2))
    person.click(person.window(2))
    person.wait()
    assert sum(number is None for number in person.table.board.numbers) == 1


def test_clicks_beside_everything_and_unknown_buttons_do_nothing() -> None:
    person = Person()
    version = person.table.version
    person.click((5.0, 5.0))
    person.click(person.window(1), button=8)
    person.mouse.release(MouseButton.LEFT, 5.0, 5.0, 1.0)
    person.wait()
    assert person.table.version == version
